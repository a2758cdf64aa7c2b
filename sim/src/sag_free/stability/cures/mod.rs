//! What can make an unstable equilibrium stable without moving it: all elements stiffer, a few of them stiffer, or
//! forces with more tension, or less push, in them; or one after the other. Each is tried on copies; the system stays as it is.
//!
//! The forces of the global stage do not depend on the stiffness of the elements, so stiffening only refits rest states.

mod in_order;
mod less_push;
mod local;
mod tension;
mod trial;
mod uniform;

use std::time::Instant;

use super::Assessment;
use crate::contact::Balance;
use crate::element::Family;
use crate::sag_free::initialise::Account;
use crate::sag_free::tension::Wish;
use crate::sag_free::verdict::{Balanced, Conclusion, CureReport, Outcome};
use crate::scene::{Cure, Method};
use crate::step::Residual;
use crate::system::System;
use crate::watch::{Cancelled, Watch};
use trial::Trial;
pub(crate) use trial::element_masses;

/// An equilibrium that is unstable, in a system whose elements have the rest states that make it.
#[derive(Clone, Copy)]
pub struct Unstable<'a> {
    /// The system.
    pub system: &'a System,
    /// Its elements, or those that a cure before made of them.
    pub families: &'a [Box<dyn Family>],
    /// Forces of its contacts.
    pub balance: &'a Balance,
    /// Force coordinates of its elements.
    pub coordinates: &'a [Vec<f64>],
    /// What was found out about it.
    pub assessment: &'a Assessment,
    /// What is out of balance.
    pub residual: &'a Residual,
}

/// A cure, ready to be applied.
pub struct Remedy {
    /// Elements with their new rest states.
    pub families: Vec<Box<dyn Family>>,
    /// Contact forces that go with them.
    pub balance: Balance,
    /// How its forces were found, where they are others than those of the uncured equilibrium.
    pub account: Option<Account>,
    /// What was found out about the cured equilibrium.
    pub assessment: Assessment,
    /// For the report.
    pub report: CureReport,
}

/// What a cure came to, before it is looked at from all sides.
struct Attempt {
    families: Vec<Box<dyn Family>>,
    balance: Balance,
    /// Force coordinates of the elements, where they are others.
    coordinates: Option<Vec<Vec<f64>>>,
    tension: Option<f64>,
    /// Share of the tension that is left of it in the forces in balance.
    survives: Option<f64>,
    push_weight: Option<f64>,
    account: Option<Account>,
}

impl Attempt {
    /// The same forces made by these elements.
    fn with_elements(&self, families: Vec<Box<dyn Family>>) -> Self {
        let Self { balance, coordinates, tension, survives, push_weight, account, .. } = self;
        let (balance, coordinates, account) = (balance.clone(), coordinates.clone(), account.clone());
        Self { families, balance, coordinates, tension: *tension, survives: *survives, push_weight: *push_weight, account }
    }
}

impl Unstable<'_> {
    /// Finds out what `cure` does.
    ///
    /// # Errors
    /// Cancelled.
    pub fn try_cure(&self, cure: Cure, watch: &dyn Watch) -> Result<Remedy, Cancelled> {
        let started = Instant::now();
        let wish = Wish::from(&self.system.initialise);
        let (attempt, stages) = match cure {
            Cure::InOrder => in_order::find(self, watch)?,
            alone => {
                let attempt = match alone {
                    Cure::UniformStiffening => uniform::find(self, watch)?,
                    Cure::LocalStiffening => local::find(self, watch)?,
                    Cure::TensionShift => tension::find(self, wish, watch)?,
                    Cure::LessPush => less_push::find(self, wish, watch)?,
                    Cure::None | Cure::InOrder => self.unchanged(),
                };
                (attempt, Vec::new())
            }
        };
        let Attempt { families, balance, coordinates, tension, survives, push_weight, account } = attempt;
        let mut trial = Trial::new(self, &balance, watch);
        let residual = trial.residual(&families, self.residual.before);
        let assessment = trial.assess(&families)?;
        let (before, after) = (stiffening(&self.system.families), stiffening(&families));
        let stiffer: Vec<bool> = before.iter().zip(&after).map(|(before, after)| after > before).collect();
        let masses: Vec<f64> = element_masses(self.system).concat();
        let stiffens = stiffer.iter().any(|stiffer| *stiffer);
        let stiff_mass = masses.iter().zip(&stiffer).filter(|(_, stiffer)| **stiffer).fold(0.0, |sum, (mass, _)| sum + mass);
        let ratios = |families: &[Box<dyn Family>]| -> Vec<f64> {
            families.iter().flat_map(|family| family.compression(&self.system.positions)).collect()
        };
        let changes = ratios(&self.system.families).into_iter().zip(ratios(&families)).map(|(a, b)| (a - b).abs());
        let stability = &assessment.stability;
        let (unattained, infeasible) =
            account.as_ref().map_or((0, &[][..]), |account| (account.unattained.len(), account.infeasible.as_slice()));
        let forces = Balanced { method: Method::SagFree, residual: &residual, unattained, infeasible };
        let report = CureReport {
            cure,
            helps: Outcome::of(forces).with(Some(stability)).verdict == Conclusion::Holds,
            factor: (stiffens || tension.is_none() && push_weight.is_none())
                .then(|| after.iter().zip(&before).map(|(after, before)| after / before).fold(1.0, f64::max)),
            tension,
            tension_survives: survives,
            push_weight,
            largest_push: largest_push(&families, coordinates.as_deref().unwrap_or(self.coordinates)),
            stiffened_elements: stiffer.iter().filter(|stiffer| **stiffer).count(),
            stiffened_mass: stiff_mass / masses.iter().sum::<f64>().max(f64::MIN_POSITIVE),
            negative_eigenvalues: stability.negative_eigenvalues,
            smallest_eigenvalue: stability.smallest_eigenvalue,
            max_compression_change: changes.fold(0.0, f64::max),
            residual: residual.after,
            stages,
            seconds: started.elapsed().as_secs_f64(),
        };
        Ok(Remedy { families, balance, account, assessment, report })
    }

    fn unchanged(&self) -> Attempt {
        self.attempt(self.families.iter().map(|family| family.boxed_clone()).collect())
    }

    /// Stiffer elements change nothing about the contact forces.
    fn attempt(&self, families: Vec<Box<dyn Family>>) -> Attempt {
        Attempt {
            families,
            balance: self.balance.clone(),
            coordinates: None,
            tension: None,
            survives: None,
            push_weight: None,
            account: None,
        }
    }

    /// Whether what pushes in its elements is told from what pulls.
    pub fn tells_pushes(&self) -> bool {
        self.families.iter().any(|family| family.tells_pushes() && family.len() > 0)
    }
}

/// What the spring that pushes most pushes with [N].
fn largest_push(families: &[Box<dyn Family>], coordinates: &[Vec<f64>]) -> f64 {
    let tensions = families.iter().zip(coordinates).filter(|(family, _)| family.is_tension()).flat_map(|(_, s)| s);
    tensions.fold(0.0, |largest, s| largest.max(-s))
}

fn stiffening(families: &[Box<dyn Family>]) -> Vec<f64> {
    families.iter().flat_map(|family| family.stiffening()).collect()
}
