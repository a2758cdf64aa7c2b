use super::SignedDistance;
use crate::contact::obstacle::Distance;
use crate::math::{Mat3, Vec3};

/// Everything behind a plane.
#[derive(Debug, Clone)]
pub struct HalfSpace {
    point: Vec3,
    normal: Vec3,
}

impl HalfSpace {
    /// Behind the plane through `point` [m] whose outward normal points along `normal` (any length but zero,
    /// for which up is taken).
    pub fn new(point: Vec3, normal: Vec3) -> Self {
        Self { point, normal: normal.try_normalize(0.0).unwrap_or_else(Vec3::y) }
    }
}

impl SignedDistance for HalfSpace {
    fn distance(&self, point: &Vec3) -> Distance {
        Distance { value: self.normal.dot(&(point - self.point)), normal: self.normal, curvature: Mat3::zeros() }
    }
}
