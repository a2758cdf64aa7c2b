//! What an isotropic law says about a deformation gradient F = U diag(s) V^T, from principal stretches alone.
//!
//! P = U diag(psi_k) V^T. In the frame dF' = U^T dF V the stress differential falls apart (Stomakhin et al. 2012;
//! Li et al. 2024, 14.3): the diagonal of dF' meets the 3x3 Hessian of psi, and each pair (dF'_ab, dF'_ba) meets a
//! symmetric 2x2 block with equal diagonal entries, whose eigenvalues are the two quotients
//! (psi_a - psi_b)/(s_a - s_b) and (psi_a + psi_b)/(s_a + s_b).

use super::Material;
use crate::math::{Mat3, Svd, Vec3, svd, symmetric_eigen};

/// First Piola stress [Pa] of the deformation gradient.
pub fn first_piola(material: &dyn Material, f: &Mat3) -> Mat3 {
    let frame = svd(f);
    frame.compose(&material.gradient(&frame.s))
}

/// Cauchy stress [Pa] of the deformation gradient, symmetric to the last bit; not finite where det F = 0.
pub fn cauchy(material: &dyn Material, f: &Mat3) -> Mat3 {
    let Svd { u, s, .. } = svd(f);
    let principal = material.gradient(&s).component_mul(&s) / s.product();
    symmetric_from(&u, &principal)
}

/// q diag(values) q^T, symmetric to the last bit.
pub fn symmetric_from(q: &Mat3, values: &Vec3) -> Mat3 {
    let m = q * Mat3::from_diagonal(values) * q.transpose();
    0.5 * (m + m.transpose())
}

/// The stress differential in the principal frame [Pa].
#[derive(Debug, Clone, Copy)]
pub struct PrincipalHessian {
    /// Acts on the diagonal of dF'.
    pub normal: Mat3,
    /// For the pairs (1, 2), (2, 0), (0, 1), numbered by the axis that is left out: diagonal entry of the 2x2 block.
    pub pair_diagonal: Vec3,
    /// Its off-diagonal entry.
    pub pair_off_diagonal: Vec3,
}

/// Quotients of stretches nearer than this are taken from the Hessian: there the quadrature below errs by its
/// fourth power, the plain quotient by round-off over it; both stay under 1e-12.
const CLOSE: f64 = 1e-3;
/// s_a + s_b vanishes only in inverted elements, where the quotient may be truly unbounded (Li et al. 2024, 14.3).
const SMALLEST_SUM: f64 = 1e-6;

/// The differential at principal stretches `s`; `projected`: its nearest positive semidefinite part.
pub fn principal_hessian(material: &dyn Material, s: &Vec3, projected: bool) -> PrincipalHessian {
    let gradient = material.gradient(s);
    let mut normal = material.hessian(s);
    let (mut pair_diagonal, mut pair_off_diagonal) = (Vec3::zeros(), Vec3::zeros());
    for k in 0..3 {
        let (a, b) = ((k + 1) % 3, (k + 2) % 3);
        let sum = s[a] + s[b];
        let sum = if sum.abs() < SMALLEST_SUM { SMALLEST_SUM.copysign(sum) } else { sum };
        let mut stretch = stretch_quotient(material, s, &gradient, a, b);
        let mut rotation = (gradient[a] + gradient[b]) / sum;
        if projected {
            (stretch, rotation) = (stretch.max(0.0), rotation.max(0.0));
        }
        pair_diagonal[k] = 0.5 * (stretch + rotation);
        pair_off_diagonal[k] = 0.5 * (stretch - rotation);
    }
    if projected {
        normal = positive_part(&normal);
    }
    PrincipalHessian { normal, pair_diagonal, pair_off_diagonal }
}

/// (psi_a - psi_b)/(s_a - s_b), also where the stretches coincide.
fn stretch_quotient(material: &dyn Material, s: &Vec3, gradient: &Vec3, a: usize, b: usize) -> f64 {
    let difference = s[a] - s[b];
    if difference.abs() > CLOSE * (s[a].abs() + s[b].abs()) {
        return (gradient[a] - gradient[b]) / difference;
    }
    // psi_a - psi_b is odd along (c + t, c - t): the mean of its even derivative over [-t, t] by Gauss' two-point
    // rule needs one Hessian, at t / sqrt 3.
    let (middle, offset) = (0.5 * (s[a] + s[b]), 0.5 * difference / 3f64.sqrt());
    let mut between = *s;
    between[a] = middle + offset;
    between[b] = middle - offset;
    let h = material.hessian(&between);
    0.5 * (h[(a, a)] + h[(b, b)]) - h[(a, b)]
}

/// Clamps negative eigenvalues of a symmetric matrix to zero.
fn positive_part(m: &Mat3) -> Mat3 {
    let minor = m[(0, 0)] * m[(1, 1)] - m[(0, 1)] * m[(0, 1)];
    if m[(0, 0)] > 0.0 && minor > 0.0 && m.determinant() > 0.0 {
        return *m;
    }
    let eigen = symmetric_eigen(m);
    symmetric_from(&eigen.vectors, &eigen.values.map(|l| l.max(0.0)))
}
