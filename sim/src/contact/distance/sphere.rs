use super::{SignedDistance, around_core};
use crate::contact::obstacle::Distance;
use crate::math::{Mat3, Vec3};

/// A ball.
#[derive(Debug, Clone)]
pub struct Sphere {
    /// Centre [m].
    pub center: Vec3,
    /// Radius [m].
    pub radius: f64,
}

impl SignedDistance for Sphere {
    fn distance(&self, point: &Vec3) -> Distance {
        around_core(point - self.center, self.radius, Mat3::identity())
    }
}
