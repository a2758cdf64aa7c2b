//! [`Simulation`]: the pipeline behind one object, for programs that load, initialise and step a scene.

use std::path::Path;
use std::time::Instant;

use crate::contact::Balance;
use crate::contact::ContactForce;
use crate::element::{self, ElementField, Fact, Family};
use crate::export::{PreparedAsset, prepared};
use crate::math::{Vec3, largest_norm};
use crate::rest_shape::{self, RestMethod, RestShape, RestShapeError};
use crate::sag_free::initialise::{Account, InitialiseError, rest_state};
use crate::sag_free::stability::cures::Unstable;
use crate::sag_free::stability::nudge::{self, Nudge, NudgeError};
use crate::sag_free::stability::{self, Assessment, Mode};
use crate::sag_free::{FoundContact, contacts, feasibility, local};
use crate::scene::{BuildError, Cure, InitialiseSettings, Method, Scene, SceneProblem};
use crate::stats::report::{Balanced, InitReport, InitSeconds, NudgeReport, Outcome, Residual, Stability, Unattainable, Verdict};
use crate::stats::{memory, summary};
use crate::step::instant::{self, Curvature};
use crate::step::{STEPPERS, State, StepError, StepStats, Stepper, stepper};
use crate::system::System;
use crate::system::entrance::Blockage;
use crate::watch::{Cancelled, Watch};

/// A scene that is ready to be initialised and stepped.
pub struct Simulation {
    /// Masses, elements, obstacles.
    pub system: System,
    /// Where everything is now.
    pub state: State,
    /// The balance of the last initialisation; empty before.
    pub balance: Balance,
    stepper: Box<dyn Stepper>,
    modes: Vec<Mode>,
    too_soft: Vec<usize>,
}

impl Simulation {
    /// Wraps a system in the rest state that it has.
    pub fn new(system: System) -> Self {
        let state = State::at_rest(&system);
        let mut stepper = make_stepper(&system);
        stepper.warm_start(&system, &Balance::default());
        Self { state, system, balance: Balance::default(), stepper, modes: Vec::new(), too_soft: Vec::new() }
    }

    /// Reads the meshes of a checked scene and assembles its system in the naive rest state. Relative paths start at `folder`.
    ///
    /// # Errors
    /// Everything that is wrong with the meshes and selections.
    pub fn build(scene: &Scene, folder: &Path, watch: &dyn Watch) -> Result<Self, BuildError> {
        let system = System::build(scene, folder, watch)?;
        let needs = stepper(&scene.simulate.stepper).map_or(Ok(()), |stepper| (stepper.needs)(&system));
        needs.map_err(|why| BuildError(vec![SceneProblem::at("simulate.stepper", why.to_string())]))?;
        Ok(Self::new(system))
    }

    /// Chooses the rest state by `method`, and goes back to time zero. An infeasible problem is not an error: the report
    /// says so. Cancelled, it changes nothing.
    ///
    /// # Errors
    /// Cancelled, or numbers in the system that are not finite.
    pub fn initialise(&mut self, method: Method, watch: &dyn Watch) -> Result<InitReport, InitialiseError> {
        let started = Instant::now();
        // Rest states and balance are those of the start; cancelled, whoever has come in stays.
        let (entered, obstacles_at) = (self.system.entered, self.system.obstacles_at);
        self.system.set_entered(0);
        self.system.set_obstacles_at(0.0);
        let outcome = self.initialise_from_the_start(method, started, watch);
        if outcome.is_err() {
            self.system.set_entered(entered);
            self.system.set_obstacles_at(obstacles_at);
        }
        outcome
    }

    fn initialise_from_the_start(&mut self, method: Method, started: Instant, watch: &dyn Watch) -> Result<InitReport, InitialiseError> {
        let before = self.residual_before();
        // The pattern belongs to the global stage, whenever it was made.
        let ordering = self.system.pattern.get().map_or(0.0, |pattern| pattern.seconds());
        let found = rest_state(&self.system, method, watch)?;
        // Until the verdict is in, the old elements and stepper wait to be put back.
        let families = std::mem::replace(&mut self.system.families, found.families);
        let mut stepper = std::mem::replace(&mut self.stepper, make_stepper(&self.system));
        let poised = match self.poise(method, before, found.balance, found.account, &found.coordinates, watch) {
            Ok(poised) => poised,
            Err(cancelled) => {
                self.system.families = families;
                std::mem::swap(&mut self.stepper, &mut stepper);
                return Err(cancelled.into());
            }
        };
        let Poised { balance, residual, account: found, assessment, outcome } = poised;
        self.state = State::at_rest(&self.system);
        self.balance = balance;
        let (stability, modes) = assessment.map_or((None, Vec::new()), |found| (Some(found.stability), found.modes));
        self.modes = modes;
        self.too_soft = found.unattained.iter().map(|u| self.system.element_number(u.family, u.element)).collect();
        let couple = self.stepper.contacts(&self.system).freeze(&self.system, &self.state.positions, 0.0).couple(&self.state.positions);
        let system = &self.system;
        let is_there = |element: &usize| !system.away_elements().any(|elements| elements.contains(element));
        // Of the families for which they have a meaning.
        let present = |values: &dyn Fn(&dyn Family) -> Vec<f64>| -> Vec<f64> {
            let all = system.families.iter().enumerate();
            let numbered = all.flat_map(|(f, family)| (system.element_number(f, 0)..).zip(values(family.as_ref())));
            numbered.filter(|(e, _)| is_there(e)).map(|(_, value)| value).collect()
        };
        let compression = present(&|family| family.compression(&system.positions));
        let rest_volumes = present(&|family| family.rest_volumes());
        let stiffening: Vec<f64> = system.families.iter().flat_map(|f| f.stiffening()).collect();
        watch.progress("done", 1.0);
        Ok(InitReport {
            method,
            outcome,
            bodies: system.bodies.len() - system.away().count(),
            elements: (0..system.element_number(system.families.len(), 0)).filter(is_there).count(),
            masses: system.body_nodes() - system.away().map(|body| body.nodes.len()).sum::<usize>(),
            contacts: self.balance.contacts.len() + self.balance.pairs.len(),
            unknowns: found.unknowns,
            threads: rayon::current_num_threads(),
            seconds: InitSeconds {
                total: started.elapsed().as_secs_f64() + if matches!(method, Method::SagFree | Method::NoContact) { ordering } else { 0.0 },
                ..found.seconds
            },
            iterations: found.iterations,
            gap: found.gap,
            gap_reached: found.gap_reached,
            reserve_contacts: found.reserve_contacts,
            self_contact_dropped: found.self_contact_dropped,
            factorisations: found.factorisations,
            nonzeros_in_factor: found.nonzeros_in_factor,
            residual,
            families: summary::families(system),
            fields: summary::fields(system),
            compression: summary::distribution(&compression),
            rest_volume: summary::rest_volume(&rest_volumes, &compression),
            contact: summary::contacts(&self.balance, &self.system, found.friction_used, couple),
            stability,
            stiffness_field: summary::stiffness_field(&self.system),
            stiffened: summary::stiffened(&stiffening, feasibility::LISTED),
            unattainable: Unattainable {
                elements: found.unattained.len(),
                indices: self.too_soft.iter().copied().take(feasibility::LISTED).collect(),
                stiffness_factor: found.stiffness_factor,
            },
            infeasible: found.infeasible,
            peak_memory_bytes: memory::peak_bytes(),
        })
    }

    /// Everything that [`Simulation::restore`] needs to start again without solving.
    pub fn prepared_asset(&self) -> PreparedAsset {
        prepared::to_asset(&self.system, &self.balance)
    }

    /// Takes rest states and contact forces from an asset that was prepared for the same scene, and goes back to time zero.
    ///
    /// # Errors
    /// In words, if the scene changed since.
    pub fn restore(&mut self, asset: &PreparedAsset) -> Result<(), String> {
        self.balance = prepared::restore(&mut self.system, asset)?;
        self.modes.clear();
        self.too_soft.clear();
        self.reset();
        Ok(())
    }

    /// One step of the scene's step size; on error the state is as before.
    ///
    /// # Errors
    /// [`StepError`].
    pub fn step(&mut self, watch: &dyn Watch) -> Result<StepStats, StepError> {
        let step_size = self.system.simulate.step_size;
        let name = self.stepper_name();
        let entry = stepper(name).ok_or_else(|| StepError::UnknownStepper { name: name.to_owned() })?;
        (entry.needs)(&self.system)?;
        // Like an obstacle that goes, a body comes at the step in whose first half its time lies.
        let (entered, due) = (self.system.entered, self.system.due(self.state.time + 0.5 * step_size));
        if due > entered {
            self.bring_in(due);
            if let Some(Blockage { body, other, place }) = self.system.blockage(entered, &self.state.positions) {
                self.bring_in(entered);
                return Err(StepError::Blocked { body, other, place: place.into(), time: self.state.time });
            }
        }
        let obstacles_at = self.system.obstacles_at;
        self.set_obstacles_at(self.state.time + 0.5 * step_size);
        let outcome = self.stepper.step(&mut self.system, &mut self.state, step_size, watch);
        if outcome.is_err() {
            self.set_obstacles_at(obstacles_at);
            if due > entered {
                self.bring_in(entered);
            }
        }
        outcome
    }

    /// Makes the bodies of the first `count` entrances those that are in, with the velocities that they have then.
    fn bring_in(&mut self, count: usize) {
        let system = &mut self.system;
        let changed = system.entered.min(count)..system.entered.max(count);
        system.set_entered(count);
        for &node in system.entrances[changed].iter().flat_map(|entrance| &entrance.free) {
            self.state.velocities[node as usize] = system.initial_velocities[node as usize];
        }
        system.take_supported(&mut self.state.velocities);
        self.stepper.adapt(system);
    }

    /// Takes obstacles that are surfaces away, or puts them back, as they are at `time` [s].
    fn set_obstacles_at(&mut self, time: f64) {
        if self.system.set_obstacles_at(time) {
            self.stepper.adapt(&self.system);
        }
    }

    /// Back to the given shape at time zero, with the rest state as it is.
    pub fn reset(&mut self) {
        self.let_go();
        self.system.set_entered(0);
        self.system.set_obstacles_at(0.0);
        self.state = State::at_rest(&self.system);
        self.system.lag(&self.state.positions);
        self.stepper.warm_start(&self.system, &self.balance);
    }

    /// Goes on with gravity, wind, damping and settings of steps of another system of the same bodies, as
    /// [`crate::bodies::keys::live_changes`] allows: state and rest state stay.
    pub fn follow(&mut self, other: System) {
        let system = &mut self.system;
        system.gravity = other.gravity;
        (system.loads.wind, system.loads.exposed) = (other.loads.wind, other.loads.exposed);
        system.simulate = other.simulate;
        let mut damped = false;
        for (mine, other) in system.families.iter_mut().zip(&other.families).filter(|(mine, other)| mine.len() == other.len()) {
            if (0..mine.len()).any(|e| mine.damping(e) != other.damping(e)) {
                mine.take_damping(other.as_ref());
                damped = true;
            }
        }
        if damped {
            self.stepper.adapt(&self.system);
        }
    }

    /// Takes hand and gust away.
    pub fn let_go(&mut self) {
        (self.system.hand, self.system.gust) = (None, None);
    }

    /// Adds `velocity` [m/s] to every free mass.
    pub fn kick(&mut self, velocity: Vec3) {
        for (v, _) in self.state.velocities.iter_mut().zip(&self.system.fixed).filter(|(_, fixed)| !**fixed) {
            *v += velocity;
        }
        self.system.take_supported(&mut self.state.velocities);
    }

    /// Every element that the last initialisation found unable to make its force; the report lists the first of them.
    pub fn too_soft(&self) -> &[usize] {
        &self.too_soft
    }

    /// The softest modes of the equilibrium that the last initialisation found, ascending; none after a restored asset.
    pub fn modes(&self) -> &[Mode] {
        &self.modes
    }

    /// Kicks the body in the equilibrium that the last initialisation found, and watches whether it comes back: a proof of
    /// the report's verdict. State and rest states stay as they are.
    ///
    /// # Errors
    /// [`NudgeError`].
    pub fn nudge(&mut self, nudge: &Nudge, watch: &dyn Watch) -> Result<NudgeReport, NudgeError> {
        let report = self.system.as_at_the_start(|system| nudge::nudge(system, &self.balance, &self.modes, nudge, watch));
        self.system.lag(&self.state.positions);
        report
    }

    /// Looks for a rest mesh for other programs, of the bodies that are there at the start. The simulation stays as it is.
    ///
    /// # Errors
    /// [`RestShapeError`].
    pub fn rest_shape(&mut self, method: RestMethod, watch: &dyn Watch) -> Result<RestShape, RestShapeError> {
        self.system.as_at_the_start(|system| rest_shape::find(system, method, watch))
    }

    /// Fields to look at in the current state; one value an element, as [`System::element_number`] counts.
    pub fn fields(&self) -> Vec<ElementField> {
        element::fields(&self.system.families, &self.state.positions)
    }

    /// |net force| on each node over the largest load, in the current state.
    pub fn residual_field(&mut self) -> Vec<f64> {
        let largest = self.system.largest_load();
        instant::net_force(&self.system, self.stepper.contacts(&self.system), &self.state).iter().map(|n| n.norm() / largest).collect()
    }

    /// All numbers of a node in the current state.
    pub fn describe_node(&mut self, node: usize) -> Option<Vec<Fact>> {
        let (x, v) = (*self.state.positions.get(node)?, *self.state.velocities.get(node)?);
        let given = *self.system.positions.get(node)?;
        let contacts = self.stepper.contacts(&self.system);
        let mut touching = vec![Vec3::zeros(); self.state.positions.len()];
        contacts.freeze(&self.system, &self.state.positions, self.state.time).add_gradient(&self.state.positions, &mut touching);
        let net = instant::net_force(&self.system, contacts, &self.state)[node];
        let vector = |name, unit, doc, v: Vec3| Fact::several(name, unit, doc, v.iter().copied());
        Some(vec![
            vector("position", "m", "where it is", x),
            vector("displacement", "m", "from where it was given", x - given),
            vector("velocity", "m/s", "its velocity", v),
            Fact::one("mass", "kg", "the share of its body's mass that it carries", *self.system.masses.get(node)?),
            vector("net force", "N", "all forces on it together; zero where a support takes them", net),
            Fact::one(
                "residual",
                "of the largest load",
                "size of the net force over the largest load",
                net.norm() / self.system.largest_load(),
            ),
            vector("contact force", "N", "of all that touches it, friction included", -touching[node]),
        ])
    }

    /// The contacts within `reach`, as a share of the diagonal, in the given shape at the start: those that a rest state may count
    /// on, to be looked at before solving.
    pub fn find_contacts(&mut self, reach: f64) -> Vec<FoundContact> {
        self.system.as_at_the_start(|system| contacts::look(system, reach))
    }

    /// Forces of the contacts that push now.
    pub fn contact_forces(&mut self) -> Vec<ContactForce> {
        let contacts = self.stepper.contacts(&self.system);
        contacts.freeze(&self.system, &self.state.positions, self.state.time).forces(&self.state.positions)
    }

    /// Name of the stepper.
    pub fn stepper_name(&self) -> &str {
        &self.system.simulate.stepper
    }

    /// The naive rest state makes no force, so that all of the load on the free masses is out of balance; less of it with rest meshes.
    fn residual_before(&self) -> f64 {
        let mut net = self.system.loads();
        if !self.system.rest.is_empty() {
            let mut families: Vec<_> = self.system.families.iter().map(|family| family.boxed_clone()).collect();
            local::reset(&mut families, &self.system);
            let mut gradient = vec![Vec3::zeros(); net.len()];
            families.iter().for_each(|family| family.add_gradient(&self.system.positions, &mut gradient));
            net.iter_mut().zip(&gradient).for_each(|(net, gradient)| *net -= gradient);
        }
        net.iter_mut().zip(&self.system.fixed).filter(|(_, fixed)| **fixed).for_each(|(net, _)| *net = Vec3::zeros());
        largest_norm(&net) / self.system.largest_load()
    }

    /// Lets the stepper's contacts make the solved forces, and asks whether the equilibrium is stable; if it is not, the cures
    /// that the scene asks for are tried. Cancelled, elements and stepper are those of an unfinished initialisation.
    fn poise(
        &mut self,
        method: Method,
        before: f64,
        balance: Balance,
        account: Account,
        coordinates: &[Vec<f64>],
        watch: &dyn Watch,
    ) -> Result<Poised, Cancelled> {
        let residual = self.start_from(&balance, before);
        watch.progress("stability", 0.9);
        let outcome = forces(method, &residual, &account);
        let assessment = self.assess(method, &outcome, watch)?;
        let mut poised = Poised { balance, residual, account, assessment, outcome };
        let InitialiseSettings { cure, compare_cures, .. } = self.system.initialise;
        let wanted: Vec<Cure> = match &poised.assessment {
            Some(found) if method == Method::SagFree && found.stability.verdict == Verdict::Unstable => {
                let is_wanted = |one: &Cure| compare_cures || *one == cure;
                let has_tensions = self.system.families.iter().any(|family| family.is_tension() && family.len() > 0);
                let all = [Cure::UniformStiffening, Cure::LocalStiffening, Cure::TensionShift, Cure::LessPush];
                all.into_iter().filter(is_wanted).filter(|cure| *cure != Cure::LessPush || has_tensions).collect()
            }
            _ => Vec::new(),
        };
        let mut reports = Vec::new();
        let mut remedy = None;
        for one in wanted {
            watch.progress("looking for a cure", 0.9 + 0.03 * reports.len() as f64);
            let Some(assessment) = &poised.assessment else { break };
            let (balance, residual) = (&poised.balance, &poised.residual);
            let found = Unstable { system: &self.system, balance, coordinates, assessment, residual }.try_cure(one, watch)?;
            reports.push(found.report);
            if one == cure && found.report.helps {
                remedy = Some(found);
            }
        }
        if let Some(remedy) = remedy {
            self.system.families = remedy.families;
            self.stepper = make_stepper(&self.system);
            let residual = self.start_from(&remedy.balance, before);
            let account = remedy.account.unwrap_or(poised.account);
            let outcome = forces(method, &residual, &account);
            poised = Poised { balance: remedy.balance, residual, account, assessment: Some(remedy.assessment), outcome };
            if let Some(assessment) = &mut poised.assessment {
                assessment.stability.cured_by = Some(cure);
            }
        }
        if let Some(assessment) = &mut poised.assessment {
            assessment.stability.cures = reports;
        }
        let stability = poised.assessment.as_ref().map(|found| &found.stability);
        poised.outcome = poised.outcome.with(stability);
        Ok(poised)
    }

    /// Hands the contact forces to the stepper; what is then out of balance in the given shape.
    fn start_from(&mut self, balance: &Balance, before: f64) -> Residual {
        self.stepper.warm_start(&self.system, balance);
        self.system.lag(&State::at_rest(&self.system).positions);
        instant::residual(&self.system, &self.system.families, self.stepper.contacts(&self.system), before)
    }

    /// Only of a state in balance can one ask whether it is stable.
    fn assess(&mut self, method: Method, forces: &Outcome, watch: &dyn Watch) -> Result<Option<Assessment>, Cancelled> {
        // At rest in the given shape it has no reason to stay there.
        if method == Method::Naive && self.system.rest.is_empty() {
            return Ok(None);
        }
        if !forces.holds {
            return Ok(Some(Assessment { stability: Stability::not_in_balance(), modes: Vec::new() }));
        }
        let mut curvature = Curvature::default();
        let contacts = self.stepper.contacts(&self.system);
        let (pattern, hessian) = curvature.hessian(&self.system, &self.system.families, contacts, &State::at_rest(&self.system), false);
        let room = pattern.ensure_room("the factorisation for stability", pattern.factor_bytes(), self.system.memory_limit);
        if let Err(too_large) = room {
            return Ok(Some(Assessment { stability: Stability::undecided(too_large.to_string()), modes: Vec::new() }));
        }
        stability::assess(&self.system, pattern, hessian, self.system.initialise.softest_modes as usize, watch).map(Some)
    }
}

/// An initialised system whose contacts carry their forces.
struct Poised {
    balance: Balance,
    residual: Residual,
    account: Account,
    assessment: Option<Assessment>,
    outcome: Outcome,
}

/// The outcome as far as forces go.
fn forces(method: Method, residual: &Residual, account: &Account) -> Outcome {
    Outcome::of(Balanced { method, residual, unattained: account.unattained.len(), infeasible: &account.infeasible })
}

/// The stepper that the scene names. Where its name is not known, the contacts of the first do for all but [`Simulation::step`], which
/// refuses.
fn make_stepper(system: &System) -> Box<dyn Stepper> {
    (stepper(&system.simulate.stepper).unwrap_or(&STEPPERS[0]).make)()
}
