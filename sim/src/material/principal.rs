//! What an isotropic law says about a deformation gradient F = U diag(s) V^T, from principal strains s - 1 alone.
//!
//! P = U diag(psi_k) V^T. In the frame dF' = U^T dF V the stress differential falls apart (Stomakhin et al. 2012;
//! Li et al. 2024, 14.3): the diagonal of dF' meets the 3x3 Hessian of psi, and each pair (dF'_ab, dF'_ba) meets a
//! symmetric 2x2 block with equal diagonal entries, whose eigenvalues are the two quotients
//! (psi_a - psi_b)/(s_a - s_b) and (psi_a + psi_b)/(s_a + s_b).
//!
//! A law whose rotation R is lagged or fixed looks at the symmetric part Q diag(s) Q^T of R^T F: the same with U = R Q and
//! V = Q, but that no rotation of F changes the stress, so that the second quotient is zero.

use super::{Frame, Material};
use crate::math::eigen::direct_eigenvectors;
use crate::math::{Mat3, Svd, Vec3, svd, symmetric_eigen};

/// F = U diag(1 + strain) V^T with rotations U and V.
#[derive(Debug, Clone, Copy)]
pub struct Principal {
    /// Left singular vectors, one a column.
    pub u: Mat3,
    /// Signed singular values less 1, each accurate relative to the largest of them.
    pub strain: Vec3,
    /// Right singular vectors, one a column.
    pub v: Mat3,
}

/// Largest entry of F^T F - I up to which principal strains are taken from it: there its condition number is harmless.
const NEAR: f64 = 0.3;

impl Principal {
    /// Of a displacement gradient G = F - I.
    pub fn of(g: &Mat3) -> Self {
        let f = g + Mat3::identity();
        // F^T F - I without cancellation: its eigenvalues are (1 + d)^2 - 1 for strains d.
        let twice_green = g + g.transpose() + g.transpose() * g;
        if !(twice_green.amax() < NEAR && f.determinant() > 0.0) {
            let Svd { u, s, v } = svd(&f);
            return Self { u, strain: s.add_scalar(-1.0), v };
        }
        let v = direct_eigenvectors(&twice_green);
        let strain = Vec3::from_fn(|k, _| {
            let value = v.column(k).dot(&(twice_green * v.column(k)));
            value / (1.0 + (1.0 + value).sqrt())
        });
        let b = f * v;
        let first = b.column(0).normalize();
        let second = (b.column(1) - first * first.dot(&b.column(1))).normalize();
        Self { u: Mat3::from_columns(&[first, second, first.cross(&second)]), strain, v }
    }

    /// u diag(values) v^T.
    pub fn compose(&self, values: &Vec3) -> Mat3 {
        Svd { u: self.u, s: *values, v: self.v }.matrix()
    }

    /// R - I for the rotation R of F = R S, of which G = F - I: near rest accurate relative to G.
    pub fn turn(&self, g: &Mat3) -> Mat3 {
        if self.strain.amax() > NEAR {
            return self.u * self.v.transpose() - Mat3::identity();
        }
        // F = R (I + D), so (R - I) (I + D) = G - D.
        let inverse = self.strain.map(|d| 1.0 / (1.0 + d));
        (g - symmetric_from(&self.v, &self.strain)) * symmetric_from(&self.v, &inverse)
    }
}

/// The principal strains that the law sees in F = I + `g`, and their frame. `turn`: R - I for the rotation R of the step's start,
/// for laws that lag it.
pub fn principal_frame(material: &dyn Material, g: &Mat3, turn: &Mat3) -> Principal {
    let turn = match material.frame() {
        Frame::Current => return Principal::of(g),
        Frame::Lagged => *turn,
        Frame::Fixed => Mat3::zeros(),
    };
    // R^T F - I.
    let unturned = g + turn.transpose() + turn.transpose() * g;
    let strain = symmetric_eigen(&(0.5 * (unturned + unturned.transpose())));
    Principal { u: strain.vectors + turn * strain.vectors, strain: strain.values, v: strain.vectors }
}

/// Energy density [J/m^3] of the displacement gradient G = F - I.
pub fn energy(material: &dyn Material, g: &Mat3, turn: &Mat3) -> f64 {
    match material.frame() {
        Frame::Current => material.energy_of(g),
        _ => material.energy(&principal_frame(material, g, turn).strain),
    }
}

/// First Piola stress [Pa] of the displacement gradient.
pub fn first_piola(material: &dyn Material, g: &Mat3, turn: &Mat3) -> Mat3 {
    match material.frame() {
        Frame::Current => material.first_piola_of(g),
        _ => {
            let frame = principal_frame(material, g, turn);
            frame.compose(&material.gradient(&frame.strain))
        }
    }
}

/// Cauchy stress [Pa] of the displacement gradient, symmetric to the last bit; not finite where det F = 0. Of a law that sees
/// rotations, the symmetric part.
pub fn cauchy(material: &dyn Material, g: &Mat3, turn: &Mat3) -> Mat3 {
    if material.frame() != Frame::Current {
        let f = g + Mat3::identity();
        let stress = first_piola(material, g, turn) * f.transpose() / f.determinant();
        return 0.5 * (stress + stress.transpose());
    }
    let Principal { u, strain, .. } = Principal::of(g);
    let stretch = strain.add_scalar(1.0);
    let principal = material.gradient(&strain).component_mul(&stretch) / stretch.product();
    symmetric_from(&u, &principal)
}

/// q diag(values) q^T, symmetric to the last bit.
pub fn symmetric_from(q: &Mat3, values: &Vec3) -> Mat3 {
    let m = q * Mat3::from_diagonal(values) * q.transpose();
    0.5 * (m + m.transpose())
}

/// The stress differential in the principal frame [Pa].
#[derive(Debug, Clone, Copy, Default)]
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

/// The differential at principal strains `d`; `projected`: its nearest positive semidefinite part.
pub fn principal_hessian(material: &dyn Material, d: &Vec3, projected: bool) -> PrincipalHessian {
    let mut normal = material.hessian(d);
    let (mut stretch, mut rotation) = material.quotients(d, &material.gradient(d));
    if material.frame() != Frame::Current {
        rotation = Vec3::zeros();
    }
    if projected {
        normal = positive_part(&normal);
        (stretch, rotation) = (stretch.map(|q| q.max(0.0)), rotation.map(|q| q.max(0.0)));
    }
    PrincipalHessian { normal, pair_diagonal: 0.5 * (stretch + rotation), pair_off_diagonal: 0.5 * (stretch - rotation) }
}

/// [`Material::quotients`] of any law.
pub(super) fn quotients<M: Material + ?Sized>(material: &M, d: &Vec3, gradient: &Vec3) -> (Vec3, Vec3) {
    let of_pair = |k: usize| {
        let (a, b) = ((k + 1) % 3, (k + 2) % 3);
        let sum = 2.0 + d[a] + d[b];
        let sum = if sum.abs() < SMALLEST_SUM { SMALLEST_SUM.copysign(sum) } else { sum };
        (stretch_quotient(material, d, gradient, a, b), (gradient[a] + gradient[b]) / sum)
    };
    let pairs = [0, 1, 2].map(of_pair);
    (pairs.map(|pair| pair.0).into(), pairs.map(|pair| pair.1).into())
}

/// (psi_a - psi_b)/(s_a - s_b), also where the stretches coincide.
fn stretch_quotient<M: Material + ?Sized>(material: &M, d: &Vec3, gradient: &Vec3, a: usize, b: usize) -> f64 {
    let difference = d[a] - d[b];
    if difference.abs() > CLOSE * ((1.0 + d[a]).abs() + (1.0 + d[b]).abs()) {
        return (gradient[a] - gradient[b]) / difference;
    }
    // psi_a - psi_b is odd along (c + t, c - t): the mean of its even derivative over [-t, t] by Gauss' two-point
    // rule needs one Hessian, at t / sqrt 3.
    let (middle, offset) = (0.5 * (d[a] + d[b]), 0.5 * difference / 3f64.sqrt());
    let mut between = *d;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::MATERIALS;
    use crate::math::random::Random;

    #[test]
    fn piola_stress_is_the_derivative_of_the_energy() {
        let mut random = Random::new(6);
        for law in MATERIALS {
            let material = (law.build)(1.0, 0.3);
            for _ in 0..50 {
                let g = random.matrix(-0.3, 0.3);
                let turn = random.rotation() - Mat3::identity();
                let stress = first_piola(&*material, &g, &turn);
                let direction = random.matrix(-1.0, 1.0);
                let slope = |h: f64| {
                    let energy = |t: f64| energy(&*material, &(g + t * direction), &turn);
                    (energy(h) - energy(-h)) / (2.0 * h)
                };
                assert!((slope(1e-5) - stress.dot(&direction)).abs() < 1e-8, "{}", law.name);
                let (cauchy, f) = (cauchy(&*material, &g, &turn), g + Mat3::identity());
                assert_eq!(cauchy, cauchy.transpose());
                let kirchhoff = stress * f.transpose();
                let expected = 0.5 * (kirchhoff + kirchhoff.transpose()) / f.determinant();
                assert!((cauchy - expected).amax() < 1e-13, "{}", law.name);
            }
        }
    }

    /// psi_a - psi_b over s_a - s_b in closed form for the quadratic and the quartic law.
    #[test]
    fn quotients_are_accurate_when_stretches_almost_coincide() {
        let (young, poisson) = (1.0, 0.3);
        let mut random = Random::new(7);
        for exponent in 0..17 {
            let apart = 10f64.powi(-exponent) * 0.3;
            let s = Vec3::new(random.uniform(0.6, 1.5), 0.0, random.uniform(0.6, 1.5));
            let s = Vec3::new(s.x, s.x + apart, s.z);
            for name in ["corotated", "stvk", "neo_hookean", "stable_neo_hookean"] {
                let Some(law) = crate::material::law(name) else { unreachable!() };
                let material = (law.build)(young, poisson);
                let crate::material::Lame { mu, lambda } = material.lame();
                let green = s.map(|l| 0.5 * (l * l - 1.0));
                let expected = match name {
                    "corotated" => 2.0 * mu,
                    "stvk" => lambda * green.sum() + mu * (s.x * s.x + s.x * s.y + s.y * s.y - 1.0),
                    "neo_hookean" => mu + (mu - lambda * s.product().ln()) / (s.x * s.y),
                    _ => mu - s.z * ((lambda + mu) * (s.product() - 1.0) - mu),
                };
                let h = principal_hessian(&*material, &s.add_scalar(-1.0), false);
                let quotient = h.pair_diagonal.z + h.pair_off_diagonal.z;
                assert!((quotient / expected - 1.0).abs() < 1e-11, "{name} {apart:e}: {quotient} {expected}");
            }
        }
    }

    /// Where an element is turned inside out, two stretches sum to nothing and a rotation is as stiff as one likes: a matrix of such
    /// elements keeps its digits as long as that is no more than a million times the stress. Nothing is lost before.
    #[test]
    fn rotations_of_elements_that_turn_inside_out_are_of_bounded_stiffness() {
        let Some(law) = crate::material::law("corotated") else { unreachable!() };
        let material = (law.build)(1.0, 0.3);
        for exponent in 1..18 {
            for sum in [10f64.powi(-exponent), -(10f64.powi(-exponent))] {
                let d = Vec3::new(-0.3, -1.7 + sum, 0.4);
                let gradient = material.gradient(&d);
                let h = principal_hessian(&*material, &d, false);
                let rotation = h.pair_diagonal.z - h.pair_off_diagonal.z;
                let exact = (gradient.x + gradient.y) / sum;
                assert!(exponent > 6 || (rotation / exact - 1.0).abs() < 1e-7, "{sum:e}: {rotation} {exact}");
                assert!(rotation.is_finite() && rotation.abs() < 1.01e6 * (gradient.x + gradient.y).abs(), "{sum:e}: {rotation}");
            }
        }
    }
}
