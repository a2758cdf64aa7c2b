//! The true inverse: Newton's method, with continuation in the load where it does not get there at once.

use super::newton::{Found, Newton};
use super::problem::InverseProblem;
use super::supports::Supports;
use super::{RestShapeError, imbalance};
use crate::element::Family;
use crate::math::Vec3;
use crate::sag_free::Balance;
use crate::sag_free::contacts::find_sites;
use crate::sag_free::initialise::rest_state_under;
use crate::scene::Method;
use crate::system::System;
use crate::watch::{Cancelled, Watch};

/// Smallest part of the load by which the continuation goes on.
const SMALLEST_STEP: f64 = 1.0 / 256.0;
/// How often contact forces are solved again for the masses of the rest shape.
const ROUNDS: usize = 20;
/// Each of these rounds leaves less than this share of the residual; else the next will not help.
const WORTH_WHILE: f64 = 0.5;

/// A rest shape and what it counts on.
pub struct Inverse {
    pub rest: Vec<Vec3>,
    /// Contact forces that hold it.
    pub held: Held,
    pub load_share: f64,
    pub iterations: usize,
    pub residuals: Vec<f64>,
}

/// The contact forces of the sag-free balance.
#[derive(Default)]
pub struct Held {
    pub balance: Balance,
    /// On each node [N]; empty for none.
    pub loads: Vec<Vec3>,
    /// What has no balance, in words.
    pub infeasible: Vec<String>,
}

/// Looks for the mesh whose naive simulation has the given shape as its equilibrium; where there is none, gives the one that
/// comes nearest.
///
/// # Errors
/// [`RestShapeError`].
pub fn find(system: &System, watch: &dyn Watch) -> Result<Inverse, RestShapeError> {
    let sites = find_sites(system);
    let mut touching = vec![false; system.positions.len()];
    sites.iter().flat_map(|site| site.shares()).for_each(|(node, _)| touching[node as usize] = true);
    let supports = Supports::of(system, &touching);
    let is_floating = supports.floating.contains(&true);
    let solves_contact = is_floating || !sites.is_empty();
    let mut problem = InverseProblem::new(system, supports).ok_or(RestShapeError::OnlyTetrahedra)?;
    let mut newton = Newton::new(system.pattern()).map_err(|_| RestShapeError::Memory)?;
    let solve_contact =
        |masses: &[f64]| if solves_contact { Held::of(system, masses, watch).map(|found| found.0) } else { Ok(Held::default()) };

    let mut held = solve_contact(&system.masses)?;
    problem.set_loads(dead_loads(system, &held), system.masses.clone());
    let (mut found, load_share) = follow(&mut problem, &mut newton, system, watch)?;
    // Without supports the weight of the rest shape must be what contact carries: both are brought together in turns.
    let mut before = f64::INFINITY;
    for _ in 0..if is_floating && load_share == 1.0 { ROUNDS } else { 0 } {
        let masses = system.masses_at(&found.rest);
        held = solve_contact(&masses)?;
        let residual = problem.size(&imbalance(system, &found.rest, &held.loads));
        if residual > WORTH_WHILE * before || !held.infeasible.is_empty() {
            break;
        }
        before = residual;
        problem.set_loads(dead_loads(system, &held), masses);
        let residuals = found.residuals;
        found = newton.solve(&mut problem, 1.0, &found.rest, system.initialise.tolerance, watch)?;
        found.residuals = [residuals, found.residuals].concat();
    }
    Ok(Inverse { rest: found.rest, held, load_share, iterations: newton.iterations, residuals: found.residuals })
}

impl Held {
    /// Solves for them with these masses [kg]; the elements in their sag-free rest states come along.
    pub fn of(system: &System, masses: &[f64], watch: &dyn Watch) -> Result<(Self, Vec<Box<dyn Family>>), RestShapeError> {
        let weighed = system.loads().into_iter().zip(&system.masses).zip(masses);
        let loads: Vec<Vec3> = weighed.map(|((load, before), mass)| load + (mass - before) * system.gravity).collect();
        let state = rest_state_under(&loads, system, Method::SagFree, watch)?;
        let is_of_supports = |code| !matches!(code, crate::stats::report::InfeasibilityCode::TooSoft);
        let infeasible = state.infeasible.into_iter().filter(|reason| is_of_supports(reason.code)).map(|reason| reason.message).collect();
        Ok((Self { balance: state.balance, loads: state.contact_loads, infeasible }, state.families))
    }
}

/// All loads but weight [N].
fn dead_loads(system: &System, held: &Held) -> Vec<Vec3> {
    let mut loads = system.loads();
    loads.iter_mut().zip(&system.masses).for_each(|(load, mass)| *load -= *mass * system.gravity);
    loads.iter_mut().zip(&held.loads).for_each(|(load, contact)| *load += contact);
    loads
}

/// Follows the rest shape from none of the load to all of it, in steps as long as Newton's method can make; where it ends before,
/// gives the best for the whole load that was seen.
fn follow(
    problem: &mut InverseProblem,
    newton: &mut Newton,
    system: &System,
    watch: &dyn Watch,
) -> Result<(Found, f64), Cancelled> {
    let tolerance = system.initialise.tolerance;
    let (mut rest, mut share, mut step) = (system.positions.clone(), 0.0, 1.0);
    let mut best: Option<Found> = None;
    while step >= SMALLEST_STEP {
        watch.progress("rest shape", share);
        let target = f64::min(share + step, 1.0);
        let found = newton.solve(problem, target, &rest, tolerance, watch)?;
        if target == 1.0 {
            if found.converged {
                return Ok((found, 1.0));
            }
            best = best.filter(|best| best.residual <= found.residual).or(Some(found));
            step *= 0.5;
        } else if found.converged {
            (rest, share, step) = (found.rest, target, 2.0 * step);
        } else {
            step *= 0.5;
        }
    }
    let last = newton.solve(problem, 1.0, &rest, tolerance, watch)?;
    let best = best.filter(|best| best.residual <= last.residual).unwrap_or(last);
    Ok((best, share))
}
