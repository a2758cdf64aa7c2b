//! [`Implicit`]: implicit integrators by projected Newton. Each step minimises the incremental potential over positions,
//! with barrier contact, friction that sticks, and a line search that refuses inversion and penetration.
//!
//! ```text
//! scheme -> objective -> rounds of solve (workspace, line_search), or one solve -> the step's end; where that fails, in halves
//! ```

mod inertia;
mod line_search;
mod objective;
mod rounds;
mod scheme;
mod solve;
mod start;
#[cfg(test)]
mod tests;
mod ties;
mod workspace;

use std::time::Instant;

use self::objective::{Inside, Objective};
use self::scheme::History;
pub use self::scheme::Scheme;
use self::solve::Task;
use self::start::Acceleration;
use self::workspace::{Solves, Workspace};
use super::measure;
use super::{Dissipation, PointState, State, StepError, StepStats, Stepper};
use crate::contact::Balance;
use crate::contact::ContactMemory;
use crate::contact::step_contact::Remembered;
use crate::math::{Vec3, larger, largest_norm};
use crate::system::System;
use crate::watch::Watch;

/// The stepper: what its contacts remember, and a sparse system that is ordered once.
pub struct Implicit {
    scheme: Scheme,
    memory: Option<ContactMemory>,
    workspace: Option<Workspace>,
    history: Option<History>,
    /// Of the last step; empty before the first.
    acceleration: Acceleration,
    dissipated: Dissipation,
    /// Whether a step that fails may be taken in halves.
    may_halve: bool,
    /// How often barriers may still be made stiffer in this step.
    stiffenings_left: u32,
}

/// What of it a step changes.
pub struct Carried {
    history: Option<History>,
    acceleration: Acceleration,
    dissipated: Dissipation,
    remembered: Option<Remembered>,
}

/// Of the energy that a step takes out of the motion, the share that barriers may be made stiffer with.
const STIFFENING_SHARE: f64 = 0.5;
/// By this factor the barrier between surfaces is made stiffer where a part of a step does not converge, so often at most in one step, and
/// with this share of the motion's energy.
const STIFFER: f64 = 16.0;
const MOST_STIFFENINGS: u32 = 3;
const SPENT_SHARE: f64 = 1e-5;

/// Sums over the parts of one step.
#[derive(Default)]
struct Tally {
    iterations: u32,
    parts: u32,
    by_backward_euler: u32,
    unsettled: u32,
    residual: f64,
    friction_lag: f64,
    couple: f64,
    min_gap: f64,
    min_effective_gap: f64,
    /// Of a hand [N s].
    impulse: Vec3,
    last: StepStats,
}

impl Tally {
    /// Takes in what a part of the step leaves; what is no number stays.
    fn note(&mut self, residual: f64, friction_lag: f64, couple: f64) {
        self.residual = larger(self.residual, residual);
        self.friction_lag = larger(self.friction_lag, friction_lag);
        self.couple = larger(self.couple, couple);
    }
}

impl Implicit {
    /// A stepper by this scheme.
    pub fn new(scheme: Scheme) -> Self {
        Self {
            scheme,
            memory: None,
            workspace: None,
            history: None,
            acceleration: Acceleration::default(),
            dissipated: Dissipation::default(),
            may_halve: false,
            stiffenings_left: 0,
        }
    }

    /// What a step changes, to go back to.
    pub(crate) fn carried(&self) -> Carried {
        let remembered = self.memory.as_ref().map(ContactMemory::remembered);
        Carried { history: self.history.clone(), acceleration: self.acceleration.clone(), dissipated: self.dissipated, remembered }
    }

    /// Goes back to before a step.
    pub(crate) fn go_back(&mut self, carried: Carried) {
        let Carried { history, acceleration, dissipated, remembered } = carried;
        match (&mut self.memory, remembered) {
            (Some(memory), Some(remembered)) => memory.remember(remembered),
            (memory, _) => *memory = None,
        }
        (self.history, self.acceleration, self.dissipated) = (history, acceleration, dissipated);
    }

    /// A workspace is made by the first step: who only asks for contacts needs none of its memory.
    fn renew_workspace(&mut self, system: &System) {
        self.workspace = self.workspace.take().map(|old| old.renewed(system));
    }

    /// One step in one piece; on error nothing has changed.
    fn attempt(
        &mut self,
        system: &mut System,
        state: &mut State,
        step_size: f64,
        tally: &mut Tally,
        watch: &dyn Watch,
    ) -> Result<(), StepError> {
        system.lag(&state.positions);
        let system = &*system;
        let workspace = self.workspace.get_or_insert_with(|| Workspace::new(system));
        let memory = self.memory.get_or_insert_with(|| ContactMemory::new(system, &Balance::default()));
        let Workspace { damping, buffers, ties, pressing, .. } = workspace;
        let ties = match ties {
            Some(Err(error)) => return Err(StepError::Singular { time: state.time, node: 0, what: error.to_string() }),
            Some(Ok(ties)) => Some(ties),
            None => None,
        };
        let mut stage = self.scheme.stage(state, self.history.as_ref(), step_size);
        if !system.mass_couplings.is_empty() {
            stage.drive(&system.fixed, state);
        }
        let end_time = state.time + step_size;

        let is_damped = damping.is_some();
        if let Some(damping) = damping {
            let clock = Instant::now();
            system.fill_blocks(&state.positions, true, &mut buffers.blocks);
            buffers.phases.elements += clock.elapsed().as_secs_f64();
            damping.update(system, &buffers.blocks);
        }
        let mut loads = Vec::new();
        let load_time = if self.scheme.is_static() { end_time } else { state.time };
        system.steady_loads_at(&state.positions, &state.velocities, load_time, &mut loads);
        let grows = self.scheme.is_static() && system.simulate.ramp > 0.0;
        let share = if grows { (end_time / system.simulate.ramp).min(1.0) } else { 1.0 };
        loads.iter_mut().for_each(|load| *load *= share);
        pressing.set(system, &state.positions, state.time + step_size * stage.inside, share);
        let targets: Vec<(u32, Vec3)> = system.driven.iter().map(|driven| (driven.node, system.target(driven, end_time))).collect();
        let mut objective = Objective {
            system,
            damping: damping.as_mut().filter(|_| stage.is_dynamic()),
            stage,
            // An obstacle that goes at the end of a step within round-off is there to the end.
            contact: memory.freeze(system, &state.positions, state.time + 0.5 * step_size),
            ties,
            origin: &state.positions,
            pressing,
            loads: &loads,
            hand: system
                .hand
                .as_ref()
                .map(|hand| hand.pull(&state.positions, step_size, self.scheme != Scheme::QuasiStatic, self.scheme.is_linear())),
            step_size,
            contact_seconds: [0.0; 2],
            inside: Inside::default(),
        };
        if let Some((node, what)) = objective.contact.jammed() {
            return Err(StepError::Singular { time: state.time, node, what });
        }
        let mut aim = objective.stage.predictor.clone();
        targets.iter().for_each(|&(node, target)| aim[node as usize] = target);
        if let Some(node) = objective.contact.led_around(&aim).filter(|_| self.may_halve) {
            let what = "a node would pass an obstacle within one step; take smaller steps".to_owned();
            return Err(StepError::Singular { time: state.time, node, what });
        }
        let couple = objective.contact.couple(&state.positions) / system.torque_unit();
        if self.scheme == Scheme::Midpoint {
            objective.calm_touching(&state.positions, &mut buffers.trial);
        }
        let mut y = state.positions.clone();
        let task = Task { state, targets: &targets, blocks_known: is_damped, watch };
        let lag = if self.scheme.is_linear() {
            tally.iterations += solve::solve_once(&mut objective, buffers, &task, &mut y)?;
            None
        } else {
            rounds::minimise(self.scheme, &self.acceleration, &mut objective, buffers, &task, &mut y, &mut tally.iterations)?
        };

        let clock = Instant::now();
        let mut lag = lag.unwrap_or_else(|| objective.contact.friction_lag(&y));
        system.take_supported(&mut lag);
        let friction_lag = largest_norm(&lag) / system.largest_load();
        buffers.phases.contact += clock.elapsed().as_secs_f64();

        let [energies, forces] = objective.contact_seconds;
        buffers.phases.contact += energies + forces;
        // Energies outside line searches are few.
        buffers.phases.line_search = (buffers.phases.line_search - energies).max(0.0);
        buffers.phases.elements = (buffers.phases.elements - forces).max(0.0);
        let stage = &objective.stage;
        let mut velocities = stage.end_velocities(&state.positions, &y);
        // What is driven has the velocity of its way: that of the midpoint rule would swing about it.
        for driven in &system.driven {
            let node = driven.node as usize;
            velocities[node] = (system.target(driven, end_time) - state.positions[node]) / step_size;
        }
        self.dissipated.friction += objective.contact.friction_work(&y);
        self.dissipated.damping += 2.0 * step_size / objective.stage.span * objective.damping_energy(&y);
        if let Some(hand) = &objective.hand {
            tally.impulse += step_size * hand.force(&state.positions, &y);
        }
        let pressed = objective.contact.pressed(&y);
        let spare = objective.stage.dissipation(system, &state.velocities, &velocities);
        let has_changed = self.scheme == Scheme::Bdf2 && objective.touches_others(&state.positions, &y, buffers);
        let touching = objective.contact.summary(&y);
        let unsettled = u32::from(objective.contact.is_unsettled());
        let finished = objective.contact.finish(&y);
        memory.remember(finished);
        memory.stiffen_if_pressed(&pressed, &system.surface.points, &y, STIFFENING_SHARE * spare);
        let contact = touching.energy;
        tally.parts += 1;
        tally.note(largest_norm(&buffers.gradient) / system.largest_load(), friction_lag, couple);
        tally.unsettled += unsettled;
        tally.min_gap = tally.min_gap.min(touching.min_gap);
        tally.min_effective_gap = tally.min_effective_gap.min(touching.min_effective_gap);
        tally.last = StepStats {
            time: end_time,
            contacts: touching.count,
            contact_pairs: touching.pairs,
            ..measure::state(system, &y, &velocities, contact, pressing.potential(system, &y, end_time))
        };
        let after = State { time: end_time, positions: y, velocities, points: PointState::default() };
        self.acceleration = Acceleration::between(state, &after, step_size);
        let before = std::mem::replace(state, after);
        // What contacts do all at once does not go on: differences are begun anew.
        self.history = (self.scheme == Scheme::Bdf2 && !has_changed).then(|| History::new(before, state.clone(), step_size));
        Ok(())
    }

    /// One step, in halves where it fails in one piece, and these in halves again. Of the midpoint rule, whose least energy may lie where
    /// an element is flat at the end, what is left then goes by backward Euler.
    fn in_parts(
        &mut self,
        system: &mut System,
        state: &mut State,
        step_size: f64,
        halvings_left: u32,
        tally: &mut Tally,
        watch: &dyn Watch,
    ) -> Result<(), StepError> {
        self.may_halve = halvings_left > 0;
        match self.attempt(system, state, step_size, tally, watch) {
            Err(StepError::NotConverged { .. }) if self.stiffens(system, state) => {
                self.in_parts(system, state, step_size, halvings_left, tally, watch)
            }
            Err(StepError::NotConverged { .. } | StepError::Singular { .. }) if halvings_left > 0 => {
                let half = 0.5 * step_size;
                self.in_parts(system, state, half, halvings_left - 1, tally, watch)?;
                self.in_parts(system, state, half, halvings_left - 1, tally, watch)
            }
            Err(StepError::NotConverged { .. }) if self.scheme == Scheme::Midpoint => {
                self.scheme = Scheme::BackwardEuler;
                let outcome = self.attempt(system, state, step_size, tally, watch);
                self.scheme = Scheme::Midpoint;
                tally.by_backward_euler += u32::from(outcome.is_ok());
                outcome
            }
            outcome => outcome,
        }
    }

    /// Makes the barrier between surfaces stiffer, a few times a step, where a part that starts from `state` did not converge: an impact that
    /// presses gaps to next to nothing leaves Newton's method no room, and one that nothing resists yet costs no energy to prepare for.
    fn stiffens(&mut self, system: &System, state: &State) -> bool {
        let spare = SPENT_SHARE * measure::kinetic_energy(system, &state.velocities);
        let can = self.stiffenings_left > 0;
        let does = can && self.memory.as_mut().is_some_and(|memory| memory.stiffen_surfaces(system, STIFFER, &state.positions, spare));
        self.stiffenings_left -= u32::from(does);
        does
    }
}

impl Stepper for Implicit {
    fn warm_start(&mut self, system: &System, balance: &Balance) {
        self.renew_workspace(system);
        self.memory = Some(ContactMemory::new(system, balance));
        self.history = None;
        self.acceleration = Acceleration::default();
        self.dissipated = Dissipation::default();
    }

    fn adapt(&mut self, system: &System) {
        self.renew_workspace(system);
        self.memory.iter_mut().for_each(ContactMemory::adapt);
        self.history = None;
        self.acceleration = Acceleration::default();
    }

    fn step(&mut self, system: &mut System, state: &mut State, step_size: f64, watch: &dyn Watch) -> Result<StepStats, StepError> {
        let clock = Instant::now();
        self.contacts(system);
        let mut tally = Tally { min_gap: f64::INFINITY, min_effective_gap: f64::INFINITY, ..Tally::default() };
        if let Some(workspace) = &mut self.workspace {
            workspace.buffers.phases = Default::default();
            workspace.buffers.halvings = 0;
            workspace.buffers.solves = Solves::default();
        }
        self.stiffenings_left = MOST_STIFFENINGS;
        let (carried, old_state) = (self.carried(), state.clone());
        let end_time = state.time + step_size;
        if let Err(error) = self.in_parts(system, state, step_size, system.simulate.max_substep_halvings, &mut tally, watch) {
            *state = old_state;
            system.lag(&state.positions);
            self.go_back(carried);
            return Err(error);
        }
        // Halves of a step, and the mirrored midpoint, may miss the end by round-off.
        state.time = end_time;
        system.driven.iter().for_each(|driven| state.positions[driven.node as usize] = system.target(driven, end_time));
        let of_buffers = |w: &Workspace| (w.buffers.phases, w.buffers.halvings, w.buffers.solves);
        let (phases, halvings, solves) = self.workspace.as_ref().map_or_else(Default::default, of_buffers);
        let seconds = clock.elapsed().as_secs_f64();
        Ok(StepStats {
            time: end_time,
            friction: self.dissipated.friction,
            damping: self.dissipated.damping,
            residual: tally.residual,
            friction_lag: tally.friction_lag,
            iterations: tally.iterations,
            unsolved: solves.unsolved,
            linear_iterations: solves.iterations,
            linear_residual: solves.residual,
            halvings,
            substeps: tally.parts,
            by_backward_euler: tally.by_backward_euler,
            unsettled: tally.unsettled,
            couple: tally.couple,
            hand: tally.impulse / step_size,
            min_gap: tally.min_gap,
            min_effective_gap: tally.min_effective_gap,
            seconds,
            phases: super::Phases { total: seconds, ..phases },
            ..tally.last
        })
    }

    fn contacts(&mut self, system: &System) -> &mut ContactMemory {
        self.memory.get_or_insert_with(|| ContactMemory::new(system, &Balance::default()))
    }
}
