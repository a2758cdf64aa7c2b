//! [`Simulation`]: the pipeline behind one object, for programs that load, initialise and step a scene.

mod initialise;
pub use initialise::grid_report;
mod settle;
#[cfg(test)]
mod threads;

use std::path::Path;

use crate::contact::Balance;
use crate::contact::ContactForce;
use crate::element::{ElementField, Fact};
use crate::export::{PreparedAsset, prepared};
use crate::math::Vec3;
use crate::rest_shape::{self, RestMethod, RestShape, RestShapeError};
use crate::sag_free::stability::Mode;
use crate::sag_free::stability::forecast::{self, Forecast};
use crate::sag_free::stability::nudge::{self, Nudge, NudgeError};
use crate::sag_free::{FoundContact, contacts};
use crate::scene::{BuildError, Scene, SceneProblem};
use crate::stats::report::{NudgeReport, Stability};
use crate::step::{STEPPERS, State, StepError, StepStats, Stepper, contact_pressure, stepper};
use crate::step::{instant, mpm};
use crate::system::entrance::Blockage;
use crate::system::{Kept, System};
use crate::watch::{Cancelled, Watch};
use initialise::Poised;

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
    gives_way: Vec<Vec3>,
    /// Whether the last initialisation found an equilibrium.
    holds: bool,
    too_soft: Vec<usize>,
    /// Whether the stepper has been started from `balance`.
    is_started: bool,
    /// Quantities of the elements in the given shape, of the last initialisation.
    given_fields: Vec<ElementField>,
    /// The balance of the last initialisation, until it is asked whether it is stable.
    unjudged: Option<Box<Poised>>,
}

impl Simulation {
    /// Wraps a system in the rest state that it has.
    pub fn new(system: System) -> Self {
        let mut simulation = Self::unstarted(system);
        simulation.start();
        simulation
    }

    fn unstarted(system: System) -> Self {
        Self {
            state: State::at_rest(&system),
            stepper: make_stepper(&system),
            system,
            balance: Balance::default(),
            modes: Vec::new(),
            gives_way: Vec::new(),
            holds: false,
            too_soft: Vec::new(),
            is_started: false,
            given_fields: Vec::new(),
            unjudged: None,
        }
    }

    /// Starts the stepper, where nobody has yet.
    fn start(&mut self) {
        if !std::mem::replace(&mut self.is_started, true) {
            self.stepper.warm_start(&self.system, &self.balance);
        }
    }

    /// Reads the meshes of a checked scene and assembles its system in the naive rest state. Relative paths start at `folder`.
    ///
    /// # Errors
    /// Everything that is wrong with the meshes and selections.
    pub fn build(scene: &Scene, folder: &Path, watch: &dyn Watch) -> Result<Self, BuildError> {
        Self::unstarted_of(scene, System::build(scene, folder, watch)?).map(|mut simulation| {
            simulation.start();
            simulation
        })
    }

    /// [`Simulation::build`] with what is kept from scenes before it, and is not made again where it would be the same.
    ///
    /// # Errors
    /// Those of [`Simulation::build`].
    pub fn build_with(scene: &Scene, folder: &Path, kept: &mut Kept, watch: &dyn Watch) -> Result<Self, BuildError> {
        // Contacts are looked for when they are first asked for: an initialisation looks for them anew.
        Self::unstarted_of(scene, System::build_with(scene, folder, kept, watch)?)
    }

    fn unstarted_of(scene: &Scene, system: System) -> Result<Self, BuildError> {
        let needs = stepper(&scene.simulate.stepper).map_or(Ok(()), |stepper| (stepper.needs)(&system));
        needs.map_err(|why| BuildError(vec![SceneProblem::at("simulate.stepper", why.to_string())]))?;
        Ok(Self::unstarted(system))
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
        self.gives_way.clear();
        self.holds = false;
        self.too_soft.clear();
        self.given_fields.clear();
        self.unjudged = None;
        self.reset();
        Ok(())
    }

    /// One step of the scene's step size; on error the state is as before.
    ///
    /// # Errors
    /// [`StepError`].
    pub fn step(&mut self, watch: &dyn Watch) -> Result<StepStats, StepError> {
        self.unjudged = None;
        self.start();
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
        self.is_started = true;
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

    /// Adds `velocity` [m/s] to every free mass; what is turned is not.
    pub fn kick(&mut self, velocity: Vec3) {
        let placed = self.state.velocities.iter_mut().zip(&self.system.fixed).take(self.system.body_nodes());
        for (v, _) in placed.filter(|(_, fixed)| !**fixed) {
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

    /// How material points for which the last initialisation found no balance begin to move: an acceleration of each node [m/s^2], or none where there is
    /// nothing to tell.
    pub fn gives_way(&self) -> &[Vec3] {
        &self.gives_way
    }

    /// Kicks the body in the equilibrium that the last initialisation found, and watches whether it comes back: a proof of
    /// the report's verdict. State and rest states stay as they are.
    ///
    /// # Errors
    /// [`NudgeError`].
    pub fn nudge(&mut self, nudge: &Nudge, watch: &dyn Watch) -> Result<NudgeReport, NudgeError> {
        if !self.holds {
            return Err(NudgeError::NoEquilibrium);
        }
        let report = self.system.as_at_the_start(|system| nudge::nudge(system, &self.balance, &self.modes, nudge, watch));
        self.system.lag(&self.state.positions);
        report
    }

    /// How far the body will have drifted from the given shape, `horizon` [s] after the start, from the rest states that it has; `stability` is
    /// the verdict of the initialisation that chose them, if it was judged. The simulation stays as it is.
    ///
    /// # Errors
    /// Cancelled.
    pub fn forecast(&mut self, stability: Option<&Stability>, horizon: f64, watch: &dyn Watch) -> Result<Forecast, Cancelled> {
        let (balance, positions) = (&self.balance, &self.state.positions);
        let found = self.system.as_at_the_start(|system| forecast::forecast(system, balance, stability, horizon, watch));
        self.system.lag(positions);
        found
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
        mpm::fields(&self.system, &self.state)
    }

    /// [`Simulation::fields`] in the given shape, as the last initialisation left it; none before.
    pub fn given_fields(&self) -> &[ElementField] {
        &self.given_fields
    }

    /// |net force| on each node over the largest load, in the current state.
    pub fn residual_field(&mut self) -> Vec<f64> {
        self.start();
        let largest = self.system.largest_load();
        self.net_forces().iter().map(|n| n.norm() / largest).collect()
    }

    /// Net force on each node in the current state [N]; zero where a support takes it.
    pub fn net_forces(&mut self) -> Vec<Vec3> {
        let touching = self.stepper.contact_force_on_nodes(&self.system, &self.state);
        instant::net_force_under(&self.system, touching, &self.state)
    }

    /// Pressure of the contacts on each node of a surface in the current state [Pa]; 0 inside of bodies, NaN where there is no surface.
    pub fn contact_pressure(&mut self) -> Vec<f64> {
        let forces = self.stepper.contact_force_on_vertices(&self.system, &self.state);
        contact_pressure(&self.system, &forces, &self.state.positions)
    }

    /// All numbers of a node in the current state.
    pub fn describe_node(&mut self, node: usize) -> Option<Vec<Fact>> {
        let (x, v) = (*self.state.positions.get(node)?, *self.state.velocities.get(node)?);
        let given = *self.system.positions.get(node)?;
        let forces = self.stepper.contact_force_on_nodes(&self.system, &self.state);
        let touching = forces[node];
        let net = instant::net_force_under(&self.system, forces, &self.state)[node];
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
            vector("contact force", "N", "of all that touches it, friction included", touching),
        ])
    }

    /// The contacts within `reach`, as a share of the diagonal, in the given shape at the start: those that a rest state may count
    /// on, to be looked at before solving.
    pub fn find_contacts(&mut self, reach: f64) -> Vec<FoundContact> {
        self.system.as_at_the_start(|system| contacts::look(system, reach))
    }

    /// Forces of the contacts that push now.
    pub fn contact_forces(&mut self) -> Vec<ContactForce> {
        self.start();
        self.stepper.contact_forces(&self.system, &self.state)
    }

    /// Name of the stepper.
    pub fn stepper_name(&self) -> &str {
        &self.system.simulate.stepper
    }
}

/// The stepper that the scene names. Where its name is not known, the contacts of the first do for all but [`Simulation::step`], which
/// refuses.
fn make_stepper(system: &System) -> Box<dyn Stepper> {
    (stepper(&system.simulate.stepper).unwrap_or(&STEPPERS[0]).make)()
}
