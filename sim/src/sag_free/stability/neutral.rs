//! Rigid motions that nothing resists: a box on ice slides, a body in space turns. Their eigenvalues are zero but for
//! round-off; they say nothing about the body, and are kept out of its softest modes.
//!
//! Parts that no block of the Hessian couples have nothing to do with one another. So motions are looked for, and kept, group by
//! group of coupled parts, and what has to be asked of the whole matrix is asked for one motion of every group at a time.

use std::collections::HashMap;

use nalgebra::DMatrix;

use super::pencil::Pencil;
use crate::math::Vec3;
use crate::math::rigid::RigidFrame;
use crate::sag_free::parts::joined_by_elements;
use crate::system::{Mass, System};
use crate::watch::{Cancelled, Watch};

/// Parts without supports, in one group, beyond which its neutral motions are not looked for.
pub const MOST_PARTS: usize = 64;
/// A motion is neutral if |H r| is below this share of the median diagonal.
const NEUTRAL: f64 = 1e-9;
/// What is left of a motion, orthogonal to others, that is round-off.
const NOTHING: f64 = 1e-8;

/// The rigid motions of parts, each by itself or several together, that make no force; orthonormal by M.
#[derive(Debug, Clone, Default)]
pub struct Neutral {
    groups: Vec<Group>,
    /// Parts without supports whose motions were not looked for.
    pub left_out: usize,
}

/// Motions of a group of coupled parts, on its free nodes.
#[derive(Debug, Clone, Default)]
struct Group {
    nodes: Vec<u32>,
    /// What couples them in the mass matrix, by places among them.
    couplings: Vec<(usize, usize, f64)>,
    motions: Vec<Vec<Vec3>>,
}

impl Neutral {
    /// Those of a pencil.
    ///
    /// # Errors
    /// Cancelled.
    pub fn of(pencil: &Pencil, watch: &dyn Watch) -> Result<Self, Cancelled> {
        let (groups, left_out) = rigid_motions(pencil);
        let mut rigid = Self { groups, left_out };
        rigid.replace_by(pencil, |_, _| {});
        for group in &mut rigid.groups {
            group.orthonormalise(&pencil.mass);
        }
        watch.check()?;
        let mut forces = rigid.clone();
        forces.replace_by(pencil, |motion, force| {
            pencil.hessian.multiply(pencil.pattern, motion, force);
        });
        for (rigid, forces) in rigid.groups.iter_mut().zip(&forces.groups) {
            watch.check()?;
            rigid.keep_neutral(&forces.motions, NEUTRAL * pencil.typical, &pencil.mass);
        }
        rigid.groups.retain(|group| !group.motions.is_empty());
        Ok(rigid)
    }

    /// How many motions.
    pub fn count(&self) -> usize {
        self.groups.iter().map(|group| group.motions.len()).sum()
    }

    /// Takes their components out of `vector`: twice, for the digits that the first pass leaves (Giraud et al. 2005).
    pub fn take_out(&self, mass: &Mass, vector: &mut [Vec3]) {
        for _ in 0..2 {
            for group in &self.groups {
                for motion in &group.motions {
                    let share = group.dot(mass, motion, |k| vector[group.nodes[k] as usize]);
                    group.nodes.iter().zip(motion).for_each(|(&n, v)| vector[n as usize] -= share * v);
                }
            }
        }
    }

    /// How many negative eigenvalues `solve` has among them, where it is the inverse of a matrix that couples no groups: of
    /// R^T M A^-1 M R, with the motions R. By groups, each with one of its nodes.
    pub fn negative_among(&self, mass: &Mass, solve: impl FnOnce(&mut [Vec<Vec3>])) -> Vec<(u32, usize)> {
        if self.groups.is_empty() {
            return Vec::new();
        }
        let mut solutions: Vec<Vec<Vec3>> = (0..self.most()).map(|j| mass.product(&self.together(j, mass.nodes()))).collect();
        solve(&mut solutions);
        let mut answers = self.clone();
        solutions.iter().enumerate().for_each(|(j, solution)| answers.set(j, solution));
        let negative = |(group, answers): (&Group, &Group)| {
            let entry = |i: usize, j: usize| group.dot(mass, &group.motions[i], |k| answers.motions[j][k]);
            let count = group.motions.len();
            let among = DMatrix::from_fn(count, count, |i, j| 0.5 * (entry(i, j) + entry(j, i)));
            let negative = among.symmetric_eigenvalues().iter().filter(|value| **value < 0.0).count();
            (group.moved().next().unwrap_or_default(), negative)
        };
        self.groups.iter().zip(&answers.groups).map(negative).collect()
    }

    /// Those of nodes that no others are coupled to, numbered as they come there.
    pub fn of_nodes(&self, nodes: &[u32]) -> Self {
        let place: HashMap<u32, u32> = nodes.iter().copied().zip(0..).collect();
        let is_among = |group: &&Group| group.moved().any(|node| place.contains_key(&node));
        let renumbered = |group: &Group| {
            // What is held moves in no motion.
            let kept: Vec<usize> = (0..group.nodes.len()).filter(|&k| place.contains_key(&group.nodes[k])).collect();
            Group {
                nodes: kept.iter().map(|&k| place[&group.nodes[k]]).collect(),
                couplings: Vec::new(),
                motions: group.motions.iter().map(|motion| kept.iter().map(|&k| motion[k]).collect()).collect(),
            }
        };
        Self { groups: self.groups.iter().filter(is_among).map(renumbered).collect(), left_out: 0 }
    }

    /// Most motions of a group.
    fn most(&self) -> usize {
        self.groups.iter().map(|group| group.motions.len()).max().unwrap_or(0)
    }

    /// Motion j of every group that has so many, in one vector of all nodes.
    fn together(&self, j: usize, nodes: usize) -> Vec<Vec3> {
        let mut all = vec![Vec3::zeros(); nodes];
        for group in &self.groups {
            for (&n, v) in group.nodes.iter().zip(group.motions.get(j).into_iter().flatten()) {
                all[n as usize] = *v;
            }
        }
        all
    }

    /// Makes motion j of every group that has so many the part of `all` on its nodes.
    fn set(&mut self, j: usize, all: &[Vec3]) {
        for Group { nodes, motions, .. } in &mut self.groups {
            for (n, v) in nodes.iter().zip(motions.get_mut(j).into_iter().flatten()) {
                *v = all[*n as usize];
            }
        }
    }

    /// Replaces each motion by what `change` makes of it, or leaves it, and takes out of that what supports hold.
    fn replace_by(&mut self, pencil: &Pencil, change: impl Fn(&[Vec3], &mut [Vec3])) {
        for j in 0..self.most() {
            let motion = self.together(j, pencil.mass.nodes());
            let mut changed = motion.clone();
            change(&motion, &mut changed);
            pencil.system.take_supported(&mut changed);
            self.set(j, &changed);
        }
    }
}

impl Group {
    /// The nodes that its motions move.
    fn moved(&self) -> impl Iterator<Item = u32> {
        let is_moved = |k: usize| self.motions.iter().any(|motion| motion[k] != Vec3::zeros());
        self.nodes.iter().enumerate().filter(move |(k, _)| is_moved(*k)).map(|(_, &node)| node)
    }

    /// a . M b, where b is given by places among the nodes.
    fn dot(&self, mass: &Mass, a: &[Vec3], b: impl Fn(usize) -> Vec3) -> f64 {
        let of_nodes: f64 = self.nodes.iter().zip(a).enumerate().map(|(k, (&n, a))| mass.lumped()[n as usize] * a.dot(&b(k))).sum();
        let of_pairs: f64 = self.couplings.iter().map(|&(k, l, weight)| weight * (a[k] - a[l]).dot(&(b(k) - b(l)))).sum();
        of_nodes - of_pairs
    }

    /// Makes the motions orthonormal by M; those that the others make up are dropped.
    fn orthonormalise(&mut self, mass: &Mass) {
        let mut kept: Vec<Vec<Vec3>> = Vec::new();
        for mut motion in std::mem::take(&mut self.motions) {
            let before = self.dot(mass, &motion, |k| motion[k]).sqrt();
            for _ in 0..2 {
                for other in &kept {
                    let share = self.dot(mass, other, |k| motion[k]);
                    motion.iter_mut().zip(other).for_each(|(v, o)| *v -= share * o);
                }
            }
            let rest = self.dot(mass, &motion, |k| motion[k]).sqrt();
            if rest > NOTHING * before {
                motion.iter_mut().for_each(|v| *v /= rest);
                kept.push(motion);
            }
        }
        self.motions = kept;
    }

    /// Leaves the combinations of the motions whose `forces` cancel, to `limit` [N/m].
    fn keep_neutral(&mut self, forces: &[Vec<Vec3>], limit: f64, mass: &Mass) {
        let count = self.motions.len();
        if count == 0 {
            return;
        }
        let dot = |a: &[Vec3], b: &[Vec3]| a.iter().zip(b).map(|(a, b)| a.dot(b)).sum::<f64>();
        let eigen = DMatrix::from_fn(count, count, |i, j| dot(&forces[i], &forces[j])).symmetric_eigen();
        let mut neutral = Vec::new();
        for shares in eigen.eigenvectors.column_iter() {
            let combined = |vectors: &[Vec<Vec3>]| {
                let mut sum = vec![Vec3::zeros(); self.nodes.len()];
                for (share, vector) in shares.iter().zip(vectors) {
                    sum.iter_mut().zip(vector).for_each(|(s, v)| *s += *share * v);
                }
                sum
            };
            let force = combined(forces);
            if dot(&force, &force).sqrt() <= limit {
                neutral.push(combined(&self.motions));
            }
        }
        self.motions = neutral;
        self.orthonormalise(mass);
    }
}

/// The rigid motions of each part without a fixed node, by groups of parts that the Hessian's pattern couples; and how many such parts
/// are in groups of too many.
fn rigid_motions(pencil: &Pencil) -> (Vec<Group>, usize) {
    let system = pencil.system;
    let mut joined = joined_by_elements(system.internal_nodes().end, &system.families);
    let part_of = joined.clone().numbered();
    let is_body = |node: u32| (node as usize) < part_of.len();
    pencil.pattern.coupled_nodes().filter(|pair| pair.iter().all(|&n| is_body(n))).for_each(|[a, b]| joined.join(a, b));
    let group_of = joined.numbered();
    let in_lists = |of: &[u32]| {
        let mut lists = vec![Vec::new(); of.iter().max().map_or(0, |&last| last as usize + 1)];
        of.iter().enumerate().for_each(|(node, &list)| lists[list as usize].push(node as u32));
        lists
    };
    let mut parts_of_group: Vec<Vec<Vec<u32>>> = vec![Vec::new(); in_lists(&group_of).len()];
    for part in in_lists(&part_of).into_iter().filter(|part| part.iter().all(|&node| !system.fixed[node as usize])) {
        let group = group_of[part[0] as usize];
        parts_of_group[group as usize].push(part);
    }
    let (mut groups, mut left_out) = (Vec::new(), 0);
    let mut kept = vec![None; parts_of_group.len()];
    for (number, (nodes, parts)) in in_lists(&group_of).into_iter().zip(parts_of_group).enumerate() {
        if parts.len() > MOST_PARTS {
            left_out += parts.len();
        } else if !parts.is_empty() {
            // Ascending, as the parts' are.
            let place = |node: u32| nodes.partition_point(|&other| other < node);
            let motions = parts.iter().flat_map(|part| of_part(system, part, nodes.len(), &place)).collect();
            kept[number] = Some(groups.len());
            groups.push(Group { nodes, couplings: Vec::new(), motions });
        }
    }
    for (a, b, weight) in pencil.mass.couplings().iter() {
        // Both are nodes of one part, and so of one group.
        let Some(group) = kept[group_of[a] as usize] else { continue };
        let Group { nodes, couplings, .. } = &mut groups[group];
        if let (Ok(a), Ok(b)) = (nodes.binary_search(&(a as u32)), nodes.binary_search(&(b as u32))) {
            couplings.push((a, b, weight));
        }
    }
    (groups, left_out)
}

/// The rigid motions of a part, on a group of `count` nodes: internal nodes turn with it.
fn of_part(system: &System, part: &[u32], count: usize, place: &impl Fn(u32) -> usize) -> Vec<Vec<Vec3>> {
    let at = |&node: &u32| system.positions[node as usize];
    // Ascending: internal nodes come last.
    let (points, turned) = part.split_at(part.partition_point(|&node| (node as usize) < system.body_nodes()));
    let body = RigidFrame::of(points.iter().map(at));
    let mut motions = vec![vec![Vec3::zeros(); count]; 6];
    for node in points {
        let moved = body.motions(&at(node));
        motions.iter_mut().zip(moved.column_iter()).for_each(|(motion, moved)| motion[place(*node)] = moved.into_owned());
    }
    for node in turned {
        let arm = system.internal[*node as usize - system.body_nodes()].arm / body.size;
        (0..3).for_each(|axis| motions[3 + axis][place(*node)] = Vec3::ith(axis, arm));
    }
    motions
}
