//! The local stage: each element takes the rest state that makes its share of the force in the given shape
//! (Hsu et al. 2022, eq. 12, 13).

use super::problem::Forces;
use crate::element::{Family, Unattainable};
use crate::math::Vec3;
use crate::system::System;

/// An element that cannot make its force.
#[derive(Debug, Clone, PartialEq)]
pub struct Unattained {
    /// Family.
    pub family: usize,
    /// Element in the family.
    pub element: usize,
    /// Why.
    pub why: Unattainable,
}

/// Refits the rest states of `families` to `forces`; what cannot be reached keeps the undeformed rest state. Elements that are too soft
/// are stiffened by themselves, up to `stiffen_up_to` times the authored stiffness ([`crate::element::RestFit::fit_rest`]): a stress is
/// linear in the stiffness, and the forces need not be solved for again.
pub fn fit(families: &mut [Box<dyn Family>], positions: &[Vec3], forces: &Forces, stiffen_up_to: f64) -> Vec<Unattained> {
    let mut failed = Vec::new();
    for (index, (family, s)) in families.iter_mut().zip(&forces.coordinates).enumerate() {
        family.reset_rest(positions);
        let unattained = family.fit_rest(positions, s, stiffen_up_to);
        failed.extend(unattained.into_iter().map(|(element, why)| Unattained { family: index, element, why }));
    }
    failed
}

/// Makes every element undeformed in the naive rest shape, and as stiff as authored.
pub fn reset(families: &mut [Box<dyn Family>], system: &System) {
    for family in families {
        family.set_stiffening(&vec![1.0; family.len()]);
        family.reset_rest(system.naive_rest());
        family.given_at(&system.positions);
    }
}
