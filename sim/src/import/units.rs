//! How the coordinates of a file are to be taken.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Length unit of a mesh file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub enum Unit {
    /// Metres.
    #[default]
    #[serde(rename = "m")]
    Metre,
    /// Centimetres.
    #[serde(rename = "cm")]
    Centimetre,
    /// Millimetres.
    #[serde(rename = "mm")]
    Millimetre,
}

impl Unit {
    /// How many metres it is.
    pub fn metres(self) -> f64 {
        match self {
            Self::Metre => 1.0,
            Self::Centimetre => 0.01,
            Self::Millimetre => 0.001,
        }
    }
}

/// Axis that points up in a mesh file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum UpAxis {
    /// y, as in the scene.
    #[default]
    Y,
    /// z: (x, y, z) becomes (x, z, -y).
    Z,
}
