//! [`Moduli`]: how stiff a membrane is, per metre of its width.

use crate::math::{Mat3, Vec3};

/// Stiffnesses of a membrane [N/m]: Young's moduli times its thickness.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moduli {
    /// Along the warp.
    pub warp: f64,
    /// Along the weft.
    pub weft: f64,
    /// Against shear.
    pub shear: f64,
    /// Poisson's ratio: contraction along the weft over the strain along the warp, where only the warp is pulled.
    pub poisson: f64,
}

impl Moduli {
    /// The same in all directions: Young's modulus times thickness [N/m], and Poisson's ratio in (-1, 1).
    pub fn isotropic(young: f64, poisson: f64) -> Self {
        Self { warp: young, weft: young, shear: young / (2.0 * (1.0 + poisson)), poisson }
    }

    /// The matrix of small strain, S = C E [N/m]; symmetric since nu_12 / Y_1 = nu_21 / Y_2.
    pub fn stiffness(&self) -> Mat3 {
        let other = self.poisson * self.weft / self.warp;
        let scale = 1.0 / (1.0 - self.poisson * other);
        let across = scale * self.poisson * self.weft;
        Mat3::new(scale * self.warp, across, 0.0, across, scale * self.weft, 0.0, 0.0, 0.0, self.shear)
    }

    /// The strains c . E and moduli m with E . C E = sum of m (c . E)^2 [N/m]. Of strains by the roots of their stiffnesses the first two are the
    /// same, whatever the cloth: their sum and their difference do not see one another. Those of a cloth that is the same in all directions are
    /// its growth and its shears.
    pub fn squares(&self) -> [(Vec3, f64); 3] {
        let stiffness = self.stiffness();
        let (first, other) = (stiffness.m11, (stiffness.m22 / stiffness.m11).sqrt());
        let coupled = stiffness.m12 / (first * other);
        let half = 0.5 * first;
        [
            (Vec3::new(1.0, other, 0.0), half * (1.0 + coupled)),
            (Vec3::new(1.0, -other, 0.0), half * (1.0 - coupled)),
            (Vec3::z(), stiffness.m33),
        ]
    }

    /// The Lamé constants mu and lambda of plane stress [N/m], of the stiffness along the warp.
    pub fn lame(&self) -> [f64; 2] {
        let Self { warp, poisson, .. } = *self;
        [warp / (2.0 * (1.0 + poisson)), warp * poisson / (1.0 - poisson * poisson)]
    }

    /// Largest Poisson's ratio below 1 with which the matrix of small strain is positive definite.
    pub fn largest_poisson(&self) -> f64 {
        (self.warp / self.weft).sqrt()
    }
}
