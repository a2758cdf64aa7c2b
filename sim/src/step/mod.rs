//! Time steppers: from the state at one instant to the next.

mod contact_pressure;
pub(crate) mod damping;
pub mod explicit;
pub mod implicit;
pub mod instant;
#[cfg(test)]
mod integrator_tests;
pub mod measure;
pub mod mpm;
mod residual;
mod unsupported;
pub mod xpbd;

pub use contact_pressure::contact_pressure;
pub use explicit::Explicit;
pub use implicit::{Implicit, Scheme};
pub use mpm::Mpm;
pub use residual::Residual;
pub use unsupported::Unsupported;
pub use xpbd::Xpbd;

use crate::contact::{Balance, ContactForce, ContactMemory};
use crate::math::{Mat3, Vec3};
use crate::scene::{Mend, Parts};
use crate::system::System;
use crate::watch::{Cancelled, Watch};

/// Advances a state in time.
pub trait Stepper: Send {
    /// Forgets earlier steps and makes the contacts carry the forces of `balance` in the given shape.
    fn warm_start(&mut self, system: &System, balance: &Balance);
    /// Goes on after bodies came in or were taken away: other nodes are free, other surfaces may touch. What contacts remember
    /// stays; the motion is begun anew.
    fn adapt(&mut self, system: &System);
    /// One step of `step_size` [s]. Without a warm start before it, no force counts as solved. Lagged laws of `system` are told
    /// where it starts, and each part of it.
    ///
    /// # Errors
    /// [`StepError`]; then the state is as it was.
    fn step(&mut self, system: &mut System, state: &mut State, step_size: f64, watch: &dyn Watch) -> Result<StepStats, StepError>;
    /// What its contacts remember.
    fn contacts(&mut self, system: &System) -> &mut ContactMemory;
    /// Pressure times volume [J] of each node in the last part of a step, of those that are particles of a fluid; empty where there are none.
    fn pressures(&self, _: &System) -> Vec<f64> {
        Vec::new()
    }
    /// Force of the contacts on each node in `state`, friction included [N].
    fn contact_force_on_nodes(&mut self, system: &System, state: &State) -> Vec<Vec3> {
        self.contacts(system).freeze(system, &state.positions, state.time).forces_on_nodes(&state.positions)
    }
    /// The same on each vertex of a surface, where that touches by a point of its own too.
    fn contact_force_on_vertices(&mut self, system: &System, state: &State) -> Vec<Vec3> {
        self.contacts(system).freeze(system, &state.positions, state.time).forces_on_vertices(&state.positions)
    }
    /// Forces of the contacts that push in `state`.
    fn contact_forces(&mut self, system: &System, state: &State) -> Vec<ContactForce> {
        self.contacts(system).freeze(system, &state.positions, state.time).forces(&state.positions)
    }
}

/// Energy taken out of the motion since time zero [J].
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Dissipation {
    /// By friction.
    pub friction: f64,
    /// By damping.
    pub damping: f64,
}

/// A stepper by name.
#[derive(Debug, Clone, Copy)]
pub struct StepperEntry {
    /// Name in scenes and reports.
    pub name: &'static str,
    /// One line for people.
    pub description: &'static str,
    /// Whether it iterates until a step converges: what does not has neither a tolerance nor a number of iterations.
    pub converges: bool,
    /// Whether it solves linear systems, and halves steps that fail.
    pub solves: bool,
    /// Whether it can step a system.
    pub needs: fn(&System) -> Result<(), Unsupported>,
    /// Makes one.
    pub make: fn() -> Box<dyn Stepper>,
}

/// Every stepper; the first is the default.
pub static STEPPERS: &[StepperEntry] = &[
    StepperEntry {
        name: "backward_euler",
        description: "implicit Euler: first order, calm, for whatever must come to rest",
        converges: true,
        solves: true,
        needs: |system| unsupported::no_particles("backward_euler", system),
        make: || Box::new(Implicit::new(Scheme::BackwardEuler)),
    },
    StepperEntry {
        name: "bdf2",
        description: "second-order backward differences: livelier than implicit Euler, and still damped",
        converges: true,
        solves: true,
        needs: |system| unsupported::no_particles("bdf2", system),
        make: || Box::new(Implicit::new(Scheme::Bdf2)),
    },
    StepperEntry {
        name: "midpoint",
        description: "implicit midpoint: second order, keeps angular momentum, damps nothing by itself",
        converges: true,
        solves: true,
        needs: |system| unsupported::no_particles("midpoint", system),
        make: || Box::new(Implicit::new(Scheme::Midpoint)),
    },
    StepperEntry {
        name: "quasi_static",
        description: "no inertia: each step is an equilibrium under loads and prescribed motions that grow with time",
        converges: true,
        solves: true,
        needs: |system| unsupported::no_particles("quasi_static", system),
        make: || Box::new(Implicit::new(Scheme::QuasiStatic)),
    },
    StepperEntry {
        name: "baraff_witkin",
        description: "implicit Euler with one linear solve a step: fast, and as good as the forces are linear over a step",
        converges: false,
        solves: true,
        needs: |system| unsupported::no_particles("baraff_witkin", system),
        make: || Box::new(Implicit::new(Scheme::BaraffWitkin)),
    },
    StepperEntry {
        name: "symplectic_euler",
        description: "explicit; for comparison, with small steps only",
        converges: false,
        solves: false,
        needs: |system| {
            unsupported::no_equalities("symplectic_euler", system).and_then(|()| unsupported::no_particles("symplectic_euler", system))
        },
        make: || Box::new(Explicit::symplectic()),
    },
    StepperEntry {
        name: "forward_euler",
        description: "explicit, gains energy; for comparison only",
        converges: false,
        solves: false,
        needs: |system| {
            unsupported::no_equalities("forward_euler", system).and_then(|()| unsupported::no_particles("forward_euler", system))
        },
        make: || Box::new(Explicit::forward()),
    },
    StepperEntry {
        name: "xpbd",
        description: "projects constraints with compliance, a few sweeps a part: fast; exact at rest from a sag-free start",
        converges: false,
        solves: false,
        needs: |system| xpbd::needs("xpbd", system),
        make: || Box::new(Xpbd::compliant()),
    },
    StepperEntry {
        name: "pbd",
        description: "projects constraints by shares of their errors: as stiff as sweeps make them; exact at rest from a sag-free start",
        converges: false,
        solves: false,
        needs: |system| xpbd::needs("pbd", system),
        make: || Box::new(Xpbd::by_share()),
    },
    StepperEntry {
        name: "mpm",
        description: "moves material points with a grid, in as many parts as waves need; exact at rest from a sag-free start",
        converges: false,
        solves: false,
        needs: |system| mpm::needs("mpm", system),
        make: || Box::new(Mpm::default()),
    },
    StepperEntry {
        name: mpm::IMPLICIT,
        description: "moves material points with a grid that is solved for: steps as long as points take to cross a cell; calm",
        converges: true,
        solves: false,
        needs: |system| mpm::needs(mpm::IMPLICIT, system),
        make: || Box::new(Mpm::implicit()),
    },
];

/// The stepper of that name.
pub fn stepper(name: &str) -> Option<&'static StepperEntry> {
    STEPPERS.iter().find(|entry| entry.name == name)
}

/// Positions and velocities at an instant.
#[derive(Debug, Clone)]
pub struct State {
    /// Time [s].
    pub time: f64,
    /// Positions [m].
    pub positions: Vec<Vec3>,
    /// Velocities [m/s].
    pub velocities: Vec<Vec3>,
    /// What else is known of material points.
    pub points: PointState,
}

/// What a state knows of material points beside places and velocities, by their numbers in their family; empty where there are none.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PointState {
    /// F - I of each.
    pub deformations: Vec<Mat3>,
    /// C of each: how the velocity changes around it [1/s].
    pub affine: Vec<Mat3>,
    /// What the law of each remembers beside that: of grains the logarithm of the volume that they have gained from one another, before they press again,
    /// of a liquid that keeps a deviator how far it has sheared.
    pub memory: Vec<f64>,
    /// The side that each is on of sheets beside material points: sheet by sheet, 1 above, -1 below, 0 of what is far; empty where that is not known yet.
    pub sides: Vec<Vec<i8>>,
}

impl PointState {
    /// That of the given shape, with the spin that bodies begin with: affine velocities without it would slow it down at once.
    pub fn given(system: &System) -> Self {
        let deformations: Vec<Mat3> =
            system.points().map_or_else(Vec::new, |points| points.elements.iter().map(|point| point.given_gradient).collect());
        let mut affine = vec![Mat3::zeros(); deformations.len()];
        for body in system.bodies.iter().filter(|_| !deformations.is_empty() && !system.initial_velocities.is_empty()) {
            if let Some(points) = body.spans.first().filter(|span| system.families[span.family].points().is_some()) {
                affine[points.elements.clone()].fill(mpm::spin(system, body).cross_matrix());
            }
        }
        let memory = vec![0.0; deformations.len()];
        Self { deformations, affine, memory, sides: Vec::new() }
    }
}

impl State {
    /// The given shape at time zero, with the initial velocities.
    pub fn at_rest(system: &System) -> Self {
        let velocities = if system.initial_velocities.is_empty() {
            vec![Vec3::zeros(); system.positions.len()]
        } else {
            system.initial_velocities.clone()
        };
        let mut state = Self { time: 0.0, positions: system.positions.clone(), velocities, points: PointState::given(system) };
        system.take_supported(&mut state.velocities);
        state
    }
}

/// What one step measured, at its end.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct StepStats {
    /// Time at the end of the step [s].
    pub time: f64,
    /// Kinetic energy [J].
    pub kinetic: f64,
    /// Elastic energy [J].
    pub elastic: f64,
    /// Potential energy in gravity, zero at the given shape's start [J].
    pub gravity: f64,
    /// Barrier energy [J].
    pub contact: f64,
    /// Potential energy of pressure, zero in the given shape [J]: minus its work, where it is steady and has a potential.
    pub pressure: f64,
    /// Kinetic, elastic, gravity, contact and pressure energy together [J].
    pub total: f64,
    /// Energy that friction has dissipated since time zero [J].
    pub friction: f64,
    /// Energy that damping has dissipated since time zero [J].
    pub damping: f64,
    /// Linear momentum [kg m/s].
    pub momentum: Vec3,
    /// Angular momentum about the origin [kg m^2/s].
    pub angular_momentum: Vec3,
    /// Final |gradient| (max norm over free masses) over the largest load.
    pub residual: f64,
    /// What another round would change of the friction force on a node, at most, over the largest load: friction goes by normal forces
    /// and tangent planes of the round before ([`crate::scene::ContactSettings::friction_iterations`]).
    pub friction_lag: f64,
    /// Newton iterations.
    pub iterations: u32,
    /// Directions of Newton's method that solve their linear system only in part: conjugate gradients did not get there, and the
    /// factor is too large, or fails; or the iterative solver that was chosen did not.
    pub unsolved: u32,
    /// Iterations of iterative linear solvers, over all systems of the step; 0 where all were factorised, or none solved.
    pub linear_iterations: u32,
    /// Largest residual |b - A x| / |b| of the step's linear systems, recomputed from the directions that were used; 0 where none was
    /// solved. NaN where nobody noted it.
    pub linear_residual: f64,
    /// Halvings of the line search, over all iterations.
    pub halvings: u32,
    /// Parts that the step was taken in; 1 for a step in one piece.
    pub substeps: u32,
    /// S of position-based steppers: h^2 |f*| (w_i + w_j) / l of the constraint whose force turns most in a part, or 2 over how many times its
    /// load is borne by what is as stiff as its sweeps; 0 where no part begins with the balance's forces.
    pub turn: f64,
    /// Those of them that the midpoint rule could not take, and backward Euler took in its stead.
    pub by_backward_euler: u32,
    /// Parts that ended although contacts faced other features than those that were solved with: they are solved again a few times only.
    pub unsettled: u32,
    /// Volume of the bodies [m^3].
    pub volume: f64,
    /// Elements whose det F is not positive.
    pub inversions: u32,
    /// Mean density over rest of the particles of a fluid that are under pressure; 0 where none is.
    pub density_mean: f64,
    /// Largest density over rest of a particle of a fluid; 0 where there is none.
    pub density_max: f64,
    /// Smallest true distance of a node in contact [m]; infinite without contact.
    pub min_gap: f64,
    /// Smallest effective gap [m]; infinite without contact.
    pub min_effective_gap: f64,
    /// Largest net torque of the forces between two bodies at the step's start, over the sum of all loads times the diagonal: the
    /// two sides of a contact act at one point, so that it is round-off.
    pub couple: f64,
    /// Force of a hand that pulls at a body, its mean over the step [N].
    pub hand: Vec3,
    /// Force of the walls on all material points, its mean over the step [N].
    pub wall_force: Vec3,
    /// Contacts that push.
    pub contacts: u32,
    /// Pairs of surface features near enough to be looked at.
    pub contact_pairs: u32,
    /// Largest distance from the given shape over its diagonal.
    pub drift: f64,
    /// Wall seconds.
    pub seconds: f64,
    /// Wall seconds by phase.
    pub phases: Phases,
}

impl StepStats {
    /// The same without wall times: what two runs must agree on to the bit.
    pub fn without_times(self) -> Self {
        Self { seconds: 0.0, phases: Phases::default(), ..self }
    }
}

/// Wall seconds of a step by phase.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Phases {
    /// Energies, forces and Hessians of the elements.
    pub elements: f64,
    /// Search for contacts; their energies, forces and Hessians.
    pub contact: f64,
    /// Continuous collision detection.
    pub ccd: f64,
    /// Linear systems: assembly, factorisation, solution.
    pub linear: f64,
    /// Line search.
    pub line_search: f64,
    /// The whole step.
    pub total: f64,
}

/// Why a step was not taken; the state is as it was before.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StepError {
    /// Somebody cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// Newton's method did not converge.
    #[error(
        "Newton's method did not converge in {iterations} iterations at t = {time:.4} s: node {node} near ({:.4}, {:.4}, {:.4}) m still moves at {speed:.1e} m/s; try a smaller step size, or a larger tolerance",
        place[0], place[1], place[2]
    )]
    NotConverged {
        /// Iterations done.
        iterations: u32,
        /// Time of the step's start [s].
        time: f64,
        /// Size of the last step over the step size [m/s].
        speed: f64,
        /// The node that moved most in it.
        node: usize,
        /// Where that node was [m].
        place: [f64; 3],
    },
    /// An iterative linear solver ran away: its solution is worse than none.
    #[error(
        "the linear solver `{solver}` diverged at t = {time:.4} s: after {iterations} iterations its residual is {residual:.1e} times the right side; {remedy}"
    )]
    Diverged {
        /// Name of the solver.
        solver: &'static str,
        /// Iterations done.
        iterations: u32,
        /// |b - A x| / |b|, which is 1 for x = 0.
        residual: f64,
        /// Time of the step's start [s].
        time: f64,
        /// What helps.
        remedy: &'static str,
    },
    /// A body cannot come in where it is put.
    #[error(
        "body `{body}` cannot come in at t = {time:.4} s: `{other}` is in its place near ({:.4}, {:.4}, {:.4}) m; put it elsewhere, or let it come in at another time",
        place[0], place[1], place[2]
    )]
    Blocked {
        /// Name of the body that comes in.
        body: String,
        /// Name of the body or obstacle in its place.
        other: String,
        /// Where they meet [m].
        place: [f64; 3],
        /// Time of the step's start [s].
        time: f64,
    },
    /// Forces of the balance turn too far in a part of a step.
    #[error(
        "the forces of the balance would turn too far in a part of a step: S = h^2 |f| (w_i + w_j) / l, or as much of elements with other gradients, is {turn:.2} of less than {most:.1}; set \"substeps\" to {substeps}, for which it is at most half of that (springs bear more with more \"sweeps\"), or \"preload\" to \"none\""
    )]
    TurnsTooFar {
        /// S.
        turn: f64,
        /// The limit of S.
        most: f64,
        /// Parts of a step with which it is at most half of the limit.
        substeps: u32,
    },
    /// Bodies that are as stiff as the sweeps of a part make them give way under the forces of the balance.
    #[error(
        "the bodies would give way under the forces that they carry: as stiff as their sweeps make them, they bear {share:.2} of their load; {}, or \"preload\" to \"none\"",
        substeps.map_or_else(|| "no number of \"substeps\" that was tried is enough".to_owned(), |number| format!("set \"substeps\" to {number}"))
    )]
    GivesWay {
        /// S: 2 over the share of the load that is borne.
        turn: f64,
        /// Share of the load that is borne.
        share: f64,
        /// Parts of a step in which it is borne.
        substeps: Option<u32>,
    },
    /// Waves cross too much of a cell in a part of a step.
    #[error(
        "waves and points at {speed:.3e} m/s would cross {share:.2} cells of the grid in a part of a step; set \"substeps\" of the grid to at least {needed} in place of {substeps}, or leave it out"
    )]
    OutrunByWaves {
        /// Speed of waves on top of that of points [m/s].
        speed: f64,
        /// Share of a cell that they cross in a part.
        share: f64,
        /// Parts that were asked for.
        substeps: u32,
        /// Parts that are enough.
        needed: u32,
    },
    /// There is no stepper of that name.
    #[error("there is no stepper `{name}`; the steppers are {}", STEPPERS.iter().map(|stepper| stepper.name).collect::<Vec<_>>().join(", "))]
    UnknownStepper {
        /// The name.
        name: String,
    },
    /// The stepper cannot step this system at all.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// A matrix could not be factorised, or a number was not finite.
    #[error("the system could not be solved at t = {time:.4} s, near node {node}: {what}")]
    Singular {
        /// Time of the step's start [s].
        time: f64,
        /// A node at the place.
        node: usize,
        /// What was met.
        what: String,
    },
}

impl StepError {
    /// What mends it, if a number of the scene does.
    pub fn mend(&self) -> Option<Mend> {
        let (of, number) = match self {
            Self::TurnsTooFar { substeps, .. } => (Parts::Projection, *substeps),
            Self::GivesWay { substeps, .. } => (Parts::Projection, (*substeps)?),
            Self::OutrunByWaves { needed, .. } => (Parts::Grid, *needed),
            _ => return None,
        };
        Some(Mend::Substeps { of, number })
    }
}
