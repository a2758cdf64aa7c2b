//! Prescribed motions, by keyframes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::model::is_zero;

/// A prescribed rigid motion: interpolated between keyframes, held after the last. It starts from the given shape at time
/// zero, so a keyframe at time zero neither moves nor turns, and need not be written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MotionSettings {
    /// Point about which it turns [m]; it moves along with the translation. The middle of what moves where this is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(inner(range(min = -1e6, max = 1e6)))]
    pub pivot: Option<[f64; 3]>,
    /// Where it has got to, and when; ascending in time.
    #[schemars(length(min = 1))]
    pub keyframes: Vec<Keyframe>,
}

/// Where a motion has got to at an instant, seen from the given shape.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Keyframe {
    /// The instant [s].
    #[schemars(range(min = 0.0, max = 1e6))]
    pub time: f64,
    /// Translation [m].
    #[serde(default, skip_serializing_if = "is_zero")]
    #[schemars(inner(range(min = -1e6, max = 1e6)))]
    pub translate: [f64; 3],
    /// Rotation about the pivot; none where this is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotate: Option<AxisAngle>,
}

/// A rotation by any number of turns. Between keyframes with one axis the angle is interpolated, between others the
/// vector axis times angle.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AxisAngle {
    /// Axis.
    #[schemars(inner(range(min = -1e6, max = 1e6)))]
    pub axis: [f64; 3],
    /// Angle [degrees]; four turns are 1440.
    #[schemars(range(min = -1e6, max = 1e6))]
    pub degrees: f64,
}
