//! Position-based steppers against what can be said in closed form: how far a chain stretches, what it carries, and that no direction is special.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use crate::spring_scene::{Springs, field, hanging, line, top};
use aplomb_sim::math::random::Random;
use aplomb_sim::math::{Mat3, Vec3};
use aplomb_sim::scene::{Method, ProjectionMethod, ProjectionSettings};
use aplomb_sim::simulation::Simulation;
use aplomb_sim::watch::Unwatched;
use aplomb_tests::{Cut, Sheet};
use serde_json::json;

const FRAME: f64 = 1.0 / 60.0;
const GRAVITY: f64 = 9.81;

fn by_position(springs: &mut Springs) -> Simulation {
    springs.scene["simulate"] = json!({ "stepper": "xpbd", "step_size": FRAME });
    springs.scene["contact"] = json!({ "self_contact": false, "between_bodies": false });
    springs.build()
}

/// A naive chain comes to rest where link k carries all that hangs below it: the sum of alpha m g (n + 1 - k) longer. Few sweeps leave it longer, as each
/// begins at nothing; more of them halve what is too much, again and again, until nothing is.
#[test]
fn a_chain_is_as_long_as_its_compliances_say_when_it_is_solved() {
    let (links, mass, stiffness) = (12_usize, 0.01, 2e3);
    let settings = json!({ "stiffness": stiffness, "damping": 0.05, "mass": { "per_node": mass } });
    let closed: f64 = (1..=links).map(|k| (links + 1 - k) as f64 * mass * GRAVITY / stiffness).sum();
    let error = |substeps: u32, sweeps: u32| {
        let mut simulation = by_position(&mut Springs::new(&hanging(links, 0.6), settings.clone(), top()));
        simulation.system.simulate.projection = ProjectionSettings { substeps, sweeps, ..Default::default() };
        simulation.initialise(Method::Naive, &Unwatched).unwrap();
        (0..900).for_each(|_| assert!(simulation.step(&Unwatched).is_ok()));
        let longer = simulation.system.positions[links].y - simulation.state.positions[links].y;
        longer / closed - 1.0
    };
    let errors = [4, 16, 64, 256, 1024].map(|sweeps| error(2, sweeps));
    let smaller_parts = [4, 8].map(|substeps| error(substeps, 16));
    println!("{errors:?}, {smaller_parts:?}");
    assert!(errors[0] > 10.0 && errors[4].abs() < 1e-6, "{errors:?}");
    assert!(errors.windows(2).all(|pair| pair[1].abs() < 0.5 * pair[0].abs() || pair[1].abs() < 1e-6), "{errors:?}");
    assert!(smaller_parts[1].abs() < smaller_parts[0].abs() && smaller_parts[0].abs() < errors[1].abs(), "{smaller_parts:?}");
}

/// All at once the same in the end: what each visit found is kept for the next.
#[test]
fn a_chain_is_as_long_as_its_compliances_say_when_all_links_are_solved_at_once() {
    let (links, mass, stiffness) = (4_usize, 0.01, 100.0);
    let settings = json!({ "stiffness": stiffness, "damping": 0.05, "mass": { "per_node": mass } });
    let mut simulation = by_position(&mut Springs::new(&hanging(links, 0.6), settings, top()));
    let method = ProjectionMethod::Jacobi;
    simulation.system.simulate.projection = ProjectionSettings { substeps: 2, sweeps: 400, method, ..Default::default() };
    simulation.initialise(Method::Naive, &Unwatched).unwrap();
    (0..900).for_each(|_| assert!(simulation.step(&Unwatched).is_ok()));
    let longer = simulation.system.positions[links].y - simulation.state.positions[links].y;
    let closed: f64 = (1..=links).map(|k| (links + 1 - k) as f64 * mass * GRAVITY / stiffness).sum();
    assert!((longer / closed - 1.0).abs() < 1e-6, "{longer} for {closed}");
}

/// A chain whose equal weights are equally far apart horizontally hangs in a parabola: its links pull by H sqrt(1 + slope^2) with
/// H = m g / (the change of slope at a node), its funicular, and stepped by position it stays there.
#[test]
fn a_hanging_chain_carries_what_its_funicular_says() {
    let (links, mass) = (40_usize, 2e-3);
    let points: Vec<[f64; 3]> = (0..=links)
        .map(|k| {
            let x = k as f64 / links as f64 - 0.5;
            [x, 1.6 * x * x + 0.1 * x, 0.0]
        })
        .collect();
    let settings = json!({ "stiffness": 1e4, "mass": { "per_node": mass } });
    let mut springs = Springs::new(&line(&points), settings, json!({ "vertices": [0, links] }));
    for (substeps, sweeps) in [(10, 1), (5, 5)] {
        let mut simulation = by_position(&mut springs);
        simulation.system.simulate.projection = ProjectionSettings { substeps, sweeps, ..Default::default() };
        let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
        assert!(report.residual.after < 1e-11, "{:?}", report.residual);
        let slope = |k: usize| (points[k + 1][1] - points[k][1]) / (points[k + 1][0] - points[k][0]);
        let across = mass * GRAVITY / (slope(1) - slope(0));
        for (k, tension) in field(&simulation, "tension").into_iter().enumerate() {
            let expected = across * slope(k).hypot(1.0);
            assert!((tension / expected - 1.0).abs() < 1e-9, "link {k}: {tension} for {expected}");
        }
        let drift = (0..120).map(|_| simulation.step(&Unwatched).unwrap().drift).fold(0.0, f64::max);
        assert!(drift < 1e-11, "{substeps}x{sweeps}: {drift:e}");
    }
}

/// The same curtain, turned as a whole with its weight and kicked as before, moves as before, turned; in order and all at once.
#[test]
fn what_is_turned_as_a_whole_moves_as_before() {
    let axis = Vec3::new(0.3, -0.8, 0.5).normalize();
    let turn: Mat3 = nalgebra::Rotation3::from_axis_angle(&nalgebra::Unit::new_normalize(axis), 1.1).into_inner();
    let moved = |turn: Mat3, method: ProjectionMethod| {
        let mut sheet = Sheet::new([6; 2], Cut::Right, |u, v| turn * Vec3::new(u, -v, 0.05 * (7.0 * u).sin()));
        let warp: [f64; 3] = (turn * Vec3::y()).into();
        sheet.cloth(&json!({ "warp": warp, "stiffness": 300.0, "bending_stiffness": 1e-3, "bending_law": "angle", "density": 0.2 }));
        sheet.hold(|_, v| v == 0.0);
        sheet.scene["simulate"] = json!({ "stepper": "xpbd", "step_size": FRAME });
        sheet.scene["contact"] = json!({ "self_contact": false, "between_bodies": false });
        let mut simulation = sheet.build().unwrap();
        simulation.system.gravity = turn * (-GRAVITY * Vec3::y());
        simulation.system.simulate.projection = ProjectionSettings { substeps: 10, sweeps: 2, method, ..Default::default() };
        let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
        assert!(report.residual.balanced, "{:?}", report.residual);
        let mut random = Random::new(4);
        simulation.state.velocities.iter_mut().for_each(|v| *v = turn * random.vector(-0.5, 0.5));
        simulation.system.take_supported(&mut simulation.state.velocities);
        let drift = (0..40).map(|_| simulation.step(&Unwatched).unwrap().drift).fold(0.0, f64::max);
        assert!(drift > 1e-2, "{drift:e}");
        simulation.state.positions
    };
    for method in [ProjectionMethod::GaussSeidel, ProjectionMethod::Jacobi] {
        let (plain, turned) = (moved(Mat3::identity(), method), moved(turn, method));
        let error = plain.iter().zip(&turned).map(|(x, y)| (turn * x - y).norm()).fold(0.0, f64::max);
        println!("{method:?}: {error:.1e}");
        assert!(error < 1e-8, "{method:?}: {error:e}");
    }
}
