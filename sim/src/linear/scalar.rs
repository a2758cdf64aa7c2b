//! The pattern by scalar rows and columns, as `faer` wants it.

use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::cholesky::{CholeskySymbolicParams, SymbolicCholesky, SymmetricOrdering, factorize_symbolic_cholesky};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};

use super::matrix::NodeMatrix;
use super::pattern::NodeMatrixPattern;

/// Scalar columns of the lower triangle of a pattern of blocks, and the symbolic factorisation.
///
/// # Panics
/// If memory for the symbolic factorisation cannot be had.
pub fn symbolic_cholesky(starts: &[usize], rows: &[u32]) -> (Vec<u32>, Vec<u32>, SymbolicCholesky<u32>) {
    let (column_starts, row_indices) = scalar_columns(starts, rows);
    let dimension = column_starts.len() - 1;
    // In the given order, faer reads the upper triangle for the symbolic factorisation, the lower for the numerical one.
    let (upper_starts, upper_rows) = transposed(&column_starts, &row_indices);
    let columns = SymbolicSparseColMatRef::new_checked(dimension, dimension, &upper_starts, None, &upper_rows);
    let parameters =
        CholeskySymbolicParams { supernodal_flop_ratio_threshold: SupernodalThreshold::FORCE_SUPERNODAL, ..Default::default() };
    #[allow(clippy::expect_used, reason = "fails only when memory is exhausted, like any allocation")]
    let symbolic = factorize_symbolic_cholesky(columns, faer::Side::Upper, SymmetricOrdering::Identity, parameters)
        .expect("memory for the symbolic factorisation");
    (column_starts, row_indices, symbolic)
}

impl NodeMatrixPattern {
    /// The matrix by scalar columns; its numbers are copied into `values`.
    pub(super) fn columns<'a>(&'a self, matrix: &NodeMatrix, values: &'a mut Vec<f64>) -> SparseColMatRef<'a, u32, f64> {
        values.clear();
        for column in self.starts.windows(2) {
            let blocks = &matrix.values[column[0]..column[1]];
            for c in 0..3 {
                values.extend_from_slice(&blocks[0].column(c).as_slice()[c..]);
                for block in &blocks[1..] {
                    values.extend_from_slice(block.column(c).as_slice());
                }
            }
        }
        let dimension = self.unknowns();
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

/// The same square pattern by rows: compressed columns of the transposed matrix.
fn transposed(column_starts: &[u32], row_indices: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let dimension = column_starts.len() - 1;
    let mut starts = vec![0u32; dimension + 1];
    for &row in row_indices {
        starts[row as usize + 1] += 1;
    }
    for row in 0..dimension {
        starts[row + 1] += starts[row];
    }
    let mut fill = starts.clone();
    let mut columns = vec![0; row_indices.len()];
    for column in 0..dimension {
        for &row in &row_indices[column_starts[column] as usize..column_starts[column + 1] as usize] {
            columns[fill[row as usize] as usize] = column as u32;
            fill[row as usize] += 1;
        }
    }
    (starts, columns)
}
