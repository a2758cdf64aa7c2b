//! [`Mobility`]: how far nodes move under an impulse.

use crate::math::{Mat3, Vec3};
use crate::system::System;

/// Inverse masses, with what supports hold.
#[derive(Debug, Clone, Default)]
pub struct Mobility {
    /// Of each node [1/kg]; 0 where it is held.
    inverse: Vec<f64>,
    /// Projectors onto the directions in which nodes slide; empty where none does.
    allowed: Vec<Option<Mat3>>,
    fixed: Vec<bool>,
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
        self.inverse = system.masses.iter().zip(&system.fixed).map(inverse).collect();
        self.allowed = if system.slides.is_empty() { Vec::new() } else { vec![None; self.inverse.len()] };
        system.slides.iter().for_each(|(node, allowed)| self.allowed[*node as usize] = Some(*allowed));
    }

    /// Inverse mass [1/kg].
    pub fn inverse(&self, node: u32) -> f64 {
        self.inverse[node as usize]
    }

    /// The change of velocity under an impulse.
    pub fn moved(&self, node: u32, impulse: &Vec3) -> Vec3 {
        let moved = self.inverse[node as usize] * impulse;
        match self.allowed.get(node as usize) {
            Some(Some(allowed)) => allowed * moved,
            _ => moved,
        }
    }
}
