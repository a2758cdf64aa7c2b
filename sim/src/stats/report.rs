//! The reports of `init` and `simulate`, key by key as the command line promises them. SI units; seconds of work are
//! wall seconds.

use std::path::PathBuf;

use serde::Serialize;

use crate::scene::{Cure, Method};
use crate::step::{Phases, StepStats};

/// Report of the initialisation.
#[derive(Debug, Clone, Serialize)]
pub struct InitReport {
    /// How the rest state was chosen.
    pub method: Method,
    /// Number of bodies.
    pub bodies: usize,
    /// Number of elements.
    pub elements: usize,
    /// Number of masses (nodes), fixed ones included.
    pub masses: usize,
    /// Number of contacts offered to the solver: nodes at obstacles, and pairs of surface features.
    pub contacts: usize,
    /// Unknowns of the global stage.
    pub unknowns: usize,
    /// Threads used.
    pub threads: usize,
    /// Wall seconds by phase.
    pub seconds: InitSeconds,
    /// Iterations of the interior point, or Tikhonov refinements where there is no contact.
    pub iterations: usize,
    /// Numerical factorisations.
    pub factorisations: usize,
    /// Entries of the Cholesky factor.
    pub nonzeros_in_factor: usize,
    /// max |net force| over max |load|, on the free masses, contact included.
    pub residual: Residual,
    /// det F of the elements; `None` where it has no meaning.
    pub compression: Option<Compression>,
    /// Volume of the elements, now and at rest.
    pub rest_volume: RestVolume,
    /// Contact forces.
    pub contact: ContactReport,
    /// Stability of the equilibrium.
    pub stability: Option<Stability>,
    /// Elements that were stiffened.
    pub stiffened: Stiffened,
    /// Elements that cannot make the force asked of them.
    pub unattainable: Unattainable,
    /// What is wrong with the problem itself, in words; empty if balance was reached.
    pub infeasible: Vec<Infeasibility>,
    /// Peak memory of the process [bytes].
    pub peak_memory_bytes: u64,
}

/// Wall seconds of the initialisation by phase.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct InitSeconds {
    /// Assembly of the global matrix.
    pub assemble: f64,
    /// Ordering, symbolic and numerical factorisation, interior point.
    pub global: f64,
    /// Local stage.
    pub local: f64,
    /// Everything, stability and checks included.
    pub total: f64,
}

/// Share of the largest load that is out of balance.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Residual {
    /// With the naive rest state, no contact force.
    pub before: f64,
    /// Recomputed from the stepper's assembled gradient at the first instant.
    pub after: f64,
}

/// Distribution of det F.
#[derive(Debug, Clone, Serialize)]
pub struct Compression {
    /// Smallest.
    pub min: f64,
    /// Mean.
    pub mean: f64,
    /// Standard deviation.
    pub std: f64,
    /// Largest.
    pub max: f64,
    /// Histogram.
    pub histogram: Histogram,
}

/// Counts between edges; `edges` has one entry more than `counts`.
#[derive(Debug, Clone, Serialize)]
pub struct Histogram {
    /// Edges of the bins.
    pub edges: Vec<f64>,
    /// Values in each bin.
    pub counts: Vec<usize>,
}

impl Histogram {
    /// The bin that `value` belongs to; the nearest one for a value outside.
    pub fn bin(&self, value: f64) -> usize {
        self.edges.partition_point(|&edge| edge <= value).clamp(1, self.counts.len().max(1)) - 1
    }
}

/// Solved contact forces.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct ContactReport {
    /// Of all contacts, those between surfaces.
    pub pairs: usize,
    /// Contacts that carry force.
    pub active: usize,
    /// Smallest normal force [N]; `None` without contacts.
    pub min_normal_force: Option<f64>,
    /// Sum of the normal forces [N].
    pub total_normal_force: f64,
    /// Largest (|tangential| - mu normal) / (mu normal), at least 0.
    pub max_cone_violation: f64,
    /// Share of each friction coefficient that the solver was allowed to use; `None` without contacts.
    pub friction_used: Option<f64>,
    /// The share that it left in hand.
    pub friction_in_hand: Option<f64>,
}

/// Verdict from the inertia of the Hessian on the free masses.
#[derive(Debug, Clone, Serialize)]
pub struct Stability {
    /// Number of negative eigenvalues.
    pub negative_eigenvalues: usize,
    /// Smallest eigenvalue [N/m] against the masses over their mean, neutral motions left out; a bound above it where it was not
    /// reached; 0 where nothing can move or is in balance.
    pub smallest_eigenvalue: f64,
    /// In a word.
    pub verdict: Verdict,
    /// Rigid motions that nothing resists: neither stable nor unstable, and not counted as either.
    pub neutral_motions: usize,
    /// The softest modes, ascending.
    pub softest: Vec<SoftMode>,
    /// Cures that were tried because the equilibrium was unstable, also those that do not help.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cures: Vec<CureReport>,
    /// The cure that was applied; all else in the report is after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cured_by: Option<Cure>,
}

/// What a cure does to an unstable equilibrium.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct CureReport {
    /// Which.
    pub cure: Cure,
    /// Whether the equilibrium is stable with it, and in balance.
    pub helps: bool,
    /// Largest factor on a stiffness; `None` for a tension.
    pub factor: Option<f64>,
    /// Strain of the tension; `None` for stiffening.
    pub tension: Option<f64>,
    /// Elements that are stiffer with it.
    pub stiffened_elements: usize,
    /// Their share of the mass.
    pub stiffened_mass: f64,
    /// Negative eigenvalues that are left.
    pub negative_eigenvalues: usize,
    /// Smallest eigenvalue with it [N/m].
    pub smallest_eigenvalue: f64,
    /// Largest change of det F of an element.
    pub max_compression_change: f64,
    /// Share of the largest load that is out of balance with it.
    pub residual: f64,
    /// Wall seconds that finding it took.
    pub seconds: f64,
}

/// A small motion about the equilibrium.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct SoftMode {
    /// Its stiffness [N/m], against the masses over their mean; negative where the pose falls away along it.
    pub eigenvalue: f64,
    /// Angular frequency, or the rate of its exponential growth where the eigenvalue is negative [1/s].
    pub rate: f64,
    /// Share of the mode that the eigenvalue solver left unresolved.
    pub residual: f64,
}

/// Report of a nudge test.
#[derive(Debug, Clone, Serialize)]
pub struct NudgeReport {
    /// `leaves` if the body left after one of the kicks.
    pub verdict: NudgeVerdict,
    /// Whether that is what the eigenvalues say.
    pub agrees: bool,
    /// Each kick.
    pub kicks: Vec<KickReport>,
    /// How softly the body answers a push; `None` where it is unstable.
    pub compliance: Option<Compliance>,
    /// Wall seconds.
    pub seconds: f64,
}

/// Whether a kicked body comes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NudgeVerdict {
    /// It does.
    Returns,
    /// It does not.
    Leaves,
}

/// How the masses are kicked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum KickDirection {
    /// Along the softest mode.
    SoftestMode,
    /// All alike, along (1, 1, 1).
    Uniform,
}

/// What one kick came to.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct KickReport {
    /// Its direction.
    pub direction: KickDirection,
    /// Largest speed given to a node [m/s].
    pub velocity: f64,
    /// Step size [s].
    pub step_size: f64,
    /// Steps taken, until it was clear what becomes of the body.
    pub steps: usize,
    /// Largest displacement of a node [m].
    pub peak: f64,
    /// Displacement of the farthest node at the end [m].
    pub end: f64,
    /// `end` over `peak`.
    pub decay: f64,
    /// Whether the body came back.
    pub verdict: NudgeVerdict,
    /// Contacts that pushed before.
    pub contacts_before: usize,
    /// Contacts that push at the end.
    pub contacts_after: usize,
    /// Whether they push as much as before, within a twentieth.
    pub contact_kept: bool,
}

/// Displacement for a small static force along the softest mode [m/N].
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Compliance {
    /// With the rest states that hold the shape.
    pub sag_free: f64,
    /// With undeformed elements in the same place.
    pub naive: f64,
    /// The one over the other; far below 1, the body has turned stiff.
    pub ratio: f64,
}

/// Stable or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// No negative eigenvalue.
    Stable,
    /// At least one.
    Unstable,
    /// Not in balance, so the question has no meaning.
    NotInBalance,
}

/// Volume of all elements that have one.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct RestVolume {
    /// In the given shape [m^3].
    pub given: f64,
    /// At rest [m^3].
    pub rest: f64,
}

/// Elements made stiffer than authored.
#[derive(Debug, Clone, Serialize)]
pub struct Stiffened {
    /// How many.
    pub elements: usize,
    /// Largest factor; 1 for none.
    pub max_factor: f64,
    /// Their indices, up to 100.
    pub indices: Vec<usize>,
}

/// Elements that cannot make their force.
#[derive(Debug, Clone, Serialize)]
pub struct Unattainable {
    /// How many.
    pub elements: usize,
    /// Their indices, up to 100.
    pub indices: Vec<usize>,
    /// Least stiffness factor with which all of them could; `None` for none.
    pub stiffness_factor: Option<f64>,
}

/// Why there is no equilibrium, and where.
#[derive(Debug, Clone, Serialize)]
pub struct Infeasibility {
    /// The kind.
    pub code: InfeasibilityCode,
    /// Name of the body.
    pub body: String,
    /// Number of the face-connected component in the body.
    pub component: usize,
    /// Nodes or elements concerned, up to 100, counted in the body.
    pub indices: Vec<usize>,
    /// Middle of the place [m].
    pub place: [f64; 3],
    /// What, and what to do.
    pub message: String,
}

/// Kinds of infeasibility.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum InfeasibilityCode {
    /// No fixed vertex and no contact holds the component.
    Unsupported,
    /// A component hangs on the rest by an edge or a vertex, or contacts leave it a free motion.
    Hinged,
    /// Contacts hold it, but not with this little friction.
    TooLittleFriction,
    /// The law cannot make the stress.
    TooSoft,
}

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
    /// Smallest true distance between surfaces in contact [m]; `None` without contact.
    pub min_gap: Option<f64>,
    /// Smallest effective gap (true gap plus preload offset) [m].
    pub min_effective_gap: Option<f64>,
    /// Inverted elements, counted after every step.
    pub inversions: usize,
    /// The recording, if there was to be one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recording: Option<RecordingReport>,
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
    /// Volume [m^3].
    pub volume: Vec<f64>,
    /// Newton iterations.
    pub iterations: Vec<u32>,
    /// Halvings of the line search.
    pub halvings: Vec<u32>,
    /// Parts that the step was taken in.
    pub substeps: Vec<u32>,
    /// Smallest true distance between surfaces in contact [m]; infinite without contact.
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
        self.total.push(step.total);
        self.friction.push(step.friction);
        self.damping.push(step.damping);
        self.momentum.push(step.momentum.into());
        self.angular_momentum.push(step.angular_momentum.into());
        self.residual.push(step.residual);
        self.volume.push(step.volume);
        self.iterations.push(step.iterations);
        self.halvings.push(step.halvings);
        self.substeps.push(step.substeps);
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
