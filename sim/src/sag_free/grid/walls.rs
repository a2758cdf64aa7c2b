//! [`Wall`]: a node of the grid in a wall, or at it, as a cone of the balance.

use super::yields::Coordinates;
use crate::math::{Mat3, Vec3};
use crate::sag_free::cone::Cone;
use crate::sag_free::row::cone_frame;

/// A node that a wall holds off: u_n >= mu |u_t|, with forces in the cone of friction. It needs neither anchor nor preload: the stepper
/// gives back exactly the impulse that balances, as long as that is in the cone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wall {
    /// The node.
    pub node: u32,
    /// Out of the wall.
    pub normal: Vec3,
    /// Friction coefficient.
    pub friction: f64,
}

/// The cone of a wall over the nodes, in the first three coordinates of a row.
pub(super) struct WallRow {
    pub node: usize,
    /// Place of the node among the unknowns.
    pub place: usize,
    pub cone: Cone,
    /// Normal, then mu times two tangents.
    pub frame: Mat3,
}

impl WallRow {
    /// With this share of its friction, and its node at this place of the unknowns.
    pub fn new(wall: &Wall, share: f64, place: usize) -> Self {
        let (cone, frame) = cone_frame(&wall.normal, share * wall.friction);
        Self { node: wall.node as usize, place, cone, frame }
    }

    pub fn displacement(&self, u: &[Vec3]) -> Coordinates {
        let mut displacement = Coordinates::zeros();
        displacement.fixed_rows_mut::<3>(0).copy_from(&(self.frame * u[self.place]));
        displacement
    }

    /// The force on the node.
    pub fn force(&self, z: &Coordinates) -> Vec3 {
        self.frame.tr_mul(&Vec3::new(z[0], z[1], z[2]))
    }

    pub fn add_force(&self, z: &Coordinates, places: &mut [Vec3]) {
        places[self.place] += self.force(z);
    }
}
