//! Material points by implicit steps: at rest, beside explicit steps, on slopes, and with steps far longer than waves allow.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::scene::{GRAVITY, GRIDS, Particles, SPACING, lattice, run};
use aplomb_sim::math::Vec3;
use aplomb_sim::scene::Method;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::watch::Unwatched;
use serde_json::json;

const LAWS: [&str; 3] = ["neo_hookean", "corotated", "hencky"];

/// By implicit steps of this length [s].
fn implicit(points: &mut Particles, step_size: f64) {
    points.scene["simulate"]["stepper"] = json!("mpm_implicit");
    points.scene["simulate"]["step_size"] = json!(step_size);
}

/// Steps of ten times what waves allow: what is balanced rests without an iteration, by every kernel with every transfer, and what is kicked comes back.
#[test]
fn what_is_balanced_rests_in_long_steps() {
    for (law, grid) in LAWS.into_iter().cycle().zip(GRIDS) {
        // Points of cubic kernels have so many nodes that a step of a large block would take long here.
        let mut block = Particles::elastic(&lattice([6, 6, 6], 0.2), law);
        block.floor(0.6);
        block.on_grid(grid);
        // Waves cross 0.3 of a cell in 2.6e-3 s.
        implicit(&mut block, 0.026);
        let (naive, _) = run(&mut block.initialised(Method::Naive).0, 0.26);
        let (mut simulation, report) = block.initialised(Method::SagFree);
        assert!(report.residual.balanced, "{:?}", report.residual);
        let mut iterations = 0;
        let mut drift = 0.0_f64;
        for _ in 0..40 {
            let step = simulation.step(&Unwatched).unwrap();
            (iterations, drift) = (iterations + step.iterations, drift.max(step.drift));
        }
        let residual = report.residual.after;
        println!("{law} {grid:?}: residual {residual:.1e}, drift {drift:.1e}, {iterations} iterations in 40 steps; naive {naive:.1e}");
        assert!(
            residual < 1e-10 && drift < 1e-10 && iterations <= 40 && naive > 5e-3,
            "{law} {grid:?}: {residual:e} {drift:e} {iterations}"
        );
        simulation.kick(Vec3::new(1e-3, 0.0, 1e-3));
        let (kicked, _) = run(&mut simulation, 0.26);
        let (later, last) = run(&mut simulation, 0.52);
        println!("kicked: {kicked:.1e}, then {later:.1e}, {:.1e} J", last.kinetic);
        assert!(kicked > 1e-6 && kicked < 1e-3 && later < 1.5 * kicked, "{law} {grid:?}: {kicked:e} {later:e}");
    }
}

/// Where steps become short, both steppers come to the same, in the first order of them.
#[test]
fn short_steps_are_those_of_the_explicit_stepper() {
    let fallen = |stepper: &str, step_size: f64| {
        let mut block = Particles::elastic(&lattice([6, 6, 6], 0.1), "neo_hookean");
        block.floor(0.5);
        block.scene["simulate"] = json!({ "stepper": stepper, "step_size": step_size, "tolerance": 1e-9, "grid": { "substeps": 1 } });
        let mut simulation = block.initialised(Method::Naive).0;
        run(&mut simulation, 0.02);
        simulation.state.positions
    };
    let apart = |a: &[Vec3], b: &[Vec3]| a.iter().zip(b).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
    let [coarse, fine] = [1e-3, 5e-4].map(|h| apart(&fallen("mpm", h), &fallen("mpm_implicit", h)));
    println!("{coarse:.2e} m apart, {fine:.2e} m by half the steps");
    assert!(coarse < 2e-4 && fine < 0.65 * coarse, "{coarse:e} {fine:e}");
}

/// In space momentum stays, and what swings loses energy and gains none, however long the steps.
#[test]
fn what_flies_keeps_its_momentum_and_gains_no_energy() {
    for law in LAWS {
        let mut block = Particles::elastic(&lattice([6, 6, 6], 0.1), law);
        block.scene["gravity"] = json!([0.0, 0.0, 0.0]);
        block.scene["bodies"][0]["velocity"] = json!([0.3, -0.2, 0.1]);
        implicit(&mut block, 0.02);
        let mut simulation = block.initialised(Method::Naive).0;
        for (g, x) in simulation.state.points.deformations.iter_mut().zip(&simulation.system.positions) {
            g[(0, 0)] = 0.1 * (1.0 + x.x);
            g[(0, 1)] = 0.1 * x.y;
        }
        let mass: f64 = simulation.system.masses.iter().sum();
        let momentum = mass * Vec3::new(0.3, -0.2, 0.1);
        let mut last = f64::INFINITY;
        for _ in 0..20 {
            let step = simulation.step(&Unwatched).unwrap();
            assert!((step.momentum - momentum).norm() < 1e-9 * momentum.norm(), "{law}: {}", step.momentum);
            assert!(step.total < last + 1e-9, "{law}: {} after {last}", step.total);
            last = step.total;
        }
    }
}

/// A block on a slope slides as Coulomb says, and sticks where friction suffices: in steps of ten times what waves allow.
#[test]
fn slopes_are_coulombs() {
    let slope = 20f64.to_radians();
    let moved = |friction: f64| {
        let mut block = Particles::elastic(&lattice([8, 4, 8], 0.0), "neo_hookean");
        block.floor(friction);
        block.scene["gravity"] = json!([GRAVITY * slope.sin(), -GRAVITY * slope.cos(), 0.0]);
        implicit(&mut block, 0.02);
        let mut simulation: Simulation = block.initialised(Method::SagFree).0;
        let mean = |simulation: &Simulation| simulation.state.velocities.iter().sum::<Vec3>() / 256.0;
        let (drift, _) = run(&mut simulation, 0.2);
        let early = mean(&simulation);
        let (_, last) = run(&mut simulation, 0.2);
        (drift, (mean(&simulation) - early).x / 0.2, last)
    };
    let (drift, ..) = moved(1.02 * slope.tan());
    assert!(drift < 1e-10, "{drift:e}");
    for share in [0.0, 0.5] {
        let (_, acceleration, last) = moved(share * slope.tan());
        let expected = (1.0 - share) * GRAVITY * slope.sin();
        println!("share {share}: {acceleration:.4} of {expected:.4} m/s^2, {} unsettled", last.unsettled);
        assert!((acceleration / expected - 1.0).abs() < 0.01, "{share}: {acceleration} {expected}");
    }
}

/// Sand, metal and water take the same steps: a balanced heap, column and tank rest.
#[test]
fn other_matter_rests_too() {
    let sand = Particles::sand(&lattice([8, 4, 8], 0.0), 35.0);
    let metal = Particles::metal(&lattice([6, 8, 6], 0.0), 2e4);
    let water = Particles::liquid(&lattice([8, 6, 8], 0.0), json!({ "stiffness": 4e4, "viscosity": 1.0 }));
    for (name, mut points) in [("sand", sand), ("metal", metal), ("water", water)] {
        match name {
            "metal" => points.floor(0.6),
            _ => points.walls([8.0 * SPACING, 8.0 * SPACING]),
        }
        implicit(&mut points, 0.01);
        let (mut simulation, report) = points.initialised(Method::SagFree);
        assert!(report.residual.balanced, "{name}: {:?}", report.residual);
        let (drift, last) = run(&mut simulation, 0.3);
        println!("{name}: {drift:.1e}, {} iterations in the last step", last.iterations);
        assert!(drift < 1e-9, "{name}: {drift:e}");
    }
}
