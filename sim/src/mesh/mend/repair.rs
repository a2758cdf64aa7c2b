//! What can be mended, as a scene names it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A repair of a surface. The file itself is left as it is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum SurfaceRepair {
    /// Joins vertices nearer than this share of the diagonal, where that leaves no edge with more than two triangles.
    Weld(#[schemars(range(min = 0.0, max = 0.1))] f64),
    /// Drops duplicate and degenerate triangles.
    DropBad,
    /// Drops vertices that no triangle uses.
    DropLoose,
    /// Turns triangles so that neighbours agree and closed parts face outward.
    Orient,
    /// Closes holes with at most so many edges.
    FillHoles(#[schemars(range(min = 3, max = 100_000))] u32),
}
