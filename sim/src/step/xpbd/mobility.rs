//! [`Mobility`] of the nodes of a system.

use std::ops::Deref;

use crate::element;
use crate::system::System;

/// Inverse masses, with what supports hold.
#[derive(Debug, Clone, Default)]
pub struct Mobility {
    of_nodes: element::Mobility,
    fixed: Vec<bool>,
}

impl Deref for Mobility {
    type Target = element::Mobility;

    fn deref(&self) -> &element::Mobility {
        &self.of_nodes
    }
}

impl Mobility {
    /// That of the nodes of `system`.
    pub fn of(system: &System) -> Self {
        let mut mobility = Self::default();
        mobility.renew(system);
        mobility
    }

    /// Takes over which nodes are held, where that has changed.
    pub fn renew(&mut self, system: &System) {
        if self.fixed == system.fixed && self.inverse.len() == system.masses.len() {
            return;
        }
        self.fixed.clone_from(&system.fixed);
        let inverse = |(mass, fixed): (&f64, &bool)| if *fixed || *mass <= 0.0 { 0.0 } else { 1.0 / mass };
        self.of_nodes.inverse = system.masses.iter().zip(&system.fixed).map(inverse).collect();
        self.of_nodes.allowed = if system.slides.is_empty() { Vec::new() } else { vec![None; self.inverse.len()] };
        system.slides.iter().for_each(|(node, allowed)| self.of_nodes.allowed[*node as usize] = Some(*allowed));
    }
}
