//! The true inverse: Newton's method, with continuation in the load where it does not get there at once.

use std::sync::Arc;

use super::held::Held;
use super::newton::{Found, Newton};
use super::problem::InverseProblem;
use super::supports::Supports;
use super::{RestShapeError, imbalance};
use crate::math::Vec3;
use crate::sag_free::ContactSite;
use crate::sag_free::contacts::find_sites;
use crate::system::System;
use crate::watch::{Cancelled, Watch};

/// Smallest part of the load by which the continuation goes on.
const SMALLEST_STEP: f64 = 1.0 / 256.0;
/// How often contact forces are brought to the weight of the rest shape, at most.
const ROUNDS: usize = 30;
/// So many of these rounds solve for the contact forces anew; later ones only correct them.
const ANEW: usize = 1;
/// Below the tolerance a round must leave less than this share of the residual; else there is no further one.
const WORTH_WHILE: f64 = 0.25;

/// A rest shape and what it counts on.
pub struct Inverse {
    /// Rest positions [m].
    pub rest: Vec<Vec3>,
    /// Contact forces that hold it.
    pub held: Held,
    /// Share of the load that was reached.
    pub load_share: f64,
    /// Newton iterations.
    pub iterations: usize,
    /// Residuals of the last solve.
    pub residuals: Vec<f64>,
}

/// Looks for the mesh whose naive simulation has the given shape as its equilibrium; where there is none, gives the one that
/// comes nearest.
///
/// # Errors
/// [`RestShapeError`].
pub fn find(system: &System, watch: &dyn Watch) -> Result<Inverse, RestShapeError> {
    let sites = find_sites(system);
    let mut touching = vec![false; system.positions.len()];
    sites.iter().flat_map(ContactSite::nodes).for_each(|node| touching[node as usize] = true);
    let supports = Supports::of(system, &touching);
    let is_held = supports.floating.is_empty();
    let mut problem = InverseProblem::new(system, supports).ok_or(RestShapeError::OnlyTetrahedra)?;
    let pattern = system.pattern();
    let ensure = |bytes| pattern.ensure_room("the factorisation for a rest mesh", bytes, system.memory_limit);
    ensure(if pattern.is_factorisable() { 0 } else { 2 * pattern.factor_bytes() })?;
    let mut newton = Newton::new(Arc::clone(&pattern));
    ensure(newton.bytes() + system.block_bytes())?;

    let mut held = if is_held && sites.is_empty() { Held::default() } else { Held::of(system, &system.masses, watch)?.0 };
    problem.set_loads(dead_loads(system, &held), system.masses.clone());
    let (mut found, load_share) = follow(&mut problem, &mut newton, system, watch)?;
    // Without supports the weight of the rest shape must be what contact carries: both are brought together in turns.
    let (mut masses, mut before) = (system.masses.clone(), f64::INFINITY);
    for round in 0..if !is_held && load_share == 1.0 { ROUNDS } else { 0 } {
        let residual = problem.size(&imbalance(system, &system.positions, &found.rest, &held));
        if !held.infeasible.is_empty() || (residual <= system.initialise.tolerance && residual > WORTH_WHILE * before) {
            break;
        }
        before = residual;
        let next = system.masses_at(&found.rest);
        if round < ANEW {
            held = Held::of(system, &next, watch)?.0;
        } else {
            let more: Vec<Vec3> = next.iter().zip(&masses).map(|(next, mass)| (next - mass) * system.gravity).collect();
            held.carry(&problem.supports, &system.positions, &more);
        }
        problem.set_loads(dead_loads(system, &held), next.clone());
        masses = next;
        found = newton.solve(&mut problem, 1.0, &found.rest, system.initialise.tolerance, watch)?;
    }
    Ok(Inverse { rest: found.rest, held, load_share, iterations: newton.iterations, residuals: found.residuals })
}

/// All loads but weight [N].
fn dead_loads(system: &System, held: &Held) -> Vec<Vec3> {
    let mut loads = system.loads();
    loads.iter_mut().zip(&system.masses).for_each(|(load, mass)| *load -= *mass * system.gravity);
    held.add_to(&mut loads);
    loads
}

/// Follows the rest shape from none of the load to all of it, in steps as long as Newton's method can make; where it ends before,
/// gives the best for the whole load that can be had from there.
fn follow(problem: &mut InverseProblem, newton: &mut Newton, system: &System, watch: &dyn Watch) -> Result<(Found, f64), Cancelled> {
    let tolerance = system.initialise.tolerance;
    let (mut rest, mut share, mut step) = (system.positions.clone(), 0.0, 1.0);
    while step >= SMALLEST_STEP {
        watch.progress("rest shape", share);
        let target = f64::min(share + step, 1.0);
        let found = newton.solve(problem, target, &rest, tolerance, watch)?;
        if !found.converged {
            step *= 0.5;
        } else if target == 1.0 {
            return Ok((found, 1.0));
        } else {
            (rest, share, step) = (found.rest, target, 2.0 * step);
        }
    }
    let from_there = newton.descend(problem, &rest, watch)?;
    let from_given = newton.descend(problem, &system.positions, watch)?;
    Ok((if from_there.residual <= from_given.residual { from_there } else { from_given }, share))
}
