//! [`StencilPlaces`]: where in a matrix the blocks of stencils are that couple a few nodes.

use std::cmp::Ordering;
use std::ops::Range;

use rayon::prelude::*;

use super::matrix::NodeMatrix;
use super::pattern::{FIXED, NodeMatrixPattern};
use crate::math::Mat3;

/// No block of the pattern.
const NOWHERE: u32 = u32::MAX;

/// The blocks of each stencil in one pattern. A stencil has a few nodes, `u32::MAX` for none; nodes without rows are
/// left out. Of its blocks one is kept for each pair (row, column) of its nodes with row >= column. A node may be there twice: the corner
/// of a folded sheet's triangle that carries a contact of the edge beside it.
#[derive(Debug, Clone, Default)]
pub struct StencilPlaces {
    /// Places of the longest stencil; each has room for as many.
    width: usize,
    places: Vec<u32>,
}

/// Pairs (row, column) of the nodes of a stencil of `count` nodes, row by row.
fn pairs(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(|i| (0..=i).map(move |j| (i, j)))
}

impl StencilPlaces {
    /// Finds the blocks of `stencils`; false if the pattern lacks one.
    pub fn find<S: AsRef<[u32]> + Sync>(&mut self, pattern: &NodeMatrixPattern, stencils: &[S]) -> bool {
        let longest = stencils.iter().map(|stencil| stencil.as_ref().len()).max().unwrap_or(0);
        self.width = (longest * (longest + 1) / 2).max(1);
        self.places.resize(self.width * stencils.len(), NOWHERE);
        let position = |node: u32| pattern.position.get(node as usize).copied().unwrap_or(FIXED);
        let find = |(places, stencil): (&mut [u32], &S)| {
            let nodes = stencil.as_ref();
            places.fill(NOWHERE);
            let mut all = true;
            for (place, (i, j)) in places.iter_mut().zip(pairs(nodes.len())) {
                let (row, column) = (position(nodes[i]), position(nodes[j]));
                if row != FIXED && column != FIXED {
                    match pattern.block(row.max(column), row.min(column)) {
                        Some(block) => *place = block as u32,
                        None => all = false,
                    }
                }
            }
            all
        };
        self.places.par_chunks_mut(self.width).zip(stencils).with_min_len(256).map(find).reduce(|| true, |a, b| a && b)
    }

    /// Every block found, as often as a stencil uses it.
    pub fn used(&self) -> impl Iterator<Item = usize> + '_ {
        self.places.iter().filter(|&&block| block != NOWHERE).map(|&block| block as usize)
    }

    /// Adds the blocks of the stencils for which the places were found, in their order: `block` gives that of a stencil's nodes
    /// (row, column), by the stencil's number.
    pub fn add<S: AsRef<[u32]>>(
        &self,
        pattern: &NodeMatrixPattern,
        stencils: &[S],
        block: impl Fn(usize, usize, usize) -> Mat3,
        matrix: &mut NodeMatrix,
    ) {
        self.add_some(pattern, stencils, 0..stencils.len(), block, matrix);
    }

    /// The same of some of the stencils.
    pub fn add_some<S: AsRef<[u32]>>(
        &self,
        pattern: &NodeMatrixPattern,
        stencils: &[S],
        some: Range<usize>,
        block: impl Fn(usize, usize, usize) -> Mat3,
        matrix: &mut NodeMatrix,
    ) {
        let all = self.places.chunks_exact(self.width.max(1)).zip(stencils).enumerate();
        for (s, (places, stencil)) in all.skip(some.start).take(some.len()) {
            let nodes = stencil.as_ref();
            for (&place, (i, j)) in places.iter().zip(pairs(nodes.len())).filter(|(place, _)| **place != NOWHERE) {
                let position = |k: usize| pattern.position[nodes[k] as usize];
                matrix.values[place as usize] += match position(i).cmp(&position(j)) {
                    // A node that is there twice couples with itself both ways.
                    Ordering::Equal if i != j => block(s, i, j) + block(s, j, i),
                    Ordering::Less => block(s, j, i),
                    _ => block(s, i, j),
                };
            }
        }
    }
}

impl NodeMatrixPattern {
    /// Whether a node has rows.
    pub fn has_row(&self, node: u32) -> bool {
        self.position.get(node as usize).is_some_and(|&position| position != FIXED)
    }

    /// The pairs of different nodes with rows that a stencil couples, the lesser first.
    pub(super) fn couplings<'a>(&'a self, nodes: &'a [u32]) -> impl Iterator<Item = [u32; 2]> + 'a {
        let of_two = pairs(nodes.len()).filter(|(i, j)| i != j).map(|(i, j)| [nodes[i].min(nodes[j]), nodes[i].max(nodes[j])]);
        of_two.filter(|[a, b]| a != b && self.has_row(*a) && self.has_row(*b))
    }
}
