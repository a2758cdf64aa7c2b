//! Obstacles of every shape: balls and capsules are round whatever touches them, nothing passes, and each can be taken away.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use aplomb_sim::math::Vec3;
use aplomb_sim::scene::Method;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::stats::report::{InitReport, Verdict};
use aplomb_sim::watch::Unwatched;
use aplomb_tests::{Block, Blocks, Form};
use serde_json::{Value, json};

const FRICTION: f64 = 0.8;

fn on(obstacle: &Value, blocks: &[Block]) -> Blocks {
    let obstacle = json!({ "name": "thing", "shape": obstacle, "friction": FRICTION });
    Blocks::new(blocks, &json!({ "obstacles": [obstacle], "contact": { "friction": FRICTION }, "simulate": { "step_size": 0.01 } }))
}

fn initialised(blocks: &Blocks) -> (Simulation, InitReport) {
    let mut simulation = blocks.build().unwrap_or_else(|problem| panic!("{problem}"));
    let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    (simulation, report)
}

fn capsule(radius: f64) -> Value {
    json!({ "capsule": { "from": [0, -radius, -0.3], "to": [0, -radius, 0.3], "radius": radius } })
}

fn ball(radius: f64) -> Value {
    json!({ "sphere": { "center": [0, -radius, 0], "radius": radius } })
}

/// A rigid plank rocks upright again on a cylinder if the radius is larger than the height of its centre, and a block on a ball in the
/// same way: the textbook's condition, of which the polygon of a mesh knows nothing.
#[test]
fn a_plank_on_a_roller_and_a_block_on_a_ball_rock_upright_if_the_radius_is_larger_than_half_their_height() {
    let thick = 0.1;
    for (shape, size, cells) in [(capsule as fn(f64) -> Value, [0.5, thick, 0.2], [9, 2, 3]), (ball, [0.15, thick, 0.15], [4, 3, 4])] {
        for (share, stable) in [(0.3, false), (0.93, false), (1.07, true), (3.0, true), (12.0, true)] {
            let block = Block::jelly(size, cells, [0.0, 0.5 * thick, 0.0], 1e9);
            let (mut simulation, report) = initialised(&on(&shape(0.5 * thick * share), &[block]));
            let what = format!("{share} {:?} {:?}", report.contact, report.stability);
            assert!(
                report.infeasible.is_empty() && report.residual.after <= 1e-8,
                "{what}: {} {:?}",
                report.residual.after,
                report.infeasible
            );
            // What is told of a contact is the force on the body.
            let forces = simulation.contact_forces();
            let weight = 9.81 * simulation.system.masses.iter().sum::<f64>();
            assert!(forces.iter().all(|contact| (contact.node as usize) < simulation.system.body_nodes()), "{what}");
            let carried = forces.iter().map(|contact| contact.force.y).sum::<f64>();
            assert!((carried / weight - 1.0).abs() <= 1e-8, "{what}: {carried} of {weight} N");
            let verdict = report.stability.unwrap().verdict;
            assert_eq!(verdict, if stable { Verdict::Stable } else { Verdict::Unstable }, "{what}");
        }
    }
}

/// However fast and however large what falls is, and whatever it falls on: it does not pass through, nor is it led around.
#[test]
fn what_falls_fast_is_stopped() {
    let large = [0.1; 3];
    let small = [0.02; 3];
    let slab = |size: [f64; 3]| json!({ "box": { "center": [0, -0.5 * size[1], 0], "size": size } });
    let torus = json!({ "torus": { "center": [0, -0.02, 0], "axis": [0, 1, 0], "ring_radius": 0.05, "tube_radius": 0.02 } });
    let spike = json!({ "revolution": { "center": [0, 0, 0], "axis": [0, 1, 0], "profile": [[0.05, -0.1], [0.0, 0.0]] } });
    for (shape, size) in [
        (ball(0.03), large),
        (ball(0.05), small),
        (ball(0.3), large),
        (capsule(0.01), large),
        (capsule(0.05), small),
        (capsule(0.3), large),
        (slab([0.06, 0.06, 0.06]), large),
        (slab([0.3, 0.02, 0.3]), large),
        (slab([0.3, 0.02, 0.3]), small),
        (torus, large),
        (spike.clone(), large),
    ] {
        let impacts = [("neo_hookean", 60.0, 1e8), ("neo_hookean", 5.0, 1e6), ("neo_hookean", 60.0, 1e6), ("stvk", 20.0, 1e7)];
        // The last two would drive a spike through what is so soft.
        let count = if shape == spike { 2 } else { 4 };
        for (law, speed, young) in impacts.into_iter().take(count) {
            let mut block = Block::jelly(size, [2; 3], [0.0, 0.7 * size[1], 0.0], young);
            block.material["law"] = json!(law);
            let mut simulation = on(&shape, &[block]).build().unwrap_or_else(|problem| panic!("{problem}"));
            simulation.initialise(Method::Naive, &Unwatched).unwrap();
            simulation.kick(-speed * Vec3::y());
            let what = format!("{shape} {law} {speed} {young}");
            let nodes = simulation.system.body_nodes();
            let middle = |of: &[Vec3]| of[..nodes].iter().map(|x| x.y).sum::<f64>() / nodes as f64;
            for _ in 0..4 {
                simulation.step(&Unwatched).unwrap_or_else(|error| panic!("{what}: {error}"));
                let height = middle(&simulation.state.positions);
                assert!(height > 0.0, "{what}: it is at {height} m");
            }
            let velocity = middle(&simulation.state.velocities);
            assert!(velocity > -0.5 * speed, "{what}: it falls at {velocity} m/s");
        }
    }
}

/// A pyramid on its tip: the tip is a corner on the axis between two nodes of its chain. It balances, and it falls.
#[test]
fn a_corner_stands_on_a_capsule_and_falls() {
    let tilt = f64::sqrt(2.0).atan().to_degrees();
    for radius in [0.02, 0.1, 1.0] {
        for along in [0.0, 0.0123, 0.0371] {
            let block =
                Block { rotate_degrees: [45.0, 0.0, 90.0 - tilt], ..Block::jelly([0.1; 3], [2; 3], [0.0, 0.05 * 3f64.sqrt(), along], 1e7) };
            let (_, report) = initialised(&on(&capsule(radius), &[block]));
            let what = format!("{radius} {along}: {:?}", report.contact);
            assert!(report.infeasible.is_empty() && report.residual.after <= 1e-8, "{what}: {:?}", report.infeasible);
            assert_eq!(report.stability.unwrap().verdict, Verdict::Unstable, "{what}");
        }
    }
}

/// Something rests on an obstacle until that is taken away, and then it falls as in a vacuum; set back it rests again, and a run repeats.
#[test]
fn every_obstacle_can_be_taken_away() {
    let gone_at = 0.1;
    let torus =
        json!({ "torus": { "center": [0, -0.02, 0], "axis": [0, 1, 0], "ring_radius": 0.03, "tube_radius": 0.02, "segments": 24 } });
    let slab = |side: f64| json!({ "box": { "center": [0, -0.5 * side, 0], "size": [side, side, side] } });
    let plane = json!({ "half_space": { "point": [0, 0, 0], "normal": [0, 1, 0] } });
    for shape in [ball(0.2), capsule(0.2), torus, slab(0.04), slab(0.4), plane] {
        let block = Block::jelly([0.1; 3], [2; 3], [0.0, 0.05, 0.0], 1e7);
        let mut blocks = on(&shape, &[block]);
        blocks.scene["obstacles"][0]["removed_at"] = json!(gone_at);
        let (mut simulation, report) = initialised(&blocks);
        assert!(report.residual.after <= 1e-8 && report.infeasible.is_empty(), "{shape}: {:?}", report.infeasible);
        let nodes = simulation.system.body_nodes();
        let run = |simulation: &mut Simulation| {
            for step in 1..=30 {
                let stats = simulation.step(&Unwatched).unwrap();
                let seconds = simulation.state.time - gone_at;
                if step <= 10 {
                    assert!(stats.drift <= 1e-8 && stats.contacts > 0, "{shape}: {}", stats.drift);
                } else {
                    let momentum = |n: usize| -simulation.system.masses[n] * simulation.state.velocities[n].y;
                    let falls = (0..nodes).map(momentum).sum::<f64>() / simulation.system.masses[..nodes].iter().sum::<f64>();
                    assert!((falls - 9.81 * seconds).abs() <= 1e-6 * 9.81 * seconds, "{shape}: {falls} m/s after {seconds} s");
                    assert_eq!(stats.contacts, 0, "{shape}");
                }
            }
            simulation.state.positions.clone()
        };
        let first = run(&mut simulation);
        simulation.reset();
        assert!(run(&mut simulation) == first, "{shape}: a run repeats");
        // What is asked of the start is answered for the start, whoever has gone since.
        let again = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
        assert_eq!((again.residual.after, again.contact.active), (report.residual.after, report.contact.active), "{shape}");
    }
}

/// An arch stands on a large ball with its two feet, which it sees in nearly one direction: they are two contacts all the same.
#[test]
fn feet_that_stand_on_one_ball_are_contacts_of_their_own() {
    for radius in [1.0, 3.0, 10.0] {
        let shape = json!({ "sphere": { "center": [0, -radius, 0], "radius": radius } });
        let arch = |height: f64| {
            let block = Block::jelly([0.3, 0.05, 0.1], [8, 1, 2], [0.0, height, 0.0], 1e8);
            on(&shape, &[Block { form: Form::Bent(0.2), ..block }])
        };
        let center = Vec3::new(0.0, -radius, 0.0);
        // Lowered until its lowest points touch.
        let mut height = 0.5;
        for _ in 0..20 {
            let simulation = arch(height).build().unwrap();
            let nodes = 0..simulation.system.body_nodes();
            height -= nodes.map(|n| (simulation.system.positions[n] - center).norm() - radius).fold(f64::INFINITY, f64::min);
        }
        let (_, report) = initialised(&arch(height));
        assert!(report.infeasible.is_empty() && report.residual.after <= 1e-8, "{radius}: {:?} {:?}", report.infeasible, report.contact);
        assert!(report.contact.active >= 2, "{radius}: {:?}", report.contact);
    }
}
