//! [`Joined`]: triangles while their vertices are joined, no worse than before.

use std::collections::{HashMap, HashSet};

use super::edge;
use crate::mesh::health::duplicate_triangles;

/// Triangles, and which of their vertices have become one. A join takes as long as the fewer triangles around one of the two.
pub struct Joined {
    /// With the corners that they have so far, as roots.
    triangles: Vec<[u32; 3]>,
    /// Triangles around each root, without those that are given before or name a vertex twice: they bound nothing.
    around: Vec<Vec<u32>>,
    /// A vertex that each was joined to, or itself: a root.
    parent: Vec<u32>,
    /// The smallest vertex of each root.
    names: Vec<u32>,
    /// Of how many triangles each edge is.
    edges: HashMap<(u32, u32), u32>,
    /// Corners of the triangles, ascending.
    corners: HashSet<[u32; 3]>,
}

impl Joined {
    /// Nothing is joined yet.
    pub fn new(triangles: &[[u32; 3]], vertices: usize) -> Self {
        let names: Vec<u32> = (0..vertices as u32).collect();
        let mut joined = Self {
            triangles: triangles.to_vec(),
            around: vec![Vec::new(); vertices],
            parent: names.clone(),
            names,
            edges: HashMap::new(),
            corners: HashSet::new(),
        };
        let again = duplicate_triangles(triangles);
        let counts = |(t, [a, b, c]): &(u32, &[u32; 3])| a != b && b != c && c != a && again.binary_search(t).is_err();
        for (t, triangle) in (0..).zip(triangles).filter(counts) {
            triangle.iter().for_each(|&v| joined.around[v as usize].push(t));
            joined.enter(triangle);
        }
        joined
    }

    /// The smallest of the vertices that `v` is one with.
    pub fn name(&mut self, v: u32) -> u32 {
        let root = self.root(v);
        self.names[root as usize]
    }

    fn root(&mut self, mut v: u32) -> u32 {
        while self.parent[v as usize] != v {
            let above = self.parent[self.parent[v as usize] as usize];
            self.parent[v as usize] = above;
            v = above;
        }
        v
    }

    /// Makes two vertices one if that is allowed, or if they are.
    pub fn join(&mut self, a: u32, b: u32) -> bool {
        let (mut a, mut b) = (self.root(a), self.root(b));
        if a == b {
            return true;
        }
        if self.around[a as usize].len() < self.around[b as usize].len() {
            (a, b) = (b, a);
        }
        if !self.allowed(a, b) {
            return false;
        }
        let moved = std::mem::take(&mut self.around[b as usize]);
        for &t in &moved {
            let old = self.triangles[t as usize];
            let new = old.map(|v| if v == b { a } else { v });
            self.leave(&old);
            self.enter(&new);
            self.triangles[t as usize] = new;
        }
        self.around[a as usize].extend(moved);
        self.parent[b as usize] = a;
        self.names[a as usize] = self.names[a as usize].min(self.names[b as usize]);
        true
    }

    /// Whether the triangles of `b` can do with `a` instead.
    fn allowed(&self, a: u32, b: u32) -> bool {
        let count = |v: u32, w: u32| self.edges.get(&edge(v, w)).copied().unwrap_or(0);
        self.around[b as usize].iter().map(|&t| &self.triangles[t as usize]).all(|triangle| {
            let moved = triangle.map(|v| if v == b { a } else { v });
            // Edges from either to the same vertex become one.
            let fits = |w: u32| w == b || count(a, w) == 0 || count(a, w) + count(b, w) <= 2;
            !triangle.contains(&a) && triangle.iter().all(|&w| fits(w)) && !self.corners.contains(&ascending(&moved))
        })
    }

    fn enter(&mut self, triangle: &[u32; 3]) {
        for side in sides(triangle) {
            *self.edges.entry(side).or_default() += 1;
        }
        self.corners.insert(ascending(triangle));
    }

    fn leave(&mut self, triangle: &[u32; 3]) {
        for side in sides(triangle) {
            if let Some(count) = self.edges.get_mut(&side) {
                *count -= 1;
            }
        }
        self.corners.remove(&ascending(triangle));
    }
}

fn sides(&[a, b, c]: &[u32; 3]) -> [(u32, u32); 3] {
    [edge(a, b), edge(b, c), edge(c, a)]
}

fn ascending(triangle: &[u32; 3]) -> [u32; 3] {
    let mut corners = *triangle;
    corners.sort_unstable();
    corners
}
