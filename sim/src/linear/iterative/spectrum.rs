//! [`Spectrum`]: the ends of the spectrum of D^-1 A, estimated by the method of Lanczos on D^-1/2 A D^-1/2, which has the same one and is
//! symmetric (Golub and Van Loan 2013, 10.1).

use nalgebra::DMatrix;

use super::conjugate_gradients::{add_scaled, dot, norm};
use crate::linear::rows::Rows;
use crate::math::Vec3;
use crate::math::random::Random;

/// Steps at most: products with the matrix. The upper end is found to about one per cent.
const STEPS: usize = 30;
/// Estimates lie inside of the spectrum; a relaxation leaves this much more room at its upper end, beyond which it would diverge.
const MARGIN: f64 = 1.05;
/// A residual below this share of the matrix's size ends the recurrence: the space is invariant.
const INVARIANT: f64 = 1e-12;
/// Seed of the vector that the recurrence starts from: the same in every run.
const SEED: u64 = 1;

/// Least and largest eigenvalue of D^-1 A, as far as a few products tell: the one from above, the other from below.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spectrum {
    pub least: f64,
    pub largest: f64,
}

impl Spectrum {
    /// That of a matrix with a positive diagonal.
    pub fn of(rows: Rows<'_>) -> Self {
        let count = rows.len();
        let scale: Vec<Vec3> = (0..count).map(|i| rows.diagonal(i).diagonal().map(|d| 1.0 / d.sqrt())).collect();
        let mut random = Random::new(SEED);
        let mut q: Vec<Vec3> = (0..count).map(|_| random.vector(-1.0, 1.0)).collect();
        let length = norm(&q);
        q.iter_mut().for_each(|q| *q /= length);
        let [mut before, mut scaled, mut next] = [(); 3].map(|()| vec![Vec3::zeros(); count]);
        let (mut diagonal, mut beside): (Vec<f64>, Vec<f64>) = (Vec::new(), Vec::new());
        for _ in 0..STEPS.min(3 * count) {
            scaled.iter_mut().zip(q.iter().zip(&scale)).for_each(|(out, (q, s))| *out = q.component_mul(s));
            rows.multiply(&scaled, &mut next);
            next.iter_mut().zip(&scale).for_each(|(next, s)| next.component_mul_assign(s));
            let along = dot(&next, &q);
            add_scaled(&mut next, -along, &q);
            add_scaled(&mut next, -beside.last().copied().unwrap_or(0.0), &before);
            diagonal.push(along);
            let left = norm(&next);
            if left.is_nan() || left <= INVARIANT * along.abs() {
                break;
            }
            beside.push(left);
            std::mem::swap(&mut before, &mut q);
            q.iter_mut().zip(&next).for_each(|(q, next)| *q = next / left);
        }
        let values = tridiagonal(&diagonal, &beside);
        // Of a matrix of one eigenvalue D is all there is.
        let (least, largest) = values.iter().fold((f64::INFINITY, 0.0f64), |(least, largest), &v| (least.min(v), largest.max(v)));
        if values.is_empty() || !largest.is_finite() { Self { least: 1.0, largest: 1.0 } } else { Self { least, largest } }
    }

    /// The relaxation with which Jacobi's method converges fastest.
    pub fn relaxation(self) -> f64 {
        2.0 / (self.least.max(0.0) + MARGIN * self.largest)
    }

    /// Spectral radius of Jacobi's iteration I - alpha D^-1 A, from below: too small a one is slower, too large a one may diverge.
    pub fn radius(self, relaxation: f64) -> f64 {
        (1.0 - relaxation * self.least).abs().max((1.0 - relaxation * self.largest).abs())
    }
}

/// Eigenvalues of a symmetric tridiagonal matrix; none if it has a number that is not finite.
fn tridiagonal(diagonal: &[f64], beside: &[f64]) -> Vec<f64> {
    let count = diagonal.len();
    if !diagonal.iter().chain(beside).all(|v| v.is_finite()) {
        return Vec::new();
    }
    let mut matrix = DMatrix::zeros(count, count);
    for (i, &value) in diagonal.iter().enumerate() {
        matrix[(i, i)] = value;
    }
    for (i, &value) in beside.iter().take(count.saturating_sub(1)).enumerate() {
        (matrix[(i, i + 1)], matrix[(i + 1, i)]) = (value, value);
    }
    matrix.symmetric_eigenvalues().iter().copied().collect()
}
