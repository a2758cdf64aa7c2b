//! [`Trial`]: asks of other elements in the same pose whether they hold it.

use super::super::{Assessment, Pencil, assess};
use super::Unstable;
use crate::contact::Balance;
use crate::element::Family;
use crate::linear::InertiaFactor;
use crate::step::Residual;
use crate::step::instant::{self, Curvature};
use crate::step::{Implicit, Scheme, State, Stepper};
use crate::system::System;
use crate::watch::{Cancelled, Watch};

/// A cured equilibrium must be this far from buckling, as a share of how far the uncured one is beyond it: the smallest
/// eigenvalue is to be so many times as large as it was negative.
const IN_HAND: f64 = 0.05;

/// The pose with contacts that carry their forces.
pub struct Trial<'a> {
    system: &'a System,
    watch: &'a dyn Watch,
    contacts: Implicit,
    state: State,
    curvature: Curvature,
    /// Kept from one question to the next.
    factor: Option<InertiaFactor>,
    /// Least eigenvalue that counts as stable [N/m].
    needed: f64,
    neutral_motions: usize,
}

impl<'a> Trial<'a> {
    pub fn new(unstable: &Unstable<'a>, balance: &Balance, watch: &'a dyn Watch) -> Self {
        let system = unstable.system;
        let mut contacts = Implicit::new(Scheme::BackwardEuler);
        contacts.warm_start(system, balance);
        let stability = &unstable.assessment.stability;
        Self {
            system,
            watch,
            contacts,
            state: State::at_rest(system),
            curvature: Curvature::default(),
            factor: None,
            needed: IN_HAND * stability.smallest_eigenvalue.abs(),
            neutral_motions: stability.neutral_motions,
        }
    }

    /// Whether the pose is stable with these elements, and with something in hand.
    pub fn is_stable(&mut self, families: &[Box<dyn Family>]) -> Result<bool, Cancelled> {
        self.watch.check()?;
        let contacts = self.contacts.contacts(self.system);
        let (pattern, hessian) = self.curvature.hessian(self.system, families, contacts, &self.state, false);
        let factor = self.factor.take().unwrap_or_else(|| InertiaFactor::new(pattern));
        Ok(match Pencil::new(self.system, pattern, hessian).shifted(factor, self.needed) {
            Ok(shifted) => {
                self.factor = Some(shifted.factor);
                shifted.below <= self.neutral_motions
            }
            Err(_) => false,
        })
    }

    /// Verdict and modes with these elements.
    pub fn assess(&mut self, families: &[Box<dyn Family>]) -> Result<Assessment, Cancelled> {
        self.factor = None;
        let contacts = self.contacts.contacts(self.system);
        let (pattern, hessian) = self.curvature.hessian(self.system, families, contacts, &self.state, false);
        assess(self.system, pattern, hessian, self.system.initialise.softest_modes as usize, self.watch)
    }

    /// What is out of balance with these elements; before them it was `before`.
    pub fn residual(&mut self, families: &[Box<dyn Family>], before: f64) -> Residual {
        instant::residual(self.system, families, self.contacts.contacts(self.system), before)
    }
}

/// The elements made stiffer by these factors, one an element, with the same forces in the given shape.
pub fn stiffened(unstable: &Unstable, factors: &[Vec<f64>]) -> Vec<Box<dyn Family>> {
    let system = unstable.system;
    let mut families: Vec<Box<dyn Family>> = unstable.families.iter().map(|family| family.boxed_clone()).collect();
    for ((family, factors), s) in families.iter_mut().zip(factors).zip(unstable.coordinates) {
        let product: Vec<f64> = family.stiffening().iter().zip(factors).map(|(own, factor)| own * factor).collect();
        family.set_stiffening(&product);
        family.reset_rest(&system.positions);
        // An element that cannot make its force leaves a residual, which is reported.
        family.fit_rest(&system.positions, s, system.initialise.stiffen_up_to);
    }
    families
}

/// Mass of each element [kg]: its share of the lumped masses of its nodes, by how much of the body is in it in the given shape.
pub fn element_masses(system: &System) -> Vec<Vec<f64>> {
    let bulks: Vec<Vec<f64>> = system.families.iter().map(|family| family.bulks(&system.positions)).collect();
    let mut lumped = vec![0.0; system.positions.len()];
    for (family, bulks) in system.families.iter().zip(&bulks) {
        for (e, bulk) in bulks.iter().enumerate() {
            let nodes = family.nodes(e);
            nodes.iter().for_each(|&n| lumped[n as usize] += bulk / nodes.len() as f64);
        }
    }
    let mut masses = system.masses.clone();
    masses[system.internal_nodes()].iter_mut().zip(&system.internal).for_each(|(mass, node)| *mass = node.of_body);
    let density = |n: u32| if lumped[n as usize] > 0.0 { masses[n as usize] / lumped[n as usize] } else { 0.0 };
    let mass = |nodes: &[u32], bulk: f64| bulk * nodes.iter().map(|&n| density(n)).sum::<f64>() / nodes.len() as f64;
    let families = system.families.iter().zip(&bulks);
    families.map(|(family, bulks)| bulks.iter().enumerate().map(|(e, bulk)| mass(family.nodes(e), *bulk)).collect()).collect()
}
