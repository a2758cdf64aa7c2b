//! From the camera to what the shaders read.

use aplomb_sim::math::Vec3;
use nalgebra::Matrix4;
use three_d::Mat4;

use super::normals::to_f32;
use crate::viewport::Camera;

/// The camera in coordinates relative to the painter's origin.
pub(super) struct View {
    /// From the origin's coordinates to clip space.
    pub view_projection: Mat4,
    /// The eye.
    pub eye: three_d::Vec3,
    /// Direction to the key light: above the camera's left shoulder, so that a body is well lit from every side.
    pub key: three_d::Vec3,
}

impl View {
    /// `aspect`: width over height; `radius`: of what is to be seen [m].
    pub fn new(camera: &Camera, aspect: f64, origin: &Vec3, radius: f64) -> Self {
        let [right, up, back] = camera.axes();
        let eye = camera.eye() - origin;
        // The ground reaches farther than the bodies.
        let around = Vec3::repeat(12.0 * radius);
        let (near, far) = camera.depth_range(Some((origin - around, origin + around)));
        let near = near.max(0.02 * camera.distance);
        let projection = camera.projection(aspect, near, far.max(2.0 * near));
        let view = camera.view() * Matrix4::new_translation(origin);
        let key = (0.75 * up - 0.6 * right + 0.55 * back + 0.25 * Vec3::y()).normalize();
        Self { view_projection: matrix(&(projection * view)), eye: to_f32(&eye), key: to_f32(&key) }
    }
}

/// Rounds to what the graphics card reads.
pub(super) fn matrix(m: &Matrix4<f64>) -> Mat4 {
    let columns: [[f32; 4]; 4] = m.cast::<f32>().into();
    Mat4::from(columns)
}
