use super::{SignedDistance, around_core};
use crate::contact::obstacle::Distance;
use crate::math::{Mat3, Vec3, rotation};

/// A rotated box.
#[derive(Debug, Clone)]
pub struct Cuboid {
    center: Vec3,
    half: Vec3,
    /// Columns: the box's axes in the scene.
    rotation: Mat3,
}

impl Cuboid {
    /// A box with these edge lengths [m], rotated about x, then y, then z.
    pub fn new(center: Vec3, size: Vec3, rotate_degrees: [f64; 3]) -> Self {
        Self { center, half: 0.5 * size, rotation: rotation(rotate_degrees) }
    }
}

impl SignedDistance for Cuboid {
    fn distance(&self, point: &Vec3) -> Distance {
        let local = self.rotation.tr_mul(&(point - self.center));
        let beyond = local.abs() - self.half;
        let outside = beyond.map(|b| b > 0.0);
        let in_box_axes = if outside.iter().any(|&o| o) {
            // Nearest to a face, an edge or a corner: curved in the directions in which the point is outside.
            let offset = Vec3::from_fn(|k, _| if outside[k] { beyond[k] * local[k].signum() } else { 0.0 });
            around_core(offset, 0.0, Mat3::from_diagonal(&outside.map(|o| f64::from(u8::from(o)))))
        } else {
            let face = beyond.imax();
            Distance { value: beyond[face], normal: Vec3::ith(face, local[face].signum()), curvature: Mat3::zeros() }
        };
        Distance {
            value: in_box_axes.value,
            normal: self.rotation * in_box_axes.normal,
            curvature: self.rotation * in_box_axes.curvature * self.rotation.transpose(),
        }
    }

    fn faces(&self, point: &Vec3, reach: f64) -> [Option<Vec3>; 3] {
        let local = self.rotation.tr_mul(&(point - self.center));
        let beyond = local.abs() - self.half;
        if beyond.max() > reach {
            return [None; 3];
        }
        let face = |k: usize| Some(local[k].signum() * self.rotation.column(k));
        let near = beyond.map(|beyond| beyond.abs() <= reach);
        // Deep inside there is one way out that is the shortest.
        let deep = if near.iter().any(|near| *near) { None } else { Some(beyond.imax()) };
        std::array::from_fn(|k| if near[k] || deep == Some(k) { face(k) } else { None })
    }
}
