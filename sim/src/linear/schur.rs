//! [`SchurFactor`]: the elimination of all nodes but a few, and what remains for those: a dense Schur complement. To solve
//! with it again and again costs nothing sparse; [`DenseFactor`] does it.

use std::sync::OnceLock;

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::{LltRegularization, cholesky_in_place, cholesky_in_place_scratch};
use faer::linalg::matmul::triangular::{self, BlockStructure};
use faer::linalg::triangular_solve::{solve_lower_triangular_in_place, solve_upper_triangular_in_place};
use faer::{Accum, Mat, MatMut, Par, Spec};

use super::cholesky::parallelism;
use super::extension::Places;
use super::pattern::FIXED;
use super::{CholeskyFactor, NodeMatrix, NodeMatrixPattern, NotPositive};
use crate::math::{Mat3, Vec3};

/// A Cholesky factor in which some nodes, the kept ones, come last.
pub struct SchurFactor {
    pattern: NodeMatrixPattern,
    factor: CholeskyFactor,
    /// Row block of the first kept node.
    first: usize,
    column: Mat<f64>,
    /// Of each block of the matrix' own pattern the place in the order of elimination, once it is known.
    places: OnceLock<Places>,
}

impl SchurFactor {
    /// The elimination of all nodes with rows in `pattern` except for `kept`. Only its order is found yet.
    pub fn order(pattern: &NodeMatrixPattern, kept: &[u32]) -> NodeMatrixPattern {
        let mut is_kept = vec![false; pattern.node_count()];
        kept.iter().for_each(|&node| is_kept[node as usize] = true);
        pattern.with_last(|node| is_kept[node as usize])
    }

    /// Memory for the elimination in the order `pattern`, made by [`SchurFactor::order`] for as many kept nodes with rows.
    pub fn new(pattern: NodeMatrixPattern, kept: usize) -> Self {
        let factor = CholeskyFactor::new(&pattern);
        let first = pattern.order.len() - kept;
        let column = Mat::zeros(pattern.unknowns(), 1);
        Self { pattern, factor, first, column, places: OnceLock::new() }
    }

    /// Number of kept nodes.
    pub fn len(&self) -> usize {
        self.pattern.order.len() - self.first
    }

    /// Memory of the elimination, and of the matrices on the way to it [bytes].
    pub fn bytes(&self) -> u64 {
        self.pattern.factor_bytes()
    }

    /// Whether no node is kept.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Place of a node among the kept ones.
    pub fn place(&self, node: u32) -> Option<u32> {
        let position = self.pattern.position[node as usize];
        (position != FIXED && position as usize >= self.first).then(|| position - self.first as u32)
    }

    /// The kept node at a place.
    pub fn node(&self, place: usize) -> usize {
        self.pattern.order[self.first + place] as usize
    }

    /// Eliminates the nodes that are not kept from `matrix` + `shift` I, and returns the Schur complement, whole. The matrix,
    /// in the pattern `own` of which the order was made, must be positive definite where the kept nodes do not move.
    ///
    /// # Errors
    /// [`NotPositive`] where it is not.
    pub fn factorize(&mut self, own: &NodeMatrixPattern, matrix: &NodeMatrix, shift: f64) -> Result<Mat<f64>, NotPositive> {
        let places = self.places.get_or_init(|| self.pattern.places_of(own));
        let mut matrix = matrix.in_places(places, &self.pattern);
        matrix.shift(&self.pattern, shift);
        // Held by springs of a usual stiffness the kept nodes leave no rigid motion; the complement is free of them again.
        let spring = matrix.median_diagonal(&self.pattern).abs().max(f64::MIN_POSITIVE);
        let springs = Mat3::from_diagonal_element(spring);
        for &node in &self.pattern.order[self.first..] {
            matrix.add_to_node(&self.pattern, node, &springs);
        }
        self.factor.factorize(&self.pattern, &matrix)?;
        Ok(self.complement(spring))
    }

    /// L L^T of the kept nodes, less the springs.
    fn complement(&self, spring: f64) -> Mat<f64> {
        let (first, size) = (3 * self.first, 3 * self.len());
        let mut lower = Mat::<f64>::zeros(size, size);
        let numbers = self.factor.numbers(&self.pattern);
        for s in 0..numbers.symbolic().n_supernodes() {
            let supernode = numbers.supernode(s);
            let (start, block) = (supernode.start(), supernode.val());
            for j in first.saturating_sub(start)..block.ncols() {
                for i in j..block.ncols() {
                    lower[(start + i - first, start + j - first)] = block[(i, j)];
                }
                for (i, &row) in (block.ncols()..).zip(supernode.pattern()) {
                    lower[(row as usize - first, start + j - first)] = block[(i, j)];
                }
            }
        }
        let mut complement = Mat::zeros(size, size);
        triangular::matmul(
            complement.as_mut(),
            BlockStructure::TriangularLower,
            Accum::Replace,
            lower.as_ref(),
            BlockStructure::TriangularLower,
            lower.transpose(),
            BlockStructure::TriangularUpper,
            1.0,
            shared(size),
        );
        for j in 0..size {
            complement[(j, j)] -= spring;
            for i in 0..j {
                complement[(i, j)] = complement[(j, i)];
            }
        }
        complement
    }

    /// The forward half of a solve: the right side of the kept nodes once the others are eliminated. What
    /// [`SchurFactor::extend`] needs stays in `nodes`.
    pub fn reduce(&mut self, nodes: &mut [Vec3]) -> Vec<Vec3> {
        self.pattern.gather_column(nodes, self.column.col_as_slice_mut(0));
        let numbers = self.factor.numbers(&self.pattern);
        self.pattern.scalars().sweeps.forward(numbers, 3 * self.first, self.column.col_as_slice_mut(0));
        let column = self.column.col_as_slice(0);
        let reduced = column[3 * self.first..].chunks_exact(3).map(Vec3::from_column_slice).collect();
        self.pattern.scatter_column(column, nodes);
        reduced
    }

    /// The backward half of a solve: all nodes from the solution at the kept ones; `nodes` as [`SchurFactor::reduce`] left
    /// them.
    pub fn extend(&mut self, kept: &[Vec3], nodes: &mut [Vec3]) {
        let column = self.column.col_as_slice_mut(0);
        self.pattern.gather_column(nodes, column);
        column[3 * self.first..].chunks_exact_mut(3).zip(kept).for_each(|(out, x)| out.copy_from_slice(x.as_slice()));
        let numbers = self.factor.numbers(&self.pattern);
        self.pattern.scalars().sweeps.backward(numbers, 3 * self.first, column);
        self.pattern.scatter_column(self.column.col_as_slice(0), nodes);
    }
}

/// Cholesky factor of a dense matrix of 3x3 blocks.
pub struct DenseFactor {
    values: Mat<f64>,
    memory: MemBuffer,
    column: Mat<f64>,
}

/// Threads for a dense factorisation of so many unknowns, or for a product of triangles.
fn shared(unknowns: usize) -> Par {
    parallelism((unknowns as f64).powi(3) / 3.0)
}

impl DenseFactor {
    /// Memory for matrices on as many nodes.
    pub fn new(nodes: usize) -> Self {
        let memory = MemBuffer::new(cholesky_in_place_scratch::<f64>(3 * nodes, shared(3 * nodes), Spec::default()));
        Self { values: Mat::zeros(3 * nodes, 3 * nodes), memory, column: Mat::zeros(3 * nodes, 1) }
    }

    /// Factorises `matrix` after `change` was added to its lower triangle.
    ///
    /// # Errors
    /// [`NotPositive`] with the place of the node at which the sum is not positive definite.
    pub fn factorize(&mut self, matrix: &Mat<f64>, change: impl FnOnce(MatMut<f64>)) -> Result<(), NotPositive> {
        self.values.copy_from(matrix);
        change(self.values.as_mut());
        let size = self.values.nrows();
        let (stack, options) = (MemStack::new(&mut self.memory), LltRegularization::default());
        let found = cholesky_in_place(self.values.as_mut(), options, shared(size), stack, Spec::default());
        found
            .map(|_| ())
            .map_err(|faer::linalg::cholesky::llt::factor::LltError::NonPositivePivot { index }| NotPositive { node: index / 3 })
    }

    /// Solves A x = b in place.
    pub fn solve(&mut self, right_side: &mut [Vec3]) {
        let column = self.column.col_as_slice_mut(0);
        column.chunks_exact_mut(3).zip(&*right_side).for_each(|(out, x)| out.copy_from_slice(x.as_slice()));
        solve_lower_triangular_in_place(self.values.as_ref(), self.column.as_mut(), Par::Seq);
        solve_upper_triangular_in_place(self.values.transpose(), self.column.as_mut(), Par::Seq);
        let column = self.column.col_as_slice(0);
        right_side.iter_mut().zip(column.chunks_exact(3)).for_each(|(x, column)| *x = Vec3::from_column_slice(column));
    }
}
