//! [`Mobility`] of the nodes of a system.
//!
//! The force that a constraint makes in the balance is explicit in how its frames turn, so that a part h of a step is stable only while
//! S = h^2 |f*| w |C''| is below 2. The true inertia of the frame of a thin segment, m r^2 / 2, makes S a hundred and more. So a frame turns here
//! with the inertia of a segment of its length, m l^2 / 12, or with as much more as keeps S at [`TURN`]: curls at 20 substeps of 1/60 s need
//! about m l^2, of the order of the m l^2 / 4 that the ends of the segment have about its middle, and so of what finer segments do away with.
//! No point has another mass, and where nothing turns all is as it was. Of strands that are solved as wholes frames are as light as they are.

use std::ops::Deref;

use crate::element;
use crate::system::System;

use super::constraints::{Constraints, projections};

/// The largest S / h^2 of what frames bear, by their own inertia.
const TURN: f64 = 0.1;
/// Moment of inertia of a thin segment about its middle over m l^2.
const OF_SEGMENT: f64 = 1.0 / 12.0;

/// Inverse masses, with what supports hold.
#[derive(Debug, Clone, Default)]
pub struct Mobility {
    of_nodes: element::Mobility,
    fixed: Vec<bool>,
    /// Mass over h^2 with which each internal node keeps S at [`TURN`] [kg/s^2].
    borne: Vec<f64>,
    /// Size of a part [s].
    part: f64,
    /// Whether strands are solved as wholes, so that frames are as light as they are.
    has_wholes: bool,
    /// The first internal node.
    first: usize,
    /// Arms of the internal nodes [m].
    arms: Vec<f64>,
}

impl Deref for Mobility {
    type Target = element::Mobility;

    fn deref(&self) -> &element::Mobility {
        &self.of_nodes
    }
}

impl Mobility {
    /// That of the nodes of `system`, as long as frames bear nothing.
    pub fn of(system: &System) -> Self {
        let mut mobility = Self::default();
        mobility.renew(system, 0.0);
        mobility
    }

    /// Lets frames be as heavy as what `constraints` carry takes, from the next part on.
    pub fn bear(&mut self, system: &System, constraints: &Constraints) {
        let (families, mut curvatures) = (projections(system), vec![0.0; constraints.widest]);
        let internal = system.internal_nodes();
        self.borne = vec![0.0; internal.len()];
        for c in (0..constraints.len()).filter(|&c| constraints.carried[c] != 0.0) {
            constraints.places[c].curvatures(&families, &system.positions, &mut curvatures);
            let nodes = constraints.nodes(c);
            let turned = curvatures.iter().take(nodes.len()).filter(|curvature| **curvature > 0.0).count() as f64;
            for (&node, curvature) in nodes.iter().zip(&curvatures).filter(|(node, _)| internal.contains(&(**node as usize))) {
                let borne = &mut self.borne[node as usize - internal.start];
                *borne = borne.max(turned * constraints.carried[c].abs() * curvature / TURN);
            }
        }
        self.fixed.clear();
    }

    /// Whether strands are solved as wholes from the next part on.
    pub fn take_wholes(&mut self, has_wholes: bool) {
        if self.has_wholes != has_wholes {
            self.has_wholes = has_wholes;
            self.fixed.clear();
        }
    }

    /// Arm of an internal node [m].
    pub fn arm(&self, node: u32) -> Option<f64> {
        (node as usize).checked_sub(self.first).and_then(|k| self.arms.get(k)).copied()
    }

    /// Whether a node is one of them.
    pub fn is_internal(&self, node: u32) -> bool {
        self.arm(node).is_some()
    }

    /// Takes over which nodes are held and the size of a part [s], where one has changed; whether it has.
    pub fn renew(&mut self, system: &System, part: f64) -> bool {
        if self.fixed == system.fixed && self.inverse.len() == system.masses.len() && self.part == part {
            return false;
        }
        self.fixed.clone_from(&system.fixed);
        self.part = part;
        let first = system.internal_nodes().start;
        self.first = first;
        self.arms.clear();
        self.arms.extend(system.internal.iter().map(|internal| internal.arm));
        let mass = |node: usize| {
            let internal = node.checked_sub(first).and_then(|k| Some((system.internal.get(k)?, self.borne.get(k).copied().unwrap_or(0.0))));
            let internal = internal.filter(|_| !self.has_wholes);
            let least = internal.map_or(0.0, |(frame, borne)| (OF_SEGMENT * frame.of_body).max(part * part * borne));
            system.masses[node].max(least)
        };
        let inverse = |node: usize| if system.fixed[node] || system.masses[node] <= 0.0 { 0.0 } else { 1.0 / mass(node) };
        self.of_nodes.inverse = (0..system.masses.len()).map(inverse).collect();
        self.of_nodes.allowed = if system.slides.is_empty() { Vec::new() } else { vec![None; self.inverse.len()] };
        system.slides.iter().for_each(|(node, allowed)| self.of_nodes.allowed[*node as usize] = Some(*allowed));
        true
    }
}
