//! [`GridRow`]: the cones of the balance on a grid.

use super::walls::WallRow;
use super::yields::{Coordinates, PointRow, ROWS};
use crate::math::Vec3;
use crate::sag_free::cone::{Cone, Scaling};
use crate::sag_free::interior_point::{ConeRow, Give, spring};

/// A wall at a node, or a point that yields.
pub(super) enum GridRow<'a> {
    Wall(WallRow),
    Point(PointRow<'a>),
}

impl GridRow<'_> {
    /// Its force before anything bears.
    pub fn unloaded(&self) -> Coordinates {
        match self {
            Self::Wall(_) => Coordinates::zeros(),
            Self::Point(row) => row.unloaded(),
        }
    }

    /// Without limit: of walls springs whose stiffness is the square of `root`, of points what is elastic.
    pub fn unlimited(&self, root: f64) -> Scaling<ROWS> {
        match self {
            Self::Wall(_) => spring(root),
            Self::Point(_) => spring(f64::INFINITY),
        }
    }
}

impl ConeRow<ROWS> for GridRow<'_> {
    fn cone(&self) -> Cone {
        match self {
            Self::Wall(row) => row.cone,
            Self::Point(row) => row.cone(),
        }
    }

    fn displacement(&self, u: &[Vec3]) -> Coordinates {
        match self {
            Self::Wall(row) => row.displacement(u),
            Self::Point(row) => row.displacement(u),
        }
    }

    fn give(&self) -> Option<Give<ROWS>> {
        match self {
            Self::Wall(_) => None,
            Self::Point(row) => row.give(),
        }
    }

    fn add_force(&self, z: &Coordinates, nodes: &mut [Vec3]) {
        match self {
            Self::Wall(row) => row.add_force(z, nodes),
            Self::Point(row) => row.add_force(z, nodes),
        }
    }
}
