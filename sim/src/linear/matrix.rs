//! [`NodeMatrix`]: numbers in a [`NodeMatrixPattern`].

use rayon::prelude::*;

use super::pattern::{FIXED, NodeMatrixPattern};
use crate::math::{Mat3, Vec3};

/// A symmetric matrix of 3x3 blocks; the lower triangle is stored.
#[derive(Debug, Clone)]
pub struct NodeMatrix {
    pub(super) values: Vec<f64>,
}

/// Block columns handled by one task.
const CHUNK: usize = 128;

impl NodeMatrix {
    /// The zero matrix.
    pub fn new(pattern: &NodeMatrixPattern) -> Self {
        Self { values: vec![0.0; pattern.row_indices.len()] }
    }

    /// Sum of the element blocks (one vector a family, laid out as by `Potential::hessian_blocks`) times `scale`,
    /// plus a 3x3 block on the diagonal of each node. Each entry is summed in element order, whatever the number of threads.
    pub fn assemble(&mut self, pattern: &NodeMatrixPattern, blocks: &[Vec<Mat3>], scale: f64, diagonal: &[Mat3]) {
        let columns = pattern.order.len();
        let mut rest = self.values.as_mut_slice();
        let mut tasks = Vec::with_capacity(columns.div_ceil(CHUNK));
        for first in (0..columns).step_by(CHUNK) {
            let last = (first + CHUNK).min(columns);
            let length = pattern.column_starts[3 * last] - pattern.column_starts[3 * first];
            let (task, tail) = rest.split_at_mut(length as usize);
            tasks.push((first..last, task));
            rest = tail;
        }
        tasks.into_par_iter().for_each(|(range, values)| {
            let mut at = 0;
            for column in range {
                let (first, last) = (pattern.starts[column], pattern.starts[column + 1]);
                let below = 3 * (last - first - 1);
                let starts = [at, at + 3 + below, at + 5 + 2 * below];
                for b in first..last {
                    let mut sum = Mat3::zeros();
                    for &(family, index) in &pattern.sources[pattern.source_starts[b]..pattern.source_starts[b + 1]] {
                        sum += blocks[family as usize][index as usize];
                    }
                    sum *= scale;
                    if b == first {
                        sum += diagonal[pattern.order[column] as usize];
                        for c in 0..3 {
                            for r in c..3 {
                                values[starts[c] + r - c] = sum[(r, c)];
                            }
                        }
                    } else {
                        for c in 0..3 {
                            let at = starts[c] + (3 - c) + 3 * (b - first - 1);
                            values[at..at + 3].copy_from_slice(sum.column(c).as_slice());
                        }
                    }
                }
                at += 6 + 3 * below;
            }
        });
    }

    /// y = A x; entries of fixed nodes in `x` are ignored, in `y` they become zero.
    pub fn multiply(&self, pattern: &NodeMatrixPattern, x: &[Vec3], y: &mut [Vec3]) {
        y.fill(Vec3::zeros());
        let mut at = 0;
        for (column, &node) in pattern.order.iter().enumerate() {
            let blocks = &pattern.rows[pattern.starts[column]..pattern.starts[column + 1]];
            let xj = x[node as usize];
            let mut yj = Vec3::zeros();
            for c in 0..3 {
                for r in c..3 {
                    let value = self.values[at];
                    at += 1;
                    yj[r] += value * xj[c];
                    if r > c {
                        yj[c] += value * xj[r];
                    }
                }
                for &row in &blocks[1..] {
                    let other = pattern.order[row as usize] as usize;
                    for r in 0..3 {
                        let value = self.values[at];
                        at += 1;
                        y[other][r] += value * xj[c];
                        yj[c] += value * x[other][r];
                    }
                }
            }
            y[node as usize] += yj;
        }
    }

    /// Adds `shift` to every diagonal entry.
    pub fn shift(&mut self, pattern: &NodeMatrixPattern, shift: f64) {
        for &start in &pattern.column_starts[..pattern.column_starts.len() - 1] {
            self.values[start as usize] += shift;
        }
    }

    /// Median of the diagonal entries; 0 for an empty matrix.
    pub fn median_diagonal(&self, pattern: &NodeMatrixPattern) -> f64 {
        let mut diagonal: Vec<f64> =
            pattern.column_starts[..pattern.column_starts.len() - 1].iter().map(|&start| self.values[start as usize]).collect();
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
