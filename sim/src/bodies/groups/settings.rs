//! What a scene says of a body of groups.

use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};

use crate::scene::{MaterialSettings, inline_schema};

/// A solid of groups of particles, each of which has one deformation gradient (Muller et al. 2022, "Physically Based Shape Matching"): cells
/// cut out of a closed surface by a regular grid, or sets of the vertices of tets.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GroupSettings {
    /// What it is made of.
    #[schemars(extend("x-affects" = "physics"))]
    pub material: MaterialSettings,
    /// What a group is.
    #[schemars(extend("x-affects" = "geometry", "x-label" = "Groups of"))]
    pub of: Sort,
    /// Edge of a cell, or radius of a sphere [m].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1e-6, max = 1e6), extend("x-affects" = "geometry"))]
    pub size: Option<f64>,
}

/// What a group is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Sort {
    /// What a regular grid with cells of the given size cuts out of the closed surface of the file, each connected piece of a cell.
    Cells,
    /// The four vertices of each tet of the file.
    Tets,
    /// Each vertex of the file's tets, and those that an edge joins to it.
    Rings,
    /// Each vertex of the file's tets, and those within the given size around it.
    Spheres,
}

impl Sort {
    /// Whether it has a size.
    pub fn has_size(self) -> bool {
        matches!(self, Self::Cells | Self::Spheres)
    }
}

impl GroupSettings {
    /// Schema of the settings of a body.
    pub(super) fn schema() -> Schema {
        inline_schema::<Self>()
    }
}
