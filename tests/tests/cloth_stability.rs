//! Which poses of cloth are stable: counts against dense eigenvalues, and verdicts against kicks, for curtains, sails, hammocks and domes.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::f64::consts::PI;

use aplomb_sim::math::random::Random;
use aplomb_sim::math::{Mat3, Vec3};
use aplomb_sim::scene::Method;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::stats::report::InitReport;
use aplomb_sim::watch::Unwatched;
use aplomb_tests::{Cut, Sheet};
use serde_json::json;

/// Drift over the diagonal up to which what was kicked at 1e-4 m/s stays, and from which on it leaves: buckles of a sheet that hangs straight
/// are shallow.
const STAYS: f64 = 3e-4;
const LEAVES: f64 = 1e-3;

/// Vertices along a side.
const SIDE: usize = 16;

/// A pose, and which places of the unit square are held.
type Case = (&'static str, fn(f64, f64) -> Vec3, fn(f64, f64) -> bool);

fn rim(u: f64, v: f64) -> bool {
    u == 0.0 || u == 1.0 || v == 0.0 || v == 1.0
}

/// The poses of a square metre.
const CASES: [Case; 8] = [
    ("wavy, top row", |u, v| Vec3::new(u, -v, 0.05 * (4.0 * PI * u).sin() * (0.5 + 0.5 * v)), |_, v| v == 0.0),
    ("wavy, top and bottom", |u, v| Vec3::new(u, -v, 0.05 * (4.0 * PI * u).sin() * (0.5 + 0.5 * v)), |_, v| v == 0.0 || v == 1.0),
    ("flat vertical, top row", |u, v| Vec3::new(u, -v, 0.0), |_, v| v == 0.0),
    ("sail, 2 masts", |u, v| Vec3::new(u, -v, 0.15 * (PI * u).sin() * (PI * v).sin() + 0.05 * (PI * u).sin()), |u, _| u == 0.0 || u == 1.0),
    ("sail, 4 edges", |u, v| Vec3::new(u, -v, 0.15 * (PI * u).sin() * (PI * v).sin()), rim),
    ("flat horizontal, 4 edges", |u, v| Vec3::new(u, 0.0, v), rim),
    ("hammock, 4 edges", |u, v| Vec3::new(u, -0.3 * (PI * u).sin() * (PI * v).sin(), v), rim),
    ("dome, standing", |u, v| Vec3::new(u, 0.3 * (PI * u).sin() * (PI * v).sin(), v), rim),
];

fn initialised(case: &Case, rigidity: f64) -> (Simulation, InitReport) {
    let mut sheet = Sheet::new([SIDE - 1; 2], Cut::Right, case.1);
    sheet.cloth(&json!({ "bending_stiffness": rigidity, "stiffness": 500.0, "density": 0.2 })).hold(case.2);
    sheet.scene["contact"] = json!({ "self_contact": false });
    let mut simulation = sheet.build().unwrap();
    let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    (simulation, report)
}

/// Negative eigenvalues of the exact Hessian of all elements on the nodes that can move.
fn dense_count(simulation: &Simulation) -> usize {
    let system = &simulation.system;
    let mut number = vec![usize::MAX; system.positions.len()];
    let free: Vec<usize> = (0..number.len()).filter(|&n| !system.fixed[n]).collect();
    free.iter().enumerate().for_each(|(k, &n)| number[n] = k);
    let mut dense = nalgebra::DMatrix::<f64>::zeros(3 * free.len(), 3 * free.len());
    for family in &system.families {
        let width = family.nodes_per_element();
        let mut blocks = vec![Mat3::zeros(); family.len() * width * width];
        family.hessian_blocks(&system.positions, false, &mut blocks);
        for (e, blocks) in blocks.chunks_exact(width * width).enumerate() {
            let nodes = family.nodes(e);
            for (i, &a) in nodes.iter().enumerate() {
                for (j, &b) in nodes.iter().enumerate() {
                    let (a, b) = (number[a as usize], number[b as usize]);
                    if a != usize::MAX && b != usize::MAX {
                        let mut block = dense.fixed_view_mut::<3, 3>(3 * a, 3 * b);
                        block += blocks[i * width + j];
                    }
                }
            }
        }
    }
    dense.symmetric_eigenvalues().iter().filter(|value| **value < 0.0).count()
}

/// Random velocities of this size; how far it is from the pose at most within so many seconds, over the diagonal.
fn kicked(simulation: &mut Simulation, speed: f64, seconds: f64) -> f64 {
    let mut random = Random::new(17);
    let velocities = simulation.state.velocities.iter_mut().zip(&simulation.system.fixed).filter(|(_, fixed)| !**fixed);
    velocities.for_each(|(velocity, _)| *velocity = speed * random.vector(-1.0, 1.0));
    let steps = (seconds / simulation.system.simulate.step_size).ceil() as usize;
    (0..steps).map(|_| simulation.step(&Unwatched).unwrap().drift).fold(0.0, f64::max)
}

/// Each pose, as soft as its rest angles allow and stiffer: as many negative eigenvalues as a dense solver counts; what has none stays, and
/// what has some leaves, if it has the time to.
#[test]
fn counts_are_those_of_a_dense_solver_and_kicks_agree() {
    let mut unstable = 0;
    for case in &CASES {
        // The least rigidity with which every hinge makes its moment.
        let mut rigidity = 1e-6;
        while !initialised(case, rigidity).1.infeasible.is_empty() {
            rigidity *= 2.0;
        }
        for rigidity in [rigidity, 10.0 * rigidity] {
            let (mut simulation, report) = initialised(case, rigidity);
            let stability = report.stability.clone().unwrap();
            assert!(report.residual.after < 1e-10, "{}: {}", case.0, report.residual.after);
            let found = stability.negative_eigenvalues;
            assert_eq!(found, dense_count(&simulation), "{} {rigidity}", case.0);
            let rate = stability.softest.first().map_or(0.0, |mode| mode.rate);
            let speed = 1e-4;
            if found == 0 {
                let drift = kicked(&mut simulation, speed, 5.0);
                println!("{} D {rigidity:.1e}: 0 negative, drift {drift:.1e}", case.0);
                assert!(drift < STAYS, "{} {rigidity}: stable, and {drift} away", case.0);
            } else {
                unstable += 1;
                // Backward Euler slows growth down.
                let seconds = (12.0 / rate).clamp(2.0, 20.0);
                let drift = kicked(&mut simulation, speed, seconds);
                println!("{} D {rigidity:.1e}: {found} negative, rate {rate:.2}/s, drift {drift:.1e} in {seconds:.1} s", case.0);
                assert!(drift > LEAVES, "{} {rigidity}: {found} negative, and only {drift} away", case.0);
            }
        }
    }
    assert!(unstable >= 4, "only {unstable} of the poses are unstable");
}
