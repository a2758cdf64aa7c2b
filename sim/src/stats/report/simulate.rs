//! The report of `simulate`.

use std::path::PathBuf;

use serde::Serialize;

use super::series::Series;

/// Report of a simulation.
#[derive(Debug, Clone, Serialize)]
pub struct SimulateReport {
    /// Whether all steps that were asked for are taken.
    pub finished: bool,
    /// Whether the run was cancelled.
    pub cancelled: bool,
    /// Name of the stepper.
    pub stepper: String,
    /// Steps taken.
    pub steps: usize,
    /// Step size [s].
    pub step_size: f64,
    /// Wall seconds.
    pub seconds: SimulateSeconds,
    /// Distance from the given shape over its diagonal; free masses only.
    pub drift: Drift,
    /// One entry a step.
    pub series: Series,
    /// How the linear systems were solved.
    pub linear: LinearSolves,
    /// Largest net torque of the forces between two bodies, over the sum of all loads times the diagonal.
    pub couple: f64,
    /// How far inside of their surfaces bodies that started near one another touch [m]; 0 where all touch at their surfaces.
    pub inset: f64,
    /// Smallest distance between contact points, or of a vertex from an obstacle [m]: so surfaces cross by no more than twice the
    /// inset where it is positive. `None` without contact.
    pub min_gap: Option<f64>,
    /// Smallest effective gap (true gap plus preload offset) [m].
    pub min_effective_gap: Option<f64>,
    /// Inverted elements, counted after every step.
    pub inversions: usize,
    /// The recording, if there was to be one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recording: Option<RecordingReport>,
    /// The frames, if there were to be some.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frames: Option<FramesReport>,
}

/// What became of the frames.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FramesReport {
    /// Their folder.
    pub folder: PathBuf,
    /// Name of their format.
    pub format: String,
    /// How many were written, the start included.
    pub written: u64,
    /// Why they ended before the run; `None` where they did not.
    pub stopped: Option<String>,
}

/// What became of a recording.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RecordingReport {
    /// Its file.
    pub file: PathBuf,
    /// Frames in it, the start included.
    pub frames: u64,
    /// Why it ended before the run; `None` where it did not.
    pub stopped: Option<String>,
}

/// Wall seconds of a simulation.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct SimulateSeconds {
    /// All steps.
    pub total: f64,
    /// Mean of a step.
    pub mean_step: f64,
    /// Slowest step.
    pub max_step: f64,
}

/// The linear systems of a simulation.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct LinearSolves {
    /// Name of the solver.
    pub solver: &'static str,
    /// Iterations of iterative solvers, over all steps.
    pub iterations: u64,
    /// Largest residual |b - A x| / |b|, recomputed from the solutions.
    pub residual: f64,
    /// Directions that solve their system only in part.
    pub unsolved: u64,
}

/// How far the body left its pose, as a share of its diagonal.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct Drift {
    /// Largest over masses and time.
    pub max: f64,
    /// Largest over masses at the end.
    pub r#final: f64,
    /// Root mean square over masses at the end.
    pub rms: f64,
}
