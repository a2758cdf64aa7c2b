//! [`RowLists`]: a pattern by block rows, for products and solves that go row by row; [`Rows`]: a matrix looked at in that way.

use rayon::prelude::*;

use super::NotPositive;
use super::matrix::NodeMatrix;
use super::pattern::NodeMatrixPattern;
use crate::math::{Mat3, Vec3};

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
}

/// A matrix by block rows; vectors are in elimination order.
#[derive(Clone, Copy)]
pub struct Rows<'a> {
    pub(super) lists: &'a RowLists,
    pub(super) pattern: &'a NodeMatrixPattern,
    pub(super) matrix: &'a NodeMatrix,
}

impl Rows<'_> {
    /// Block rows.
    pub fn len(&self) -> usize {
        self.pattern.order.len()
    }

    /// The diagonal block of row `i`.
    pub fn diagonal(&self, i: usize) -> &Mat3 {
        &self.matrix.values[self.pattern.starts[i]]
    }

    /// Whether every unknown has a diagonal entry above zero.
    ///
    /// # Errors
    /// [`NotPositive`] at the first node that has not, or one that is not finite.
    pub fn check_diagonal(&self) -> Result<(), NotPositive> {
        let is_bad = |i: &usize| !self.diagonal(*i).diagonal().iter().all(|d| *d > 0.0 && d.is_finite());
        match (0..self.len()).find(is_bad) {
            Some(i) => Err(NotPositive { node: self.pattern.order[i] as usize }),
            None => Ok(()),
        }
    }

    /// Row `i` of A x without the diagonal block.
    pub fn beside(&self, i: usize, x: &[Vec3]) -> Vec3 {
        self.add_right(i, x, self.add_left(i, x, Vec3::zeros()))
    }

    /// y = A x; every row sums in a fixed order.
    pub fn multiply(&self, x: &[Vec3], y: &mut [Vec3]) {
        y.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, out)| {
            for (i, out) in (chunk * CHUNK..).zip(out) {
                let left = self.add_left(i, x, Vec3::zeros());
                *out = self.add_right(i, x, left + self.diagonal(i) * x[i]);
            }
        });
    }

    fn add_left(&self, i: usize, x: &[Vec3], mut sum: Vec3) -> Vec3 {
        for (column, block) in self.lists.row(i) {
            sum += self.matrix.values[block] * x[column];
        }
        sum
    }

    fn add_right(&self, i: usize, x: &[Vec3], mut sum: Vec3) -> Vec3 {
        let (first, last) = (self.pattern.starts[i], self.pattern.starts[i + 1]);
        for (block, &row) in self.matrix.values[first + 1..last].iter().zip(&self.pattern.rows[first + 1..last]) {
            sum += block.tr_mul(&x[row as usize]);
        }
        sum
    }
}
