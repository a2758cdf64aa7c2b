//! Joining vertices by distance, where the surface stays as manifold as it is.

use std::collections::HashMap;

use super::Surface;
use crate::math::{Vec3, bounding_diagonal};
use crate::mesh::health::duplicate_triangles;
use crate::mesh::{MeshProblem, ProblemCode};
use crate::watch::{Cancelled, Watch};

/// How many pairs are handled between two looks at the watch.
const CHUNK: usize = 1 << 14;

impl Surface {
    /// Joins vertices within `tolerance`, a share of the diagonal: nearest pairs first, each to the vertex of the smaller index.
    /// Not joined: corners of one triangle, and vertices of which an edge with more than two triangles or a second triangle with the
    /// same corners would come.
    pub(super) fn weld(&mut self, tolerance: f64, watch: &dyn Watch) -> Result<(), Cancelled> {
        let reach = tolerance * bounding_diagonal(&self.positions);
        let mut weld = Weld::new(&self.triangles, self.positions.len());
        let mut refused = Vec::new();
        let pairs = pairs_within(&self.positions, reach);
        for pairs in pairs.chunks(CHUNK) {
            watch.check()?;
            for &(_, a, b) in pairs {
                let (a, b) = (weld.root(a), weld.root(b));
                // A chain of near vertices does not reach farther than the tolerance.
                if a != b && (self.positions[a as usize] - self.positions[b as usize]).norm() <= reach && !weld.join(a.min(b), a.max(b)) {
                    refused.push(a.max(b));
                }
            }
        }
        let roots: Vec<u32> = (0..self.positions.len() as u32).map(|v| weld.root(v)).collect();
        let keep: Vec<bool> = (0..).zip(&roots).map(|(v, &root)| v == root).collect();
        let joined: Vec<usize> = (0..keep.len()).filter(|&v| !keep[v]).map(|v| self.source_vertices[v] as usize).collect();
        // What was refused to one vertex may have been granted by another.
        refused.retain(|&v| keep[v as usize]);
        refused.sort_unstable();
        refused.dedup();
        let refused: Vec<usize> = refused.into_iter().map(|v| self.source_vertices[v as usize] as usize).collect();
        self.triangles.as_flattened_mut().iter_mut().for_each(|v| *v = roots[*v as usize]);
        self.keep_vertices(&keep);
        let message = |n| format!("{n} vertices were joined to others");
        self.done.extend(MeshProblem::found(ProblemCode::DuplicateVertex, &joined, true, message));
        let message = |n| format!("{n} vertices were left apart: joined, they would make an edge of more than two triangles");
        self.done.extend(MeshProblem::found(ProblemCode::DuplicateVertex, &refused, false, message));
        Ok(())
    }
}

/// Pairs of vertices within `reach` of one another: (distance, smaller index, larger index), nearest first. By a grid of cells as
/// large as the reach.
fn pairs_within(positions: &[Vec3], reach: f64) -> Vec<(f64, u32, u32)> {
    let size = if reach > 0.0 { reach } else { f64::MIN_POSITIVE };
    // Beyond 2^52 cells neighbours are only those at the same place, and rounding puts these into the same cell.
    let cell = |p: &Vec3| [p.x, p.y, p.z].map(|c| (c / size).floor().clamp(-4e15, 4e15) as i64);
    let mut sorted: Vec<([i64; 3], u32)> = positions.iter().map(cell).zip(0..).collect();
    sorted.sort_unstable();
    let mut pairs = Vec::new();
    for &(home, a) in &sorted {
        for (dx, dy) in (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy))) {
            let from = [home[0] + dx, home[1] + dy, home[2] - 1];
            let start = sorted.partition_point(|(cell, _)| *cell < from);
            let column = sorted[start..].iter().take_while(|(cell, _)| *cell <= [from[0], from[1], home[2] + 1]);
            for &(_, b) in column.filter(|(_, b)| *b > a) {
                let distance = (positions[a as usize] - positions[b as usize]).norm();
                if distance <= reach {
                    pairs.push((distance, a, b));
                }
            }
        }
    }
    pairs.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    pairs
}

/// Triangles while vertices are joined.
struct Weld {
    /// With the corners that they have so far.
    triangles: Vec<[u32; 3]>,
    /// Triangles around each vertex that is left, without those that are given before or name a vertex twice: they bound nothing.
    around: Vec<Vec<u32>>,
    /// The vertex that each was joined to, or itself.
    parent: Vec<u32>,
}

impl Weld {
    fn new(triangles: &[[u32; 3]], vertices: usize) -> Self {
        let mut around = vec![Vec::new(); vertices];
        let again = duplicate_triangles(triangles);
        let counts = |(t, [a, b, c]): &(u32, &[u32; 3])| a != b && b != c && c != a && again.binary_search(t).is_err();
        for (t, triangle) in (0..).zip(triangles).filter(counts) {
            triangle.iter().for_each(|&v| around[v as usize].push(t));
        }
        Self { triangles: triangles.to_vec(), around, parent: (0..vertices as u32).collect() }
    }

    fn root(&mut self, mut v: u32) -> u32 {
        while self.parent[v as usize] != v {
            let above = self.parent[self.parent[v as usize] as usize];
            self.parent[v as usize] = above;
            v = above;
        }
        v
    }

    /// Joins `b` to `a` if that is allowed.
    fn join(&mut self, a: u32, b: u32) -> bool {
        if !self.allowed(a, b) {
            return false;
        }
        let moved = std::mem::take(&mut self.around[b as usize]);
        for &t in &moved {
            self.triangles[t as usize].iter_mut().filter(|v| **v == b).for_each(|v| *v = a);
        }
        self.around[a as usize].extend(moved);
        self.parent[b as usize] = a;
        true
    }

    /// Whether the triangles of `b` can do with `a` instead.
    fn allowed(&self, a: u32, b: u32) -> bool {
        let triangles = |v: u32| self.around[v as usize].iter().map(|&t| &self.triangles[t as usize]);
        if triangles(b).any(|triangle| triangle.contains(&a)) {
            return false;
        }
        // Edges from either to the same vertex become one.
        let count = |v: u32| {
            let mut edges: HashMap<u32, usize> = HashMap::new();
            triangles(v).flatten().filter(|&&w| w != v).for_each(|&w| *edges.entry(w).or_default() += 1);
            edges
        };
        let (of_a, of_b) = (count(a), count(b));
        if of_b.iter().any(|(w, n)| of_a.get(w).is_some_and(|m| m + n > 2)) {
            return false;
        }
        let others = |triangle: &[u32; 3], v: u32| {
            let mut others: Vec<u32> = triangle.iter().copied().filter(|&w| w != v).collect();
            others.sort_unstable();
            others
        };
        !triangles(b).any(|one| triangles(a).any(|other| others(one, b) == others(other, a)))
    }
}
