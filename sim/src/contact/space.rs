//! [`ContactSpace`]: what touches, of all that is balanced and stepped.

use super::PlacedObstacle;
use super::surface::CollisionSurface;
use crate::math::Vec3;
use crate::scene::ContactSettings;

/// Nodes, and what they may touch.
#[derive(Clone, Copy)]
pub struct ContactSpace<'a> {
    /// The given shape [m].
    pub positions: &'a [Vec3],
    /// Nodes that contact does not move.
    pub fixed: &'a [bool],
    /// Rigid obstacles.
    pub obstacles: &'a [PlacedObstacle],
    /// Every (surface node, obstacle) pair that may touch by signed distance, ordered by node, then obstacle.
    pub pairs: &'a [TouchPair],
    /// The surfaces of all bodies, then of all obstacles that are surfaces of triangles.
    pub surface: &'a CollisionSurface,
    /// How contact is simulated.
    pub settings: &'a ContactSettings,
    /// Diagonal of the bodies' bounding box in the given shape, the unit of distances in `settings` [m].
    pub diagonal: f64,
    /// What contacts may have to carry.
    pub burden: &'a dyn Burdened,
}

/// A surface node that may touch an obstacle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TouchPair {
    /// The node.
    pub node: u32,
    /// The obstacle.
    pub obstacle: u32,
    /// Friction coefficient of the pair.
    pub friction: f64,
}

/// What knows its [`Burden`]; it is asked when barriers are made, and not at every step.
pub trait Burdened: Sync {
    /// The burden as a whole.
    fn burden(&self) -> Burden;
}

/// What contacts may have to carry or stop, of nodes that no support holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Burden {
    /// Sum of the sizes of the loads [N].
    pub loads: f64,
    /// Whether there is gravity.
    pub has_gravity: bool,
    /// Mean mass of a node [kg].
    pub mass: f64,
    /// Step size [s].
    pub step_size: f64,
}
