//! [`CholeskyFactor`]: supernodal L L^T of a [`NodeMatrix`].

use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::linalg::cholesky::llt::factor::{LltError, LltRegularization};
use faer::sparse::linalg::cholesky::supernodal::{
    SupernodalLltRef, factorize_supernodal_numeric_llt, factorize_supernodal_numeric_llt_scratch,
};
use faer::{Mat, Par, Spec};

use super::NotPositive;
use super::aligned::Numbers;
use super::matrix::NodeMatrix;
use super::pattern::NodeMatrixPattern;
use crate::math::Vec3;

/// The factor of a positive definite matrix; its memory is reused from one factorisation to the next.
pub struct CholeskyFactor {
    values: Numbers,
    memory: MemBuffer,
    needed: StackReq,
    // A matrix, not a vector: its memory is aligned.
    column: Mat<f64>,
    scalars: Vec<f64>,
}

/// A factorisation of fewer operations is done before other threads have come to help.
const WORTH_SHARING: f64 = 1e8;

/// Threads for a factorisation of so many operations: those of the current rayon pool, where it is worth while.
pub(super) fn parallelism(operations: f64) -> Par {
    match rayon::current_num_threads() {
        threads if threads > 1 && operations >= WORTH_SHARING => Par::rayon(threads),
        _ => Par::Seq,
    }
}

impl NodeMatrixPattern {
    /// Threads for a factorisation.
    pub(super) fn parallelism(&self) -> Par {
        parallelism(self.factor_operations())
    }
}

impl CholeskyFactor {
    /// Memory for factors of matrices in `pattern`.
    pub fn new(pattern: &NodeMatrixPattern) -> Self {
        let empty = StackReq::EMPTY;
        let mut factor =
            Self { values: Numbers::default(), memory: MemBuffer::new(empty), needed: empty, column: Mat::new(), scalars: Vec::new() };
        factor.fit(pattern);
        factor
    }

    /// Makes the memory fit another pattern; it is reused where it is large enough.
    pub fn fit(&mut self, pattern: &NodeMatrixPattern) {
        let supernodes = &pattern.scalars().supernodes;
        let needed = factorize_supernodal_numeric_llt_scratch::<u32, f64>(supernodes, pattern.parallelism(), Spec::default());
        if self.values.len() < supernodes.len_val() {
            // The old ones go first: both together may be more than there is room for.
            self.values = Numbers::default();
            self.values = Numbers::zeros(supernodes.len_val());
        }
        if self.needed.size_bytes() < needed.size_bytes() || self.needed.align_bytes() < needed.align_bytes() {
            self.memory = MemBuffer::new(needed);
            self.needed = needed;
        }
        if self.column.nrows() != pattern.unknowns() {
            self.column = Mat::zeros(pattern.unknowns(), 1);
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
        let scalars = pattern.scalars();
        factorize_supernodal_numeric_llt(
            &mut self.values[..scalars.supernodes.len_val()],
            scalars.columns(pattern, matrix, &mut self.scalars),
            LltRegularization::default(),
            &scalars.supernodes,
            pattern.parallelism(),
            MemStack::new(&mut self.memory),
            Spec::default(),
        )
        .map(|_| ())
        .map_err(|LltError::NonPositivePivot { index }| NotPositive { node: pattern.node_of_row(index) })
    }

    /// The numbers of the factor.
    pub(super) fn numbers<'a>(&'a self, pattern: &'a NodeMatrixPattern) -> SupernodalLltRef<'a, u32, f64> {
        let supernodes = &pattern.scalars().supernodes;
        SupernodalLltRef::new(supernodes, &self.values[..supernodes.len_val()])
    }

    /// Solves A x = b in place; entries of fixed nodes become zero.
    pub fn solve(&mut self, pattern: &NodeMatrixPattern, right_side: &mut [Vec3]) {
        if pattern.unknowns() == 0 {
            right_side.fill(Vec3::zeros());
            return;
        }
        pattern.gather_column(right_side, self.column.col_as_slice_mut(0));
        let (scalars, column) = (pattern.scalars(), self.column.col_as_slice_mut(0));
        let factor = SupernodalLltRef::new(&scalars.supernodes, &self.values[..scalars.supernodes.len_val()]);
        scalars.sweeps.forward(factor, column.len(), column);
        scalars.sweeps.backward(factor, column.len(), column);
        pattern.scatter_column(self.column.col_as_slice(0), right_side);
    }
}
