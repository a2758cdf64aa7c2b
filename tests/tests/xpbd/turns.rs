//! Springs whose forces turn far in a part of a step, by position: multipliers that are vectors hold them, up to a limit that is told.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use crate::spring_scene::{Springs, hanging, top};
use aplomb_sim::math::random::Random;
use aplomb_sim::math::{Mat3, Vec3};
use aplomb_sim::scene::{Method, ProjectionMethod, ProjectionOrder, ProjectionSettings};
use aplomb_sim::simulation::Simulation;
use aplomb_sim::step::StepError;
use aplomb_sim::watch::Unwatched;
use serde_json::json;

const LINKS: usize = 100;
const GRAVITY: f64 = 9.81;
const ORDERS: [ProjectionOrder; 3] = [ProjectionOrder::Forward, ProjectionOrder::Reverse, ProjectionOrder::Colours];

/// A chain of 100 links, a metre long, with a gram a node, that hangs from its first, stepped so that the second link has this S.
fn chain(turn: f64, settings: ProjectionSettings, stepper: &str, damping: f64) -> Simulation {
    // Where it is damped, so soft that sweeps find how fast links stretch.
    let stiffness = if damping > 0.0 { 500.0 } else { 1e4 };
    let mass = json!({ "per_node": 1e-3 });
    let mut springs = Springs::new(&hanging(LINKS, 1.0), json!({ "stiffness": stiffness, "damping": damping, "mass": mass }), top());
    springs.scene["simulate"] = json!({ "stepper": stepper });
    springs.scene["contact"] = json!({ "self_contact": false, "between_bodies": false });
    let mut simulation = springs.build();
    let of_square = (LINKS - 1) as f64 * GRAVITY * 2.0 * LINKS as f64;
    simulation.system.simulate.step_size = f64::from(settings.substeps) * (turn / of_square).sqrt();
    simulation.system.simulate.projection = settings;
    let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    assert!(report.residual.balanced, "{:?}", report.residual);
    simulation
}

fn one_part(sweeps: u32, order: ProjectionOrder) -> ProjectionSettings {
    ProjectionSettings { substeps: 1, sweeps, order, ..Default::default() }
}

fn drifts(simulation: &mut Simulation, seconds: f64) -> Vec<f64> {
    let steps = (seconds / simulation.system.simulate.step_size) as usize;
    (0..steps).map(|_| simulation.step(&Unwatched).unwrap().drift).collect()
}

fn kick(simulation: &mut Simulation, speed: f64) {
    simulation.reset();
    let mut random = Random::new(9);
    simulation.state.velocities.iter_mut().for_each(|v| *v = speed * random.vector(-1.0, 1.0));
    simulation.system.take_supported(&mut simulation.state.velocities);
}

fn largest(drifts: &[f64]) -> f64 {
    drifts.iter().copied().fold(0.0, f64::max)
}

/// Nothing leaves the pose, and what is kicked by 1 cm/s stays near it and calms down, in any order, for S just below the limit and far above what
/// numbers along the gradients bear.
#[test]
fn a_chain_whose_links_turn_far_rests() {
    for (number, (turn, sweeps)) in [(1.5, 1), (3.1, 2), (11.0, 3), (28.0, 5), (57.0, 10), (110.0, 20)].into_iter().enumerate() {
        for order in ORDERS {
            let stepper = ["xpbd", "pbd"][number % 2];
            let mut simulation = chain(turn, one_part(sweeps, order), stepper, 0.0);
            let told = simulation.step(&Unwatched).unwrap().turn;
            assert!((told / turn - 1.0).abs() < 1e-9, "{told} for {turn}");
            let rest = largest(&drifts(&mut simulation, 2.0));
            kick(&mut simulation, 1e-2);
            let kicked = drifts(&mut simulation, 4.0);
            let [all, end] = [&kicked[..], &kicked[3 * kicked.len() / 4..]].map(largest);
            println!("{stepper} S {turn}, {sweeps} sweeps, {order:?}: rest {rest:.1e}, kick {all:.1e}, end {end:.1e}");
            assert!(rest <= 1e-12, "S {turn}, {order:?}: {rest:e}");
            assert!(all > 1e-4 && all < 2e-3 && end < all, "S {turn}, {order:?}: {all:e} {end:e}");
        }
    }
}

/// Let go, its centre falls with g, however far forces turn, and no momentum comes from nowhere.
#[test]
fn a_chain_whose_links_turn_far_falls() {
    let mut simulation = chain(28.0, one_part(5, ProjectionOrder::Colours), "xpbd", 0.0);
    kick(&mut simulation, 0.3);
    let mean = |of: &[Vec3]| of.iter().sum::<Vec3>() / of.len() as f64;
    drifts(&mut simulation, 0.2);
    simulation.system.fixed.fill(false);
    let (start, speed) = (mean(&simulation.state.positions), mean(&simulation.state.velocities));
    let (steps, part) = (40, simulation.system.simulate.step_size);
    (0..steps).for_each(|_| assert!(simulation.step(&Unwatched).is_ok()));
    let (count, g) = (f64::from(steps), Vec3::new(0.0, -GRAVITY, 0.0));
    let expected = start + count * part * speed + 0.5 * count * (count + 1.0) * part * part * g;
    let error = (mean(&simulation.state.positions) - expected).norm();
    assert!(error < 1e-10 && (expected - start).norm() > 0.1, "{error:e}");
    let error = (mean(&simulation.state.velocities) - speed - count * part * g).norm();
    assert!(error < 1e-9, "{error:e}");
}

/// Of a chain whose nodes slide in planes, and of one that is damped; what damping takes is told, and is of what was given.
#[test]
fn slots_and_damping_keep_rest() {
    let ways = |damping: f64, slides: bool| {
        let mut simulation = chain(28.0, one_part(if damping > 0.0 { 40 } else { 5 }, ProjectionOrder::Forward), "xpbd", damping);
        if slides {
            let across = Mat3::from_diagonal(&Vec3::new(1.0, 1.0, 0.0));
            simulation.system.slides = (1..=LINKS as u32).step_by(3).map(|n| (n, across)).collect();
            simulation.reset();
        }
        let rest = largest(&drifts(&mut simulation, 1.0));
        kick(&mut simulation, 1e-2);
        let given: f64 = simulation.state.velocities.iter().map(|v| 0.5e-3 * v.norm_squared()).sum();
        let kicked = drifts(&mut simulation, 3.0);
        let along =
            (1..=LINKS).step_by(3).map(|n| (simulation.state.positions[n] - simulation.system.positions[n]).z.abs()).fold(0.0, f64::max);
        let taken = simulation.step(&Unwatched).unwrap().damping / given;
        (rest, largest(&kicked), largest(&kicked[3 * kicked.len() / 4..]), along, taken)
    };
    let (rest, all, end, along, taken) = ways(0.0, true);
    assert!(rest <= 1e-12 && all > 1e-4 && all < 2e-3 && end < all && along == 0.0 && taken == 0.0, "{rest:e} {all:e} {end:e} {along:e}");
    let (rest, _, _, along, _) = ways(0.0, false);
    assert!(rest <= 1e-12 && along > 1e-6, "{rest:e} {along:e}");
    let (rest, all, end, _, taken) = ways(0.01, false);
    println!("kick {all:.1e}, end {end:.1e}, {taken:.4} taken of what was given");
    // What turns across the links, which they do not resist, is most of it.
    assert!(rest <= 1e-12 && all < 2e-3 && end < all && taken > 1e-3 && taken < 1.0, "{rest:e} {all:e} {end:e} {taken:e}");
}

/// The limit is told with what would do; just below it rests what just above it, unrefused, would not.
#[test]
fn turns_beyond_the_limit_are_refused() {
    for (sweeps, limit) in [(1, 2.0), (2, 5.6), (5, 29.0)] {
        let settings = one_part(sweeps, ProjectionOrder::Reverse);
        assert!(chain(0.99 * limit, settings, "xpbd", 0.0).step(&Unwatched).is_ok());
        let StepError::TurnsTooFar { turn, most, substeps } = chain(1.01 * limit, settings, "xpbd", 0.0).step(&Unwatched).unwrap_err()
        else {
            panic!("another refusal")
        };
        assert!((turn / limit - 1.01).abs() < 1e-9 && (most - limit).abs() < 1e-12 && substeps == 2, "{turn} {most} {substeps}");
    }
    // All at once, whatever the sweeps.
    let settings = ProjectionSettings { method: ProjectionMethod::Jacobi, ..one_part(10, ProjectionOrder::Forward) };
    let StepError::TurnsTooFar { most, .. } = chain(2.5, settings, "xpbd", 0.0).step(&Unwatched).unwrap_err() else {
        panic!("another refusal")
    };
    assert!((most - 2.0).abs() < 1e-12);
}
