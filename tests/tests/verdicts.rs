//! What the certificate says of stability, against kicks: a stable body comes back, an unstable one leaves. The kicks are made by stepping the
//! scene as users step it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use aplomb_sim::math::random::Random;
use aplomb_sim::math::{Vec3, largest_norm};
use aplomb_sim::scene::Method;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::stats::report::Verdict;
use aplomb_sim::watch::Unwatched;
use aplomb_tests::hostile::{Hostile, scenes};

/// Kicks: the displacement that the softest mode would make of them, over the diagonal.
const KICKS: [f64; 3] = [1e-3, 1e-4, 1e-5];
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

fn judged(scene: &Hostile) -> Outcome {
    let outcome = |verdict: &str, agrees: bool, words: String| Outcome { name: scene.name.clone(), verdict: verdict.into(), agrees, words };
    let mut simulation = match scene.blocks.build() {
        Ok(simulation) => simulation,
        Err(problem) => return outcome("refused", false, problem),
    };
    let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
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
    let any: Vec<Vec3> = mode.shape.iter().map(|_| random.vector(-1.0, 1.0)).collect();
    let (mut left, mut words) = (false, Vec::new());
    let mut agrees = stable || unstable;
    for (k, kick) in KICKS.into_iter().enumerate() {
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
    let outcomes: Vec<Outcome> = scenes(seed, each).iter().map(judged).collect();
    for outcome in &outcomes {
        println!("{} {:24} {:40} {}", if outcome.agrees { "agrees   " } else { "DISAGREES" }, outcome.name, outcome.verdict, outcome.words);
    }
    let wrong: Vec<&Outcome> = outcomes.iter().filter(|outcome| !outcome.agrees).collect();
    assert!(wrong.is_empty(), "{} of {} disagree: {wrong:#?}", wrong.len(), outcomes.len());
    let unstable = outcomes.iter().filter(|outcome| outcome.verdict.starts_with("Unstable")).count();
    assert!(unstable >= least_unstable, "{unstable} unstable of {}", outcomes.len());
}

#[test]
fn verdicts_agree_with_kicks() {
    check(2026, 2, 7);
}

#[test]
#[ignore = "204 scenes: half an hour"]
fn all_verdicts_agree_with_kicks() {
    check(7, 17, 60);
}
