//! [`Parts`]: the nodes that are joined by elements, and the groups of parts that touch one another. Each group is in balance
//! or not by itself.

use super::problem::{BalanceProblem, ContactSite, Forces};
use crate::element::Family;
use crate::math::Vec3;
use crate::mesh::topology::DisjointSets;

/// Net force and moment, as shares of the loads', under which loads balance by themselves.
const SELF_BALANCED: f64 = 1e-10;

/// Which nodes are joined by elements, and which by contacts as well.
pub struct Parts {
    /// Part of each node.
    of_node: Vec<u32>,
    /// Group of each part.
    of_part: Vec<u32>,
    /// Whether a fixed or sliding node, an anchored element or a contact with what cannot move holds a group, however badly.
    held: Vec<bool>,
    /// Whether an anchored element does.
    anchored: Vec<bool>,
}

impl Parts {
    /// The parts of `problem`.
    pub fn of(problem: &BalanceProblem) -> Self {
        let of_node = joined_by_elements(problem.positions.len(), problem.families).numbered();
        let count = of_node.iter().max().map_or(0, |&last| last as usize + 1);
        let mut parts_joined = DisjointSets::new(count);
        for site in problem.sites {
            let mut free = free_nodes(problem, site).map(|node| of_node[node as usize]);
            if let Some(first) = free.next() {
                free.for_each(|part| parts_joined.join(first, part));
            }
        }
        let of_part = parts_joined.numbered();
        let mut parts = Self { of_node, held: vec![false; count], anchored: vec![false; count], of_part };
        for family in problem.families.iter().filter(|family| family.is_anchored()) {
            for e in 0..family.len() {
                let group = parts.group_of(family.nodes(e)[0] as usize);
                (parts.held[group as usize], parts.anchored[group as usize]) = (true, true);
            }
        }
        for node in (0..problem.positions.len()).filter(|&node| !problem.free[node]) {
            parts.hold(node);
        }
        problem.slides.iter().for_each(|slide| parts.hold(slide.0 as usize));
        for site in problem.sites.iter().filter(|site| site.is_on_support(problem.free)) {
            free_nodes(problem, site).for_each(|node| parts.hold(node as usize));
        }
        parts.hold_balanced(problem);
        parts
    }

    /// Part of a node.
    pub fn of_node(&self, node: usize) -> u32 {
        self.of_node[node]
    }

    /// Group of a node.
    pub fn group_of(&self, node: usize) -> u32 {
        self.of_part[self.of_node[node] as usize]
    }

    /// Whether anything holds a group.
    pub fn is_held(&self, group: u32) -> bool {
        self.held[group as usize]
    }

    /// Whether elements hold a group by themselves: how well, rigid bodies do not tell.
    pub fn is_anchored(&self, group: u32) -> bool {
        self.anchored[group as usize]
    }

    /// The groups with a node on which more than `limit` [N] is out of balance, ascending.
    pub fn out_of_balance(&self, forces: &Forces, limit: f64) -> Vec<u32> {
        let mut groups: Vec<u32> = (0..forces.net.len()).filter(|&n| forces.net[n].norm() > limit).map(|n| self.group_of(n)).collect();
        groups.sort_unstable();
        groups.dedup();
        groups
    }

    /// The loads on the groups that `keep` names, none on the others [N].
    pub fn loads_where(&self, loads: &[Vec3], keep: impl Fn(u32) -> bool) -> Vec<Vec3> {
        loads.iter().enumerate().map(|(node, load)| if keep(self.group_of(node)) { *load } else { Vec3::zeros() }).collect()
    }

    /// The contacts of the groups that `keep` names, as numbers in the problem's list.
    pub fn sites_where(&self, problem: &BalanceProblem, keep: impl Fn(u32) -> bool) -> Vec<usize> {
        let is_of = |site: &ContactSite| free_nodes(problem, site).next().is_some_and(|node| keep(self.group_of(node as usize)));
        (0..problem.sites.len()).filter(|&index| is_of(&problem.sites[index])).collect()
    }

    fn hold(&mut self, node: usize) {
        let group = self.group_of(node);
        self.held[group as usize] = true;
    }

    /// A group whose loads balance by themselves needs nothing that holds it.
    fn hold_balanced(&mut self, problem: &BalanceProblem) {
        let mut sums = vec![Sums::default(); self.held.len()];
        let mut middles = vec![(Vec3::zeros(), 0.0); self.held.len()];
        let [first, end] = problem.internal;
        for (node, x) in problem.positions.iter().enumerate().filter(|(node, _)| !(first..end).contains(node)) {
            let middle = &mut middles[self.group_of(node) as usize];
            (middle.0, middle.1) = (middle.0 + x, middle.1 + 1.0);
        }
        let points = problem.positions.iter().zip(problem.loads).enumerate();
        for (node, (x, load)) in points.filter(|(node, _)| !(first..end).contains(node)) {
            let group = self.group_of(node) as usize;
            let arm = x - middles[group].0 / middles[group].1;
            let sum = &mut sums[group];
            sum.force += load;
            sum.moment += arm.cross(load);
            sum.loads += load.norm();
            sum.moments += arm.norm() * load.norm();
        }
        for (held, sum) in self.held.iter_mut().zip(&sums) {
            *held |= sum.force.norm() <= SELF_BALANCED * sum.loads && sum.moment.norm() <= SELF_BALANCED * sum.moments;
        }
    }
}

/// `count` nodes, joined where an element has several of them.
pub fn joined_by_elements(count: usize, families: &[Box<dyn Family>]) -> DisjointSets {
    let mut joined = DisjointSets::new(count);
    for family in families {
        for e in 0..family.len() {
            let nodes = family.nodes(e);
            nodes.iter().for_each(|&node| joined.join(nodes[0], node));
        }
    }
    joined
}

/// Sums over the loads of a group: net force [N] and moment [N m], and those of their sizes.
#[derive(Clone, Default)]
struct Sums {
    force: Vec3,
    moment: Vec3,
    loads: f64,
    moments: f64,
}

/// The nodes of a site that must be in balance.
fn free_nodes<'a>(problem: &'a BalanceProblem, site: &'a ContactSite) -> impl Iterator<Item = u32> + 'a {
    site.nodes().filter(|&node| problem.free[node as usize])
}
