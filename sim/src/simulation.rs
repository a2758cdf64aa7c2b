//! [`Simulation`]: the pipeline behind one object, for programs that load, initialise and step a scene.

use std::path::Path;
use std::time::Instant;

use crate::contact::ContactForce;
use crate::element::ElementField;
use crate::export::PreparedAsset;
use crate::math::{Vec3, largest_norm};
use crate::sag_free::initialise::{InitialiseError, rest_state};
use crate::sag_free::{Balance, feasibility, stability};
use crate::scene::{Method, Scene, SceneProblem};
use crate::stats::report::{InitReport, InitSeconds, Residual, Stability, Unattainable, Verdict};
use crate::stats::{memory, summary};
use crate::step::instant::{self, Curvature};
use crate::step::{STEPPERS, State, StepError, StepStats, Stepper, stepper};
use crate::system::{System, prepared};
use crate::watch::Watch;

/// A scene that is ready to be initialised and stepped.
pub struct Simulation {
    /// Masses, elements, obstacles.
    pub system: System,
    /// Where everything is now.
    pub state: State,
    /// The balance of the last initialisation; empty before.
    pub balance: Balance,
    stepper: Box<dyn Stepper>,
    curvature: Curvature,
}

/// Why a scene could not be made into a system: every problem found.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
pub struct BuildError(pub Vec<SceneProblem>);

impl Simulation {
    /// Wraps a system in the rest state that it has.
    pub fn new(system: System) -> Self {
        let state = State::at_rest(&system);
        let mut stepper = make_stepper(&system);
        stepper.warm_start(&system, &Balance::default());
        Self { state, system, balance: Balance::default(), stepper, curvature: Curvature::default() }
    }

    /// Reads the meshes of a checked scene and assembles its system in the naive rest state. Relative paths start at `folder`.
    ///
    /// # Errors
    /// Everything that is wrong with the meshes and selections.
    pub fn build(scene: &Scene, folder: &Path, watch: &dyn Watch) -> Result<Self, BuildError> {
        System::build(scene, folder, watch).map(Self::new)
    }

    /// Chooses the rest state by `method`, and goes back to time zero. An infeasible problem is not an error: the report
    /// says so. Cancelled, it changes nothing.
    ///
    /// # Errors
    /// Cancelled, or numbers in the system that are not finite.
    pub fn initialise(&mut self, method: Method, watch: &dyn Watch) -> Result<InitReport, InitialiseError> {
        let started = Instant::now();
        let before = self.residual_before();
        // The pattern belongs to the global stage, whenever it was made.
        let ordering = self.system.pattern.get().map_or(0.0, |pattern| pattern.seconds());
        let found = rest_state(&self.system, method, watch)?;
        // Until the verdict is in, the old elements and stepper wait to be put back.
        let families = std::mem::replace(&mut self.system.families, found.families);
        let mut stepper = std::mem::replace(&mut self.stepper, make_stepper(&self.system));
        self.stepper.warm_start(&self.system, &found.balance);
        let state = State::at_rest(&self.system);
        for family in &mut self.system.families {
            family.lag(&state.positions);
        }
        let net = instant::net_force(&self.system, self.stepper.contacts(&self.system), &state);
        let after = largest_norm(&net) / self.system.largest_load();
        watch.progress("stability", 0.9);
        let verdict = self.stability(method, &state, after, watch);
        let stability = match verdict {
            Ok(stability) => stability,
            Err(cancelled) => {
                self.system.families = families;
                std::mem::swap(&mut self.stepper, &mut stepper);
                return Err(cancelled.into());
            }
        };
        self.state = state;
        self.balance = found.balance;
        let compression: Vec<f64> = self.system.families.iter().flat_map(|f| f.compression(&self.system.positions)).collect();
        let rest_volumes: Vec<f64> = self.system.families.iter().flat_map(|f| f.rest_volumes()).collect();
        let stiffening: Vec<f64> = self.system.families.iter().flat_map(|f| f.stiffening()).collect();
        let friction = |contact: &crate::sag_free::BalancedContact| self.system.pairs[contact.pair as usize].friction;
        watch.progress("done", 1.0);
        Ok(InitReport {
            method,
            bodies: self.system.bodies.len(),
            elements: self.system.families.iter().map(|f| f.len()).sum(),
            masses: self.system.masses.len(),
            contacts: self.balance.contacts.len(),
            unknowns: found.unknowns,
            threads: rayon::current_num_threads(),
            seconds: InitSeconds {
                total: started.elapsed().as_secs_f64() + if matches!(method, Method::SagFree | Method::NoContact) { ordering } else { 0.0 },
                ..found.seconds
            },
            iterations: found.iterations,
            factorisations: found.factorisations,
            nonzeros_in_factor: found.nonzeros_in_factor,
            residual: Residual { before, after },
            compression: summary::compression(&compression),
            rest_volume: summary::rest_volume(&rest_volumes, &compression),
            contact: summary::contacts(&self.balance.contacts, friction),
            stability,
            stiffened: summary::stiffened(&stiffening, feasibility::LISTED),
            unattainable: Unattainable {
                elements: found.unattained.len(),
                indices: found.unattained.iter().map(|u| u.element).take(feasibility::LISTED).collect(),
                stiffness_factor: feasibility::stiffness_factor(&found.unattained),
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
        self.reset();
        Ok(())
    }

    /// One step of the scene's step size; on error the state is as before.
    ///
    /// # Errors
    /// [`StepError`].
    pub fn step(&mut self, watch: &dyn Watch) -> Result<StepStats, StepError> {
        self.lag();
        self.stepper.step(&self.system, &mut self.state, self.system.simulate.step_size, watch)
    }

    /// Back to the given shape at time zero, with the rest state as it is.
    pub fn reset(&mut self) {
        self.state = State::at_rest(&self.system);
        self.lag();
        self.stepper.warm_start(&self.system, &self.balance);
    }

    /// Tells lagged laws where the step starts.
    fn lag(&mut self) {
        for family in &mut self.system.families {
            family.lag(&self.state.positions);
        }
    }

    /// Adds `velocity` [m/s] to every free mass.
    pub fn kick(&mut self, velocity: Vec3) {
        for (v, _) in self.state.velocities.iter_mut().zip(&self.system.fixed).filter(|(_, fixed)| !**fixed) {
            *v += velocity;
        }
        self.system.take_supported(&mut self.state.velocities);
    }

    /// Fields to look at in the current state; one value an element of the family of tetrahedra.
    pub fn fields(&self) -> Vec<ElementField> {
        self.system.families.first().map_or_else(Vec::new, |family| family.fields(&self.state.positions))
    }

    /// |net force| on each node over the largest load, in the current state.
    pub fn residual_field(&mut self) -> Vec<f64> {
        let largest = self.system.largest_load();
        instant::net_force(&self.system, self.stepper.contacts(&self.system), &self.state).iter().map(|n| n.norm() / largest).collect()
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

    /// The naive rest state makes no force, so that all of the load on the free masses is out of balance.
    fn residual_before(&self) -> f64 {
        let free = self.system.loads().into_iter().zip(&self.system.fixed).filter(|(_, fixed)| !**fixed);
        free.map(|(load, _)| load.norm()).fold(0.0, f64::max) / self.system.largest_load()
    }

    /// Only of a state in balance can one ask whether it is stable.
    fn stability(
        &mut self,
        method: Method,
        state: &State,
        residual: f64,
        watch: &dyn Watch,
    ) -> Result<Option<Stability>, crate::watch::Cancelled> {
        if method == Method::Naive {
            return Ok(None);
        }
        if residual.is_nan() || residual > 1e-3 {
            return Ok(Some(Stability { negative_eigenvalues: 0, smallest_eigenvalue: 0.0, verdict: Verdict::NotInBalance }));
        }
        let contacts = self.stepper.contacts(&self.system);
        let (pattern, hessian) = self.curvature.hessian(&self.system, contacts, state, false);
        stability::verdict(pattern, hessian, watch).map(Some)
    }
}

/// The stepper that the scene names; the default for a name that is not known, which scenes are checked for.
fn make_stepper(system: &System) -> Box<dyn Stepper> {
    (stepper(&system.simulate.stepper).unwrap_or(&STEPPERS[0]).make)()
}
