//! The principal strains of a membrane, for laws that are written in stretches.

use crate::math::{Mat3, Vec3};

/// A strain in its principal axes.
pub struct Principal {
    /// Stretches less 1, the larger first.
    pub strains: [f64; 2],
    /// Cosine and sine of the angle from the warp to the first axis.
    axis: [f64; 2],
}

impl Principal {
    /// Of (E11, E22, 2 E12).
    pub fn of(strain: &Vec3) -> Self {
        let [a, b, g] = (*strain).into();
        let (mean, half, shear) = (0.5 * (a + b), 0.5 * (a - b), 0.5 * g);
        let radius = half.hypot(shear);
        let angle = 0.5 * shear.atan2(half);
        // 2 E = lambda^2 - 1.
        let stretch_less_one = |e: f64| 2.0 * e / (1.0 + (1.0 + 2.0 * e).max(0.0).sqrt());
        Self { strains: [mean + radius, mean - radius].map(stretch_less_one), axis: [angle.cos(), angle.sin()] }
    }

    /// A stress of these principal values in the axes of warp and weft.
    pub fn stress(&self, [first, second]: [f64; 2]) -> Vec3 {
        let [c, s] = self.axis;
        Vec3::new(c * c * first + s * s * second, s * s * first + c * c * second, c * s * (first - second))
    }

    /// A tangent in the axes of warp and weft, from its block of the principal values and the modulus of shear between them.
    pub fn tangent(&self, normal: [[f64; 2]; 2], shear: f64) -> Mat3 {
        let [c, s] = self.axis;
        let turn = Mat3::new(c * c, s * s, -2.0 * c * s, s * s, c * c, 2.0 * c * s, c * s, -c * s, c * c - s * s);
        let [[a, b], [d, e]] = normal;
        let tangent = turn * Mat3::new(a, b, 0.0, d, e, 0.0, 0.0, 0.0, shear) * turn.transpose();
        0.5 * (tangent + tangent.transpose())
    }
}
