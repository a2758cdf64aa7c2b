//! Compressible neo-Hookean law with logarithmic volume term (Bonet and Wood 2008, 6.4.3):
//! psi = mu/2 (tr F^T F - 3) - mu ln J + lambda/2 ln^2 J.

use super::{Lame, Material};
use crate::math::{Mat3, Vec3};

#[derive(Debug)]
pub(super) struct NeoHookean(Lame);

impl NeoHookean {
    pub(super) fn new(lame: Lame) -> Self {
        Self(lame)
    }
}

impl Material for NeoHookean {
    fn lame(&self) -> Lame {
        self.0
    }
    fn survives_inversion(&self) -> bool {
        false
    }
    fn energy(&self, stretch: &Vec3) -> f64 {
        if stretch.product() <= 0.0 {
            return f64::INFINITY;
        }
        // (l^2 - 1)/2 - ln l with l = 1 + d, without the cancelling constants.
        let shear: f64 = stretch.iter().map(|l| 0.5 * (l - 1.0) * (l - 1.0) + minus_log(l - 1.0)).sum();
        let log_volume: f64 = log_volume(stretch);
        self.0.mu * shear + 0.5 * self.0.lambda * log_volume * log_volume
    }
    fn gradient(&self, stretch: &Vec3) -> Vec3 {
        let log_volume = log_volume(stretch);
        stretch.map(|l| (self.0.mu * (l - 1.0) * (l + 1.0) + self.0.lambda * log_volume) / l)
    }
    fn hessian(&self, stretch: &Vec3) -> Mat3 {
        let inverse = stretch.map(|l| 1.0 / l);
        let log_volume = log_volume(stretch);
        let mut h = self.0.lambda * (inverse * inverse.transpose());
        for k in 0..3 {
            h[(k, k)] += self.0.mu + (self.0.mu - self.0.lambda * log_volume) * inverse[k] * inverse[k];
        }
        h
    }
}

/// ln J; not a number where J < 0.
fn log_volume(stretch: &Vec3) -> f64 {
    let d = stretch.add_scalar(-1.0);
    let pairs = d.x * d.y + d.y * d.z + d.z * d.x;
    (d.sum() + pairs + d.product()).ln_1p()
}

/// d - ln(1 + d), accurate relative to itself for small d too.
fn minus_log(d: f64) -> f64 {
    if d.abs() > 0.2 {
        return d - d.ln_1p();
    }
    // ln(1 + d) = 2 artanh r with r = d / (2 + d), and d - 2 r = d r.
    let r = d / (2.0 + d);
    let r2 = r * r;
    let tail = (0..9).rev().fold(0.0, |sum, n| 1.0 / f64::from(2 * n + 3) + r2 * sum);
    d * r - 2.0 * r * r2 * tail
}
