//! Coulomb friction on slopes and between bodies: where it holds, and how fast what it does not hold slides.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use aplomb_sim::math::{Vec3, rotation};
use aplomb_sim::mesh::TriangleMesh;
use aplomb_sim::scene::Method;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::system::System;
use aplomb_sim::watch::Unwatched;
use aplomb_tests::{BoxBody, World, add_half_space};

const G: f64 = 9.81;
const ANGLE: f64 = 20.0;
const BLOCK: BoxBody =
    BoxBody { size: Vec3::new(0.2, 0.08, 0.2), cells: [3, 2, 3], law: "neo_hookean", young: 1e5, poisson: 0.4, density: 1000.0 };

fn tangent() -> f64 {
    ANGLE.to_radians().tan()
}

/// Down the slope.
fn downhill() -> Vec3 {
    let (sin, cos) = ANGLE.to_radians().sin_cos();
    Vec3::new(cos, -sin, 0.0)
}

fn uphill_normal() -> Vec3 {
    let (sin, cos) = ANGLE.to_radians().sin_cos();
    Vec3::new(sin, cos, 0.0)
}

/// What the block lies on.
#[derive(Clone, Copy, Debug)]
enum Slope {
    HalfSpace,
    Mesh,
}

/// The block `gap` above a slope through the origin.
fn on_slope(slope: Slope, friction: f64, gap: f64) -> System {
    let place = |x: Vec3| rotation([0.0, 0.0, -ANGLE]) * (x - Vec3::new(0.1, 0.0, 0.1)) + gap * uphill_normal();
    let mut world = World::on_earth().body(&BLOCK, place);
    if let Slope::Mesh = slope {
        // Triangles that are neither aligned with the block's nor much larger.
        let lines: Vec<f64> = (-14..=14).map(|k| 0.07 * f64::from(k) + 0.013).collect();
        let square = TriangleMesh::square(&Vec3::zeros(), &uphill_normal(), &lines);
        world = world.surface(&square.positions, &square.triangles, None);
    }
    let mut system = world.finish(friction);
    system.set_damping(0.01);
    if let Slope::HalfSpace = slope {
        add_half_space(&mut system, [0.0; 3], uphill_normal().into(), friction);
    }
    system
}

/// Velocity of the centre of mass of body `b`.
fn velocity(simulation: &Simulation, b: usize) -> Vec3 {
    let (system, v) = (&simulation.system, &simulation.state.velocities);
    let nodes = || system.bodies[b].nodes.clone();
    nodes().map(|n| system.masses[n] * v[n]).sum::<Vec3>() / nodes().map(|n| system.masses[n]).sum::<f64>()
}

fn advance(simulation: &mut Simulation, steps: usize) {
    for _ in 0..steps {
        simulation.step(&Unwatched).unwrap();
    }
}

/// Speed down the slope a second after a rough start.
fn speed_after_a_second(slope: Slope, friction: f64) -> f64 {
    let mut simulation = Simulation::new(on_slope(slope, friction, 2e-4));
    advance(&mut simulation, 100);
    velocity(&simulation, 0).dot(&downhill())
}

#[test]
fn the_least_friction_that_holds_a_block_is_the_tangent_of_the_slope() {
    for slope in [Slope::HalfSpace, Slope::Mesh] {
        let (mut slides, mut holds) = (0.7, 1.3);
        while holds - slides > 4e-3 {
            let middle: f64 = 0.5 * (slides + holds);
            let speed = speed_after_a_second(slope, middle * tangent());
            println!("{slope:?}: {middle:.4} tan(angle): {speed:.2e} m/s");
            if speed > 1e-4 { slides = middle } else { holds = middle }
        }
        let critical = 0.5 * (slides + holds);
        println!("{slope:?}: critical friction {critical:.4} tan(angle)");
        assert!((critical - 1.0).abs() < 0.01, "{slope:?}: {critical}");
    }
}

#[test]
fn a_sag_free_block_holds_for_ten_seconds_with_two_percent_in_hand() {
    let mut system = on_slope(Slope::HalfSpace, 1.02 * tangent(), 0.0);
    system.initialise.friction_fraction = 0.99;
    let mut simulation = Simulation::new(system);
    let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    assert!(report.infeasible.is_empty(), "{:?}", report.infeasible);
    let drift = (0..1000).map(|_| simulation.step(&Unwatched).unwrap().drift).fold(0.0, f64::max);
    println!("drift in ten seconds {drift:.1e} of the diagonal");
    assert!(drift < 1e-6, "{drift}");
}

/// Mean acceleration down the slope between `from` and `to` seconds.
fn acceleration(simulation: &mut Simulation, b: usize, from: f64, to: f64) -> f64 {
    let steps = |seconds: f64| (seconds / simulation.system.simulate.step_size).round() as usize;
    let (first, second) = (steps(from), steps(to - from));
    advance(simulation, first);
    let before = velocity(simulation, b);
    advance(simulation, second);
    (velocity(simulation, b) - before).norm() / (to - from)
}

#[test]
fn a_sliding_block_gains_speed_by_coulombs_law() {
    let share = 0.98;
    let expected = G * (1.0 - share) * ANGLE.to_radians().sin();
    let mut simulation = Simulation::new(on_slope(Slope::HalfSpace, share * tangent(), 2e-4));
    let found = acceleration(&mut simulation, 0, 1.0, 2.0);
    let off = found / expected - 1.0;
    println!("half-space: {found} for {expected} m/s^2, off by {off:.1e}");
    assert!(off.abs() < 1e-3, "{off}");

    // On triangles the block, which friction pitches forward within the reach of the barrier, is lifted over each of their
    // corners and let down again: what friction takes is right to a small share of itself only.
    let mut simulation = Simulation::new(on_slope(Slope::Mesh, share * tangent(), 2e-4));
    let found = acceleration(&mut simulation, 0, 1.0, 2.0);
    let friction = G * ANGLE.to_radians().sin() - found;
    let off = friction / (share * G * ANGLE.to_radians().sin()) - 1.0;
    println!("mesh: {found} for {expected} m/s^2, friction off by {off:.1e}");
    assert!(off.abs() < 2e-3, "{off}");
}

/// The same from the balance of the initialiser, whose offsets fade as the block slides.
#[test]
fn a_block_that_starts_sag_free_slides_by_coulombs_law() {
    let share = 0.98;
    let expected = G * (1.0 - share) * ANGLE.to_radians().sin();
    let mut simulation = Simulation::new(on_slope(Slope::HalfSpace, share * tangent(), 0.0));
    simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    let found = acceleration(&mut simulation, 0, 0.8, 2.0);
    let off = found / expected - 1.0;
    println!("sag-free: {found} for {expected} m/s^2, off by {off:.1e}");
    assert!(off.abs() < 1e-3, "{off}");
}

/// One box on another that stands firm, with gravity tilted by `share` times the angle of friction.
fn stacked(friction: f64, share: f64) -> Simulation {
    let top = BoxBody { size: Vec3::new(0.1, 0.06, 0.1), cells: [2, 2, 2], ..BLOCK };
    let base = BoxBody { size: Vec3::new(0.6, 0.06, 0.2), cells: [6, 1, 2], young: 1e6, ..BLOCK };
    let mut world = World::default().body(&base, |x| x).body(&top, |x| x + Vec3::new(0.03, 0.06 + 2e-4, 0.053));
    let across = (share * friction).atan();
    world.system.gravity = G * Vec3::new(across.sin(), -across.cos(), 0.0);
    for n in world.system.bodies[0].nodes.clone() {
        world.system.fixed[n] = world.system.positions[n].y < 1e-9;
    }
    let mut system = world.finish(friction);
    system.set_damping(0.01);
    Simulation::new(system)
}

#[test]
fn friction_between_bodies_holds_below_its_limit_and_slides_above() {
    const FRICTION: f64 = 0.4;
    let mut held = stacked(FRICTION, 0.98);
    advance(&mut held, 100);
    let speed = velocity(&held, 1).norm();
    println!("held: {speed:.1e} m/s");
    assert!(speed < 1e-5, "{speed}");

    let mut sliding = stacked(FRICTION, 1.2);
    let found = acceleration(&mut sliding, 1, 0.3, 0.7);
    let expected = sliding.system.gravity.x + FRICTION * sliding.system.gravity.y;
    println!("sliding: {found} for {expected} m/s^2, off by {:.1e}", found / expected - 1.0);
    assert!((found / expected - 1.0).abs() < 0.01, "{found} for {expected}");
    let top = sliding.system.bodies[1].nodes.clone();
    assert!(top.into_iter().all(|n| sliding.state.positions[n].x < 0.6), "it has slid off");
}
