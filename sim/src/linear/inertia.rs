//! [`InertiaFactor`]: L D L^T of a symmetric matrix that need not be definite, for the signs of its eigenvalues
//! (Sylvester's law of inertia) and for shifted solves.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::ldlt::factor::{LdltError, LdltRegularization};
use faer::sparse::linalg::cholesky::supernodal::{
    SupernodalLdltRef, factorize_supernodal_numeric_ldlt, factorize_supernodal_numeric_ldlt_scratch,
};
use faer::{Conj, Mat, Par, Spec};

use super::NotPositive;
use super::aligned::Numbers;
use super::matrix::NodeMatrix;
use super::pattern::NodeMatrixPattern;
use crate::math::Vec3;

/// Right sides solved for at a time.
const TOGETHER: usize = 4;

/// A factorisation with signs.
pub struct InertiaFactor {
    values: Numbers,
    memory: MemBuffer,
    scalars: Vec<f64>,
}

impl InertiaFactor {
    /// Memory for factors of matrices in `pattern`.
    pub fn new(pattern: &NodeMatrixPattern) -> Self {
        let symbolic = &pattern.scalars().supernodes;
        let scratch =
            factorize_supernodal_numeric_ldlt_scratch::<u32, f64>(symbolic, pattern.parallelism(), Spec::default())
                .or(symbolic.solve_in_place_scratch::<f64>(TOGETHER, Par::Seq));
        Self { values: Numbers::zeros(symbolic.len_val()), memory: MemBuffer::new(scratch), scalars: Vec::new() }
    }

    /// Factorises `matrix` and returns its number of negative eigenvalues.
    ///
    /// # Errors
    /// [`NotPositive`] where a pivot is exactly zero or not finite.
    pub fn factorize(&mut self, pattern: &NodeMatrixPattern, matrix: &NodeMatrix) -> Result<usize, NotPositive> {
        if pattern.unknowns() == 0 {
            return Ok(0);
        }
        let scalars = pattern.scalars();
        factorize_supernodal_numeric_ldlt(
            &mut self.values,
            scalars.columns(pattern, matrix, &mut self.scalars),
            LdltRegularization::default(),
            &scalars.supernodes,
            pattern.parallelism(),
            MemStack::new(&mut self.memory),
            Spec::default(),
        )
        .map_err(|LdltError::ZeroPivot { index }| NotPositive { node: pattern.node_of_row(index) })?;
        let symbolic = &scalars.supernodes;
        let factor = SupernodalLdltRef::new(symbolic, &self.values);
        let mut negative = 0;
        for s in 0..symbolic.n_supernodes() {
            let supernode = factor.supernode(s);
            let block = supernode.val();
            for i in 0..block.ncols() {
                let pivot = block[(i, i)];
                if !pivot.is_finite() {
                    return Err(NotPositive { node: pattern.node_of_row(supernode.start() + i) });
                }
                negative += usize::from(pivot < 0.0);
            }
        }
        Ok(negative)
    }

    /// Solves A x = b in place for each of `right_sides`; entries of fixed nodes become zero.
    pub fn solve(&mut self, pattern: &NodeMatrixPattern, right_sides: &mut [Vec<Vec3>]) {
        let supernodes = &pattern.scalars().supernodes;
        // Several at a time: the factor is read from memory once for all of them.
        for group in right_sides.chunks_mut(TOGETHER) {
            let mut columns = Mat::zeros(pattern.unknowns(), group.len());
            for (c, nodes) in group.iter().enumerate() {
                pattern.gather_column(nodes, columns.col_as_slice_mut(c));
            }
            SupernodalLdltRef::<u32, f64>::new(supernodes, &self.values).solve_in_place_with_conj(
                Conj::No,
                columns.as_mut(),
                Par::Seq,
                MemStack::new(&mut self.memory),
            );
            for (c, nodes) in group.iter_mut().enumerate() {
                pattern.scatter_column(columns.col_as_slice(c), nodes);
            }
        }
    }
}
