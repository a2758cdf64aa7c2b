//! A hand that pulls, and a gust: both obey Newton, whatever the stepper, and leave no trace when they are gone.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use aplomb_sim::math::{Mat3, Vec3};
use aplomb_sim::simulation::Simulation;
use aplomb_sim::step::StepStats;
use aplomb_sim::system::{Gust, System};
use aplomb_sim::watch::Unwatched;
use aplomb_tests::{BoxBody, World};

const BOX: BoxBody =
    BoxBody { size: Vec3::new(0.1, 0.12, 0.08), cells: [3, 3, 3], law: "neo_hookean", young: 2e4, poisson: 0.3, density: 1000.0 };

const STEPPERS: [(&str, f64); 6] = [
    ("backward_euler", 0.01),
    ("baraff_witkin", 0.01),
    ("bdf2", 0.01),
    ("midpoint", 0.01),
    ("symplectic_euler", 1e-4),
    ("forward_euler", 1e-4),
];

/// A box in empty space.
fn floating(stepper: &str, step_size: f64) -> System {
    let mut system = World::default().body(&BOX, |x: Vec3| Mat3::identity() * x).finish(0.0);
    system.gravity = Vec3::zeros();
    system.simulate.stepper = stepper.into();
    system.simulate.step_size = step_size;
    system
}

/// Takes hold of a corner.
fn take(simulation: &mut Simulation, rate: f64, strength: f64) {
    let hand = simulation.system.hand_at(0, &simulation.state.positions, rate, strength);
    simulation.system.hand = Some(hand.expect("a corner is free"));
}

fn pull_to(simulation: &mut Simulation, target: Vec3) {
    simulation.system.hand.as_mut().unwrap().target = target;
}

fn mass(system: &System) -> f64 {
    system.masses.iter().sum()
}

#[test]
fn momentum_changes_by_the_impulse_of_the_hand() {
    for (stepper, step_size) in STEPPERS {
        // A gentle pull, and one that is at the limit of its force.
        for strength in [1e3, 0.05] {
            let mut simulation = Simulation::new(floating(stepper, step_size));
            take(&mut simulation, 4.0, strength);
            let start = simulation.system.hand.as_ref().unwrap().target;
            pull_to(&mut simulation, start + Vec3::new(-0.05, 0.02, 0.01));
            let mut impulse = Vec3::zeros();
            let steps = (0.2 / step_size).round() as usize;
            let mut momenta = Vec::new();
            for _ in 0..steps {
                let last: StepStats = simulation.step(&Unwatched).unwrap();
                momenta.push(last.momentum);
                impulse += step_size * last.hand;
                assert!(last.hand.norm() <= strength * mass(&simulation.system) * 9.81 * (1.0 + 1e-9), "{stepper}: {}", last.hand.norm());
            }
            // Second differences add up to what they are at the end, but for the first step, which is one of backward Euler.
            let gained = match (stepper, momenta.as_slice()) {
                ("bdf2", [first, .., before, last]) => 1.5 * last - 0.5 * before - 0.5 * first,
                (_, [.., last]) => *last,
                _ => Vec3::zeros(),
            };
            let off = (gained - impulse).norm() / impulse.norm();
            println!("{stepper}, strength {strength}: impulse {:.2e} N s, off by {off:.1e}", impulse.norm());
            assert!(impulse.norm() > 0.0 && off <= 1e-7, "{stepper}, strength {strength}: {off}");
        }
    }
}

#[test]
fn what_is_held_comes_to_the_hand_and_stays_there() {
    for (stepper, step_size) in STEPPERS.into_iter().filter(|(name, _)| *name != "forward_euler") {
        let mut simulation = Simulation::new(floating(stepper, step_size));
        take(&mut simulation, 4.0, 100.0);
        let target = simulation.system.hand.as_ref().unwrap().target + Vec3::new(0.05, 0.1, 0.0);
        pull_to(&mut simulation, target);
        for _ in 0..(1.5 / step_size).round() as usize {
            simulation.step(&Unwatched).unwrap();
        }
        let away = (simulation.system.hand.as_ref().unwrap().middle(&simulation.state.positions) - target).norm();
        println!("{stepper}: {away:.1e} m away");
        assert!(away < 2e-2, "{stepper}: {away}");
    }
}

/// As stiff as can be, and pulled a body's length within a step.
#[test]
fn no_stiffness_of_the_hand_breaks_an_implicit_stepper() {
    for (stepper, step_size) in [("backward_euler", 0.01), ("bdf2", 0.01), ("midpoint", 0.01), ("quasi_static", 0.01)] {
        let mut system = floating(stepper, step_size);
        // Held at the far side, so that statics has an answer.
        let far = system.positions.iter().map(|p| p.x).fold(0.0, f64::max);
        for n in 0..system.positions.len() {
            system.fixed[n] |= system.positions[n].x > far - 1e-9;
        }
        let mut simulation = Simulation::new(system);
        take(&mut simulation, 1e4, 50.0);
        let target = simulation.system.hand.as_ref().unwrap().target + Vec3::new(-0.1, 0.05, 0.0);
        pull_to(&mut simulation, target);
        for _ in 0..40 {
            let stats = simulation.step(&Unwatched).unwrap();
            assert!(stats.kinetic.is_finite() && stats.inversions == 0, "{stepper}");
        }
        // Let go, it comes back.
        simulation.let_go();
        for _ in 0..100 {
            simulation.step(&Unwatched).unwrap();
        }
        let drift = simulation.step(&Unwatched).unwrap();
        assert!(drift.hand == Vec3::zeros() && drift.drift < 0.5, "{stepper}: {}", drift.drift);
    }
}

#[test]
fn a_hand_holds_what_is_free_and_hangs_together() {
    let mut system = floating("backward_euler", 0.01);
    let x = system.positions.clone();
    let grip = system.grip(0, 0.05, &x);
    assert!(grip.len() > 1 && (grip.iter().map(|(_, share)| share).sum::<f64>() - 1.0).abs() < 1e-12);
    assert!(grip.iter().all(|&(n, _)| (x[n as usize] - x[0]).norm() < 0.05));
    // However small the hand, it holds the node itself.
    assert_eq!(system.grip(0, 1e-6, &x), [(0, 1.0)]);
    system.fixed[0] = true;
    assert!(system.grip(0, 1e-6, &x).is_empty());
    assert!(system.grip(0, 0.05, &x).iter().all(|(n, _)| *n != 0) && system.grip(0, 0.05, &x).len() > 1, "what is free about it");
    system.fixed.iter_mut().for_each(|fixed| *fixed = true);
    assert!(system.hand_at(0, &x, 4.0, 1.0).is_none());
}

#[test]
fn a_run_with_a_hand_that_came_and_went_before_is_the_same_to_the_bit() {
    let run = |touched: bool| {
        let mut simulation = Simulation::new(floating("backward_euler", 0.01));
        simulation.kick(Vec3::new(0.1, 0.0, 0.3));
        if touched {
            take(&mut simulation, 4.0, 10.0);
            simulation.let_go();
        }
        (0..5).map(|_| simulation.step(&Unwatched).unwrap().without_times()).collect::<Vec<_>>()
    };
    assert_eq!(run(true), run(false));
}

#[test]
fn a_gust_pushes_as_its_air_does_and_is_over() {
    let mut simulation = Simulation::new(floating("backward_euler", 0.005));
    simulation.system.gust = Some(Gust { velocity: 20.0 * Vec3::x(), from: 0.05, length: 0.2 });
    let mut momenta = Vec::new();
    for _ in 0..80 {
        momenta.push(simulation.step(&Unwatched).unwrap().momentum.x);
    }
    assert!(momenta[8].abs() < 1e-12, "nothing before it rises: {}", momenta[8]);
    // c_d rho / 2 A times the square of (1 - cos)/2 of the speed, whose mean is 3/8; the box hardly moves meanwhile.
    let expected = 0.5 * 1.1 * 1.2 * 0.12 * 0.08 * 400.0 * 0.375 * 0.2;
    assert!((momenta[55] / expected - 1.0).abs() < 0.05, "{} instead of {expected}", momenta[55]);
    assert!((momenta[79] - momenta[55]).abs() < 1e-9 * momenta[55], "over is over");
}
