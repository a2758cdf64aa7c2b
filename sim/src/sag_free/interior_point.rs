//! The global stage with contact and exact friction cones, as the dual
//!
//! ```text
//! min 1/2 u^T K u - f^T u   with   u_n >= mu |u_t|  at each contact,
//! ```
//!
//! whose multipliers are the contact forces: they lie in the friction cone by construction. A primal-dual interior point
//! with Nesterov-Todd scaling and Mehrotra's corrector; each iteration factorises K plus a block between the nodes of each
//! contact, in whichever space of unknowns [`Newton`] offers.

use super::cone::{Cone, Scaling};
use super::global::GlobalError;
use super::newton::Newton;
use super::problem::{BalanceProblem, Forces};
use super::row::Row;
use crate::linear::NotPositive;
use crate::math::{Mat3, Vec3, largest_norm};
use crate::watch::Watch;

/// Iterations at most; feasible problems take 5 to 20.
const ITERATIONS: usize = 60;
/// Share of the way to the boundary of the cones that a step may go.
const BACK_OFF: f64 = 0.995;
/// Duality gap to reach, as a share of the work of the loads: contact forces are right to its square root.
const GAP: f64 = 1e-9;
/// Corrections after the last iteration.
const POLISHES: usize = 3;
/// A residual that is no matter of polish.
const ROUGH: f64 = 1e-2;
/// A dual displacement this large (in units of load over stiffness) means that nothing holds the body.
const RUNAWAY: f64 = 1e10;
/// The regularisation for the least motion of what nothing holds: softer than bodies are, and large against round-off.
const SOFT: f64 = 1e-9;

/// Iterate in scaled units: forces over the largest load, displacements times the matrix' scale.
#[derive(Clone)]
struct Iterate {
    u: Vec<Vec3>,
    s: Vec<Vec3>,
    z: Vec<Vec3>,
}

/// A search direction.
type Direction = Iterate;

struct Solver<'a> {
    newton: &'a mut dyn Newton,
    rows: Vec<Row>,
    /// Loads over the largest load, less what supports take.
    load: Vec<Vec3>,
}

impl<'a> Solver<'a> {
    /// With it, what the reduction of the loads left on the nodes.
    fn new(problem: &BalanceProblem, newton: &'a mut dyn Newton) -> (Self, Vec<Vec3>) {
        let unit_force = problem.largest_load();
        let mut nodes: Vec<Vec3> = problem.loads.iter().map(|f| f / unit_force).collect();
        problem.take_supported(&mut nodes);
        let load = newton.reduce(&mut nodes);
        let rows = Row::all(problem, |node| newton.place(node));
        (Self { newton, rows, load }, nodes)
    }

    /// (K u - f - G^T z, G u - s).
    fn residuals(&mut self, at: &Iterate) -> (Vec<Vec3>, Vec<Vec3>) {
        let mut dual = vec![Vec3::zeros(); at.u.len()];
        self.newton.multiply(&at.u, &mut dual);
        let mut forces = self.load.clone();
        add_contact_forces(&self.rows, &at.z, &mut forces);
        dual.iter_mut().zip(&forces).for_each(|(dual, force)| *dual -= force);
        let primal = self.rows.iter().zip(&at.s).map(|(row, s)| row.displacement(&at.u) - s).collect();
        (dual, primal)
    }

    fn scalings(&self, at: &Iterate) -> Option<Vec<Scaling>> {
        let scalings: Vec<Scaling> = self.rows.iter().zip(&at.s).zip(&at.z).map(|((row, s), z)| row.cone.scaling(s, z)).collect();
        scalings.iter().all(|w| w.inverse.iter().all(|v| v.is_finite())).then_some(scalings)
    }

    /// Solves the Newton system for the corner terms `corner` = lambda \ d.
    fn direction(&mut self, scalings: &[Scaling], dual: &[Vec3], primal: &[Vec3], corner: &[Vec3]) -> Direction {
        let mut u: Vec<Vec3> = dual.iter().map(|r| -r).collect();
        let contact: Vec<Vec3> = scalings.iter().zip(primal).zip(corner).map(|((w, r), c)| w.inverse * (c - w.inverse * r)).collect();
        add_contact_forces(&self.rows, &contact, &mut u);
        self.newton.solve(&mut u);
        // ds straight from du: the other way round it loses all digits near the end.
        let s: Vec<Vec3> = self.rows.iter().zip(primal).map(|(row, r)| row.displacement(&u) + r).collect();
        let z = scalings.iter().zip(&s).zip(corner).map(|((w, ds), c)| w.inverse * (c - w.inverse * ds)).collect();
        Direction { u, s, z }
    }

    fn step_to_boundary(&self, at: &Iterate, direction: &Direction) -> f64 {
        let mut step: f64 = 1.0 / BACK_OFF;
        for (i, row) in self.rows.iter().enumerate() {
            step = row.cone.step_to_boundary(&at.s[i], &direction.s[i], step);
            step = row.cone.step_to_boundary(&at.z[i], &direction.z[i], step);
        }
        step
    }

    /// Start: the solution with all contacts as springs of median stiffness, pushed into the cones.
    fn start(&mut self) -> Result<Iterate, NotPositive> {
        let unit = Scaling { scale: Mat3::identity(), inverse: Mat3::identity(), point: Vec3::zeros() };
        self.newton.factorize(&self.rows, &vec![unit; self.rows.len()])?;
        let mut u = self.load.clone();
        self.newton.solve(&mut u);
        let into_cone = |rows: &[Row], points: Vec<Vec3>| -> Vec<Vec3> {
            let worst = rows.iter().zip(&points).map(|(row, x)| -row.cone.margin(x)).fold(f64::NEG_INFINITY, f64::max);
            let largest = largest_norm(&points);
            let shift = if worst < -1e-8 * largest { 0.0 } else { worst.max(0.0) + largest.max(1e-3) };
            points.into_iter().map(|x| x + shift * Vec3::x()).collect()
        };
        let flat = |row: &Row, x: Vec3| if row.cone == Cone::HalfLine { Vec3::new(x[0], 0.0, 0.0) } else { x };
        let gaps: Vec<Vec3> = self.rows.iter().map(|row| flat(row, row.displacement(&u))).collect();
        let forces = gaps.iter().map(|x| -x).collect();
        Ok(Iterate { s: into_cone(&self.rows, gaps), z: into_cone(&self.rows, forces), u })
    }

    /// Whether the iterate proves that no balance exists, up to `tolerance` on each node, short of a displacement beyond
    /// `runaway`. For if K y = f + G^T z with z in the cones, then f . u <= y . K u for every u with G u in the cones, and
    /// (y . K u)^2 <= (y . K y) (u . K u).
    fn is_hopeless(&self, at: &Iterate, dual: &[Vec3], primal: &[Vec3], tolerance: f64, runaway: f64) -> bool {
        let mut product = self.load.clone();
        add_contact_forces(&self.rows, &at.z, &mut product);
        let energy: f64 = product.iter().zip(dual).zip(&at.u).map(|((force, dual), u)| u.dot(&(force + dual))).sum();
        let work: f64 = self.load.iter().zip(&at.u).map(|(f, u)| f.dot(u)).sum();
        let size = |nodes: &[Vec3]| nodes.iter().map(|x| x.norm()).sum::<f64>();
        let total = size(&self.load);
        let slack = 10.0 * tolerance * size(&at.u) + total * largest_norm(primal);
        work > 2.0 * slack && work * work > runaway * total * energy
    }

    /// Iterates from the start to the end; the best iterate, and how many it took.
    fn run(&mut self, tolerance: f64, runaway: f64, watch: &dyn Watch) -> Result<(Iterate, usize), GlobalError> {
        let degree: f64 = self.rows.iter().map(|row| row.cone.degree()).sum();
        let mut at = self.start()?;
        let mut best: Option<(f64, Iterate)> = None;
        let mut iterations = 0;
        while iterations < ITERATIONS {
            watch.check()?;
            watch.progress("global stage", iterations as f64 / 25.0);
            let (dual, primal) = self.residuals(&at);
            let gap: f64 = at.s.iter().zip(&at.z).map(|(s, z)| s.dot(z)).sum();
            let dual_size = largest_norm(&dual);
            let extent = largest_norm(&at.u) + 1e-300;
            let work: f64 = at.u.iter().zip(&self.load).map(|(u, f)| u.dot(f)).sum::<f64>().abs().max(1e-300);
            let primal_size = largest_norm(&primal) / extent;
            let measure = dual_size.max(1e-4 * tolerance * (gap / (GAP * work)).max(primal_size / 1e-5));
            if best.as_ref().is_none_or(|(least, _)| measure < *least) {
                best = Some((measure, at.clone()));
            }
            if dual_size <= 0.1 * tolerance && gap <= GAP * work && primal_size <= 1e-5 {
                // A few more iterations are cheap and set the floor of the drift.
                if dual_size <= 1e-4 * tolerance || best.as_ref().is_some_and(|(least, _)| measure > *least) {
                    break;
                }
            }
            if extent.is_nan() || extent >= runaway || self.is_hopeless(&at, &dual, &primal, tolerance, runaway) {
                break;
            }
            iterations += 1;
            let mean = gap / degree;
            let Some(scalings) = self.scalings(&at) else { break };
            if self.newton.factorize(&self.rows, &scalings).is_err() {
                break;
            }
            // Predictor: straight for complementarity.
            let affine: Vec<Vec3> = scalings.iter().map(|w| -w.point).collect();
            let predictor = self.direction(&scalings, &dual, &primal, &affine);
            let reach = self.step_to_boundary(&at, &predictor).min(1.0);
            let sigma = (1.0 - reach).powi(3).clamp(1e-8, 1.0);
            // Corrector: centre, and take back the predictor's second-order error.
            let corner = |(i, (row, w)): (usize, (&Row, &Scaling))| {
                let second_order = row.cone.product(&(w.inverse * predictor.s[i]), &(w.scale * predictor.z[i]));
                let target = sigma * mean * Vec3::x() - row.cone.product(&w.point, &w.point) - second_order;
                row.cone.quotient(&w.point, &target)
            };
            let corner: Vec<Vec3> = self.rows.iter().zip(&scalings).enumerate().map(corner).collect();
            let corrector = self.direction(&scalings, &dual, &primal, &corner);
            let step = (BACK_OFF * self.step_to_boundary(&at, &corrector)).min(1.0);
            if !step.is_finite() || step < 1e-10 {
                break;
            }
            for (x, dx) in [(&mut at.u, &corrector.u), (&mut at.s, &corrector.s), (&mut at.z, &corrector.z)] {
                for (x, dx) in x.iter_mut().zip(dx) {
                    *x += step * dx;
                }
            }
        }
        Ok((best.map_or(at, |(_, iterate)| iterate), iterations))
    }

    fn contact_forces(&self, problem: &BalanceProblem, z: &[Vec3]) -> Vec<Vec3> {
        let unit_force = problem.largest_load();
        let mut forces = vec![Vec3::zeros(); problem.sites.len()];
        self.rows.iter().zip(z).for_each(|(row, z)| forces[row.site] = unit_force * row.force(z));
        forces
    }

    /// The forces of `at`; `nodes` as the reduction of the loads left them, `scale` that of the matrix [m/N].
    fn forces(&mut self, problem: &BalanceProblem, at: &Iterate, nodes: &mut [Vec3], scale: f64) -> Forces {
        let to_dual = -problem.largest_load() * scale;
        self.newton.extend(&at.u, nodes);
        nodes.iter_mut().for_each(|u| *u *= to_dual);
        let mut forces = problem.without_stress(self.contact_forces(problem, &at.z));
        problem.add_dual(&mut forces, nodes);
        forces
    }

    /// What round-off left unbalanced in the forces of `at` goes into elements and contacts by its scaling.
    fn polished(&mut self, problem: &BalanceProblem, at: &Iterate, mut best: Forces, scale: f64) -> Forces {
        let unit_force = problem.largest_load();
        let to_dual = -unit_force * scale;
        let mut z = at.z.clone();
        let Some(scalings) = self.scalings(at) else { return best };
        if self.newton.factorize(&self.rows, &scalings).is_err() {
            return best;
        }
        for _ in 0..POLISHES {
            let mut nodes: Vec<Vec3> = best.net.iter().map(|net| net / unit_force).collect();
            let mut space = self.newton.reduce(&mut nodes);
            self.newton.solve(&mut space);
            for ((z, row), w) in z.iter_mut().zip(&self.rows).zip(&scalings) {
                *z -= w.inverse * (w.inverse * row.displacement(&space));
            }
            self.newton.extend(&space, &mut nodes);
            let mut forces = Forces { contacts: self.contact_forces(problem, &z), ..best.clone() };
            problem.add_dual(&mut forces, &nodes.iter().map(|u| to_dual * u).collect::<Vec<_>>());
            let inside = self.rows.iter().zip(&z).all(|(row, z)| row.cone.margin(z) >= 0.0);
            if !inside || forces.residual >= best.residual {
                break;
            }
            best = forces;
        }
        best
    }
}

fn add_contact_forces(rows: &[Row], z: &[Vec3], nodes: &mut [Vec3]) {
    rows.iter().zip(z).for_each(|(row, z)| row.add_force(z, nodes));
}

/// Solves for element and contact forces; `scale` is that of the matrix [m/N]. What comes out for a problem without balance
/// is out of balance, but finite and in the cones.
///
/// # Errors
/// As for [`super::global::GlobalSolver::solve`].
pub(super) fn solve(
    problem: &BalanceProblem,
    newton: &mut dyn Newton,
    scale: f64,
    tolerance: f64,
    watch: &dyn Watch,
) -> Result<Forces, GlobalError> {
    let (mut solver, mut nodes) = Solver::new(problem, newton);
    let (at, iterations) = solver.run(tolerance, RUNAWAY, watch)?;
    let mut forces = solver.forces(problem, &at, &mut nodes, scale);
    if forces.residual < ROUGH {
        forces = solver.polished(problem, &at, forces, scale);
    }
    Ok(Forces { iterations, factorisations: newton.take_factorisations(), ..forces })
}

/// The forces that come nearest to balance: they leave the least net force in the sum of squares, as if every node were held
/// by a spring much softer than the bodies are.
///
/// # Errors
/// As for [`super::global::GlobalSolver::solve`].
pub(super) fn least_motion(
    problem: &BalanceProblem,
    newton: &mut dyn Newton,
    scale: f64,
    tolerance: f64,
    watch: &dyn Watch,
) -> Result<Forces, GlobalError> {
    newton.regularize(SOFT)?;
    let (mut solver, mut nodes) = Solver::new(problem, newton);
    let (at, iterations) = solver.run(tolerance, f64::INFINITY, watch)?;
    let forces = solver.forces(problem, &at, &mut nodes, scale);
    newton.regularize(0.0)?;
    Ok(Forces { iterations, factorisations: newton.take_factorisations(), ..forces })
}
