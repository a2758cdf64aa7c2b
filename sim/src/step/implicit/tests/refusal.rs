//! Steps that cannot be taken say so and change nothing.

use super::*;
use crate::step::{STEPPERS, StepError};
use crate::watch::{Cancelled, Watch};

/// A stepper that was refused, and that the state is as it was.
fn refused(run: &mut Run, watch: &dyn Watch) -> StepError {
    let before = run.state.clone();
    let slots = run.slots().to_vec();
    let error = run.stepper.step(&mut run.system, &mut run.state, H, watch).unwrap_err();
    assert_eq!(before.positions, run.state.positions);
    let bits = |v: &Vec3| [v.x, v.y, v.z].map(f64::to_bits);
    assert!(before.velocities.iter().map(bits).eq(run.state.velocities.iter().map(bits)));
    assert_eq!(before.time, run.state.time);
    assert_eq!(slots, run.slots());
    error
}

#[test]
fn cancelling_leaves_the_state() {
    struct Stop;
    impl Watch for Stop {
        fn progress(&self, _: &str, _: f64) {}
        fn check(&self) -> Result<(), Cancelled> {
            Err(Cancelled)
        }
    }
    let mut run = Run::new(particles(vec![Vec3::zeros()], vec![], 0.0), &Balance::default());
    assert_eq!(refused(&mut run, &Stop), StepError::Cancelled(Cancelled));
}

/// What is no number in one part of a step is none in the whole, whatever comes after it.
#[test]
fn a_residual_that_is_no_number_stays_in_sight() {
    for bad in 0..3 {
        let mut tally = Tally::default();
        for part in 0..3 {
            let of = |quantity: usize| if quantity == bad && part == 1 { f64::NAN } else { 1.0 + part as f64 };
            tally.note(of(0), of(1), of(2));
        }
        let noted = [tally.residual, tally.friction_lag, tally.couple];
        assert!((0..3).all(|quantity| if quantity == bad { noted[quantity].is_nan() } else { noted[quantity] == 3.0 }), "{noted:?}");
    }
}

#[test]
fn too_few_iterations_are_reported() {
    let mut system = block([2, 1, 1], 0.1, Vec3::zeros(), "neo_hookean", 1e4, 0.0);
    system.simulate.max_iterations = 1;
    let mut run = Run::new(system, &Balance::default());
    run.state.velocities[0] = Vec3::new(3.0, 0.0, 0.0);
    assert!(matches!(refused(&mut run, &Unwatched), StepError::NotConverged { iterations: 1, .. }));
}

#[test]
fn a_node_inside_an_obstacle_is_named() {
    let mut run = Run::new(particles(vec![Vec3::x(), Vec3::y()], vec![ground(Vec3::y())], 0.0), &Balance::default());
    run.state.positions[1] = Vec3::new(0.0, -0.5, 0.0);
    let error = refused(&mut run, &Unwatched);
    assert!(matches!(&error, StepError::Singular { node: 1, what, .. } if what.contains("`ground`")), "{error}");
}

#[test]
fn numbers_that_are_not_finite_and_inverted_elements_are_named() {
    let mut run = Run::new(block([1, 1, 1], 0.1, Vec3::zeros(), "neo_hookean", 1e4, 0.0), &Balance::default());
    run.state.velocities[3].y = f64::NAN;
    assert!(matches!(refused(&mut run, &Unwatched), StepError::Singular { .. }));
    run.state.velocities[3].y = 0.0;
    for p in &mut run.state.positions {
        p.y = -p.y;
    }
    let before = run.state.positions.clone();
    let error = run.stepper.step(&mut run.system, &mut run.state, H, &Unwatched).unwrap_err();
    assert!(matches!(&error, StepError::Singular { what, .. } if what.contains("inverted")), "{error}");
    assert_eq!(before, run.state.positions);
}

#[test]
fn every_stepper_of_the_registry_lets_a_mass_fall_but_the_static_one_which_finds_no_equilibrium() {
    for entry in STEPPERS {
        let mut system = particles(vec![Vec3::zeros()], vec![], 0.0);
        let mut state = State::at_rest(&system);
        let outcome = (entry.make)().step(&mut system, &mut state, H, &Unwatched);
        if entry.name == "quasi_static" {
            assert!(matches!(outcome, Err(StepError::Singular { node: 0, .. })));
        } else if entry.name.starts_with("mpm") {
            assert!(matches!(outcome, Err(StepError::Unsupported(_))), "it is no material point");
        } else {
            let falls = if entry.name == "forward_euler" { state.velocities[0].y < 0.0 } else { state.positions[0].y < 0.0 };
            assert!(falls && outcome.unwrap().time == H, "{}: {}", entry.name, entry.description);
        }
    }
}
