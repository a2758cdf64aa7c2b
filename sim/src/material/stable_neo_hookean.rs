//! Stable neo-Hookean law in the form of Macklin and Müller 2021 (after Smith et al. 2018):
//! psi = mu/2 (tr F^T F - 3) + l/2 (J - 1 - mu/l)^2, up to a constant. With l = lambda + mu the rest state is free
//! of stress and linearises to lambda and mu exactly.

use super::{Lame, Material};
use crate::math::{Mat3, Vec3};

#[derive(Debug)]
pub(super) struct StableNeoHookean {
    lame: Lame,
    /// Modulus l of the volume term [Pa].
    volume: f64,
}

impl StableNeoHookean {
    pub(super) fn new(lame: Lame) -> Self {
        Self { lame, volume: lame.lambda + lame.mu }
    }
}

impl Material for StableNeoHookean {
    fn lame(&self) -> Lame {
        self.lame
    }
    fn survives_inversion(&self) -> bool {
        true
    }
    fn energy(&self, stretch: &Vec3) -> f64 {
        // In d = stretch - 1, where the linear terms of tr F^T F and of 2 J cancel.
        let d = stretch.add_scalar(-1.0);
        let curved = d.x * d.y + d.y * d.z + d.z * d.x + d.product();
        let growth = d.sum() + curved;
        self.lame.mu * (0.5 * d.norm_squared() - curved) + 0.5 * self.volume * growth * growth
    }
    fn gradient(&self, stretch: &Vec3) -> Vec3 {
        self.lame.mu * stretch + self.pressure(stretch) * area(stretch)
    }
    fn hessian(&self, stretch: &Vec3) -> Mat3 {
        let (area, pressure) = (area(stretch), self.pressure(stretch));
        let mut h = self.volume * (area * area.transpose());
        for k in 0..3 {
            h[(k, k)] += self.lame.mu;
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            h[(i, j)] += pressure * stretch[k];
            h[(j, i)] += pressure * stretch[k];
        }
        h
    }
}

impl StableNeoHookean {
    /// Derivative of the energy by J alone [Pa].
    fn pressure(&self, stretch: &Vec3) -> f64 {
        self.volume * (stretch.product() - 1.0) - self.lame.mu
    }
}

/// dJ / dstretch.
fn area(stretch: &Vec3) -> Vec3 {
    Vec3::new(stretch.y * stretch.z, stretch.z * stretch.x, stretch.x * stretch.y)
}
