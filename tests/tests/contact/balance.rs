//! Sag-free contact: exact cones in the global stage, and a stepper that carries the solved forces.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use aplomb_sim::math::Vec3;
use aplomb_sim::scene::Method;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::stats::report::InfeasibilityCode;
use aplomb_sim::watch::Unwatched;
use aplomb_tests::{BoxBody, add_half_space};

const JELLY: BoxBody =
    BoxBody { size: Vec3::new(0.2, 0.2, 0.2), cells: [4, 4, 4], law: "neo_hookean", young: 2e4, poisson: 0.4, density: 1000.0 };

/// A jelly box on a slope of `degrees`, its side down the slope.
fn on_slope(degrees: f64, friction: f64) -> Simulation {
    let mut system = JELLY.system(|_| false);
    let angle = degrees.to_radians();
    system.gravity = 9.81 * Vec3::new(angle.sin(), -angle.cos(), 0.0);
    add_half_space(&mut system, [0.0; 3], [0.0, 1.0, 0.0], friction);
    Simulation::new(system)
}

fn drift_after(simulation: &mut Simulation, steps: usize) -> f64 {
    (0..steps).map(|_| simulation.step(&Unwatched).unwrap().drift).fold(0.0, f64::max)
}

#[test]
fn normal_forces_sum_to_the_weight() {
    let mut simulation = on_slope(0.0, 0.5);
    let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    let weight = 9.81 * 1000.0 * 0.008;
    assert!(report.infeasible.is_empty(), "{:?}", report.infeasible);
    assert!(report.residual.after <= 1e-8, "{}", report.residual.after);
    assert!((report.contact.total_normal_force - weight).abs() <= 1e-7 * weight, "{}", report.contact.total_normal_force - weight);
    assert!(report.contact.active >= 10);
    assert!(report.contact.min_normal_force.unwrap() >= 0.0);
    assert!(report.contact.max_cone_violation <= 1e-9);
}

#[test]
fn a_box_on_the_ground_and_on_a_slope_stays() {
    for degrees in [0.0, 20.0] {
        let mut simulation = on_slope(degrees, 0.5);
        let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
        assert!(report.residual.after <= 1e-8, "{degrees}: {}", report.residual.after);
        let drift = drift_after(&mut simulation, 100);
        assert!(drift <= 1e-8, "{degrees} degrees: {drift}");

        simulation.initialise(Method::Naive, &Unwatched).unwrap();
        let drift = drift_after(&mut simulation, 50);
        assert!(drift >= 1e-2, "{degrees} degrees, naive: {drift}");
    }
}

#[test]
fn a_slope_too_steep_for_its_friction_is_named() {
    let mut simulation = on_slope(30.0, 0.5);
    let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    let found = &report.infeasible[0];
    assert_eq!(found.code, InfeasibilityCode::TooLittleFriction, "{}", found.message);
    let named: f64 = found.message.split("about ").nth(1).unwrap().parse().unwrap();
    assert!((named - 30.0_f64.to_radians().tan()).abs() < 0.03, "{}", found.message);
}

#[test]
fn a_kick_is_felt_and_dies_away() {
    let mut system = JELLY.system(|_| false);
    system.set_damping(0.02);
    add_half_space(&mut system, [0.0; 3], [0.0, 1.0, 0.0], 0.5);
    let mut simulation = Simulation::new(system);
    simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    simulation.kick(Vec3::repeat(1e-3 / 3.0_f64.sqrt()));
    let peak = drift_after(&mut simulation, 100);
    let end = drift_after(&mut simulation, 400);
    let last = simulation.step(&Unwatched).unwrap().drift;
    assert!(peak >= 1e-7, "{peak}");
    assert!(last < 0.1 * peak && last <= 1e-7, "peak {peak}, after {end}, last {last}");
}
