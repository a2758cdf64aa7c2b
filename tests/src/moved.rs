//! [`Moved`]: how a body got from one shape to another, as a rigid motion and what that leaves over.

use aplomb_sim::math::{Mat3, Vec3, svd};

/// The rigid motion nearest to a body's own, in the sum of squares by mass, and what is left of its own beside it.
#[derive(Debug, Clone, Copy)]
pub struct Moved {
    /// Centre of mass before [m].
    pub from: Vec3,
    /// How far that moved [m].
    pub by: Vec3,
    /// Rotation about it.
    pub turned: Mat3,
    /// Farthest that a node is from where the rigid motion takes it [m].
    pub deformed: f64,
}

impl Moved {
    /// From the positions `before` of nodes with these masses to `after`.
    pub fn new(masses: &[f64], before: &[Vec3], after: &[Vec3]) -> Self {
        let mass: f64 = masses.iter().sum();
        let centre = |x: &[Vec3]| masses.iter().zip(x).map(|(m, x)| *m * x).sum::<Vec3>() / mass;
        let (from, to) = (centre(before), centre(after));
        let moments: Mat3 = masses.iter().zip(before.iter().zip(after)).map(|(m, (a, b))| *m * (b - to) * (a - from).transpose()).sum();
        let turned = svd(&moments).rotation();
        let off = |(a, b): (&Vec3, &Vec3)| (b - to - turned * (a - from)).norm();
        Self { from, by: to - from, turned, deformed: before.iter().zip(after).map(off).fold(0.0, f64::max) }
    }

    /// How far the rigid motion takes a point of the body [m].
    pub fn of(&self, point: &Vec3) -> Vec3 {
        self.by + self.turned * (point - self.from) - (point - self.from)
    }

    /// How far it turns about the vertical y [radians].
    pub fn turn(&self) -> f64 {
        (self.turned[(0, 2)] - self.turned[(2, 0)]).atan2(self.turned[(0, 0)] + self.turned[(2, 2)])
    }

    /// Sine of the angle by which what was upright leans over.
    pub fn tilt(&self) -> f64 {
        f64::hypot(self.turned[(0, 1)], self.turned[(2, 1)])
    }
}
