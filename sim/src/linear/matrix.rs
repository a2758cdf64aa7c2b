//! [`NodeMatrix`]: numbers in a [`NodeMatrixPattern`].

use rayon::prelude::*;

use super::extension::Places;
use super::pattern::{FIXED, NodeMatrixPattern};
use crate::math::{Mat3, Vec3};

/// A symmetric matrix of 3x3 blocks; the lower triangle is stored.
#[derive(Debug, Clone)]
pub struct NodeMatrix {
    /// One block for each of the pattern's; those on the diagonal are whole.
    pub(super) values: Vec<Mat3>,
}

/// Block columns handled by one task.
const CHUNK: usize = 128;

/// Entries below this share of the largest of their diagonal block are nothing beside it.
const NEGLIGIBLE: f64 = 1e-6;

impl NodeMatrix {
    /// The zero matrix.
    pub fn new(pattern: &NodeMatrixPattern) -> Self {
        Self { values: vec![Mat3::zeros(); pattern.rows.len()] }
    }

    /// Sum of the element blocks (one vector a family, laid out as by `Potential::hessian_blocks`) times `scale`,
    /// plus a 3x3 block on the diagonal of each node. Each entry is summed in element order, whatever the number of threads.
    pub fn assemble(&mut self, pattern: &NodeMatrixPattern, blocks: &[Vec<Mat3>], scale: f64, diagonal: &[Mat3]) {
        self.for_each_column(pattern, |column, first, values| {
            for (b, value) in (first..).zip(values.iter_mut()) {
                let mut sum = Mat3::zeros();
                for &(family, index) in &pattern.sources[pattern.source_starts[b]..pattern.source_starts[b + 1]] {
                    sum += blocks[family as usize][index as usize];
                }
                *value = scale * sum;
            }
            values[0] += diagonal[pattern.order[column] as usize];
        });
    }

    /// Calls `change` with each column, the index of its first block, and its blocks; columns are shared out among threads.
    pub(super) fn for_each_column(&mut self, pattern: &NodeMatrixPattern, change: impl Fn(usize, usize, &mut [Mat3]) + Sync) {
        let columns = pattern.order.len();
        let mut rest = self.values.as_mut_slice();
        let mut tasks = Vec::with_capacity(columns.div_ceil(CHUNK));
        for first in (0..columns).step_by(CHUNK) {
            let last = (first + CHUNK).min(columns);
            let (task, tail) = rest.split_at_mut(pattern.starts[last] - pattern.starts[first]);
            tasks.push((first..last, task));
            rest = tail;
        }
        tasks.into_par_iter().for_each(|(range, mut values)| {
            for column in range {
                let (first, last) = (pattern.starts[column], pattern.starts[column + 1]);
                let (own, tail) = std::mem::take(&mut values).split_at_mut(last - first);
                change(column, first, own);
                values = tail;
            }
        });
    }

    /// y = A x; entries of fixed nodes in `x` are ignored, in `y` they become zero.
    pub fn multiply(&self, pattern: &NodeMatrixPattern, x: &[Vec3], y: &mut [Vec3]) {
        y.fill(Vec3::zeros());
        for (column, &node) in pattern.order.iter().enumerate() {
            let (first, last) = (pattern.starts[column], pattern.starts[column + 1]);
            let xj = x[node as usize];
            let mut yj = self.values[first] * xj;
            for (block, &row) in self.values[first + 1..last].iter().zip(&pattern.rows[first + 1..last]) {
                let other = pattern.order[row as usize] as usize;
                y[other] += block * xj;
                yj += block.tr_mul(&x[other]);
            }
            y[node as usize] += yj;
        }
    }

    /// The same matrix in a pattern that holds all of its blocks.
    pub fn in_pattern(&self, own: &NodeMatrixPattern, pattern: &NodeMatrixPattern) -> Self {
        self.in_places(&pattern.places_of(own), pattern)
    }

    /// The same matrix in a pattern where its blocks have these places.
    pub(super) fn in_places(&self, places: &Places, pattern: &NodeMatrixPattern) -> Self {
        let mut matrix = Self::new(pattern);
        for (&(place, turned), value) in places.iter().zip(&self.values) {
            if let Some(place) = place {
                matrix.values[place] = if turned { value.transpose() } else { *value };
            }
        }
        matrix
    }

    /// Whether another matrix of the same pattern has the same numbers, to the bit.
    pub fn is_same(&self, other: &Self) -> bool {
        let same = |(a, b): (&[Mat3], &[Mat3])| a.iter().flatten().zip(b.iter().flatten()).all(|(a, b)| a.to_bits() == b.to_bits());
        self.values.len() == other.values.len() && self.values.par_chunks(CHUNK).zip(other.values.par_chunks(CHUNK)).all(same)
    }

    /// Becomes a copy of `other`, which has the same pattern, in the memory that it has.
    pub fn copy_from(&mut self, other: &Self) {
        self.values.copy_from_slice(&other.values);
    }

    /// Multiplies every entry.
    pub fn scale(&mut self, factor: f64) {
        self.values.iter_mut().for_each(|value| *value *= factor);
    }

    /// Adds `block` to the diagonal block of a node, if it has rows.
    pub fn add_to_node(&mut self, pattern: &NodeMatrixPattern, node: u32, block: &Mat3) {
        if pattern.has_row(node) {
            self.values[pattern.starts[pattern.position[node as usize] as usize]] += block;
        }
    }

    /// Adds `block`, of the row of the first node and the column of the second, and its mirror image; only where both nodes have rows and
    /// the pattern couples them.
    pub fn add_between(&mut self, pattern: &NodeMatrixPattern, [a, b]: [u32; 2], block: &Mat3) {
        if !pattern.has_row(a) || !pattern.has_row(b) {
            return;
        }
        let (row, column) = (pattern.position[a as usize], pattern.position[b as usize]);
        if let Some(place) = pattern.block(row.max(column), row.min(column)) {
            self.values[place] += if row < column { block.transpose() } else { *block };
        }
    }

    /// Adds `shift` to every diagonal entry.
    pub fn shift(&mut self, pattern: &NodeMatrixPattern, shift: f64) {
        for &start in &pattern.starts[..pattern.order.len()] {
            self.values[start] += Mat3::from_diagonal_element(shift);
        }
    }

    /// Adds `shift` times its weight to the diagonal entries of each node.
    pub fn shift_weighed(&mut self, pattern: &NodeMatrixPattern, shift: f64, weights: &[f64]) {
        for (&start, &node) in pattern.starts.iter().zip(&pattern.order) {
            self.values[start] += Mat3::from_diagonal_element(shift * weights[node as usize]);
        }
    }

    /// Median of the diagonal entries; 0 for a matrix without entries. Those that are nothing beside others of their node are left out:
    /// most of the entries of a straight rope are the round-off of its directions.
    pub fn median_diagonal(&self, pattern: &NodeMatrixPattern) -> f64 {
        let of_block = |&start: &usize| {
            let entries = self.values[start].diagonal();
            let least = NEGLIGIBLE * entries.amax();
            (0..3).map(move |i| entries[i]).filter(move |entry| entry.abs() > least)
        };
        let mut diagonal: Vec<f64> = pattern.starts[..pattern.order.len()].iter().flat_map(of_block).collect();
        if diagonal.is_empty() {
            return 0.0;
        }
        let middle = diagonal.len() / 2;
        *diagonal.select_nth_unstable_by(middle, f64::total_cmp).1
    }
}

impl NodeMatrixPattern {
    /// Number of nodes, fixed ones included.
    pub fn node_count(&self) -> usize {
        self.position.len()
    }

    /// Sets the entries of fixed nodes to zero.
    pub fn clear_fixed(&self, nodes: &mut [Vec3]) {
        for (node, _) in nodes.iter_mut().zip(&self.position).filter(|(_, position)| **position == FIXED) {
            *node = Vec3::zeros();
        }
    }

    /// Node vectors as one column in elimination order.
    pub(super) fn gather_column(&self, nodes: &[Vec3], column: &mut [f64]) {
        for (out, &node) in column.chunks_exact_mut(3).zip(&self.order) {
            out.copy_from_slice(nodes[node as usize].as_slice());
        }
    }

    /// A column in elimination order as node vectors; fixed nodes get zero.
    pub(super) fn scatter_column(&self, column: &[f64], nodes: &mut [Vec3]) {
        for (node, &position) in nodes.iter_mut().zip(&self.position) {
            *node = if position == FIXED {
                Vec3::zeros()
            } else {
                let at = 3 * position as usize;
                Vec3::new(column[at], column[at + 1], column[at + 2])
            };
        }
    }
}
