//! [`Xpbd`]: steps by positions. Elements are constraints that are projected one after the other (Muller et al. 2007, "Position Based
//! Dynamics"; Macklin, Muller, Chentanez 2016, "XPBD"), and a balance is exact at rest for any number of sweeps, as every part of a step
//! begins with its multipliers.
//!
//! ```text
//! limit -> each part of the step: gate -> preload and predict -> sweeps -> velocities from positions
//! ```

mod buckling;
mod colours;
mod constraints;
mod contact;
mod far;
pub mod fluid;
mod gate;
mod mobility;
mod predict;
mod refusal;
mod strands;
mod surfaces;
mod sweep;
#[cfg(test)]
mod tests;

use std::time::Instant;

pub use self::refusal::needs;

use self::buckling::Buckling;
use self::constraints::{Constraints, projections};
use self::contact::Contacts;
use self::far::{Attachments, Hierarchy};
use self::fluid::{Fluid, carried_forces, density};
use self::gate::Gate;
use self::mobility::Mobility;
use self::refusal::MOST_TURN;
use self::strands::Strands;
use self::surfaces::Surfaces;
use self::sweep::{Sweep, Visits};
use super::{Dissipation, Phases, State, StepError, StepStats, Stepper, instant, measure};
use crate::contact::{Balance, ContactForce, ContactMemory};
use crate::math::{Vec3, largest_norm};
use crate::scene::{Preload, ProjectionSettings, StrandProjection};
use crate::system::System;
use crate::system::pressure::Pressing;
use crate::watch::Watch;

/// What the strength of a constraint is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strength {
    /// The compliance of its element: as stiff as in other steppers, up to what sweeps leave.
    Compliance,
    /// A share of its error, whatever its element's stiffness.
    Share,
}

/// The stepper.
pub struct Xpbd {
    strength: Strength,
    work: Option<Work>,
    memory: Option<ContactMemory>,
    pressing: Option<Pressing>,
    dissipated: Dissipation,
}

/// What it keeps between steps.
struct Work {
    constraints: Constraints,
    contacts: Contacts,
    surfaces: Surfaces,
    fluid: Option<Fluid>,
    /// Strands, where they are solved as wholes.
    strands: Strands,
    attachments: Attachments,
    hierarchy: Hierarchy,
    gate: Gate,
    visits: Visits,
    mobility: Mobility,
    /// Size of a part [s], and the settings that `visits` and the rest data are of.
    chosen: Option<(f64, ProjectionSettings)>,
    /// How near bodies are to giving way in such parts, and how many were held then ([`Buckling`]).
    giving_way: Option<(f64, usize)>,
    /// Size of the parts of the last step that was taken [s].
    stepped: Option<f64>,
    positions: Vec<Vec3>,
    velocities: Vec<Vec3>,
    start: Vec<Vec3>,
    moves: Vec<Vec3>,
    loads: Vec<Vec3>,
}

impl Work {
    /// For `system` with its balance, if one was solved.
    fn new(system: &System, balance: Option<&Balance>) -> Self {
        let mut mobility = Mobility::of(system);
        let mut constraints = Constraints::of(system);
        let forces = Balance::default();
        let forces = balance.unwrap_or(&forces);
        let (mut contacts, mut surfaces) = (Contacts::new(system, forces), Surfaces::new(system, forces));
        let gate = Gate::new(system, &mut constraints, (&mut contacts, &mut surfaces), &mobility, balance.is_some());
        mobility.bear(system, &constraints);
        let none = Vec::new;
        Self {
            constraints,
            contacts,
            surfaces,
            fluid: Fluid::of(system),
            strands: Strands::default(),
            attachments: Attachments::default(),
            hierarchy: Hierarchy::default(),
            gate,
            visits: Visits::default(),
            mobility,
            chosen: None,
            giving_way: None,
            stepped: None,
            positions: none(),
            velocities: none(),
            start: none(),
            moves: none(),
            loads: none(),
        }
    }

    /// Force of the contacts on each node in the last part of a step, of `part` [s], with the nodes at `x` [m], and of what presses in a fluid [N].
    fn contact_force(&mut self, system: &System, x: &[Vec3], part: f64) -> Vec<Vec3> {
        let mut force = vec![Vec3::zeros(); x.len()];
        self.contacts.forces(x, part).iter().for_each(|contact| force[contact.node as usize] += contact.force);
        self.surfaces.add_forces(&system.surface, part, &mut force);
        if let Some(fluid) = &mut self.fluid {
            fluid.add_forces(x, part, &mut force);
        }
        force
    }

    /// Takes over what may have changed since the last step.
    fn prepare(&mut self, system: &System, strength: Strength, part: f64) {
        let has_wholes = strength == Strength::Compliance && system.simulate.projection.strands == StrandProjection::Whole;
        let families = projections(system);
        let wholes = if has_wholes { strands::families(&families) } else { Vec::new() };
        if self.constraints.wholes != wholes {
            self.strands = if has_wholes { Strands::of(&families, system.positions.len()) } else { Strands::default() };
            self.constraints.wholes = wholes;
            self.mobility.take_wholes(has_wholes);
            self.chosen = None;
        }
        if self.mobility.renew(system, part) {
            self.gate.measure_turns(system, &self.constraints, &self.mobility);
            self.giving_way = None;
        }
        self.gate.look_at_supports(system);
        self.attachments.renew(system, system.simulate.projection.attachments);
        self.hierarchy.renew(system, &self.mobility, system.simulate.projection.levels);
        self.constraints.take_damping(system);
        let chosen = (part, system.simulate.projection);
        if self.chosen != Some(chosen) {
            self.visits = Visits::of(&self.constraints, &families, &chosen.1, system.positions.len());
            self.constraints.choose_rest(system, &self.mobility, strength, part, &chosen.1);
            self.chosen = Some(chosen);
            self.giving_way = None;
        }
        self.visits.take(&self.constraints);
    }

    /// S of what sweeps hold, where it is more than `least`: found once for what is held.
    ///
    /// # Errors
    /// [`StepError::GivesWay`] where they do not hold it; cancelled.
    fn give_way(&mut self, system: &System, strength: Strength, step_size: f64, least: f64, watch: &dyn Watch) -> Result<f64, StepError> {
        let supported = self.gate.supported();
        if let Some((turn, _)) = self.giving_way.filter(|(_, of)| *of == supported) {
            return Ok(turn);
        }
        let families = projections(system);
        let mut contact = vec![Vec3::zeros(); system.positions.len()];
        self.contacts.add_given_forces(&mut contact);
        self.surfaces.add_given_forces(system, &self.mobility, &mut contact);
        let carries = |c: usize| self.gate.carries(c);
        let settings = &system.simulate.projection;
        let times = self.visits.times(&self.constraints, strength, settings);
        let found = Buckling::of(system, &families, &self.constraints, &self.mobility, (times, strength), carries, &contact);
        let turn = match &found {
            Some(buckling) => buckling.turn(step_size / f64::from(settings.substeps), least, watch)?,
            None => 0.0,
        };
        if let Some(buckling) = found.filter(|_| turn >= MOST_TURN) {
            let substeps = buckling.substeps(step_size, settings.substeps, watch)?;
            return Err(StepError::GivesWay { turn, share: MOST_TURN / turn, substeps });
        }
        self.giving_way = Some((turn, supported));
        Ok(turn)
    }
}

impl Xpbd {
    /// Constraints as stiff as their elements.
    pub fn compliant() -> Self {
        Self { strength: Strength::Compliance, work: None, memory: None, pressing: None, dissipated: Dissipation::default() }
    }

    /// Constraints that take back a share of their error.
    pub fn by_share() -> Self {
        Self { strength: Strength::Share, ..Self::compliant() }
    }

    fn name(&self) -> &'static str {
        if self.strength == Strength::Share { "pbd" } else { "xpbd" }
    }

    /// What it keeps, and the size of the part that it stepped last [s]; before that only the balance tells of forces.
    fn stepped(&mut self) -> Option<(&mut Work, f64)> {
        self.work.as_mut().and_then(|work| work.stepped.map(|part| (work, part)))
    }
}

impl Stepper for Xpbd {
    fn warm_start(&mut self, system: &System, balance: &Balance) {
        self.work = Some(Work::new(system, Some(balance)));
        self.memory = Some(ContactMemory::new(system, balance));
        self.pressing = None;
        self.dissipated = Dissipation::default();
    }

    fn adapt(&mut self, _: &System) {
        self.work.iter_mut().for_each(|work| work.surfaces.forget_near());
        self.pressing = None;
        self.memory.iter_mut().for_each(ContactMemory::adapt);
    }

    fn step(&mut self, system: &mut System, state: &mut State, step_size: f64, watch: &dyn Watch) -> Result<StepStats, StepError> {
        watch.check()?;
        needs(self.name(), system)?;
        let system = &*system;
        let clock = Instant::now();
        let settings = system.simulate.projection;
        let part = step_size / f64::from(settings.substeps);
        let work = self.work.get_or_insert_with(|| Work::new(system, None));
        work.prepare(system, self.strength, part);
        let preloads = settings.preload == Preload::Multipliers;
        let families = projections(system);
        let turning = if preloads { work.gate.turning(&families, &work.constraints) } else { [0.0; 2] };
        let turn = turning.into_iter().fold(0.0, f64::max) * part * part;
        refusal::turns(turning, &settings, step_size)?;
        let turn = if turn > 0.0 { turn.max(work.give_way(system, self.strength, step_size, turn.min(1.0), watch)?) } else { turn };
        let share = (self.strength == Strength::Share).then(|| constraints::share(&settings));
        let strength = density::Strength { square: part * part, share };
        let (end_time, dissipates) = (state.time + step_size, work.constraints.is_damped());
        let mut hand = Vec3::zeros();
        let (mut dissipated, mut rubbed) = (0.0, 0.0);
        work.positions.clone_from(&state.positions);
        work.velocities.clone_from(&state.velocities);
        let mass = system.mass();
        let masses = mass.least_of_nodes();
        for number in 0..settings.substeps {
            let time = state.time + f64::from(number) * part;
            let next = if number + 1 == settings.substeps { end_time } else { time + part };
            work.start.clone_from(&work.positions);
            system.loads_at(&work.positions, &work.velocities, time, &mut work.loads);
            if let Some(pulling) = &system.hand {
                let pull = pulling.add_explicit(&work.positions, &work.velocities, &masses, part, &mut work.loads);
                hand += pull / f64::from(settings.substeps);
            }
            let gate = &mut work.gate;
            work.contacts.look(system, 0.5 * (time + next), |node| gate.lose(node));
            work.gate.look(system, &work.positions);
            let gate = Some(&work.gate).filter(|gate| preloads && gate.is_open());
            predict::moves(
                &families,
                &mut work.constraints,
                &work.mobility,
                gate,
                &work.start,
                &work.velocities,
                &work.loads,
                part,
                &mut work.moves,
            );
            if let Some(fluid) = &mut work.fluid {
                fluid.begin(system, &work.mobility, preloads, &work.start, 0.5 * (time + next), part, &mut work.moves);
            }
            work.positions.iter_mut().zip(&work.moves).for_each(|(x, way)| *x += way);
            system.driven.iter().for_each(|driven| work.positions[driven.node as usize] = system.target(driven, next));
            let share = |node| gate.map_or(0.0, |gate| gate.share_of_node(node));
            work.contacts.begin(&mut work.positions, &work.mobility, part, share);
            work.surfaces.begin(system, &work.mobility, &work.start, &mut work.positions, part, share);
            let sweep = Sweep {
                families: &families,
                mobility: &work.mobility,
                start: &work.start,
                strength: self.strength,
                part,
                settings: &settings,
            };
            if let Some(fluid) = &mut work.fluid {
                fluid.follow(&work.positions);
            }
            let whole = strands::Part {
                families: &families,
                mobility: &work.mobility,
                start: &work.start,
                velocities: &work.velocities,
                size: part,
            };
            work.strands.begin(&whole, &mut work.positions);
            work.visits.begin((time / part).round(), settings.sweeps, gate.map(|_| &work.constraints));
            for number in 0..settings.sweeps {
                if number > 0 {
                    work.visits.turn_about();
                }
                work.hierarchy.project(&work.mobility, &mut work.positions);
                work.strands.project(&whole, &mut work.positions);
                sweep.run(&mut work.visits, &mut work.positions);
                if let Some(fluid) = &mut work.fluid {
                    fluid.project(&work.mobility, &strength, &mut work.positions);
                }
                work.attachments.project(&work.mobility, &mut work.positions);
                work.contacts.project(&mut work.positions, &work.mobility);
                work.surfaces.project(&system.surface, &work.mobility, &mut work.positions);
            }
            rubbed += work.contacts.end(&work.start, &work.positions, part);
            rubbed += work.surfaces.end(&system.surface, &work.mobility, &work.positions, part);
            if dissipates {
                dissipated += sweep.dissipated(&work.constraints, &work.positions) + work.strands.dissipated(&whole);
            }
            for ((v, x), start) in work.velocities.iter_mut().zip(&work.positions).zip(&work.start) {
                *v = (x - start) / part;
            }
            if let Some(fluid) = &mut work.fluid {
                dissipated += fluid.stir(&work.mobility, &work.positions, &mut work.velocities, part);
            }
        }
        if let Some(node) = work.positions.iter().position(|x| !x.iter().all(|c| c.is_finite())) {
            let what = "its position is not a finite number; take more substeps, or an implicit stepper".to_owned();
            return Err(StepError::Singular { time: state.time, node, what });
        }
        self.dissipated.damping += dissipated;
        self.dissipated.friction += rubbed;
        state.time = end_time;
        state.positions.clone_from(&work.positions);
        work.stepped = Some(part);
        state.velocities.clone_from(&work.velocities);
        let gaps = work.contacts.gaps(&state.positions).and(work.surfaces.gaps(&system.surface, &state.positions));
        let force = instant::net_force_under(system, work.contact_force(system, &state.positions, part), state);
        let pressure = self.pressing.get_or_insert_with(|| Pressing::of(system)).potential(system, &state.positions, end_time);
        let pressed = work.fluid.as_ref().map_or_else(Default::default, |fluid| fluid.pressed(&state.positions));
        let seconds = clock.elapsed().as_secs_f64();
        let measured = measure::state(system, &state.positions, &state.velocities, 0.0, pressure);
        Ok(StepStats {
            time: end_time,
            damping: self.dissipated.damping,
            residual: largest_norm(&force) / system.largest_load(),
            substeps: settings.substeps,
            turn,
            hand,
            contacts: gaps.count,
            min_gap: gaps.least,
            min_effective_gap: gaps.least_effective,
            friction: self.dissipated.friction,
            seconds,
            phases: Phases { total: seconds, ..Phases::default() },
            elastic: measured.elastic + pressed.energy,
            total: measured.total + pressed.energy,
            density_mean: pressed.mean,
            density_max: pressed.most,
            ..measured
        })
    }

    fn contacts(&mut self, system: &System) -> &mut ContactMemory {
        self.memory.get_or_insert_with(|| ContactMemory::new(system, &Balance::default()))
    }

    fn pressures(&self, system: &System) -> Vec<f64> {
        let work = self.work.as_ref();
        let found = work.and_then(|work| Some(work.fluid.as_ref()?.pressures(system.positions.len(), work.stepped?)));
        found.unwrap_or_default()
    }

    fn contact_force_on_nodes(&mut self, system: &System, state: &State) -> Vec<Vec3> {
        match self.stepped() {
            Some((work, part)) => work.contact_force(system, &state.positions, part),
            None => {
                let mut force = self.contacts(system).freeze(system, &state.positions, state.time).forces_on_nodes(&state.positions);
                force.iter_mut().zip(carried_forces(system, &state.positions)).for_each(|(force, carried)| *force += carried);
                force
            }
        }
    }

    fn contact_force_on_vertices(&mut self, system: &System, state: &State) -> Vec<Vec3> {
        self.contact_force_on_nodes(system, state)
    }

    fn contact_forces(&mut self, system: &System, state: &State) -> Vec<ContactForce> {
        let Some((work, part)) = self.stepped() else {
            return self.contacts(system).freeze(system, &state.positions, state.time).forces(&state.positions);
        };
        let mut forces = work.contacts.forces(&state.positions, part);
        forces.extend(work.surfaces.forces(&system.surface, &state.positions, part));
        forces
    }
}
