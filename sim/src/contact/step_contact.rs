//! [`ContactMemory`] and [`StepContact`]: contact with obstacles and between surfaces, as the stepper sees them.

use super::potential::{ContactPotential, ContactSummary};
use super::slots::{Contacts, Slot};
use crate::math::{Mat3, Vec3};
use crate::sag_free::Balance;
use crate::system::System;

/// What all contacts remember from one step to the next.
pub struct ContactMemory {
    /// Contacts of nodes with obstacles that are signed distances.
    pub obstacles: Contacts,
}

/// What of a [`ContactMemory`] changes from step to step.
#[derive(Debug, Clone, PartialEq)]
pub struct Remembered {
    obstacles: Vec<Slot>,
}

/// All contact energy of one step.
pub struct StepContact<'a> {
    obstacles: ContactPotential<'a>,
}

/// Force that a contact makes now.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactForce {
    /// Where [m].
    pub point: Vec3,
    /// Force on the node or surface that `node` belongs to [N].
    pub force: Vec3,
    /// The node; for a contact between edges, the first of the edge.
    pub node: u32,
}

impl ContactMemory {
    /// The contacts of the given shape, each with the force that `balance` holds for it, or none.
    pub fn new(system: &System, balance: &Balance) -> Self {
        Self { obstacles: Contacts::new(system, balance) }
    }

    /// The potential of the step that starts at the positions `origin`; `time` tells which obstacles are there [s].
    pub fn freeze<'a>(&'a mut self, system: &'a System, origin: &'a [Vec3], time: f64) -> StepContact<'a> {
        StepContact { obstacles: self.obstacles.freeze(system, origin, time) }
    }

    /// What changes from step to step, to go back to.
    pub fn remembered(&self) -> Remembered {
        Remembered { obstacles: self.obstacles.slots.clone() }
    }

    /// Goes back to, or on with, what is to be remembered.
    pub fn remember(&mut self, remembered: Remembered) {
        self.obstacles.slots = remembered.obstacles;
    }
}

impl StepContact<'_> {
    /// A node from where no step can be taken, and why.
    pub fn jammed(&self) -> Option<(usize, String)> {
        self.obstacles.jammed().map(|(node, obstacle)| (node, format!("it is inside the obstacle `{obstacle}`; move one of them")))
    }

    /// Energy of barriers and friction [J]; infinite if a gap is closed.
    pub fn energy(&mut self, x: &[Vec3]) -> f64 {
        self.obstacles.energy(x)
    }

    /// Adds the gradient of the energy [N].
    pub fn add_gradient(&mut self, x: &[Vec3], gradient: &mut [Vec3]) {
        self.obstacles.add_gradient(x, gradient);
    }

    /// Adds the second derivatives of the contacts with obstacles [N/m] to the diagonal block of each node.
    pub fn add_obstacle_hessian(&self, x: &[Vec3], projected: bool, diagonal: &mut [Mat3]) {
        self.obstacles.add_hessian(x, projected, diagonal);
    }

    /// The second derivatives of contacts between surfaces [N/m], each with its four nodes.
    pub fn surface_hessian(&mut self, _x: &[Vec3], _projected: bool) -> (&[[u32; 4]], &[[[Mat3; 4]; 4]]) {
        (&[], &[])
    }

    /// Lowers the step of each node, in [0, 1] along `dx`, to what keeps its gaps to obstacles open.
    pub fn limit_node_steps(&self, x: &[Vec3], dx: &[Vec3], steps: &mut [f64]) {
        self.obstacles.limit_steps(x, dx, steps);
    }

    /// The largest step in [0, `limit`] along `dx` on which no surfaces touch.
    pub fn max_step(&mut self, _x: &[Vec3], _dx: &[Vec3], limit: f64) -> f64 {
        limit
    }

    /// Takes normal forces and tangent planes of friction from `x`; false if that changes next to nothing.
    pub fn relag(&mut self, x: &[Vec3]) -> bool {
        self.obstacles.include_new_contacts(x)
    }

    /// Work done against friction on the way from the step's start to `x` [J].
    pub fn friction_work(&self, x: &[Vec3]) -> f64 {
        self.obstacles.friction_work(x)
    }

    /// What the contacts do at `x`.
    pub fn summary(&mut self, x: &[Vec3]) -> ContactSummary {
        self.obstacles.summary(x)
    }

    /// Forces of the contacts that push at `x`.
    pub fn forces(&mut self, x: &[Vec3]) -> Vec<ContactForce> {
        self.obstacles.forces(x)
    }

    /// What is to be remembered after the step ended at `x`.
    pub fn finish(&mut self, x: &[Vec3]) -> Remembered {
        Remembered { obstacles: self.obstacles.finish(x) }
    }
}
