//! Springs between bodies.

use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};

use super::kind::inline_schema;
use crate::element::spring::{first_law, list_laws};

/// Springs from each vertex of a region to the nearest vertices of another body. Of `stiffness` and `stiffness_per_length` one is given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AttachSettings {
    /// Name of the other body.
    pub body: String,
    /// Name of a region of the other body, to whose vertices alone they run; to any where this is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    /// How many springs each vertex has: to so many of the nearest vertices. One holds it at a distance, three hold its place.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    #[schemars(range(min = 1, max = 16))]
    pub each: u32,
    /// How long they may be [m]; vertices farther away are not attached. As long as it takes where this is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 1e6), extend("exclusiveMinimum" = 0.0))]
    pub within: Option<f64>,
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
    /// Stiffness-proportional damping: ratio of damping to stiffness [s].
    #[serde(default, skip_serializing_if = "is_zero")]
    #[schemars(range(min = 0.0, max = 10.0), extend("x-affects" = "run"))]
    pub damping: f64,
}

impl AttachSettings {
    /// The schema, without references.
    pub fn schema() -> Schema {
        inline_schema::<Self>()
    }

    /// One spring of Hooke's law from each vertex, of this stiffness [N/m].
    pub fn new(body: impl Into<String>, stiffness: f64) -> Self {
        Self {
            body: body.into(),
            region: None,
            each: 1,
            within: None,
            law: first_law(),
            stiffness: Some(stiffness),
            stiffness_per_length: None,
            damping: 0.0,
        }
    }
}

fn one() -> u32 {
    1
}

fn is_one(each: &u32) -> bool {
    *each == 1
}

fn is_zero(value: &f64) -> bool {
    *value == 0.0
}
