//! Laws of membranes: thin sheets that are stretched in their plane (plane stress). A law is the energy per rest area as a function of the
//! Green strain E = (F^T F - I) / 2 in the material's own axes, warp first and weft across it, so that it may tell directions apart.
//!
//! Strains are (E11, E22, 2 E12), stresses (S11, S22, S12), the second Piola-Kirchhoff resultants: energy, stress and tangent are one
//! potential and its derivatives. In E a cloth that its weight strains by 1e-7 keeps its digits.

mod corotated;
mod fit;
mod moduli;
mod neo_hookean;
mod principal;
mod registry;
mod stvk;
#[cfg(test)]
mod tests;

pub use fit::{Fit, fit};
pub use moduli::Moduli;
pub use registry::{MEMBRANE_LAWS, first_law, list_laws, membrane_law};

use std::fmt::Debug;

use crate::math::{Mat3, Vec3};

/// A law of membranes.
pub trait MembraneLaw: Debug + Send + Sync {
    /// Name in scenes.
    fn name(&self) -> &'static str;
    /// Name for people.
    fn label(&self) -> &'static str;
    /// One line for people.
    fn doc(&self) -> &'static str;
    /// The energy per rest area, as `docs/laws.md` writes it.
    fn formula(&self) -> &'static str;
    /// Whether it tells warp and weft apart; otherwise only the stiffness along the warp and Poisson's ratio count.
    fn is_orthotropic(&self) -> bool {
        false
    }
    /// Energy per rest area [J/m^2]; infinite where the law forbids the state.
    fn energy(&self, moduli: &Moduli, strain: &Vec3) -> f64;
    /// Its derivative by the strain [N/m].
    fn stress(&self, moduli: &Moduli, strain: &Vec3) -> Vec3;
    /// Its second derivative [N/m], symmetric.
    fn tangent(&self, moduli: &Moduli, strain: &Vec3) -> Mat3;
    /// What the energy is the sum of squares of: strains c . (E11, E22, 2 E12) with a modulus each, modulus (c . E)^2 / 2; `None` where it is
    /// no such sum.
    fn squares(&self, _moduli: &Moduli) -> Option<[(Vec3, f64); 3]> {
        None
    }
}
