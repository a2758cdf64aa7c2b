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

/// All contact energy of one step.
pub struct StepContact<'a> {
    obstacles: ContactPotential<'a>,
}

impl ContactMemory {
    /// The contacts of the given shape, each with the force that `balance` holds for it, or none.
    pub fn new(system: &System, balance: &Balance) -> Self {
        Self { obstacles: Contacts::new(system, balance) }
    }

    /// The potential of the step that starts at the positions `origin`; `time` tells which obstacles are there [s].
    pub fn freeze<'a>(&'a self, system: &'a System, origin: &'a [Vec3], time: f64) -> StepContact<'a> {
        StepContact { obstacles: self.obstacles.freeze(system, origin, time) }
    }
}
