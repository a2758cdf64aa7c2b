//! Rigid obstacles as signed distances.

use super::distance::placed;
use crate::math::{Mat3, Vec3};
use crate::scene::{Shape, WallCondition};

/// An obstacle placed in the scene.
#[derive(Debug, Clone)]
pub struct PlacedObstacle {
    /// Name in the scene.
    pub name: String,
    /// Shape.
    pub shape: Shape,
    /// Time at which it is taken away [s]; infinite for never.
    pub removed_at: f64,
    /// How it holds nodes of the grid of material points.
    pub wall: WallCondition,
}

/// Signed distance of a point to an obstacle, with derivatives.
#[derive(Debug, Clone, Copy)]
pub struct Distance {
    /// Signed distance [m], positive outside.
    pub value: f64,
    /// Its gradient: the outward unit normal.
    pub normal: Vec3,
    /// Its second derivatives [1/m].
    pub curvature: Mat3,
}

impl PlacedObstacle {
    /// One that stays, and holds off.
    pub fn new(name: &str, shape: Shape) -> Self {
        Self { name: name.into(), shape, removed_at: f64::INFINITY, wall: WallCondition::default() }
    }

    /// Signed distance of `point` [m]. Loops over many points place the shape once, by [`placed`].
    pub fn distance(&self, point: &Vec3) -> Distance {
        placed(&self.shape).distance(point)
    }

    /// Whether the obstacle is still there at `time` [s].
    pub fn is_present(&self, time: f64) -> bool {
        time < self.removed_at
    }
}
