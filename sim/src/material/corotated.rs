//! Corotated linear law with the rotation of the current F (Sifakis and Barbič 2012, 3.4):
//! psi = mu |F - R|^2 + lambda/2 tr^2(R^T F - I), in principal stretches a quadratic.

use super::{Lame, Material};
use crate::math::{Mat3, Vec3};

#[derive(Debug)]
pub(super) struct Corotated(Lame);

impl Corotated {
    pub(super) fn new(lame: Lame) -> Self {
        Self(lame)
    }
}

impl Material for Corotated {
    fn lame(&self) -> Lame {
        self.0
    }
    fn survives_inversion(&self) -> bool {
        true
    }
    fn energy(&self, stretch: &Vec3) -> f64 {
        let strain = stretch.add_scalar(-1.0);
        self.0.mu * strain.norm_squared() + 0.5 * self.0.lambda * strain.sum() * strain.sum()
    }
    fn gradient(&self, stretch: &Vec3) -> Vec3 {
        let strain = stretch.add_scalar(-1.0);
        (2.0 * self.0.mu * strain).add_scalar(self.0.lambda * strain.sum())
    }
    fn hessian(&self, _stretch: &Vec3) -> Mat3 {
        Mat3::from_diagonal_element(2.0 * self.0.mu).add_scalar(self.0.lambda)
    }
}
