//! What a scene says of a body of springs.

use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};

use crate::element::spring::{Clamp, first_law, list_laws};
use crate::scene::inline_schema;

/// Springs along the edges of a mesh file: of its tets, its faces and its lines. Of `stiffness` and `stiffness_per_length` one is given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SpringSettings {
    /// Name of the law of their tension. The letters of the energies are those of `docs/laws.md`.
    #[serde(default = "first_law")]
    #[schemars(transform = list_laws, extend("x-affects" = "physics"))]
    pub law: String,
    /// Stiffness of each spring, however long it is [N/m].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1e-9, max = 1e15), extend("x-affects" = "physics"))]
    pub stiffness: Option<f64>,
    /// In its place, the stiffness of a piece of one metre, E A [N]: a spring twice as long is half as stiff.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1e-9, max = 1e15), extend("x-affects" = "physics"))]
    pub stiffness_per_length: Option<f64>,
    /// Mass of its vertices.
    #[schemars(extend("x-affects" = "physics"))]
    pub mass: SpringMass,
    /// Stiffness-proportional damping: ratio of damping to stiffness [s].
    #[serde(default, skip_serializing_if = "is_zero")]
    #[schemars(range(min = 0.0, max = 10.0), extend("x-affects" = "run"))]
    pub damping: f64,
    /// Whether faces of four corners have springs along both diagonals (tag 1).
    #[serde(default, skip_serializing_if = "is_false")]
    #[schemars(extend("x-affects" = "geometry"))]
    pub diagonals: bool,
    /// Whether the corners that two triangles on an edge do not share are joined by springs (tag 2), which resist bending.
    #[serde(default, skip_serializing_if = "is_false")]
    #[schemars(extend("x-affects" = "geometry"))]
    pub opposite: bool,
    /// Whether each vertex of a line is joined to the one after the next (tag 3), which resists bending.
    #[serde(default, skip_serializing_if = "is_false")]
    #[schemars(extend("x-affects" = "geometry"))]
    pub skip_one: bool,
    /// Whether the sag-free rest state lets its springs only pull; where that carries no balance, the report says so.
    #[serde(default, skip_serializing_if = "is_false")]
    #[schemars(extend("x-affects" = "physics"))]
    pub only_pull: bool,
    /// How Newton's method sees springs in compression.
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(extend("x-affects" = "physics"))]
    pub clamp: Clamp,
    /// Radius with which they are drawn [m]; as thin lines where this is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 1e3), extend("x-affects" = "geometry", "exclusiveMinimum" = 0.0))]
    pub radius: Option<f64>,
}

/// Where the mass of springs comes from.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SpringMass {
    /// The same for each vertex [kg].
    PerNode(#[schemars(range(min = 1e-12, max = 1e9))] f64),
    /// By the length of the edges (tag 0) [kg/m].
    PerLength(#[schemars(range(min = 1e-12, max = 1e9))] f64),
    /// By the area of the faces [kg/m^2].
    PerArea(#[schemars(range(min = 1e-12, max = 1e9))] f64),
    /// By the volume of the tets: a density [kg/m^3].
    PerVolume(#[schemars(range(min = 1e-12, max = 1e9))] f64),
}

/// What springs of a region have in place of what their body says.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RegionSprings {
    /// Stiffness of each spring, however long it is [N/m].
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1e-9, max = 1e15), extend("x-affects" = "physics"))]
    pub stiffness: Option<f64>,
    /// In its place, the stiffness of a piece of one metre, E A [N].
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1e-9, max = 1e15), extend("x-affects" = "physics"))]
    pub stiffness_per_length: Option<f64>,
    /// Stiffness-proportional damping: ratio of damping to stiffness [s].
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 10.0), extend("x-affects" = "run"))]
    pub damping: Option<f64>,
}

impl SpringSettings {
    /// Springs of Hooke's law with one stiffness [N/m] and mass.
    pub fn new(stiffness: f64, mass: SpringMass) -> Self {
        Self {
            law: first_law(),
            stiffness: Some(stiffness),
            stiffness_per_length: None,
            mass,
            damping: 0.0,
            diagonals: false,
            opposite: false,
            skip_one: false,
            only_pull: false,
            clamp: Clamp::default(),
            radius: None,
        }
    }

    /// Schema of the settings of a body.
    pub(super) fn schema() -> Schema {
        inline_schema::<Self>()
    }
}

impl RegionSprings {
    /// Schema of the settings of a region.
    pub(super) fn schema() -> Schema {
        inline_schema::<Self>()
    }
}

fn is_zero(value: &f64) -> bool {
    *value == 0.0
}

fn is_false(value: &bool) -> bool {
    !value
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
