//! The nudge test: kick the body, watch, compare. What the eigenvalues say of an equilibrium, a simulation must bear out:
//! from a stable one the body comes back, from an unstable one it leaves.
//!
//! Implicit Euler with steps of 3/4 of the softest mode's time, 1 / rate, makes a vibration in that mode smaller by a factor
//! 0.8 a step, and lets it grow by a factor of 4 a step where it is unstable. So a number of steps that does not depend on the
//! body decides.

use std::time::Instant;

use super::{Mode, compliance};
use crate::math::Vec3;
use crate::sag_free::Balance;
use crate::stats::report::{KickDirection, KickReport, NudgeReport, NudgeVerdict};
use crate::step::{Implicit, Scheme, State, StepError, Stepper};
use crate::system::System;
use crate::watch::{Cancelled, Watch};

/// How a body is nudged.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Nudge {
    /// Largest speed given to a node [m/s]; by default one that moves the softest mode by a ten-thousandth of the diagonal.
    pub velocity: Option<f64>,
    /// Time that is watched [s]; by default 30 times that of the softest mode.
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

/// Kicks all free masses of `system` along its softest mode and uniformly, each from the given shape at time zero with loads and
/// obstacles as they are then. `modes` and `balance` are those of the system's rest states, which are not changed.
///
/// # Errors
/// [`NudgeError`].
pub fn nudge(system: &mut System, balance: &Balance, modes: &[Mode], nudge: &Nudge, watch: &dyn Watch) -> Result<NudgeReport, NudgeError> {
    let started = Instant::now();
    let softest = modes.first().ok_or(NudgeError::NoEquilibrium)?;
    let time = 1.0 / softest.rate.max(f64::MIN_POSITIVE);
    let step_size = nudge.seconds.map_or((STEP * time).min(LONGEST_STEP), |seconds| seconds / STEPS as f64);
    let velocity = nudge.velocity.unwrap_or(AMPLITUDE * system.diagonal * softest.rate);
    let along = Vec3::repeat(1.0 / 3f64.sqrt());
    let mut uniform = vec![along; system.positions.len()];
    system.take_supported(&mut uniform);
    let kicks = [(KickDirection::SoftestMode, softest.shape.clone()), (KickDirection::Uniform, uniform)];
    let compliance = compliance::compare(system, balance, modes, watch)?;
    let stands_still = StandStill::new(system, velocity);
    let mut reports = Vec::new();
    for (direction, shape) in kicks {
        let velocities: Vec<Vec3> = shape.iter().map(|v| velocity * v).collect();
        let report = watched(system, balance, direction, velocities, velocity, step_size, watch);
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
    let agrees = leaves == (softest.eigenvalue < 0.0);
    Ok(NudgeReport { verdict, agrees, kicks: reports, compliance, seconds: started.elapsed().as_secs_f64() })
}

/// What changes with time and is held still meanwhile.
struct StandStill {
    motions: Vec<crate::system::Motion>,
    gust: Option<f64>,
    tolerance: f64,
}

impl StandStill {
    fn new(system: &mut System, velocity: f64) -> Self {
        let motions = system.motions.clone();
        system.motions.iter_mut().for_each(|motion| motion.poses.truncate(1));
        let gust = system.loads.wind.as_mut().map(|wind| std::mem::replace(&mut wind.gust_amplitude, 0.0));
        let tolerance = system.simulate.tolerance;
        // A kick is to be resolved, however small.
        system.simulate.tolerance = tolerance.min(1e-3 * velocity);
        Self { motions, gust, tolerance }
    }

    fn undo(self, system: &mut System) {
        system.motions = self.motions;
        if let (Some(wind), Some(gust)) = (&mut system.loads.wind, self.gust) {
            wind.gust_amplitude = gust;
        }
        system.simulate.tolerance = self.tolerance;
        lag(system, &system.positions.clone());
    }
}

fn lag(system: &mut System, positions: &[Vec3]) {
    system.families.iter_mut().for_each(|family| family.lag(positions));
}

/// One kick.
fn watched(
    system: &mut System,
    balance: &Balance,
    direction: KickDirection,
    velocities: Vec<Vec3>,
    velocity: f64,
    step_size: f64,
    watch: &dyn Watch,
) -> Result<KickReport, NudgeError> {
    let mut stepper = Implicit::new(Scheme::BackwardEuler);
    stepper.warm_start(system, balance);
    let mut state = State { time: 0.0, positions: system.positions.clone(), velocities };
    let (contacts_before, force_before) = touching(&mut stepper, system, &state);
    let (mut peak, mut end, mut steps) = (0.0f64, 0.0f64, 0);
    while steps < STEPS && peak < LEFT * system.diagonal && (steps < 4 || end > OVER * peak) {
        watch.check()?;
        watch.progress("nudging", steps as f64 / STEPS as f64);
        lag(system, &state.positions);
        match stepper.step(system, &mut state, step_size, watch) {
            Ok(stats) => end = stats.drift * system.diagonal,
            Err(StepError::Cancelled(cancelled)) => return Err(cancelled.into()),
            // A body that falls together may do so beyond what can be simulated.
            Err(_) if peak > 0.01 * LEFT * system.diagonal => break,
            Err(error) => return Err(NudgeError::Step(error)),
        }
        // The loads and obstacles of time zero stay.
        state.time = 0.0;
        steps += 1;
        peak = peak.max(end);
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
fn touching(stepper: &mut Implicit, system: &System, state: &State) -> (usize, f64) {
    let forces = stepper.contacts(system).freeze(system, &state.positions, state.time).forces(&state.positions);
    (forces.len(), forces.iter().map(|contact| contact.force.dot(&contact.normal)).sum())
}
