//! Quartic law, psi = mu/4 |F^T F - I|^2 + lambda/2 (J - 1)^2 (Li et al. 2024, 13.1): a polynomial of F, finite everywhere.

use super::invariants::{Curvatures, InvariantLaw, Slopes, Strain};
use super::squares::GROWTH_AND_GREEN;
use super::{Lame, Squares};

#[derive(Debug)]
pub(super) struct Quartic(pub(super) Lame);

impl InvariantLaw for Quartic {
    fn small_strain(&self) -> Lame {
        self.0
    }
    /// The volume term tells an inverted element from a sound one; the other term alone would not.
    fn finite_when_inverted(&self) -> bool {
        true
    }
    fn energy_at(&self, strain: &Strain) -> f64 {
        self.0.mu * strain.squared + 0.5 * self.0.lambda * strain.growth * strain.growth
    }
    fn slopes(&self, strain: &Strain) -> Slopes {
        Slopes { squared: self.0.mu, trace: 0.0, volume: self.0.lambda * strain.growth, at_rest: 0.0 }
    }
    fn curvatures(&self, _strain: &Strain) -> Curvatures {
        Curvatures { trace: 0.0, volume: self.0.lambda }
    }
    fn sum_of_squares(&self) -> Option<Squares> {
        Some(Squares { measures: &GROWTH_AND_GREEN, moduli: [self.0.lambda, 2.0 * self.0.mu] })
    }
}
