//! [`BalanceProblem`]: positions, loads, free nodes, sources of force. It knows neither meshes nor grids.

use crate::element::Family;
use crate::math::{Mat3, Vec3};

/// What the global stage balances.
pub struct BalanceProblem<'a> {
    /// Node positions in the given shape [m].
    pub positions: &'a [Vec3],
    /// External force on each node [N].
    pub loads: &'a [Vec3],
    /// Nodes that must be in balance.
    pub free: &'a [bool],
    /// Elements that can make force.
    pub families: &'a [Box<dyn Family>],
    /// Contacts that can make force.
    pub sites: &'a [ContactSite],
}

/// A free node near an obstacle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactSite {
    /// Index of the (node, obstacle) pair in the system.
    pub pair: u32,
    /// The node.
    pub node: u32,
    /// Outward unit normal of the obstacle at the node.
    pub normal: Vec3,
    /// Friction coefficient that the solved force may use.
    pub friction: f64,
    /// True distance [m].
    pub distance: f64,
}

/// Forces in balance with the loads.
#[derive(Debug, Clone, Default)]
pub struct Forces {
    /// Force coordinates of each family.
    pub coordinates: Vec<Vec<f64>>,
    /// Force of each contact on its node [N].
    pub contacts: Vec<Vec3>,
    /// Net force on each node, zero on fixed ones [N].
    pub net: Vec<Vec3>,
    /// max |net force| over max |load|.
    pub residual: f64,
    /// Interior-point iterations, or back-substitutions without contact.
    pub iterations: usize,
    /// Numerical factorisations.
    pub factorisations: usize,
}

impl BalanceProblem<'_> {
    /// Largest load on a free node [N]; at least the smallest positive number.
    pub fn largest_load(&self) -> f64 {
        let free = self.loads.iter().zip(self.free).filter(|(_, free)| **free);
        free.map(|(load, _)| load.norm()).fold(f64::MIN_POSITIVE, f64::max)
    }

    /// Blocks of the global matrix for each family (`ForceSubspace::compliance_blocks`).
    pub fn compliance_blocks(&self) -> Vec<Vec<Mat3>> {
        self.families
            .iter()
            .map(|family| {
                let width = family.nodes_per_element();
                let mut blocks = vec![Mat3::zeros(); family.len() * width * width];
                family.compliance_blocks(self.positions, &mut blocks);
                blocks
            })
            .collect()
    }

    /// The forces that the dual displacement `dual` [m] and contact forces stand for, with what they leave unbalanced.
    pub fn forces(&self, dual: &[Vec3], contacts: Vec<Vec3>) -> Forces {
        let mut net = self.loads.to_vec();
        let mut coordinates = Vec::with_capacity(self.families.len());
        for family in self.families {
            let mut s = vec![0.0; family.len() * family.coordinates_per_element()];
            family.coordinates_from_dual(self.positions, dual, &mut s);
            // The dual displacement is where an elastic body would go under the loads: its stress pulls back.
            family.add_forces(self.positions, &s, &mut net);
            coordinates.push(s);
        }
        for (site, force) in self.sites.iter().zip(&contacts) {
            net[site.node as usize] += force;
        }
        for (net, _) in net.iter_mut().zip(self.free).filter(|(_, free)| !**free) {
            *net = Vec3::zeros();
        }
        let residual = net.iter().map(|n| n.norm()).fold(0.0, f64::max) / self.largest_load();
        Forces { coordinates, contacts, net, residual, iterations: 0, factorisations: 0 }
    }
}
