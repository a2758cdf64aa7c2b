//! Bodies of tets and of cloth beside material points, one way: they move by their own implicit stepper as if there were no points, and points meet their
//! surfaces as walls, whose vertices go straight from where they were to where they come in a step.

mod sides;
mod surface;

pub use sides::{Sides, reach};
pub use surface::{Moved, Surface, triangles};

use crate::contact::{Balance, ContactForce, ContactMemory};
use crate::math::Vec3;
use crate::step::implicit::Carried;
use crate::step::{Implicit, PointState, Scheme, State, StepError, StepStats, Stepper};
use crate::system::System;
use crate::watch::Watch;

/// What moves the bodies.
pub struct Bodies {
    stepper: Implicit,
    /// Whether other surfaces may touch than in the step before.
    adapts: bool,
}

impl Bodies {
    /// Of a system where there are some, whose contacts begin with the forces of `balance`.
    pub fn of(system: &System, balance: &Balance) -> Option<Self> {
        system.goes_one_way().then(|| {
            let mut stepper = Implicit::new(Scheme::BackwardEuler);
            stepper.warm_start(system, balance);
            Self { stepper, adapts: false }
        })
    }

    /// [`Stepper::adapt`], when the next step is taken.
    pub fn adapt(&mut self) {
        self.adapts = true;
    }

    /// One step of `step_size` [s] from `state`: where it ends, points aside.
    ///
    /// # Errors
    /// [`StepError`]; then nothing has changed.
    pub fn step(&mut self, system: &mut System, state: &State, step_size: f64, watch: &dyn Watch) -> Result<(State, StepStats), StepError> {
        let mut alone = State { points: PointState::default(), ..state.clone() };
        for [node] in system.points().into_iter().flat_map(|points| points.connectivity()) {
            let node = *node as usize;
            (alone.positions[node], alone.velocities[node]) = (system.positions[node], Vec3::zeros());
        }
        system.without_points(|system| {
            if std::mem::take(&mut self.adapts) {
                self.stepper.adapt(system);
            }
            self.stepper.step(system, &mut alone, step_size, watch).map(|stats| (alone, stats))
        })
    }

    /// What a step changes beside the state.
    pub fn carried(&self) -> Carried {
        self.stepper.carried()
    }

    /// Goes back to before a step.
    pub fn go_back(&mut self, carried: Carried) {
        self.stepper.go_back(carried);
    }

    /// What contacts of the bodies remember.
    pub fn contacts(&mut self, system: &System) -> &mut ContactMemory {
        self.stepper.contacts(system)
    }

    /// Forces of the contacts of the bodies that push in `state`.
    pub fn contact_forces(&mut self, system: &System, state: &State) -> Vec<ContactForce> {
        self.stepper.contact_forces(system, state)
    }
}

/// Puts what bodies came to into `state`, whose points stay as they are.
pub fn put(system: &System, alone: &State, state: &mut State) {
    let is_point = points_among(system);
    for (node, _) in is_point.iter().enumerate().filter(|(_, is_point)| !**is_point) {
        (state.positions[node], state.velocities[node]) = (alone.positions[node], alone.velocities[node]);
    }
}

/// Whether each node is a material point.
fn points_among(system: &System) -> Vec<bool> {
    let mut is_point = vec![false; system.positions.len()];
    system.points().into_iter().flat_map(|points| points.connectivity()).for_each(|[node]| is_point[*node as usize] = true);
    is_point
}
