//! Sag-free initialisation (Hsu et al. 2022): find internal and contact forces that balance the loads in the given
//! shape (global stage), then the rest state of each element that makes its share (local stage).

use crate::math::Vec3;

/// The forces that hold the given shape, handed to the stepper.
#[derive(Debug, Clone, Default)]
pub struct Balance {
    /// Contacts with the force solved for each.
    pub contacts: Vec<BalancedContact>,
}

/// A contact found in the given shape, and the force that it must make there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BalancedContact {
    /// Index into [`crate::system::System::pairs`].
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
