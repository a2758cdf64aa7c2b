use super::{SignedDistance, around_core};
use crate::contact::obstacle::Distance;
use crate::math::{Mat3, Vec3};

/// All points within a radius of a segment.
#[derive(Debug, Clone)]
pub struct Capsule {
    /// One end of the segment [m].
    pub from: Vec3,
    /// The other end [m].
    pub to: Vec3,
    /// Radius [m].
    pub radius: f64,
}

impl SignedDistance for Capsule {
    fn distance(&self, point: &Vec3) -> Distance {
        let axis = self.to - self.from;
        let length_squared = axis.norm_squared();
        let along = if length_squared > 0.0 { axis.dot(&(point - self.from)) / length_squared } else { 0.0 };
        let nearest = self.from + along.clamp(0.0, 1.0) * axis;
        let between_ends = along > 0.0 && along < 1.0;
        let curved = if between_ends { Mat3::identity() - axis * axis.transpose() / length_squared } else { Mat3::identity() };
        around_core(point - nearest, self.radius, curved)
    }
}
