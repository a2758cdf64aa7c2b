//! Iterative solvers of A x = b: one file a method, chosen by name in [`super::solvers`].
//!
//! ```text
//! stationary (one loop) <- jacobi, gauss_seidel, chebyshev        conjugate_gradients (one loop) <- cg, pcg (incomplete)
//!      spectrum (extreme eigenvalues of D^-1 A) -> jacobi, chebyshev
//! ```

pub(super) mod cg;
pub(super) mod chebyshev;
pub mod conjugate_gradients;
pub(super) mod gauss_seidel;
mod incomplete;
pub(super) mod jacobi;
pub(super) mod pcg;
mod spectrum;
pub(super) mod stationary;
#[cfg(test)]
mod tests;

use super::NotPositive;
use super::matrix::NodeMatrix;
use super::pattern::NodeMatrixPattern;
use super::rows::{RowLists, Rows};
use crate::math::Vec3;

/// When an iteration stops, and the parameters of those that have some.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IterationOptions {
    /// Residual over right side, |b - A x| / |b|.
    pub tolerance: f64,
    /// Iterations at most.
    pub max_iterations: u32,
    /// Of Jacobi's method and its acceleration: the share of each correction that is taken. `None`: the best one, by an estimate of the
    /// spectrum.
    pub relaxation: Option<f64>,
    /// Of the Chebyshev acceleration: spectral radius of Jacobi's iteration. `None`: an estimate.
    pub spectral_radius: Option<f64>,
}

impl Default for IterationOptions {
    fn default() -> Self {
        Self { tolerance: 1e-8, max_iterations: 600, relaxation: None, spectral_radius: None }
    }
}

/// How an iteration ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IterationOutcome {
    /// Within the tolerance.
    Converged,
    /// Out of iterations; what there is goes downhill.
    OutOfIterations,
    /// Whoever asked for it wanted no more.
    Stopped,
    /// A direction of no or negative curvature was met: the matrix is not positive definite. The solution so far is one
    /// of descent (Steihaug 1983).
    NotPositive,
    /// The residual is larger than that of zero, or no number: what there is means nothing.
    Diverged,
}

/// What it took.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IterationReport {
    /// Iterations done.
    pub iterations: u32,
    /// |b - A x| / |b|, recomputed from the solution.
    pub residual: f64,
    /// How it ended.
    pub outcome: IterationOutcome,
}

/// A method that solves one system after the other, with memory of its own.
pub trait Method: Send {
    /// Prepares for another matrix.
    ///
    /// # Errors
    /// [`NotPositive`] where a diagonal block is not positive definite, or a diagonal entry not positive.
    fn prepare(&mut self, rows: Rows<'_>, options: &IterationOptions) -> Result<(), NotPositive>;

    /// Solves A x = b from x = 0, in elimination order, as far as it gets.
    fn solve(&mut self, rows: Rows<'_>, b: &[Vec3], x: &mut [Vec3], options: &IterationOptions) -> IterationReport;
}

/// A method, and everything that it needs for matrices in one pattern.
pub(super) struct Iterative {
    method: Box<dyn Method>,
    lists: RowLists,
    right_side: Vec<Vec3>,
    solution: Vec<Vec3>,
}

impl Iterative {
    /// Fits no pattern yet.
    pub fn new(method: Box<dyn Method>) -> Self {
        Self { method, lists: RowLists::default(), right_side: Vec::new(), solution: Vec::new() }
    }

    /// Makes it fit another pattern.
    pub fn fit(&mut self, pattern: &NodeMatrixPattern) {
        self.lists = RowLists::new(pattern);
        self.right_side.resize(pattern.order.len(), Vec3::zeros());
        self.solution.resize(pattern.order.len(), Vec3::zeros());
    }

    /// Prepares the method for `matrix`.
    ///
    /// # Errors
    /// Those of [`Method::prepare`].
    pub fn prepare(&mut self, pattern: &NodeMatrixPattern, matrix: &NodeMatrix, options: &IterationOptions) -> Result<(), NotPositive> {
        self.method.prepare(Rows { lists: &self.lists, pattern, matrix }, options)
    }

    /// Solves in place, as far as it gets; entries of nodes without rows become zero.
    pub fn solve(
        &mut self,
        pattern: &NodeMatrixPattern,
        matrix: &NodeMatrix,
        right_side: &mut [Vec3],
        options: &IterationOptions,
    ) -> IterationReport {
        for (value, &node) in self.right_side.iter_mut().zip(&pattern.order) {
            *value = right_side[node as usize];
        }
        let rows = Rows { lists: &self.lists, pattern, matrix };
        let report = self.method.solve(rows, &self.right_side, &mut self.solution, options);
        right_side.fill(Vec3::zeros());
        for (value, &node) in self.solution.iter().zip(&pattern.order) {
            right_side[node as usize] = *value;
        }
        report
    }
}
