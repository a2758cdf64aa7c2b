//! From the camera to what the shaders read.

use aplomb_sim::math::Vec3;
use nalgebra::Matrix4;
use three_d::{Mat4, Vec2, vec2};

use super::normals::to_f32;
use crate::viewport::Camera;

/// Direction to the key light, whatever the camera looks at: shadows stay where they are when the view turns.
pub(super) const KEY: [f64; 3] = [0.48, 0.78, 0.40];

/// The camera in coordinates relative to the painter's origin.
pub(super) struct View {
    /// From the origin's coordinates to clip space.
    pub view_projection: Mat4,
    /// The eye.
    pub eye: three_d::Vec3,
    /// Unit direction to the key light.
    pub key: three_d::Vec3,
    /// From the eye to the middle of the picture, to its right and to its upper edge, at a distance of one.
    pub rays: [three_d::Vec3; 3],
    /// A and B of the distance B / (A - depth in [-1, 1]) along the view [1, m].
    pub depth_form: Vec2,
    /// The farthest distance that is seen [m].
    pub far: f32,
    /// Factor on how far things are pulled towards the eye, as shares of the way to it: an orthographic eye is far away.
    pub pull: f32,
}

impl View {
    /// `aspect`: width over height; `radius`: of what is to be seen [m].
    pub fn new(camera: &Camera, aspect: f64, origin: &Vec3, radius: f64) -> Self {
        let pull = (camera.distance / camera.depth()) as f32;
        let camera = &camera.in_perspective();
        let [right, up, back] = camera.axes();
        let eye = camera.eye() - origin;
        // The ground reaches farther than the bodies.
        let around = Vec3::repeat(12.0 * radius);
        let (near, far) = camera.depth_range(Some((origin - around, origin + around)));
        let near = near.max(0.02 * camera.distance);
        let far = far.max(2.0 * near);
        let projection = camera.projection(aspect, near, far);
        let view = camera.view() * Matrix4::new_translation(origin);
        let reach = (0.5 * camera.field_of_view).tan();
        Self {
            view_projection: matrix(&(projection * view)),
            eye: to_f32(&eye),
            key: to_f32(&Vec3::from(KEY).normalize()),
            rays: [-back, reach * aspect * right, reach * up].map(|ray| to_f32(&ray)),
            depth_form: vec2(((far + near) / (far - near)) as f32, (2.0 * far * near / (far - near)) as f32),
            far: far as f32,
            pull,
        }
    }
}

/// Rounds to what the graphics card reads.
pub(super) fn matrix(m: &Matrix4<f64>) -> Mat4 {
    let columns: [[f32; 4]; 4] = m.cast::<f32>().into();
    Mat4::from(columns)
}
