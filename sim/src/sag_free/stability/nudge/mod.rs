//! The nudge test: kick the body, watch, compare. What the eigenvalues say of an equilibrium, a simulation must bear out:
//! from a stable one the body comes back, from an unstable one it leaves.
//!
//! Implicit Euler with steps of 3/4 of the softest mode's time, 1 / rate, makes a vibration in that mode smaller by a factor
//! 0.8 a step, and lets it grow by a factor of 4 a step where it is unstable. So a number of steps that does not depend on the
//! body decides. What has no eigenvalues runs by its own stepper instead (`live`).

mod live;

use std::time::Instant;

use super::neutral::Neutral;
use super::pencil::Pencil;
use super::{Mode, compliance};
use crate::contact::Balance;
use crate::math::{Vec3, largest_norm};
use crate::sag_free::verdict::{KickDirection, KickReport, NudgeReport, NudgeVerdict};
use crate::step::instant::Curvature;
use crate::step::{Implicit, Scheme, State, StepError, Stepper};
use crate::system::{Loads, Mass, Motion, System};
use crate::watch::{Cancelled, Watch};

/// Whether nothing but kicks tells if an equilibrium of `system` is stable: of material points and of fluids of particles no Hessian does. That of an implicit
/// step of points does not either, as single points at the rim of a body, which are compressed, turn in it freely, and in the steps do not.
pub fn is_judged_by_kicks(system: &System) -> bool {
    system.points().is_some() || system.fluids().next().is_some()
}

/// How a body is nudged; both numbers are to be positive.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Nudge {
    /// Largest speed given to a node [m/s]; by default one that moves the softest mode by a ten-thousandth of the diagonal, or a ten-thousandth of
    /// that of a fall through it where kicks alone tell.
    pub velocity: Option<f64>,
    /// Time that is watched [s]; by default 30 times that of the softest mode, or 10 times that of a fall through the diagonal.
    pub seconds: Option<f64>,
}

/// Why there was no nudge.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NudgeError {
    /// Somebody cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// No modes are known.
    #[error("the body is in no equilibrium that could be nudged; initialise it with the method `sag-free` first")]
    NoEquilibrium,
    /// Nothing can move.
    #[error("every vertex is held or follows a motion: there is nothing to nudge")]
    AllHeld,
    /// Nothing says how fast its motions are.
    #[error("without gravity nothing says how hard to kick it and how long to watch; give a speed and a time")]
    NoScale,
    /// Without motion or time there is nothing to see.
    #[error("the speed of the kick and the time that is watched must be positive numbers")]
    NotPositive,
    /// What was not kicked moved as well.
    #[error(
        "it moves by itself: by {moved:.1e} m without a kick, where kicks left {left:.1e} m, so that these tell nothing; see what is left of the loads, and step more finely"
    )]
    MovesByItself {
        /// Farthest that a node went without a kick [m].
        moved: f64,
        /// The most that a kick made of that [m].
        left: f64,
    },
    /// The simulation failed near the equilibrium.
    #[error("the nudged body could not be simulated: {0}")]
    Step(StepError),
}

/// Steps watched.
const STEPS: usize = 40;
/// Step size over the softest mode's time.
const STEP: f64 = 0.75;
/// Longest step [s], for modes that are hardly stiff at all.
const LONGEST_STEP: f64 = 10.0;
/// Displacement of the softest mode that the kick is made for, over the diagonal.
const AMPLITUDE: f64 = 1e-4;
/// A body that has moved by this share of the diagonal has left.
const LEFT: f64 = 0.1;
/// A body has come back if it ends at this share of the largest displacement, or within friction's own slip.
const BACK: f64 = 0.1;
/// At this share, nothing more is to be seen.
const OVER: f64 = 0.02;
const SLIPS: f64 = 2.0;
/// Share of the contact force that must still be there: single nodes at the rim of a contact come and go.
const KEPT: f64 = 0.95;

/// Kicks all free masses of `system` along its softest mode and uniformly, but for motions that nothing resists, each from the given shape at time zero with loads and
/// obstacles as they are then. `modes` and `balance` are those of the system's rest states, which are not changed.
///
/// # Errors
/// [`NudgeError`].
pub fn nudge(system: &mut System, balance: &Balance, modes: &[Mode], nudge: &Nudge, watch: &dyn Watch) -> Result<NudgeReport, NudgeError> {
    let started = Instant::now();
    if system.fixed.iter().all(|&fixed| fixed) {
        return Err(NudgeError::AllHeld);
    }
    if [nudge.velocity, nudge.seconds].into_iter().flatten().any(|number| !(number > 0.0 && number.is_finite())) {
        return Err(NudgeError::NotPositive);
    }
    system.lag(&system.positions.clone());
    if is_judged_by_kicks(system) {
        return live::nudge(system, balance, nudge, watch);
    }
    let softest = modes.first().ok_or(NudgeError::NoEquilibrium)?;
    // A mode with no stiffness at all would ask for no speed, and for ever.
    let rate = softest.rate.max(STEP / LONGEST_STEP);
    let step_size = nudge.seconds.map_or(STEP / rate, |seconds| seconds / STEPS as f64);
    let velocity = nudge.velocity.unwrap_or(AMPLITUDE * system.diagonal * rate);
    let resisted = Resisted::new(system, balance, watch)?;
    let mut along = vec![Vec3::repeat(1.0); system.positions.len()];
    along[system.internal_nodes()].fill(Vec3::zeros());
    let uniform = resisted.part_of(system, &along);
    let kicks = [Some((KickDirection::SoftestMode, softest.shape.clone())), uniform.map(|shape| (KickDirection::Uniform, shape))];
    let compliance = compliance::compare(system, balance, modes, watch)?;
    let stands_still = StandStill::new(system, velocity);
    let mut reports = Vec::new();
    for (direction, shape) in kicks.into_iter().flatten() {
        let velocities: Vec<Vec3> = shape.iter().map(|v| velocity * v).collect();
        let kick = Kick { direction, velocities, velocity, step_size };
        let report = watched(system, balance, &resisted, kick, watch);
        match report {
            Ok(report) => reports.push(report),
            Err(error) => {
                stands_still.undo(system);
                return Err(error);
            }
        }
    }
    stands_still.undo(system);
    let leaves = reports.iter().any(|kick| kick.verdict == NudgeVerdict::Leaves);
    let verdict = if leaves { NudgeVerdict::Leaves } else { NudgeVerdict::Returns };
    let agrees = Some(leaves == (softest.eigenvalue < 0.0));
    Ok(NudgeReport { verdict, agrees, kicks: reports, compliance, seconds: started.elapsed().as_secs_f64() })
}

/// The directions in which something resists: a neutral motion goes on for ever, and says nothing of stability.
struct Resisted {
    mass: Mass<'static>,
    neutral: Neutral,
}

impl Resisted {
    fn new(system: &System, balance: &Balance, watch: &dyn Watch) -> Result<Self, Cancelled> {
        let (mut contacts, mut curvature) = (Implicit::new(Scheme::BackwardEuler), Curvature::default());
        contacts.warm_start(system, balance);
        let state = State::at_rest(system);
        let (pattern, hessian) = curvature.hessian(system, &system.families, contacts.contacts(system), &state, false);
        let Pencil { mass, neutral, .. } = Pencil::new(system, pattern, hessian).without_neutral_motions(watch)?;
        Ok(Self { mass, neutral })
    }

    /// What of a motion is resisted, with 1 as the largest length on a node; nothing where that is only round-off.
    fn part_of(&self, system: &System, motion: &[Vec3]) -> Option<Vec<Vec3>> {
        let mut part = motion.to_vec();
        system.take_supported(&mut part);
        self.neutral.take_out(&self.mass, &mut part);
        let largest = largest_norm(&part);
        part.iter_mut().for_each(|u| *u /= largest);
        (largest > 1e-6 * largest_norm(motion)).then_some(part)
    }

    /// Largest displacement of a node from the given shape [m].
    fn displacement(&self, system: &System, positions: &[Vec3]) -> f64 {
        let mut moved: Vec<Vec3> = positions.iter().zip(&system.positions).map(|(x, given)| x - given).collect();
        self.neutral.take_out(&self.mass, &mut moved);
        largest_norm(&moved)
    }
}

/// What changes with time and is held still meanwhile, as it is at time zero.
struct StandStill {
    motions: Vec<Motion>,
    loads: Loads,
    removed_at: Vec<f64>,
    tolerance: f64,
}

impl StandStill {
    fn new(system: &mut System, velocity: f64) -> Self {
        let motions = system.motions.clone();
        system.motions.iter_mut().for_each(|motion| motion.poses.truncate(1));
        let steady = system.loads.frozen_at(0.0);
        let loads = std::mem::replace(&mut system.loads, steady);
        let removed_at = system.obstacles.iter().map(|obstacle| obstacle.removed_at).collect();
        system.obstacles.iter_mut().filter(|o| o.removed_at > 0.0).for_each(|o| o.removed_at = f64::INFINITY);
        let tolerance = system.simulate.tolerance;
        // A kick is to be resolved, however small.
        system.simulate.tolerance = tolerance.min(1e-3 * velocity);
        Self { motions, loads, removed_at, tolerance }
    }

    fn undo(self, system: &mut System) {
        system.motions = self.motions;
        system.loads = self.loads;
        system.obstacles.iter_mut().zip(self.removed_at).for_each(|(obstacle, time)| obstacle.removed_at = time);
        system.simulate.tolerance = self.tolerance;
        system.lag(&system.positions.clone());
    }
}

/// One kick: velocities of all nodes, the largest of them, and the step size [s] to watch with.
struct Kick {
    direction: KickDirection,
    velocities: Vec<Vec3>,
    velocity: f64,
    step_size: f64,
}

fn watched(system: &mut System, balance: &Balance, resisted: &Resisted, kick: Kick, watch: &dyn Watch) -> Result<KickReport, NudgeError> {
    let Kick { direction, velocities, velocity, step_size } = kick;
    let mut stepper = Implicit::new(Scheme::BackwardEuler);
    stepper.warm_start(system, balance);
    let mut state = State { velocities, ..State::at_rest(system) };
    let (contacts_before, force_before) = touching(&mut stepper, system, &state);
    let (mut peak, mut end, mut steps, mut calm) = (0.0f64, 0.0f64, 0, 0);
    // On its way through the pose a body is near it for one step.
    while steps < STEPS && peak < LEFT * system.diagonal && (steps < 4 || calm < 2) {
        watch.check()?;
        watch.progress("nudging", steps as f64 / STEPS as f64);
        match stepper.step(system, &mut state, step_size, watch) {
            Ok(_) => end = resisted.displacement(system, &state.positions),
            Err(StepError::Cancelled(cancelled)) => return Err(cancelled.into()),
            // A body that falls together may do so beyond what can be simulated.
            Err(_) if peak > 0.01 * LEFT * system.diagonal => break,
            Err(error) => return Err(NudgeError::Step(error)),
        }
        // The loads and obstacles of time zero stay.
        state.time = 0.0;
        steps += 1;
        peak = peak.max(end);
        calm = if end > OVER * peak { 0 } else { calm + 1 };
    }
    let (contacts_after, force_after) = touching(&mut stepper, system, &state);
    let back = end <= (BACK * peak).max(SLIPS * system.contact.friction_slip * system.diagonal);
    let left = peak >= LEFT * system.diagonal || !back;
    Ok(KickReport {
        direction,
        velocity,
        step_size,
        steps,
        peak,
        end,
        decay: if peak > 0.0 { end / peak } else { 0.0 },
        verdict: if left { NudgeVerdict::Leaves } else { NudgeVerdict::Returns },
        contacts_before,
        contacts_after,
        contact_kept: force_after >= KEPT * force_before,
    })
}

/// How many contacts push, and the sum of their normal forces [N].
fn touching(stepper: &mut dyn Stepper, system: &System, state: &State) -> (usize, f64) {
    let forces = stepper.contacts(system).freeze(system, &state.positions, state.time).forces(&state.positions);
    (forces.len(), forces.iter().map(|contact| contact.force.dot(&contact.normal)).sum())
}
