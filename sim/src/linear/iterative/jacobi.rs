//! [`Jacobi`]: x += alpha D^-1 r, with the diagonal D of the matrix, scalar by scalar.

use super::IterationOptions;
use super::spectrum::Spectrum;
use super::stationary::Sweep;
use crate::linear::rows::Rows;
use crate::math::Vec3;

/// Converges where the spectral radius of I - alpha D^-1 A is below 1. With alpha = 1 that wants diagonal dominance, which elastic solids do
/// not have; for alpha below 2 / lambda_max(D^-1 A) any positive definite matrix will do, and 2 / (lambda_min + lambda_max) is the best
/// (Saad 2003, "Iterative Methods for Sparse Linear Systems", 4.2).
#[derive(Debug, Default)]
pub struct Jacobi {
    /// alpha / D of each unknown.
    scaled: Vec<Vec3>,
}

impl Jacobi {
    /// Prepares for another matrix with this `relaxation` alpha.
    pub fn relax(&mut self, rows: Rows<'_>, relaxation: f64) {
        self.scaled.clear();
        self.scaled.extend((0..rows.len()).map(|i| rows.diagonal(i).diagonal().map(|d| relaxation / d)));
    }

    /// alpha D^-1 r of an unknown's node.
    pub fn correction(&self, i: usize, r: &Vec3) -> Vec3 {
        self.scaled[i].component_mul(r)
    }
}

impl Sweep for Jacobi {
    fn prepare(&mut self, rows: Rows<'_>, options: &IterationOptions) {
        self.relax(rows, options.relaxation.unwrap_or_else(|| Spectrum::of(rows).relaxation()));
    }

    fn sweep(&mut self, _: Rows<'_>, _: &[Vec3], r: &[Vec3], x: &mut [Vec3]) {
        for (i, (x, r)) in x.iter_mut().zip(r).enumerate() {
            *x += self.correction(i, r);
        }
    }
}
