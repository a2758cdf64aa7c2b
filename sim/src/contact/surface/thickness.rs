//! How far parts reach around their features: round ones by their radius, thick ones by half their thickness, or by less where the given
//! shape leaves no room for it.

use std::collections::BTreeMap;

use super::CollisionSurface;
use crate::contact::broad_phase::{BroadPhase, Candidates};
use crate::contact::pairs::at;
use crate::contact::stencil::NO_NODE;
use crate::math::Vec3;

/// Gap that is left between thick things that are near one another from the start, over the distance at which the barrier begins to push.
const LEFT: f64 = 0.25;
/// Share of the thickness by which two may be nearer than it and not be told of.
pub const UNTOLD: f64 = 1e-3;

/// How much of their thickness two parts have for one another around each node: less where they are nearer than that from the start. For
/// others they are as thick as they are.
///
/// A pair has the least share of its nodes, whatever of them is nearest: so its energy is as smooth as that of the barrier.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Thinness {
    /// Of parts that are too near one another, the smaller number first, ascending; each with the nodes where that is not 1, ascending.
    parts: Vec<([u32; 2], Shares)>,
}

/// Nodes, ascending, and the share of the thickness around each.
type Shares = Vec<(u32, f64)>;

/// Where two parts, or one and itself, are nearer to one another than their thickness from the start.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TightPlaces {
    /// Both parts, the smaller number first.
    pub parts: [u32; 2],
    /// How many vertices are so near.
    pub count: usize,
    /// The least distance between what lies in the middle of their thickness [m].
    pub least: f64,
    /// Where that is [m].
    pub place: Vec3,
}

impl Thinness {
    /// That which leaves a gap between all parts of `surface` where the contact points are at `x` [m] and the barrier reaches `distance`
    /// [m]; with the places where parts are nearer than their thickness.
    pub fn clear_of(surface: &CollisionSurface, x: &[Vec3], distance: f64) -> (Self, Vec<TightPlaces>) {
        let (gap, mut shares) = (LEFT * distance, BTreeMap::<[u32; 2], BTreeMap<u32, f64>>::new());
        let mut tight: Vec<([u32; 2], u32, f64)> = Vec::new();
        if surface.parts.iter().all(|part| part.is_round || part.radius == 0.0) {
            return Default::default();
        }
        let mut candidates = Candidates::default();
        BroadPhase::default().find(surface, x, gap, &mut candidates);
        for pair in candidates.pairs() {
            let (nodes, [a, b]) = (pair.nodes(surface), pair.parts(surface));
            let [round, thick] = surface.round_and_thick([a, b]);
            if thick == 0.0 || a == b && surface.neighbours.any(surface, &nodes[..pair.kind.first()], &nodes[pair.kind.first()..]) {
                continue;
            }
            let nearest = pair.kind.nearest(&at(&nodes, x));
            let apart = nearest.distance() - round;
            if apart < (1.0 - UNTOLD) * thick {
                let node = nodes[if nearest.weights[1] > nearest.weights[0] { 1 } else { 0 }];
                tight.push(([a.min(b), a.max(b)], node, apart));
            }
            let share = ((apart - gap) / thick).max(0.0);
            if share < 1.0 {
                let shares = shares.entry([a.min(b), a.max(b)]).or_default();
                // What cannot move is touched by what can, which has the share of its own.
                for node in nodes.into_iter().filter(|&node| node != NO_NODE && surface.movable[node as usize]) {
                    let least = shares.entry(node).or_insert(1.0);
                    *least = share.min(*least);
                }
            }
        }
        // Ascending by parts and nodes, of each node the nearest first.
        tight.sort_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(a.2.total_cmp(&b.2)));
        tight.dedup_by_key(|(parts, node, _)| (*parts, *node));
        let of_parts = |group: &[([u32; 2], u32, f64)]| {
            let (parts, node, least) = group.iter().copied().min_by(|a, b| a.2.total_cmp(&b.2))?;
            Some(TightPlaces { parts, count: group.len(), least, place: x[node as usize] })
        };
        let parts = shares.into_iter().map(|(parts, shares)| (parts, shares.into_iter().collect())).collect();
        (Self { parts }, tight.chunk_by(|a, b| a.0 == b.0).filter_map(of_parts).collect())
    }

    /// With these shares for the nodes, among so many parts.
    #[cfg(test)]
    pub fn of_shares(parts: u32, shares: Vec<f64>) -> Self {
        let shares: Vec<(u32, f64)> = (0..).zip(shares).collect();
        Self { parts: (0..parts).flat_map(|a| (a..parts).map(move |b| [a, b])).map(|parts| (parts, shares.clone())).collect() }
    }

    /// The share of a pair of features of two parts with these nodes.
    #[inline]
    pub fn share(&self, [a, b]: [u32; 2], nodes: &[u32]) -> f64 {
        let Ok(index) = self.parts.binary_search_by_key(&[a.min(b), a.max(b)], |(parts, _)| *parts) else { return 1.0 };
        let shares = &self.parts[index].1;
        let known = nodes.iter().filter_map(|node| shares.binary_search_by_key(node, |(node, _)| *node).ok());
        known.fold(1.0, |least, index| shares[index].1.min(least))
    }
}

impl CollisionSurface {
    /// How far a part reaches around its features at most [m].
    #[inline]
    pub fn radius(&self, part: u32) -> f64 {
        self.parts.get(part as usize).map_or(0.0, |part| part.radius)
    }

    /// How far the part of a node reaches around its features at most [m].
    pub fn radius_at(&self, node: u32) -> f64 {
        self.part_of_node(node).map_or(0.0, |part| self.radius(part))
    }

    /// Whether a part is round.
    #[inline]
    pub fn is_round(&self, part: u32) -> bool {
        self.parts.get(part as usize).is_some_and(|part| part.is_round)
    }

    /// Whether the part of a node is round.
    pub fn is_round_at(&self, node: u32) -> bool {
        self.part_of_node(node).is_some_and(|part| self.is_round(part))
    }

    /// How far two parts reach around a pair of their features, together [m], of whose `nodes` the first `first` are of the first one.
    #[inline]
    pub fn radius_between(&self, parts: [u32; 2], nodes: &[u32; 4], first: usize) -> f64 {
        let [round, thick] = self.round_and_thick(parts);
        if thick == 0.0 {
            return round;
        }
        let are_neighbours = parts[0] == parts[1] && self.neighbours.any(self, &nodes[..first], &nodes[first..]);
        if are_neighbours { 0.0 } else { round + self.thinness.share(parts, nodes) * thick }
    }

    /// What the part of the first of two nodes has of the radius between their parts [m].
    pub fn radius_on_first(&self, nodes: [u32; 2], radius: f64) -> f64 {
        let [first, second] = nodes.map(|node| self.radius_at(node));
        if first == 0.0 { 0.0 } else { radius * (first / (first + second)) }
    }

    /// Sum of the radii of those of two parts that are round, and of the others [m].
    #[inline]
    fn round_and_thick(&self, parts: [u32; 2]) -> [f64; 2] {
        let add = |[round, thick]: [f64; 2], part: u32| {
            let radius = self.radius(part);
            if self.is_round(part) { [round + radius, thick] } else { [round, thick + radius] }
        };
        parts.into_iter().fold([0.0; 2], add)
    }
}
