//! What collisions keep: linear momentum in every stepper. Angular momentum is kept between them under the midpoint rule.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use aplomb_sim::math::{Vec3, rotation};
use aplomb_sim::simulation::Simulation;
use aplomb_sim::step::StepStats;
use aplomb_sim::step::measure;
use aplomb_sim::system::System;
use aplomb_sim::watch::Unwatched;
use aplomb_tests::{BoxBody, World, fitted_order};

const BOX: BoxBody =
    BoxBody { size: Vec3::new(0.1, 0.12, 0.08), cells: [2, 2, 2], law: "neo_hookean", young: 2e4, poisson: 0.3, density: 1000.0 };

/// Two boxes in empty space that spin and are about to hit each other off centre.
fn colliding(stepper: &str, step_size: f64, friction: f64) -> System {
    let place = |degrees: [f64; 3], centre: Vec3| move |x: Vec3| rotation(degrees) * (x - 0.5 * BOX.size) + centre;
    let world = World::default()
        .body(&BOX, place([0.0; 3], Vec3::new(0.3, 0.2, -0.1)))
        .body(&BOX, place([10.0, 30.0, 20.0], Vec3::new(0.43, 0.24, -0.08)));
    let mut system = world.finish(friction);
    let motions = [(Vec3::new(0.9, 0.1, 0.0), Vec3::new(1.0, -2.0, 4.0)), (Vec3::new(-0.5, 0.0, 0.2), Vec3::new(-3.0, 1.0, 3.0))];
    system.initial_velocities = vec![Vec3::zeros(); system.positions.len()];
    for (body, (velocity, spin)) in system.bodies.iter().zip(motions) {
        let centre = body.nodes.clone().map(|n| system.positions[n]).sum::<Vec3>() / body.nodes.len() as f64;
        for n in body.nodes.clone() {
            system.initial_velocities[n] = velocity + spin.cross(&(system.positions[n] - centre));
        }
    }
    system.simulate.stepper = stepper.into();
    system.simulate.step_size = step_size;
    system.contact.barrier_distance = 0.02;
    // The barrier is made for the step size; here it stays the same for all.
    system.contact.stiffness = (step_size / 0.005).powi(2);
    system
}

fn run(system: System, seconds: f64) -> (Simulation, Vec<StepStats>) {
    let steps = (seconds / system.simulate.step_size).round() as usize;
    let mut simulation = Simulation::new(system);
    let stats = (0..steps).map(|_| simulation.step(&Unwatched).unwrap()).collect();
    (simulation, stats)
}

/// Largest change of linear momentum over the sum of all |m v| at the start.
fn momentum_lost(system: &System, stats: &[StepStats]) -> f64 {
    let v = &system.initial_velocities;
    let size: f64 = system.masses.iter().zip(v).map(|(m, v)| m * v.norm()).sum();
    let start = measure::momentum(system, v);
    stats.iter().map(|s| (s.momentum - start).norm()).fold(0.0, f64::max) / size
}

/// Change of angular momentum from the start to each step, over its size at the start.
fn spin_lost(system: &System, stats: &[StepStats]) -> Vec<f64> {
    let start = measure::angular_momentum(system, &system.positions, &system.initial_velocities);
    stats.iter().map(|s| (s.angular_momentum - start).norm() / start.norm()).collect()
}

/// Bodies that collide with friction, at the default tolerance.
#[test]
fn linear_momentum_is_kept_by_every_stepper() {
    for (stepper, step_size) in [
        ("backward_euler", 0.01),
        ("baraff_witkin", 0.01),
        ("bdf2", 0.01),
        ("midpoint", 0.01),
        ("symplectic_euler", 1e-4),
        ("forward_euler", 1e-4),
    ] {
        let (simulation, stats) = run(colliding(stepper, step_size, 0.5), 0.15);
        let lost = momentum_lost(&simulation.system, &stats);
        let touching = stats.iter().filter(|s| s.contacts > 0).count();
        let rubbed = stats[stats.len() - 1].friction;
        println!("{stepper}: momentum lost {lost:.1e}, {touching} steps in contact, {rubbed:.1e} J of friction");
        assert!(touching > 2 && rubbed > 1e-6, "{stepper}");
        assert!(lost <= 1e-10, "{stepper}: {lost}");
    }
}

/// A contact force at the end of a step has no torque about the positions there, but one of h v / 2 times the force about the middle of the
/// way, which is where the rule keeps angular momentum: so only contacts change it.
#[test]
fn the_midpoint_rule_keeps_angular_momentum_between_contacts() {
    let mut system = colliding("midpoint", 0.005, 0.0);
    system.simulate.tolerance = 1e-12;
    let (simulation, stats) = run(system, 0.3);
    let start = measure::angular_momentum(&simulation.system, &simulation.system.positions, &simulation.system.initial_velocities);
    let (mut before, mut touched, mut in_flight, mut lost) = (start, false, 0, 0.0f64);
    for step in &stats {
        if !touched && step.contacts == 0 {
            lost = lost.max((step.angular_momentum - before).norm() / start.norm());
            in_flight += 1;
        }
        (before, touched) = (step.angular_momentum, step.contacts > 0);
    }
    let touching = stats.iter().filter(|s| s.contacts > 0).count();
    println!("midpoint: angular momentum lost {lost:.1e} in {in_flight} steps of flight; {touching} steps in contact");
    println!("linear {:.1e}", momentum_lost(&simulation.system, &stats));
    assert!(touching > 5 && in_flight > 20);
    assert!(lost <= 1e-12, "{lost:.2e}");
}

#[test]
fn integrators_lose_angular_momentum_in_collisions_at_their_order() {
    let sizes = [4e-4, 2e-4, 1e-4, 5e-5];
    for (stepper, least) in [("backward_euler", 0.9), ("bdf2", 1.8), ("midpoint", 0.9)] {
        let losses = sizes.map(|h| {
            let mut system = colliding(stepper, h, 0.0);
            system.simulate.tolerance = 1e-9;
            let (simulation, stats) = run(system, 0.1);
            assert!(stats.iter().any(|s| s.contacts > 0));
            spin_lost(&simulation.system, &stats).pop().unwrap()
        });
        let order = fitted_order(&sizes, &losses);
        println!("{stepper}: order {order:.2}, losses {losses:?}");
        assert!(order >= least && order < least + 1.5, "{stepper}: {order}");
    }
}
