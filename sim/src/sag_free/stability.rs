//! Is the equilibrium stable? A balanced body may still buckle: the signs of the Hessian's eigenvalues say.

use crate::linear::{InertiaFactor, NodeMatrix, NodeMatrixPattern, NotPositive};
use crate::math::Vec3;
use crate::stats::report::{Stability, Verdict};
use crate::watch::{Cancelled, Watch};

/// Lanczos steps for the smallest eigenvalue.
const STEPS: usize = 24;

/// Number of negative eigenvalues of `hessian` and its smallest eigenvalue [N/m].
///
/// # Errors
/// Cancelled.
pub fn verdict(pattern: &NodeMatrixPattern, hessian: &NodeMatrix, watch: &dyn Watch) -> Result<Stability, Cancelled> {
    let mut factor = InertiaFactor::new(pattern);
    let typical = hessian.median_diagonal(pattern).abs();
    let (negative_eigenvalues, mut shift) = match factorize_near(&mut factor, pattern, hessian, 0.0, typical) {
        Ok(negative) => (negative, 0.0),
        // Not even close to zero does it factorise: a number in it is not finite.
        Err(_) => (usize::MAX, 0.0),
    };
    watch.check()?;
    if negative_eigenvalues == usize::MAX {
        return Ok(Stability { negative_eigenvalues: 0, smallest_eigenvalue: f64::NAN, verdict: Verdict::NotInBalance });
    }
    // Below the smallest eigenvalue, so that the inverse's largest eigenvalue belongs to it.
    let mut below = negative_eigenvalues;
    // From near zero outwards: the nearer the shift, the clearer Lanczos sees the eigenvalue.
    let mut distance = 1e-12 * typical;
    while below > 0 && distance < 1e3 * typical {
        watch.check()?;
        shift = -distance;
        below = factorize_near(&mut factor, pattern, hessian, shift, typical).unwrap_or(0);
        distance *= 16.0;
    }
    let nearest = largest_of_inverse(&mut factor, pattern, watch)?;
    let verdict = if negative_eigenvalues == 0 { Verdict::Stable } else { Verdict::Unstable };
    Ok(Stability { negative_eigenvalues, smallest_eigenvalue: shift + 1.0 / nearest, verdict })
}

/// Factorises hessian - shift I; an exactly zero pivot is stepped over by a relative 1e-14.
fn factorize_near(
    factor: &mut InertiaFactor,
    pattern: &NodeMatrixPattern,
    hessian: &NodeMatrix,
    shift: f64,
    typical: f64,
) -> Result<usize, NotPositive> {
    let mut shifted = hessian.clone();
    shifted.shift(pattern, -shift);
    factor.factorize(pattern, &shifted).or_else(|_| {
        shifted.shift(pattern, -1e-14 * typical);
        factor.factorize(pattern, &shifted)
    })
}

/// Largest eigenvalue of the factorised matrix' inverse, by Lanczos with full reorthogonalisation.
fn largest_of_inverse(factor: &mut InertiaFactor, pattern: &NodeMatrixPattern, watch: &dyn Watch) -> Result<f64, Cancelled> {
    let dot = |a: &[Vec3], b: &[Vec3]| a.iter().zip(b).map(|(a, b)| a.dot(b)).sum::<f64>();
    let mut basis: Vec<Vec<Vec3>> = Vec::new();
    let (mut diagonal, mut off_diagonal): (Vec<f64>, Vec<f64>) = (Vec::new(), Vec::new());
    // A fixed, irregular start: orthogonal to no mode, and the same in every run.
    let mut next: Vec<Vec3> = (0..pattern.node_count())
        .map(|i| Vec3::new((i as f64 * 0.73).sin() + 0.1, (i as f64 * 1.31).cos() - 0.2, (i as f64 * 2.17).sin() + 0.3))
        .collect();
    pattern.clear_fixed(&mut next);
    for _ in 0..STEPS.min(pattern.unknowns()) {
        watch.check()?;
        let norm = dot(&next, &next).sqrt();
        if norm.is_nan() || norm == 0.0 || (!diagonal.is_empty() && norm < 1e-12 * diagonal[0].abs()) {
            break;
        }
        if !basis.is_empty() {
            off_diagonal.push(norm);
        }
        next.iter_mut().for_each(|v| *v /= norm);
        basis.push(next.clone());
        factor.solve(pattern, &mut next);
        diagonal.push(dot(&next, &basis[basis.len() - 1]));
        for vector in &basis {
            let share = dot(&next, vector);
            next.iter_mut().zip(vector).for_each(|(n, v)| *n -= share * v);
        }
    }
    let size = diagonal.len();
    let tridiagonal = nalgebra::DMatrix::from_fn(size, size, |i, j| match i.abs_diff(j) {
        0 => diagonal[i],
        1 => off_diagonal[i.min(j)],
        _ => 0.0,
    });
    Ok(tridiagonal.symmetric_eigenvalues().iter().copied().fold(f64::MIN_POSITIVE, f64::max))
}
