//! Saint Venant-Kirchhoff law, psi = mu |E|^2 + lambda/2 tr^2 E with Green's strain E = (F^T F - I)/2.

use super::{Lame, Material};
use crate::math::{Mat3, Vec3};

#[derive(Debug)]
pub(super) struct StVenantKirchhoff(Lame);

impl StVenantKirchhoff {
    pub(super) fn new(lame: Lame) -> Self {
        Self(lame)
    }
    /// Principal second Piola stress [Pa].
    fn second_piola(&self, stretch: &Vec3) -> Vec3 {
        let strain = green(stretch);
        (2.0 * self.0.mu * strain).add_scalar(self.0.lambda * strain.sum())
    }
}

impl Material for StVenantKirchhoff {
    fn lame(&self) -> Lame {
        self.0
    }
    /// Finite, but even in the stretch: it does not tell an inverted element from a sound one.
    fn survives_inversion(&self) -> bool {
        false
    }
    fn energy(&self, stretch: &Vec3) -> f64 {
        let strain = green(stretch);
        self.0.mu * strain.norm_squared() + 0.5 * self.0.lambda * strain.sum() * strain.sum()
    }
    fn gradient(&self, stretch: &Vec3) -> Vec3 {
        stretch.component_mul(&self.second_piola(stretch))
    }
    fn hessian(&self, stretch: &Vec3) -> Mat3 {
        let stiffness = stretch.map(|l| 2.0 * self.0.mu * l * l);
        self.0.lambda * (stretch * stretch.transpose()) + Mat3::from_diagonal(&(stiffness + self.second_piola(stretch)))
    }
}

/// Principal Green strain.
fn green(stretch: &Vec3) -> Vec3 {
    stretch.map(|l| 0.5 * (l - 1.0) * (l + 1.0))
}
