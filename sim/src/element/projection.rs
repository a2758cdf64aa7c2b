//! [`Projection`]: elements as constraints with a compliance, as position-based steppers take them (Macklin, Muller, Chentanez 2016,
//! "XPBD", eq. 2: the energy is C^2 / (2 alpha)).

use super::{Batch, Element};
use crate::linear::Couplings;
use crate::math::Vec3;

/// Nodes of a constraint at most.
pub const MOST_NODES: usize = 4;

/// A constraint at some positions.
#[derive(Debug, Clone, Copy)]
pub struct Constraint<const N: usize> {
    /// C, in its own unit: a length [m], an angle [rad].
    pub value: f64,
    /// Gradient by each node.
    pub gradients: [Vec3; N],
}

/// A family each of whose elements is a constraint.
pub trait Projection: Couplings {
    /// C of element `e` at `x`, and its gradients by the nodes in the first entries of `gradients`.
    fn constraint(&self, e: usize, x: &[Vec3], gradients: &mut [Vec3; MOST_NODES]) -> f64;
    /// alpha of element `e`: C over minus the multiplier [unit of C squared / J].
    fn compliance(&self, e: usize) -> f64;
    /// The largest second derivative of C by each node.
    fn curvatures(&self, e: usize, x: &[Vec3]) -> [f64; MOST_NODES];
}

impl<E: Element<N, K>, const N: usize, const K: usize> Projection for Batch<E, N, K> {
    fn constraint(&self, e: usize, x: &[Vec3], gradients: &mut [Vec3; MOST_NODES]) -> f64 {
        let found = self.elements[e].constraint(&self.gather(e, x));
        gradients[..N].copy_from_slice(&found.gradients);
        found.value
    }
    fn compliance(&self, e: usize) -> f64 {
        self.elements[e].compliance().unwrap_or(0.0)
    }
    fn curvatures(&self, e: usize, x: &[Vec3]) -> [f64; MOST_NODES] {
        let mut all = [0.0; MOST_NODES];
        all[..N].copy_from_slice(&self.elements[e].curvatures(&self.gather(e, x)));
        all
    }
}
