//! [`Residual`]: how far a state is from balance.

use serde::Serialize;

/// Share of the largest load that is out of balance.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Residual {
    /// With the naive rest state, no contact force.
    pub before: f64,
    /// Recomputed from the stepper's assembled gradient at the first instant.
    pub after: f64,
    /// How much of `after` may be round-off of the forces that meet at a node.
    pub round_off: f64,
    /// What the scene asks for.
    pub tolerance: f64,
    /// Whether `after` is within the tolerance, or within round-off.
    pub balanced: bool,
}

/// The most that round-off excuses: where it may be more, numbers of this length do not tell balance from motion.
const EXCUSED: f64 = 1e-6;

impl Residual {
    /// Judged by the scene's tolerance; what is not a number is not in balance, and excuses nothing.
    pub fn of(before: f64, after: f64, round_off: f64, tolerance: f64) -> Self {
        let excused = if round_off.is_nan() { 0.0 } else { round_off.min(EXCUSED) };
        Self { before, after, round_off, tolerance, balanced: after <= tolerance.max(excused) }
    }
}
