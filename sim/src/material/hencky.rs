//! Hencky's law, psi = mu |ln S|^2 + lambda/2 tr^2(ln S): quadratic in the logarithms of the stretches, so that its Kirchhoff stress is linear in
//! them, and what yields is mapped back along straight lines.

use super::{Lame, Material};
use crate::math::{Mat3, Vec3};

#[derive(Debug)]
pub(super) struct Hencky(pub(super) Lame);

impl Hencky {
    /// The logarithms and the Kirchhoff stresses [Pa].
    fn at(&self, strain: &Vec3) -> (Vec3, Vec3) {
        let logarithms = strain.map(f64::ln_1p);
        (logarithms, (2.0 * self.0.mu * logarithms).add_scalar(self.0.lambda * logarithms.sum()))
    }
}

impl Material for Hencky {
    fn lame(&self) -> Lame {
        self.0
    }
    fn survives_inversion(&self) -> bool {
        false
    }
    fn energy(&self, strain: &Vec3) -> f64 {
        if !strain.iter().all(|strain| *strain > -1.0) {
            return f64::INFINITY;
        }
        let (logarithms, stress) = self.at(strain);
        0.5 * logarithms.dot(&stress)
    }
    fn gradient(&self, strain: &Vec3) -> Vec3 {
        self.at(strain).1.component_div(&strain.add_scalar(1.0))
    }
    fn hessian(&self, strain: &Vec3) -> Mat3 {
        let Lame { mu, lambda } = self.0;
        let (stress, inverse) = (self.at(strain).1, strain.map(|strain| 1.0 / (1.0 + strain)));
        Mat3::from_fn(|j, k| {
            let own = if j == k { 2.0 * mu - stress[j] } else { 0.0 };
            (own + lambda) * (inverse[j] * inverse[k])
        })
    }
}
