//! Force elements: each described once, by pure functions without indices, and used by both sides
//! (sag-free initialisation and stepping). [`Batch`] adds the indices.

pub mod batch;
mod scatter;
pub mod tet;
pub mod tetrahedra;
pub(crate) mod volume_filter;

#[cfg(test)]
mod body_tests;
#[cfg(test)]
mod contract;
#[cfg(test)]
mod difference_order;
#[cfg(test)]
mod plane_filter;
#[cfg(test)]
mod quartic_spring;
#[cfg(test)]
mod tet_tests;
#[cfg(test)]
mod textbook_stress;

pub use batch::{Batch, ElementField, Family, ForceSubspace, Potential, RestFit};
pub use tet::Tet;

use crate::math::{Mat3, Vec3};

/// Why an element cannot make the force asked of it.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Unattainable {
    /// The law has no stable stretch with this stress; `attainable_share` of it is the most it can make.
    #[error("the material can make only {} of the stress asked for", part(*attainable_share))]
    TooSoft {
        /// Largest tau in [0, 1) for which tau times the stress is attainable; 1 / tau is the least stiffness factor.
        attainable_share: f64,
    },
    /// The element has no volume (or length) in the given shape.
    #[error("the element is degenerate in the given shape")]
    Degenerate,
}

/// A share below 1 in words: rounding never makes a whole of it, and only nothing is nothing.
fn part(share: f64) -> String {
    match 100.0 * share {
        percent if percent <= 0.0 => "nothing".to_owned(),
        percent if percent < 1.0 => "less than 1 %".to_owned(),
        percent => format!("{:.0} %", percent.floor().min(99.0)),
    }
}

/// What a stiffened element has beyond the least stiffness that makes its force. At the least stiffness itself, where the law's curve
/// of stress turns, the element resists no further strain in one direction; a twentieth away, where the curve is a parabola, it has about
/// a fifth of its resistance there.
pub const STIFFENING_MARGIN: f64 = 1.05;

impl Unattainable {
    /// The factor on the stiffness with which the element would make its force, margin included; `None` if no factor does.
    pub fn cure(&self) -> Option<f64> {
        match *self {
            Self::TooSoft { attainable_share } if attainable_share > 0.0 => Some(STIFFENING_MARGIN / attainable_share),
            _ => None,
        }
    }
}

/// A force element with `N` nodes and `K` scalar force coordinates. `x`: current positions [m].
pub trait Element<const N: usize, const K: usize>: Clone + Send + Sync {
    /// Stored energy [J].
    fn energy(&self, x: &[Vec3; N]) -> f64;
    /// Gradient of the energy by each node [N], minus the force.
    fn gradient(&self, x: &[Vec3; N]) -> [Vec3; N];
    /// Second derivatives [N/m]; `projected`: clamped to positive semidefinite.
    fn hessian(&self, x: &[Vec3; N], projected: bool) -> [[Mat3; N]; N];
    /// The subspace of forces the element can make: force on node i = sum_k basis[k][i] s[k]. Depends on
    /// constants of the element, never on the rest state that [`Element::with_rest_for`] changes.
    fn force_basis(&self, x: &[Vec3; N]) -> [[Vec3; N]; K];
    /// Inverse weight of the force coordinates, symmetric positive definite: the global stage minimises
    /// sum 1/2 s^T W s.
    fn inverse_weight(&self, x: &[Vec3; N]) -> [[f64; K]; K];
    /// Coordinates of the force that the element makes now: -gradient = basis s.
    fn force_coordinates(&self, x: &[Vec3; N]) -> [f64; K];
    /// The same element with the rest state changed so that its force at `x` has coordinates `s`.
    fn with_rest_for(&self, x: &[Vec3; N], s: &[f64; K]) -> Result<Self, Unattainable>;
    /// The same element, undeformed at `x` (the naive rest state), as stiff as it is.
    fn at_rest(&self, x: &[Vec3; N]) -> Result<Self, Unattainable>;
    /// How many times as stiff as authored the element is.
    fn stiffening(&self) -> f64;
    /// The same element and rest state, `factor` times as stiff as authored: energy, force and curvature are multiplied. Subspace and
    /// weight are those of the authored element, so that a force found before stays the one to make after.
    fn stiffened(&self, factor: f64) -> Self;
    /// Freezes what the element keeps constant during a time step that starts at `x`; most elements keep nothing.
    fn lag(&mut self, _x: &[Vec3; N]) {}
    /// Local displacement measure that must stay positive (signed volume over rest volume), if there is one.
    /// The largest step in [0, 1] along `dx` that keeps a share of it.
    fn max_step(&self, x: &[Vec3; N], dx: &[Vec3; N]) -> f64;
}

#[cfg(test)]
mod tests {
    use super::Unattainable;

    #[test]
    fn what_is_too_little_is_never_told_as_all() {
        for (attainable_share, told) in [
            (0.9999, "only 99 % of"),
            (0.995, "only 99 % of"),
            (0.42, "only 42 % of"),
            (0.004, "only less than 1 % of"),
            (0.0, "only nothing of"),
        ] {
            let message = Unattainable::TooSoft { attainable_share }.to_string();
            assert!(message.contains(told), "{attainable_share}: {message}");
        }
    }
}
