//! What integrators do in the steps where something touches, seen from outside: by positions, velocities and energies.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use aplomb_sim::contact::Balance;
use aplomb_sim::contact::ContactMemory;
use aplomb_sim::math::Vec3;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::step::{State, StepStats};
use aplomb_sim::system::System;
use aplomb_sim::watch::Unwatched;
use aplomb_tests::{BoxBody, above_ground};

const JELLY: BoxBody =
    BoxBody { size: Vec3::new(0.1, 0.1, 0.1), cells: [2, 2, 2], law: "neo_hookean", young: 3e4, poisson: 0.4, density: 1000.0 };

/// A cube turned by `degrees` whose lowest point is `height` [m] above a plane, or above a ground of triangles.
fn above(height: f64, degrees: [f64; 3], mesh: bool) -> System {
    above_ground(&JELLY, height, degrees, mesh.then_some((4, 0.1)))
}

/// Runs a fall by `stepper`, and shows `look` the last three states, oldest first, with the statistics of the last step, and for the end
/// of each of the last two steps the nodes that something pushes.
fn watch(
    mut system: System,
    stepper: &str,
    step_size: f64,
    steps: usize,
    mut look: impl FnMut(&System, [&State; 3], &StepStats, [&[u32]; 2]),
) {
    system.simulate.stepper = stepper.into();
    system.simulate.step_size = step_size;
    let mut simulation = Simulation::new(system);
    let (mut states, mut touching) = (vec![simulation.state.clone(); 2], Vec::new());
    for _ in 0..steps {
        let stats = simulation.step(&Unwatched).unwrap();
        let mut now: Vec<u32> = simulation.contact_forces().iter().map(|contact| contact.node).collect();
        now.sort_unstable();
        states.push(simulation.state.clone());
        let last = &states[states.len() - 3..];
        look(&simulation.system, [&last[0], &last[1], &last[2]], &stats, [&touching, &now]);
        touching = now;
    }
}

const FALLS: [[f64; 3]; 4] = [[0.0, 0.0, 0.0], [0.0, 0.0, 45.0], [20.0, 0.0, 10.0], [33.0, 50.0, 5.0]];

/// Under the midpoint rule the velocity of a node that is pushed is that of its way, and of all others twice that less the one before: a
/// node that stays on the ground would else swing for ever.
#[test]
fn pushed_nodes_are_calm_under_the_midpoint_rule() {
    let (mut calm, mut free) = (0, 0);
    for degrees in FALLS {
        watch(above(0.02, degrees, false), "midpoint", 0.005, 40, |system, [_, x, y], stats, [_, touching]| {
            if stats.substeps != 1 || stats.by_backward_euler != 0 {
                return;
            }
            let speed = y.velocities.iter().map(|v| v.norm()).fold(0.1, f64::max);
            for n in 0..system.positions.len() {
                let way = (y.positions[n] - x.positions[n]) / 0.005;
                if touching.binary_search(&(n as u32)).is_ok() {
                    assert!((y.velocities[n] - way).norm() < 1e-9 * speed, "node {n} at {} s: {} {way}", y.time, y.velocities[n]);
                    calm += 1;
                } else if stats.contacts == 0 && (y.velocities[n] - (2.0 * way - x.velocities[n])).norm() < 1e-9 * speed {
                    free += 1;
                }
            }
        });
    }
    println!("{calm} calm, {free} free");
    assert!(calm > 100 && free > 100);
}

/// BDF2 goes by two states; a step after one in which touching began or ended goes by the last alone, as backward Euler does.
#[test]
fn bdf2_begins_anew_where_touching_began_or_ended() {
    for degrees in FALLS {
        let (mut changed, mut anew, mut on) = (false, 0, 0);
        watch(above(0.02, degrees, false), "bdf2", 0.005, 40, |system, [w, x, y], stats, [before, now]| {
            let speed = y.velocities.iter().map(|v| v.norm()).fold(0.1, f64::max);
            let error = |two: bool| {
                let of = |n: usize| {
                    let [w, x, y] = [w, x, y].map(|state| state.positions[n]);
                    if two { (1.5 * y - 2.0 * x + 0.5 * w) / 0.005 } else { (y - x) / 0.005 }
                };
                (0..system.positions.len()).map(|n| (y.velocities[n] - of(n)).norm()).fold(0.0, f64::max) / speed
            };
            if stats.substeps == 1 && changed {
                assert!(error(false) < 1e-9 && error(true) > 1e-6, "{} s: {:e}", y.time, error(false));
                anew += 1;
            } else if stats.substeps == 1 && before.is_empty() && y.time > 0.011 {
                assert!(error(true) < 1e-9, "{} s: {:e}", y.time, error(true));
                on += 1;
            }
            changed = before.is_empty() != now.is_empty();
        });
        assert!(anew > 0 && on > 3, "{degrees:?}: {anew} {on}");
    }
}

/// A barrier that is pressed to a hundredth of its distance is made stiffer where its energy is there to be spent, and else left.
#[test]
fn a_pressed_barrier_is_made_stiffer_out_of_what_there_is() {
    for mesh in [false, true] {
        let probe = above(1.0, [0.0; 3], mesh);
        let distance = probe.contact.barrier_distance * probe.diagonal;
        let system = above(2.0 * distance, [0.0; 3], mesh);
        let mut memory = ContactMemory::new(&system, &Balance::default());
        for (gap, stiffens) in [(0.005, true), (0.02, false)] {
            let mut x = system.positions.clone();
            system.bodies[0].nodes.clone().for_each(|n| x[n].y -= (2.0 - gap) * distance);
            let (pressed, energy) = {
                let mut contact = memory.freeze(&system, &x, 0.0);
                (contact.pressed(&x), contact.energy(&x))
            };
            assert!(energy > 0.0);
            let mut after = |spare: f64| {
                memory.stiffen_if_pressed(&pressed, &system.surface.points, &x, spare);
                memory.freeze(&system, &x, 0.0).energy(&x) / energy
            };
            assert_eq!(after(0.999 * energy), 1.0, "{mesh} {gap}");
            let ratio = after(1.001 * energy);
            assert!((ratio - if stiffens { 2.0 } else { 1.0 }).abs() < 1e-12, "{mesh} {gap}: {ratio}");
        }
    }
}

/// Thrown onto the ground at many times the speed of its fall, a cube never has more energy than it came with. BDF2 that did not begin anew
/// where it touches would gain a tenth.
#[test]
fn a_hard_impact_adds_no_energy() {
    let mut worst = 0.0f64;
    for speed in [5.0, 15.0] {
        for stepper in ["backward_euler", "bdf2", "midpoint"] {
            let mut system = above(0.01, [0.0; 3], false);
            system.initial_velocities = vec![Vec3::new(0.0, -speed, 0.0); system.positions.len()];
            system.simulate.stepper = stepper.into();
            system.simulate.step_size = 1e-4;
            let mut simulation = Simulation::new(system);
            let mut energies: Vec<f64> = (0..150).map(|_| simulation.step(&Unwatched).unwrap().total).collect();
            let start = energies[0];
            let excess = energies.drain(..).map(|energy| energy / start - 1.0).fold(f64::NEG_INFINITY, f64::max);
            println!("{stepper} {speed} {excess:e}");
            worst = worst.max(excess);
        }
    }
    assert!(worst <= 1e-4, "{worst:e}");
}
