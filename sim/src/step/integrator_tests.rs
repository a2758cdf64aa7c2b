//! The integrators on a linear oscillator: one free corner of a small-strain tetrahedron, whose closed forms are known.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::*;
use crate::element::{Batch, Element, Tet};
use crate::scene::SimulateSettings;
use crate::watch::Unwatched;

/// The apex over an equilateral base is free; the base is held. Frequencies of its sideways and its vertical motion.
struct Oscillator {
    system: System,
    frequency: f64,
    vertical: f64,
}

const MASS: f64 = 0.3;

fn oscillator() -> Oscillator {
    let corner = |k: f64| {
        let (sin, cos) = (k * std::f64::consts::TAU / 3.0).sin_cos();
        Vec3::new(0.1 * cos, 0.0, -0.1 * sin)
    };
    let positions = vec![corner(0.0), corner(1.0), corner(2.0), Vec3::new(0.0, 0.12, 0.0)];
    let law = crate::material::law("linear").unwrap();
    let corners = [positions[0], positions[1], positions[2], positions[3]];
    let tet = Batch::at_rest(&positions, &[[0, 1, 2, 3]], &[(law.build)(2e4, 0.3)]).unwrap();
    let stiffness = tet.elements[0].hessian(&corners, false)[3][3];
    assert!((stiffness[(0, 0)] - stiffness[(2, 2)]).abs() < 1e-9 * stiffness[(0, 0)] && stiffness[(0, 2)].abs() < 1e-9 * stiffness[(0, 0)]);
    let system = System {
        masses: vec![MASS; 4],
        fixed: vec![true, true, true, false],
        families: vec![Box::new(tet)],
        diagonal: 0.2,
        simulate: SimulateSettings { tolerance: 1e-12, ..SimulateSettings::default() },
        positions,
        ..System::default()
    };
    Oscillator { frequency: (stiffness[(0, 0)] / MASS).sqrt(), vertical: (stiffness[(1, 1)] / MASS).sqrt(), system }
}

impl Oscillator {
    /// Displacement and velocity of the apex after each of `steps` steps of h, from a circular orbit.
    fn orbit(&mut self, name: &str, h: f64, steps: usize) -> Vec<(Vec3, Vec3)> {
        self.path(name, h, steps, Vec3::new(1e-3, 0.0, 0.0), Vec3::new(0.0, 0.0, 1e-3 * self.frequency))
    }

    fn path(&mut self, name: &str, h: f64, steps: usize, from: Vec3, velocity: Vec3) -> Vec<(Vec3, Vec3)> {
        let mut stepper = (stepper(name).unwrap().make)();
        let mut state = State::at_rest(&self.system);
        state.positions[3] += from;
        state.velocities[3] = velocity;
        stepper.warm_start(&self.system, &Balance::default());
        let mut path = vec![(state.positions[3] - self.system.positions[3], state.velocities[3])];
        for _ in 0..steps {
            if stepper.step(&mut self.system, &mut state, h, &Unwatched).is_err() {
                break;
            }
            path.push((state.positions[3] - self.system.positions[3], state.velocities[3]));
        }
        path
    }

    /// Distance from the exact orbit after the time `end`.
    fn error(&mut self, name: &str, steps: usize, end: f64) -> f64 {
        let (sin, cos) = (self.frequency * end).sin_cos();
        let last = self.orbit(name, end / steps as f64, steps)[steps].0;
        (last - 1e-3 * Vec3::new(cos, 0.0, sin)).norm()
    }
}

/// sqrt(x^2 + (v / omega)^2).
fn amplitude((x, v): (Vec3, Vec3), frequency: f64) -> f64 {
    (x.norm_squared() + v.norm_squared() / (frequency * frequency)).sqrt()
}

#[test]
fn forward_euler_spirals_out_by_its_closed_form() {
    let mut oscillator = oscillator();
    let h = 0.1 / oscillator.frequency;
    let path = oscillator.orbit("forward_euler", h, 100);
    for pair in path.windows(2) {
        let growth = amplitude(pair[1], oscillator.frequency) / amplitude(pair[0], oscillator.frequency);
        assert!((growth - 1.01f64.sqrt()).abs() < 1e-9, "{growth}");
    }
    assert!(path[100].0.norm() > 1.5 * path[0].0.norm());
}

#[test]
fn backward_euler_spirals_in_by_its_closed_form_and_so_does_one_solve_of_linear_forces() {
    let mut oscillator = oscillator();
    let h = 0.1 / oscillator.frequency;
    for name in ["backward_euler", "baraff_witkin"] {
        let path = oscillator.orbit(name, h, 100);
        assert_eq!(path.len(), 101);
        for pair in path.windows(2) {
            let growth = amplitude(pair[1], oscillator.frequency) / amplitude(pair[0], oscillator.frequency);
            assert!((growth - 1.0 / 1.01f64.sqrt()).abs() < 1e-8, "{name}: {growth}");
        }
    }
}

/// Where symplectic Euler is thrown off, one solve is not, and at a hundred times that step neither.
#[test]
fn one_solve_is_stable_at_any_step() {
    let mut oscillator = oscillator();
    let vertical = oscillator.vertical;
    let mut amplitudes = |name, share: f64| -> Vec<f64> {
        let path = oscillator.path(name, share / vertical, 100, 1e-3 * Vec3::y(), Vec3::zeros());
        path.into_iter().map(|point| amplitude(point, vertical)).collect()
    };
    assert!(amplitudes("symplectic_euler", 2.1).iter().any(|a| *a > 1.0));
    for share in [2.1, 210.0] {
        let found = amplitudes("baraff_witkin", share);
        assert!(found.len() == 101 && found.windows(2).all(|pair| pair[1] <= pair[0]) && found[100] < 1e-12, "{share}: {}", found[100]);
    }
}

#[test]
fn symplectic_euler_is_bounded_below_its_limit_and_not_above() {
    let mut oscillator = oscillator();
    let vertical = oscillator.vertical;
    let mut largest = |share: f64, steps| {
        let path = oscillator.path("symplectic_euler", share / vertical, steps, 1e-3 * Vec3::y(), Vec3::zeros());
        path.iter().map(|(x, _)| x.norm()).fold(0.0, f64::max)
    };
    assert!(largest(0.1, 2000) < 1.2e-3);
    assert!(largest(1.9, 500) < 1e-2);
    assert!(largest(2.1, 100) > 1.0);
}

#[test]
fn the_midpoint_rule_keeps_the_orbit_and_its_angular_momentum() {
    let mut oscillator = oscillator();
    let path = oscillator.orbit("midpoint", 0.3 / oscillator.frequency, 300);
    let momentum = |(x, v): (Vec3, Vec3)| x.cross(&v).y;
    for &point in &path {
        assert!((amplitude(point, oscillator.frequency) / amplitude(path[0], oscillator.frequency) - 1.0).abs() < 1e-8);
        assert!((momentum(point) / momentum(path[0]) - 1.0).abs() < 1e-8);
    }
}

#[test]
fn bdf2_loses_less_than_backward_euler() {
    let mut oscillator = oscillator();
    let frequency = oscillator.frequency;
    let mut left = |name| amplitude(oscillator.orbit(name, 0.2 / frequency, 100)[100], frequency) / 2f64.sqrt() / 1e-3;
    assert!(left("backward_euler") < 0.2 && left("bdf2") > 0.7 && left("bdf2") < 1.0, "{} {}", left("backward_euler"), left("bdf2"));
}

/// Fitted order of the error in h over four halvings.
#[test]
fn errors_fall_at_the_order_of_each_integrator() {
    let mut oscillator = oscillator();
    let end = 3.0 / oscillator.frequency;
    for (name, order, least) in [
        ("forward_euler", 1.0, 0.9),
        ("symplectic_euler", 1.0, 0.9),
        ("backward_euler", 1.0, 0.9),
        ("baraff_witkin", 1.0, 0.9),
        ("bdf2", 2.0, 1.8),
        ("midpoint", 2.0, 1.8),
    ] {
        let errors = [40, 80, 160, 320, 640].map(|steps| oscillator.error(name, steps, end));
        let fitted = (errors[0] / errors[4]).log2() / 4.0;
        println!("{name}: order {fitted:.3}, errors {errors:?}");
        assert!(fitted >= least && fitted < order + 0.3, "{name}: {fitted}");
    }
}

#[test]
fn one_iteration_leaves_a_larger_residual_than_convergence() {
    let residual = |tolerance| {
        let mut oscillator = oscillator();
        let law = crate::material::law("neo_hookean").unwrap();
        let batch = Batch::<Tet, 4, 6>::at_rest(&oscillator.system.positions, &[[0, 1, 2, 3]], &[(law.build)(2e4, 0.3)]).unwrap();
        oscillator.system.families = vec![Box::new(batch)];
        oscillator.system.simulate.tolerance = tolerance;
        let mut stepper = (STEPPERS[0].make)();
        let mut state = State::at_rest(&oscillator.system);
        state.velocities[3] = Vec3::new(0.9, 0.3, 0.0);
        let stats = stepper.step(&mut oscillator.system, &mut state, 0.01, &Unwatched).unwrap();
        (stats.iterations, stats.residual)
    };
    let (one, converged) = (residual(1.0), residual(1e-10));
    assert!(one.0 == 1 && converged.0 > 1 && converged.1 < 1e-6 * one.1, "{one:?} {converged:?}");
}

#[test]
fn names_are_found_and_unique() {
    for entry in STEPPERS {
        assert!(std::ptr::eq(stepper(entry.name).unwrap(), entry));
    }
    assert!(stepper("leapfrog").is_none());
}
