//! What contact knows of a system.

use super::System;
use crate::contact::{Burden, Burdened, ContactSpace};
use crate::math::Vec3;

impl<'a> From<&'a System> for ContactSpace<'a> {
    fn from(system: &'a System) -> Self {
        Self {
            positions: &system.positions,
            fixed: &system.fixed,
            obstacles: &system.obstacles,
            pairs: &system.pairs,
            surface: &system.surface,
            settings: &system.contact,
            diagonal: system.diagonal,
            burden: system,
        }
    }
}

impl Burdened for System {
    fn burden(&self) -> Burden {
        // Whoever comes in later is to be carried by the same barrier.
        let mut held = self.held_nodes();
        held[self.internal_nodes()].fill(true);
        // Points that meet bodies one way burden none.
        let points = self.points().filter(|_| self.goes_one_way());
        points.into_iter().flat_map(|points| points.connectivity()).for_each(|[node]| held[*node as usize] = true);
        let mass: f64 = (0..self.masses.len()).filter(|&n| !held[n]).map(|n| self.masses[n]).sum();
        let nodes = held.iter().filter(|held| !**held).count().max(1);
        Burden {
            loads: self.settled_loads().iter().zip(&held).filter(|(_, held)| !**held).map(|(load, _)| Vec3::norm(load)).sum(),
            has_gravity: self.gravity.norm() > 0.0,
            mass: mass / nodes as f64,
            step_size: self.simulate.step_size,
        }
    }
}
