//! Probes: places of bodies whose numbers are looked at.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A named place of a body whose numbers are looked at while time goes on. Runs do not depend on it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Probe {
    /// Name, unique among probes.
    #[schemars(extend("x-affects" = "looks"))]
    pub name: String,
    /// Name of the body.
    #[schemars(extend("x-affects" = "looks"))]
    pub body: String,
    /// Where on the body it is.
    #[schemars(extend("x-affects" = "looks"))]
    pub at: ProbePlace,
    /// Colour, sRGB; one by its number where this is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-affects" = "looks"))]
    pub color: Option<[u8; 3]>,
}

/// A place of a body that goes where the body goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ProbePlace {
    /// A vertex, counted from 0 as regions count them: of the artist's surface where the body was filled with tets, else of its mesh.
    Vertex(u32),
    /// An element, counted from 0 as regions count them: a cell of the body's mesh.
    Element(u32),
}

impl ProbePlace {
    /// What it is, in a word.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Vertex(_) => "vertex",
            Self::Element(_) => "element",
        }
    }

    /// Its number.
    pub fn index(self) -> u32 {
        match self {
            Self::Vertex(index) | Self::Element(index) => index,
        }
    }
}
