//! Saint Venant-Kirchhoff law, psi = mu |E|^2 + lambda/2 tr^2 E with Green's strain E = (F^T F - I)/2.

use super::invariants::{Curvatures, InvariantLaw, Slopes, Strain};
use super::squares::TRACE_AND_REST;
use super::{Lame, Squares};

#[derive(Debug)]
pub(super) struct StVenantKirchhoff(pub(super) Lame);

impl InvariantLaw for StVenantKirchhoff {
    fn small_strain(&self) -> Lame {
        self.0
    }
    /// Finite, but even in the stretch: an element that is pressed flat goes on to its mirror image, which is at rest as well.
    fn finite_when_inverted(&self) -> bool {
        true
    }
    fn energy_at(&self, strain: &Strain) -> f64 {
        self.0.mu * strain.squared + 0.5 * self.0.lambda * strain.trace * strain.trace
    }
    fn slopes(&self, strain: &Strain) -> Slopes {
        Slopes { squared: self.0.mu, trace: self.0.lambda * strain.trace, volume: 0.0, at_rest: 0.0 }
    }
    fn curvatures(&self, _strain: &Strain) -> Curvatures {
        Curvatures { trace: self.0.lambda, volume: 0.0 }
    }
    fn sum_of_squares(&self) -> Option<Squares> {
        Some(Squares { measures: &TRACE_AND_REST, moduli: [self.0.lambda + 2.0 / 3.0 * self.0.mu, 2.0 * self.0.mu] })
    }
}
