//! [`Lengths`]: nodes and the edges between them whose lengths elements keep.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use crate::math::Vec3;
use crate::step::xpbd::constraints::Projections;

/// For each node its neighbours, and how far they are in the given shape [m].
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Lengths(pub Vec<Vec<(u32, f64)>>);

impl Lengths {
    /// Of all elements, between nodes at `x` [m].
    pub fn of(families: &Projections, x: &[Vec3]) -> Self {
        let mut lengths = Self(vec![Vec::new(); x.len()]);
        for family in families.iter().flatten() {
            for e in 0..family.len() {
                let nodes = family.nodes(e);
                for [a, b] in family.kept_edges().iter().map(|ends| ends.map(|end| nodes[end])) {
                    lengths.join(a, b, (x[a as usize] - x[b as usize]).norm());
                }
            }
        }
        lengths
    }

    /// Adds an edge; of two between the same nodes the shorter counts.
    pub fn join(&mut self, a: u32, b: u32, length: f64) {
        for (a, b) in [(a, b), (b, a)] {
            let known = &mut self.0[a as usize];
            match known.iter_mut().find(|(other, _)| *other == b) {
                Some((_, least)) => *least = least.min(length),
                None => known.push((b, length)),
            }
        }
    }

    /// Every edge once.
    pub fn edges(&self) -> impl Iterator<Item = (u32, u32, f64)> {
        let of = |(a, all): (u32, &'_ Vec<(u32, f64)>)| {
            all.iter().filter(move |(b, _)| a < *b).map(move |&(b, length)| (a, b, length)).collect::<Vec<_>>()
        };
        (0..).zip(&self.0).flat_map(of)
    }

    /// For each node the nearest of `sources` along edges, and how long the way is [m] (Dijkstra 1959); nothing where there is no way.
    pub fn nearest(&self, sources: impl Iterator<Item = u32>) -> Vec<Option<(u32, f64)>> {
        let mut nearest: Vec<Option<(u32, f64)>> = vec![None; self.0.len()];
        let mut queue = BinaryHeap::new();
        for source in sources {
            nearest[source as usize] = Some((source, 0.0));
            queue.push(Way { length: 0.0, node: source });
        }
        while let Some(Way { length, node }) = queue.pop() {
            let Some((source, _)) = nearest[node as usize].filter(|(_, known)| *known >= length) else { continue };
            for &(next, edge) in &self.0[node as usize] {
                let through = length + edge;
                if nearest[next as usize].is_none_or(|(_, known)| through < known) {
                    nearest[next as usize] = Some((source, through));
                    queue.push(Way { length: through, node: next });
                }
            }
        }
        nearest
    }
}

/// A way to a node, the shortest first; of ways of one length that to the first node.
#[derive(Debug, PartialEq)]
struct Way {
    length: f64,
    node: u32,
}

impl Eq for Way {}

impl Ord for Way {
    fn cmp(&self, other: &Self) -> Ordering {
        other.length.total_cmp(&self.length).then(other.node.cmp(&self.node))
    }
}

impl PartialOrd for Way {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
