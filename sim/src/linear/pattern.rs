//! [`NodeMatrixPattern`]: where the blocks of a symmetric node matrix are, in which order nodes are eliminated,
//! and from which element blocks each block is summed.

use faer::sparse::SymbolicSparseColMatRef;
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::cholesky::{CholeskySymbolicParams, SymbolicCholesky, SymmetricOrdering, factorize_symbolic_cholesky};

use super::ordering::{Graph, nested_dissection};
use crate::element::Family;

/// A node that is not free has no rows.
pub(super) const FIXED: u32 = u32::MAX;

/// Sparsity of a symmetric matrix of 3x3 blocks on the free nodes, its elimination order and its symbolic
/// Cholesky factorisation. Made once for a set of elements and fixed nodes.
pub struct NodeMatrixPattern {
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
    /// Scalar compressed columns of the lower triangle.
    pub(super) column_starts: Vec<u32>,
    pub(super) row_indices: Vec<u32>,
    pub(super) symbolic: SymbolicCholesky<u32>,
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
        let compact: Vec<u32> = (0..free.len() as u32).filter(|&n| free[n as usize]).collect();
        let order: Vec<u32> = nested_dissection(&graph).into_iter().map(|v| compact[v as usize]).collect();
        let mut position = vec![FIXED; free.len()];
        for (p, &node) in order.iter().enumerate() {
            position[node as usize] = p as u32;
        }
        let mut compact_index = vec![0; free.len()];
        for (c, &node) in compact.iter().enumerate() {
            compact_index[node as usize] = c;
        }

        let mut starts = Vec::with_capacity(order.len() + 1);
        let mut rows = Vec::with_capacity(graph.neighbours.len() / 2 + order.len());
        starts.push(0);
        for (j, &node) in order.iter().enumerate() {
            let c = compact_index[node as usize];
            let first = rows.len();
            rows.push(j as u32);
            let neighbours = &graph.neighbours[graph.starts[c] as usize..graph.starts[c + 1] as usize];
            rows.extend(neighbours.iter().map(|&v| position[compact[v as usize] as usize]).filter(|&i| i > j as u32));
            rows[first..].sort_unstable();
            starts.push(rows.len());
        }
        let (source_starts, sources) = gather_lists(&position, &starts, &rows, families);
        let (column_starts, row_indices) = scalar_columns(&starts, &rows);
        let dimension = 3 * order.len();
        // In the given order, faer reads the upper triangle for the symbolic factorisation, the lower for the numerical one.
        let (upper_starts, upper_rows) = transposed(&column_starts, &row_indices);
        let columns = SymbolicSparseColMatRef::new_checked(dimension, dimension, &upper_starts, None, &upper_rows);
        let parameters = CholeskySymbolicParams {
            supernodal_flop_ratio_threshold: SupernodalThreshold::FORCE_SUPERNODAL,
            ..CholeskySymbolicParams::default()
        };
        #[allow(clippy::expect_used, reason = "fails only when memory is exhausted, like any allocation")]
        let symbolic = factorize_symbolic_cholesky(columns, faer::Side::Upper, SymmetricOrdering::Identity, parameters)
            .expect("memory for the symbolic factorisation");
        Self {
            position,
            order,
            starts,
            rows,
            source_starts,
            sources,
            column_starts,
            row_indices,
            symbolic,
            seconds: started.elapsed().as_secs_f64(),
        }
    }

    /// Number of scalar unknowns.
    pub fn unknowns(&self) -> usize {
        3 * self.order.len()
    }

    /// Wall seconds that ordering and symbolic factorisation took.
    pub fn seconds(&self) -> f64 {
        self.seconds
    }

    /// Entries that a Cholesky factor stores.
    pub fn factor_entries(&self) -> usize {
        self.symbolic.len_val()
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
fn gather_lists(position: &[u32], starts: &[usize], rows: &[u32], families: &[Box<dyn Family>]) -> (Vec<usize>, Vec<(u32, u32)>) {
    let mut targets = Vec::new();
    for (f, family) in families.iter().enumerate() {
        let width = family.nodes_per_element();
        for e in 0..family.len() {
            let nodes = family.nodes(e);
            for (i, &row) in nodes.iter().enumerate() {
                for (j, &column) in nodes.iter().enumerate() {
                    let (row, column) = (position[row as usize], position[column as usize]);
                    if row == FIXED || column == FIXED || row < column {
                        continue;
                    }
                    let first = starts[column as usize];
                    if let Ok(found) = rows[first..starts[column as usize + 1]].binary_search(&row) {
                        targets.push(((first + found) as u32, f as u32, ((e * width + i) * width + j) as u32));
                    }
                }
            }
        }
    }
    let mut source_starts = vec![0usize; rows.len() + 1];
    for &(block, ..) in &targets {
        source_starts[block as usize + 1] += 1;
    }
    for b in 0..rows.len() {
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

/// Scalar columns of the lower triangle: column 3 J + c holds rows c.. of the diagonal block, then three rows of each block below.
fn scalar_columns(starts: &[usize], rows: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let mut column_starts = vec![0];
    let mut row_indices = Vec::with_capacity(9 * rows.len());
    for column in starts.windows(2) {
        let blocks = &rows[column[0]..column[1]];
        for c in 0..3 {
            row_indices.extend((c..3).map(|r| 3 * blocks[0] + r));
            row_indices.extend(blocks[1..].iter().flat_map(|&b| [3 * b, 3 * b + 1, 3 * b + 2]));
            column_starts.push(row_indices.len() as u32);
        }
    }
    (column_starts, row_indices)
}

/// The same square pattern by rows: compressed columns of the transposed matrix.
fn transposed(column_starts: &[u32], row_indices: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let dimension = column_starts.len() - 1;
    let mut starts = vec![0u32; dimension + 1];
    for &row in row_indices {
        starts[row as usize + 1] += 1;
    }
    for row in 0..dimension {
        starts[row + 1] += starts[row];
    }
    let mut fill = starts.clone();
    let mut columns = vec![0; row_indices.len()];
    for column in 0..dimension {
        for &row in &row_indices[column_starts[column] as usize..column_starts[column + 1] as usize] {
            columns[fill[row as usize] as usize] = column as u32;
            fill[row as usize] += 1;
        }
    }
    (starts, columns)
}
