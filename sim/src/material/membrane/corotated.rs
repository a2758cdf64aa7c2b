//! Co-rotational laws: Hooke's law of the stretches, rotations taken off; and as rigid as possible, the same without a Poisson's ratio.

use super::principal::Principal;
use super::{MembraneLaw, Moduli};
use crate::math::{Mat3, Vec3};

/// mu (e1^2 + e2^2) + lambda/2 (e1 + e2)^2 of the principal stretches less 1.
#[derive(Debug)]
pub struct Corotated;

/// Y/2 (e1^2 + e2^2).
#[derive(Debug)]
pub struct Arap;

fn energy([mu, lambda]: [f64; 2], strain: &Vec3) -> f64 {
    let [a, b] = Principal::of(strain).strains;
    mu * (a * a + b * b) + 0.5 * lambda * (a + b).powi(2)
}

/// Derivatives of the energy by the two stretches.
fn slopes([mu, lambda]: [f64; 2], [a, b]: [f64; 2]) -> [f64; 2] {
    [a, b].map(|e| 2.0 * mu * e + lambda * (a + b))
}

fn stress(lame: [f64; 2], strain: &Vec3) -> Vec3 {
    let principal = Principal::of(strain);
    let (slopes, strains) = (slopes(lame, principal.strains), principal.strains);
    principal.stress([0, 1].map(|i| slopes[i] / (1.0 + strains[i])))
}

fn tangent([mu, lambda]: [f64; 2], strain: &Vec3) -> Mat3 {
    let principal = Principal::of(strain);
    let (slopes, strains) = (slopes([mu, lambda], principal.strains), principal.strains);
    let stretches = strains.map(|e| 1.0 + e);
    // dS_i/dE_j of S_i = slope_i / stretch_i, where stretch dstretch = dE.
    let entry = |i: usize, j: usize| {
        let own = if i == j { 2.0 * mu / stretches[i].powi(2) - slopes[i] / stretches[i].powi(3) } else { 0.0 };
        own + lambda / (stretches[i] * stretches[j])
    };
    let normal = [[entry(0, 0), entry(0, 1)], [entry(1, 0), entry(1, 1)]];
    // Half of (S1 - S2) / (E1 - E2), which has a limit where the two meet.
    let shear = (2.0 * mu - lambda * (strains[0] + strains[1])) / (stretches[0] * stretches[1] * (stretches[0] + stretches[1]));
    principal.tangent(normal, shear)
}

impl MembraneLaw for Corotated {
    fn name(&self) -> &'static str {
        "corotated"
    }
    fn label(&self) -> &'static str {
        "Corotational"
    }
    fn doc(&self) -> &'static str {
        "Hooke's law of the stretches, with rotations taken off"
    }
    fn formula(&self) -> &'static str {
        "mu (e1^2 + e2^2) + lambda/2 (e1 + e2)^2"
    }
    fn energy(&self, moduli: &Moduli, strain: &Vec3) -> f64 {
        energy(moduli.lame(), strain)
    }
    fn stress(&self, moduli: &Moduli, strain: &Vec3) -> Vec3 {
        stress(moduli.lame(), strain)
    }
    fn tangent(&self, moduli: &Moduli, strain: &Vec3) -> Mat3 {
        tangent(moduli.lame(), strain)
    }
}

impl MembraneLaw for Arap {
    fn name(&self) -> &'static str {
        "arap"
    }
    fn label(&self) -> &'static str {
        "As rigid as possible"
    }
    fn doc(&self) -> &'static str {
        "distance of the deformation from the nearest rotation; no contraction across a pull"
    }
    fn formula(&self) -> &'static str {
        "Y/2 (e1^2 + e2^2)"
    }
    fn energy(&self, moduli: &Moduli, strain: &Vec3) -> f64 {
        energy([0.5 * moduli.warp, 0.0], strain)
    }
    fn stress(&self, moduli: &Moduli, strain: &Vec3) -> Vec3 {
        stress([0.5 * moduli.warp, 0.0], strain)
    }
    fn tangent(&self, moduli: &Moduli, strain: &Vec3) -> Mat3 {
        tangent([0.5 * moduli.warp, 0.0], strain)
    }
}
