//! Hyperelastic laws. Every law here is isotropic: it is given by its energy density as a function of the
//! three principal stretches, and everything else (stress, stress differential, its positive projection,
//! the inverse from Cauchy stress to stretch) follows from that once, in [`principal`]. A law of invariants says the
//! same in closed form ([`invariants`]), and a law that lags or lacks the rotation says so by its [`Frame`].
//!
//! Stretches are handed over as strains, stretch - 1, and F as the displacement gradient G = F - I: a body of steel under its own
//! weight is strained by 1e-7, and of that only nine digits are left in a stretch. Energies and stresses are accurate relative to
//! themselves, however small the strain.

pub mod invariants;
pub mod inverse;
pub mod liquid;
pub mod membrane;
pub mod principal;
pub mod registry;
pub mod yields;

mod hencky;
mod hooke;
mod neo_hookean;
mod quartic;
mod squares;
mod stable_neo_hookean;
mod stvk;
#[cfg(test)]
mod tests;
mod unattainable;

pub use registry::{MATERIALS, MaterialLaw, law};
pub use squares::{Measure, Squares};
pub use unattainable::{STIFFENING_MARGIN, Unattainable};

use self::principal::Principal;
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

/// The rotation R that a law takes off F: its stretches are the eigenvalues of the symmetric part of R^T F.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frame {
    /// That of F itself, F = R S: the law does not see rotations.
    Current,
    /// That of F at the start of the time step (Li et al. 2024, 13.3).
    Lagged,
    /// None: the law is for small rotations, too.
    Fixed,
}

/// An isotropic hyperelastic law as a function of the principal strains: signed principal stretches (det F = their product) less 1.
pub trait Material: Send + Sync + std::fmt::Debug {
    /// The Lamé constants that the law has at small strain (its linearisation).
    fn lame(&self) -> Lame;
    /// Whether the law has an energy and a force at J <= 0, so that a motion goes on through inverted elements: where pressure is
    /// larger than the law can resist, the least energy lies there, and none of J > 0 is less. Whether it turns them back is the law's matter.
    fn survives_inversion(&self) -> bool;
    /// What is taken off F before the stretches are looked at.
    fn frame(&self) -> Frame {
        Frame::Current
    }
    /// Energy density [J/m^3]; infinite where the law forbids the state.
    fn energy(&self, strain: &Vec3) -> f64;
    /// Derivative of the energy density with respect to each principal stretch [Pa].
    fn gradient(&self, strain: &Vec3) -> Vec3;
    /// Second derivatives [Pa], symmetric.
    fn hessian(&self, strain: &Vec3) -> Mat3;
    /// (psi_a - psi_b)/(s_a - s_b) and (psi_a + psi_b)/(s_a + s_b) [Pa] for the pairs (a, b) = (1, 2), (2, 0), (0, 1), also where
    /// the stretches coincide; `gradient` is that at `strain`.
    fn quotients(&self, strain: &Vec3, gradient: &Vec3) -> (Vec3, Vec3) {
        principal::quotients(self, strain, gradient)
    }
    /// Energy density of G = F - I in the current frame [J/m^3]: quicker where there is a form without singular values.
    fn energy_of(&self, g: &Mat3) -> f64 {
        self.energy(&Principal::of(g).strain)
    }
    /// Itself, if it is a liquid, which resists changes of volume alone.
    fn liquid(&self) -> Option<&liquid::Liquid> {
        None
    }
    /// The squares that the energy is the sum of; `None` where it is of none that are finite wherever a sweep may bring an element to.
    fn squares(&self) -> Option<Squares> {
        None
    }
    /// First Piola stress of G = F - I in the current frame [Pa].
    fn first_piola_of(&self, g: &Mat3) -> Mat3 {
        let frame = Principal::of(g);
        frame.compose(&self.gradient(&frame.strain))
    }
    /// Kirchhoff stress tau = P F^T of G = F - I in the current frame [Pa], symmetric to the last bit.
    fn kirchhoff_of(&self, g: &Mat3) -> Mat3 {
        let Principal { u, strain, .. } = Principal::of(g);
        principal::symmetric_from(&u, &self.gradient(&strain).component_mul(&strain.add_scalar(1.0)))
    }
}
