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

use rayon::prelude::*;

use super::constraints::{Constraints, Projections};
use super::mobility::Mobility;
use crate::linear::{InertiaFactor, NodeMatrix, NodeMatrixPattern};
use crate::math::{Mat3, Vec3};
use crate::system::System;

/// S where it is lost.
const LOST: f64 = 2.0;
/// Eigenvalues below minus this share of the median diagonal are negative.
const ROUND_OFF: f64 = 1e-6;
/// How much stiffer than the median what is held is.
const HELD: f64 = 1e6;
/// Loads are told apart by this factor.
const NEAR: f64 = 1.02;

/// Numbers of parts that are tried.
const TRIALS: usize = 16;
/// Of its load, what a body is to bear at least.
const MARGIN: f64 = 1.1;

/// What turns away and what stands against it.
pub struct Buckling<'a> {
    system: &'a System,
    pattern: std::sync::Arc<NodeMatrixPattern>,
    /// Second derivatives by the turning of gradients, by families and elements [N/m].
    turning: Vec<Vec<Mat3>>,
    constraints: &'a Constraints,
    families: &'a Projections<'a>,
    sigma: Vec<f64>,
    /// What holds nodes but in the directions in which they move, in units of stiffness.
    held: Vec<Mat3>,
}

impl<'a> Buckling<'a> {
    /// Of the constraints that `carry` something, where contacts push with `contact` [N].
    pub fn of(
        system: &'a System,
        families: &'a Projections<'a>,
        constraints: &'a Constraints,
        mobility: &Mobility,
        carry: impl Fn(usize) -> bool,
        contact: &[Vec3],
    ) -> Self {
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
        Self { system, pattern: system.pattern(), turning, constraints, families, sigma, held }
    }

    /// S in parts of `part` [s] in each of which constraint c is projected `times(c)` times; 0 where it is at most `least`, and where bodies that
    /// are as stiff as they are do not bear their load: then nothing that a stepper does holds them.
    pub fn turn(&self, part: f64, times: impl Fn(usize) -> f64, least: f64) -> f64 {
        let stiffness = self.stiffness(part, times);
        let bears = |load: f64| self.bears(&stiffness, load);
        let mut lost = LOST / least;
        if bears(lost) {
            return 0.0;
        }
        if lost >= 1.0 && !bears(1.0) && !self.bears(&self.stiffness(0.0, |_| 1.0), 1.0) {
            return 0.0;
        }
        let mut borne = lost;
        while !bears(borne) {
            (lost, borne) = (borne, borne / 4.0);
            if borne < f64::EPSILON {
                return f64::INFINITY;
            }
        }
        while lost > NEAR * borne {
            let middle = (lost * borne).sqrt();
            if bears(middle) { borne = middle } else { lost = middle }
        }
        LOST / borne
    }

    /// Into how many parts a step of `step_size` [s] is to be cut, more than `substeps`, so that S is at most 1, or below 2 where the bodies
    /// themselves bear less than twice their load; `None` where no number does.
    pub fn substeps(&self, step_size: f64, substeps: u32, times: impl Fn(usize) -> f64) -> Option<u32> {
        let numbers = || std::iter::successors(Some(substeps), |&number| Some(number + number / 2 + 1)).skip(1).take(TRIALS);
        let bears = |number: u32, load: f64| self.bears(&self.stiffness(step_size / f64::from(number), &times), load);
        numbers().find(|&number| bears(number, LOST)).or_else(|| numbers().find(|&number| bears(number, MARGIN)))
    }

    /// Second derivatives of what is as stiff as it is projected, by families and elements [N/m].
    fn stiffness(&self, part: f64, times: impl Fn(usize) -> f64) -> Vec<Vec<Mat3>> {
        let mut stiffness: Vec<Vec<Mat3>> = self.turning.iter().map(|blocks| vec![Mat3::zeros(); blocks.len()]).collect();
        let mut gradients = self.constraints.room();
        for (c, place) in self.constraints.places.iter().enumerate() {
            place.constraint(self.families, &self.system.positions, &mut gradients);
            let less = part * part * self.sigma[c] / times(c);
            let strength = 1.0 / (self.constraints.rows[c].compliance + less);
            add_square(&mut stiffness[place.family as usize], self.constraints, c, &gradients, strength);
        }
        stiffness
    }

    /// Whether so many times the load is borne.
    fn bears(&self, stiffness: &[Vec<Mat3>], load: f64) -> bool {
        let sum =
            |(stiff, turning): (&Vec<Mat3>, &Vec<Mat3>)| stiff.iter().zip(turning).map(|(stiff, turning)| stiff + load * turning).collect();
        let blocks: Vec<Vec<Mat3>> = stiffness.iter().zip(&self.turning).map(sum).collect();
        let mut matrix = NodeMatrix::new(&self.pattern);
        matrix.assemble(&self.pattern, &blocks, 1.0, &vec![Mat3::zeros(); self.held.len()]);
        let typical = matrix.median_diagonal(&self.pattern);
        let held: Vec<Mat3> = self.held.iter().map(|held| held * HELD * typical + Mat3::identity() * ROUND_OFF * typical).collect();
        matrix.assemble(&self.pattern, &blocks, 1.0, &held);
        // What cannot be factorised is told nothing of.
        InertiaFactor::new(&self.pattern).factorize(&self.pattern, &matrix).is_ok_and(|negative| negative == 0)
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
