//! Impacts at default contact settings: none gains energy, whatever the integrator and the step size, and each is solved in few
//! iterations.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use aplomb_sim::math::{Vec3, rotation};
use aplomb_sim::scene_file::{self, gallery};
use aplomb_sim::simulation::Simulation;
use aplomb_sim::step::{StepStats, measure};
use aplomb_sim::system::System;
use aplomb_sim::watch::Unwatched;
use aplomb_tests::{BoxBody, World, above_ground, fitted_order};

const JELLY: BoxBody =
    BoxBody { size: Vec3::new(0.1, 0.1, 0.1), cells: [3, 3, 3], law: "neo_hookean", young: 3e4, poisson: 0.4, density: 1000.0 };

/// SplitMix64 (Steele et al. 2014).
struct Random(u64);

impl Random {
    fn uniform(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        low + (high - low) * ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// A cube turned by `degrees` whose lowest point is `height` [m] above a plane, or above a ground of triangles.
fn drop_on(height: f64, degrees: [f64; 3], mesh: bool) -> System {
    above_ground(&JELLY, height, degrees, mesh.then_some((8, 0.05)))
}

/// Two cubes that meet at `speed` [m/s], the second turned by `degrees` and `off` [m] aside.
fn collide(speed: f64, degrees: [f64; 3], off: f64) -> System {
    let turned = move |x: Vec3| rotation(degrees) * (x - 0.5 * JELLY.size);
    let far = JELLY.mesh().0.into_iter().map(|x| turned(x).x).fold(f64::INFINITY, f64::min);
    let world = World::default()
        .body(&JELLY, |x| x - 0.5 * JELLY.size)
        .body(&JELLY, move |x| turned(x) + Vec3::new(0.05 - far + 0.01, off, 0.7 * off));
    let mut system = world.finish(0.0);
    system.initial_velocities = vec![Vec3::zeros(); system.positions.len()];
    for (body, sign) in system.bodies.iter().zip([0.5, -0.5]) {
        body.nodes.clone().for_each(|n| system.initial_velocities[n] = Vec3::new(sign * speed, 0.0, 0.0));
    }
    system
}

/// Energies of a run, each after a step and the first before all.
struct Run {
    simulation: Simulation,
    energies: Vec<f64>,
    /// Whether something touches after each step, and before the first.
    touches: Vec<bool>,
    /// Largest kinetic energy [J].
    kinetic: f64,
}

/// A run in which every step must be taken.
fn run(mut system: System, stepper: &str, step_size: f64, seconds: f64, tolerance: f64) -> Run {
    system.simulate.stepper = stepper.into();
    system.simulate.step_size = step_size;
    system.simulate.tolerance = tolerance;
    let simulation = Simulation::new(system);
    let start = measure::state(&simulation.system, &simulation.state.positions, &simulation.state.velocities, 0.0, 0.0);
    let mut run = Run { simulation, energies: vec![start.total], touches: vec![false], kinetic: start.kinetic };
    for _ in 0..(seconds / step_size).round() as usize {
        let stats: StepStats = run.simulation.step(&Unwatched).unwrap_or_else(|error| panic!("{stepper}, h = {step_size}: {error}"));
        assert!(stats.inversions == 0 && stats.min_gap > 0.0, "{stepper}, h = {step_size}");
        run.energies.push(stats.total);
        run.touches.push(stats.contacts > 0);
        run.kinetic = run.kinetic.max(stats.kinetic);
    }
    run
}

impl Run {
    /// The most that the energy ever is above that of the start, over the largest kinetic energy.
    fn excess(&self) -> f64 {
        self.energies.iter().map(|energy| energy - self.energies[0]).fold(0.0, f64::max) / self.kinetic
    }

    /// The most by which the energy grows while nothing touches, over the largest kinetic energy.
    fn excess_in_flight(&self) -> f64 {
        let (mut lowest, mut most) = (f64::INFINITY, 0.0f64);
        for (energy, touches) in self.energies.iter().zip(&self.touches) {
            lowest = if *touches { f64::INFINITY } else { lowest.min(*energy) };
            most = most.max(if lowest.is_finite() { energy - lowest } else { 0.0 });
        }
        most / self.kinetic
    }

    /// The most by which a contact, from the step before it to the one that ends it, leaves more energy than it found, over the largest
    /// kinetic energy.
    fn gain_at_contact(&self) -> f64 {
        let mut most = f64::NEG_INFINITY;
        for begun in (1..self.touches.len()).filter(|&n| self.touches[n] && !self.touches[n - 1]) {
            let ended = (begun..self.touches.len()).find(|&n| !self.touches[n]).unwrap_or(self.touches.len() - 1);
            most = most.max((self.energies[ended] - self.energies[begun - 1]) / self.kinetic);
        }
        most
    }
}

const SIZES: [f64; 5] = [0.01, 0.005, 0.002, 0.001, 0.0005];

/// A fall or a collision without friction, and how long to look at it [s].
fn impact(random: &mut Random, kind: usize) -> (System, f64) {
    let degrees = [0; 3].map(|_| random.uniform(-60.0, 60.0));
    match kind {
        0 => (drop_on(random.uniform(0.03, 0.3), [0.0; 3], false), 0.3),
        1 => (drop_on(random.uniform(0.03, 0.3), degrees, false), 0.3),
        2 => (drop_on(random.uniform(0.03, 0.3), degrees, true), 0.3),
        3 => (collide(random.uniform(0.5, 2.0), [0.0; 3], 0.0), 0.08),
        _ => (collide(random.uniform(0.5, 2.0), degrees, random.uniform(-0.04, 0.04)), 0.08),
    }
}

#[test]
fn no_impact_gains_energy_under_backward_euler_and_bdf2() {
    let mut random = Random(51);
    for kind in 0..5 {
        for (trial, stepper) in ["backward_euler", "bdf2"].into_iter().enumerate() {
            for (tolerance, bound) in [(1e-6, 1e-4), (1e-10, 1e-6)] {
                let step_size = SIZES[(kind + 2 * trial + usize::from(bound < 1e-5)) % SIZES.len()];
                let (system, seconds) = impact(&mut random, kind);
                let run = run(system, stepper, step_size, seconds, tolerance);
                println!("{kind} {stepper}, h = {step_size}: excess {:.1e}, at a contact {:.1e}", run.excess(), run.gain_at_contact());
                assert!(run.touches.contains(&true) && run.excess() <= bound, "{}", run.excess());
            }
        }
    }
}

/// The cube that falls 0.25 m and the two that meet at 1 m/s, at every step size.
#[test]
fn the_midpoint_rule_survives_impacts_and_gains_nothing_by_them() {
    let scenes: [(fn() -> System, f64); 3] = [
        (|| drop_on(0.25, [0.0; 3], false), 0.35),
        (|| drop_on(0.25, [7.0, 0.0, 11.0], false), 0.35),
        (|| collide(1.0, [0.0; 3], 0.0), 0.1),
    ];
    for (make, seconds) in scenes {
        for step_size in SIZES {
            let run = run(make(), "midpoint", step_size, seconds, 1e-6);
            let (excess, flight, gain) = (run.excess(), run.excess_in_flight(), run.gain_at_contact());
            println!("h = {step_size}: excess {excess:.1e}, in flight {flight:.1e}, at contact {gain:.1e}");
            assert!(run.touches.contains(&true) && excess <= 1e-4 && gain <= flight, "h = {step_size}: {excess} {gain} {flight}");
        }
    }
}

#[test]
fn no_random_impact_gains_energy_under_the_midpoint_rule() {
    let mut random = Random(52);
    for trial in 0..10 {
        let (system, seconds) = impact(&mut random, trial % 5);
        let step_size = SIZES[random.uniform(0.0, 4.0) as usize];
        let run = run(system, "midpoint", step_size, seconds, 1e-6);
        println!("{trial}, h = {step_size}: excess {:.1e}, at contact {:.1e}", run.excess(), run.gain_at_contact());
        assert!(run.touches.contains(&true) && run.excess() <= 1e-4 && run.gain_at_contact() <= run.excess_in_flight());
    }
}

/// The flight after an impact, without the ground, by steps of several sizes from one state.
#[test]
fn the_midpoint_rule_is_of_second_order_between_contacts() {
    let mut start = run(drop_on(0.1, [7.0, 0.0, 11.0], false), "midpoint", 0.0005, 0.2, 1e-9).simulation;
    while start.step(&Unwatched).unwrap().contacts > 0 {}
    let flight = |step_size: f64| {
        let mut system = drop_on(0.1, [7.0, 0.0, 11.0], false);
        system.pairs.clear();
        system.obstacles.clear();
        system.simulate.stepper = "midpoint".into();
        system.simulate.step_size = step_size;
        system.simulate.tolerance = 1e-11;
        let mut simulation = Simulation::new(system);
        simulation.state = start.state.clone();
        let stats: Vec<StepStats> = (0..(0.016 / step_size).round() as usize).map(|_| simulation.step(&Unwatched).unwrap()).collect();
        let extreme = |pick: fn(f64, f64) -> f64, from: f64| stats.iter().map(|step| step.total).fold(from, pick);
        (simulation.state.positions, extreme(f64::max, f64::NEG_INFINITY) - extreme(f64::min, f64::INFINITY))
    };
    let (reference, _) = flight(2.5e-5);
    let sizes = [1e-3, 5e-4, 2.5e-4];
    let (mut errors, mut swings) = (Vec::new(), Vec::new());
    for h in sizes {
        let (end, swing) = flight(h);
        errors.push(end.iter().zip(&reference).map(|(a, b)| (a - b).norm_squared()).sum::<f64>().sqrt());
        swings.push(swing);
    }
    for (what, values) in [("error", &errors), ("swing of the energy", &swings)] {
        let order = fitted_order(&sizes, values);
        println!("{what}: order {order:.3}, {values:?}");
        assert!(order > 1.8 && order < 2.5, "{what}: {order}");
    }
}

/// With friction, which Newton's method must find out to stick or slip.
#[test]
fn impacts_of_the_gallery_take_few_iterations_a_step() {
    for (name, seconds, most) in [("box_drop", 1.0, 8.0), ("torus_drop", 0.4, 9.5)] {
        let path = gallery::find(name).unwrap().path();
        let scene = scene_file::load(&path).unwrap();
        let mut simulation = Simulation::build(&scene, path.parent().unwrap(), &Unwatched).unwrap();
        simulation.initialise(scene.initialise.method, &Unwatched).unwrap();
        let steps = (seconds / simulation.system.simulate.step_size).round() as usize;
        let stats: Vec<StepStats> = (0..steps).map(|_| simulation.step(&Unwatched).unwrap()).collect();
        let touching: Vec<&StepStats> = stats.iter().filter(|step| step.contacts > 0).collect();
        let mean = f64::from(touching.iter().map(|step| step.iterations).sum::<u32>()) / touching.len() as f64;
        println!("{name}: {mean:.1} iterations in each of {} steps with contact", touching.len());
        assert!(!touching.is_empty() && mean <= most, "{name}: {mean}");
    }
}
