//! Newton's method itself, and one iteration of it alone.

use std::time::Instant;

use super::inertia::Inertia;
use super::line_search::{Landscape, Line, NOISE_MARGIN, SHORTEST};
use super::objective::Objective;
use super::workspace::Buffers;
use crate::linear::{IterationOutcome, LinearSystem, SolveReport};
use crate::math::{Mat3, Vec3, larger};
use crate::step::{State, StepError};
use crate::system::System;
use crate::watch::Watch;

/// Driven nodes that were let through less than this share of their way wait until the bodies have given way.
const EASY_SHARE: f64 = 0.5;
/// Iterations in which the bodies give way.
const RELAXATION: u32 = 3;
/// Driven nodes that got no further than this share of their way, this often, are stuck.
const STUCK_SHARE: f64 = 1e-3;
const STUCK_TRIES: u32 = 12;
/// Friction is brought up to date on the way when the direction is this share of what it was when it was last.
const RENEWAL_SHARE: f64 = 0.5;

/// What is added to the diagonal of a projected Hessian that is singular, as a share of the stiffest of it: at first, and at most.
const LIFTS: [f64; 2] = [1e-3, 1.0];

/// What is to be solved, besides what is minimised.
pub struct Task<'a> {
    /// The state at the step's start.
    pub state: &'a State,
    /// Where driven nodes must arrive [m].
    pub targets: &'a [(u32, Vec3)],
    /// The projected element Hessians at the step's start are in the buffers already.
    pub blocks_known: bool,
    /// Asked in every iteration.
    pub watch: &'a dyn Watch,
}

/// How Newton's method begins.
#[derive(Debug, Clone, Copy, Default)]
pub struct Beginning {
    /// The projected element Hessians there are in the buffers already.
    pub blocks_known: bool,
    /// Whether normal forces and directions of friction are brought up to date on the way.
    pub renews_friction: bool,
}

/// Where Newton's method ended.
#[derive(Debug, Clone, Copy)]
pub struct Minimum {
    /// Linear solves.
    pub iterations: u32,
    /// Whether friction was brought up to date on the way.
    pub has_renewed: bool,
}

/// Minimises `objective` from `y`, by one linear solve at least. Leaves the final gradient in the buffers.
pub fn minimise(
    objective: &mut Objective,
    buffers: &mut Buffers,
    task: &Task<'_>,
    y: &mut Vec<Vec3>,
    beginning: Beginning,
) -> Result<Minimum, StepError> {
    let targets = task.targets;
    let mut descent = Descent::start(objective, buffers, task.state.time, y, beginning)?;
    loop {
        task.watch.check()?;
        let done = if descent.relaxing == 0 && targets.iter().any(|&(node, target)| y[node as usize] != target) {
            descent.advance(objective, buffers, y, targets)?;
            false
        } else {
            descent.descend(objective, buffers, y)?
        };
        let arrived = targets.iter().all(|&(node, target)| y[node as usize] == target);
        if done && arrived {
            return Ok(Minimum { iterations: descent.iterations, has_renewed: descent.renewed_at.is_finite() });
        }
        descent.relaxing = if done { 0 } else { descent.relaxing.saturating_sub(1) };
        if descent.iterations >= objective.system.simulate.max_iterations.max(1) {
            return Err(descent.not_converged());
        }
    }
}

/// One iteration of Newton's method from the step's start, which is in `y`: the whole direction of the projected Hessian, without a search
/// and without rounds ([`super::Scheme::BaraffWitkin`]). Its linear solves. Leaves the gradient at the end in the buffers, which is not
/// zero where forces are not linear.
///
/// Linearised contact promises no gap: where the way would close one, or end where an element must not be inverted, nothing is done.
pub fn solve_once(objective: &mut Objective, buffers: &mut Buffers, task: &Task<'_>, y: &mut Vec<Vec3>) -> Result<u32, StepError> {
    task.watch.check()?;
    let beginning = Beginning { blocks_known: task.blocks_known, renews_friction: false };
    let mut descent = Descent::start(objective, buffers, task.state.time, y, beginning)?;
    descent.check_gradient(buffers)?;
    objective.contact.follow(y);
    descent.find_projected_direction(objective, buffers, y, task.targets)?;
    descent.measure(objective, buffers, y);
    node_steps(objective, buffers, y);
    let stopped = buffers.steps.iter().position(|step| *step < 1.0);
    let clear = stopped.is_none() && timed(&mut buffers.phases.ccd, || objective.contact.max_step(y, &buffers.direction, 1.0)) == 1.0;
    for ((out, y), direction) in buffers.trial.iter_mut().zip(y.iter()).zip(&buffers.direction) {
        *out = y + direction;
    }
    task.targets.iter().for_each(|&(node, target)| buffers.trial[node as usize] = target);
    if !clear || !objective.energy(&buffers.trial).is_finite() {
        let what = "one linear solve leads through a surface, or turns an element inside out; take smaller steps or more halvings, or \
                    `backward_euler`";
        return Err(StepError::Singular { time: task.state.time, node: stopped.unwrap_or(descent.worst.0), what: what.into() });
    }
    std::mem::swap(y, &mut buffers.trial);
    objective.relag_pressure(y);
    timed(&mut buffers.phases.elements, || objective.gradient(y, &mut buffers.gradient));
    Ok(1)
}

/// Newton's method under way.
struct Descent {
    /// Time of the step's start [s].
    time: f64,
    energy: f64,
    elastic_noise: Option<f64>,
    iterations: u32,
    blocks_known: bool,
    renews_friction: bool,
    /// Length of the direction when friction was last brought up to date; infinite before [m].
    renewed_at: f64,
    last_was_whole: bool,
    was_indefinite: bool,
    is_dynamic: bool,
    /// Whether the last direction is that of a Hessian which had to be lifted.
    was_singular: bool,
    /// Iterations that driven nodes still wait.
    relaxing: u32,
    stuck: u32,
    speed: f64,
    /// The node that the last direction moves most, and where it was.
    worst: (usize, Vec3),
}

impl Descent {
    fn start(objective: &mut Objective, buffers: &mut Buffers, time: f64, y: &[Vec3], beginning: Beginning) -> Result<Self, StepError> {
        let energy = objective.energy(y);
        if !energy.is_finite() {
            let what = "an element is inverted where its law forbids it, or surfaces touch".to_owned();
            return Err(StepError::Singular { time, node: inverted_node(objective.system, y), what });
        }
        timed(&mut buffers.phases.elements, || objective.gradient(y, &mut buffers.gradient));
        Ok(Self {
            time,
            energy,
            elastic_noise: None,
            iterations: 0,
            blocks_known: beginning.blocks_known,
            renews_friction: beginning.renews_friction,
            renewed_at: f64::INFINITY,
            last_was_whole: false,
            was_indefinite: false,
            is_dynamic: objective.stage.is_dynamic(),
            was_singular: false,
            relaxing: 0,
            stuck: 0,
            speed: f64::INFINITY,
            worst: (0, y.first().copied().unwrap_or_else(Vec3::zeros)),
        })
    }

    /// One iteration that lowers the energy; true if it has arrived.
    fn descend(&mut self, objective: &mut Objective, buffers: &mut Buffers, y: &mut Vec<Vec3>) -> Result<bool, StepError> {
        self.check_gradient(buffers)?;
        objective.contact.follow(y);
        // Projection makes every direction one of descent, but convergence linear: near the minimum the exact Hessian
        // is tried first (Longva et al. 2023), but not right after it was indefinite.
        let try_exact = self.last_was_whole && !self.was_indefinite;
        let exact = try_exact && {
            timed(&mut buffers.phases.elements, || objective.fill_blocks(y, false, &mut buffers.blocks));
            find_direction(objective, buffers, y, Hessian::Exact, &[]).is_ok()
        };
        if !exact {
            self.find_projected_direction(objective, buffers, y, &[])?;
        }
        self.was_indefinite = try_exact && !exact;
        self.iterations += 1;

        let noise = self.elastic_noise.unwrap_or(0.0) + objective.noise(y);
        let length = self.measure(objective, buffers, y);
        let slope = keep_gaps_open(objective, buffers, y, true).slope;
        let filtered = filter(objective, buffers, y);
        let line = Line { x: y, direction: &buffers.direction, energy: self.energy, slope, noise, length };
        let vanishing = length <= SHORTEST * objective.system.diagonal;
        let clock = Instant::now();
        if vanishing {
            line.point(filtered, &mut buffers.trial);
        } else if let Some(found) = line.search(objective, filtered, &mut buffers.trial, &mut buffers.gradient) {
            self.energy = found.energy;
            self.last_was_whole = found.step == 1.0;
            buffers.halvings += found.halvings;
        } else if slope.abs() <= NOISE_MARGIN * noise {
            // Every step looks as good as none, and the promised decrease is round-off: this is the minimum.
            objective.gradient(y, &mut buffers.gradient);
            return Ok(true);
        } else {
            return Err(self.not_converged());
        }
        buffers.phases.line_search += clock.elapsed().as_secs_f64();
        std::mem::swap(y, &mut buffers.trial);
        let done = vanishing || self.speed <= objective.system.simulate.tolerance;
        if self.renews_friction && !done && length <= RENEWAL_SHARE * self.renewed_at {
            self.renewed_at = length;
            if objective.contact.renew_friction(y) {
                self.energy = objective.energy(y);
            }
        }
        timed(&mut buffers.phases.elements, || objective.gradient(y, &mut buffers.gradient));
        Ok(done)
    }

    /// One iteration that moves the driven nodes towards their targets as far as nothing touches or inverts, and the others
    /// as linearised balance asks. Where the way is not clear, the bodies give way before the next.
    ///
    /// The driven nodes are eliminated from the start, which needs no penalty and no multiplier and keeps the matrix as it is.
    fn advance(
        &mut self,
        objective: &mut Objective,
        buffers: &mut Buffers,
        y: &mut Vec<Vec3>,
        targets: &[(u32, Vec3)],
    ) -> Result<(), StepError> {
        self.check_gradient(buffers)?;
        objective.contact.follow(y);
        self.find_projected_direction(objective, buffers, y, targets)?;
        self.iterations += 1;
        self.measure(objective, buffers, y);
        let kept = keep_gaps_open(objective, buffers, y, false).kept;
        let mut step = filter(objective, buffers, y);
        loop {
            for ((out, y), direction) in buffers.trial.iter_mut().zip(y.iter()).zip(&buffers.direction) {
                *out = y + step * direction;
            }
            if step * kept == 1.0 {
                targets.iter().for_each(|&(node, target)| buffers.trial[node as usize] = target);
            }
            self.energy = objective.energy(&buffers.trial);
            if self.energy.is_finite() {
                break;
            }
            step *= 0.5;
            if step < f64::EPSILON {
                return Err(self.not_converged());
            }
        }
        std::mem::swap(y, &mut buffers.trial);
        timed(&mut buffers.phases.elements, || objective.gradient(y, &mut buffers.gradient));
        self.last_was_whole = false;
        let share = step * kept;
        if share < EASY_SHARE {
            self.relaxing = RELAXATION + 1;
        }
        self.stuck = if share < STUCK_SHARE { self.stuck + 1 } else { 0 };
        if self.stuck >= STUCK_TRIES { Err(self.not_converged()) } else { Ok(()) }
    }

    fn find_projected_direction(
        &mut self,
        objective: &mut Objective,
        buffers: &mut Buffers,
        y: &[Vec3],
        targets: &[(u32, Vec3)],
    ) -> Result<(), StepError> {
        if !std::mem::take(&mut self.blocks_known) {
            timed(&mut buffers.phases.elements, || objective.fill_blocks(y, true, &mut buffers.blocks));
        }
        if self.elastic_noise.is_none() {
            self.elastic_noise = Some(buffers.energy_noise(objective.system, y));
        }
        let mut found = find_direction(objective, buffers, y, Hessian::Projected { lift: 0.0 }, targets);
        // Springs without tension resist nothing across themselves: where inertia does not either, the Hessian is singular, and with
        // something on its diagonal the direction still leads down, farthest where nothing resists.
        self.was_singular = matches!(found, Err(NoDirection::NotPositive(_)));
        let (mut lift, stiffest) = (LIFTS[0], buffers.stiffest(objective.system));
        while matches!(found, Err(NoDirection::NotPositive(_))) && stiffest > 0.0 && lift <= LIFTS[1] {
            timed(&mut buffers.phases.elements, || objective.fill_blocks(y, true, &mut buffers.blocks));
            found = find_direction(objective, buffers, y, Hessian::Projected { lift: lift * stiffest }, targets);
            lift *= 10.0;
        }
        found.map_err(|why| match why {
            NoDirection::NotPositive(node) => self.singular(node),
            NoDirection::Diverged(report) => {
                let solver = objective.system.simulate.solver.entry();
                let SolveReport { iterations, residual, .. } = report;
                StepError::Diverged { solver: solver.name, iterations, residual, time: self.time, remedy: solver.remedy }
            }
        })
    }

    fn check_gradient(&self, buffers: &Buffers) -> Result<(), StepError> {
        match buffers.gradient.iter().position(|g| !g.iter().all(|c| c.is_finite())) {
            Some(node) => Err(StepError::Singular { time: self.time, node, what: "the force is not a finite number".into() }),
            None => Ok(()),
        }
    }

    /// Notes how far the direction goes [m], and where it goes farthest.
    fn measure(&mut self, objective: &Objective, buffers: &Buffers, y: &[Vec3]) -> f64 {
        let longest = (0..y.len()).max_by(|&a, &b| buffers.direction[a].norm_squared().total_cmp(&buffers.direction[b].norm_squared()));
        let Some(node) = longest else { return 0.0 };
        self.worst = (node, y[node]);
        let length = buffers.direction[node].norm();
        self.speed = length / objective.step_size;
        length
    }

    fn singular(&self, node: usize) -> StepError {
        let remedy = if self.is_dynamic { "" } else { "; where nothing else holds what the loads move, take a stepper with inertia" };
        StepError::Singular { time: self.time, node, what: format!("the Hessian is not positive definite{remedy}") }
    }

    fn not_converged(&self) -> StepError {
        let (node, place) = self.worst;
        if self.was_singular {
            return self.singular(node);
        }
        StepError::NotConverged { iterations: self.iterations, time: self.time, speed: self.speed, node, place: place.into() }
    }
}

/// Adds the wall seconds of `work` to a phase.
pub fn timed<T>(seconds: &mut f64, work: impl FnOnce() -> T) -> T {
    let clock = Instant::now();
    let result = work();
    *seconds += clock.elapsed().as_secs_f64();
    result
}

/// A direction that was shortened.
pub struct Shortened {
    /// Slope of E along it.
    pub slope: f64,
    /// Share of it that every node kept.
    pub kept: f64,
}

/// Shortens the direction so that a whole step closes no gap to an obstacle. Where that promises more and `own` allows it, each
/// node is stopped by its own contacts alone: else one node that is about to touch holds up the whole body.
pub fn keep_gaps_open(objective: &Objective, buffers: &mut Buffers, y: &[Vec3], own: bool) -> Shortened {
    node_steps(objective, buffers, y);
    let common = buffers.steps.iter().copied().fold(1.0, f64::min);
    let (mut slope, mut own_slope) = (0.0, 0.0);
    for ((gradient, direction), step) in buffers.gradient.iter().zip(&buffers.direction).zip(&buffers.steps) {
        let part = gradient.dot(direction);
        slope += common * part;
        own_slope += step * part;
    }
    // Ties hold along the whole direction only.
    let own = own && objective.ties.is_none() && own_slope < slope;
    for (direction, step) in buffers.direction.iter_mut().zip(&buffers.steps) {
        *direction *= if own { *step } else { common };
    }
    Shortened { slope: if own { own_slope } else { slope }, kept: common }
}

/// How far each node may go along the direction without closing a gap to an obstacle.
pub fn node_steps(objective: &Objective, buffers: &mut Buffers, y: &[Vec3]) {
    buffers.steps.fill(1.0);
    objective.contact.limit_node_steps(y, &buffers.direction, &mut buffers.steps);
}

/// The largest step in [0, 1] along which nothing inverts and no surfaces touch.
pub fn filter(objective: &mut Objective, buffers: &mut Buffers, y: &[Vec3]) -> f64 {
    let without_inversion = objective.non_inverting(y, &buffers.direction, 1.0);
    timed(&mut buffers.phases.ccd, || objective.contact.max_step(y, &buffers.direction, without_inversion))
}

/// Why there is no Newton direction.
enum NoDirection {
    /// The matrix is not positive definite at this node, as far as that is known.
    NotPositive(usize),
    /// An iterative method ran away.
    Diverged(SolveReport),
}

/// Of which matrix the direction is.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Hessian {
    Exact,
    /// With blocks that are positive semi-definite, and so much on the diagonal [N/m].
    Projected {
        lift: f64,
    },
}

/// Solves for the Newton direction, with driven nodes going all the way to their targets.
fn find_direction(
    objective: &mut Objective,
    buffers: &mut Buffers,
    y: &[Vec3],
    hessian: Hessian,
    targets: &[(u32, Vec3)],
) -> Result<(), NoDirection> {
    let projected = hessian != Hessian::Exact;
    objective.complete_blocks(y, projected, &mut buffers.blocks);
    let clock = Instant::now();
    objective.diagonal(y, projected, &mut buffers.diagonal);
    if let Hessian::Projected { lift } = hessian
        && lift > 0.0
    {
        buffers.diagonal.iter_mut().for_each(|block| *block += Mat3::from_diagonal_element(lift));
    }
    let of_surfaces = objective.contact.surface_hessian(y, projected);
    buffers.phases.contact += clock.elapsed().as_secs_f64();
    buffers.trial.fill(Vec3::zeros());
    targets.iter().for_each(|&(node, target)| buffers.trial[node as usize] = target - y[node as usize]);
    let mut direction = std::mem::take(&mut buffers.direction);
    for (direction, gradient) in direction.iter_mut().zip(&buffers.gradient) {
        *direction = -gradient;
    }
    if !targets.is_empty() {
        buffers.subtract_driven(objective.system, &buffers.trial, &of_surfaces, &mut direction);
        Inertia::new(objective.system, &objective.stage).subtract_driven(&buffers.trial, &mut direction);
    }
    let clock = Instant::now();
    let linear = &mut buffers.linear;
    of_surfaces.assemble(linear, &buffers.blocks, &buffers.diagonal, &objective.system.slides);
    Inertia::new(objective.system, &objective.stage).couple(linear);
    let solved = if let Some(ties) = &mut objective.ties {
        ties.solve(linear.pattern(), linear.matrix(), &mut direction).map_err(|_| NoDirection::NotPositive(0))
    } else {
        linear.factorize().map(|()| linear.solve(&mut direction)).map_err(|failure| NoDirection::NotPositive(failure.node))
    };
    let outcome = solved.and_then(|mut report| {
        buffers.solves.iterations += report.iterations;
        // Conjugate gradients notice an indefinite matrix only on the way; for a projected one that is round-off.
        if projected && !report.is_solved() && objective.ties.is_none() {
            report = linear.solve_completely(&mut direction).unwrap_or(report);
        }
        if !report.is_solved() {
            if !projected {
                return Err(NoDirection::NotPositive(0));
            }
            if report.outcome == IterationOutcome::Diverged {
                return Err(NoDirection::Diverged(report));
            }
            // A direction that solves nothing may do all the same, if it leads down.
            buffers.solves.unsolved += 1;
            if targets.is_empty() {
                lead_down(&buffers.gradient, linear, &mut direction);
            }
        }
        buffers.solves.residual = larger(buffers.solves.residual, report.residual);
        Ok(())
    });
    if outcome.is_ok() {
        targets.iter().for_each(|&(node, _)| direction[node as usize] = buffers.trial[node as usize]);
    }
    buffers.direction = direction;
    buffers.phases.linear += clock.elapsed().as_secs_f64();
    outcome
}

/// Makes a direction that does not lead down the steepest one, as far as the quadratic model goes down along it (its Cauchy point).
pub fn lead_down(gradient: &[Vec3], linear: &LinearSystem, direction: &mut [Vec3]) {
    let dot = |a: &[Vec3], b: &[Vec3]| a.iter().zip(b).map(|(a, b)| a.dot(b)).sum::<f64>();
    let slope = dot(gradient, direction);
    if slope.is_finite() && slope < 0.0 {
        return;
    }
    let mut curved = vec![Vec3::zeros(); gradient.len()];
    linear.matrix().multiply(linear.pattern(), gradient, &mut curved);
    let (square, curvature) = (dot(gradient, gradient), dot(gradient, &curved));
    let length = if curvature > 0.0 { square / curvature } else { 0.0 };
    direction.iter_mut().zip(gradient).for_each(|(direction, gradient)| *direction = -length * gradient);
}

/// A node of the first inverted element, or the first node.
fn inverted_node(system: &System, x: &[Vec3]) -> usize {
    let inverted = system.families.iter().find_map(|family| {
        let element = family.compression(x).iter().position(|&j| j.is_nan() || j <= 0.0)?;
        family.nodes(element).first().map(|&n| n as usize)
    });
    inverted.unwrap_or(0)
}
