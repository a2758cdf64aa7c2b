//! Moving air.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Moving air: a face of a body that meets it feels drag times density / 2 times area times the square of the speed at
/// which the air comes onto it, against its normal.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WindSettings {
    /// Velocity [m/s].
    #[schemars(inner(range(min = -1e3, max = 1e3)))]
    pub velocity: [f64; 3],
    /// Density of the air [kg/m^3].
    #[serde(default = "air")]
    #[schemars(range(min = 0.0, max = 1e5))]
    pub density: f64,
    /// Drag coefficient.
    #[serde(default = "plate")]
    #[schemars(range(min = 0.0, max = 100.0))]
    pub drag: f64,
    /// Time from which it blows [s]; the air is still before.
    #[serde(default, skip_serializing_if = "is_from_the_start")]
    #[schemars(range(min = 0.0, max = 1e6))]
    pub from: f64,
    /// Gusts; steady where this is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gust: Option<Gust>,
}

/// A wind that swells and fades: its velocity times 1 + amplitude sin(2 pi t / period), with the time t since it
/// began to blow.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Gust {
    /// Share of the velocity.
    #[schemars(range(min = 0.0, max = 100.0))]
    pub amplitude: f64,
    /// Time from gust to gust [s].
    #[schemars(range(min = 1e-3, max = 1e6))]
    pub period: f64,
}

/// Whether a time can be left out of the file.
pub(super) fn is_from_the_start(time: &f64) -> bool {
    *time == 0.0
}

fn air() -> f64 {
    1.2
}

fn plate() -> f64 {
    1.0
}
