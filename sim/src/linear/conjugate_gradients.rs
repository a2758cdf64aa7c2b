//! Preconditioned conjugate gradients (Hestenes and Stiefel 1952).

use rayon::prelude::*;

use crate::math::Vec3;

/// Entries summed by one task.
const CHUNK: usize = 2048;
/// The residual that the iteration carries along is recomputed this often, lest it drift from the true one.
const REFRESH: usize = 50;

/// When to stop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PcgOptions {
    /// Residual over right side, |b - A x| / |b|.
    pub tolerance: f64,
    /// Iterations at most.
    pub max_iterations: u32,
}

impl Default for PcgOptions {
    fn default() -> Self {
        Self { tolerance: 1e-8, max_iterations: 600 }
    }
}

/// How it ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PcgOutcome {
    /// Within the tolerance.
    Converged,
    /// Out of iterations.
    OutOfIterations,
    /// A direction of no or negative curvature was met: the matrix is not positive definite. The solution so far is one
    /// of descent (Steihaug 1983).
    NotPositive,
}

/// What it took.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PcgReport {
    /// Iterations done.
    pub iterations: u32,
    /// |b - A x| / |b|, recomputed from the solution.
    pub residual: f64,
    /// How it ended.
    pub outcome: PcgOutcome,
}

/// Vectors kept from one solve to the next.
#[derive(Debug, Default)]
pub struct PcgBuffers {
    residual: Vec<Vec3>,
    preconditioned: Vec<Vec3>,
    direction: Vec<Vec3>,
    product: Vec<Vec3>,
}

/// Scalar product, summed in fixed chunks.
fn dot(a: &[Vec3], b: &[Vec3]) -> f64 {
    let part = |(a, b): (&[Vec3], &[Vec3])| a.iter().zip(b).map(|(a, b)| a.dot(b)).sum::<f64>();
    let parts: Vec<f64> = a.par_chunks(CHUNK).zip(b.par_chunks(CHUNK)).map(part).collect();
    parts.into_iter().sum()
}

/// y += s x
fn add_scaled(y: &mut [Vec3], s: f64, x: &[Vec3]) {
    y.iter_mut().zip(x).for_each(|(y, x)| *y += s * x);
}

/// Solves A x = b from x = 0. `multiply(x, y)` sets y = A x, `precondition(r, z)` sets z near A^-1 r; both symmetric
/// positive definite, the second always.
pub fn conjugate_gradients(
    multiply: impl Fn(&[Vec3], &mut [Vec3]),
    precondition: impl Fn(&[Vec3], &mut [Vec3]),
    b: &[Vec3],
    x: &mut [Vec3],
    options: PcgOptions,
    buffers: &mut PcgBuffers,
) -> PcgReport {
    let PcgBuffers { residual: r, preconditioned: z, direction: p, product: q } = buffers;
    for buffer in [&mut *r, &mut *z, &mut *p, &mut *q] {
        buffer.clear();
        buffer.resize(b.len(), Vec3::zeros());
    }
    x.fill(Vec3::zeros());
    r.copy_from_slice(b);
    let size = dot(b, b).sqrt();
    if size == 0.0 {
        return PcgReport { iterations: 0, residual: 0.0, outcome: PcgOutcome::Converged };
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
            break PcgOutcome::NotPositive;
        }
        let step = rz / curvature;
        add_scaled(x, step, p);
        iterations += 1;
        if (iterations as usize).is_multiple_of(REFRESH) {
            subtract_product(&multiply, b, x, r);
        } else {
            add_scaled(r, -step, q);
        }
        if dot(r, r).sqrt() <= options.tolerance * size {
            break PcgOutcome::Converged;
        }
        if iterations >= options.max_iterations {
            break PcgOutcome::OutOfIterations;
        }
    };
    subtract_product(&multiply, b, x, r);
    PcgReport { iterations, residual: dot(r, r).sqrt() / size, outcome }
}

/// r = b - A x
fn subtract_product(multiply: &impl Fn(&[Vec3], &mut [Vec3]), b: &[Vec3], x: &[Vec3], r: &mut [Vec3]) {
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
        let options = PcgOptions { tolerance: 1e-10, max_iterations: 100 };
        let report = conjugate_gradients(watched, plain, &right_side(), &mut x, options, &mut PcgBuffers::default());
        assert_eq!(report.outcome, PcgOutcome::Converged);
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
            let options = PcgOptions { tolerance, max_iterations };
            let report = conjugate_gradients(multiply(&matrix), plain, &b, &mut x, options, &mut PcgBuffers::default());
            let residual = (flat(&b) - &matrix * flat(&x)).norm() / flat(&b).norm();
            assert!((report.residual - residual).abs() < 1e-14);
            assert_eq!(report.outcome == PcgOutcome::Converged, residual <= tolerance);
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
        let options = PcgOptions { tolerance: 1e-8, max_iterations: 500 };
        let mut x = vec![Vec3::zeros(); NODES];
        let without = conjugate_gradients(multiply(&scaled), plain, &right_side(), &mut x, options, &mut PcgBuffers::default());
        let with = conjugate_gradients(multiply(&scaled), jacobi, &right_side(), &mut x, options, &mut PcgBuffers::default());
        assert_eq!(with.outcome, PcgOutcome::Converged);
        assert!(with.iterations < without.iterations, "{} < {}", with.iterations, without.iterations);
    }

    #[test]
    fn negative_curvature_stops_with_a_direction_of_descent() {
        let mut matrix = positive_definite();
        matrix[(4, 4)] = -50.0;
        let b = right_side();
        let mut x = vec![Vec3::zeros(); NODES];
        let report = conjugate_gradients(multiply(&matrix), plain, &b, &mut x, PcgOptions::default(), &mut PcgBuffers::default());
        assert_eq!(report.outcome, PcgOutcome::NotPositive);
        assert!(flat(&b).dot(&flat(&x)) > 0.0);
    }
}
