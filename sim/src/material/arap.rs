//! As rigid as possible: psi = mu |F - R|^2, the corotated law without its volume term (lambda = 0).

use super::{Lame, Material};
use crate::math::{Mat3, Vec3};

#[derive(Debug)]
pub(super) struct Arap {
    /// Shear modulus [Pa].
    mu: f64,
}

impl Arap {
    pub(super) fn new(mu: f64) -> Self {
        Self { mu }
    }
}

impl Material for Arap {
    fn lame(&self) -> Lame {
        Lame { mu: self.mu, lambda: 0.0 }
    }
    fn survives_inversion(&self) -> bool {
        true
    }
    fn energy(&self, stretch: &Vec3) -> f64 {
        self.mu * stretch.add_scalar(-1.0).norm_squared()
    }
    fn gradient(&self, stretch: &Vec3) -> Vec3 {
        2.0 * self.mu * stretch.add_scalar(-1.0)
    }
    fn hessian(&self, _stretch: &Vec3) -> Mat3 {
        Mat3::from_diagonal_element(2.0 * self.mu)
    }
}
