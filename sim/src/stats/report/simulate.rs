//! The report of `simulate`.

use std::path::PathBuf;

use serde::Serialize;

use crate::step::{Phases, StepStats};

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

/// Time series, one entry a step; a number that is not finite is `null` in JSON.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Series {
    /// Time [s].
    pub time: Vec<f64>,
    /// Kinetic energy [J].
    pub kinetic: Vec<f64>,
    /// Elastic energy [J].
    pub elastic: Vec<f64>,
    /// Potential energy in gravity [J].
    pub gravity: Vec<f64>,
    /// Barrier energy [J].
    pub contact: Vec<f64>,
    /// Potential energy of pressure, zero in the given shape [J].
    pub pressure: Vec<f64>,
    /// Sum of these [J].
    pub total: Vec<f64>,
    /// Energy that friction has dissipated so far [J].
    pub friction: Vec<f64>,
    /// Energy that damping has dissipated so far [J].
    pub damping: Vec<f64>,
    /// Linear momentum [kg m/s].
    pub momentum: Vec<[f64; 3]>,
    /// Angular momentum about the origin [kg m^2/s].
    pub angular_momentum: Vec<[f64; 3]>,
    /// Final |gradient| of the step over the largest load.
    pub residual: Vec<f64>,
    /// What another round would change of the friction force on a node, at most, over the largest load.
    pub friction_lag: Vec<f64>,
    /// Volume [m^3].
    pub volume: Vec<f64>,
    /// Newton iterations.
    pub iterations: Vec<u32>,
    /// Directions of Newton's method that solve their linear system only in part.
    pub unsolved: Vec<u32>,
    /// Iterations of iterative linear solvers.
    pub linear_iterations: Vec<u32>,
    /// Largest residual |b - A x| / |b| of the step's linear systems.
    pub linear_residual: Vec<f64>,
    /// Halvings of the line search.
    pub halvings: Vec<u32>,
    /// Parts that the step was taken in.
    pub substeps: Vec<u32>,
    /// Those of them that the midpoint rule could not take, and backward Euler took in its stead.
    pub by_backward_euler: Vec<u32>,
    /// Parts that ended although contacts faced other features than those that were solved with.
    pub unsettled: Vec<u32>,
    /// Largest net torque of the forces between two bodies, over the sum of all loads times the diagonal.
    pub couple: Vec<f64>,
    /// Smallest distance between contact points, or of a vertex from an obstacle [m]; infinite without contact.
    pub min_gap: Vec<f64>,
    /// Contacts that push.
    pub contacts: Vec<u32>,
    /// Pairs of surface features that were looked at.
    pub contact_pairs: Vec<u32>,
    /// Wall seconds.
    pub step_seconds: Vec<f64>,
    /// Wall seconds by phase.
    pub phases: PhaseSeries,
    /// Largest distance from the given shape over its diagonal.
    pub drift: Vec<f64>,
}

/// Wall seconds by phase, one entry a step.
#[derive(Debug, Clone, Default, Serialize)]
pub struct PhaseSeries {
    /// Energies, forces and Hessians of the elements.
    pub elements: Vec<f64>,
    /// Contact: search, energies, forces, Hessians.
    pub contact: Vec<f64>,
    /// Continuous collision detection.
    pub ccd: Vec<f64>,
    /// Linear systems.
    pub linear: Vec<f64>,
    /// Line search.
    pub line_search: Vec<f64>,
    /// The whole step.
    pub total: Vec<f64>,
}

impl Series {
    /// Adds one step.
    pub fn push(&mut self, step: &StepStats) {
        self.time.push(step.time);
        self.kinetic.push(step.kinetic);
        self.elastic.push(step.elastic);
        self.gravity.push(step.gravity);
        self.contact.push(step.contact);
        self.pressure.push(step.pressure);
        self.total.push(step.total);
        self.friction.push(step.friction);
        self.damping.push(step.damping);
        self.momentum.push(step.momentum.into());
        self.angular_momentum.push(step.angular_momentum.into());
        self.residual.push(step.residual);
        self.friction_lag.push(step.friction_lag);
        self.volume.push(step.volume);
        self.iterations.push(step.iterations);
        self.unsolved.push(step.unsolved);
        self.linear_iterations.push(step.linear_iterations);
        self.linear_residual.push(step.linear_residual);
        self.halvings.push(step.halvings);
        self.substeps.push(step.substeps);
        self.by_backward_euler.push(step.by_backward_euler);
        self.unsettled.push(step.unsettled);
        self.couple.push(step.couple);
        self.min_gap.push(step.min_gap);
        self.contacts.push(step.contacts);
        self.contact_pairs.push(step.contact_pairs);
        self.step_seconds.push(step.seconds);
        self.phases.push(&step.phases);
        self.drift.push(step.drift);
    }
}

impl PhaseSeries {
    fn push(&mut self, phases: &Phases) {
        self.elements.push(phases.elements);
        self.contact.push(phases.contact);
        self.ccd.push(phases.ccd);
        self.linear.push(phases.linear);
        self.line_search.push(phases.line_search);
        self.total.push(phases.total);
    }
}
