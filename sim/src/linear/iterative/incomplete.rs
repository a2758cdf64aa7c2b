//! [`IncompleteCholesky`]: L L^T of 3x3 blocks without fill, a preconditioner (Meijerink and van der Vorst 1977; the shift
//! for matrices that break it down: Manteuffel 1980).

use crate::linear::NotPositive;
use crate::linear::matrix::NodeMatrix;
use crate::linear::pattern::NodeMatrixPattern;
use crate::linear::rows::RowLists;
use crate::math::{Mat3, Vec3};

/// First shift of the diagonal after a breakdown, relative; every further one is this many times larger.
const FIRST_SHIFT: f64 = 1e-3;
const SHIFT_GROWTH: f64 = 8.0;
/// With a shift this large the factor is near to that of the diagonal blocks.
const LARGEST_SHIFT: f64 = 100.0;

/// Blocks of the factor in the order of [`RowLists`].
#[derive(Debug, Default)]
pub(super) struct IncompleteCholesky {
    lower: Vec<Mat3>,
    /// Inverses of the factor's diagonal blocks, lower triangular.
    inverse: Vec<Mat3>,
}

impl IncompleteCholesky {
    /// Factorises `matrix`, with the least shift that allows it.
    ///
    /// # Errors
    /// [`NotPositive`] at a diagonal block that is not positive definite, or not finite.
    pub fn factorize(&mut self, pattern: &NodeMatrixPattern, rows: &RowLists, matrix: &NodeMatrix) -> Result<(), NotPositive> {
        let mut shift = 0.0;
        loop {
            match self.try_factorize(pattern, rows, matrix, 1.0 + shift) {
                Ok(()) => return Ok(()),
                Err(failure) if shift >= LARGEST_SHIFT => return Err(failure),
                Err(_) => shift = if shift == 0.0 { FIRST_SHIFT } else { SHIFT_GROWTH * shift },
            }
        }
    }

    fn try_factorize(&mut self, pattern: &NodeMatrixPattern, rows: &RowLists, matrix: &NodeMatrix, scale: f64) -> Result<(), NotPositive> {
        let count = pattern.order.len();
        self.lower.resize(rows.columns.len(), Mat3::zeros());
        self.inverse.resize(count, Mat3::zeros());
        for i in 0..count {
            let first = rows.starts[i];
            let mut pivot = scale * matrix.values[pattern.starts[i]];
            for (at, (k, block)) in (first..).zip(rows.row(i)) {
                let mut value = matrix.values[block];
                // Both rows ascend: their common columns are met in one pass.
                let (mut a, mut b) = (first, rows.starts[k]);
                while a < at && b < rows.starts[k + 1] {
                    match rows.columns[a].cmp(&rows.columns[b]) {
                        std::cmp::Ordering::Less => a += 1,
                        std::cmp::Ordering::Greater => b += 1,
                        std::cmp::Ordering::Equal => {
                            value -= self.lower[a] * self.lower[b].transpose();
                            a += 1;
                            b += 1;
                        }
                    }
                }
                value *= self.inverse[k].transpose();
                pivot -= value * value.transpose();
                self.lower[at] = value;
            }
            let factor = pivot.cholesky().filter(|factor| factor.l_dirty().iter().all(|l| l.is_finite()));
            let inverse = factor.and_then(|factor| factor.l().try_inverse());
            self.inverse[i] = inverse.ok_or(NotPositive { node: pattern.order[i] as usize })?;
        }
        Ok(())
    }

    /// z = (L L^T)^-1 r, in elimination order.
    pub fn apply(&self, rows: &RowLists, r: &[Vec3], z: &mut [Vec3]) {
        for i in 0..r.len() {
            let range = rows.starts[i]..rows.starts[i + 1];
            let mut sum = r[i];
            for (block, &k) in self.lower[range.clone()].iter().zip(&rows.columns[range]) {
                sum -= block * z[k as usize];
            }
            z[i] = self.inverse[i] * sum;
        }
        for i in (0..r.len()).rev() {
            let range = rows.starts[i]..rows.starts[i + 1];
            let value = self.inverse[i].tr_mul(&z[i]);
            z[i] = value;
            for (block, &k) in self.lower[range.clone()].iter().zip(&rows.columns[range]) {
                z[k as usize] -= block.tr_mul(&value);
            }
        }
    }
}
