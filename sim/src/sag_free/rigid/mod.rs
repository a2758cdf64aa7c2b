//! Whether contacts and supports hold bodies, as if these were rigid: forces in the exact cones of friction that balance net force and
//! net torque of each piece. Elasticity does not enter, so the answer does not depend on any stiffness.
//!
//! Over the motions v that supports leave, with loads w and relative displacements G v at the contacts,
//!
//! ```text
//! min 1/2 |v|^2 - w . v   with   G v in the cones:     v = w + G^T z,   z in the cones,
//! ```
//!
//! has a solution always. If it is zero, z are the forces. If it is not, v proves that there are none: z . G v >= 0 for all z in the
//! cones (they are self-dual), so v . (w + G^T z) >= v . w > 0, and at least v . w / |v| stays out of balance. Forces are over the loads of
//! each part and torques over its size as well, so that units, sizes and places do not matter.

mod motions;
mod pieces;
#[cfg(test)]
mod tests;

use faer::{Mat, MatMut};
use nalgebra::Matrix3xX;

use self::motions::Motions;
use self::pieces::Pieces;
use super::cone::{Cone, Scaling};
use super::global::GlobalError;
use super::interior_point::{ConeRow, Goal, Quadratic, Solver, add_contact_forces};
use super::parts::Parts;
use super::problem::{BalanceProblem, ContactSite};
use super::row::cone_frame;
use crate::linear::{DenseFactor, NotPositive};
use crate::math::{Mat3, Vec3, largest_norm};
use crate::watch::Watch;

/// Share of a part's loads that may stay out of balance where it is held.
const HELD: f64 = 1e-9;
/// Share of the work at the start below which work is none.
const WORTH: f64 = 1e-5;
/// Share of a part's loads that must be proven to stay out of balance where it is not.
const FALLS: f64 = 1e-7;
/// A proof stands against contact forces up to so many times the loads.
const LARGEST_FORCE: f64 = 1e6;
/// Parts with less load, as a share of the most loaded part's, are measured by this share of it.
const LIGHTEST: f64 = 1e-6;
/// Corrections of forces at most, and the share of I that keeps their matrix regular.
const POLISHES: usize = 3;
const LITTLE: f64 = 1e-12;
/// An imbalance that is no matter of round-off.
const ROUGH: f64 = 1e-4;
/// Motions of a group beyond which it is not decided: its matrix is dense.
const MOST_MOTIONS: usize = 1500;
/// Pieces of a part that hang together by hinges beyond which its motions are not looked for.
const MOST_PIECES: usize = 100;

/// Pieces and parts of a problem.
pub(super) struct Rigid<'a> {
    problem: &'a BalanceProblem<'a>,
    parts: &'a Parts,
    pieces: Pieces,
}

/// The contact problem of one group of parts.
pub(super) struct Group {
    /// The contacts that can make force on it, as numbers in the problem's list.
    pub sites: Vec<usize>,
    contacts: Vec<Contact>,
    /// w, over each part's loads.
    load: Vec<Vec3>,
}

/// A contact over the motions of a group.
struct Contact {
    normal: Vec3,
    friction: f64,
    /// Relative displacement in space by the motions at each place.
    blocks: Vec<(u32, Mat3)>,
}

/// Whether there are forces.
pub(super) enum Verdict {
    /// There are.
    Held,
    /// There are not, as this motion proves.
    Falls(Proof),
    /// This share of a part's loads is out of balance, which is too much for forces and too little for a proof.
    Open(f64),
}

/// A motion that the loads do work on, and the contacts do not resist.
pub(super) struct Proof(Vec<Vec3>);

impl<'a> Rigid<'a> {
    /// Finds the pieces of `problem`, whose parts are `parts`.
    pub fn new(problem: &'a BalanceProblem<'a>, parts: &'a Parts) -> Self {
        Self { problem, parts, pieces: Pieces::of(problem) }
    }

    /// The groups that anything holds, ascending.
    pub fn held_groups(&self) -> Vec<u32> {
        let mut groups: Vec<u32> = (0..self.problem.positions.len()).map(|node| self.parts.group_of(node)).collect();
        groups.sort_unstable();
        groups.dedup();
        groups.retain(|&group| self.parts.is_held(group));
        groups
    }

    /// The contact problem of a group; `None` if it has more pieces than are looked at.
    pub fn group(&self, group: u32) -> Option<Group> {
        let problem = self.problem;
        let mut nodes: Vec<(u32, u32)> = (0..problem.positions.len() as u32)
            .filter(|&node| self.parts.group_of(node as usize) == group && self.pieces.of_node(node).is_some())
            .map(|node| (self.parts.of_node(node as usize), node))
            .collect();
        nodes.sort_unstable();
        let parts: Vec<&[(u32, u32)]> = nodes.chunk_by(|a, b| a.0 == b.0).collect();
        let own_load = |part: &&[(u32, u32)]| part.iter().map(|(_, node)| problem.loads[*node as usize].norm()).sum::<f64>();
        let own_loads: Vec<f64> = parts.iter().map(own_load).collect();
        let unit = own_loads.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        let mut spaces = Vec::new();
        let mut places = 0;
        for (part, own_load) in parts.iter().zip(&own_loads) {
            let nodes: Vec<u32> = part.iter().map(|(_, node)| *node).collect();
            let motions = self.motions(&nodes)?;
            let width = motions.len().div_ceil(3);
            spaces.push((part[0].0, Space { motions, first: places as u32, share: (own_load / unit).max(LIGHTEST) }));
            places += width;
        }
        if 3 * places > MOST_MOTIONS {
            return None;
        }
        let mut load = vec![Vec3::zeros(); places];
        for &(part, node) in &nodes {
            let Some(space) = space_of(&spaces, part) else { continue };
            let Some(moved) = space.motions.moved(&self.pieces, node, &problem.positions[node as usize]) else { continue };
            for (place, block) in space.blocks(&moved) {
                load[place as usize] += block.tr_mul(&(problem.loads[node as usize] / unit));
            }
        }
        let mut found = Group { sites: Vec::new(), contacts: Vec::new(), load };
        for index in self.parts.sites_where(problem, |other| other == group) {
            let site = &problem.sites[index];
            let blocks = self.blocks(site, &spaces);
            if !blocks.is_empty() {
                found.sites.push(index);
                found.contacts.push(Contact { normal: site.normal, friction: site.friction, blocks });
            }
        }
        Some(found)
    }

    fn motions(&self, nodes: &[u32]) -> Option<Motions> {
        let mut pieces: Vec<u32> = nodes.iter().filter_map(|&node| self.pieces.of_node(node)).collect();
        pieces.sort_unstable();
        pieces.dedup();
        // A piece all of whose nodes are hinges may be no node's own.
        let hinged = self.pieces.hinges.iter().filter(|(_, [a, _])| pieces.binary_search(a).is_ok()).map(|(_, [_, b])| *b);
        let more: Vec<u32> = hinged.collect();
        pieces.extend(more);
        pieces.sort_unstable();
        pieces.dedup();
        (pieces.len() <= MOST_PIECES).then(|| Motions::of(self.problem, &self.pieces, pieces, nodes))
    }

    /// Relative displacement at a site; nothing where one rigid piece touches itself.
    fn blocks(&self, site: &ContactSite, spaces: &[(u32, Space)]) -> Vec<(u32, Mat3)> {
        let mut on = site.nodes().map(|node| self.pieces.of_node(node));
        let first = on.next().flatten();
        if first.is_some() && on.all(|piece| piece == first) && site.shares.len() > 1 {
            return Vec::new();
        }
        let mut blocks: Vec<(u32, Mat3)> = Vec::new();
        for (node, share) in &site.shares {
            let Some(space) = space_of(spaces, self.parts.of_node(*node as usize)) else { continue };
            let Some(moved) = space.motions.moved(&self.pieces, *node, &self.problem.positions[*node as usize]) else { continue };
            for (place, block) in space.blocks(&moved) {
                match blocks.iter_mut().find(|(other, _)| *other == place) {
                    Some((_, sum)) => *sum += share * block,
                    None => blocks.push((place, share * block)),
                }
            }
        }
        blocks
    }
}

/// The motions of a part in the space of a group.
struct Space {
    motions: Motions,
    /// Its first place.
    first: u32,
    /// Its loads over those of the most loaded part.
    share: f64,
}

impl Space {
    /// Displacements by its motions, in blocks of three, over its share of the loads.
    fn blocks(&self, moved: &Matrix3xX<f64>) -> impl Iterator<Item = (u32, Mat3)> {
        (0..moved.ncols().div_ceil(3)).map(|k| {
            let column = |c: usize| if c < moved.ncols() { moved.column(c).into_owned() } else { Vec3::zeros() };
            (self.first + k as u32, Mat3::from_columns(&[column(3 * k), column(3 * k + 1), column(3 * k + 2)]) / self.share)
        })
    }
}

fn space_of(spaces: &[(u32, Space)], part: u32) -> Option<&Space> {
    spaces.binary_search_by_key(&part, |(part, _)| *part).ok().map(|index| &spaces[index].1)
}

impl Group {
    /// The friction coefficient of the `index`-th contact.
    pub fn friction(&self, index: usize) -> f64 {
        self.contacts[index].friction
    }

    /// Whether there are forces when the `index`-th contact has the friction coefficient `friction(index)`.
    ///
    /// # Errors
    /// Cancelled.
    pub fn decide(&self, friction: impl Fn(usize) -> f64, watch: &dyn Watch) -> Result<Verdict, GlobalError> {
        if self.contacts.is_empty() {
            let motion = Proof(self.load.clone());
            let unbalanced = largest_norm(&self.load);
            let proven = self.is_proven_by(&motion, |_| 0.0);
            return Ok(if unbalanced <= HELD {
                Verdict::Held
            } else if proven {
                Verdict::Falls(motion)
            } else {
                Verdict::Open(unbalanced)
            });
        }
        let mut masses = Identity::new(self.load.len());
        let mut solver = Solver { quadratic: &mut masses, rows: self.rows(&friction), load: self.load.clone() };
        // Where it is held the work goes to zero with the gap, which then is no smaller a share of it.
        let goal = Goal { tolerance: HELD, runaway: f64::INFINITY, least: 0.1 * HELD, least_work: WORTH };
        let (at, _) = solver.run(goal, watch)?;
        let unbalanced = solver.unbalanced(&at.z);
        if largest_norm(&unbalanced) <= HELD || solver.is_polished(at.z.clone(), unbalanced.clone()) {
            return Ok(Verdict::Held);
        }
        let motion = Proof(at.u);
        Ok(if self.is_proven_by(&motion, friction) { Verdict::Falls(motion) } else { Verdict::Open(largest_norm(&unbalanced)) })
    }

    /// Whether a motion proves that there are no forces with these friction coefficients.
    pub fn is_proven_by(&self, Proof(motion): &Proof, friction: impl Fn(usize) -> f64) -> bool {
        let work: f64 = self.load.iter().zip(motion).map(|(load, motion)| load.dot(motion)).sum();
        let size = motion.iter().map(Vec3::norm_squared).sum::<f64>().sqrt();
        let resisted = self.rows(friction).iter().map(|row| -row.cone().margin(&row.displacement(motion))).fold(0.0, f64::max);
        work > FALLS * size && LARGEST_FORCE * resisted < work
    }

    fn rows(&self, friction: impl Fn(usize) -> f64) -> Vec<RigidRow> {
        let row = |(index, contact): (usize, &Contact)| {
            let (cone, frame) = cone_frame(&contact.normal, friction(index));
            let blocks: Vec<(u32, Mat3)> = contact.blocks.iter().map(|(place, block)| (*place, frame * block)).collect();
            // Forces in the unit in which they balance about the loads of the lighter part.
            let size = blocks.iter().map(|(_, block)| block.norm()).fold(f64::MIN_POSITIVE, f64::max);
            RigidRow { cone, blocks: blocks.into_iter().map(|(place, block)| (place, block / size)).collect() }
        };
        self.contacts.iter().enumerate().map(row).collect()
    }
}

impl Solver<'_, Identity, RigidRow> {
    /// w + G^T z.
    fn unbalanced(&self, z: &[Vec3]) -> Vec<Vec3> {
        let mut sum = self.load.clone();
        add_contact_forces(&self.rows, z, &mut sum);
        sum
    }

    /// Whether contacts with something in hand can take what round-off left of the balance.
    fn is_polished(&mut self, mut z: Vec<Vec3>, mut left: Vec<Vec3>) -> bool {
        let springs = self.springs(&z);
        self.quadratic.weigh(LITTLE);
        if largest_norm(&left) > ROUGH || self.quadratic.factorize(&self.rows, &springs).is_err() {
            return false;
        }
        for _ in 0..POLISHES {
            self.quadratic.solve(&mut left);
            for ((z, row), w) in z.iter_mut().zip(&self.rows).zip(&springs) {
                *z -= w.inverse * (w.inverse * row.displacement(&left));
            }
            left = self.unbalanced(&z);
        }
        largest_norm(&left) <= HELD && self.rows.iter().zip(&z).all(|(row, z)| row.cone().margin(z) >= 0.0)
    }
}

/// A contact in scaled coordinates.
struct RigidRow {
    cone: Cone,
    blocks: Vec<(u32, Mat3)>,
}

impl ConeRow for RigidRow {
    fn cone(&self) -> Cone {
        self.cone
    }

    fn displacement(&self, u: &[Vec3]) -> Vec3 {
        self.blocks.iter().map(|(place, block)| block * u[*place as usize]).sum()
    }

    fn add_force(&self, z: &Vec3, nodes: &mut [Vec3]) {
        self.blocks.iter().for_each(|(place, block)| nodes[*place as usize] += block.tr_mul(z));
    }
}

/// K = I, or little of it.
struct Identity {
    matrix: Mat<f64>,
    factor: DenseFactor,
}

impl Identity {
    fn new(places: usize) -> Self {
        Self { matrix: Mat::identity(3 * places, 3 * places), factor: DenseFactor::new(places) }
    }

    /// K = `weight` I from now on in Newton matrices.
    fn weigh(&mut self, weight: f64) {
        (0..self.matrix.nrows()).for_each(|i| self.matrix[(i, i)] = weight);
    }
}

impl Quadratic<RigidRow> for Identity {
    fn multiply(&self, u: &[Vec3], product: &mut [Vec3]) {
        product.copy_from_slice(u);
    }

    fn factorize(&mut self, rows: &[RigidRow], scalings: &[Scaling]) -> Result<(), NotPositive> {
        let add = |mut matrix: MatMut<f64>| {
            for (row, scaling) in rows.iter().zip(scalings) {
                for &(i, a) in &row.blocks {
                    for &(j, b) in row.blocks.iter().filter(|(j, _)| *j <= i) {
                        let product = (scaling.inverse * a).tr_mul(&(scaling.inverse * b));
                        for c in 0..3 {
                            for r in 0..3 {
                                matrix[(3 * i as usize + r, 3 * j as usize + c)] += product[(r, c)];
                            }
                        }
                    }
                }
            }
        };
        self.factor.factorize(&self.matrix, add)
    }

    fn solve(&mut self, right_side: &mut [Vec3]) {
        self.factor.solve(right_side);
    }
}
