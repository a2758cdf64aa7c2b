//! [`CholeskyFactor`]: supernodal L L^T of a [`NodeMatrix`].

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::{LltError, LltRegularization};
use faer::sparse::linalg::cholesky::LltRef;
use faer::{Conj, Mat, Par, Side, Spec};

use super::NotPositive;
use super::matrix::NodeMatrix;
use super::pattern::NodeMatrixPattern;
use crate::math::Vec3;

/// The factor of a positive definite matrix; its memory is reused from one factorisation to the next.
pub struct CholeskyFactor {
    // Matrices, not vectors: their memory is aligned, so that vectorised sums split the same way in every run.
    values: Mat<f64>,
    memory: MemBuffer,
    column: Mat<f64>,
    scalars: Vec<f64>,
}

/// Threads for the factorisation: those of the current rayon pool.
pub(super) fn parallelism() -> Par {
    match rayon::current_num_threads() {
        0 | 1 => Par::Seq,
        threads => Par::rayon(threads),
    }
}

impl NodeMatrixPattern {
    /// Node of a scalar row.
    pub(super) fn node_of_row(&self, row: usize) -> usize {
        self.order.get(row / 3).map_or(0, |&node| node as usize)
    }
}

impl CholeskyFactor {
    /// Memory for factors of matrices in `pattern`.
    pub fn new(pattern: &NodeMatrixPattern) -> Self {
        let parallelism = parallelism();
        let symbolic = &pattern.symbolic;
        let scratch = symbolic
            .factorize_numeric_llt_scratch::<f64>(parallelism, Spec::default())
            .or(symbolic.solve_in_place_scratch::<f64>(1, parallelism));
        Self {
            values: Mat::zeros(symbolic.len_val(), 1),
            memory: MemBuffer::new(scratch),
            column: Mat::zeros(pattern.unknowns(), 1),
            scalars: Vec::new(),
        }
    }

    /// Factorises `matrix`.
    ///
    /// # Errors
    /// [`NotPositive`] with the node at which the matrix is not positive definite (or not finite).
    pub fn factorize(&mut self, pattern: &NodeMatrixPattern, matrix: &NodeMatrix) -> Result<(), NotPositive> {
        if pattern.unknowns() == 0 {
            return Ok(());
        }
        let stack = MemStack::new(&mut self.memory);
        match pattern.symbolic.factorize_numeric_llt(
            self.values.col_as_slice_mut(0),
            pattern.columns(matrix, &mut self.scalars),
            Side::Lower,
            LltRegularization::default(),
            parallelism(),
            stack,
            Spec::default(),
        ) {
            Ok(_) => Ok(()),
            Err(LltError::NonPositivePivot { index }) => Err(NotPositive { node: pattern.node_of_row(index) }),
        }
    }

    /// Solves A x = b in place; entries of fixed nodes become zero.
    pub fn solve(&mut self, pattern: &NodeMatrixPattern, right_side: &mut [Vec3]) {
        if pattern.unknowns() == 0 {
            right_side.fill(Vec3::zeros());
            return;
        }
        pattern.gather_column(right_side, self.column.col_as_slice_mut(0));
        LltRef::<u32, f64>::new(&pattern.symbolic, self.values.col_as_slice(0)).solve_in_place_with_conj(
            Conj::No,
            self.column.as_mut(),
            Par::Seq,
            MemStack::new(&mut self.memory),
        );
        pattern.scatter_column(self.column.col_as_slice(0), right_side);
    }
}
