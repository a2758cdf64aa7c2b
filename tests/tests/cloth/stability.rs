//! Which poses of cloth are stable: counts against dense eigenvalues, and verdicts against kicks, for curtains, sails, hammocks and domes.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::f64::consts::PI;

use aplomb_sim::math::random::Random;
use aplomb_sim::math::{Mat3, Vec3};
use aplomb_sim::scene::{Cure, Method};
use aplomb_sim::simulation::Simulation;
use aplomb_sim::stats::report::InitReport;
use aplomb_sim::watch::Unwatched;
use aplomb_tests::{Cut, Sheet};
use serde_json::{Value, json};

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

fn corners(u: f64, v: f64) -> bool {
    (u == 0.0 || u == 1.0) && (v == 0.0 || v == 1.0)
}

/// The poses of a square metre.
const CASES: [Case; 9] = [
    ("wavy, top row", |u, v| Vec3::new(u, -v, 0.05 * (4.0 * PI * u).sin() * (0.5 + 0.5 * v)), |_, v| v == 0.0),
    ("wavy, top and bottom", |u, v| Vec3::new(u, -v, 0.05 * (4.0 * PI * u).sin() * (0.5 + 0.5 * v)), |_, v| v == 0.0 || v == 1.0),
    ("flat vertical, top row", |u, v| Vec3::new(u, -v, 0.0), |_, v| v == 0.0),
    ("sail, 2 masts", |u, v| Vec3::new(u, -v, 0.15 * (PI * u).sin() * (PI * v).sin() + 0.05 * (PI * u).sin()), |u, _| u == 0.0 || u == 1.0),
    ("sail, 4 edges", |u, v| Vec3::new(u, -v, 0.15 * (PI * u).sin() * (PI * v).sin()), rim),
    ("flat horizontal, 4 edges", |u, v| Vec3::new(u, 0.0, v), rim),
    ("hammock, 4 edges", |u, v| Vec3::new(u, -0.3 * (PI * u).sin() * (PI * v).sin(), v), rim),
    ("hammock, 4 corners", |u, v| Vec3::new(u, -0.3 * (PI * u).sin() * (PI * v).sin(), v), corners),
    ("dome, standing", |u, v| Vec3::new(u, 0.3 * (PI * u).sin() * (PI * v).sin(), v), rim),
];

/// Made of `fabric`, to begin with.
fn initialised(case: &Case, rigidity: f64, fabric: &Value, settings: &Value) -> (Simulation, InitReport) {
    let mut sheet = Sheet::new([SIDE - 1; 2], Cut::Right, case.1);
    sheet.cloth(&json!({ "bending_stiffness": rigidity, "stiffness": 500.0, "density": 0.2 })).cloth(fabric).hold(case.2);
    sheet.scene["contact"] = json!({ "self_contact": false });
    sheet.scene["initialise"] = settings.clone();
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

/// The least rigidity, of 1e-6 N m and its doubles, with which every hinge makes its moment.
fn least_rigidity(case: &Case, fabric: &Value) -> f64 {
    let is_enough = |rigidity: &f64| initialised(case, *rigidity, fabric, &json!({})).1.infeasible.is_empty();
    (0..24).map(|k| 1e-6 * f64::from(1 << k)).find(is_enough).unwrap_or_else(|| panic!("{}: nothing is enough", case.0))
}

/// Each pose, as soft as its rest angles allow and stiffer: as many negative eigenvalues as a dense solver counts; what has none stays, and
/// what has some leaves, if it has the time to. How many are unstable.
fn counts_agree(cases: &[Case], fabric: &Value) -> usize {
    let mut unstable = 0;
    for case in cases {
        let rigidity = least_rigidity(case, fabric);
        for rigidity in [rigidity, 10.0 * rigidity] {
            let (mut simulation, report) = initialised(case, rigidity, fabric, &json!({}));
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
    unstable
}

#[test]
fn counts_are_those_of_a_dense_solver_and_kicks_agree() {
    let unstable = counts_agree(&CASES, &json!({}));
    assert!(unstable >= 4, "only {unstable} of the poses are unstable");
}

#[test]
fn so_they_are_with_quadratic_bending_and_with_springs_in_place_of_membranes() {
    for fabric in [json!({ "bending_law": "isometric" }), json!({ "law": "springs" })] {
        let unstable = counts_agree(&[CASES[3], CASES[6]], &fabric);
        assert!(unstable >= 1, "{fabric}: none is unstable");
    }
}

/// Hsu et al. 2022, eq. 33 has the other sign in print: that pushes, and the sheet buckles more.
#[test]
fn a_tension_that_pushes_makes_more_directions_fall_away() {
    for case in [&CASES[1], &CASES[4], &CASES[6]] {
        let rigidity = 10.0 * least_rigidity(case, &json!({}));
        let count = |tension: f64| {
            let (_, report) = initialised(case, rigidity, &json!({}), &json!({ "tension": tension }));
            let found = report.stability.unwrap_or_else(|| panic!("{} {tension}: {:?}", case.0, report.infeasible));
            found.negative_eigenvalues
        };
        let (pushed, plain, pulled) = (count(-0.01), count(0.0), count(0.01));
        println!("{} D {rigidity:.1e}: {pushed} where it pushes, {plain}, {pulled} where it pulls", case.0);
        assert!(pushed > plain && pulled <= plain, "{}: {pushed} {plain} {pulled}", case.0);
    }
}

/// One after the other, none is kept that does not lower the count, and they take no more than stiffening alone does.
#[test]
fn cures_in_turn_lower_the_count_and_cost_no_more_than_one() {
    let mut helped = 0;
    for case in &CASES[1..4] {
        let rigidity = least_rigidity(case, &json!({}));
        let settings = json!({ "cure": "in_order", "compare_cures": true });
        let (mut simulation, report) = initialised(case, rigidity, &json!({}), &settings);
        let stability = report.stability.unwrap();
        let of = |cure: Cure| stability.cures.iter().find(|report| report.cure == cure);
        let Some(turns) = of(Cure::InOrder) else { continue };
        let stages = &turns.stages;
        println!("{} D {rigidity:.1e}: {:?} x {:?} on {:.3} of the mass", case.0, stages, turns.factor, turns.stiffened_mass);
        let kept: Vec<usize> = stages.iter().filter(|stage| stage.kept).map(|stage| stage.negative_eigenvalues).collect();
        assert!(kept.is_sorted_by(|a, b| a > b), "{}: {kept:?}", case.0);
        let local = of(Cure::LocalStiffening).unwrap();
        if local.helps {
            assert!(turns.helps && turns.stiffened_mass <= local.stiffened_mass + 1e-12, "{}: {turns:?} {local:?}", case.0);
        }
        let has_tension = stages.iter().any(|stage| stage.cure == Cure::TensionShift);
        let survives = of(Cure::TensionShift).unwrap().tension_survives;
        assert!(!has_tension || stages[0].kept || survives.is_some_and(|share| share > 0.5), "{}: {survives:?}", case.0);
        if turns.helps {
            helped += 1;
            assert_eq!((stability.cured_by, stability.negative_eigenvalues), (Some(Cure::InOrder), 0));
            assert_eq!(dense_count(&simulation), 0, "{}", case.0);
            assert!(report.residual.after < 1e-10, "{}: {}", case.0, report.residual.after);
            let drift = kicked(&mut simulation, 1e-4, 3.0);
            assert!(drift < STAYS, "{}: cured, and {drift} away", case.0);
        }
    }
    assert!(helped >= 2, "only {helped} are cured");
}
