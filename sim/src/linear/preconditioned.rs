//! [`Preconditioned`]: conjugate gradients with an incomplete factor, for systems whose complete factor is too large.

use super::NotPositive;
use super::conjugate_gradients::{PcgBuffers, PcgOptions, PcgReport, conjugate_gradients};
use super::incomplete::IncompleteCholesky;
use super::matrix::NodeMatrix;
use super::pattern::NodeMatrixPattern;
use super::rows::RowLists;
use crate::math::Vec3;

/// Everything that conjugate gradients need for matrices in one pattern.
#[derive(Debug, Default)]
pub(super) struct Preconditioned {
    rows: RowLists,
    factor: IncompleteCholesky,
    right_side: Vec<Vec3>,
    solution: Vec<Vec3>,
    buffers: PcgBuffers,
}

impl Preconditioned {
    /// Makes it fit another pattern.
    pub fn fit(&mut self, pattern: &NodeMatrixPattern) {
        self.rows = RowLists::new(pattern);
        self.right_side.resize(pattern.order.len(), Vec3::zeros());
        self.solution.resize(pattern.order.len(), Vec3::zeros());
    }

    /// Prepares the preconditioner for `matrix`.
    ///
    /// # Errors
    /// [`NotPositive`] where a diagonal block is not positive definite.
    pub fn factorize(&mut self, pattern: &NodeMatrixPattern, matrix: &NodeMatrix) -> Result<(), NotPositive> {
        self.factor.factorize(pattern, &self.rows, matrix)
    }

    /// Solves in place, as far as it gets; entries of nodes without rows become zero.
    pub fn solve(&mut self, pattern: &NodeMatrixPattern, matrix: &NodeMatrix, right_side: &mut [Vec3], options: PcgOptions) -> PcgReport {
        for (value, &node) in self.right_side.iter_mut().zip(&pattern.order) {
            *value = right_side[node as usize];
        }
        let report = conjugate_gradients(
            |x, y| self.rows.multiply(pattern, matrix, x, y),
            |r, z| self.factor.apply(&self.rows, r, z),
            &self.right_side,
            &mut self.solution,
            options,
            &mut self.buffers,
        );
        right_side.fill(Vec3::zeros());
        for (value, &node) in self.solution.iter().zip(&pattern.order) {
            right_side[node as usize] = *value;
        }
        report
    }
}
