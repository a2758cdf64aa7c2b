//! Forces within the reach of rest states. A hinge that is to carry more than a rest angle within a radian makes, or a spring more than a
//! positive rest length does, is limited to what it can, and others carry the rest, where they can:
//!
//! ```text
//! min  1/2 (s - s0)^T W (s - s0)   with  B s + f = 0,  |s_i| <= l_i,  and contact forces in their cones.
//! ```
//!
//! The dual of this is convex and piecewise quadratic. It is solved by semismooth Newton with a slope left beyond the limits (Qi and Sun
//! 1993; Hintermueller, Ito and Kunisch 2002): what is beyond its limit counts c times more from there on, c growing. Each round is the plain
//! stage with weights (1 + c) W and the wish (s0 + c l) / (1 + c) for what is beyond. Limits are those of the local stage, and learnt
//! from it: what it cannot fit tells its share.

use serde::Serialize;

use super::global::GlobalError;
use super::less_push::between;
use super::local;
use super::problem::Forces;
use super::stage::{GlobalStage, Solved};
use super::tension::Tension;
use crate::element::Family;
use crate::watch::Watch;

/// How many times more what is beyond its limit counts, in turn.
const WEIGHTS: [f64; 4] = [1e2, 1e4, 1e6, 1e8];
/// Rounds for each weight at most.
const ROUNDS: usize = 12;
/// Halvings of a step at most.
const HALVINGS: usize = 8;
/// Share of what an element can make that it is asked for: what is left beyond the limit is less than the rest.
const ASKED: f64 = 0.999;
/// A round that goes down by less than this share is the last of its weight.
const LEAST_DECREASE: f64 = 1e-9;

/// What it took.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Limited {
    /// Elements at their limits.
    pub elements: usize,
    /// (s - s0)^T W (s - s0) over that of the forces without limits.
    pub cost: f64,
}

/// The forces nearest to the wish of the stage that all elements can make, beginning at those that it `found` without limits; `None`
/// where there are none, or only by elements with several force coordinates. On return the families are as before.
///
/// # Errors
/// As of [`GlobalStage::solve`].
pub fn within_reach(
    stage: &GlobalStage,
    families: &mut [Box<dyn Family>],
    found: &Solved,
    watch: &dyn Watch,
) -> Result<Option<(Solved, Limited)>, GlobalError> {
    let wanted = stage.wish(families);
    let mut limits = Limits::none(families);
    let before = &found.equilibrium.forces;
    if !limits.learn(stage, families, before) || limits.is_none() {
        return Ok(None);
    }
    let mut best = found.clone();
    for weight in WEIGHTS {
        let mut objective = limits.cost(stage, families, &wanted, weight, &best.equilibrium.forces);
        for _ in 0..ROUNDS {
            let next = limits.solve(stage, families, &wanted, weight, &best.equilibrium.forces, watch)?;
            if !stage.is_balanced(&next.equilibrium) || next.equilibrium.sites != best.equilibrium.sites {
                return Ok(None);
            }
            let (old, new) = (&best.equilibrium.forces, &next.equilibrium.forces);
            let along = |share: f64| {
                let forces = between(stage, families, (old, new), share);
                (limits.cost(stage, families, &wanted, weight, &forces), forces)
            };
            let lower = (0..=HALVINGS).map(|halvings| along(0.5f64.powi(halvings as i32))).find(|(cost, ..)| *cost < objective);
            let seconds = [0, 1].map(|k| best.seconds[k] + next.seconds[k]);
            let Some((lower, forces)) = lower else { break };
            let is_last = objective - lower <= LEAST_DECREASE * objective;
            best.equilibrium.forces = forces;
            best.seconds = seconds;
            // What others carry may be beyond their own limits.
            if !limits.learn(stage, families, &best.equilibrium.forces) {
                return Ok(None);
            }
            objective = limits.cost(stage, families, &wanted, weight, &best.equilibrium.forces);
            if is_last {
                break;
            }
        }
        if limits.hold(stage, families, &best.equilibrium.forces) {
            let plain = |forces: &Forces| limits.cost(stage, families, &wanted, 0.0, forces);
            let after = &best.equilibrium.forces;
            let limited = Limited { elements: limits.reached(after), cost: plain(after) / plain(before) };
            return Ok(Some((best, limited)));
        }
    }
    Ok(None)
}

/// The largest force coordinate, with its sign, that each element can make on the side where it was asked for more; none where it was not.
struct Limits(Vec<Vec<Option<f64>>>);

impl Limits {
    fn none(families: &[Box<dyn Family>]) -> Self {
        Self(families.iter().map(|family| vec![None; family.len()]).collect())
    }

    fn is_none(&self) -> bool {
        self.0.iter().flatten().all(Option::is_none)
    }

    /// Takes in the limits of what cannot make these forces; false where something cannot that has no limit of its own.
    fn learn(&mut self, stage: &GlobalStage, families: &[Box<dyn Family>], forces: &Forces) -> bool {
        for u in fitted(stage, families, forces) {
            let Some(share) = u.why.attainable_share().filter(|_| families[u.family].coordinates_per_element() == 1) else { return false };
            let asked = forces.coordinates[u.family][u.element];
            self.0[u.family][u.element] = Some(ASKED * share * asked);
        }
        true
    }

    /// Whether all elements can make these forces.
    fn hold(&self, stage: &GlobalStage, families: &[Box<dyn Family>], forces: &Forces) -> bool {
        fitted(stage, families, forces).is_empty()
    }

    /// How many elements are at their limits.
    fn reached(&self, forces: &Forces) -> usize {
        let is_reached = |(s, limit): (&f64, &Option<f64>)| limit.is_some_and(|limit| s * limit > 0.0 && s.abs() >= limit.abs());
        let of_family = |(s, limits): (&Vec<f64>, &Vec<Option<f64>>)| s.iter().zip(limits).filter(|&pair| is_reached(pair)).count();
        forces.coordinates.iter().zip(&self.0).map(of_family).sum()
    }

    /// The plain stage with what is beyond its limits weighed more from there on.
    fn solve(
        &self,
        stage: &GlobalStage,
        families: &mut [Box<dyn Family>],
        wanted: &Tension,
        weight: f64,
        forces: &Forces,
        watch: &dyn Watch,
    ) -> Result<Solved, GlobalError> {
        let mut near = wanted.coordinates().to_vec();
        for (f, family) in families.iter_mut().enumerate() {
            if self.0[f].iter().all(Option::is_none) {
                continue;
            }
            let mut factors = vec![1.0; family.len()];
            for (e, limit) in self.0[f].iter().enumerate() {
                if let Some(limit) = limit.filter(|limit| is_beyond(forces.coordinates[f][e], *limit)) {
                    factors[e] = 1.0 + weight;
                    near[f][e] = (near[f][e] + weight * limit) / (1.0 + weight);
                }
            }
            family.set_weights(factors);
        }
        let solved = stage.solve_near(families, &Tension::of(near), watch);
        families.iter_mut().for_each(|family| family.set_weights(Vec::new()));
        solved
    }

    /// What is to be least, for elements with the weights of their own.
    fn cost(&self, stage: &GlobalStage, families: &[Box<dyn Family>], wanted: &Tension, weight: f64, forces: &Forces) -> f64 {
        let positions = &stage.system.positions;
        let mut cost = 0.0;
        for (f, family) in families.iter().enumerate() {
            let s = &forces.coordinates[f];
            let away: Vec<f64> = s.iter().zip(&wanted.coordinates()[f]).map(|(s, s0)| s - s0).collect();
            cost += family.weighed_squares(positions, &away).iter().sum::<f64>();
            if weight > 0.0 && self.0[f].iter().any(Option::is_some) {
                let excess = |(s, limit): (&f64, &Option<f64>)| limit.filter(|limit| is_beyond(*s, *limit)).map_or(0.0, |limit| s - limit);
                let beyond: Vec<f64> = s.iter().zip(&self.0[f]).map(excess).collect();
                cost += weight * family.weighed_squares(positions, &beyond).iter().sum::<f64>();
            }
        }
        cost
    }
}

/// Whether a coordinate goes beyond a limit on that limit's side of zero.
fn is_beyond(s: f64, limit: f64) -> bool {
    if limit >= 0.0 { s > limit } else { s < limit }
}

/// What cannot make these forces, as stiff as it is.
fn fitted(stage: &GlobalStage, families: &[Box<dyn Family>], forces: &Forces) -> Vec<local::Unattained> {
    let mut copies: Vec<Box<dyn Family>> = families.iter().map(|family| family.boxed_clone()).collect();
    local::fit(&mut copies, &stage.system.positions, forces, 1.0)
}
