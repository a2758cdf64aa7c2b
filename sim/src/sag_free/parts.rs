//! [`Parts`]: the nodes that are joined by elements. Against rigid obstacles each part is in balance or not by itself.

use super::problem::{BalanceProblem, ContactSite};
use crate::math::Vec3;
use crate::mesh::topology::DisjointSets;

/// Which nodes are joined by elements.
pub struct Parts {
    /// Part of each node.
    of_node: Vec<u32>,
    /// Whether a fixed or sliding node or a contact holds a part, however badly.
    held: Vec<bool>,
}

impl Parts {
    /// The parts of `problem`.
    pub fn of(problem: &BalanceProblem) -> Self {
        let mut sets = DisjointSets::new(problem.positions.len());
        for family in problem.families {
            for e in 0..family.len() {
                let nodes = family.nodes(e);
                nodes.iter().for_each(|&node| sets.join(nodes[0], node));
            }
        }
        let of_node = sets.numbered();
        let mut held = vec![false; of_node.iter().max().map_or(0, |&last| last as usize + 1)];
        let fixed = (0..of_node.len()).filter(|&n| !problem.free[n]);
        let sliding = problem.slides.iter().map(|slide| slide.0 as usize);
        let touching = problem.sites.iter().flat_map(|site| site.shares().map(|(node, _)| node as usize));
        for node in fixed.chain(sliding).chain(touching) {
            held[of_node[node] as usize] = true;
        }
        Self { of_node, held }
    }

    /// Part of a node.
    pub fn of_node(&self, node: usize) -> u32 {
        self.of_node[node]
    }

    /// The loads of the problem, but none on parts that nothing holds [N].
    pub fn held_loads(&self, problem: &BalanceProblem) -> Vec<Vec3> {
        self.loads_where(problem, |part| self.held[part as usize])
    }

    /// The loads and contacts of one part alone.
    pub fn alone(&self, part: u32, problem: &BalanceProblem) -> (Vec<Vec3>, Vec<ContactSite>) {
        let sites = problem.sites.iter().filter(|site| self.of_node[site.nodes[0] as usize] == part).copied();
        (self.loads_where(problem, |other| other == part), sites.collect())
    }

    fn loads_where(&self, problem: &BalanceProblem, keep: impl Fn(u32) -> bool) -> Vec<Vec3> {
        problem.loads.iter().zip(&self.of_node).map(|(load, &part)| if keep(part) { *load } else { Vec3::zeros() }).collect()
    }
}
