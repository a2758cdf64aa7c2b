//! The global stage with contact and exact friction cones, as the dual
//!
//! ```text
//! min 1/2 u^T K u - f^T u   with   u_n >= mu |u_t|  at each contact,
//! ```
//!
//! whose multipliers are the contact forces: they lie in the friction cone by construction. Displacements are times the matrix'
//! scale, forces over the largest load.

use super::cone::Scaling;
use super::global::GlobalError;
use super::interior_point::{ConeRow, Goal, Iterate, Progress, Solver, answer};
use super::newton::Newton;
use super::problem::{BalanceProblem, Forces};
use super::row::{Row, Source};
use crate::math::Vec3;
use crate::watch::Watch;

/// Corrections after the last iteration.
const POLISHES: usize = 3;
/// Of the residual to reach, what is as good as none.
const FLOOR: f64 = 1e-4;
/// A residual that is no matter of polish.
const ROUGH: f64 = 1e-2;
/// A dual displacement this large (in units of load over stiffness) means that nothing holds the body.
const RUNAWAY: f64 = 1e10;
/// The regularisation for the least motion of what nothing holds: softer than bodies are, and large against round-off.
const SOFT: f64 = 1e-9;

/// Displacements of contacts and work there that are small beside those on springs as stiff as the bodies.
const LEAST: f64 = 1e-3;

type ContactSolver<'a> = Solver<'a, dyn Newton + 'a, Row>;

impl<'a> ContactSolver<'a> {
    /// The solver; with it, what the reduction of the loads left on the nodes.
    fn of(problem: &BalanceProblem, newton: &'a mut (dyn Newton + 'a), scale: f64) -> (Self, Vec<Vec3>) {
        let unit_force = problem.largest_load();
        let mut nodes: Vec<Vec3> = problem.loads.iter().map(|f| f / unit_force).collect();
        // What a cable is to be nearest to is in the loads; the row has the whole of its tension.
        for cable in problem.cables {
            cable.element.forces.iter().for_each(|(node, force)| nodes[*node as usize] -= cable.wanted / unit_force * force);
        }
        problem.take_supported(&mut nodes);
        let load = newton.reduce(&mut nodes);
        let rows = Row::all(problem, |node| newton.place(node), (unit_force, scale));
        (Self { quadratic: newton, rows, load }, nodes)
    }

    fn contact_forces(&self, problem: &BalanceProblem, z: &[Vec3]) -> Vec<Vec3> {
        let unit_force = problem.largest_load();
        let mut forces = vec![Vec3::zeros(); problem.sites.len()];
        for (row, z) in self.rows.iter().zip(z) {
            if let Source::Site(site) = row.source {
                forces[site] = unit_force * row.force(z);
            }
        }
        forces
    }

    /// Puts the tensions of cables into `forces`.
    fn pull(&self, problem: &BalanceProblem, z: &[Vec3], forces: &mut Forces) {
        let unit_force = problem.largest_load();
        let tension = |(row, z): (&Row, &Vec3)| match row.source {
            Source::Site(_) => None,
            Source::Cable(cable) => Some((cable, unit_force * z[0])),
        };
        problem.set_cables(forces, self.rows.iter().zip(z).filter_map(tension));
    }

    /// The forces of `at`; `nodes` as the reduction of the loads left them, `scale` that of the matrix [m/N].
    fn forces(&mut self, problem: &BalanceProblem, at: &Iterate, nodes: &mut [Vec3], scale: f64) -> Forces {
        let to_dual = -problem.largest_load() * scale;
        self.quadratic.extend(&at.u, nodes);
        nodes.iter_mut().for_each(|u| *u *= to_dual);
        let mut forces = problem.without_stress(self.contact_forces(problem, &at.z));
        self.pull(problem, &at.z, &mut forces);
        problem.add_dual(&mut forces, nodes);
        forces
    }

    /// What round-off left unbalanced in the forces of `at` goes into elements and contacts by its scaling, and where that takes forces out
    /// of their cones, into contacts with something in hand.
    fn polished(&mut self, problem: &BalanceProblem, at: &Iterate, found: Forces, (scale, tolerance): (f64, f64)) -> Forces {
        let mut z = at.z.clone();
        let mut best = found;
        if let Some(scalings) = self.scalings(at) {
            best = self.corrected(problem, &scalings, &mut z, best, scale);
        }
        if best.residual > FLOOR * tolerance {
            let springs = self.springs(&z);
            best = self.corrected(problem, &springs, &mut z, best, scale);
        }
        best
    }

    fn corrected(&mut self, problem: &BalanceProblem, scalings: &[Scaling], z: &mut Vec<Vec3>, mut best: Forces, scale: f64) -> Forces {
        let unit_force = problem.largest_load();
        let to_dual = -unit_force * scale;
        if self.quadratic.factorize(&self.rows, scalings).is_err() {
            return best;
        }
        for _ in 0..POLISHES {
            let mut nodes: Vec<Vec3> = best.net.iter().map(|net| net / unit_force).collect();
            let mut space = self.quadratic.reduce(&mut nodes);
            self.quadratic.solve(&mut space);
            let corrected = |((z, row), w): ((&Vec3, &Row), &Scaling)| match row.give() {
                None => z - w.inverse * (w.inverse * row.displacement(&space)),
                Some(_) => z + answer(row, w, &Vec3::zeros(), &row.displacement(&space)),
            };
            let next: Vec<Vec3> = z.iter().zip(&self.rows).zip(scalings).map(corrected).collect();
            self.quadratic.extend(&space, &mut nodes);
            let mut forces = Forces { contacts: self.contact_forces(problem, &next), ..best.clone() };
            self.pull(problem, &next, &mut forces);
            problem.add_dual(&mut forces, &nodes.iter().map(|u| to_dual * u).collect::<Vec<_>>());
            let inside = self.rows.iter().zip(&next).all(|(row, z)| row.cone().margin(z) >= 0.0);
            if !inside || forces.residual >= best.residual {
                break;
            }
            (best, *z) = (forces, next);
        }
        best
    }
}

/// Solves for element and contact forces; `scale` is that of the matrix [m/N]. What comes out for a problem without balance
/// is out of balance, but finite and in the cones.
///
/// # Errors
/// As for [`super::global::GlobalSolver::solve`].
pub(super) fn solve(
    problem: &BalanceProblem,
    newton: &mut (dyn Newton + '_),
    scale: f64,
    tolerance: f64,
    watch: &dyn Watch,
) -> Result<Forces, GlobalError> {
    let (mut solver, mut nodes) = Solver::of(problem, newton, scale);
    let (at, progress) = solver.run(Goal { tolerance, runaway: RUNAWAY, least: LEAST, least_work: LEAST }, watch)?;
    let mut forces = solver.forces(problem, &at, &mut nodes, scale);
    if forces.residual < ROUGH {
        forces = solver.polished(problem, &at, forces, (scale, tolerance));
    }
    Ok(told(forces, progress, newton))
}

/// The forces that come nearest to balance: they leave the least net force in the sum of squares, as if every node were held
/// by a spring much softer than the bodies are.
///
/// # Errors
/// As for [`super::global::GlobalSolver::solve`].
pub(super) fn least_motion(
    problem: &BalanceProblem,
    newton: &mut (dyn Newton + '_),
    scale: f64,
    tolerance: f64,
    watch: &dyn Watch,
) -> Result<Forces, GlobalError> {
    newton.regularize(SOFT)?;
    let (mut solver, mut nodes) = Solver::of(problem, newton, scale);
    let (at, progress) = solver.run(Goal { tolerance, runaway: f64::INFINITY, least: LEAST, least_work: LEAST }, watch)?;
    let forces = solver.forces(problem, &at, &mut nodes, scale);
    newton.regularize(0.0)?;
    Ok(told(forces, progress, newton))
}

fn told(forces: Forces, progress: Progress, newton: &mut dyn Newton) -> Forces {
    let Progress { iterations, gap, reached } = progress;
    Forces { iterations, factorisations: newton.take_factorisations(), gap: Some(gap), gap_reached: reached, ..forces }
}
