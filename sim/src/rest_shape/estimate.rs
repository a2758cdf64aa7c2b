//! The estimate of Hsu et al. 2022, 5.4: the sag-free rest state, relaxed without loads and contacts.

use crate::contact::Balance;
use crate::element::Family;
use crate::math::Vec3;
use crate::scene::SimulateSettings;
use crate::step::{Implicit, Scheme, State, Stepper};
use crate::system::System;
use crate::watch::Watch;

use super::RestShapeError;
use super::supports::Supports;

/// Static solves at most; laws that lag the rotation need several.
const SOLVES: usize = 60;
/// A solve that moves nothing farther than this, over the diagonal, is the last.
const STILL: f64 = 1e-10;

/// Where the nodes come to rest with the sag-free elements `families` [m], and the Newton iterations that it took.
///
/// # Errors
/// [`RestShapeError`], as where the statics do not converge.
pub fn relaxed(system: &System, families: Vec<Box<dyn Family>>, watch: &dyn Watch) -> Result<(Vec<Vec3>, usize), RestShapeError> {
    let mut system = unloaded(system, families);
    let mut stepper = Implicit::new(Scheme::QuasiStatic);
    stepper.warm_start(&system, &Balance::default());
    let mut state = State::at_rest(&system);
    let mut iterations = 0;
    for solve in 0..SOLVES {
        watch.check()?;
        watch.progress("relaxing without loads", solve as f64 / SOLVES as f64);
        let before = state.positions.clone();
        let step_size = system.simulate.step_size;
        let stats = stepper.step(&mut system, &mut state, step_size, watch)?;
        iterations += stats.iterations as usize;
        let moved = before.iter().zip(&state.positions).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
        if moved <= STILL * system.diagonal {
            break;
        }
    }
    Ok((state.positions, iterations))
}

/// The elements and supports of `system` without loads and contacts, pinned where otherwise nothing would hold it.
fn unloaded(system: &System, families: Vec<Box<dyn Family>>) -> System {
    System {
        positions: system.positions.clone(),
        masses: system.masses.clone(),
        fixed: system.fixed.clone(),
        slides: Supports::of(system, &vec![false; system.positions.len()]).slides,
        families,
        bodies: system.bodies.clone(),
        diagonal: system.diagonal,
        contact: system.contact,
        initialise: system.initialise,
        simulate: SimulateSettings {
            step_size: 1.0,
            tolerance: 1e-12 * system.diagonal,
            ramp: 0.0,
            max_iterations: 1000,
            ..system.simulate.clone()
        },
        pattern: system.pattern.clone(),
        ..System::default()
    }
}
