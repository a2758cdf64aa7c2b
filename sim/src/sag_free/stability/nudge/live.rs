//! The nudge test of what has no eigenvalues to be judged by, as material points on a grid: kicked and unkicked, it runs by the scene's own stepper,
//! and what the kicks left between them either grows or does not.
//!
//! About a stable equilibrium the potential energy is least, so that motion has no more energy at any time than a kick gave it; about an
//! unstable one some of it grows by the same factor in equal times, whatever the length of the steps.

use std::f64::consts::TAU;
use std::time::Instant;

use super::{LEFT, Nudge, NudgeError, StandStill, touching};
use crate::contact::Balance;
use crate::math::Vec3;
use crate::math::random::Random;
use crate::sag_free::verdict::{KickDirection, KickReport, NudgeReport, NudgeVerdict};
use crate::step::{STEPPERS, State, StepError, Stepper, stepper};
use crate::system::System;
use crate::watch::Watch;

/// Time that is watched by default, and speed of the kick, by the time and speed of a fall through the diagonal.
const FALLS: f64 = 10.0;
const AMPLITUDE: f64 = 1e-4;
/// So many times the speed that the first steps left of the kick is no longer the kick's own.
const GROWN: f64 = 3.0;
/// A motion still grows that is so many times as fast at most in the last third of the time as in the middle one; then it is watched on, for so many
/// times as long.
const GROWS: f64 = 1.05;
const ROUNDS: usize = 6;
/// What was not kicked may move by this share of what kicks make of the motion.
const BY_ITSELF: f64 = 0.5;
/// Steps that the grid takes to see a kick.
const SEEN: usize = 2;
/// Waves over the box of the bodies of which a kick at random is made, and their largest number along an edge.
const WAVES: usize = 8;
const WAVE_NUMBER: f64 = 2.0;

/// One kicked copy of the bodies.
struct Kicked {
    direction: KickDirection,
    stepper: Box<dyn Stepper>,
    state: State,
    contacts: (usize, f64),
    /// Speed that the kick left, root of the mean square by the masses [m/s].
    first: f64,
    /// What is left of it, step by step.
    speeds: Vec<f64>,
    peak: f64,
    end: f64,
    lost: bool,
}

/// Kicks all free masses of `system` uniformly and in waves at random, each from the given shape at time zero with loads and obstacles as they are then, and
/// watches them beside the same that was not kicked. `balance` is that of the system's rest states, which are not changed.
///
/// # Errors
/// [`NudgeError`].
pub(super) fn nudge(system: &mut System, balance: &Balance, nudge: &Nudge, watch: &dyn Watch) -> Result<NudgeReport, NudgeError> {
    let started = Instant::now();
    let fall = (system.diagonal / system.gravity.norm()).sqrt();
    let seconds = nudge.seconds.unwrap_or(FALLS * fall);
    let velocity = nudge.velocity.unwrap_or(AMPLITUDE * system.diagonal / fall);
    if !(seconds.is_finite() && velocity > 0.0 && velocity.is_finite()) {
        return Err(NudgeError::NoScale);
    }
    let step_size = system.simulate.step_size.min(seconds);
    let steps = (seconds / step_size).ceil() as usize;
    let stands_still = StandStill::new(system, velocity);
    let shapes = [(KickDirection::Uniform, vec![Vec3::repeat(1.0); system.positions.len()]), (KickDirection::Waves, waves(system))];
    let kicked = shapes.map(|(direction, shape)| Kicked::new(system, balance, direction, velocity, shape));
    let rounds = if nudge.seconds.is_some() { 1 } else { ROUNDS };
    let reports = watched(system, balance, kicked, (steps, rounds, step_size), watch);
    stands_still.undo(system);
    let kicks: Vec<KickReport> = reports?.into_iter().map(|report| KickReport { velocity, step_size, ..report }).collect();
    let leaves = kicks.iter().any(|kick| kick.verdict == NudgeVerdict::Leaves);
    let verdict = if leaves { NudgeVerdict::Leaves } else { NudgeVerdict::Returns };
    Ok(NudgeReport { verdict, agrees: None, kicks, compliance: None, seconds: started.elapsed().as_secs_f64() })
}

/// Runs all that was kicked beside what was not, so many steps, and as many again as long as something grows, or until each has left.
fn watched(
    system: &mut System,
    balance: &Balance,
    mut kicked: [Kicked; 2],
    (steps, rounds, step_size): (usize, usize, f64),
    watch: &dyn Watch,
) -> Result<Vec<KickReport>, NudgeError> {
    let mut still = Kicked::new(system, balance, KickDirection::Uniform, 0.0, vec![Vec3::zeros(); system.positions.len()]);
    let mut moved = 0.0;
    for step in 0..rounds * steps {
        watch.check()?;
        watch.progress("nudging", (step % steps) as f64 / steps as f64);
        let is_decided = |one: &Kicked| one.has_left(system) || step > 0 && step % steps == 0 && !one.grows();
        if kicked.iter().all(is_decided) {
            break;
        }
        still.step(system, step_size, watch)?;
        for one in &mut kicked {
            if one.has_left(system) {
                continue;
            }
            one.step(system, step_size, watch)?;
            one.compare(system, &still.state);
        }
        if still.lost {
            return Err(NudgeError::NoEquilibrium);
        }
        let nodes = 0..system.body_nodes();
        moved = nodes.map(|n| (still.state.positions[n] - system.positions[n]).norm()).fold(moved, f64::max);
    }
    let left = kicked.iter().map(|one| one.peak).fold(0.0, f64::max);
    if moved > BY_ITSELF * left {
        return Err(NudgeError::MovesByItself { moved, left });
    }
    Ok(kicked.into_iter().map(|one| one.report(system)).collect())
}

impl Kicked {
    fn new(system: &System, balance: &Balance, direction: KickDirection, velocity: f64, mut shape: Vec<Vec3>) -> Self {
        shape[system.internal_nodes()].fill(Vec3::zeros());
        system.take_supported(&mut shape);
        shape.iter_mut().for_each(|v| *v *= velocity);
        let mut stepper = (stepper(&system.simulate.stepper).unwrap_or(&STEPPERS[0]).make)();
        stepper.warm_start(system, balance);
        let state = State { velocities: shape, ..State::at_rest(system) };
        let contacts = touching(stepper.as_mut(), system, &state);
        Self { direction, stepper, state, contacts, first: 0.0, speeds: Vec::new(), peak: 0.0, end: 0.0, lost: false }
    }

    fn step(&mut self, system: &mut System, step_size: f64, watch: &dyn Watch) -> Result<(), NudgeError> {
        match self.stepper.step(system, &mut self.state, step_size, watch) {
            Ok(_) => {}
            Err(StepError::Cancelled(cancelled)) => return Err(cancelled.into()),
            // What falls together may do so beyond what can be simulated.
            Err(_) if self.peak > 0.01 * LEFT * system.diagonal => self.lost = true,
            Err(error) => return Err(NudgeError::Step(error)),
        }
        // The loads and obstacles of time zero stay.
        self.state.time = 0.0;
        Ok(())
    }

    /// Takes in how far it is from what was not kicked, and how fast beside it.
    fn compare(&mut self, system: &System, still: &State) {
        let nodes = 0..system.body_nodes();
        let apart = nodes.clone().map(|n| (self.state.positions[n] - still.positions[n]).norm());
        self.end = apart.fold(0.0, f64::max);
        self.peak = self.peak.max(self.end);
        let energy = |n: usize| system.masses[n] * (self.state.velocities[n] - still.velocities[n]).norm_squared();
        let free = |n: &usize| !system.fixed[*n];
        let mass: f64 = nodes.clone().filter(free).map(|n| system.masses[n]).sum();
        let speed = (nodes.filter(free).map(energy).sum::<f64>() / mass).sqrt();
        self.speeds.push(speed);
        if self.speeds.len() <= SEEN {
            self.first = self.first.max(speed);
        }
    }

    fn has_left(&self, system: &System) -> bool {
        let is_fast = self.speeds.last().is_some_and(|speed| *speed > GROWN * self.first);
        self.lost || self.peak >= LEFT * system.diagonal || is_fast
    }

    /// Whether it was faster at the end than before. (A soft one that swings may be so, too, and is not when it is watched for longer.)
    fn grows(&self) -> bool {
        let third = self.speeds.len() / 3;
        let fastest = |speeds: &[f64]| speeds.iter().copied().fold(0.0, f64::max);
        let (before, last) = self.speeds.split_at(self.speeds.len() - third);
        fastest(last) > GROWS * fastest(&before[third.min(before.len())..])
    }

    fn report(mut self, system: &System) -> KickReport {
        let verdict = if self.has_left(system) || self.grows() { NudgeVerdict::Leaves } else { NudgeVerdict::Returns };
        let (contacts_after, force_after) = touching(self.stepper.as_mut(), system, &self.state);
        let (contacts_before, force_before) = self.contacts;
        KickReport {
            direction: self.direction,
            velocity: 0.0,
            step_size: 0.0,
            steps: self.speeds.len(),
            peak: self.peak,
            end: self.end,
            decay: if self.peak > 0.0 { self.end / self.peak } else { 0.0 },
            verdict,
            contacts_before,
            contacts_after,
            contact_kept: force_after >= super::KEPT * force_before,
        }
    }
}

/// A smooth field over the bodies, with 1 as the largest length: long waves of their box at random, always the same.
fn waves(system: &System) -> Vec<Vec3> {
    let given = &system.positions[..system.body_nodes()];
    let (low, high) = given.iter().fold((Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY)), |(l, h), x| (l.inf(x), h.sup(x)));
    let mut random = Random::new(1);
    let waves: Vec<(Vec3, Vec3, f64)> =
        (0..WAVES).map(|_| (random.vector(-1.0, 1.0), random.vector(-WAVE_NUMBER, WAVE_NUMBER), random.uniform(0.0, TAU))).collect();
    let size = (high - low).map(|edge| edge.max(f64::MIN_POSITIVE));
    let field = |x: &Vec3| -> Vec3 {
        let along = (x - low).component_div(&size);
        waves.iter().map(|(way, number, phase)| way * (0.5 * TAU * number.dot(&along) + phase).cos()).sum()
    };
    let mut shape: Vec<Vec3> = system.positions.iter().map(field).collect();
    let largest = shape[..given.len()].iter().map(Vec3::norm).fold(f64::MIN_POSITIVE, f64::max);
    shape.iter_mut().for_each(|v| *v /= largest);
    shape
}
