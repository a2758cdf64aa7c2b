//! Time steppers.

use crate::math::Vec3;
use crate::watch::Cancelled;

/// Positions and velocities at an instant.
#[derive(Debug, Clone)]
pub struct State {
    /// Time [s].
    pub time: f64,
    /// Positions [m].
    pub positions: Vec<Vec3>,
    /// Velocities [m/s].
    pub velocities: Vec<Vec3>,
}

/// What one step measured.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct StepStats {
    /// Time at the end of the step [s].
    pub time: f64,
    /// Kinetic energy [J].
    pub kinetic: f64,
    /// Elastic energy [J].
    pub elastic: f64,
    /// Potential energy in gravity, zero at the given shape's start [J].
    pub gravity: f64,
    /// Barrier energy [J].
    pub contact: f64,
    /// Final |gradient| (max norm over free masses) over the largest load.
    pub residual: f64,
    /// Newton iterations.
    pub iterations: u32,
    /// Volume of the bodies [m^3].
    pub volume: f64,
    /// Smallest true distance of a node in contact [m]; infinite without contact.
    pub min_gap: f64,
    /// Smallest effective gap [m]; infinite without contact.
    pub min_effective_gap: f64,
    /// Contacts that push.
    pub contacts: u32,
    /// Largest distance from the given shape over its diagonal.
    pub drift: f64,
    /// Wall seconds.
    pub seconds: f64,
}

/// Why a step was not taken; the state is as it was before.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StepError {
    /// Somebody cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// Newton's method did not converge.
    #[error(
        "Newton's method did not converge in {iterations} iterations at t = {time:.4} s (last step {speed:.1e} m/s); try a smaller step size"
    )]
    NotConverged {
        /// Iterations done.
        iterations: u32,
        /// Time of the step's start [s].
        time: f64,
        /// Size of the last step over the step size [m/s].
        speed: f64,
    },
    /// A matrix could not be factorised, or a number was not finite.
    #[error("the system could not be solved at t = {time:.4} s, near node {node}: {what}")]
    Singular {
        /// Time of the step's start [s].
        time: f64,
        /// A node at the place.
        node: usize,
        /// What was met.
        what: String,
    },
}
