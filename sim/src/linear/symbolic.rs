//! Symbolic Cholesky factorisation. Its tree and counts are found on the graph of 3x3 blocks, where there is a ninth of the
//! work, and then spelled out for the scalar rows and columns that `faer` factorises.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::linalg::SymbolicSupernodalParams;
use faer::sparse::linalg::cholesky::simplicial::EliminationTreeRef;
use faer::sparse::linalg::cholesky::supernodal::{
    SymbolicSupernodalCholesky, factorize_supernodal_symbolic_cholesky, factorize_supernodal_symbolic_cholesky_scratch,
};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};

use super::matrix::NodeMatrix;
use super::ordering::{Graph, elimination_tree};
use super::pattern::NodeMatrixPattern;
use super::sweeps::Sweeps;

/// No parent.
pub(super) const NONE: u32 = u32::MAX;

/// Elimination tree and column counts of the factor, in row blocks.
#[derive(Debug, Clone, Default)]
pub(super) struct FactorShape {
    parent: Vec<u32>,
    /// Blocks of each column of the factor, the diagonal one included.
    counts: Vec<u32>,
}

impl FactorShape {
    /// Of `graph`, eliminated in `order`. Each row of the factor is a subtree of the elimination tree (Liu 1990).
    pub fn new(graph: &Graph, order: &[u32]) -> Self {
        let parent = elimination_tree(graph, order);
        let mut place = vec![0; order.len()];
        for (p, &v) in order.iter().enumerate() {
            place[v as usize] = p as u32;
        }
        let mut counts = vec![1; order.len()];
        let mut reached = vec![NONE; order.len()];
        for (row, &v) in order.iter().enumerate() {
            reached[row] = row as u32;
            for &neighbour in graph.neighbours(v as usize) {
                let mut column = place[neighbour as usize] as usize;
                while column < row && reached[column] != row as u32 {
                    reached[column] = row as u32;
                    counts[column] += 1;
                    column = parent[column] as usize;
                }
            }
        }
        Self { parent, counts }
    }

    /// Entries of the factor.
    pub fn entries(&self) -> usize {
        self.counts.iter().map(|&count| 9 * count as usize - 3).sum()
    }

    /// Floating point operations of the factorisation.
    pub fn operations(&self) -> f64 {
        self.counts.iter().map(|&count| 27.0 * f64::from(count).powi(2)).sum()
    }
}

/// The pattern by scalars: lower columns of the matrix, and the supernodes of the factor.
pub(super) struct ScalarPattern {
    column_starts: Vec<u32>,
    row_indices: Vec<u32>,
    pub supernodes: SymbolicSupernodalCholesky<u32>,
    pub sweeps: Sweeps,
}

impl ScalarPattern {
    /// # Panics
    /// If memory for the symbolic factorisation cannot be had, or the factor has more entries than `u32` counts.
    pub fn new(pattern: &NodeMatrixPattern, shape: &FactorShape) -> Self {
        let (column_starts, row_indices) = scalar_columns(&pattern.starts, &pattern.rows);
        let dimension = pattern.unknowns();
        // The three columns of a block follow one another up the tree, so the first row of each block stands for all three.
        let (upper_starts, upper_rows) = thin_upper_columns(&pattern.starts, &pattern.rows);
        let columns = SymbolicSparseColMatRef::new_checked(dimension, dimension, &upper_starts, None, &upper_rows);
        let mut tree = Vec::with_capacity(dimension);
        let mut counts = Vec::with_capacity(dimension);
        for (column, (&parent, &count)) in shape.parent.iter().zip(&shape.counts).enumerate() {
            let first = 3 * column as i32;
            tree.extend([first + 1, first + 2, if parent == NONE { -1 } else { 3 * parent as i32 }]);
            counts.extend([3 * count, 3 * count - 1, 3 * count - 2]);
        }
        let mut memory = MemBuffer::new(factorize_supernodal_symbolic_cholesky_scratch::<u32>(dimension));
        // SAFETY: parents are in range and come after their children, or are -1.
        let tree = unsafe { EliminationTreeRef::<u32>::from_inner(&tree) };
        let parameters = SymbolicSupernodalParams::default();
        #[allow(clippy::expect_used, reason = "fails only when memory is exhausted, like any allocation")]
        let supernodes = factorize_supernodal_symbolic_cholesky(columns, tree, &counts, MemStack::new(&mut memory), parameters)
            .expect("memory for the symbolic factorisation");
        let sweeps = Sweeps::new(&supernodes);
        Self { column_starts, row_indices, supernodes, sweeps }
    }

    /// The matrix by scalar columns; its numbers are copied into `values`.
    pub fn columns<'a>(
        &'a self,
        pattern: &NodeMatrixPattern,
        matrix: &NodeMatrix,
        values: &'a mut Vec<f64>,
    ) -> SparseColMatRef<'a, u32, f64> {
        values.clear();
        for column in pattern.starts.windows(2) {
            let blocks = &matrix.values[column[0]..column[1]];
            for c in 0..3 {
                values.extend_from_slice(&blocks[0].column(c).as_slice()[c..]);
                for block in &blocks[1..] {
                    values.extend_from_slice(block.column(c).as_slice());
                }
            }
        }
        let dimension = pattern.unknowns();
        // SAFETY: the columns were made by `scalar_columns`: starts ascend from 0 to the number of rows, rows ascend within a column and are below the dimension.
        let symbolic =
            unsafe { SymbolicSparseColMatRef::new_unchecked(dimension, dimension, &self.column_starts, None, &self.row_indices) };
        SparseColMatRef::new(symbolic, values)
    }
}

/// Scalar columns of the lower triangle: column 3 J + c holds rows c.. of the diagonal block, then three rows of each block below.
fn scalar_columns(starts: &[usize], rows: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let mut column_starts = vec![0];
    let mut row_indices = Vec::with_capacity(9 * rows.len());
    for column in starts.windows(2) {
        let blocks = &rows[column[0]..column[1]];
        for c in 0..3 {
            row_indices.extend((c..3).map(|r| 3 * blocks[0] + r));
            row_indices.extend(blocks[1..].iter().flat_map(|&b| [3 * b, 3 * b + 1, 3 * b + 2]));
            column_starts.push(row_indices.len() as u32);
        }
    }
    (column_starts, row_indices)
}

/// Scalar columns of the upper triangle, each with the first row of every block, the diagonal one included.
fn thin_upper_columns(starts: &[usize], rows: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let count = starts.len() - 1;
    let mut lengths = vec![0u32; count];
    for &row in rows {
        lengths[row as usize] += 1;
    }
    let mut upper_starts = vec![0u32];
    let mut end = 0;
    for &length in &lengths {
        upper_starts.extend([end + length, end + 2 * length, end + 3 * length]);
        end += 3 * length;
    }
    let mut fill: Vec<u32> = (0..count).map(|row| upper_starts[3 * row]).collect();
    let mut upper_rows = vec![0; end as usize];
    for column in 0..count {
        for &row in &rows[starts[column]..starts[column + 1]] {
            let row = row as usize;
            for c in 0..3 {
                upper_rows[(fill[row] + c * lengths[row]) as usize] = 3 * column as u32;
            }
            fill[row] += 1;
        }
    }
    (upper_starts, upper_rows)
}
