//! Cholesky's factorisation of a symmetric matrix of 3 x 3 blocks near its diagonal.

use crate::math::{Mat3, Vec3};

/// The lower half of it, row by row: entry `k` of row `i` is the block of rows `i` and columns `i - k`.
#[derive(Debug, Default)]
pub struct Band {
    blocks: Vec<Mat3>,
    /// Blocks of a row: the half width and the diagonal.
    width: usize,
    rows: usize,
}

impl Band {
    /// Of so many rows, whose blocks are so far from the diagonal at most.
    pub fn new(rows: usize, reach: usize) -> Self {
        Self { blocks: vec![Mat3::zeros(); rows * (reach + 1)], width: reach + 1, rows }
    }

    /// Nothing but these blocks on the diagonal.
    pub fn reset(&mut self, diagonal: impl Fn(usize) -> Mat3) {
        self.blocks.fill(Mat3::zeros());
        (0..self.rows).for_each(|i| self.blocks[i * self.width] = diagonal(i));
    }

    /// Adds to the block of row `i` and column `j`; where that is above the diagonal, its mirror image has it.
    pub fn add(&mut self, i: usize, j: usize, block: &Mat3) {
        if i >= j {
            self.blocks[i * self.width + i - j] += block;
        }
    }

    /// A = L L^T in place, with the inverses of L's blocks on the diagonal; whether A is positive definite.
    pub fn factorise(&mut self) -> bool {
        let width = self.width;
        for i in 0..self.rows {
            let first = i.saturating_sub(width - 1);
            for j in first..i {
                let mut sum = self.blocks[i * width + i - j];
                for m in first.max(j.saturating_sub(width - 1))..j {
                    sum -= self.blocks[i * width + i - m] * self.blocks[j * width + j - m].transpose();
                }
                self.blocks[i * width + i - j] = sum * self.blocks[j * width].transpose();
            }
            let mut pivot = self.blocks[i * width];
            for m in first..i {
                let block = self.blocks[i * width + i - m];
                pivot -= block * block.transpose();
            }
            let Some(inverse) = inverse_of_factor(&pivot) else { return false };
            self.blocks[i * width] = inverse;
        }
        true
    }

    /// A^-1 b in place, once factorised.
    pub fn solve(&self, b: &mut [Vec3]) {
        let width = self.width;
        for i in 0..self.rows {
            let mut sum = b[i];
            for j in i.saturating_sub(width - 1)..i {
                sum -= self.blocks[i * width + i - j] * b[j];
            }
            b[i] = self.blocks[i * width] * sum;
        }
        for i in (0..self.rows).rev() {
            let mut sum = b[i];
            for j in i + 1..(i + width).min(self.rows) {
                sum -= self.blocks[j * width + j - i].tr_mul(&b[j]);
            }
            b[i] = self.blocks[i * width].tr_mul(&sum);
        }
    }
}

/// L^-1 of A = L L^T; `None` where A is not positive definite.
fn inverse_of_factor(a: &Mat3) -> Option<Mat3> {
    let root = |square: f64| (square > 0.0 && square.is_finite()).then(|| square.sqrt());
    let first = root(a.m11)?;
    let (l21, l31) = (a.m21 / first, a.m31 / first);
    let second = root(a.m22 - l21 * l21)?;
    let l32 = (a.m32 - l31 * l21) / second;
    let third = root(a.m33 - l31 * l31 - l32 * l32)?;
    let [i11, i22, i33] = [first, second, third].map(f64::recip);
    let i21 = -l21 * i11 * i22;
    let i32 = -l32 * i22 * i33;
    let i31 = -(l31 * i11 + l32 * i21) * i33;
    Some(Mat3::new(i11, 0.0, 0.0, i21, i22, 0.0, i31, i32, i33))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use nalgebra::{DMatrix, DVector};

    use super::*;
    use crate::math::random::Random;

    /// Against dense matrices, of any width; one that is not positive definite is told.
    #[test]
    fn what_is_solved_is_what_was_asked() {
        let mut random = Random::new(3);
        for (rows, reach) in [(1, 0), (2, 3), (9, 1), (12, 2), (20, 5)] {
            let mut band = Band::new(rows, reach);
            band.reset(|_| Mat3::identity());
            let mut dense = DMatrix::<f64>::identity(3 * rows, 3 * rows);
            for first in 0..rows {
                // A group of nodes within reach, as elements are.
                let nodes: Vec<usize> = (first..(first + reach + 1).min(rows)).collect();
                let b = DMatrix::from_fn(3 * nodes.len(), 2, |_, _| random.uniform(-1.0, 1.0));
                let whole = &b * b.transpose();
                for (p, &i) in nodes.iter().enumerate() {
                    for (q, &j) in nodes.iter().enumerate() {
                        let block: Mat3 = whole.fixed_view::<3, 3>(3 * p, 3 * q).into_owned();
                        band.add(i, j, &block);
                        let mut view = dense.fixed_view_mut::<3, 3>(3 * i, 3 * j);
                        view += block;
                    }
                }
            }
            let b: Vec<Vec3> = (0..rows).map(|_| random.vector(-1.0, 1.0)).collect();
            let expected = dense.clone().cholesky().unwrap().solve(&DVector::from_iterator(3 * rows, b.iter().flatten().copied()));
            let mut found = b.clone();
            assert!(band.factorise());
            band.solve(&mut found);
            let error = found.iter().flatten().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(error < 1e-12, "{rows} {reach}: {error:e}");
            band.reset(|i| if i + 1 == rows { -Mat3::identity() } else { Mat3::identity() });
            assert!(!band.factorise());
        }
    }
}
