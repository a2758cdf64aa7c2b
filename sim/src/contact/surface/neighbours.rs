//! [`Neighbours`]: vertices that are near one another on the surface of one thick part.
//!
//! A cloth of a thickness bends around half of it at the sharpest, so that what is farther apart along its surface than a half circle can
//! be kept a thickness apart, and what is nearer cannot: triangles may be smaller than the thickness. Such pairs have none (as Li, Kaufman
//! and Jiang 2021 leave out what is near at rest), and are kept from passing through each other all the same.

use super::{CollisionSurface, NO_VERTEX, Sewn};
use crate::math::Vec3;

/// Way along the surface up to which vertices are neighbours, over the thickness: pi / 2, and what edges lead astray.
const NEAR: f64 = 3.0;

/// For each vertex of a surface those near it on its part, itself left out.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Neighbours {
    /// Where the neighbours of vertex v begin: `starts[v]..starts[v + 1]`; empty where no vertex has any.
    starts: Vec<u32>,
    /// Vertices, ascending for each.
    near: Vec<u32>,
}

impl Neighbours {
    /// Those of all vertices, whose nodes are at `positions` [m] in the given shape.
    pub fn new(surface: &CollisionSurface, positions: &[Vec3]) -> Self {
        if surface.parts.iter().all(|part| part.is_round || part.radius == 0.0) {
            return Self::default();
        }
        let edges = lengths(surface, positions);
        let first = |v: u32| edges.partition_point(|&([a, _], _)| a < v);
        let mut way = vec![f64::INFINITY; surface.vertices.len()];
        let (mut starts, mut near) = (vec![0], Vec::new());
        for v in 0..surface.vertices.len() as u32 {
            let part = &surface.parts[surface.vertex_parts[v as usize] as usize];
            let farthest = if part.is_round { 0.0 } else { NEAR * 2.0 * part.radius };
            // Few vertices are near: each is gone on from whenever a shorter way to it is found.
            let (mut found, mut next) = (vec![v], vec![v]);
            way[v as usize] = 0.0;
            while let Some(a) = next.pop() {
                for &([_, b], length) in edges[first(a)..].iter().take_while(|([from, _], _)| *from == a) {
                    let along = way[a as usize] + length;
                    if along <= farthest && along < way[b as usize] {
                        if way[b as usize].is_infinite() {
                            found.push(b);
                        }
                        way[b as usize] = along;
                        next.push(b);
                    }
                }
            }
            found.iter().for_each(|&b| way[b as usize] = f64::INFINITY);
            found.sort_unstable();
            near.extend(found.into_iter().filter(|&b| b != v));
            starts.push(near.len() as u32);
        }
        if near.is_empty() { Self::default() } else { Self { starts, near } }
    }

    /// For each vertex those that it is sewn to, that are sewn to it, and that are sewn to the same: where three panels meet.
    pub fn sewn(surface: &CollisionSurface, seams: &[Sewn]) -> Self {
        let vertex = |node: u32| surface.vertex_of_node[node as usize];
        let both = seams.iter().flat_map(|&Sewn { nodes: [a, b], .. }| [[a, b], [b, a]]);
        let mut pairs: Vec<[u32; 2]> = both.map(|pair| pair.map(vertex)).filter(|pair| !pair.contains(&NO_VERTEX)).collect();
        pairs.sort_unstable();
        let at_one = |same: &[[u32; 2]]| -> Vec<[u32; 2]> {
            same.iter().flat_map(|[_, b]| same.iter().map(move |[_, c]| [*b, *c])).filter(|[b, c]| b != c).collect()
        };
        let through: Vec<[u32; 2]> = pairs.chunk_by(|a, b| a[0] == b[0]).flat_map(at_one).collect();
        pairs.extend(through);
        pairs.sort_unstable();
        pairs.dedup();
        if pairs.is_empty() {
            return Self::default();
        }
        let start = |v: usize| pairs.partition_point(|[a, _]| (*a as usize) < v) as u32;
        Self { starts: (0..=surface.vertices.len()).map(start).collect(), near: pairs.iter().map(|[_, b]| *b).collect() }
    }

    /// The vertices near one.
    pub fn of(&self, vertex: u32) -> &[u32] {
        if self.near.is_empty() {
            &[]
        } else {
            &self.near[self.starts[vertex as usize] as usize..self.starts[vertex as usize + 1] as usize]
        }
    }

    /// Whether some vertex of the first nodes is near some of the second.
    #[inline]
    pub fn any(&self, surface: &CollisionSurface, first: &[u32], second: &[u32]) -> bool {
        let vertex = |node: &u32| surface.vertex_of_node.get(*node as usize).copied().filter(|&v| v != NO_VERTEX);
        !self.near.is_empty()
            && first
                .iter()
                .filter_map(vertex)
                .map(|v| self.of(v))
                .any(|near| !near.is_empty() && second.iter().filter_map(vertex).any(|other| near.binary_search(&other).is_ok()))
    }
}

/// Both directions of all edges of thick parts, ascending by vertices, with lengths [m]. Of a side of triangles that is no more than their
/// heights over the other ends' sides: across a sliver the way is short.
fn lengths(surface: &CollisionSurface, positions: &[Vec3]) -> Vec<([u32; 2], f64)> {
    let is_thick = |part: u32| surface.radius(part) > 0.0 && !surface.is_round(part);
    let x = |node: u32| positions[node as usize];
    let mut edges = Vec::new();
    let mut push = |[a, b]: [u32; 2], length: f64| {
        let [a, b] = [a, b].map(|node| surface.vertex_of_node[node as usize]);
        edges.extend([([a, b], length), ([b, a], length)]);
    };
    for (edge, ends) in surface.edges.iter().enumerate().filter(|(e, _)| is_thick(surface.edge_parts[*e])) {
        push(*ends, surface.edge_lengths[edge]);
    }
    for (t, &[a, b, c]) in surface.triangles.iter().enumerate().filter(|(t, _)| is_thick(surface.triangle_parts[*t])) {
        for [a, b, c] in [[a, b, c], [b, c, a], [c, a, b]] {
            let longer = (x(c) - x(b)).norm().max((x(a) - x(c)).norm());
            if longer > 0.0 {
                push([a, b], 2.0 * surface.triangle_areas[t] / longer);
            }
        }
    }
    for Sewn { nodes, apart } in &surface.seams {
        if is_thick(surface.part_of_node(nodes[0]).unwrap_or(0)) {
            push(*nodes, *apart);
        }
    }
    edges.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    edges.dedup_by_key(|(ends, _)| *ends);
    edges
}
