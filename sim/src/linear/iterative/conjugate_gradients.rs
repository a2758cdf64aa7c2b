//! Conjugate gradients, with a preconditioner or without (Hestenes and Stiefel 1952).

use rayon::prelude::*;

use super::{IterationOptions, IterationOutcome, IterationReport};
use crate::math::Vec3;

/// Entries summed by one task.
const CHUNK: usize = 2048;
/// The residual that the iteration carries along is recomputed this often, lest it drift from the true one.
const REFRESH: usize = 50;

/// Vectors kept from one solve to the next.
#[derive(Debug, Default)]
pub struct CgBuffers {
    residual: Vec<Vec3>,
    preconditioned: Vec<Vec3>,
    direction: Vec<Vec3>,
    product: Vec<Vec3>,
}

/// Scalar product, summed in fixed chunks.
pub(super) fn dot(a: &[Vec3], b: &[Vec3]) -> f64 {
    let part = |(a, b): (&[Vec3], &[Vec3])| a.iter().zip(b).map(|(a, b)| a.dot(b)).sum::<f64>();
    let parts: Vec<f64> = a.par_chunks(CHUNK).zip(b.par_chunks(CHUNK)).map(part).collect();
    parts.into_iter().sum()
}

/// |a|
pub(super) fn norm(a: &[Vec3]) -> f64 {
    dot(a, a).sqrt()
}

/// y += s x
pub(super) fn add_scaled(y: &mut [Vec3], s: f64, x: &[Vec3]) {
    y.iter_mut().zip(x).for_each(|(y, x)| *y += s * x);
}

/// Solves A x = b from x = 0. `multiply(x, y)` sets y = A x, `precondition(r, z)` sets z near A^-1 r; both symmetric
/// positive definite, the second always.
pub fn conjugate_gradients(
    multiply: impl Fn(&[Vec3], &mut [Vec3]),
    precondition: impl Fn(&[Vec3], &mut [Vec3]),
    b: &[Vec3],
    x: &mut [Vec3],
    options: &IterationOptions,
    buffers: &mut CgBuffers,
) -> IterationReport {
    conjugate_gradients_while(multiply, precondition, b, x, options, buffers, |_, _| true)
}

/// The same as long as `goes_on` of the iterations that are done and of |b - A x| / |b| then.
pub fn conjugate_gradients_while(
    multiply: impl Fn(&[Vec3], &mut [Vec3]),
    precondition: impl Fn(&[Vec3], &mut [Vec3]),
    b: &[Vec3],
    x: &mut [Vec3],
    options: &IterationOptions,
    buffers: &mut CgBuffers,
    mut goes_on: impl FnMut(u32, f64) -> bool,
) -> IterationReport {
    let CgBuffers { residual: r, preconditioned: z, direction: p, product: q } = buffers;
    for buffer in [&mut *r, &mut *z, &mut *p, &mut *q] {
        buffer.clear();
        buffer.resize(b.len(), Vec3::zeros());
    }
    x.fill(Vec3::zeros());
    r.copy_from_slice(b);
    let size = norm(b);
    if size == 0.0 {
        return IterationReport { iterations: 0, residual: 0.0, outcome: IterationOutcome::Converged };
    }
    let mut rz = 0.0;
    let mut iterations = 0;
    let outcome = loop {
        precondition(r, z);
        let next = dot(r, z);
        let share = if iterations == 0 { 0.0 } else { next / rz };
        rz = next;
        p.iter_mut().zip(&*z).for_each(|(p, z)| *p = z + share * *p);
        multiply(p, q);
        let curvature = dot(p, q);
        // Also where a number is not finite.
        if curvature.partial_cmp(&0.0) != Some(std::cmp::Ordering::Greater) {
            if iterations == 0 {
                x.copy_from_slice(p);
            }
            break IterationOutcome::NotPositive;
        }
        let step = rz / curvature;
        add_scaled(x, step, p);
        iterations += 1;
        if (iterations as usize).is_multiple_of(REFRESH) {
            subtract_product(&multiply, b, x, r);
        } else {
            add_scaled(r, -step, q);
        }
        let left = norm(r);
        if left <= options.tolerance * size {
            break IterationOutcome::Converged;
        }
        if !goes_on(iterations, left / size) {
            break IterationOutcome::Stopped;
        }
        if iterations >= options.max_iterations {
            break IterationOutcome::OutOfIterations;
        }
    };
    subtract_product(&multiply, b, x, r);
    IterationReport { iterations, residual: norm(r) / size, outcome }
}

/// r = b - A x
pub(super) fn subtract_product(multiply: &impl Fn(&[Vec3], &mut [Vec3]), b: &[Vec3], x: &[Vec3], r: &mut [Vec3]) {
    multiply(x, r);
    r.iter_mut().zip(b).for_each(|(r, b)| *r = b - *r);
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use std::cell::RefCell;

    use nalgebra::{DMatrix, DVector};

    use super::*;

    const NODES: usize = 6;

    fn flat(x: &[Vec3]) -> DVector<f64> {
        DVector::from_iterator(3 * x.len(), x.iter().flat_map(|x| [x.x, x.y, x.z]))
    }

    fn multiply(matrix: &DMatrix<f64>) -> impl Fn(&[Vec3], &mut [Vec3]) {
        move |x, y| {
            let product = matrix * flat(x);
            y.iter_mut().enumerate().for_each(|(i, y)| *y = product.fixed_rows::<3>(3 * i).into());
        }
    }

    fn positive_definite() -> DMatrix<f64> {
        let root = DMatrix::from_fn(3 * NODES, 3 * NODES, |i, j| (1.3 * i as f64 + 0.7 * (j * j) as f64 + 0.2).sin());
        root.tr_mul(&root) / 10.0 + DMatrix::identity(3 * NODES, 3 * NODES)
    }

    fn right_side() -> Vec<Vec3> {
        (0..NODES).map(|i| Vec3::new(1.0, (i as f64).sin(), 0.3 * i as f64)).collect()
    }

    fn plain(r: &[Vec3], z: &mut [Vec3]) {
        z.copy_from_slice(r);
    }

    /// Directions are conjugate, p_i . A p_j = 0, and there are no more of them than unknowns.
    #[test]
    fn directions_are_conjugate() {
        let matrix = positive_definite();
        let directions = RefCell::new(Vec::new());
        let watched = |x: &[Vec3], y: &mut [Vec3]| {
            directions.borrow_mut().push(flat(x));
            multiply(&matrix)(x, y);
        };
        let mut x = vec![Vec3::zeros(); NODES];
        let options = IterationOptions { tolerance: 1e-10, max_iterations: 100, ..IterationOptions::default() };
        let report = conjugate_gradients(watched, plain, &right_side(), &mut x, &options, &mut CgBuffers::default());
        assert_eq!(report.outcome, IterationOutcome::Converged);
        assert!(report.iterations as usize <= 3 * NODES);
        let directions = &directions.borrow()[..report.iterations as usize];
        for (i, p) in directions.iter().enumerate() {
            for q in &directions[..i] {
                let (pq, pp, qq) = (p.dot(&(&matrix * q)), p.dot(&(&matrix * p)), q.dot(&(&matrix * q)));
                assert!(pq.abs() < 1e-7 * (pp * qq).sqrt(), "{pq} of {pp}, {qq}");
            }
        }
    }

    /// The residual that is reported is |b - A x| / |b| of the solution that is returned.
    #[test]
    fn the_reported_residual_is_the_true_one() {
        let matrix = positive_definite();
        let b = right_side();
        for (tolerance, max_iterations) in [(1e-2, 100), (1e-9, 100), (1e-12, 4)] {
            let mut x = vec![Vec3::zeros(); NODES];
            let options = IterationOptions { tolerance, max_iterations, ..IterationOptions::default() };
            let report = conjugate_gradients(multiply(&matrix), plain, &b, &mut x, &options, &mut CgBuffers::default());
            let residual = (flat(&b) - &matrix * flat(&x)).norm() / flat(&b).norm();
            assert!((report.residual - residual).abs() < 1e-14);
            assert_eq!(report.outcome == IterationOutcome::Converged, residual <= tolerance);
        }
    }

    /// Rows and columns scaled over six decades: the diagonal as preconditioner takes fewer iterations than none.
    #[test]
    fn a_preconditioner_mends_bad_scaling() {
        let scale = DVector::from_fn(3 * NODES, |i, _| 10f64.powi(i as i32 % 7 - 3));
        let scaled = DMatrix::from_diagonal(&scale) * positive_definite() * DMatrix::from_diagonal(&scale);
        let jacobi = |r: &[Vec3], z: &mut [Vec3]| {
            for (i, (z, r)) in z.iter_mut().zip(r).enumerate() {
                *z = Vec3::from_fn(|c, _| r[c] / scaled[(3 * i + c, 3 * i + c)]);
            }
        };
        let options = IterationOptions { tolerance: 1e-8, max_iterations: 500, ..IterationOptions::default() };
        let mut x = vec![Vec3::zeros(); NODES];
        let without = conjugate_gradients(multiply(&scaled), plain, &right_side(), &mut x, &options, &mut CgBuffers::default());
        let with = conjugate_gradients(multiply(&scaled), jacobi, &right_side(), &mut x, &options, &mut CgBuffers::default());
        assert_eq!(with.outcome, IterationOutcome::Converged);
        assert!(with.iterations < without.iterations, "{} < {}", with.iterations, without.iterations);
    }

    #[test]
    fn negative_curvature_stops_with_a_direction_of_descent() {
        let mut matrix = positive_definite();
        matrix[(4, 4)] = -50.0;
        let b = right_side();
        let mut x = vec![Vec3::zeros(); NODES];
        let report = conjugate_gradients(multiply(&matrix), plain, &b, &mut x, &IterationOptions::default(), &mut CgBuffers::default());
        assert_eq!(report.outcome, IterationOutcome::NotPositive);
        assert!(flat(&b).dot(&flat(&x)) > 0.0);
    }
}
