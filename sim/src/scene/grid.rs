//! [`GridSettings`]: the grid on which material points move.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::math::splines::{Gradient, Kernel};

/// The grid of the steppers `mpm` and `mpm_implicit`, on which material points are balanced as well.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct GridSettings {
    /// Edge of a cell [m]; twice the largest spacing of the particles where this is missing, which makes eight of them a cell.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1e-6, max = 1e3), extend("x-affects" = "physics"))]
    pub spacing: Option<f64>,
    /// By which splines points are between the nodes.
    #[serde(skip_serializing_if = "Kernel::is_usual")]
    #[schemars(extend("x-affects" = "physics"))]
    pub kernel: Kernel,
    /// How velocities go from the points to the grid and back, and by which gradient points are deformed: what is balanced by one is not by another.
    #[schemars(extend("x-affects" = "physics"))]
    pub transfer: Transfer,
    /// Share of their own velocity that points keep under `flip`; the rest is that of the grid.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-affects" = "run"))]
    pub flip: f64,
    /// Parts of equal length that each step is taken in; where this is missing, as many as waves and points need that cross the cells (`mpm_implicit`: points alone).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1000000), extend("x-affects" = "run"))]
    pub substeps: Option<u32>,
    /// What obstacles hold off: the nodes of the grid, or the points themselves (`mpm_implicit` alone).
    #[serde(skip_serializing_if = "GridContact::is_usual")]
    #[schemars(extend("x-affects" = "contacts"))]
    pub contact: GridContact,
    /// What bodies of tets and of cloth beside material points are to these.
    #[serde(skip_serializing_if = "GridBodies::is_usual")]
    #[schemars(extend("x-affects" = "contacts"))]
    pub bodies: GridBodies,
}

/// Where material points meet obstacles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GridContact {
    /// At the nodes of the grid, up to a cell before a point gets there: impulses that stop what comes, by every stepper of material points.
    #[default]
    Grid,
    /// At the points: each is a ball as wide as the spacing of its body, which a barrier keeps off (`contact.barrier_distance`), with friction that sticks. The
    /// stepper is `mpm_implicit`, and the matter elastic.
    Points,
}

/// What other bodies are to material points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GridBodies {
    /// There are none beside material points: others are refused.
    #[default]
    None,
    /// Walls that move: bodies of tets and of cloth go their own way, as if there were no points, and points meet their surfaces. The bodies do not feel the
    /// points, whatever these weigh.
    OneWay,
}

/// How velocities go from the points to the grid and back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Transfer {
    /// Each point has a velocity and its gradient by moving least squares, which deforms it as well (Hu et al. 2018, "A Moving Least Squares Material Point
    /// Method"): keeps both momenta, and damps what the grid does not see. Not with linear splines.
    #[default]
    Mls,
    /// The same velocity and affine part (Jiang et al. 2015, "The Affine Particle-In-Cell Method"), while points are deformed by the gradients of the weights, as they
    /// are by those below.
    Apic,
    /// Points keep their velocity and take over what the grid changes of it: lively, and noisy.
    Flip,
    /// Points take the velocity of the grid: damps everything, and loses angular momentum. For comparison.
    Pic,
}

impl GridContact {
    /// Whether it is the one that scenes need not name.
    pub fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

impl GridBodies {
    /// Whether it is the one that scenes need not name.
    pub fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

impl Transfer {
    /// Whether points tell nodes how their velocities change around them.
    pub fn keeps_rates(self) -> bool {
        matches!(self, Self::Mls | Self::Apic)
    }

    /// The gradient that points are deformed by, and that their stresses act by.
    pub fn gradient(self) -> Gradient {
        if self == Self::Mls { Gradient::LeastSquares } else { Gradient::OfWeights }
    }
}

impl GridSettings {
    /// Whether they are those that scenes need not name.
    pub fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

impl Default for GridSettings {
    fn default() -> Self {
        Self {
            spacing: None,
            kernel: Kernel::Quadratic,
            transfer: Transfer::Mls,
            flip: 0.99,
            substeps: None,
            contact: GridContact::Grid,
            bodies: GridBodies::None,
        }
    }
}
