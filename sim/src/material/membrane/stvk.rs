//! Saint Venant-Kirchhoff: stress linear in the Green strain, the same in all directions or by warp and weft.

use super::{MembraneLaw, Moduli};
use crate::math::{Mat3, Vec3};

/// The same in all directions.
#[derive(Debug)]
pub struct Stvk;

/// By warp and weft.
#[derive(Debug)]
pub struct OrthotropicStvk;

fn isotropic(moduli: &Moduli) -> Mat3 {
    Moduli::isotropic(moduli.warp, moduli.poisson).stiffness()
}

impl MembraneLaw for Stvk {
    fn name(&self) -> &'static str {
        "stvk"
    }
    fn label(&self) -> &'static str {
        "Saint Venant-Kirchhoff"
    }
    fn doc(&self) -> &'static str {
        "stress proportional to the Green strain; soft where it is squeezed far"
    }
    fn formula(&self) -> &'static str {
        "Y/(2 (1 - nu^2)) (E11^2 + E22^2 + 2 nu E11 E22 + 2 (1 - nu) E12^2)"
    }
    fn energy(&self, moduli: &Moduli, strain: &Vec3) -> f64 {
        0.5 * strain.dot(&(isotropic(moduli) * strain))
    }
    fn stress(&self, moduli: &Moduli, strain: &Vec3) -> Vec3 {
        isotropic(moduli) * strain
    }
    fn tangent(&self, moduli: &Moduli, _: &Vec3) -> Mat3 {
        isotropic(moduli)
    }
    fn squares(&self, moduli: &Moduli) -> Option<[(Vec3, f64); 3]> {
        Some(Moduli::isotropic(moduli.warp, moduli.poisson).squares())
    }
}

impl MembraneLaw for OrthotropicStvk {
    fn name(&self) -> &'static str {
        "orthotropic"
    }
    fn label(&self) -> &'static str {
        "Orthotropic"
    }
    fn doc(&self) -> &'static str {
        "woven cloth: other stiffnesses along the warp, along the weft and against shear"
    }
    fn formula(&self) -> &'static str {
        "1/2 (C11 E11^2 + C22 E22^2 + 2 C12 E11 E22) + 2 G E12^2"
    }
    fn is_orthotropic(&self) -> bool {
        true
    }
    fn energy(&self, moduli: &Moduli, strain: &Vec3) -> f64 {
        0.5 * strain.dot(&(moduli.stiffness() * strain))
    }
    fn stress(&self, moduli: &Moduli, strain: &Vec3) -> Vec3 {
        moduli.stiffness() * strain
    }
    fn tangent(&self, moduli: &Moduli, _: &Vec3) -> Mat3 {
        moduli.stiffness()
    }
    fn squares(&self, moduli: &Moduli) -> Option<[(Vec3, f64); 3]> {
        Some(moduli.squares())
    }
}
