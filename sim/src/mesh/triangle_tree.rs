//! [`TriangleTree`]: a bounding volume hierarchy over fixed triangles, for queries about points.
//!
//! A perfect binary tree in heap order: the root is node 1 and the children of node n are 2 n and 2 n + 1. Which
//! triangles lie below a node follows from its number, so that nodes hold nothing but what a query needs.

use std::ops::Range;

use rayon::prelude::*;

use crate::math::Vec3;

/// Triangles below a leaf, at most.
const LEAF: usize = 4;
/// Fewer triangles than this are sorted by one thread.
const TASK: usize = 2048;

/// Triangles in the order of the leaves, with boxes around them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TriangleTree {
    /// Corners [m], leaf by leaf.
    pub corners: Vec<[Vec3; 3]>,
    /// The caller's number of each triangle.
    pub numbers: Vec<u32>,
    /// Box (smallest, largest corner) [m] of each node; entry 0 is unused.
    pub boxes: Vec<(Vec3, Vec3)>,
    levels: u32,
}

impl TriangleTree {
    /// Sorts triangles with finite corners.
    pub fn new(positions: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        let levels = triangles.len().div_ceil(LEAF).max(1).next_power_of_two().trailing_zeros();
        let corners = |t: &[u32; 3]| t.map(|v| positions[v as usize]);
        let centre = |t: &[u32; 3]| corners(t).iter().sum::<Vec3>();
        let mut order: Vec<(Vec3, u32)> = triangles.iter().map(centre).zip(0..).collect();
        halve(&mut order, levels, 0, triangles.len(), 1);
        let numbers: Vec<u32> = order.into_iter().map(|(_, t)| t).collect();
        let corners: Vec<[Vec3; 3]> = numbers.iter().map(|&t| corners(&triangles[t as usize])).collect();
        let mut tree = Self { corners, numbers, boxes: Vec::new(), levels };
        tree.enclose();
        tree
    }

    /// Goes along with its triangles, whose vertices are at `positions` now [m], in the order that it has: what is asked of it is the same as of a new one,
    /// and takes longer the more they have left that order.
    pub fn follow(&mut self, positions: &[Vec3], triangles: &[[u32; 3]]) {
        let corners = self.corners.iter_mut().zip(&self.numbers);
        corners.for_each(|(corners, &t)| *corners = triangles[t as usize].map(|v| positions[v as usize]));
        self.enclose();
    }

    fn enclose(&mut self) {
        self.boxes = self.gather(|corners| bounds(corners.as_flattened()), |a, b| (a.0.inf(&b.0), a.1.sup(&b.1)));
    }

    /// Number of triangles.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Whether there is no triangle.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// Whether a node has no children.
    #[inline]
    pub fn is_leaf(&self, node: usize) -> bool {
        node >= 1 << self.levels
    }

    /// The triangles below a node.
    #[inline]
    pub fn range(&self, node: usize) -> Range<usize> {
        let depth = usize::BITS - 1 - node.leading_zeros();
        let index = node - (1 << depth);
        (index * self.len()) >> depth..((index + 1) * self.len()) >> depth
    }

    /// A value for every node, found from the triangles of the leaves upwards; entry 0 is that of the root too.
    pub fn gather<T: Clone + Send + Sync>(&self, leaf: impl Fn(&[[Vec3; 3]]) -> T + Sync, join: impl Fn(&T, &T) -> T) -> Vec<T> {
        let first = 1usize << self.levels;
        let leaves: Vec<T> = (first..2 * first).into_par_iter().map(|node| leaf(&self.corners[self.range(node)])).collect();
        let mut all = vec![leaves[0].clone(); first];
        all.extend(leaves);
        for node in (1..first).rev() {
            all[node] = join(&all[2 * node], &all[2 * node + 1]);
        }
        all[0] = all[1].clone();
        all
    }
}

/// Box of points; the empty box (infinity, minus infinity) of none.
fn bounds(points: &[Vec3]) -> (Vec3, Vec3) {
    crate::math::bounding_box(points)
}

/// Halves `order`, the triangles of node `index` of its level in a tree over `total`, until `levels` more are made.
fn halve(order: &mut [(Vec3, u32)], levels: u32, first: usize, total: usize, node: usize) {
    if levels == 0 || order.len() < 2 {
        return;
    }
    let depth = usize::BITS - node.leading_zeros();
    let middle = (((2 * node + 1 - (1 << depth)) * total) >> depth) - first;
    let (low, high) = order.iter().fold((order[0].0, order[0].0), |(low, high), (p, _)| (low.inf(p), high.sup(p)));
    let axis = (high - low).imax();
    order.select_nth_unstable_by(middle.min(order.len() - 1), |a, b| a.0[axis].total_cmp(&b.0[axis]).then(a.1.cmp(&b.1)));
    let (before, after) = order.split_at_mut(middle);
    let is_large = before.len() + after.len() > TASK;
    let mut lower = || halve(before, levels - 1, first, total, 2 * node);
    let mut upper = || halve(after, levels - 1, first + middle, total, 2 * node + 1);
    if is_large {
        rayon::join(lower, upper);
    } else {
        lower();
        upper();
    }
}
