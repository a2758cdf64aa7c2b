//! [`Buckling`]: how near the forces of the balance are to those under which bodies give way that are only as stiff as their sweeps.
//!
//! However small its compliance alpha, a constraint is projected N times in a part h of a step, and takes back its error over
//! sigma = sum of w |grad C|^2 each time. So it stands against what turns away with no more than
//!
//! ```text
//! k = 1 / (alpha + h^2 sigma / N)
//! ```
//!
//! What pushes in the balance is held from turning away by the stiffness around it: for a load of s times that of the balance as long as
//! sum of k grad C grad C^T - s f* C'' has no negative eigenvalue, and where one step loses it at s, S is 2 / s: as of what turns by itself
//! ([`super::refusal`]), 2 is where it is lost. Nodes with contacts count as held, so that what is told is true of what is between them.

use std::sync::Arc;

use rayon::prelude::*;

use super::Strength;
use super::constraints::{Constraints, Projections};
use super::mobility::Mobility;
use super::refusal::MOST_TURN;
use crate::linear::{InertiaFactor, NodeMatrix, NodeMatrixPattern};
use crate::math::{Mat3, Vec3};
use crate::scene::MOST_SUBSTEPS;
use crate::system::System;
use crate::watch::{Cancelled, Watch};

/// Eigenvalues below minus this share of the median diagonal are negative.
const ROUND_OFF: f64 = 1e-6;
/// How much stiffer than the median what is held is.
const HELD: f64 = 1e6;
/// Loads are told apart by this factor.
const NEAR: f64 = 1.02;

/// A part that is so much shorter is as stiff as any.
const SHORT: f64 = 1e-3;
/// A load of which less is borne is no load that sweeps are to blame for.
const LEAST_LOAD: f64 = 1e-9;
/// Of its load, what a body is to bear at least.
const MARGIN: f64 = 1.1;

/// What turns away and what stands against it.
pub struct Buckling<'a> {
    system: &'a System,
    pattern: Arc<NodeMatrixPattern>,
    /// Second derivatives by the turning of gradients, by families and elements [N/m].
    turning: Vec<Vec<Mat3>>,
    constraints: &'a Constraints,
    families: &'a Projections<'a>,
    /// sum of w |grad C|^2 of each constraint, and how many times it is projected in a part.
    sigma: Vec<f64>,
    times: Vec<f64>,
    /// Whether constraints give by their compliances; otherwise only by what sweeps leave.
    has_compliance: bool,
    /// What holds nodes but in the directions in which they move, in units of stiffness.
    held: Vec<Mat3>,
}

impl<'a> Buckling<'a> {
    /// Of the constraints that `carry` something, each projected so many `times` in a part, where contacts push with `contact` [N]. `None` where
    /// there is no room for a factorisation.
    pub fn of(
        system: &'a System,
        families: &'a Projections<'a>,
        constraints: &'a Constraints,
        mobility: &Mobility,
        (times, strength): (Vec<f64>, Strength),
        carry: impl Fn(usize) -> bool,
        contact: &[Vec3],
    ) -> Option<Self> {
        let pattern = system.pattern();
        system.ensure_room("the factorisation for what sweeps hold", &pattern, system.factorisation_bytes(&pattern)).ok()?;
        let mut gradients = constraints.room();
        let mut turning: Vec<Vec<Mat3>> = Vec::new();
        for (family, projection) in system.families.iter().zip(families) {
            let width = projection.map_or(0, |projection| projection.nodes_per_element());
            let mut blocks = vec![Mat3::zeros(); family.len() * width * width];
            family.hessian_blocks(&system.positions, false, &mut blocks);
            turning.push(blocks);
        }
        let mut carries: Vec<Vec<bool>> = system.families.iter().map(|family| vec![false; family.len()]).collect();
        for c in 0..constraints.len() {
            let place = &constraints.places[c];
            place.constraint(families, &system.positions, &mut gradients);
            add_square(&mut turning[place.family as usize], constraints, c, &gradients, -1.0 / constraints.rows[c].compliance);
            carries[place.family as usize][place.element as usize] |= carry(c);
        }
        for ((blocks, carries), projection) in turning.iter_mut().zip(&carries).zip(families) {
            let width = projection.map_or(0, |projection| projection.nodes_per_element());
            let of_elements = blocks.chunks_mut((width * width).max(1)).zip(carries);
            of_elements.filter(|(_, carries)| !**carries).for_each(|(blocks, _)| blocks.fill(Mat3::zeros()));
        }
        let mut held = vec![Mat3::zeros(); system.positions.len()];
        system.slides.iter().for_each(|(node, allowed)| held[*node as usize] = Mat3::identity() - allowed);
        held.iter_mut().zip(contact).filter(|(_, force)| **force != Vec3::zeros()).for_each(|(held, _)| *held = Mat3::identity());
        let sigma = (0..constraints.len()).into_par_iter().map(|c| constraints.sigma(c, system, mobility)).collect();
        let has_compliance = strength == Strength::Compliance;
        Some(Self { system, pattern, turning, constraints, families, sigma, times, has_compliance, held })
    }

    /// S in parts of `part` [s]; 0 where it is at most `least`, where it cannot be told, and where bodies that are as stiff as they are, or as any
    /// sweeps make them, do not bear their load: then nothing that the stepper does holds them.
    ///
    /// # Errors
    /// Cancelled.
    pub fn turn(&self, part: f64, least: f64, watch: &dyn Watch) -> Result<f64, Cancelled> {
        let mut lost = MOST_TURN / least;
        let stiffness = self.stiffness(part);
        let bears = |load: f64| watch.check().map(|()| self.bears(&stiffness, load));
        if bears(lost)? != Some(false) {
            return Ok(0.0);
        }
        let whole = self.stiffness(if self.has_compliance { 0.0 } else { SHORT * part });
        if bears(1.0)? == Some(false) && self.bears(&whole, 1.0) != Some(true) {
            return Ok(0.0);
        }
        let mut borne = lost;
        while bears(borne)? != Some(true) {
            (lost, borne) = (borne, borne / 4.0);
            if borne < LEAST_LOAD {
                return Ok(0.0);
            }
        }
        while lost > NEAR * borne {
            let middle = (lost * borne).sqrt();
            if bears(middle)? == Some(true) { borne = middle } else { lost = middle }
        }
        Ok(MOST_TURN / borne)
    }

    /// Into how many parts a step of `step_size` [s] is to be cut, more than `substeps`, so that S is at most 1, or below 2 where the bodies
    /// themselves bear less than twice their load; `None` where no number that was tried does.
    ///
    /// # Errors
    /// Cancelled.
    pub fn substeps(&self, step_size: f64, substeps: u32, watch: &dyn Watch) -> Result<Option<u32>, Cancelled> {
        for load in [MOST_TURN, MARGIN] {
            let mut number = substeps;
            while number < MOST_SUBSTEPS {
                watch.check()?;
                number = (number + number / 2 + 1).min(MOST_SUBSTEPS);
                if self.bears(&self.stiffness(step_size / f64::from(number)), load) == Some(true) {
                    return Ok(Some(number));
                }
            }
        }
        Ok(None)
    }

    /// Second derivatives of what is as stiff as it is projected in a part of `part` [s], by families and elements [N/m].
    fn stiffness(&self, part: f64) -> Vec<Vec<Mat3>> {
        let mut stiffness: Vec<Vec<Mat3>> = self.turning.iter().map(|blocks| vec![Mat3::zeros(); blocks.len()]).collect();
        let mut gradients = self.constraints.room();
        for (c, place) in self.constraints.places.iter().enumerate() {
            place.constraint(self.families, &self.system.positions, &mut gradients);
            let of_sweeps = part * part * self.sigma[c] / self.times[c];
            let is_soft = self.has_compliance || !self.constraints.is_visited(c);
            let compliance = of_sweeps + if is_soft { self.constraints.rows[c].compliance } else { 0.0 };
            // What no node that may move has a part in resists nothing.
            if compliance > 0.0 {
                add_square(&mut stiffness[place.family as usize], self.constraints, c, &gradients, 1.0 / compliance);
            }
        }
        stiffness
    }

    /// Whether so many times the load is borne; `None` where there is no telling.
    fn bears(&self, stiffness: &[Vec<Mat3>], load: f64) -> Option<bool> {
        let sum =
            |(stiff, turning): (&Vec<Mat3>, &Vec<Mat3>)| stiff.iter().zip(turning).map(|(stiff, turning)| stiff + load * turning).collect();
        let blocks: Vec<Vec<Mat3>> = stiffness.iter().zip(&self.turning).map(sum).collect();
        let mut matrix = NodeMatrix::new(&self.pattern);
        matrix.assemble(&self.pattern, &blocks, 1.0, &vec![Mat3::zeros(); self.held.len()]);
        let typical = matrix.median_diagonal(&self.pattern);
        let held: Vec<Mat3> = self.held.iter().map(|held| held * HELD * typical + Mat3::identity() * ROUND_OFF * typical).collect();
        matrix.assemble(&self.pattern, &blocks, 1.0, &held);
        InertiaFactor::new(&self.pattern).factorize(&self.pattern, &matrix).ok().map(|negative| negative == 0)
    }
}

/// Adds `strength` times the square of the gradients of constraint `c` to the blocks of its family.
fn add_square(blocks: &mut [Mat3], constraints: &Constraints, c: usize, gradients: &[Vec3], strength: f64) {
    let width = constraints.nodes(c).len();
    let first = constraints.places[c].element as usize * width * width;
    for (a, of_a) in gradients[..width].iter().enumerate() {
        for (b, of_b) in gradients[..width].iter().enumerate() {
            blocks[first + a * width + b] += strength * of_a * of_b.transpose();
        }
    }
}
