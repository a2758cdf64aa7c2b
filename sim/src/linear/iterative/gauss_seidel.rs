//! [`GaussSeidel`]: one unknown after the other takes the value that its own equation asks for, x = x + (D + L)^-1 r.

use super::IterationOptions;
use super::stationary::Sweep;
use crate::linear::rows::Rows;
use crate::math::Vec3;

/// Converges for any symmetric positive definite matrix (Golub and Van Loan 2013, "Matrix Computations", theorem 11.2.3). Unknowns are met
/// in elimination order, x before y before z at each node.
#[derive(Debug, Clone, Copy)]
pub struct GaussSeidel {
    /// Whether they are met the other way round, which makes it (D + U)^-1.
    backward: bool,
}

impl GaussSeidel {
    /// The first unknown first.
    pub fn forward() -> Self {
        Self { backward: false }
    }

    /// The last unknown first.
    pub fn backward() -> Self {
        Self { backward: true }
    }

    fn place(self, k: usize, count: usize) -> usize {
        if self.backward { count - 1 - k } else { k }
    }
}

impl Sweep for GaussSeidel {
    fn prepare(&mut self, _: Rows<'_>, _: &IterationOptions) {}

    fn sweep(&mut self, rows: Rows<'_>, b: &[Vec3], _: &[Vec3], x: &mut [Vec3]) {
        for i in (0..rows.len()).map(|k| self.place(k, rows.len())) {
            let wanted = b[i] - rows.beside(i, x);
            let block = rows.diagonal(i);
            for c in (0..3).map(|k| self.place(k, 3)) {
                let others = (block.row(c) * x[i])[0] - block[(c, c)] * x[i][c];
                x[i][c] = (wanted[c] - others) / block[(c, c)];
            }
        }
    }
}
