//! [`Cg`]: conjugate gradients without a preconditioner.

use super::conjugate_gradients::{CgBuffers, conjugate_gradients};
use super::{IterationOptions, IterationReport, Method};
use crate::linear::NotPositive;
use crate::linear::rows::Rows;
use crate::math::Vec3;

/// Directions of its own only: as many iterations as unknowns at most, but for round-off.
#[derive(Debug, Default)]
pub struct Cg {
    buffers: CgBuffers,
}

impl Method for Cg {
    fn prepare(&mut self, rows: Rows<'_>, _: &IterationOptions) -> Result<(), NotPositive> {
        rows.check_diagonal()
    }

    fn solve(&mut self, rows: Rows<'_>, b: &[Vec3], x: &mut [Vec3], options: &IterationOptions) -> IterationReport {
        conjugate_gradients(|x, y| rows.multiply(x, y), |r, z| z.copy_from_slice(r), b, x, options, &mut self.buffers)
    }
}
