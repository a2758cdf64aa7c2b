//! Motions that are no longer small, followed by coarse steps.

use std::sync::atomic::{AtomicU32, Ordering};

use super::reduced::Far;
use super::{Found, Means, farthest};
use crate::contact::Balance;
use crate::math::Vec3;
use crate::step::{Implicit, PointState, Scheme, State, StepError, Stepper};
use crate::system::System;
use crate::watch::{Cancelled, Watch};

/// Each step over the one before it, which is the stepper's own at first: bodies that come to lie on something do so at once.
const GROWTH: f64 = 1.3;
/// The longest step over the horizon.
const LONGEST: f64 = 1.0 / 14.0;
/// Iterations of the solver after which it is left open where a body gets to: what falls, flattens or tears about takes them without end.
const ITERATIONS: u32 = 800;
/// Of the diagonal, the way within which a step need not converge.
const ROUGH: f64 = 1e-4;

/// The drift at the horizon of a body that has gone `far`.
pub fn follow(system: &mut System, balance: &Balance, far: Far, horizon: f64, watch: &dyn Watch) -> Result<Found, Cancelled> {
    let Far { time, moved, velocities } = far;
    let given = system.positions.clone();
    let positions: Vec<Vec3> = given.iter().zip(&moved).map(|(given, moved)| given + moved).collect();
    let mut state = State { time, positions, velocities, points: PointState::default() };
    let mut stepper = Implicit::new(Scheme::BackwardEuler);
    stepper.warm_start(system, balance);
    let tolerance = system.simulate.tolerance;
    let patience = Patience { watch, left: AtomicU32::new(ITERATIONS) };
    let outcome = run(system, &mut stepper, &mut state, horizon, &patience);
    system.simulate.tolerance = tolerance;
    system.lag(&given);
    match outcome {
        Ok(()) => {
            let moved: Vec<Vec3> = state.positions.iter().zip(&given).map(|(now, given)| now - given).collect();
            Ok(Ok((farthest(system, &moved), Means::Steps)))
        }
        Err(StepError::Cancelled(_)) if patience.is_over() => {
            watch.check()?;
            Ok(Err(format!("the motion was not followed to the end in {ITERATIONS} iterations")))
        }
        Err(StepError::Cancelled(cancelled)) => Err(cancelled),
        Err(error) => Ok(Err(format!("the motion could not be followed: {error}"))),
    }
}

/// A watch that gives up after so many checks, of which the solver makes one an iteration.
struct Patience<'a> {
    watch: &'a dyn Watch,
    left: AtomicU32,
}

impl Patience<'_> {
    fn is_over(&self) -> bool {
        self.left.load(Ordering::Relaxed) == 0
    }
}

impl Watch for Patience<'_> {
    fn progress(&self, stage: &str, done: f64) {
        self.watch.progress(stage, done);
    }

    fn check(&self) -> Result<(), Cancelled> {
        self.watch.check()?;
        let left = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        if left.is_ok_and(|left| left > 1) { Ok(()) } else { Err(Cancelled) }
    }
}

fn run(system: &mut System, stepper: &mut Implicit, state: &mut State, horizon: f64, watch: &dyn Watch) -> Result<(), StepError> {
    let (tolerance, longest) = (system.simulate.tolerance, LONGEST * horizon);
    let mut step_size = system.simulate.step_size.min(longest);
    while state.time < (1.0 - 1e-9) * horizon {
        watch.progress("looking ahead", state.time / horizon);
        watch.check()?;
        let step = step_size.min(horizon - state.time);
        system.simulate.tolerance = tolerance.max(ROUGH * system.diagonal / step);
        stepper.step(system, state, step, watch)?;
        step_size = (GROWTH * step_size).min(longest);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watch::Unwatched;

    #[test]
    fn patience_ends_after_so_many_iterations() {
        let patience = Patience { watch: &Unwatched, left: AtomicU32::new(3) };
        assert!(patience.check().is_ok() && patience.check().is_ok() && !patience.is_over());
        assert!(patience.check().is_err() && patience.is_over());
        assert!(patience.check().is_err() && patience.is_over());
    }
}
