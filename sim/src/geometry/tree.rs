//! A bounding volume hierarchy whose shape is implied by the number of its features: a perfect binary tree in heap order.
//!
//! Feature ranges are halved along the longest axis of their centres. Only the order of the features depends on where they
//! are, so that what has moved needs new boxes and no new tree; the order is found anew when the boxes have grown bad.

use rayon::prelude::*;

use super::MeetingRules;
use super::boxes::{Aabb, PACK, Pack, Query};
use crate::math::Vec3;

/// The order is kept while the boxes of the nodes have not grown, relative to those of the features, by more than this.
const WORN: f64 = 1.3;
/// Fewer features than this are handled by one thread.
const TASK: usize = 2048;
/// Part of a node whose features are of several parts.
const MIXED: u32 = u32::MAX;

/// Features of one kind, each with N nodes, and the tree over them.
#[derive(Debug, Clone, Default)]
pub struct Tree {
    /// Features in the order of the leaves.
    order: Vec<u32>,
    /// Their boxes, leaf by leaf.
    packs: Vec<Pack>,
    /// Boxes of the nodes: the root is 1, the children of n are 2 n and 2 n + 1, the leaves come last. Entry 0 is unused.
    nodes: Vec<Aabb>,
    /// What all features below a node have in common.
    labels: Vec<Label>,
    /// Number of leaves, a power of two.
    leaves: usize,
    /// Extents of the nodes by those of the features when the order was found.
    fresh_quality: f64,
}

/// What all features of a node have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Label {
    /// Their part, or [`MIXED`].
    pub part: u32,
    /// Whether any can move.
    pub movable: bool,
}

impl Label {
    /// Whether a feature below one node may touch one below the other, as far as labels tell.
    #[inline]
    pub fn may_meet(self, other: Self, rules: &impl MeetingRules) -> bool {
        (self.movable || other.movable) && (self.part == MIXED || other.part == MIXED || rules.may_meet(self.part, other.part))
    }

    fn join(self, other: Self) -> Self {
        Self { part: if self.part == other.part { self.part } else { MIXED }, movable: self.movable || other.movable }
    }
}

/// Where the nodes are: at rest for a moment, or on straight paths.
#[derive(Clone, Copy)]
pub struct Path<'a> {
    /// Positions at the start [m].
    pub start: &'a [Vec3],
    /// Displacements [m], and which share of them leads to the end.
    pub step: Option<(&'a [Vec3], f64)>,
}

impl Path<'_> {
    #[inline]
    fn bounds<const N: usize>(&self, nodes: &[u32; N]) -> Aabb {
        let start = |node: &u32| self.start[*node as usize];
        let at_start = Aabb::of_points(nodes.iter().map(start));
        match self.step {
            None => at_start,
            Some((step, share)) => at_start.union(&Aabb::of_points(nodes.iter().map(|node| start(node) + share * step[*node as usize]))),
        }
    }
}

impl Tree {
    /// Puts boxes around `features` on `path`; `parts` has the part of each feature.
    pub fn fit<const N: usize>(&mut self, rules: &impl MeetingRules, features: &[[u32; N]], parts: &[u32], path: Path) {
        if features.is_empty() {
            *self = Self::default();
            return;
        }
        if self.order.len() == features.len() {
            self.refit(rules, features, parts, path);
            if self.quality() <= WORN * self.fresh_quality {
                return;
            }
        }
        self.sort(features, path);
        self.refit(rules, features, parts, path);
        self.fresh_quality = self.quality();
        self.label(rules, features, parts);
    }

    /// Number of features.
    pub fn features(&self) -> usize {
        self.order.len()
    }

    /// Number of leaves.
    pub fn leaves(&self) -> usize {
        if self.order.is_empty() { 0 } else { self.leaves }
    }

    /// Features of a leaf, with their boxes.
    #[inline]
    pub fn leaf(&self, leaf: usize) -> (&[u32], &Pack) {
        (&self.order[self.first(leaf)..self.first(leaf + 1)], &self.packs[leaf])
    }

    /// The box around all features of a leaf.
    pub fn leaf_box(&self, leaf: usize) -> Aabb {
        self.nodes[self.leaves + leaf]
    }

    /// What all features of a leaf have in common.
    pub fn leaf_label(&self, leaf: usize) -> Label {
        self.labels[self.leaves + leaf]
    }

    /// Calls `visit` with every leaf from `from` on that meets `query` and whose label passes.
    #[inline]
    pub fn visit(&self, query: &Query, from: usize, passes: impl Fn(Label) -> bool, mut visit: impl FnMut(usize)) {
        let depth = self.leaves.ilog2();
        let mut stack = [0_u32; 2 * usize::BITS as usize];
        (stack[0], stack[1]) = (0, 1);
        let mut top = 1;
        while top > 0 {
            let node = stack[top] as usize;
            top -= 1;
            let end = ((node + 1) << (depth - node.ilog2())) - self.leaves;
            if end <= from || !self.nodes[node].meets(query) || !passes(self.labels[node]) {
                continue;
            }
            if node >= self.leaves {
                visit(node - self.leaves);
            } else {
                (stack[top + 1], stack[top + 2]) = (2 * node as u32 + 1, 2 * node as u32);
                top += 2;
            }
        }
    }

    /// First feature of a leaf: features are spread evenly.
    #[inline]
    fn first(&self, leaf: usize) -> usize {
        leaf * self.order.len() / self.leaves
    }

    fn sort<const N: usize>(&mut self, features: &[[u32; N]], path: Path) {
        let count = features.len();
        self.leaves = count.div_ceil(PACK).next_power_of_two();
        let centre = |feature: usize| {
            let bounds = path.bounds(&features[feature]);
            (Vec3::from_fn(|axis, _| bounds.twice_centre(axis)), feature as u32)
        };
        let mut centres: Vec<(Vec3, u32)> = (0..count).into_par_iter().with_min_len(TASK).map(centre).collect();
        halve(&mut centres, 0, self.leaves, &|leaf| leaf * count / self.leaves);
        self.order.clear();
        self.order.extend(centres.into_iter().map(|(_, feature)| feature));
    }

    fn refit<const N: usize>(&mut self, rules: &impl MeetingRules, features: &[[u32; N]], parts: &[u32], path: Path) {
        let mut packs = std::mem::take(&mut self.packs);
        let pack = |leaf: usize| {
            let (mut boxes, range) = ([Aabb::EMPTY; PACK], self.first(leaf)..self.first(leaf + 1));
            for (bounds, &feature) in boxes.iter_mut().zip(&self.order[range]) {
                let feature = feature as usize;
                *bounds = path.bounds(&features[feature]).grown(rules.radius(parts[feature]));
            }
            Pack::new(&boxes)
        };
        (0..self.leaves).into_par_iter().with_min_len(TASK / PACK).map(pack).collect_into_vec(&mut packs);
        self.packs = packs;
        self.nodes.resize(2 * self.leaves, Aabb::EMPTY);
        for (node, pack) in self.nodes[self.leaves..].iter_mut().zip(&self.packs) {
            *node = pack.union();
        }
        for node in (1..self.leaves).rev() {
            self.nodes[node] = self.nodes[2 * node].union(&self.nodes[2 * node + 1]);
        }
    }

    /// Extents of the nodes by those of the features: the smaller, the fewer nodes are visited in vain.
    fn quality(&self) -> f64 {
        let of_leaf = |leaf: usize| (0..self.leaf(leaf).0.len()).map(|k| self.packs[leaf].get(k).extent()).sum::<f64>();
        let features: f64 = (0..self.leaves).map(of_leaf).sum();
        self.nodes.iter().skip(1).map(Aabb::extent).sum::<f64>() / features.max(f64::MIN_POSITIVE)
    }

    fn label<const N: usize>(&mut self, rules: &impl MeetingRules, features: &[[u32; N]], parts: &[u32]) {
        let of = |&feature: &u32| Label { part: parts[feature as usize], movable: rules.any_movable(&features[feature as usize]) };
        let none = Label { part: MIXED, movable: false };
        self.labels.clear();
        self.labels.resize(2 * self.leaves, none);
        for leaf in 0..self.leaves {
            let labels = self.order[self.first(leaf)..self.first(leaf + 1)].iter().map(of);
            self.labels[self.leaves + leaf] = labels.reduce(Label::join).unwrap_or(none);
        }
        for node in (1..self.leaves).rev() {
            self.labels[node] = self.labels[2 * node].join(self.labels[2 * node + 1]);
        }
    }
}

/// Orders features so that the first and the second half of the leaves are on the two sides of a plane, and so on down.
/// `first` is the first feature of a leaf; `leaves` of them from leaf `leaf` on are in `centres`.
fn halve(centres: &mut [(Vec3, u32)], leaf: usize, leaves: usize, first: &(impl Fn(usize) -> usize + Sync)) {
    if leaves == 1 {
        return;
    }
    let bounds = Aabb::of_points(centres.iter().map(|(centre, _)| *centre));
    let axis = bounds.longest_axis();
    let middle = first(leaf + leaves / 2) - first(leaf);
    // Ties go by the feature's index, so that the same positions always give the same order.
    centres.select_nth_unstable_by(middle, |a, b| a.0[axis].total_cmp(&b.0[axis]).then(a.1.cmp(&b.1)));
    let (low, high) = centres.split_at_mut(middle);
    let mut low = || halve(low, leaf, leaves / 2, first);
    let mut high = || halve(high, leaf + leaves / 2, leaves / 2, first);
    if middle < TASK {
        low();
        high();
    } else {
        rayon::join(low, high);
    }
}
