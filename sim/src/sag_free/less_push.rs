//! One-sided weights: of the forces in balance those that push the least. A tension T counts as before where it pulls, and `weight` times
//! as much where it pushes,
//!
//! ```text
//! min  1/2 (s - s0)^T W (s - s0) + (weight - 1) sum over T < 0 of 1/2 w T^2    with  B s + f = 0  and contact forces in their cones
//! ```
//!
//! which is convex and has a gradient: feasible wherever the plain stage is, unlike tensions that may not push at all. Each round solves the
//! plain stage with the weights that belong to the signs of the round before, and goes so far along the way there as it goes down
//! (Newton's method for piecewise quadratic functions; Li and Swetits 1997).

use super::global::GlobalError;
use super::problem::Forces;
use super::stage::{GlobalStage, Solved};
use super::tension::Tension;
use crate::element::Family;
use crate::watch::Watch;

/// Rounds at most; a few do, a hammock on its corners takes the most.
const ROUNDS: usize = 60;
/// Halvings of a step at most.
const HALVINGS: usize = 12;
/// A round that goes down by less than this share is the last.
const LEAST_DECREASE: f64 = 1e-9;

/// The forces of `families` where what pushes counts `weight` times, beginning at those `found` by the plain stage. On return the families
/// are as before.
///
/// # Errors
/// As of [`GlobalStage::solve`].
pub fn push_less(
    stage: &GlobalStage,
    families: &mut [Box<dyn Family>],
    weight: f64,
    found: Solved,
    watch: &dyn Watch,
) -> Result<Solved, GlobalError> {
    let wanted = Tension::new(families, &stage.system.positions, stage.strain);
    let mut best = found;
    let mut objective = cost(stage, families, &wanted, weight, &best.equilibrium.forces);
    let mut signs = pushing(families, &best.equilibrium.forces);
    for _ in 0..ROUNDS {
        if signs.iter().flatten().all(|push| !push) || !stage.is_balanced(&best.equilibrium) {
            break;
        }
        set_weights(families, &signs, weight);
        let next = stage.solve(families, watch);
        set_weights(families, &signs, 1.0);
        let next = next?;
        if !stage.is_balanced(&next.equilibrium) || next.equilibrium.sites != best.equilibrium.sites {
            break;
        }
        let seconds = [0, 1].map(|k| best.seconds[k] + next.seconds[k]);
        let (old, new) = (&best.equilibrium.forces, &next.equilibrium.forces);
        let along = |share: f64| {
            let forces = between(stage, families, (old, new), share);
            (cost(stage, families, &wanted, weight, &forces), forces, share)
        };
        let Some((lower, forces, share)) =
            (0..=HALVINGS).map(|halvings| along(0.5f64.powi(halvings as i32))).find(|(cost, ..)| *cost < objective)
        else {
            best.seconds = seconds;
            break;
        };
        let is_last = objective - lower <= LEAST_DECREASE * objective;
        let now = pushing(families, &forces);
        let is_settled = share == 1.0 && now == signs;
        (objective, signs) = (lower, now);
        best.equilibrium.forces = forces;
        best.seconds = seconds;
        if is_last || is_settled {
            break;
        }
    }
    Ok(best)
}

/// Of families whose one coordinate is a tension, what of it pushes; nothing of the others.
fn pushing(families: &[Box<dyn Family>], forces: &Forces) -> Vec<Vec<bool>> {
    let mut pushing: Vec<Vec<bool>> = forces.coordinates.iter().map(|s| s.iter().map(|s| *s < 0.0).collect()).collect();
    pushing.iter_mut().zip(families).filter(|(_, family)| !family.is_tension()).for_each(|(pushing, _)| pushing.clear());
    pushing
}

fn set_weights(families: &mut [Box<dyn Family>], pushing: &[Vec<bool>], weight: f64) {
    for (family, pushing) in families.iter_mut().zip(pushing) {
        let factors = if weight == 1.0 { Vec::new() } else { pushing.iter().map(|push| if *push { weight } else { 1.0 }).collect() };
        family.set_weights(factors);
    }
}

/// What is to be least, for elements with the weights of their own.
fn cost(stage: &GlobalStage, families: &[Box<dyn Family>], wanted: &Tension, weight: f64, forces: &Forces) -> f64 {
    let positions = &stage.system.positions;
    let mut cost = 0.0;
    for ((family, s), s0) in families.iter().zip(&forces.coordinates).zip(wanted.coordinates()) {
        let beyond: Vec<f64> = s.iter().zip(s0).map(|(s, s0)| s - s0).collect();
        cost += family.weighed_squares(positions, &beyond).iter().sum::<f64>();
        if family.is_tension() {
            let squares = family.weighed_squares(positions, s);
            cost += (weight - 1.0) * s.iter().zip(&squares).filter(|(s, _)| **s < 0.0).map(|(_, square)| square).sum::<f64>();
        }
    }
    cost
}

/// Forces between two in balance: they are in balance too, and in the cones of the contacts.
fn between(stage: &GlobalStage, families: &[Box<dyn Family>], (old, new): (&Forces, &Forces), share: f64) -> Forces {
    let mut forces =
        Forces { iterations: old.iterations + new.iterations, factorisations: old.factorisations + new.factorisations, ..new.clone() };
    if share < 1.0 {
        for (s, old) in forces.coordinates.iter_mut().flatten().zip(old.coordinates.iter().flatten()) {
            *s = old + share * (*s - old);
        }
        for (force, old) in forces.contacts.iter_mut().zip(&old.contacts) {
            *force = old + share * (*force - old);
        }
        stage.problem(families, &[]).measure(&mut forces);
    }
    forces
}
