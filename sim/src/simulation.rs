//! [`Simulation`]: the pipeline behind one object, for programs that load, initialise and step a scene.

use std::path::Path;

use crate::element::ElementField;
use crate::sag_free::Balance;
use crate::scene::{Method, Scene};
use crate::stats::report::InitReport;
use crate::step::{State, StepError, StepStats};
use crate::system::System;
use crate::watch::Watch;

/// A scene that is ready to be initialised and stepped.
pub struct Simulation {
    /// Masses, elements, obstacles.
    pub system: System,
    /// Where everything is now.
    pub state: State,
    /// The balance of the last initialisation; empty before.
    pub balance: Balance,
}

/// Why a scene could not be made into a system: every problem found.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
pub struct BuildError(pub Vec<crate::scene::SceneProblem>);

/// Why an initialisation gave no report.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum InitialiseError {
    /// Somebody cancelled; nothing was changed.
    #[error(transparent)]
    Cancelled(#[from] crate::watch::Cancelled),
    /// The global matrix could not be factorised.
    #[error("the global stage failed near node {node} of the system: {what}")]
    Singular {
        /// A node at the place.
        node: usize,
        /// What was met.
        what: String,
    },
}

impl Simulation {
    /// Reads the meshes of a checked scene and assembles its system in the naive rest state.
    pub fn build(_scene: &Scene, _folder: &Path, _watch: &dyn Watch) -> Result<Self, BuildError> {
        Err(BuildError(Vec::new()))
    }

    /// Chooses the rest state by `method`, and goes back to time zero. An infeasible problem is not an error: the report says so.
    pub fn initialise(&mut self, _method: Method, _watch: &dyn Watch) -> Result<InitReport, InitialiseError> {
        Err(InitialiseError::Singular { node: 0, what: String::new() })
    }

    /// One step of the scene's step size; on error the state is as before.
    pub fn step(&mut self, _watch: &dyn Watch) -> Result<StepStats, StepError> {
        Err(StepError::NotConverged { iterations: 0, time: 0.0, speed: 0.0 })
    }

    /// Back to the given shape at time zero, with the rest state as it is.
    pub fn reset(&mut self) {}

    /// Adds `velocity` [m/s] to every free mass.
    pub fn kick(&mut self, _velocity: crate::math::Vec3) {}

    /// Fields to look at in the current state; one value an element of the family of tetrahedra.
    pub fn fields(&self) -> Vec<ElementField> {
        Vec::new()
    }

    /// |net force| on each node over the largest load, in the current state.
    pub fn residual_field(&self) -> Vec<f64> {
        Vec::new()
    }
}
