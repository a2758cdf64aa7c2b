//! Local stiffening: the least mass of elements, made stiffer by one factor, that keeps the body from buckling.
//!
//! To first order, a factor 1 + t on the stiffness of element e raises the eigenvalue of a mode v by t v_e . K_e v_e with
//! the material part K_e of its Hessian. So elements are ranked by this energy over their mass, and a bisection
//! finds how much mass from the top of the ranking is enough. Stiffening moves the mode, so the ranking is then renewed with
//! the modes that are nearly cured.

use super::super::Mode;
use super::trial::{Trial, element_masses, stiffened};
use super::{Attempt, Unstable};
use crate::element::Family;
use crate::math::{Mat3, Vec3};
use crate::watch::{Cancelled, Watch};

/// Factors tried, until one of them is enough on `MOST_MASS`.
const FACTORS: [f64; 3] = [4.0, 16.0, 64.0];
/// Share of the mass beyond which stiffening is no longer local.
const MOST_MASS: f64 = 0.5;
/// Bisections of the share of the mass.
const BISECTIONS: usize = 6;
/// Rankings, each with the modes that the one before left.
const RANKINGS: usize = 3;

/// The body with the least mass of stiffened elements, or with half of it stiffened where that is not enough.
pub fn find(unstable: &Unstable, watch: &dyn Watch) -> Result<Attempt, Cancelled> {
    let mut trial = Trial::new(unstable, unstable.balance, watch);
    let mut ranking = Ranking::new(unstable);
    ranking.add(&unstable.assessment.modes);
    let mut enough = None;
    for factor in FACTORS {
        if trial.is_stable(&ranking.stiffened(MOST_MASS, factor))? {
            enough = Some(factor);
            break;
        }
    }
    let Some(factor) = enough else {
        return Ok(unstable.attempt(ranking.stiffened(MOST_MASS, FACTORS[FACTORS.len() - 1])));
    };
    let (mut best, mut most) = (ranking.factors(MOST_MASS, factor), MOST_MASS);
    for _ in 0..RANKINGS {
        let (mut too_little, mut sufficient) = (0.0, most);
        for _ in 0..BISECTIONS {
            let middle = 0.5 * (too_little + sufficient);
            if trial.is_stable(&ranking.stiffened(middle, factor))? {
                sufficient = middle;
            } else {
                too_little = middle;
            }
        }
        if sufficient >= most {
            break;
        }
        (best, most) = (ranking.factors(sufficient, factor), sufficient);
        ranking.add(&trial.assess(&ranking.stiffened(too_little, factor))?.modes);
    }
    Ok(unstable.attempt(stiffened(unstable, &best)))
}

/// Elements by the energy of the modes in them.
struct Ranking<'a> {
    unstable: &'a Unstable<'a>,
    masses: Vec<Vec<f64>>,
    /// Largest share of a mode's energy in each element, of all modes that were added.
    energies: Vec<Vec<f64>>,
    /// Families and elements, those with most energy a mass first.
    order: Vec<(usize, usize)>,
}

impl<'a> Ranking<'a> {
    fn new(unstable: &'a Unstable<'a>) -> Self {
        let masses = element_masses(unstable.system);
        let energies = masses.iter().map(|masses| vec![0.0; masses.len()]).collect();
        Self { unstable, masses, energies, order: Vec::new() }
    }

    /// Takes account of those of `modes` that are unstable, or of the softest.
    fn add(&mut self, modes: &[Mode]) {
        let unstable = modes.iter().take_while(|mode| mode.eigenvalue < 0.0).count().max(1);
        for mode in modes.iter().take(unstable) {
            let energies = material_energies(self.unstable, &mode.shape);
            let total: f64 = energies.iter().flatten().sum();
            for (largest, energy) in self.energies.iter_mut().flatten().zip(energies.into_iter().flatten()) {
                *largest = largest.max(energy / total);
            }
        }
        self.order = self.energies.iter().enumerate().flat_map(|(f, energies)| (0..energies.len()).map(move |e| (f, e))).collect();
        let density = |&(f, e): &(usize, usize)| self.energies[f][e] / self.masses[f][e].max(f64::MIN_POSITIVE);
        self.order.sort_by(|a, b| density(b).total_cmp(&density(a)));
    }

    /// Factors with the first elements of the ranking made stiffer, up to that share of the mass.
    fn factors(&self, share: f64, factor: f64) -> Vec<Vec<f64>> {
        let total: f64 = self.masses.iter().flatten().sum();
        let mut factors: Vec<Vec<f64>> = self.masses.iter().map(|masses| vec![1.0; masses.len()]).collect();
        let mut sum = 0.0;
        for &(f, e) in &self.order {
            sum += self.masses[f][e];
            if sum > share * total {
                break;
            }
            factors[f][e] = factor;
        }
        factors
    }

    fn stiffened(&self, share: f64, factor: f64) -> Vec<Box<dyn Family>> {
        stiffened(self.unstable, &self.factors(share, factor))
    }
}

/// v_e . K_e v_e of each element, where K_e is the growth of its Hessian with its stiffness, its force kept.
fn material_energies(unstable: &Unstable, shape: &[Vec3]) -> Vec<Vec<f64>> {
    let system = unstable.system;
    let doubled: Vec<Vec<f64>> = unstable.families.iter().map(|family| vec![2.0; family.len()]).collect();
    let stiffer = stiffened(unstable, &doubled);
    let of_families = |families: &[Box<dyn Family>]| -> Vec<Vec<f64>> {
        families.iter().map(|family| energies(family.as_ref(), &system.positions, shape)).collect()
    };
    let mut grown = of_families(&stiffer);
    for (grown, own) in grown.iter_mut().flatten().zip(of_families(unstable.families).into_iter().flatten()) {
        *grown = (*grown - own).max(0.0);
    }
    grown
}

/// v_e . H_e v_e of each element.
fn energies(family: &dyn Family, x: &[Vec3], shape: &[Vec3]) -> Vec<f64> {
    let width = family.nodes_per_element();
    let mut blocks = vec![Mat3::zeros(); family.len() * width * width];
    family.hessian_blocks(x, false, &mut blocks);
    let of_element = |(e, blocks): (usize, &[Mat3])| -> f64 {
        let moved: Vec<Vec3> = family.nodes(e).iter().map(|&n| shape[n as usize]).collect();
        blocks
            .chunks_exact(width)
            .zip(&moved)
            .map(|(row, v)| row.iter().zip(&moved).map(|(block, u)| v.dot(&(block * u))).sum::<f64>())
            .sum()
    };
    blocks.chunks_exact(width * width).enumerate().map(of_element).collect()
}
