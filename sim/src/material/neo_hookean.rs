//! Compressible neo-Hookean law with logarithmic volume term (Bonet and Wood 2008, 6.4.3):
//! psi = mu/2 (tr F^T F - 3) - mu ln J + lambda/2 ln^2 J.

use super::Lame;
use super::invariants::{Curvatures, InvariantLaw, Slopes, Strain};

#[derive(Debug)]
pub(super) struct NeoHookean(pub(super) Lame);

impl InvariantLaw for NeoHookean {
    fn small_strain(&self) -> Lame {
        self.0
    }
    fn finite_when_inverted(&self) -> bool {
        false
    }
    fn energy_at(&self, strain: &Strain) -> f64 {
        if strain.volume <= 0.0 {
            return f64::INFINITY;
        }
        // tr E - ln J = (tr E - growth) + (growth - ln(1 + growth)), each of second order near rest.
        let (log_volume, slack) = log_volume(strain);
        self.0.mu * (strain.excess + slack) + 0.5 * self.0.lambda * log_volume * log_volume
    }
    /// Not a number where J < 0.
    fn slopes(&self, strain: &Strain) -> Slopes {
        let (log_volume, _) = log_volume(strain);
        let volume = (self.0.lambda * log_volume + self.0.mu * strain.growth) / strain.volume;
        Slopes { squared: 0.0, trace: 0.0, volume, at_rest: self.0.mu }
    }
    fn curvatures(&self, strain: &Strain) -> Curvatures {
        let (log_volume, _) = log_volume(strain);
        let volume = (self.0.lambda * (1.0 - log_volume) + self.0.mu) / (strain.volume * strain.volume);
        Curvatures { trace: 0.0, volume }
    }
}

/// ln J and J - 1 - ln J, both accurate relative to themselves where J is near to 1.
fn log_volume(strain: &Strain) -> (f64, f64) {
    let growth = strain.growth;
    if growth.abs() > 0.2 {
        let log = strain.volume.ln();
        return (log, growth - log);
    }
    // ln(1 + d) = 2 artanh r with r = d / (2 + d), and d - 2 r = d r.
    let r = growth / (2.0 + growth);
    let r2 = r * r;
    // Every other term by itself: two short chains instead of a long one.
    let r4 = r2 * r2;
    let every_other = |first: usize| TAIL[first..].iter().step_by(2).rev().fold(0.0, |sum, c| c + r4 * sum);
    let tail = every_other(0) + r2 * every_other(1);
    let slack = growth * r - 2.0 * r * r2 * tail;
    (growth - slack, slack)
}

/// Series of (artanh r - r) / r^3 in r^2, to round-off for |r| <= 1/9.
const TAIL: [f64; 8] = [1.0 / 3.0, 1.0 / 5.0, 1.0 / 7.0, 1.0 / 9.0, 1.0 / 11.0, 1.0 / 13.0, 1.0 / 15.0, 1.0 / 17.0];
