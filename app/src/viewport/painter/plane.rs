//! Ground: half-spaces as discs with lines, or a faint grid under the bodies where there is no half-space.

use aplomb_sim::math::{Vec3, across};
use aplomb_sim::scene::Shape;
use nalgebra::Vector2;

use crate::viewport::{DrawList, ObstacleForm};

/// A disc of ground.
pub(super) struct Plane {
    /// Its middle, below the middle of the scene [m].
    pub middle: Vec3,
    /// Unit normal.
    pub normal: Vec3,
    /// Two unit vectors along the lines; with the normal they make a right-handed frame.
    pub axes: [Vec3; 2],
    /// Coordinates of the middle along the axes, less whole coarse cells [m].
    pub phase: Vector2<f64>,
    /// Whether it is an obstacle, as opposed to a mere grid.
    pub solid: bool,
}

impl Plane {
    fn new(point: Vec3, normal: Vec3, solid: bool, center: &Vec3, spacing: f64) -> Self {
        let normal = normal.normalize();
        let v = -across(&normal);
        let u = v.cross(&normal);
        let middle = center - normal * normal.dot(&(center - point));
        let coarse = 10.0 * spacing;
        // Lines go through the scene's origin; only the remainder is small enough for f32.
        let phase = Vector2::new(u.dot(&middle).rem_euclid(coarse), v.dot(&middle).rem_euclid(coarse));
        Self { middle, normal, axes: [u, v], phase, solid }
    }
}

#[cfg(test)]
impl Plane {
    /// A level one at this height [m].
    pub fn level(height: f64) -> Self {
        Self::new(Vec3::new(0.0, height, 0.0), Vec3::y(), true, &Vec3::zeros(), 0.1)
    }
}

/// Every plane in the picture. `low`: the lowest height of the bodies [m]; `spacing`: between fine lines [m].
pub(super) fn planes(list: &DrawList, center: &Vec3, low: f64, spacing: f64) -> Vec<Plane> {
    let solid = list.obstacles.iter().filter(|obstacle| obstacle.present).filter_map(|obstacle| match obstacle.form {
        ObstacleForm::Shape(Shape::HalfSpace { point, normal }) => Some(Plane::new(point.into(), normal.into(), true, center, spacing)),
        _ => None,
    });
    let mut planes: Vec<_> = solid.filter(|plane| plane.normal.iter().all(|n| n.is_finite())).collect();
    if planes.is_empty() {
        planes.push(Plane::new(Vec3::new(center.x, low, center.z), Vec3::y(), false, center, spacing));
    }
    planes
}

/// Distance between fine lines for a scene of this radius [m]: a power of ten, 0.1 m where a body is about a metre.
pub fn spacing(radius: f64) -> f64 {
    10.0_f64.powf((2.0 * radius).log10().round() - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_a_tenth_of_what_stands_on_them_apart() {
        for (radius, expected) in [(0.5, 0.1), (0.05, 0.01), (7.0, 1.0), (1e-3, 1e-4)] {
            assert!((spacing(radius) / expected - 1.0).abs() < 1e-12, "{radius}: {}", spacing(radius));
        }
    }
}
