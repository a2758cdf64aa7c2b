//! How far a body will have drifted after a while, told without simulating it: the stepper's own recurrence in a small space.
//!
//! What is out of balance, however little, moves a body as its Hessian, masses and damping let it, and as the stepper goes: small
//! motions are those of the linear system that each of its steps solves. That system is projected onto a Krylov space of what is out of balance
//! (`reduced`), in which all steps to the horizon cost next to nothing. It holds what rests, sways, falls freely and grows alike. Motions that
//! grow beyond what is linear, or beyond the reach of a contact, are followed on by some coarse steps of the real stepper (`steps`).

mod reduced;
mod steps;

use std::time::Instant;

use serde::Serialize;

use self::reduced::{Reduced, Rule};
use super::follower;
use super::pencil::Pencil;
use crate::contact::Balance;
use crate::math::Vec3;
use crate::sag_free::contacts;
use crate::sag_free::verdict::Stability;
use crate::step::instant::{self, Curvature};
use crate::step::{Implicit, Scheme, State, Stepper};
use crate::system::System;
use crate::watch::{Cancelled, Watch};

/// The time that is looked ahead unless another is asked for [s].
pub const HORIZON: f64 = 1.0;
/// Motions of this share of the diagonal are no longer small.
const SMALL: f64 = 0.02;
/// With more elements than this, large motions are not followed.
const MOST_ELEMENTS: usize = 40_000;
/// Where round-off is all that is out of balance, the drift over its answer at rest from which on it is nothing to go by.
const AMPLIFIED: f64 = 100.0;
/// What is out of balance up to this many times its round-off is that.
const ROUND_OFFS: f64 = 4.0;
/// Of the reach of its barrier, what a contact may move and still push as it did.
const IN_TOUCH: f64 = 0.3;

/// What becomes of a state.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Forecast {
    /// The time that was looked ahead [s].
    pub horizon_s: f64,
    /// Distance of the farthest free vertex from the given shape then [m]; `None` where it cannot be told.
    pub drift_m: Option<f64>,
    /// The same over the diagonal.
    pub drift_share: Option<f64>,
    /// How it was found.
    pub by: Means,
    /// Why it cannot be told, where it cannot.
    pub reason: Option<String>,
    /// Wall seconds that it took.
    pub seconds: f64,
}

/// How a drift was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Means {
    /// As that of small motions.
    Linear,
    /// By coarse steps, from where motions are no longer small.
    Steps,
    /// It was not.
    Nothing,
}

/// Looks `horizon` [s] ahead from the given shape at time zero, with the rest states and contact forces that `system` and `balance` have.
/// `stability` is the verdict on that state, if there is one. The system is left as it is.
///
/// # Errors
/// Cancelled.
pub fn forecast(
    system: &mut System,
    balance: &Balance,
    stability: Option<&Stability>,
    horizon: f64,
    watch: &dyn Watch,
) -> Result<Forecast, Cancelled> {
    let started = Instant::now();
    let found = drift(system, balance, stability, horizon, watch)?;
    let (drift, by, reason) = match found {
        Ok((drift, by)) => (Some(drift), by, None),
        Err(reason) => (None, Means::Nothing, Some(reason)),
    };
    Ok(Forecast {
        horizon_s: horizon,
        drift_m: drift,
        drift_share: drift.map(|drift| drift / system.diagonal),
        by,
        reason,
        seconds: started.elapsed().as_secs_f64(),
    })
}

/// The drift [m] and how it was found, or why it cannot be told.
type Found = Result<(f64, Means), String>;

fn drift(
    system: &mut System,
    balance: &Balance,
    stability: Option<&Stability>,
    horizon: f64,
    watch: &dyn Watch,
) -> Result<Found, Cancelled> {
    let rule = match rule(system, horizon) {
        Ok(rule) => rule,
        Err(reason) => return Ok(Err(reason)),
    };
    let state = State::at_rest(system);
    system.lag(&state.positions);
    let mut contacts = Implicit::new(Scheme::BackwardEuler);
    contacts.warm_start(system, balance);
    let mut curvature = Curvature::default();
    let force = instant::net_force(system, contacts.contacts(system), &state);
    let (pattern, hessian) = curvature.hessian(system, &system.families, contacts.contacts(system), &state, false);
    if let Err(too_large) = pattern.ensure_room("the factorisation for the forecast", pattern.factor_bytes(), system.memory_limit) {
        return Ok(Err(too_large.to_string()));
    }
    let pencil = Pencil::new(system, pattern, hessian);
    if pattern.unknowns() == 0 {
        return Ok(Ok((0.0, Means::Linear)));
    }
    if let Some((super::Verdict::Undecided, reason)) = follower::judge(&pencil, None, &[], super::Verdict::Unstable) {
        return Ok(Err(reason));
    }
    watch.check()?;
    let Some(reduced) = Reduced::new(&pencil, &force, &state.velocities, horizon, watch)? else {
        return Ok(Err("a number of the stiffness is not finite".to_owned()));
    };
    let residual = instant::residual(system, &system.families, contacts.contacts(system), 0.0);
    let is_at_rest = state.velocities.iter().all(|v| *v == Vec3::zeros());
    if is_at_rest
        && residual.after <= ROUND_OFFS * residual.round_off
        && reduced.amplifies(rule, system.simulate.step_size, horizon, AMPLIFIED)
    {
        return Ok(Err("it is unstable, and nothing but round-off is out of balance: the least push decides".to_owned()));
    }
    let limits = limits(system);
    drop(contacts);
    let way = reduced.follow(rule, system.simulate.step_size, horizon, |moved| is_within(moved, &limits));
    let far = match way {
        // As in the stepper, what nothing holds and nothing slows has no equilibrium.
        Err(reason) => return Ok(Err(reason)),
        Ok(Ok(moved)) => return Ok(Ok((farthest(system, &moved), Means::Linear))),
        Ok(Err(far)) => far,
    };
    if stability.is_some_and(|stability| stability.verdict == super::Verdict::Undecided) {
        let reason = stability.and_then(|stability| stability.reason.clone()).unwrap_or_default();
        return Ok(Err(format!("it moves farther than can be told without knowing whether it is stable: {reason}")));
    }
    let elements: usize = system.families.iter().map(|family| family.len()).sum();
    if elements > MOST_ELEMENTS {
        return Ok(Err(format!("the motion is large, and {elements} elements are too many to follow it")));
    }
    steps::follow(system, balance, far, horizon, watch)
}

/// How the system's stepper goes, or why nothing can be told of it.
fn rule(system: &System, horizon: f64) -> Result<Rule, String> {
    if let Some(what) = changes(system, horizon) {
        return Err(format!("{what} within {horizon} s: the body is to move"));
    }
    if !system.equalities.is_empty() {
        return Err("vertices are tied by equalities, which small motions are not looked at with".to_owned());
    }
    match system.simulate.stepper.as_str() {
        "backward_euler" | "baraff_witkin" => Ok(Rule::BackwardEuler),
        "bdf2" => Ok(Rule::Bdf2),
        "midpoint" => Ok(Rule::Midpoint),
        "quasi_static" if system.simulate.ramp == 0.0 => Ok(Rule::Static),
        "quasi_static" => Err("its loads grow with time".to_owned()),
        other => Err(format!("whether the explicit stepper `{other}` stays calm by itself depends on its step size")),
    }
}

/// What changes by itself until the horizon.
fn changes(system: &System, horizon: f64) -> Option<&'static str> {
    let times = |motion: &crate::system::Motion| -> Vec<f64> {
        motion.poses.iter().map(|pose| pose.time).filter(|&time| time > 0.0 && time < horizon).chain([horizon]).collect()
    };
    let is_moved = |driven: &crate::system::DrivenNode| {
        let of_node = |time: f64| system.target(driven, time) != system.positions[driven.node as usize];
        times(&system.motions[driven.motion as usize]).into_iter().any(of_node)
    };
    let is_removed = || system.obstacles.iter().any(|obstacle| obstacle.is_present(0.0) && !obstacle.is_present(horizon));
    if system.driven.iter().any(is_moved) {
        Some("something is moved")
    } else if is_removed() {
        Some("an obstacle is taken away")
    } else if system.due(horizon) > system.entered {
        Some("a body comes in")
    } else if system.loads.settled() > 0.0 || system.loads.wind.is_some_and(|wind| wind.gust_amplitude != 0.0 && wind.gust_period > 0.0) {
        Some("a load changes")
    } else {
        None
    }
}

/// How far each node may move and still do so linearly [m].
fn limits(system: &System) -> Vec<f64> {
    let mut limits = vec![SMALL * system.diagonal; system.positions.len()];
    let reach = IN_TOUCH * system.contact.barrier_distance * system.diagonal;
    for node in contacts::find_sites(system).iter().flat_map(|site| site.nodes().collect::<Vec<_>>()) {
        limits[node as usize] = reach;
    }
    limits
}

fn is_within(moved: &[Vec3], limits: &[f64]) -> bool {
    // What is no number is not.
    moved.iter().zip(limits).all(|(moved, limit)| moved.norm() <= *limit)
}

/// Largest way of a free node [m].
fn farthest(system: &System, moved: &[Vec3]) -> f64 {
    let squared =
        moved.iter().zip(&system.fixed).take(system.body_nodes()).filter(|(_, fixed)| !**fixed).map(|(moved, _)| moved.norm_squared());
    squared.fold(0.0, crate::math::larger).sqrt()
}
