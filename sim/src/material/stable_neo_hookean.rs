//! Stable neo-Hookean law in the form of Macklin and Müller 2021 (after Smith et al. 2018):
//! psi = mu/2 (tr F^T F - 3) + l/2 (J - 1 - mu/l)^2, up to a constant. With l = lambda + mu the rest state is free
//! of stress and linearises to lambda and mu exactly.

use super::invariants::{Curvatures, InvariantLaw, Slopes, Strain};
use super::squares::GROWTH_AND_SHAPE;
use super::{Lame, Squares};

#[derive(Debug)]
pub(super) struct StableNeoHookean(pub(super) Lame);

impl StableNeoHookean {
    /// Modulus l of the volume term [Pa].
    fn volume_modulus(&self) -> f64 {
        self.0.lambda + self.0.mu
    }
}

impl InvariantLaw for StableNeoHookean {
    fn small_strain(&self) -> Lame {
        self.0
    }
    fn finite_when_inverted(&self) -> bool {
        true
    }
    fn energy_at(&self, strain: &Strain) -> f64 {
        self.0.mu * strain.excess + 0.5 * self.volume_modulus() * strain.growth * strain.growth
    }
    fn slopes(&self, strain: &Strain) -> Slopes {
        Slopes { squared: 0.0, trace: 0.0, volume: self.volume_modulus() * strain.growth, at_rest: self.0.mu }
    }
    fn curvatures(&self, _strain: &Strain) -> Curvatures {
        Curvatures { trace: 0.0, volume: self.volume_modulus() }
    }
    fn sum_of_squares(&self) -> Option<Squares> {
        Some(Squares { measures: &GROWTH_AND_SHAPE, moduli: [self.0.lambda, self.0.mu] })
    }
}
