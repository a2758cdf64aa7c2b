//! [`Hierarchy`]: coarser and coarser copies of the bodies, whose lengths are corrected from the coarsest on, and what they move takes the finer
//! nodes along (Muller 2008, "Hierarchical Position Based Dynamics"). Coarse lengths only resist being stretched, so that bodies still fold.
//!
//! A coarse node is as heavy as what it takes along: then corrections of coarse lengths keep momentum.

use super::SLACK;
use super::lengths::Lengths;
use crate::math::Vec3;
use crate::step::xpbd::constraints::projections;
use crate::step::xpbd::mobility::Mobility;
use crate::system::System;

/// Coarse nodes that a finer one moves with, at most.
const PARENTS: usize = 3;

/// Coarse copies, the finest first.
#[derive(Debug, Default)]
pub struct Hierarchy {
    pub(super) levels: Vec<Level>,
    /// Which nodes were held when it was made, and how many copies were asked for.
    made_for: Option<(Vec<bool>, u32)>,
    /// Places of nodes before the copies are corrected [m].
    before: Vec<Vec3>,
}

/// A copy.
#[derive(Debug, Default)]
pub(super) struct Level {
    /// Nodes that are in it.
    pub(super) nodes: Vec<u32>,
    /// Its lengths: two nodes, their inverse masses [1/kg], and how far they may be apart [m].
    edges: Vec<(u32, u32, [f64; 2], f64)>,
    /// Nodes of the finer copy that are not in it, and where their parents begin in `parents`.
    taken_along: Vec<(u32, usize)>,
    /// Parents of those, with their weights.
    parents: Vec<(u32, f64)>,
}

impl Hierarchy {
    /// Takes over what is held, and how many copies there are at most.
    pub fn renew(&mut self, system: &System, mobility: &Mobility, levels: u32) {
        if self.made_for.as_ref().is_some_and(|(fixed, known)| *fixed == system.fixed && *known == levels) {
            return;
        }
        self.made_for = Some((system.fixed.clone(), levels));
        self.levels.clear();
        if levels == 0 {
            return;
        }
        self.before = vec![Vec3::zeros(); system.positions.len()];
        let mut lengths = Lengths::of(&projections(system), &system.positions);
        let mut masses = system.masses.clone();
        let mut nodes: Vec<u32> = (0..).zip(&lengths.0).filter(|(_, edges)| !edges.is_empty()).map(|(node, _)| node).collect();
        for _ in 0..levels {
            let Some(level) = Level::coarser(&mut lengths, &mut nodes, &mut masses, &system.fixed, mobility) else { break };
            self.levels.push(level);
        }
    }

    /// Corrects the copies, from the coarsest on.
    pub fn project(&mut self, mobility: &Mobility, x: &mut [Vec3]) {
        if self.levels.is_empty() {
            return;
        }
        self.before.copy_from_slice(x);
        for level in self.levels.iter().rev() {
            level.shorten(x, mobility);
            // By all that the parents have moved, from the coarsest copy on.
            for (k, &(node, first)) in level.taken_along.iter().enumerate() {
                let end = level.taken_along.get(k + 1).map_or(level.parents.len(), |next| next.1);
                let moved = |&(parent, weight): &(u32, f64)| weight * (x[parent as usize] - self.before[parent as usize]);
                let way: Vec3 = level.parents[first..end].iter().map(moved).sum();
                x[node as usize] += mobility.taken(node, &way);
            }
        }
    }
}

impl Level {
    /// The next coarser copy of `nodes` with `lengths` and `masses` [kg], which become those of the copy; `None` where nothing can be left out.
    fn coarser(lengths: &mut Lengths, nodes: &mut Vec<u32>, masses: &mut [f64], fixed: &[bool], mobility: &Mobility) -> Option<Self> {
        // A node is left out as long as none of its neighbours is: every second one along a line.
        let mut is_kept = vec![false; fixed.len()];
        let mut is_left_out = vec![false; fixed.len()];
        for &node in &*nodes {
            let has_gap_beside = lengths.0[node as usize].iter().any(|(other, _)| is_left_out[*other as usize]);
            let keeps = fixed[node as usize] || has_gap_beside || lengths.0[node as usize].len() < 2;
            if keeps { is_kept[node as usize] = true } else { is_left_out[node as usize] = true }
        }
        let mut level = Self::default();
        for &node in nodes.iter().filter(|node| is_left_out[**node as usize]) {
            let mut around: Vec<(u32, f64)> =
                lengths.0[node as usize].iter().filter(|(other, _)| is_kept[*other as usize]).copied().collect();
            around.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
            around.truncate(PARENTS);
            level.taken_along.push((node, level.parents.len()));
            let total: f64 = around.iter().map(|(_, length)| 1.0 / length).sum();
            for (parent, length) in around {
                let weight = 1.0 / (length * total);
                masses[parent as usize] += weight * masses[node as usize];
                level.parents.push((parent, weight));
            }
        }
        if level.taken_along.is_empty() {
            return None;
        }
        // A node that was left out is drawn into the nearest that was not, with the edges that it had.
        let mut coarse = Lengths(vec![Vec::new(); fixed.len()]);
        for &(node, first) in &level.taken_along {
            let nearest = level.parents[first].0;
            let around = &lengths.0[node as usize];
            let Some(&(_, there)) = around.iter().find(|(other, _)| *other == nearest) else { continue };
            around.iter().filter(|(other, _)| *other != nearest).for_each(|&(other, length)| coarse.join(nearest, other, there + length));
        }
        lengths
            .edges()
            .filter(|(a, b, _)| is_kept[*a as usize] && is_kept[*b as usize])
            .for_each(|(a, b, length)| coarse.join(a, b, length));
        nodes.retain(|node| is_kept[*node as usize]);
        level.nodes.clone_from(nodes);
        *lengths = coarse;
        let inverse = |node: u32| if mobility.inverse(node) > 0.0 { 1.0 / masses[node as usize] } else { 0.0 };
        let edge = |(a, b, length): (u32, u32, f64)| (a, b, [inverse(a), inverse(b)], SLACK * length);
        level.edges = lengths.edges().map(edge).filter(|edge| edge.2[0] + edge.2[1] > 0.0).collect();
        Some(level)
    }

    /// One sweep over its lengths.
    fn shorten(&self, x: &mut [Vec3], mobility: &Mobility) {
        for &(a, b, [of_a, of_b], most) in &self.edges {
            let way = x[b as usize] - x[a as usize];
            let length = way.norm();
            if length > most {
                let correction = (1.0 - most / length) / (of_a + of_b) * way;
                x[a as usize] += mobility.taken(a, &(of_a * correction));
                x[b as usize] -= mobility.taken(b, &(of_b * correction));
            }
        }
    }
}
