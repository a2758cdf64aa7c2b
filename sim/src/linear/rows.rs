//! [`RowLists`]: a pattern by block rows, for products and triangular solves that go row by row.

use rayon::prelude::*;

use super::matrix::NodeMatrix;
use super::pattern::NodeMatrixPattern;
use crate::math::Vec3;

/// Block rows handled by one task.
const CHUNK: usize = 256;

/// Of each block row, the blocks left of the diagonal: `columns[starts[I]..starts[I + 1]]`, ascending, and where the
/// matrix keeps them.
#[derive(Debug, Clone, Default)]
pub(super) struct RowLists {
    pub starts: Vec<usize>,
    pub columns: Vec<u32>,
    pub blocks: Vec<u32>,
}

impl RowLists {
    pub fn new(pattern: &NodeMatrixPattern) -> Self {
        let count = pattern.order.len();
        let mut starts = vec![0; count + 1];
        for &row in &pattern.rows {
            starts[row as usize + 1] += 1;
        }
        for row in 0..count {
            // The diagonal block is left out.
            starts[row + 1] = starts[row] + starts[row + 1] - 1;
        }
        let mut fill = starts.clone();
        let (mut columns, mut blocks) = (vec![0; starts[count]], vec![0; starts[count]]);
        for column in 0..count {
            for block in pattern.starts[column] + 1..pattern.starts[column + 1] {
                let at = &mut fill[pattern.rows[block] as usize];
                (columns[*at], blocks[*at]) = (column as u32, block as u32);
                *at += 1;
            }
        }
        Self { starts, columns, blocks }
    }

    /// Columns and blocks of `row`, left of the diagonal.
    pub fn row(&self, row: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let range = self.starts[row]..self.starts[row + 1];
        self.columns[range.clone()].iter().zip(&self.blocks[range]).map(|(&column, &block)| (column as usize, block as usize))
    }

    /// y = A x, both in elimination order; every row sums in a fixed order.
    pub fn multiply(&self, pattern: &NodeMatrixPattern, matrix: &NodeMatrix, x: &[Vec3], y: &mut [Vec3]) {
        y.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, out)| {
            for (i, out) in (chunk * CHUNK..).zip(out) {
                let mut sum = Vec3::zeros();
                for (column, block) in self.row(i) {
                    sum += matrix.values[block] * x[column];
                }
                let (first, last) = (pattern.starts[i], pattern.starts[i + 1]);
                sum += matrix.values[first] * x[i];
                for (block, &row) in matrix.values[first + 1..last].iter().zip(&pattern.rows[first + 1..last]) {
                    sum += block.tr_mul(&x[row as usize]);
                }
                *out = sum;
            }
        });
    }
}
