//! Hyperelastic laws. Every law here is isotropic: it is given by its energy density as a function of the
//! three principal stretches, and everything else (stress, stress differential, its positive projection,
//! the inverse from Cauchy stress to stretch) follows from that once, in [`principal`].

pub mod inverse;
pub mod principal;
pub mod registry;

mod arap;
mod corotated;
mod neo_hookean;
mod stable_neo_hookean;
mod stvk;

pub use registry::{MATERIALS, MaterialLaw, law};

use crate::math::{Mat3, Vec3};

/// Lamé constants [Pa] (book eq. 13.1: mu = E / (2 (1 + nu)), lambda = E nu / ((1 + nu) (1 - 2 nu))).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lame {
    /// Shear modulus [Pa].
    pub mu: f64,
    /// First Lamé constant [Pa].
    pub lambda: f64,
}

impl Lame {
    /// From Young's modulus [Pa] and Poisson's ratio (-1 < nu < 0.5).
    pub fn from_young_poisson(young: f64, poisson: f64) -> Self {
        Self { mu: young / (2.0 * (1.0 + poisson)), lambda: young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson)) }
    }
}

/// An isotropic hyperelastic law as a function of the signed principal stretches (det F = their product).
pub trait Material: Send + Sync + std::fmt::Debug {
    /// The Lamé constants that the law has at small strain (its linearisation).
    fn lame(&self) -> Lame;
    /// Whether the law's energy is finite and its force meaningful at J <= 0.
    fn survives_inversion(&self) -> bool;
    /// Energy density [J/m^3]; infinite where the law forbids the state.
    fn energy(&self, stretch: &Vec3) -> f64;
    /// Derivative of the energy density with respect to each principal stretch [Pa].
    fn gradient(&self, stretch: &Vec3) -> Vec3;
    /// Second derivatives [Pa], symmetric.
    fn hessian(&self, stretch: &Vec3) -> Mat3;
}
