//! [`Projection`]: elements as constraints with compliances, as position-based steppers take them (Macklin, Muller, Chentanez 2016, "XPBD",
//! eq. 2: the energy is the sum of C^2 / (2 alpha)).

use super::{Batch, Element};
use crate::linear::Couplings;
use crate::math::Vec3;

/// A constraint at some positions.
#[derive(Debug, Clone, Copy)]
pub struct Constraint<const N: usize> {
    /// C, in its own unit: a length [m], an angle [rad].
    pub value: f64,
    /// Gradient by each node.
    pub gradients: [Vec3; N],
}

/// A family each of whose elements is some constraints.
pub trait Projection: Couplings {
    /// How many constraints an element is at most.
    fn constraints_per_element(&self) -> usize;
    /// C of constraint `k` of element `e` at `x`, and its gradients by the nodes of the element in as many entries of `gradients`.
    fn constraint(&self, e: usize, k: usize, x: &[Vec3], gradients: &mut [Vec3]) -> f64;
    /// alpha of constraint `k` of element `e`: C over minus the multiplier [unit of C squared / J]; infinite where the element has none.
    fn compliance(&self, e: usize, k: usize) -> f64;
    /// The largest second derivative of C by each node of the element, in as many entries of `curvatures`.
    fn curvatures(&self, e: usize, k: usize, x: &[Vec3], curvatures: &mut [f64]);
}

impl<E: Element<N, K>, const N: usize, const K: usize> Projection for Batch<E, N, K> {
    fn constraints_per_element(&self) -> usize {
        E::constraints()
    }
    fn constraint(&self, e: usize, k: usize, x: &[Vec3], gradients: &mut [Vec3]) -> f64 {
        let found = self.elements[e].constraint(k, &self.gather(e, x));
        gradients[..N].copy_from_slice(&found.gradients);
        found.value
    }
    fn compliance(&self, e: usize, k: usize) -> f64 {
        self.elements[e].compliance(k).unwrap_or(f64::INFINITY)
    }
    fn curvatures(&self, e: usize, k: usize, x: &[Vec3], curvatures: &mut [f64]) {
        curvatures[..N].copy_from_slice(&self.elements[e].curvatures(k, &self.gather(e, x)));
    }
}
