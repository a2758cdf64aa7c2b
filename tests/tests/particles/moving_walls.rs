//! Material points and walls that move: floors that lift and carry, and presses.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::scene::{DENSITY, Particles, SPACING, lattice, run};
use aplomb_sim::math::Vec3;
use aplomb_sim::scene::Method;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::watch::Unwatched;
use serde_json::{Value, json};

/// A plane with keyframes of time [s] and translation [m].
fn plane(name: &str, point: [f64; 3], normal: [f64; 3], friction: f64, keyframes: &[(f64, [f64; 3])]) -> Value {
    let keyframes: Vec<Value> = keyframes.iter().map(|(time, translate)| json!({ "time": time, "translate": translate })).collect();
    let shape = json!({ "half_space": { "point": point, "normal": normal } });
    json!({ "name": name, "shape": shape, "friction": friction, "motion": { "keyframes": keyframes } })
}

fn mean(of: &[Vec3]) -> Vec3 {
    of.iter().sum::<Vec3>() / of.len() as f64
}

/// A block that stands on a floor, balanced, and the floor with it, which stays for a while.
fn carried(friction: f64, velocity: [f64; 3]) -> Simulation {
    let mut block = Particles::elastic(&lattice([8, 6, 8], 0.0), "neo_hookean");
    let floor = plane("floor", [0.0; 3], [0.0, 1.0, 0.0], friction, &[(0.0, [0.0; 3]), (0.1, [0.0; 3]), (1.1, velocity)]);
    block.scene["obstacles"] = json!([floor]);
    let (simulation, report) = block.initialised(Method::SagFree);
    assert!(report.residual.balanced, "{:?}", report.residual);
    simulation
}

/// Until it moves a floor is one that stands, and what stands on it rests to round-off; then it lifts what stands on it, and takes along what sticks to it,
/// as fast as it goes itself, and a smooth one goes away under it.
#[test]
fn a_floor_lifts_and_takes_along() {
    for (friction, velocity) in [(0.8, [0.0, 0.3, 0.0]), (0.8, [0.3, 0.0, 0.1]), (0.0, [0.3, 0.0, 0.0])] {
        let mut simulation = carried(friction, velocity);
        let given = mean(&simulation.state.positions[..384]);
        let (drift, last) = run(&mut simulation, 0.1);
        assert!(drift < 1e-12 && last.friction.abs() < 1e-12, "{drift:e}");
        run(&mut simulation, 0.8);
        let moved = mean(&simulation.state.positions[..384]) - given;
        let speed = mean(&simulation.state.velocities[..384]);
        let [expected, velocity] = [0.8 * Vec3::from(velocity), Vec3::from(velocity)];
        println!("friction {friction}: moved {moved:?} of {expected:?}, at {speed:?} of {velocity:?}");
        if friction == 0.0 {
            assert!(moved.norm() < 1e-9, "{moved}");
        } else {
            // Walls act on nodes: where one comes to the next layer of them is known to a share of a cell.
            let most = if velocity.y > 0.0 { 0.3 * 2.0 * SPACING } else { 0.03 * expected.norm() };
            assert!((moved - expected).norm() < most, "{moved} {expected}");
            assert!(velocity.y > 0.0 || (speed - velocity).norm() < 0.1 * velocity.norm(), "{speed} {velocity}");
        }
        // The floor itself is where it should be.
        let floor = mean(&simulation.state.positions[384..]) - mean(&simulation.system.positions[384..]);
        assert!((floor - expected).norm() < 1e-9, "{floor}");
    }
}

/// A floor that moves at a steady speed is seen by what moves along with it as one that stands.
#[test]
fn what_moves_along_with_its_floor_rests() {
    let velocity = [0.2, 0.0, -0.1];
    let mut block = Particles::elastic(&lattice([6, 6, 6], 0.0), "neo_hookean");
    block.scene["obstacles"] = json!([plane("floor", [0.0; 3], [0.0, 1.0, 0.0], 0.5, &[(0.0, [0.0; 3]), (10.0, [2.0, 0.0, -1.0])])]);
    block.scene["bodies"][0]["velocity"] = json!(velocity);
    let (mut simulation, report) = block.initialised(Method::SagFree);
    assert!(report.residual.balanced);
    let start = simulation.state.positions.clone();
    run(&mut simulation, 0.5);
    let way = 0.5 * Vec3::from(velocity);
    let apart = (0..216).map(|p| (simulation.state.positions[p] - start[p] - way).norm()).fold(0.0, f64::max);
    println!("{apart:.1e} m from moving along");
    assert!(apart < 1e-3, "{apart:e}");
}

/// Metal between two smooth plates: pressed past where it flows it stays as short as it was pressed, but for what is elastic, sigma / E along the press, and
/// keeps its volume; pressed less it comes back.
#[test]
fn a_press_leaves_metal_short_but_for_what_springs_back() {
    const YIELD: f64 = 3e3;
    let counts = [6, 16, 6];
    let height = counts[1] as f64 * SPACING;
    let pressed = |depth: f64| {
        let mut block = Particles::metal(&lattice(counts, 0.0), YIELD);
        block.scene["gravity"] = json!([0, 0, 0]);
        let down = [0.0, -depth, 0.0];
        let plate =
            plane("plate", [0.0, height, 0.0], [0.0, -1.0, 0.0], 0.0, &[(0.0, [0.0; 3]), (0.8, down), (1.0, down), (1.4, [0.0; 3])]);
        block.floor(0.0);
        block.scene["obstacles"].as_array_mut().unwrap().push(plate);
        let mut simulation = block.initialised(Method::SagFree).0;
        let high = |simulation: &Simulation| {
            let of = |top: bool| {
                let is_of = |p: &usize| {
                    (simulation.system.positions[*p].y > height - 0.6 * SPACING) == top
                        && (top || simulation.system.positions[*p].y < 0.6 * SPACING)
                };
                let layer: Vec<Vec3> = (0..576).filter(is_of).map(|p| simulation.state.positions[p]).collect();
                mean(&layer).y
            };
            (of(true) - of(false)) / (height - SPACING)
        };
        run(&mut simulation, 1.0);
        let under = high(&simulation);
        let steps = (0..100).map(|_| (simulation.step(&Unwatched).unwrap(), high(&simulation))).collect::<Vec<_>>();
        let after = steps[60..].iter().map(|step| step.1).sum::<f64>() / 40.0;
        let volume = steps[99].0.volume * DENSITY / simulation.system.masses.iter().sum::<f64>();
        (under, after, volume)
    };
    let (under, after, volume) = pressed(0.25 * height);
    println!("pressed to {under:.4}, comes back to {after:.4}, volume {volume:.6}");
    let springs = YIELD / 2e5;
    assert!(under < 0.82 && after < 0.85, "{under} {after}");
    assert!(((after / under).ln() / springs - 1.0).abs() < 0.5, "{:e} of {springs:e}", (after / under).ln());
    assert!((volume - 1.0).abs() < 2e-3, "{volume}");
    let (under, after, _) = pressed(0.008 * height);
    println!("pressed to {under:.4}, comes back to {after:.4}");
    assert!(under < 0.998 && (after - 1.0).abs() < 1e-3, "{under} {after}");
}
