//! [`Balance`]: the forces that hold the given shape, as contacts take them over.

#[cfg(doc)]
use super::ContactSpace;
use super::surfaces::PairPreload;
use crate::math::Vec3;

/// The forces that hold the given shape, handed to the stepper.
#[derive(Debug, Clone, Default)]
pub struct Balance {
    /// Contacts with obstacles that are signed distances, with the force solved for each.
    pub contacts: Vec<BalancedContact>,
    /// Contacts between surfaces, each with the force solved for it.
    pub pairs: Vec<PairPreload>,
}

/// A contact found in the given shape, and the force that it must make there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BalancedContact {
    /// Index into [`ContactSpace::pairs`].
    pub pair: u32,
    /// Outward normal of the obstacle.
    pub normal: Vec3,
    /// Normal force [N]; negative only for the pinned baseline.
    pub normal_force: f64,
    /// Friction force on the node, perpendicular to the normal [N].
    pub friction_force: Vec3,
    /// True distance in the given shape [m].
    pub distance: f64,
}

impl BalancedContact {
    /// Force on the node [N].
    pub fn force(&self) -> Vec3 {
        self.normal_force * self.normal + self.friction_force
    }
}
