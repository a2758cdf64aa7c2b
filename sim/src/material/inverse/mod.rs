//! From principal Cauchy stress to principal strains: the local stage's three equations a tetrahedron
//! (Hsu et al. 2022, eq. 20, with F's gauge fixed to the left stretch).
//!
//! In x = ln stretch and t_k = stretch_k psi_k the stress is sigma_k = t_k / J, so a stretch with stress s solves
//! t(x) = J s with J = exp(x1 + x2 + x3). Far from rest there are further roots that no body reaches: accepted is
//! only the branch that joins rest, along which the stress grows from 0 to s without a fold.

mod branch;
mod curve;
#[cfg(test)]
mod limits;
#[cfg(test)]
mod tests;

use super::Material;
use crate::material::Unattainable;
use crate::math::{Mat3, Vec3};

/// Up to here a root found directly by Newton's method is on rest's own branch if every iterate is [`regular`]: so near to rest there
/// is at most one fold, and past it one eigenvalue is negative.
const NEAR_REST: f64 = 0.3;
/// Size of a Newton step, as a share of the strain, after which the next one is round-off: its square.
const CONVERGED: f64 = 1e-9;

/// Principal strains, stretch - 1, whose principal Cauchy stresses are `stress` [Pa]: accurate relative to themselves, however small.
///
/// # Errors
/// [`Unattainable::TooSoft`] with the share of the stress at the fold, if the law cannot make the whole.
pub fn strains_from_cauchy(material: &dyn Material, stress: &Vec3) -> Result<Vec3, Unattainable> {
    if !stress.iter().all(|s| s.is_finite()) {
        return Err(Unattainable::TooSoft { attainable_share: 0.0 });
    }
    if let Some(x) = newton(material, stress, Vec3::zeros(), NEAR_REST) {
        return Ok(x.map(f64::exp_m1));
    }
    branch::follow(material, stress).map(|x| x.map(f64::exp_m1))
}

/// t, its symmetric derivative by x [Pa], and J.
fn kirchhoff(material: &dyn Material, x: &Vec3) -> (Vec3, Mat3, f64) {
    let strain = x.map(f64::exp_m1);
    let stretch = strain.add_scalar(1.0);
    let t = material.gradient(&strain).component_mul(&stretch);
    let mut derivative = material.hessian(&strain);
    for j in 0..3 {
        for k in 0..3 {
            derivative[(k, j)] *= stretch[k] * stretch[j];
        }
        derivative[(j, j)] += t[j];
    }
    (t, derivative, stretch.product())
}

/// r = t(x) - J s and its derivative by x [Pa].
fn residual(material: &dyn Material, x: &Vec3, stress: &Vec3) -> (Vec3, Mat3) {
    let (t, derivative, volume) = kirchhoff(material, x);
    let force = volume * stress;
    (t - force, derivative - Mat3::from_columns(&[force, force, force]))
}

/// Whether the derivative of r has no real eigenvalue that is zero or negative, by Descartes' rule of signs on its characteristic
/// polynomial. At rest all are positive. The determinant alone does not see two that passed zero together, as they nearly do where
/// stresses are nearly equal (the Baker-Ericksen inequality is lost there, and the shape with it).
fn regular(derivative: &Mat3) -> bool {
    let minor = |i: usize, j: usize| derivative[(i, i)] * derivative[(j, j)] - derivative[(i, j)] * derivative[(j, i)];
    derivative.trace() > 0.0 && minor(0, 1) + minor(1, 2) + minor(2, 0) > 0.0 && derivative.determinant() > 0.0
}

/// Newton's method from a point; `None` wherever the branch could be in doubt: an iterate is not [`regular`], or it is farther than
/// `reach` from the start.
fn newton(material: &dyn Material, stress: &Vec3, from: Vec3, reach: f64) -> Option<Vec3> {
    let mut x = from;
    for _ in 0..20 {
        let (r, derivative) = residual(material, &x, stress);
        let step = solve(&derivative, &r).filter(|_| regular(&derivative))?;
        x -= step;
        if (x - from).amax() > reach {
            return None;
        }
        if step.amax() <= CONVERGED * x.amax() {
            return Some(x);
        }
    }
    None
}

fn adjugate(m: &Mat3) -> Mat3 {
    let (a, b, c) = (m.row(0).transpose(), m.row(1).transpose(), m.row(2).transpose());
    Mat3::from_columns(&[b.cross(&c), c.cross(&a), a.cross(&b)])
}

fn solve(m: &Mat3, right: &Vec3) -> Option<Vec3> {
    let x = adjugate(m) * right / m.determinant();
    x.iter().all(|x| x.is_finite()).then_some(x)
}
