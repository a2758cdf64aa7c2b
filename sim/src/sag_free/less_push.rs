//! One-sided weights: of the forces in balance those that push the least. A tension counts as before where it pulls, and `weight` times
//! as much where it pushes; of a membrane so its principal tensions,
//!
//! ```text
//! min  1/2 (s - s0)^T W (s - s0) + (weight - 1) 1/2 s^T P(s) s    with  B s + f = 0  and contact forces in their cones
//! ```
//!
//! ([`crate::element::Element::push_weight`]), which is convex and has a gradient: feasible wherever the plain stage is, unlike tensions that
//! may not push at all. Each round solves the plain stage with the weights of the round before, and goes so far along the way there as it
//! goes down (Newton's method; for springs of a piecewise quadratic function, Li and Swetits 1997).

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
    let wanted = stage.wish(families);
    let mut best = found;
    let mut objective = cost(stage, families, &wanted, weight, &best.equilibrium.forces);
    for _ in 0..ROUNDS {
        if !pushes(stage, families, &best.equilibrium.forces) || !stage.is_balanced(&best.equilibrium) {
            break;
        }
        let positions = &stage.system.positions;
        let own = families.iter_mut().zip(&best.equilibrium.forces.coordinates);
        own.for_each(|(family, s)| family.weigh_pushes(positions, s, weight - 1.0));
        let next = stage.solve(families, watch);
        families.iter_mut().for_each(|family| family.set_weights(Vec::new()));
        let next = next?;
        if !stage.is_balanced(&next.equilibrium) || next.equilibrium.sites != best.equilibrium.sites {
            break;
        }
        let seconds = [0, 1].map(|k| best.seconds[k] + next.seconds[k]);
        let (old, new) = (&best.equilibrium.forces, &next.equilibrium.forces);
        let along = |share: f64| {
            let forces = between(stage, families, (old, new), share);
            (cost(stage, families, &wanted, weight, &forces), forces)
        };
        let Some((lower, forces)) = (0..=HALVINGS).map(|halvings| along(0.5f64.powi(halvings as i32))).find(|(cost, ..)| *cost < objective)
        else {
            best.seconds = seconds;
            break;
        };
        let is_last = objective - lower <= LEAST_DECREASE * objective;
        objective = lower;
        best.equilibrium.forces = forces;
        best.seconds = seconds;
        if is_last {
            break;
        }
    }
    Ok(best)
}

/// Whether anything pushes that can be asked to push less.
fn pushes(stage: &GlobalStage, families: &[Box<dyn Family>], forces: &Forces) -> bool {
    let positions = &stage.system.positions;
    let of_family = |family: &dyn Family, s: &[f64]| family.pushing_squares(positions, s).iter().any(|square| *square > 0.0);
    families.iter().zip(&forces.coordinates).any(|(family, s)| of_family(family.as_ref(), s))
}

/// What is to be least, for elements with the weights of their own.
fn cost(stage: &GlobalStage, families: &[Box<dyn Family>], wanted: &Tension, weight: f64, forces: &Forces) -> f64 {
    let positions = &stage.system.positions;
    let mut cost = 0.0;
    for ((family, s), s0) in families.iter().zip(&forces.coordinates).zip(wanted.coordinates()) {
        let beyond: Vec<f64> = s.iter().zip(s0).map(|(s, s0)| s - s0).collect();
        cost += family.weighed_squares(positions, &beyond).iter().sum::<f64>();
        cost += (weight - 1.0) * family.pushing_squares(positions, s).iter().sum::<f64>();
    }
    cost
}

/// Forces between two in balance: they are in balance too, and in the cones of the contacts.
pub(super) fn between(stage: &GlobalStage, families: &[Box<dyn Family>], (old, new): (&Forces, &Forces), share: f64) -> Forces {
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
