//! [`Stationary`]: the loop of the methods that make x from x and its residual alone, sweep by sweep.

use super::conjugate_gradients::{norm, subtract_product};
use super::{IterationOptions, IterationOutcome, IterationReport, Method};
use crate::linear::NotPositive;
use crate::linear::rows::Rows;
use crate::math::Vec3;

/// A residual so many times that of zero has no way back: sweeps go no further.
const HOPELESS: f64 = 1e8;

/// What one iteration does.
pub trait Sweep: Send {
    /// Prepares for another matrix, whose diagonal is positive.
    fn prepare(&mut self, rows: Rows<'_>, options: &IterationOptions);
    /// Forgets the iterations of another right side.
    fn begin(&mut self) {}
    /// Improves `x`, whose residual b - A x is `r`.
    fn sweep(&mut self, rows: Rows<'_>, b: &[Vec3], r: &[Vec3], x: &mut [Vec3]);
}

/// A sweep that is repeated. The residual is recomputed from x after each, and nothing else decides.
#[derive(Debug, Default)]
pub struct Stationary<S> {
    sweep: S,
    residual: Vec<Vec3>,
}

impl<S> Stationary<S> {
    /// The method that repeats `sweep`.
    pub fn new(sweep: S) -> Self {
        Self { sweep, residual: Vec::new() }
    }
}

impl<S: Sweep> Method for Stationary<S> {
    fn prepare(&mut self, rows: Rows<'_>, options: &IterationOptions) -> Result<(), NotPositive> {
        rows.check_diagonal()?;
        self.sweep.prepare(rows, options);
        Ok(())
    }

    fn solve(&mut self, rows: Rows<'_>, b: &[Vec3], x: &mut [Vec3], options: &IterationOptions) -> IterationReport {
        x.fill(Vec3::zeros());
        let size = norm(b);
        if size == 0.0 {
            return IterationReport { iterations: 0, residual: 0.0, outcome: IterationOutcome::Converged };
        }
        self.residual.clear();
        self.residual.extend_from_slice(b);
        self.sweep.begin();
        let (mut iterations, mut before) = (0, f64::INFINITY);
        loop {
            self.sweep.sweep(rows, b, &self.residual, x);
            iterations += 1;
            subtract_product(&|x: &[Vec3], y: &mut [Vec3]| rows.multiply(x, y), b, x, &mut self.residual);
            let residual = norm(&self.residual) / size;
            let outcome = if residual <= options.tolerance {
                IterationOutcome::Converged
            } else if !residual.is_finite() || residual > HOPELESS {
                IterationOutcome::Diverged
            } else if iterations < options.max_iterations {
                before = residual;
                continue;
            } else if residual > before.max(1.0) {
                IterationOutcome::Diverged
            } else {
                IterationOutcome::OutOfIterations
            };
            return IterationReport { iterations, residual, outcome };
        }
    }
}
