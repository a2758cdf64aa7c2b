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

/// Eigenvectors of a symmetric matrix as a rotation, without iteration over rotations (after Eberly 2014, "A Robust Eigensolver for 3x3
/// Symmetric Matrices"): to a few units of round-off of the matrix, from which Jacobi rotations have next to nothing left to do; largest eigenvalue first.
pub(crate) fn direct_eigenvectors(m: &Mat3) -> Mat3 {
    let deviator = m - Mat3::from_diagonal_element(m.trace() / 3.0);
    let size = (deviator.norm_squared() / 6.0).sqrt();
    if size.is_nan() || size <= f64::EPSILON * m.diagonal().amax() {
        return Mat3::identity();
    }
    let normalised = deviator * (1.0 / size);
    let half_determinant = 0.5 * normalised.determinant();
    let negated = half_determinant < 0.0;
    let scaled = if negated { -normalised } else { normalised };
    // The eigenvalue apart from the other two, the root in [sqrt 3, 2] of x^3 - 3 x = 2 |h|: a polynomial good to 2e-6, then Halley's method.
    let h = half_determinant.abs().min(1.0);
    let x = ROOT.iter().rev().fold(0.0, |sum, c| c + h * sum);
    let (value, slope) = (x * (x * x - 3.0) - 2.0 * h, 3.0 * (x * x - 1.0));
    let x = x - value * slope / (slope * slope - 3.0 * x * value);
    let rows = scaled - Mat3::from_diagonal_element(x);
    let (a, b, c) = (rows.column(0), rows.column(1), rows.column(2));
    let crossed = [a.cross(&b), b.cross(&c), c.cross(&a)];
    let squares = crossed.map(|v| v.norm_squared());
    // By arithmetic: no branch could be foretold.
    let best = if squares[1] > squares[0] { 1 } else { 0 };
    let best = if squares[2] > squares[best] { 2 } else { best };
    let apart = crossed[best] * (1.0 / squares[best].sqrt());
    // The other two lie across it.
    let first = if apart.x.abs() > apart.y.abs() { Vec3::new(-apart.z, 0.0, apart.x) } else { Vec3::new(0.0, apart.z, -apart.y) };
    let first = first * (1.0 / first.norm());
    let second = apart.cross(&first);
    let (by_first, by_second) = (scaled * first, scaled * second);
    let (pp, qq) = (first.dot(&by_first), second.dot(&by_second));
    let (c, s, _) = jacobi_rotation(pp, qq, first.dot(&by_second));
    let (c, s) = if (pp < qq) != negated { (s, -c) } else { (c, s) };
    let (larger, smaller) = (c * first - s * second, s * first + c * second);
    if negated { Mat3::from_columns(&[larger, smaller, apart]) } else { Mat3::from_columns(&[apart, larger, smaller]) }
}

/// Coefficients of 2 cos(acos(h) / 3) by interpolation at six Chebyshev nodes of [0, 1].
const ROOT: [f64; 6] = [1.732_052, 0.333_238, -0.095_05, 0.043_799, -0.017_933, 0.003_895];

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
    if pq == 0.0 {
        return (1.0, 0.0, 0.0);
    }
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
    fn direct_eigenvectors_diagonalise_to_round_off() {
        let mut random = Random::new(18);
        for trial in 0..4000 {
            let mut values = random.vector(-2.0, 2.0);
            match trial % 6 {
                0 => values.y = values.x,
                1 => values = Vec3::repeat(values.x),
                2 => values.z = values.x * (1.0 + 1e-12),
                3 => values = Vec3::new(1.0, 1.0 + 1e-9 * values.y, 1.0 + 1e-9 * values.z),
                4 => values.z *= 1e-9,
                _ => {}
            }
            let q = if trial % 7 == 0 { Mat3::identity() } else { random.rotation() };
            let m = q * Mat3::from_diagonal(&values) * q.transpose();
            let v = direct_eigenvectors(&(0.5 * (m + m.transpose())));
            let diagonal = v.transpose() * m * v;
            assert!((diagonal - Mat3::from_diagonal(&diagonal.diagonal())).amax() < 1e-14, "{m} {diagonal}");
            assert!(diagonal.m11 > diagonal.m22 - 1e-14 && diagonal.m22 > diagonal.m33 - 1e-14);
            assert!((v.transpose() * v - Mat3::identity()).amax() < 2e-15);
            assert!((v.determinant() - 1.0).abs() < 2e-15);
        }
        assert_eq!(direct_eigenvectors(&Mat3::zeros()), Mat3::identity());
        assert_eq!(direct_eigenvectors(&Mat3::repeat(f64::NAN)), Mat3::identity());
    }

    #[test]
    fn a_matrix_that_is_not_finite_does_not_hang() {
        assert!(symmetric_eigen(&Mat3::repeat(f64::NAN)).values.x.is_nan());
    }
}
