//! Signed singular value decomposition of 3x3 matrices by one-sided Jacobi rotations (Hestenes 1958), which
//! keeps small singular values accurate relative to themselves where F^T F would square the condition number.

use super::eigen::{direct_eigenvectors, jacobi_rotation, rotate_columns};
use super::{Mat3, Vec3, across};

/// F = u diag(s) v^T with rotations u and v (det = +1), |s| descending to round-off; the last s carries the sign of det F
/// (Irving et al. 2004).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Svd {
    /// Left singular vectors, one a column.
    pub u: Mat3,
    /// Signed singular values.
    pub s: Vec3,
    /// Right singular vectors, one a column.
    pub v: Mat3,
}

impl Svd {
    /// The rotation nearest to F: the polar factor R of F = R S.
    pub fn rotation(&self) -> Mat3 {
        self.u * self.v.transpose()
    }
    /// u diag(s) v^T.
    pub fn matrix(&self) -> Mat3 {
        let mut scaled = self.u;
        for (mut column, value) in scaled.column_iter_mut().zip(&self.s) {
            column *= *value;
        }
        scaled * self.v.transpose()
    }
}

const MAX_SWEEPS: usize = 16;
/// Cosine of the angle between columns that counts as orthogonal: the round-off of a dot product.
const ORTHOGONAL: f64 = 2e-15;

/// Decomposes any finite matrix, singular ones included. Not finite in, not finite out.
pub fn svd(f: &Mat3) -> Svd {
    // Columns of b = F v become orthogonal; their lengths are then the singular values.
    // The eigenvectors of F^T F are where they nearly are; what its squared condition number hides, the rotations find.
    let mut v = direct_eigenvectors(&(f.transpose() * f));
    let mut b = f * v;
    for _ in 0..MAX_SWEEPS {
        let mut rotated = false;
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let (bp, bq) = (b.column(p), b.column(q));
            let (pp, qq, pq) = (bp.norm_squared(), bq.norm_squared(), bp.dot(&bq));
            if pq * pq > ORTHOGONAL * ORTHOGONAL * pp * qq {
                let (c, s, _) = jacobi_rotation(pp, qq, pq);
                rotated = true;
                rotate_columns(&mut b, p, q, c, s);
                rotate_columns(&mut v, p, q, c, s);
            }
        }
        if !rotated {
            break;
        }
    }
    sort_columns(&mut b, &mut v);
    let u0 = b.column(0).try_normalize(0.0).unwrap_or_else(Vec3::x);
    // A second column lost in round-off of the first has no direction of its own: any perpendicular will do.
    let second = b.column(1) - u0 * u0.dot(&b.column(1));
    let u1 = if second.norm() > f64::EPSILON * f64::EPSILON * b.column(0).norm() { second.normalize() } else { across(&u0) };
    let u2 = u0.cross(&u1);
    let s = Vec3::new(u0.dot(&b.column(0)), u1.dot(&b.column(1)), u2.dot(&b.column(2)));
    Svd { u: Mat3::from_columns(&[u0, u1, u2]), s, v }
}

/// Longest column first; each exchange turns one column round, so that v stays a rotation.
fn sort_columns(b: &mut Mat3, v: &mut Mat3) {
    for (p, q) in [(0, 1), (0, 2), (1, 2)] {
        if b.column(p).norm_squared() < b.column(q).norm_squared() {
            for m in [&mut *b, &mut *v] {
                m.swap_columns(p, q);
                m.column_mut(q).neg_mut();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::random::Random;

    fn check(f: &Mat3) {
        let Svd { u, s, v } = svd(f);
        let size = f.amax();
        assert!((u * Mat3::from_diagonal(&s) * v.transpose() - f).amax() <= 4e-15 * size, "{f}");
        for rotation in [u, v] {
            assert!((rotation.transpose() * rotation - Mat3::identity()).amax() < 4e-15);
            assert!((rotation.determinant() - 1.0).abs() < 4e-15);
        }
        let slack = 2e-15 * size;
        assert!(s.x >= s.y - slack && s.y >= s.z.abs() - slack, "{s}");
    }

    #[test]
    fn reconstructs_any_matrix_with_two_rotations() {
        let mut random = Random::new(2);
        for trial in 0..4000 {
            let mut f = random.matrix(-1.0, 1.0);
            let (u, v) = (random.rotation(), random.rotation());
            match trial % 8 {
                0 => f = Mat3::identity() + 1e-9 * f,
                1 => f = u,
                2 => f = u * Mat3::from_diagonal(&Vec3::new(1.0, 1.0, random.uniform(-1.0, 1.0))) * v.transpose(),
                3 => f = u * Mat3::from_diagonal(&Vec3::new(1.0, 1e-7, 1e-14)) * v.transpose(),
                4 => f.set_column(2, &(f.column(0) + f.column(1))),
                5 => f = f.column(0) * f.column(1).transpose(),
                6 => f *= 1e-20,
                _ => {}
            }
            check(&f);
        }
        check(&Mat3::zeros());
        check(&-Mat3::identity());
        check(&Mat3::identity());
    }

    #[test]
    fn small_singular_values_are_accurate_relative_to_themselves() {
        let mut random = Random::new(3);
        for _ in 0..500 {
            // Scaled columns: one-sided rotations see each at its own size.
            let f = random.rotation() * Mat3::from_diagonal(&Vec3::new(1.0, 1e-8, 1e-15));
            let s = svd(&f).s;
            assert!((s.y / 1e-8 - 1.0).abs() < 1e-14 && (s.z / 1e-15 - 1.0).abs() < 1e-14, "{s}");
        }
    }

    #[test]
    fn the_sign_of_the_determinant_is_on_the_last_value() {
        let mut random = Random::new(4);
        for _ in 0..500 {
            let f = random.matrix(-1.0, 1.0);
            assert!((svd(&f).s.product() - f.determinant()).abs() < 1e-14);
            assert_eq!(svd(&f).s.z > 0.0, f.determinant() > 0.0);
        }
    }
}
