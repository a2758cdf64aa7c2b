//! [`StencilPlaces`]: where in a matrix the blocks of stencils are that couple up to four nodes.

use rayon::prelude::*;

use super::matrix::NodeMatrix;
use super::pattern::{FIXED, NodeMatrixPattern};
use crate::math::Mat3;

/// No block of the pattern.
const NOWHERE: u32 = u32::MAX;

/// Pairs (row, column) of a stencil's nodes that make its blocks: the diagonal ones, then those of two nodes.
const PAIRS: [(usize, usize); 10] = [(0, 0), (1, 1), (2, 2), (3, 3), (1, 0), (2, 0), (2, 1), (3, 0), (3, 1), (3, 2)];

/// The blocks of each stencil in one pattern. A stencil has up to four nodes, `u32::MAX` for none; nodes without rows are
/// left out.
#[derive(Debug, Clone, Default)]
pub struct StencilPlaces(Vec<[u32; 10]>);

impl StencilPlaces {
    /// Finds the blocks of `stencils`; false if the pattern lacks one.
    pub fn find(&mut self, pattern: &NodeMatrixPattern, stencils: &[[u32; 4]]) -> bool {
        let of_stencil = |nodes: &[u32; 4]| {
            let positions = nodes.map(|n| pattern.position.get(n as usize).copied().unwrap_or(FIXED));
            PAIRS.map(|(i, j)| match (positions[i], positions[j]) {
                (FIXED, _) | (_, FIXED) => Some(NOWHERE),
                (row, column) => pattern.block(row.max(column), row.min(column)).map(|block| block as u32),
            })
        };
        self.0.resize(stencils.len(), [NOWHERE; 10]);
        let find = |(places, nodes): (&mut [u32; 10], &[u32; 4])| {
            let found = of_stencil(nodes);
            *places = found.map(|place| place.unwrap_or(NOWHERE));
            found.iter().all(Option::is_some)
        };
        self.0.par_iter_mut().zip(stencils).with_min_len(256).map(find).reduce(|| true, |a, b| a && b)
    }

    /// Every block found, as often as a stencil uses it.
    pub fn used(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().flatten().filter(|&&block| block != NOWHERE).map(|&block| block as usize)
    }

    /// Adds the blocks of the stencils for which the places were found, in their order; the lower triangle of each is read.
    pub fn add(&self, pattern: &NodeMatrixPattern, stencils: &[[u32; 4]], blocks: &[[[Mat3; 4]; 4]], matrix: &mut NodeMatrix) {
        for ((places, nodes), blocks) in self.0.iter().zip(stencils).zip(blocks) {
            for (&place, &(i, j)) in places.iter().zip(&PAIRS).filter(|(place, _)| **place != NOWHERE) {
                let position = |k: usize| pattern.position[nodes[k] as usize];
                let value = &mut matrix.values[place as usize];
                *value += if position(i) >= position(j) { blocks[i][j] } else { blocks[j][i] };
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
    pub(super) fn couplings<'a>(&'a self, nodes: &'a [u32; 4]) -> impl Iterator<Item = [u32; 2]> + 'a {
        let of_two = PAIRS[4..].iter().map(|&(i, j)| [nodes[i].min(nodes[j]), nodes[i].max(nodes[j])]);
        of_two.filter(|pair| pair.iter().all(|&n| self.has_row(n)))
    }
}
