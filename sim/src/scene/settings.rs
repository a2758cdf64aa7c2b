//! How a scene is initialised and simulated, and what must come out.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::linear::IterationOptions;
pub use crate::linear::SolverChoice;
use crate::scene::{GridSettings, ProjectionSettings};

/// Key in the schema of a string that is one of a list of names; the list's own name is its value.
pub const NAMES_KEY: &str = "x-names";
/// The names of the registered steppers.
pub const STEPPER_NAMES: &str = "steppers";

/// How contact is found and simulated. Distances are shares of the diagonal of the bounding box of all bodies.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ContactSettings {
    /// A surface vertex this near to an obstacle is in contact when the rest state is solved for.
    #[schemars(range(min = 0.0, max = 0.5), extend("x-affects" = "contacts"))]
    pub detection_distance: f64,
    /// Distance at which the contact barrier begins to push.
    #[schemars(range(min = 1e-9, max = 0.5), extend("x-affects" = "contacts"))]
    pub barrier_distance: f64,
    /// Slip over which static friction builds up.
    #[schemars(range(min = 1e-12, max = 0.1), extend("x-affects" = "physics"))]
    pub friction_slip: f64,
    /// Friction coefficient of bodies against each other and themselves.
    #[schemars(range(min = 0.0, max = 10.0), extend("x-affects" = "contacts"))]
    pub friction: f64,
    /// Whether bodies touch each other; if not, they pass through one another.
    #[schemars(extend("x-affects" = "contacts"))]
    pub between_bodies: bool,
    /// Whether bodies touch themselves.
    #[schemars(extend("x-affects" = "contacts"))]
    pub self_contact: bool,
    /// Whether bodies that overlap more than contact can mend are moved apart until they touch: the later one of two, the shortest way.
    #[schemars(extend("x-affects" = "geometry"))]
    pub separate: bool,
    /// Barrier that pushes.
    #[schemars(extend("x-affects" = "physics"))]
    pub barrier: BarrierKind,
    /// Factor on the contact stiffness that is found by itself.
    #[schemars(range(min = 1e-6, max = 1e6), extend("x-affects" = "physics"))]
    pub stiffness: f64,
    /// Rounds of friction a step: how often its normal forces and directions are brought up to date.
    #[schemars(range(min = 1, max = 1000), extend("x-affects" = "physics"))]
    pub friction_iterations: u32,
}

/// The shape of the barrier, over the share y = g / d of the gap g.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum BarrierKind {
    /// -kappa d^2 (y - 1)^2 ln y: twice continuously differentiable (Li et al. 2020, "Incremental Potential
    /// Contact", eq. 6).
    #[default]
    C2,
    /// kappa d^2 / 2 (y - 1) ln y: once continuously differentiable, its stiffness jumps to kappa at y = 1 (Li, Jiang,
    /// Luo, "Physics-Based Simulation", section 7.2).
    Book,
}

/// How the rest state is solved for.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct InitialiseSettings {
    /// Method.
    #[schemars(extend("x-affects" = "looks"))]
    pub method: Method,
    /// Share of the friction coefficient that the solved contact forces may use; the rest is kept in hand.
    #[schemars(range(max = 1.0), extend("x-affects" = "physics", "exclusiveMinimum" = 0.0))]
    pub friction_fraction: f64,
    /// Regularisation rho as a share of the median diagonal of the global matrix.
    #[schemars(range(min = 0.0, max = 1e-2), extend("x-affects" = "physics"))]
    pub regularization: f64,
    /// Largest residual, as a share of the largest load, that counts as balance.
    #[schemars(range(max = 1.0), extend("x-affects" = "physics", "exclusiveMinimum" = 0.0))]
    pub tolerance: f64,
    /// Largest factor by which an element that is too soft for its force may be stiffened; 1 for never. One that would need more
    /// stays as it is, and the initialisation fails.
    #[schemars(range(min = 1.0, max = 1e6), extend("x-affects" = "physics"))]
    pub stiffen_up_to: f64,
    /// Nodes of the grid up to which the balance of material points is found by a factorisation; beyond, conjugate gradients take less memory, and less
    /// time, for a balance that is less exact. What yields is always factorised.
    #[schemars(extend("x-affects" = "physics"))]
    pub direct_up_to: u32,
    /// How many of the softest modes are found, to be looked at.
    #[schemars(range(min = 1, max = 32), extend("x-affects" = "run"))]
    pub softest_modes: u32,
    /// Tension that the forces are chosen nearest to, as the strain by which all elements want to be shorter; 0 for the least
    /// forces. It helps bodies that are held at both ends or all round.
    #[schemars(range(min = -0.5, max = 0.5), extend("x-affects" = "physics"))]
    pub tension: f64,
    /// How many times as much a spring that pushes counts as one that pulls, where forces are chosen; 1 for as much. The larger, the
    /// less they push.
    #[schemars(range(min = 1.0, max = 1e6), extend("x-affects" = "physics"))]
    pub push_weight: f64,
    /// Whether forces that no rest state can make, of a hinge beyond a radian or a spring without length, are limited to what it can, so that
    /// others carry the rest.
    #[schemars(extend("x-affects" = "physics"))]
    pub within_reach: bool,
    /// What is done where the equilibrium is unstable.
    #[schemars(extend("x-affects" = "physics"))]
    pub cure: Cure,
    /// Whether all cures are tried and compared in the report where the equilibrium is unstable.
    #[schemars(extend("x-affects" = "run"))]
    pub compare_cures: bool,
}

/// What can make an unstable equilibrium stable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Cure {
    /// Nothing.
    #[default]
    None,
    /// The least factor on the stiffness of all elements.
    UniformStiffening,
    /// Stiffening of the least mass of elements, where the body buckles.
    LocalStiffening,
    /// Forces nearest to a tension in place of the least ones.
    TensionShift,
    /// Of springs and cloth, forces that push as little as can be.
    LessPush,
    /// All of them in turn, the cheapest first: less push, tension, stiffening of few elements, of all. Each is kept where fewer directions
    /// are left in which the pose falls away.
    InOrder,
}

/// How the rest state is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// The given shape becomes the equilibrium, contact and friction included.
    #[default]
    SagFree,
    /// The given shape becomes the rest shape: sags.
    Naive,
    /// Baseline: contacts are treated as pins, which may also pull.
    PinnedContacts,
    /// Baseline: contacts are ignored.
    NoContact,
    /// Particles of a fluid run with damping until they rest, and are frozen there: their given shape is then where they have come to. All
    /// else is as sag-free.
    Settle,
}

/// How time is stepped.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SimulateSettings {
    /// Name of the stepper.
    #[schemars(extend("x-affects" = "run", "x-names" = STEPPER_NAMES))]
    pub stepper: String,
    /// Step size [s].
    #[schemars(range(min = 1e-6, max = 1.0), extend("x-affects" = "run"))]
    pub step_size: f64,
    /// Newton's method stops when its last step, over the step size, is below this [m/s].
    #[schemars(range(max = 1.0), extend("x-affects" = "run", "exclusiveMinimum" = 0.0))]
    pub tolerance: f64,
    /// Newton iterations a step at most.
    #[schemars(range(min = 1, max = 10000), extend("x-affects" = "run"))]
    pub max_iterations: u32,
    /// How linear systems are solved.
    #[schemars(extend("x-affects" = "run"))]
    pub solver: SolverChoice,
    /// Iterative solvers stop when the residual, over the right side, is below this.
    #[serde(skip_serializing_if = "is_usual_linear_tolerance")]
    #[schemars(range(max = 0.5), extend("x-affects" = "run", "exclusiveMinimum" = 0.0))]
    pub linear_tolerance: f64,
    /// Iterations of a linear system at most.
    #[serde(skip_serializing_if = "are_usual_linear_iterations")]
    #[schemars(range(min = 1, max = 1000000), extend("x-affects" = "run"))]
    pub linear_iterations: u32,
    /// Share alpha of each correction that `jacobi` and `chebyshev` take; 1 is the method of the textbooks, which diverges for most elastic
    /// bodies. Where none is given, the best one, by an estimate of the matrix's spectrum.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 2.0), extend("x-affects" = "run", "exclusiveMinimum" = 0.0))]
    pub linear_relaxation: Option<f64>,
    /// Spectral radius rho of the Jacobi iteration that `chebyshev` accelerates: slower where it is too small or too large, and without
    /// convergence from 1 on. Where none is given, an estimate.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 2.0), extend("x-affects" = "run", "exclusiveMinimum" = 0.0))]
    pub spectral_radius: Option<f64>,
    /// How often a step that fails may be halved.
    #[schemars(range(min = 0, max = 20), extend("x-affects" = "run"))]
    pub max_substep_halvings: u32,
    /// Time over which the static stepper brings up all loads [s]; 0: all at once.
    #[schemars(range(min = 0.0, max = 1e6), extend("x-affects" = "physics"))]
    pub ramp: f64,
    /// How position-based steppers project.
    #[serde(skip_serializing_if = "ProjectionSettings::is_usual")]
    pub projection: ProjectionSettings,
    /// The grid of material points.
    #[serde(skip_serializing_if = "GridSettings::is_usual")]
    pub grid: GridSettings,
}

/// A number that a run of the scene must give.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Expectation {
    /// Method of initialisation.
    #[serde(default)]
    pub method: Method,
    /// Seconds simulated; 0 checks the report of the initialisation.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 3600.0))]
    pub seconds: f64,
    /// Path in the report, such as `init.residual.after` or `simulate.drift.max`.
    pub key: String,
    /// Smallest value allowed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    /// Largest value allowed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
}

impl Default for ContactSettings {
    fn default() -> Self {
        Self {
            detection_distance: 1e-3,
            barrier_distance: 1e-3,
            friction_slip: 1e-5,
            friction: 0.5,
            between_bodies: true,
            self_contact: true,
            separate: false,
            barrier: BarrierKind::C2,
            stiffness: 1.0,
            friction_iterations: 2,
        }
    }
}

impl Default for InitialiseSettings {
    fn default() -> Self {
        Self {
            method: Method::SagFree,
            friction_fraction: 0.95,
            regularization: 1e-13,
            tolerance: 1e-8,
            stiffen_up_to: 1.0,
            direct_up_to: 25_000,
            softest_modes: 4,
            tension: 0.0,
            push_weight: 1.0,
            within_reach: false,
            cure: Cure::None,
            compare_cures: false,
        }
    }
}

impl SimulateSettings {
    /// When iterative solvers stop, and their parameters.
    pub fn iteration_options(&self) -> IterationOptions {
        IterationOptions {
            tolerance: self.linear_tolerance,
            max_iterations: self.linear_iterations,
            relaxation: self.linear_relaxation,
            spectral_radius: self.spectral_radius,
        }
    }
}

fn is_usual_linear_tolerance(tolerance: &f64) -> bool {
    *tolerance == IterationOptions::default().tolerance
}

fn are_usual_linear_iterations(iterations: &u32) -> bool {
    *iterations == IterationOptions::default().max_iterations
}

impl Default for SimulateSettings {
    fn default() -> Self {
        let iterations = IterationOptions::default();
        Self {
            stepper: "backward_euler".into(),
            step_size: 0.01,
            tolerance: 1e-6,
            max_iterations: 200,
            solver: SolverChoice::Auto,
            linear_tolerance: iterations.tolerance,
            linear_iterations: iterations.max_iterations,
            linear_relaxation: None,
            spectral_radius: None,
            max_substep_halvings: 6,
            ramp: 0.0,
            projection: ProjectionSettings::default(),
            grid: GridSettings::default(),
        }
    }
}
