//! Sparse symmetric linear algebra on the graph of nodes: the pattern and its fill-reducing order are found once,
//! then matrices of 3x3 blocks are assembled and factorised in it again and again.

mod aligned;
pub mod cholesky;
mod components;
mod envelope;
pub mod equality;
mod extension;
mod fronts;
pub mod inertia;
pub mod iterative;
pub mod matrix;
pub mod ordering;
pub mod pattern;
pub mod places;
mod rows;
pub mod schur;
pub mod solvers;
mod sweeps;
mod symbolic;
pub mod system;
#[cfg(test)]
mod tests;
pub mod unsymmetric;

pub use cholesky::CholeskyFactor;
pub use equality::{Equalities, EqualityError};
pub use inertia::{InertiaFactor, PartFactor};
pub use iterative::{IterationOptions, IterationOutcome, IterationReport};
pub use matrix::NodeMatrix;
pub use pattern::{Couplings, NodeMatrixPattern};
pub use places::StencilPlaces;
pub use schur::{DenseFactor, SchurFactor};
pub use solvers::{SOLVERS, SolverChoice, SolverEntry};
pub use system::{LinearCounters, LinearSystem, SolveReport};
pub use unsymmetric::UnsymmetricFactor;

/// A matrix that should be positive definite is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the matrix is not positive definite at node {node}")]
pub struct NotPositive {
    /// The node whose pivot failed.
    pub node: usize,
}
