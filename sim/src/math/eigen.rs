//! Eigen decomposition of symmetric 3x3 matrices by cyclic Jacobi rotations: slower than the analytic roots of
//! the cubic, but accurate to round-off for repeated and clustered eigenvalues too (Golub and Van Loan 2013, 8.5).

use super::{Mat3, Vec3};

/// m = vectors diag(values) vectors^T.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SymmetricEigen {
    /// Eigenvalues, in no particular order.
    pub values: Vec3,
    /// Eigenvectors, one a column; a rotation (det = +1).
    pub vectors: Mat3,
}

/// Jacobi converges quadratically: five sweeps reach round-off for every 3x3 matrix, the rest is in reserve.
const MAX_SWEEPS: usize = 12;

/// Decomposes a symmetric matrix; only the upper triangle is read. Not finite in, not finite out.
pub fn symmetric_eigen(m: &Mat3) -> SymmetricEigen {
    let mut a = *m;
    let mut vectors = Mat3::identity();
    for _ in 0..MAX_SWEEPS {
        let mut rotated = false;
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            rotated |= rotate(&mut a, &mut vectors, p, q);
        }
        if !rotated {
            break;
        }
    }
    SymmetricEigen { values: a.diagonal(), vectors }
}

/// Makes a[p][q] vanish; false where it already does, to round-off of the whole matrix.
fn rotate(a: &mut Mat3, vectors: &mut Mat3, p: usize, q: usize) -> bool {
    let off = a[(p, q)];
    let size = a.diagonal().amax();
    if off == 0.0 || off.abs() <= 1e-17 * size {
        return false;
    }
    let (c, s, t) = jacobi_rotation(a[(p, p)], a[(q, q)], off);
    let r = 3 - p - q;
    let at = |i: usize, j: usize| if i < j { (i, j) } else { (j, i) };
    let (rp, rq) = (a[at(r, p)], a[at(r, q)]);
    a[(p, p)] -= t * off;
    a[(q, q)] += t * off;
    a[(p, q)] = 0.0;
    a[at(r, p)] = c * rp - s * rq;
    a[at(r, q)] = s * rp + c * rq;
    rotate_columns(vectors, p, q, c, s);
    true
}

/// Cosine, sine and tangent of the rotation that diagonalises [[pp, pq], [pq, qq]]; |angle| <= 45 degrees.
#[inline]
pub(super) fn jacobi_rotation(pp: f64, qq: f64, pq: f64) -> (f64, f64, f64) {
    // t solves t^2 + 2 zeta t - 1 = 0 with zeta = (qq - pp) / (2 pq), written so that nothing cancels.
    let difference = qq - pp;
    let root = (difference * difference + 4.0 * pq * pq).sqrt();
    let t = if difference >= 0.0 { 2.0 * pq / (difference + root) } else { 2.0 * pq / (difference - root) };
    let c = 1.0 / (1.0 + t * t).sqrt();
    (c, c * t, t)
}

/// Applies the rotation to columns p and q.
#[inline]
pub(super) fn rotate_columns(m: &mut Mat3, p: usize, q: usize, c: f64, s: f64) {
    for i in 0..3 {
        let (x, y) = (m[(i, p)], m[(i, q)]);
        m[(i, p)] = c * x - s * y;
        m[(i, q)] = s * x + c * y;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::random::Random;

    #[test]
    fn reconstructs_matrices_with_any_spectrum() {
        let mut random = Random::new(1);
        for trial in 0..2000 {
            let mut values = random.vector(-2.0, 2.0);
            match trial % 5 {
                0 => values.y = values.x,
                1 => values = Vec3::repeat(values.x),
                2 => values.z = values.x * (1.0 + 1e-12),
                3 => values.z *= 1e-9,
                _ => {}
            }
            let q = random.rotation();
            let m = q * Mat3::from_diagonal(&values) * q.transpose();
            let m = 0.5 * (m + m.transpose());
            let eigen = symmetric_eigen(&m);
            let v = eigen.vectors;
            assert!((v * Mat3::from_diagonal(&eigen.values) * v.transpose() - m).amax() < 4e-15, "{m}");
            assert!((v.transpose() * v - Mat3::identity()).amax() < 2e-15);
            assert!((v.determinant() - 1.0).abs() < 2e-15);
            let (mut found, mut expected) = (eigen.values, values);
            found.as_mut_slice().sort_by(f64::total_cmp);
            expected.as_mut_slice().sort_by(f64::total_cmp);
            assert!((found - expected).amax() < 4e-15);
        }
    }

    #[test]
    fn a_matrix_that_is_not_finite_does_not_hang() {
        assert!(symmetric_eigen(&Mat3::repeat(f64::NAN)).values.x.is_nan());
    }
}
