//! [`Pcg`]: conjugate gradients with an incomplete factor, for systems whose complete factor is too large.

use super::conjugate_gradients::{CgBuffers, conjugate_gradients};
use super::incomplete::IncompleteCholesky;
use super::{IterationOptions, IterationReport, Method};
use crate::linear::NotPositive;
use crate::linear::rows::Rows;
use crate::math::Vec3;

/// The factor, and the vectors of the iteration.
#[derive(Debug, Default)]
pub struct Pcg {
    factor: IncompleteCholesky,
    buffers: CgBuffers,
}

impl Method for Pcg {
    fn prepare(&mut self, rows: Rows<'_>, _: &IterationOptions) -> Result<(), NotPositive> {
        self.factor.factorize(rows.pattern, rows.lists, rows.matrix)
    }

    fn solve(&mut self, rows: Rows<'_>, b: &[Vec3], x: &mut [Vec3], options: &IterationOptions) -> IterationReport {
        let precondition = |r: &[Vec3], z: &mut [Vec3]| self.factor.apply(rows.lists, r, z);
        conjugate_gradients(|x, y| rows.multiply(x, y), precondition, b, x, options, &mut self.buffers)
    }
}
