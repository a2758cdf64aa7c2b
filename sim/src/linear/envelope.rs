//! [`Envelope`]: where a factor is filled whose rows are full from their first entry on, part by part of a matrix that falls apart. Of long,
//! thin parts in the order along them that is little, and L D L^T is one short loop a row (Jennings 1966).

use rayon::prelude::*;

use super::components::{MANY, NARROW};
use super::matrix::NodeMatrix;
use super::pattern::NodeMatrixPattern;
use crate::math::Mat3;

/// Rows of row blocks, each from its first block to its diagonal one.
#[derive(Debug, Clone)]
pub(super) struct Envelope {
    /// Where each part begins among the row blocks, and the end.
    starts: Vec<u32>,
    /// First column block of each row block.
    first: Vec<u32>,
    /// Where the numbers of each row block begin, and the end: three rows, each as wide as its blocks up to the diagonal one.
    offsets: Vec<usize>,
}

impl Envelope {
    /// Of a matrix with the blocks `rows[starts[J]..starts[J + 1]]` in column J; `None` where it does not pay.
    pub fn of(starts: &[usize], rows: &[u32]) -> Option<Self> {
        let count = starts.len() - 1;
        let mut first: Vec<u32> = (0..count as u32).collect();
        for column in 0..count {
            rows[starts[column]..starts[column + 1]].iter().for_each(|&row| {
                let first = &mut first[row as usize];
                *first = (*first).min(column as u32);
            });
        }
        // A part begins where no later row reaches back before it.
        let mut begins = Vec::new();
        let mut reach = count as u32;
        for row in (0..count).rev() {
            reach = reach.min(first[row]);
            if reach == row as u32 {
                begins.push(reach);
            }
        }
        begins.reverse();
        let width = |row: usize| row - first[row] as usize + 1;
        let filled: usize = (0..count).map(width).sum();
        if begins.len() < MANY || filled > NARROW * count {
            return None;
        }
        begins.push(count as u32);
        let mut offsets = Vec::with_capacity(count + 1);
        offsets.push(0);
        (0..count).for_each(|row| offsets.push(offsets[row] + 9 * width(row)));
        Some(Self { starts: begins, first, offsets })
    }

    /// Number of parts.
    pub fn parts(&self) -> usize {
        self.starts.len() - 1
    }

    /// Numbers of a factor.
    pub fn len(&self) -> usize {
        self.offsets.last().copied().unwrap_or(0)
    }

    /// The row blocks of a part.
    pub fn rows(&self, part: usize) -> std::ops::Range<usize> {
        self.starts[part] as usize..self.starts[part + 1] as usize
    }

    /// Slices of `numbers`, one a part, each with as many entries for a row block as there are between these.
    fn slices<'n, T>(&self, mut numbers: &'n mut [T], end: impl Fn(usize) -> usize) -> Vec<&'n mut [T]> {
        let mut slices = Vec::with_capacity(self.parts());
        for part in 0..self.parts() {
            let rows = self.rows(part);
            let (own, rest) = numbers.split_at_mut(end(rows.end) - end(rows.start));
            slices.push(own);
            numbers = rest;
        }
        slices
    }

    /// L D L^T of `matrix` less a number on the diagonal of each node, written into `values`; how many pivots of each part are negative.
    ///
    /// # Errors
    /// The row of a pivot that is zero or not finite.
    pub fn factorise(
        &self,
        pattern: &NodeMatrixPattern,
        matrix: &NodeMatrix,
        less: impl Fn(u32) -> f64 + Sync,
        values: &mut [f64],
    ) -> Result<Vec<u32>, usize> {
        let slices = self.slices(values, |row| self.offsets[row]);
        slices.into_par_iter().enumerate().map(|(part, values)| self.factorise_part(part, pattern, matrix, &less, values)).collect()
    }

    /// That of one part, into the numbers of that part alone.
    pub fn factorise_part(
        &self,
        part: usize,
        pattern: &NodeMatrixPattern,
        matrix: &NodeMatrix,
        less: &impl Fn(u32) -> f64,
        values: &mut [f64],
    ) -> Result<u32, usize> {
        let blocks = self.rows(part);
        let base = self.offsets[blocks.start];
        values.fill(0.0);
        for column in blocks.clone() {
            let entries = pattern.starts[column]..pattern.starts[column + 1];
            for (&row, block) in pattern.rows[entries.clone()].iter().zip(&matrix.values[entries]) {
                let row = row as usize;
                let block = if row == column { block - Mat3::from_diagonal_element(less(pattern.order[row])) } else { *block };
                let width = self.width(row);
                let at = self.offsets[row] - base + 3 * (column - self.first[row] as usize);
                for i in 0..3 {
                    (0..3).for_each(|j| values[at + i * width + j] = block[(i, j)]);
                }
            }
        }
        let mut negative = 0;
        for row in blocks {
            let (done, own) = values.split_at_mut(self.offsets[row] - base);
            let (width, start) = (self.width(row), 3 * self.first[row] as usize);
            for i in 0..3 {
                let (before, own) = own.split_at_mut(i * width);
                let (own, number) = (&mut own[..width], 3 * row + i);
                // Of earlier rows, L; of this one, L D until its own pivot is taken.
                for j in 0..number - start {
                    let column = start + j;
                    let (theirs, first) = if column >= 3 * row {
                        (&before[(column - 3 * row) * width..][..width], start)
                    } else {
                        let (block, i) = (column / 3, column % 3);
                        let theirs = self.width(block);
                        (&done[self.offsets[block] - base + i * theirs..][..theirs], 3 * self.first[block] as usize)
                    };
                    let from = start.max(first);
                    own[j] -= dot(&own[from - start..j], &theirs[from - first..column - first]);
                }
                let mut pivot = own[number - start];
                for j in 0..number - start {
                    let column = start + j;
                    let theirs = if column >= 3 * row {
                        before[(column - 3 * row) * width + j]
                    } else {
                        let (block, i) = (column / 3, column % 3);
                        done[self.offsets[block] - base + i * self.width(block) + column - 3 * self.first[block] as usize]
                    };
                    let below = own[j] / theirs;
                    pivot -= own[j] * below;
                    own[j] = below;
                }
                if pivot == 0.0 || !pivot.is_finite() {
                    return Err(number);
                }
                negative += u32::from(pivot < 0.0);
                own[number - start] = pivot;
            }
        }
        Ok(negative)
    }

    /// Solves for a right side in elimination order, in place.
    pub fn solve(&self, values: &[f64], column: &mut [f64]) {
        let slices = self.slices(column, |row| 3 * row);
        slices.into_par_iter().enumerate().with_min_len(8).for_each(|(part, column)| {
            let rows = self.rows(part);
            self.solve_part(part, &values[self.offsets[rows.start]..self.offsets[rows.end]], column);
        });
    }

    /// That of one part, with the numbers and the rows of that part alone.
    pub fn solve_part(&self, part: usize, values: &[f64], column: &mut [f64]) {
        let blocks = self.rows(part);
        let (base, first_row) = (self.offsets[blocks.start], 3 * blocks.start);
        let row_of = |row: usize, i: usize| {
            let width = self.width(row);
            let own = &values[self.offsets[row] - base + i * width..][..width];
            let (number, start) = (3 * row + i - first_row, 3 * self.first[row] as usize - first_row);
            (&own[..number - start], own[number - start], number, start)
        };
        for row in blocks.clone() {
            for i in 0..3 {
                let (below, _, number, start) = row_of(row, i);
                column[number] -= dot(below, &column[start..number]);
            }
        }
        for row in blocks.clone() {
            for i in 0..3 {
                let (_, pivot, number, _) = row_of(row, i);
                column[number] /= pivot;
            }
        }
        for row in blocks.rev() {
            for i in (0..3).rev() {
                let (below, _, number, start) = row_of(row, i);
                let own = column[number];
                column[start..number].iter_mut().zip(below).for_each(|(x, l)| *x -= l * own);
            }
        }
    }

    /// Numbers of a part.
    pub fn part_len(&self, part: usize) -> usize {
        let rows = self.rows(part);
        self.offsets[rows.end] - self.offsets[rows.start]
    }

    /// The part of a row block.
    pub fn part_of(&self, row: u32) -> usize {
        self.starts.partition_point(|&start| start <= row).saturating_sub(1)
    }

    fn width(&self, row: usize) -> usize {
        3 * (row - self.first[row] as usize + 1)
    }
}

#[inline]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
