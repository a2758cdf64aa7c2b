//! [`NodeMatrixPattern`]: where the blocks of a symmetric node matrix are, in which order nodes are eliminated,
//! and from which element blocks each block is summed.

use std::sync::OnceLock;

use super::ordering::{Graph, elimination_tree, nested_dissection, postordered};
use super::symbolic::{FactorShape, NONE, ScalarPattern};
use crate::element::Family;
use crate::math::Mat3;

/// A node that is not free has no rows.
pub(super) const FIXED: u32 = u32::MAX;
/// Operations of a factorisation a node that take the time of finding a new elimination order.
pub(super) const REORDERING_OPERATIONS: f64 = 60e3;

/// Sparsity of a symmetric matrix of 3x3 blocks on the free nodes, its elimination order and its symbolic
/// Cholesky factorisation. Made once for a set of elements and fixed nodes.
pub struct NodeMatrixPattern {
    /// Couplings of the free nodes, which are numbered in ascending order.
    graph: Graph,
    /// Node of each vertex of the graph.
    nodes: Vec<u32>,
    /// Row block of each node, or [`FIXED`].
    pub(super) position: Vec<u32>,
    /// Node of each row block.
    pub(super) order: Vec<u32>,
    /// Blocks of column J, the diagonal first, are `rows[starts[J]..starts[J + 1]]` (row blocks, ascending).
    pub(super) starts: Vec<usize>,
    pub(super) rows: Vec<u32>,
    /// Element blocks summed into block b: `sources[source_starts[b]..source_starts[b + 1]]`, as (family, block).
    pub(super) source_starts: Vec<usize>,
    pub(super) sources: Vec<(u32, u32)>,
    /// Nodes per element of each family.
    widths: Vec<u32>,
    shape: FactorShape,
    scalars: OnceLock<ScalarPattern>,
    seconds: f64,
}

impl NodeMatrixPattern {
    /// The pattern of the Hessian of `families` on the nodes for which `free` holds.
    ///
    /// # Panics
    /// If memory for the symbolic factorisation cannot be had.
    pub fn new(free: &[bool], families: &[Box<dyn Family>]) -> Self {
        let started = std::time::Instant::now();
        let graph = node_graph(free, families);
        let nodes = (0..free.len() as u32).filter(|&n| free[n as usize]).collect();
        let order = nested_dissection(&graph);
        let mut pattern = Self::ordered(graph, nodes, &order, free.len());
        (pattern.source_starts, pattern.sources) = gather_lists(&pattern, families);
        pattern.widths = families.iter().map(|family| family.nodes_per_element() as u32).collect();
        pattern.scalars();
        pattern.seconds = started.elapsed().as_secs_f64();
        pattern
    }

    /// The pattern that also holds the blocks of these pairs of nodes, which must have rows: in the given elimination order of
    /// those nodes, or in a new one. It knows from which element blocks its blocks are summed.
    pub(super) fn extended(&self, pairs: &[[u32; 2]], order: Option<&[u32]>) -> Self {
        let started = std::time::Instant::now();
        let mut pattern = self.with_pairs(pairs, order);
        pattern.widths = self.widths.clone();
        pattern.take_sources(self);
        pattern.seconds = started.elapsed().as_secs_f64();
        pattern
    }

    /// [`NodeMatrixPattern::extended`] without the sources of blocks.
    fn with_pairs(&self, pairs: &[[u32; 2]], order: Option<&[u32]>) -> Self {
        let vertex = self.vertices();
        let edges: Vec<[u32; 2]> = pairs.iter().map(|pair| pair.map(|node| vertex[node as usize])).collect();
        let graph = self.graph.with_edges(&edges);
        let given = |order: &[u32]| order.iter().map(|&n| vertex[n as usize]).collect();
        let order = order.map_or_else(|| nested_dissection(&graph), given);
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

    /// The pattern that also holds the couplings of these stencils (up to four nodes, `u32::MAX` for none), for as many
    /// factorisations: in the same elimination order, or in a new one if that soon pays. `None` if this one holds them all.
    pub fn coupled(&self, stencils: &[[u32; 4]], factorisations: usize) -> Option<Self> {
        let mut pairs: Vec<[u32; 2]> = stencils.iter().flat_map(|nodes| self.couplings(nodes)).collect();
        pairs.sort_unstable();
        pairs.dedup();
        let holds = |[a, b]: [u32; 2]| {
            let (a, b) = (self.position[a as usize], self.position[b as usize]);
            self.block(a.max(b), a.min(b)).is_some()
        };
        if pairs.iter().all(|&pair| holds(pair)) {
            return None;
        }
        let started = std::time::Instant::now();
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

    /// Blocks and symbolic factorisation, without sources.
    fn ordered(graph: Graph, nodes: Vec<u32>, order: &[u32], node_count: usize) -> Self {
        let order = postordered(&graph, order);
        let mut place = vec![0; order.len()];
        let mut position = vec![FIXED; node_count];
        for (p, &v) in order.iter().enumerate() {
            place[v as usize] = p as u32;
            position[nodes[v as usize] as usize] = p as u32;
        }
        let mut starts = Vec::with_capacity(order.len() + 1);
        let mut rows = Vec::with_capacity(graph.neighbours.len() / 2 + order.len());
        starts.push(0);
        for (j, &v) in order.iter().enumerate() {
            let first = rows.len();
            rows.push(j as u32);
            rows.extend(graph.neighbours(v as usize).iter().map(|&n| place[n as usize]).filter(|&i| i > j as u32));
            rows[first..].sort_unstable();
            starts.push(rows.len());
        }
        let shape = FactorShape::new(&graph, &order);
        let order = order.into_iter().map(|v| nodes[v as usize]).collect();
        Self {
            graph,
            nodes,
            position,
            order,
            starts,
            source_starts: vec![0; rows.len() + 1],
            sources: Vec::new(),
            rows,
            widths: Vec::new(),
            shape,
            scalars: OnceLock::new(),
            seconds: 0.0,
        }
    }

    /// For each block of another pattern of the same nodes, the block here, and whether the nodes changed places so that it
    /// is turned over.
    pub(super) fn places_of(&self, other: &Self) -> Vec<(Option<usize>, bool)> {
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

    /// The block of row block `row` in column `column`, both row blocks, `row >= column`.
    pub(super) fn block(&self, row: u32, column: u32) -> Option<usize> {
        let first = self.starts[column as usize];
        self.rows[first..self.starts[column as usize + 1]].binary_search(&row).ok().map(|found| first + found)
    }

    /// Sum of the element blocks of block `b` of the lower triangle, or of its mirror image above the diagonal, in element order.
    pub(super) fn sum(&self, b: usize, above: bool, blocks: &[Vec<Mat3>]) -> Mat3 {
        let mut sum = Mat3::zeros();
        for &(family, index) in &self.sources[self.source_starts[b]..self.source_starts[b + 1]] {
            let width = self.widths[family as usize];
            let (element, entry) = (index / (width * width), index % (width * width));
            let mirrored = element * width * width + (entry % width) * width + entry / width;
            sum += blocks[family as usize][if above { mirrored } else { index } as usize];
        }
        sum
    }

    /// Number of scalar unknowns.
    pub fn unknowns(&self) -> usize {
        3 * self.order.len()
    }

    /// Number of 3x3 blocks of the lower triangle, the diagonal ones included.
    pub fn blocks(&self) -> usize {
        self.rows.len()
    }

    /// Wall seconds that ordering and symbolic factorisation took.
    pub fn seconds(&self) -> f64 {
        self.seconds
    }

    /// Entries of a Cholesky factor.
    pub fn factor_entries(&self) -> usize {
        self.shape.entries()
    }

    /// Floating point operations of a Cholesky factorisation.
    pub fn factor_operations(&self) -> f64 {
        self.shape.operations()
    }

    /// The pattern by scalars, with the supernodes of the factor.
    ///
    /// # Panics
    /// If memory for it cannot be had.
    pub(super) fn scalars(&self) -> &ScalarPattern {
        self.scalars.get_or_init(|| ScalarPattern::new(self, &self.shape))
    }

    /// Node of a scalar row.
    pub(super) fn node_of_row(&self, row: usize) -> usize {
        self.order.get(row / 3).map_or(0, |&node| node as usize)
    }
}

/// Neighbours of each free node over shared elements, in ascending order, numbered by free nodes.
fn node_graph(free: &[bool], families: &[Box<dyn Family>]) -> Graph {
    let mut compact = vec![FIXED; free.len()];
    for (number, node) in (0..).zip((0..free.len()).filter(|&n| free[n])) {
        compact[node] = number;
    }
    let mut uses = vec![0usize; free.len() + 1];
    for family in families {
        for e in 0..family.len() {
            for &n in family.nodes(e) {
                uses[n as usize + 1] += 1;
            }
        }
    }
    for n in 0..free.len() {
        uses[n + 1] += uses[n];
    }
    let mut fill = uses.clone();
    let mut incident = vec![(0u32, 0u32); uses[free.len()]];
    for (f, family) in families.iter().enumerate() {
        for e in 0..family.len() {
            for &n in family.nodes(e) {
                incident[fill[n as usize]] = (f as u32, e as u32);
                fill[n as usize] += 1;
            }
        }
    }
    let mut graph = Graph { starts: vec![0], neighbours: Vec::new() };
    let mut seen = vec![FIXED; free.len()];
    for node in (0..free.len()).filter(|&n| free[n]) {
        let first = graph.neighbours.len();
        seen[node] = node as u32;
        for &(f, e) in &incident[uses[node]..uses[node + 1]] {
            for &other in families[f as usize].nodes(e as usize) {
                if free[other as usize] && seen[other as usize] != node as u32 {
                    seen[other as usize] = node as u32;
                    graph.neighbours.push(compact[other as usize] as i32);
                }
            }
        }
        graph.neighbours[first..].sort_unstable();
        graph.starts.push(graph.neighbours.len() as i32);
    }
    graph
}

/// For each block of the lower triangle, the element blocks that are summed into it, in element order.
fn gather_lists(pattern: &NodeMatrixPattern, families: &[Box<dyn Family>]) -> (Vec<usize>, Vec<(u32, u32)>) {
    let mut targets = Vec::new();
    for (f, family) in families.iter().enumerate() {
        let width = family.nodes_per_element();
        for e in 0..family.len() {
            let nodes = family.nodes(e);
            for (i, &row) in nodes.iter().enumerate() {
                for (j, &column) in nodes.iter().enumerate() {
                    let (row, column) = (pattern.position[row as usize], pattern.position[column as usize]);
                    if row == FIXED || column == FIXED || row < column {
                        continue;
                    }
                    if let Some(block) = pattern.block(row, column) {
                        targets.push((block as u32, f as u32, ((e * width + i) * width + j) as u32));
                    }
                }
            }
        }
    }
    let mut source_starts = vec![0usize; pattern.rows.len() + 1];
    for &(block, ..) in &targets {
        source_starts[block as usize + 1] += 1;
    }
    for b in 0..pattern.rows.len() {
        source_starts[b + 1] += source_starts[b];
    }
    let mut fill = source_starts.clone();
    let mut sources = vec![(0, 0); targets.len()];
    for (block, family, index) in targets {
        sources[fill[block as usize]] = (family, index);
        fill[block as usize] += 1;
    }
    (source_starts, sources)
}
