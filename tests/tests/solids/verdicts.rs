//! What the certificate says of stability, against kicks: a stable body comes back, an unstable one leaves. The kicks are made by stepping the
//! scene as users step it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use aplomb_sim::math::random::Random;
use aplomb_sim::math::{Mat3, Vec3, largest_norm};
use aplomb_sim::scene::Method;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::stats::report::{InfeasibilityCode, Verdict};
use aplomb_sim::system::System;
use aplomb_sim::watch::Unwatched;
use aplomb_tests::hostile::{Hostile, scenes};

/// Kicks: the displacement that the softest mode would make of them, over the diagonal.
const KICKS: [f64; 3] = [1e-3, 1e-4, 1e-5];
const SMALLER: [f64; 2] = [1e-6, 1e-7];
/// Time that is watched, and the step, in units of the softest mode's.
const LONG: f64 = 30.0;
const STEP: f64 = 0.1;

/// What a scene came to.
#[derive(Debug)]
struct Outcome {
    name: String,
    verdict: String,
    agrees: bool,
    words: String,
}

/// Largest displacement [m] after these velocities.
fn largest_displacement(simulation: &mut Simulation, velocities: Vec<Vec3>, rate: f64, enough: f64) -> Result<f64, String> {
    simulation.reset();
    simulation.state.velocities = velocities;
    simulation.system.take_supported(&mut simulation.state.velocities);
    simulation.system.simulate.step_size = STEP / rate;
    let speed = largest_norm(&simulation.state.velocities);
    simulation.system.simulate.tolerance = 1e-4 * speed;
    let mut largest: f64 = 0.0;
    for _ in 0..(LONG / STEP) as usize {
        let stats = simulation.step(&Unwatched).map_err(|error| error.to_string())?;
        largest = largest.max(stats.drift * simulation.system.diagonal);
        if largest > enough {
            break;
        }
    }
    Ok(largest)
}

/// Takes the momentum and the spin of each body out of velocities [m/s]: what nothing resists goes on.
fn take_rigid_motions(system: &System, velocities: &mut [Vec3]) {
    for body in &system.bodies {
        let nodes = body.nodes.clone();
        let mass: f64 = system.masses[nodes.clone()].iter().sum();
        let mean = |of: &dyn Fn(usize) -> Vec3| nodes.clone().map(|n| system.masses[n] * of(n)).sum::<Vec3>() / mass;
        let center = mean(&|n| system.positions[n]);
        let velocity = mean(&|n| velocities[n]);
        let arm = |n: usize| system.positions[n] - center;
        let spin = mean(&|n| arm(n).cross(&velocities[n]));
        let inertia: Mat3 = nodes.clone().map(|n| -system.masses[n] / mass * arm(n).cross_matrix() * arm(n).cross_matrix()).sum();
        let turn = inertia.try_inverse().unwrap() * spin;
        nodes.for_each(|n| velocities[n] -= velocity + turn.cross(&arm(n)));
    }
}

fn judged(scene: &Hostile) -> Outcome {
    let outcome = |verdict: &str, agrees: bool, words: String| Outcome { name: scene.name.clone(), verdict: verdict.into(), agrees, words };
    let mut simulation = match scene.blocks.build() {
        Ok(simulation) => simulation,
        Err(problem) => return outcome("refused", false, problem),
    };
    let mut report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    if let (Some(factor), true) =
        (report.unattainable.stiffness_factor, report.infeasible.iter().all(|reason| reason.code == InfeasibilityCode::TooSoft))
    {
        // What is too soft for its own weight is judged as stiff as it is told to be.
        simulation.system.initialise.stiffen_up_to = factor;
        report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    }
    if !report.infeasible.is_empty() {
        let words: Vec<&str> = report.infeasible.iter().map(|reason| reason.message.as_str()).collect();
        return outcome("infeasible", false, words.join("; "));
    }
    let stability = report.stability.unwrap();
    let Some(mode) = simulation.modes().first().cloned() else {
        return outcome("no modes", false, format!("{stability:?}"));
    };
    let (diagonal, slip) = (simulation.system.diagonal, simulation.system.contact.friction_slip * simulation.system.diagonal);
    let (stable, unstable) = (stability.verdict == Verdict::Stable, stability.verdict == Verdict::Unstable);
    let mut random = Random::new(1);
    let mut any: Vec<Vec3> = mode.shape.iter().map(|_| random.vector(-1.0, 1.0)).collect();
    if stability.neutral_motions > 0 {
        take_rigid_motions(&simulation.system, &mut any);
    }
    let (mut left, mut words) = (false, Vec::new());
    let mut agrees = stable || unstable;
    for (k, kick) in KICKS.into_iter().chain(SMALLER).enumerate() {
        // What falls onto supports that are nearer than these kicks reach is seen to leave by smaller ones.
        if k >= KICKS.len() && (stable || left) {
            break;
        }
        for (shape, name) in [(&mode.shape, "mode"), (&any, "any")] {
            let way = kick * diagonal;
            let scale = way * mode.rate / largest_norm(shape);
            let moved =
                match largest_displacement(&mut simulation, shape.iter().map(|v| scale * v).collect(), mode.rate, 12.0 * way + 20.0 * slip)
                {
                    Ok(moved) => moved,
                    Err(error) => {
                        words.push(format!("{name} {kick:e}: {error}"));
                        agrees = false;
                        continue;
                    }
                };
            let (returns, leaves) = (moved <= 3.0 * way + 2.0 * slip, moved > 10.0 * way + 2.0 * slip);
            left |= leaves;
            words.push(format!("{name} {kick:e}: {:.2}", moved / way));
            agrees &= !stable || k == 0 || returns;
        }
    }
    agrees &= !unstable || left;
    let verdict = format!(
        "{:?} ({} negative, rate {:.2}, inset {:.1e})",
        stability.verdict, stability.negative_eigenvalues, mode.rate, report.contact.inset
    );
    outcome(&verdict, agrees, words.join(", "))
}

fn check(seed: u64, each: usize, least_unstable: usize) {
    let told = |outcome: &Outcome| {
        println!("{} {:24} {:40} {}", if outcome.agrees { "agrees   " } else { "DISAGREES" }, outcome.name, outcome.verdict, outcome.words);
    };
    let outcomes: Vec<Outcome> = scenes(seed, each).iter().map(judged).inspect(told).collect();
    let wrong: Vec<&Outcome> = outcomes.iter().filter(|outcome| !outcome.agrees).collect();
    assert!(wrong.is_empty(), "{} of {} disagree: {wrong:#?}", wrong.len(), outcomes.len());
    let unstable = outcomes.iter().filter(|outcome| outcome.verdict.starts_with("Unstable")).count();
    assert!(unstable >= least_unstable, "{unstable} unstable of {}", outcomes.len());
}

#[test]
fn verdicts_agree_with_kicks() {
    check(2026, 1, 5);
}

#[test]
#[ignore = "264 scenes: half an hour"]
fn all_verdicts_agree_with_kicks() {
    check(7, 12, 75);
}
