//! [`NodeMatrixPattern`]: where the blocks of a symmetric node matrix are, in which order nodes are eliminated,
//! and from which element blocks each block is summed.

use std::sync::OnceLock;
use std::time::Instant;

use rayon::prelude::*;

use super::envelope::Envelope;
use super::ordering::{Graph, elimination_order, postordered};
use super::symbolic::{FactorShape, ScalarPattern};
use crate::math::Mat3;
use crate::memory::{self, TooLarge};

/// A node that is not free has no rows.
pub(super) const FIXED: u32 = u32::MAX;

/// Entries of supernodes, and of the largest front, over those of the factor.
const SUPERNODAL: f64 = 1.15;
/// Matrices that are there at the same time: whole, regularised, and by scalars with their rows.
const MATRICES: usize = 4;

/// Groups of nodes that are coupled to one another, each of as many: the elements of a family.
pub trait Couplings: Send + Sync {
    /// Number of groups.
    fn len(&self) -> usize;
    /// Whether there is no group.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Nodes a group.
    fn nodes_per_element(&self) -> usize;
    /// The nodes of group `e`.
    fn nodes(&self, e: usize) -> &[u32];
}

/// Sparsity of a symmetric matrix of 3x3 blocks on the free nodes, its elimination order and its symbolic
/// Cholesky factorisation. Made once for a set of elements and fixed nodes.
pub struct NodeMatrixPattern {
    /// Couplings of the free nodes, which are numbered in ascending order.
    pub(super) graph: Graph,
    /// Node of each vertex of the graph.
    pub(super) nodes: Vec<u32>,
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
    pub(super) widths: Vec<u32>,
    /// Where it falls apart into many thin parts.
    pub(super) envelope: Option<Envelope>,
    shape: FactorShape,
    scalars: OnceLock<ScalarPattern>,
    pub(super) seconds: f64,
}

impl NodeMatrixPattern {
    /// The pattern of the Hessian of `families` on the nodes for which `free` holds.
    ///
    /// # Panics
    /// If memory for the symbolic factorisation cannot be had.
    pub fn new<C: Couplings + ?Sized>(free: &[bool], families: &[Box<C>]) -> Self {
        let started = Instant::now();
        let graph = node_graph(free, families);
        let nodes = (0..free.len() as u32).filter(|&n| free[n as usize]).collect();
        let order = elimination_order(&graph);
        Self::in_order(started, graph, nodes, &order, free.len(), families)
    }

    /// The same, dissected as a whole, whatever it falls apart into.
    #[cfg(test)]
    pub fn dissected<C: Couplings + ?Sized>(free: &[bool], families: &[Box<C>]) -> Self {
        let graph = node_graph(free, families);
        let nodes = (0..free.len() as u32).filter(|&n| free[n as usize]).collect();
        let order = super::ordering::nested_dissection(&graph);
        Self { envelope: None, ..Self::in_order(Instant::now(), graph, nodes, &order, free.len(), families) }
    }

    fn in_order<C: Couplings + ?Sized>(
        started: Instant,
        graph: Graph,
        nodes: Vec<u32>,
        order: &[u32],
        node_count: usize,
        families: &[Box<C>],
    ) -> Self {
        let mut pattern = Self::ordered(graph, nodes, order, node_count);
        let (lists, _) = rayon::join(
            || gather_lists(&pattern, families),
            || {
                // Where each part is factorised by itself, only steppers ask for it.
                if pattern.is_factorisable() && pattern.envelope.is_none() {
                    pattern.scalars();
                }
            },
        );
        (pattern.source_starts, pattern.sources) = lists;
        pattern.widths = families.iter().map(|family| family.nodes_per_element() as u32).collect();
        pattern.seconds = started.elapsed().as_secs_f64();
        pattern
    }

    /// The pairs of different nodes that a block couples.
    pub fn coupled_nodes(&self) -> impl Iterator<Item = [u32; 2]> {
        (0..self.order.len()).flat_map(move |column| {
            let rows = &self.rows[self.starts[column] + 1..self.starts[column + 1]];
            rows.iter().map(move |&row| [self.order[column], self.order[row as usize]])
        })
    }

    /// Blocks and symbolic factorisation, without sources.
    pub(super) fn ordered(graph: Graph, nodes: Vec<u32>, order: &[u32], node_count: usize) -> Self {
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
            envelope: Envelope::of(&starts, &rows),
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

    /// How many thin parts it falls apart into; none where it does not, or into few.
    pub fn parts(&self) -> Option<usize> {
        self.envelope.as_ref().map(Envelope::parts)
    }

    /// The nodes of a part in elimination order; empty where there are none.
    pub fn nodes_of_part(&self, part: usize) -> &[u32] {
        self.envelope.as_ref().map_or(&[], |envelope| &self.order[envelope.rows(part)])
    }

    /// The part of a node, where there are parts and the node has rows.
    pub fn part_of(&self, node: u32) -> Option<usize> {
        let envelope = self.envelope.as_ref()?;
        self.position.get(node as usize).filter(|position| **position != FIXED).map(|&position| envelope.part_of(position))
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

    /// Whether the entries of a factor can be numbered.
    pub fn is_factorisable(&self) -> bool {
        // Supernodes hold some zeros more.
        (self.factor_entries() as f64) < u32::MAX as f64 / SUPERNODAL
    }

    /// An error if `what` takes more than there is (see [`memory::ensure`]), or more than can be numbered.
    ///
    /// # Errors
    /// [`TooLarge`].
    pub fn ensure_room(&self, what: &'static str, bytes: u64, limit: Option<u64>) -> Result<(), TooLarge> {
        let limit = if self.is_factorisable() {
            limit
        } else {
            Some(limit.or_else(memory::available).unwrap_or(u64::MAX).min(u64::from(u32::MAX) * size_of::<f64>() as u64))
        };
        memory::ensure(what, self.unknowns(), bytes, limit)
    }

    /// Memory of a Cholesky factor or one with signs, and of the matrices on the way to it [bytes].
    pub fn factor_bytes(&self) -> u64 {
        let factor = SUPERNODAL * (size_of::<f64>() * self.factor_entries()) as f64;
        factor as u64 + (MATRICES * size_of::<Mat3>() * self.blocks()) as u64
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
fn node_graph<C: Couplings + ?Sized>(free: &[bool], families: &[Box<C>]) -> Graph {
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
fn gather_lists<C: Couplings + ?Sized>(pattern: &NodeMatrixPattern, families: &[Box<C>]) -> (Vec<usize>, Vec<(u32, u32)>) {
    // Of each element block the block that it goes to, FIXED for none.
    let targets: Vec<Vec<u32>> = families.iter().map(|family| targets(pattern, family.as_ref())).collect();
    let of_family = |(f, blocks)| (0..).zip(blocks).map(move |(index, block): (u32, &u32)| (*block, (f, index)));
    let used = || (0u32..).zip(&targets).flat_map(of_family).filter(|(block, _)| *block != FIXED);
    let mut source_starts = vec![0usize; pattern.rows.len() + 1];
    for (block, _) in used() {
        source_starts[block as usize + 1] += 1;
    }
    for b in 0..pattern.rows.len() {
        source_starts[b + 1] += source_starts[b];
    }
    let mut fill = source_starts.clone();
    let mut sources = vec![(0, 0); source_starts[pattern.rows.len()]];
    for (block, source) in used() {
        sources[fill[block as usize]] = source;
        fill[block as usize] += 1;
    }
    (source_starts, sources)
}

fn targets<C: Couplings + ?Sized>(pattern: &NodeMatrixPattern, family: &C) -> Vec<u32> {
    let width = family.nodes_per_element();
    let mut targets = vec![FIXED; family.len() * width * width];
    targets.par_chunks_mut(width * width).with_min_len(256).enumerate().for_each(|(e, out)| {
        let nodes = family.nodes(e);
        for (i, &row) in nodes.iter().enumerate() {
            for (j, &column) in nodes.iter().enumerate() {
                let (row, column) = (pattern.position[row as usize], pattern.position[column as usize]);
                if row != FIXED && column != FIXED && row >= column {
                    out[i * width + j] = pattern.block(row, column).map_or(FIXED, |block| block as u32);
                }
            }
        }
    });
    targets
}
