//! Elimination orders: fill-reducing ones by nested dissection (METIS; Karypis and Kumar 1998), and the postorder of
//! the elimination tree, which makes columns of alike structure neighbours without changing the fill.

use super::components::by_parts;
use super::symbolic::NONE;

/// An undirected graph in compressed form: the neighbours of vertex `v`, itself excluded, are
/// `neighbours[starts[v]..starts[v + 1]]`.
#[derive(Debug, Clone, Default)]
pub struct Graph {
    /// One entry a vertex, and one past the end.
    pub starts: Vec<i32>,
    /// Neighbours, vertex by vertex, ascending.
    pub neighbours: Vec<i32>,
}

impl Graph {
    /// Number of vertices.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Whether there is no vertex.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Neighbours of vertex `v`, ascending.
    pub fn neighbours(&self, v: usize) -> &[i32] {
        &self.neighbours[self.starts[v] as usize..self.starts[v + 1] as usize]
    }

    /// The graph with further edges; those it has already, and loops, change nothing.
    pub fn with_edges(&self, edges: &[[u32; 2]]) -> Self {
        let mut added: Vec<[u32; 2]> = edges.iter().filter(|[a, b]| a != b).flat_map(|&[a, b]| [[a, b], [b, a]]).collect();
        added.sort_unstable();
        added.dedup();
        let mut union = Self { starts: vec![0], neighbours: Vec::with_capacity(self.neighbours.len() + added.len()) };
        let mut rest = added.as_slice();
        for v in 0..self.len() {
            let (own, tail) = rest.split_at(rest.partition_point(|edge| edge[0] as usize == v));
            rest = tail;
            let first = union.neighbours.len();
            union.neighbours.extend_from_slice(self.neighbours(v));
            if !own.is_empty() {
                union.neighbours.extend(own.iter().map(|edge| edge[1] as i32));
                let merged = &mut union.neighbours[first..];
                merged.sort_unstable();
                let mut kept = 0;
                for i in 0..merged.len() {
                    if i == 0 || merged[i] != merged[kept - 1] {
                        merged[kept] = merged[i];
                        kept += 1;
                    }
                }
                union.neighbours.truncate(first + kept);
            }
            union.starts.push(union.neighbours.len() as i32);
        }
        union
    }
}

/// Parents in the elimination tree (Liu 1990) of `graph` eliminated in `order`; parents and children are places in the order.
pub(super) fn elimination_tree(graph: &Graph, order: &[u32]) -> Vec<u32> {
    let mut place = vec![0; order.len()];
    for (p, &v) in order.iter().enumerate() {
        place[v as usize] = p as u32;
    }
    let mut parent = vec![NONE; order.len()];
    let mut ancestor = parent.clone();
    for (p, &v) in order.iter().enumerate() {
        for &neighbour in graph.neighbours(v as usize) {
            let mut climber = place[neighbour as usize];
            while (climber as usize) < p {
                let next = std::mem::replace(&mut ancestor[climber as usize], p as u32);
                if next == NONE {
                    parent[climber as usize] = p as u32;
                    break;
                }
                climber = next;
            }
        }
    }
    parent
}

/// `order` sorted so that every subtree of the elimination tree is contiguous; the fill stays the same.
pub fn postordered(graph: &Graph, order: &[u32]) -> Vec<u32> {
    let parent = elimination_tree(graph, order);
    let (mut first_child, mut next_sibling) = (vec![NONE; order.len()], vec![NONE; order.len()]);
    let mut roots = Vec::new();
    for v in (0..order.len()).rev() {
        if parent[v] == NONE {
            roots.push(v as u32);
        } else {
            next_sibling[v] = first_child[parent[v] as usize];
            first_child[parent[v] as usize] = v as u32;
        }
    }
    let mut sorted = Vec::with_capacity(order.len());
    let mut path = roots;
    while let Some(&v) = path.last() {
        let child = std::mem::replace(&mut first_child[v as usize], NONE);
        if child != NONE {
            // Children are visited in order: the first is on top.
            let from = path.len();
            let mut sibling = child;
            while sibling != NONE {
                path.push(sibling);
                sibling = next_sibling[sibling as usize];
            }
            path[from..].reverse();
        } else {
            path.pop();
            sorted.push(order[v as usize]);
        }
    }
    sorted
}

/// The vertices in elimination order: from end to end of many thin parts, by nested dissection otherwise.
pub fn elimination_order(graph: &Graph) -> Vec<u32> {
    by_parts(graph).unwrap_or_else(|| nested_dissection(graph))
}

/// Held while METIS runs.
static ONE_AT_A_TIME: std::sync::Mutex<()> = std::sync::Mutex::new(());

/// The vertices in elimination order. Falls back to the given order if the graph is too small to dissect.
pub fn nested_dissection(graph: &Graph) -> Vec<u32> {
    let count = graph.len();
    let mut order: Vec<i32> = (0..count as i32).collect();
    if graph.neighbours.is_empty() {
        return order.into_iter().map(|v| v as u32).collect();
    }
    let mut position = order.clone();
    let mut options = [0; metis_sys::METIS_NOPTIONS as usize];
    // METIS promises not to write to the graph, but its C interface takes it as mutable.
    let (mut starts, mut neighbours) = (graph.starts.clone(), graph.neighbours.clone());
    let mut vertices = count as i32;
    // METIS draws from the process' one random sequence, which it starts anew in each call: two at once would mix theirs up, and
    // the order would not be the same in every run.
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    // SAFETY: all arrays live through the call and have the lengths that METIS_NodeND documents: options
    // METIS_NOPTIONS, starts count + 1, neighbours starts[count], order and position count.
    let status = unsafe {
        metis_sys::METIS_SetDefaultOptions(options.as_mut_ptr());
        metis_sys::METIS_NodeND(
            &raw mut vertices,
            starts.as_mut_ptr(),
            neighbours.as_mut_ptr(),
            std::ptr::null_mut(),
            options.as_mut_ptr(),
            order.as_mut_ptr(),
            position.as_mut_ptr(),
        )
    };
    if status != metis_sys::rstatus_et_METIS_OK {
        return (0..count as u32).collect();
    }
    order.into_iter().map(|v| v as u32).collect()
}
