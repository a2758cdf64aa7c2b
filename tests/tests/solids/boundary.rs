//! Boundary conditions over whole runs: planes of sliding, prescribed motions, and steps that cannot be taken in one piece.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use aplomb_sim::contact::intersection::intersections;
use aplomb_sim::math::{Mat3, Vec3};
use aplomb_sim::mesh::TriangleMesh;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::step::{StepError, StepStats};
use aplomb_sim::system::motion::Pose;
use aplomb_sim::system::{DrivenNode, Motion, System};
use aplomb_sim::watch::Unwatched;
use aplomb_tests::{BoxBody, World, add_half_space};

const JELLY: BoxBody =
    BoxBody { size: Vec3::new(0.1, 0.1, 0.1), cells: [3, 3, 3], law: "neo_hookean", young: 2e4, poisson: 0.4, density: 1000.0 };

/// Largest distance of a driven node from where it is to be now.
fn missed_targets(simulation: &Simulation) -> f64 {
    let (system, state) = (&simulation.system, &simulation.state);
    let missed = |d: &DrivenNode| (state.positions[d.node as usize] - system.target(d, state.time)).norm();
    system.driven.iter().map(missed).fold(0.0, f64::max)
}

/// Steps to the end; every driven node is on its target after each, nothing inverts and nothing touches.
fn run_clean(simulation: &mut Simulation, steps: usize) -> Vec<StepStats> {
    let step = |_| {
        let stats = simulation.step(&Unwatched).unwrap();
        assert_eq!(missed_targets(simulation), 0.0, "at {} s", stats.time);
        assert_eq!(stats.inversions, 0, "at {} s", stats.time);
        assert!(stats.min_gap > 0.0, "at {} s: {}", stats.time, stats.min_gap);
        assert!(intersections(&simulation.system.surface, &simulation.state.positions).is_empty());
        stats
    };
    (0..steps).map(step).collect()
}

/// One side lies in the plane 3 x + 4 y = 2, in which it may slide; everything else swings.
#[test]
fn nodes_that_slide_stay_in_their_plane() {
    for stepper in ["backward_euler", "bdf2", "midpoint"] {
        let normal = Vec3::new(0.6, 0.8, 0.0);
        let start = Vec3::new(2.0 / 3.0, 0.0, 0.0);
        let along = Mat3::from_columns(&[normal, Vec3::new(-0.8, 0.6, 0.0), Vec3::z()]);
        let mut world = World::on_earth().body(&JELLY, |x| along * x + start);
        let side: Vec<u32> = (0..).zip(JELLY.mesh().0).filter(|(_, x)| x.x == 0.0).map(|(n, _)| n).collect();
        world.system.slides = side.iter().map(|&n| (n, Mat3::identity() - normal * normal.transpose())).collect();
        let mut system = world.finish(0.0);
        system.simulate.stepper = stepper.into();
        let mut simulation = Simulation::new(system);
        let mut out: f64 = 0.0;
        for _ in 0..100 {
            simulation.step(&Unwatched).unwrap();
            out = side
                .iter()
                .map(|&n| simulation.state.positions[n as usize])
                .map(|x| (3.0 * x.x + 4.0 * x.y - 2.0).abs())
                .fold(out, f64::max);
        }
        let moved = side
            .iter()
            .map(|&n| (simulation.state.positions[n as usize] - simulation.system.positions[n as usize]).norm())
            .fold(0.0, f64::max);
        println!("{stepper}: out of the plane by {out:.1e}, moved by {moved:.2}");
        assert!(out < 1e-12 && moved > 1.0, "{stepper}: {out}, {moved}");
    }
}

/// A motion through these (time, translation, degrees about x).
fn motion(pivot: Vec3, keys: &[(f64, Vec3, f64)]) -> Motion {
    let pose = |&(time, translation, degrees): &(f64, Vec3, f64)| Pose { time, translation, rotation: degrees.to_radians() * Vec3::x() };
    Motion { pivot, poses: keys.iter().map(pose).collect() }
}

/// A jelly on the ground under a plate that comes down and goes up again.
fn press(depth: f64, stepper: &str) -> Simulation {
    let lines: Vec<f64> = (-4..=4).map(|k| 0.04 * f64::from(k)).collect();
    let plate = TriangleMesh::square(&Vec3::new(0.05, 0.105, 0.05), &-Vec3::y(), &lines);
    let down = motion(Vec3::zeros(), &[(0.0, Vec3::zeros(), 0.0), (0.5, Vec3::new(0.0, -depth, 0.0), 0.0)]);
    let mut system = World::on_earth()
        .body(&JELLY, |x| x + Vec3::new(0.0, 5e-4, 0.0))
        .surface(&plate.positions, &plate.triangles, Some(down))
        .finish(0.2);
    add_half_space(&mut system, [0.0; 3], [0.0, 1.0, 0.0], 0.2);
    system.pairs.retain(|pair| !system.fixed[pair.node as usize]);
    system.simulate.stepper = stepper.into();
    Simulation::new(system)
}

#[test]
fn a_plate_presses_a_box_to_half_its_height() {
    for stepper in ["backward_euler", "bdf2"] {
        let mut simulation = press(0.055, stepper);
        let stats = run_clean(&mut simulation, 60);
        let top =
            simulation.state.positions[simulation.system.bodies[0].nodes.clone()].iter().map(|x| x.y).fold(f64::NEG_INFINITY, f64::max);
        let (gap, parts) = (stats.iter().map(|s| s.min_gap).fold(f64::INFINITY, f64::min), stats.iter().map(|s| s.substeps).max().unwrap());
        let iterations = stats.iter().map(|s| s.iterations).max().unwrap();
        println!("{stepper}: pressed to {top:.4} m, least gap {gap:.1e} m, at most {parts} parts and {iterations} iterations a step");
        assert!(top > 0.04 && top < 0.05, "{top}");
    }
}

/// A bar held by both ends.
fn bar(ends: [Motion; 2]) -> System {
    let body = BoxBody { size: Vec3::new(0.4, 0.1, 0.1), cells: [8, 2, 2], ..JELLY };
    let mut world = World::default().body(&body, |x| x);
    let system = &mut world.system;
    system.motions = ends.into();
    for n in 0..system.positions.len() {
        let x = system.positions[n].x;
        if !(1e-9..=0.4 - 1e-9).contains(&x) {
            system.fixed[n] = true;
            system.driven.push(DrivenNode { node: n as u32, motion: u32::from(x > 0.2) });
        }
    }
    world.finish(0.0)
}

#[test]
fn a_step_that_is_too_much_for_one_piece_is_taken_in_several() {
    let pivot = Vec3::new(0.0, 0.05, 0.05);
    let held = || motion(pivot, &[(0.0, Vec3::zeros(), 0.0)]);
    let turned = || motion(pivot, &[(0.0, Vec3::zeros(), 0.0), (0.1, Vec3::zeros(), 150.0)]);
    let run = |halvings: u32| {
        let mut system = bar([held(), turned()]);
        system.simulate.step_size = 0.1;
        system.simulate.max_iterations = 12;
        system.simulate.max_substep_halvings = halvings;
        let mut simulation = Simulation::new(system);
        simulation.step(&Unwatched).map(|stats| (stats, simulation))
    };
    assert!(matches!(run(0), Err(StepError::NotConverged { .. })));
    let (stats, simulation) = run(6).unwrap();
    println!("taken in {} parts, {} iterations", stats.substeps, stats.iterations);
    assert!(stats.substeps > 1 && stats.inversions == 0 && stats.time == 0.1);
    assert_eq!(missed_targets(&simulation), 0.0);
}

/// The plate is to go through the ground, with the jelly between: no step can do that.
#[test]
fn a_hopeless_step_is_refused_and_leaves_everything_as_it_was() {
    let mut simulation = press(0.2, "backward_euler");
    simulation.system.simulate.max_substep_halvings = 3;
    let mut last = None;
    let error = loop {
        let before = (simulation.state.clone(), simulation.contact_forces());
        match simulation.step(&Unwatched) {
            Ok(stats) => {
                assert_eq!((stats.inversions, missed_targets(&simulation)), (0, 0.0), "at {} s", stats.time);
                assert!(stats.min_gap > 0.0, "at {} s: {}", stats.time, stats.min_gap);
                assert!(intersections(&simulation.system.surface, &simulation.state.positions).is_empty());
                last = Some(stats);
            }
            Err(error) => {
                assert_eq!(before.0.positions, simulation.state.positions);
                assert_eq!(before.0.velocities, simulation.state.velocities);
                assert_eq!(before.0.time, simulation.state.time);
                assert_eq!(before.1, simulation.contact_forces());
                break error;
            }
        }
        assert!(simulation.state.time < 0.6);
    };
    println!("{error}; after {:?} s of motion", last.map(|s| s.time));
    let told = error.to_string();
    assert!(told.contains("t = ") && told.contains("node") && last.is_some_and(|s| s.time > 0.2 && s.time < 0.27), "{told}");
}

/// Both ends of a bar turn against each other and come back: it is straight again.
#[test]
fn a_bar_that_is_twisted_and_let_go_back_is_straight_again() {
    let pivot = Vec3::new(0.0, 0.05, 0.05);
    let turn = |degrees: f64| motion(pivot, &[(0.0, Vec3::zeros(), 0.0), (0.4, Vec3::zeros(), degrees), (0.8, Vec3::zeros(), 0.0)]);
    let mut system = bar([turn(90.0), turn(-90.0)]);
    system.simulate.stepper = "quasi_static".into();
    system.simulate.step_size = 0.02;
    let mut simulation = Simulation::new(system);
    let mut largest: f64 = 0.0;
    for _ in 0..40 {
        let stats = simulation.step(&Unwatched).unwrap();
        assert_eq!((missed_targets(&simulation), stats.inversions), (0.0, 0));
        largest = largest.max(stats.elastic);
    }
    let left = simulation.state.positions.iter().zip(&simulation.system.positions).map(|(x, given)| (x - given).norm()).fold(0.0, f64::max);
    println!("elastic energy up to {largest:.3} J; left {left:.1e} m");
    assert!(largest > 0.01 && left < 1e-8, "{left}");
}

#[test]
fn driven_nodes_have_the_velocity_of_their_motion() {
    for stepper in ["backward_euler", "bdf2", "midpoint"] {
        let velocity = Vec3::new(0.3, -0.2, 0.1);
        let carried = || motion(Vec3::zeros(), &[(0.0, Vec3::zeros(), 0.0), (1.0, velocity, 0.0)]);
        let mut system = bar([carried(), carried()]);
        system.simulate.stepper = stepper.into();
        let mut simulation = Simulation::new(system);
        for _ in 0..5 {
            simulation.step(&Unwatched).unwrap();
            for driven in &simulation.system.driven {
                let off = (simulation.state.velocities[driven.node as usize] - velocity).norm();
                assert!(off < 1e-12, "{stepper}: {off}");
            }
        }
    }
}
