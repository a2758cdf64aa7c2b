//! Patterns made from a pattern of the same nodes: with further couplings, or with some nodes last.

use std::time::Instant;

use super::ordering::{elimination_order, elimination_tree};
use super::pattern::NodeMatrixPattern;
use super::symbolic::NONE;

/// Operations of a factorisation a node that take the time of finding a new elimination order.
pub(super) const REORDERING_OPERATIONS: f64 = 60e3;

/// Factorisations that a pattern is made for which stays.
const FACTORISATIONS: usize = 1000;

/// Of each block of a pattern the block in another one, and whether it is turned over there.
pub(super) type Places = Vec<(Option<usize>, bool)>;

impl NodeMatrixPattern {
    /// Learns from a pattern of the same elements from which element blocks the blocks are summed.
    pub(super) fn know_sources(&mut self, other: &Self) {
        self.widths.clone_from(&other.widths);
        self.take_sources(other);
    }

    /// The pattern that also holds the blocks of these pairs of nodes, which must have rows: in the given elimination order of
    /// those nodes, or in a new one. It does not know from which element blocks its blocks are summed.
    pub(super) fn with_pairs(&self, pairs: &[[u32; 2]], order: Option<&[u32]>) -> Self {
        let vertex = self.vertices();
        let edges: Vec<[u32; 2]> = pairs.iter().map(|pair| pair.map(|node| vertex[node as usize])).collect();
        let graph = self.graph.with_edges(&edges);
        let given = |order: &[u32]| order.iter().map(|&n| vertex[n as usize]).collect();
        let order = order.map_or_else(|| elimination_order(&graph), given);
        Self::ordered(graph, self.nodes.clone(), &order, self.position.len())
    }

    /// Vertex of the graph of each node with rows.
    fn vertices(&self) -> Vec<u32> {
        let mut vertex = vec![0; self.position.len()];
        for (v, &node) in self.nodes.iter().enumerate() {
            vertex[node as usize] = v as u32;
        }
        vertex
    }

    /// The pattern in an order in which the nodes for which `is_kept` holds come last, the others as they were, and in which
    /// the columns of the former are dense and belong to one supernode. Sources of blocks are left out.
    pub(super) fn with_last(&self, is_kept: impl Fn(u32) -> bool) -> Self {
        let (kept, interior): (Vec<u32>, Vec<u32>) = self.order.iter().partition(|&&node| is_kept(node));
        let Some(&first) = kept.first() else { return self.with_pairs(&[], Some(&self.order)) };
        let order: Vec<u32> = interior.iter().chain(&kept).copied().collect();
        let vertex = self.vertices();
        let places: Vec<u32> = order.iter().map(|&node| vertex[node as usize]).collect();
        let parent = elimination_tree(&self.graph, &places);
        // A star makes the column of the first kept node full, and with it those that follow. Subtrees that hang on a later
        // one are hung on the first, so that no postorder comes between the kept nodes.
        let hangs_later = |&v: &usize| parent[v] != NONE && parent[v] as usize > interior.len();
        let hung = (0..interior.len()).filter(hangs_later).map(|v| [interior[v], first]);
        let pairs: Vec<[u32; 2]> = kept[1..].iter().map(|&node| [first, node]).chain(hung).collect();
        self.with_pairs(&pairs, Some(&order))
    }

    /// The pattern that also holds the couplings of these stencils (a few nodes, `u32::MAX` for none), for as many
    /// factorisations: in the same elimination order, or in a new one if that soon pays. `None` if this one holds them all.
    pub fn coupled<S: AsRef<[u32]>>(&self, stencils: &[S], factorisations: usize) -> Option<Self> {
        let mut pairs: Vec<[u32; 2]> = stencils.iter().flat_map(|nodes| self.couplings(nodes.as_ref())).collect();
        pairs.sort_unstable();
        pairs.dedup();
        let holds = |[a, b]: [u32; 2]| {
            let (a, b) = (self.position[a as usize], self.position[b as usize]);
            self.block(a.max(b), a.min(b)).is_some()
        };
        if pairs.iter().all(|&pair| holds(pair)) {
            return None;
        }
        let started = Instant::now();
        let same_order = self.with_pairs(&pairs, Some(&self.order));
        let growth = same_order.factor_operations() - self.factor_operations();
        let mut best = same_order;
        if factorisations as f64 * growth > REORDERING_OPERATIONS * self.order.len() as f64 {
            let reordered = self.with_pairs(&pairs, None);
            if reordered.factor_operations() < best.factor_operations() {
                best = reordered;
            }
        }
        best.seconds = started.elapsed().as_secs_f64();
        Some(best)
    }

    /// The pattern of the same elements that also holds the couplings of these pairs of nodes; `None` if this one holds them all.
    pub fn holding(&self, pairs: &[[u32; 2]]) -> Option<Self> {
        let mut pattern = self.coupled(pairs, FACTORISATIONS)?;
        pattern.know_sources(self);
        Some(pattern)
    }

    /// For each block of another pattern of the same nodes, the block here, and whether the nodes changed places so that it
    /// is turned over.
    pub(super) fn places_of(&self, other: &Self) -> Places {
        let place = |column: usize, b: usize| {
            let column = self.position[other.order[column] as usize];
            let row = self.position[other.order[other.rows[b] as usize] as usize];
            (self.block(row.max(column), row.min(column)), row < column)
        };
        let mut places = Vec::with_capacity(other.rows.len());
        for column in 0..other.order.len() {
            places.extend((other.starts[column]..other.starts[column + 1]).map(|b| place(column, b)));
        }
        places
    }

    /// Takes the sources of the blocks from a pattern of the same elements, turned over where nodes changed places.
    fn take_sources(&mut self, other: &Self) {
        let places = self.places_of(other);
        let mut starts = vec![0; self.rows.len() + 1];
        for (b, (at, _)) in places.iter().enumerate() {
            let Some(at) = at else { continue };
            starts[at + 1] = other.source_starts[b + 1] - other.source_starts[b];
        }
        for b in 0..self.rows.len() {
            starts[b + 1] += starts[b];
        }
        let mut sources = vec![(0, 0); other.sources.len()];
        for (b, (at, turned)) in places.into_iter().enumerate() {
            let Some(at) = at else { continue };
            let from = &other.sources[other.source_starts[b]..other.source_starts[b + 1]];
            for (to, &(family, index)) in sources[starts[at]..].iter_mut().zip(from) {
                let width = self.widths[family as usize];
                let (element, entry) = (index / (width * width), index % (width * width));
                let transposed = (entry % width) * width + entry / width;
                *to = (family, if turned { element * width * width + transposed } else { index });
            }
        }
        (self.source_starts, self.sources) = (starts, sources);
    }
}
