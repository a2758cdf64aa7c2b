//! [`Held`]: the contact forces of the sag-free balance, and how they follow the weight of the rest shape.

use nalgebra::{DMatrix, DVector, Matrix3xX};

use super::RestShapeError;
use super::supports::Supports;
use crate::contact::Balance;
use crate::element::Family;
use crate::math::{Mat3, Vec3};
use crate::sag_free::contacts::balanced;
use crate::sag_free::initialise::rest_state_under;
use crate::sag_free::problem::ContactSite;
use crate::sag_free::verdict::InfeasibilityCode;
use crate::scene::Method;
use crate::system::System;
use crate::watch::Watch;

/// Combinations of motions that contact resists less than this, over what it resists most, are left alone.
const RESISTED: f64 = 1e-12;

/// Contact forces, and what cannot be held.
#[derive(Default)]
pub struct Held {
    /// Where there is contact.
    pub sites: Vec<ContactSite>,
    /// Force of each on its first feature [N].
    pub forces: Vec<Vec3>,
    /// What has no balance, in words.
    pub infeasible: Vec<String>,
}

impl Held {
    /// Solves for them with these masses [kg]; the elements in their sag-free rest states come along.
    ///
    /// # Errors
    /// Cancelled, or numbers that are not finite.
    pub fn of(system: &System, masses: &[f64], watch: &dyn Watch) -> Result<(Self, Vec<Box<dyn Family>>), RestShapeError> {
        let weighed = system.loads().into_iter().zip(&system.masses).zip(masses);
        let loads: Vec<Vec3> = weighed.map(|((load, before), mass)| load + (mass - before) * system.gravity).collect();
        let state = rest_state_under(&loads, system, Method::SagFree, watch)?;
        // An element that is too soft may still have a rest mesh, which has other stresses.
        let of_supports = state.account.infeasible.into_iter().filter(|reason| reason.code != InfeasibilityCode::TooSoft);
        let infeasible = of_supports.map(|reason| reason.message).collect();
        Ok((Self { sites: state.sites, forces: state.site_forces, infeasible }, state.families))
    }

    /// The forces for whoever simulates.
    pub fn balance(&self) -> Balance {
        balanced(&self.sites, &self.forces)
    }

    /// Adds the forces to those on `nodes` [N].
    pub fn add_to(&self, nodes: &mut [Vec3]) {
        for (site, force) in self.sites.iter().zip(&self.forces) {
            site.add_force(force, nodes);
        }
    }

    /// Changes the forces so that they carry `more` load on each node [N] as well: as little as can be, where the normal force is large
    /// and within the friction there. For small changes; solving again would make forces jump within what friction leaves open.
    pub fn carry(&mut self, supports: &Supports, positions: &[Vec3], more: &[Vec3]) {
        let starts: Vec<usize> = supports
            .floating
            .iter()
            .scan(0, |end, part| {
                let start = *end;
                *end += part.motions.ncols();
                Some(start)
            })
            .collect();
        let count = supports.floating.iter().map(|part| part.motions.ncols()).sum();
        let mut missing = DVector::zeros(count);
        for (n, load) in more.iter().enumerate() {
            let Some(p) = supports.part_of[n] else { continue };
            let part = &supports.floating[p];
            let work = part.moved(&positions[n]).transpose() * load;
            let mut rows = missing.rows_mut(starts[p], part.motions.ncols());
            rows += work;
        }
        // Relative displacement at each site by all motions.
        let relative = |site: &ContactSite| {
            let mut moved = Matrix3xX::zeros(count);
            for (node, share) in &site.shares {
                let Some(p) = supports.part_of[*node as usize] else { continue };
                let part = &supports.floating[p];
                let mut columns = moved.columns_mut(starts[p], part.motions.ncols());
                columns += share * part.moved(&positions[*node as usize]);
            }
            moved
        };
        let weight = |site: &ContactSite, force: &Vec3| {
            let normal = site.normal * site.normal.transpose();
            force.dot(&site.normal).max(0.0) * (normal + site.friction * site.friction * (Mat3::identity() - normal))
        };
        let mut resisted = DMatrix::zeros(count, count);
        for (site, force) in self.sites.iter().zip(&self.forces) {
            let moved = relative(site);
            resisted += moved.transpose() * weight(site, force) * moved;
        }
        let largest = resisted.amax();
        let Ok(inverse) = resisted.pseudo_inverse(RESISTED * largest.max(f64::MIN_POSITIVE)) else { return };
        let multipliers = inverse * missing;
        for (site, force) in self.sites.iter().zip(&mut self.forces) {
            let added = weight(site, force) * (relative(site) * &multipliers);
            *force -= Vec3::new(added[0], added[1], added[2]);
        }
    }

    /// Largest force outside its cone of friction, over the largest force: 0 if all are within.
    pub fn cone_violation(&self) -> f64 {
        let largest = self.forces.iter().map(Vec3::norm).fold(f64::MIN_POSITIVE, f64::max);
        let outside = |(site, force): (&ContactSite, &Vec3)| {
            let normal = force.dot(&site.normal);
            // Without friction, a force that pulls has no tangent to be seen by.
            ((force - normal * site.normal).norm() - site.friction * normal).max(-normal)
        };
        self.sites.iter().zip(&self.forces).map(outside).fold(0.0, f64::max) / largest
    }
}
