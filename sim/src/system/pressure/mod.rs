//! [`Pressing`]: pressure as the steppers and the judgement of stability take it, from an energy wherever it has one.
//!
//! The faces under pressure have the energy of `face`, whose derivatives differ from the forces of pressure by what the edges make.
//! An edge between two faces under one pressure makes nothing, nor does one that supports hold. What is left is the **rim**: where it is
//! free, pressure has no energy, and the difference is a force that a step takes from its last iterate until it no longer changes.

mod face;
mod rim;
#[cfg(test)]
mod tests;
mod wet;

pub use face::{Push, Water};

use nalgebra::SMatrix;
use rayon::prelude::*;

use self::rim::{Group, Rim};
use super::System;
use super::loads::growth;
use crate::math::{Mat3, Vec3, largest_norm};

/// Change of the rim's forces, as a share of the largest force on a face, that counts as none.
const SETTLED: f64 = 1e-10;
/// Part of a stiffness without symmetry, as a share of what its faces have of it, that is round-off.
const ROUND_OFF: f64 = 1e-11;

/// The faces under pressure and their pressures at one time.
#[derive(Debug, Default)]
pub struct Pressing {
    faces: Vec<Face>,
    rim: Vec<Rim>,
    groups: Vec<Group>,
    /// Pressures of the time that was set.
    pushes: Vec<Push>,
    /// Point about which each group's volume is measured [m].
    origins: Vec<Vec3>,
    /// Where the step began [m], and the rim's forces of the last iterate [N]; empty without a rim.
    start: Vec<Vec3>,
    lagged: Vec<Vec3>,
    fresh: Vec<Vec3>,
    blocks: Vec<[[Mat3; 3]; 3]>,
}

/// A face under pressure.
#[derive(Debug, Clone, Copy)]
struct Face {
    nodes: [u32; 3],
    group: u32,
    /// The element that it belongs to, as (family, element), and its corners there.
    element: Option<(u32, u32)>,
    corners: [usize; 3],
}

impl Pressing {
    /// The pressures of `system`, as they are at `positions` [m] and `time` [s] times a share.
    pub fn at(system: &System, positions: &[Vec3], time: f64, share: f64) -> Self {
        let mut pressing = Self::of(system);
        pressing.set(system, positions, time, share);
        pressing
    }

    /// The faces and rims of `system`, before a time is set.
    pub fn of(system: &System) -> Self {
        let nodes: Vec<[u32; 3]> = system.loads.pressures.iter().map(|load| load.face).collect();
        let group_of = rim::groups_of(&nodes, system.positions.len());
        let mut faces: Vec<Face> =
            nodes.into_iter().zip(&group_of).map(|(nodes, &group)| Face { nodes, group, element: None, corners: [0; 3] }).collect();
        find_elements(system, &mut faces);
        let rim = rim::of(system, &group_of);
        let groups = rim::groups(system, &group_of, &rim);
        Self { faces, rim, groups, ..Self::default() }
    }

    /// Whether there is no pressure.
    pub fn is_empty(&self) -> bool {
        self.faces.is_empty()
    }

    /// Takes the pressures of `time` [s] times a share, with volumes about points near `positions` [m].
    pub fn set(&mut self, system: &System, positions: &[Vec3], time: f64, share: f64) {
        if self.faces.len() != system.loads.pressures.len() {
            *self = Self::of(system);
        }
        self.pushes.clear();
        self.pushes.extend(system.loads.pressures.iter().map(|load| load.push.scaled(share * growth(load.ramp, time))));
        self.origins.clear();
        self.origins.extend(self.groups.iter().map(|group| group.origin(positions)));
        if !self.rim.is_empty() {
            self.start.clear();
            self.start.extend_from_slice(positions);
            self.lagged = vec![Vec3::zeros(); positions.len()];
            self.relag(system, positions);
        }
    }

    /// Takes the rim's forces from `x` [m]; false if they are as they were.
    pub fn relag(&mut self, system: &System, x: &[Vec3]) -> bool {
        if self.rim.is_empty() {
            return false;
        }
        self.gather_rim(x);
        system.take_supported(&mut self.fresh);
        let change = self.fresh.iter().zip(&self.lagged).map(|(fresh, lagged)| (fresh - lagged).norm()).fold(0.0, f64::max);
        let forces = self.forces(x).flat_map(|(_, forces)| forces).map(|force| force.norm()).fold(0.0, f64::max);
        let changes = change > SETTLED * forces;
        if changes {
            std::mem::swap(&mut self.fresh, &mut self.lagged);
        }
        changes
    }

    /// Potential energy at `x` [J], with the rim's forces as constants.
    pub fn energy(&self, x: &[Vec3]) -> f64 {
        let swept: f64 = self.with_pushes().map(|(face, push)| push.energy(&at(face, x), &self.origins[face.group as usize])).sum();
        let lagged = self.lagged.iter().zip(x.iter().zip(&self.start)).map(|(force, (x, start))| force.dot(&(x - start)));
        swept - lagged.sum::<f64>()
    }

    /// Adds the gradient of [`Pressing::energy`] [N].
    pub fn add_gradient(&mut self, x: &[Vec3], gradient: &mut [Vec3]) {
        for (face, forces) in self.forces(x) {
            face.nodes.iter().zip(forces).for_each(|(&n, force)| gradient[n as usize] -= force);
        }
        if !self.rim.is_empty() {
            self.gather_rim(x);
            let rims = self.fresh.iter().zip(&self.lagged);
            gradient.iter_mut().zip(rims).for_each(|(gradient, (fresh, lagged))| *gradient += fresh - lagged);
        }
    }

    /// Adds the symmetric part of the stiffness of all forces of pressure to the blocks of the elements [N/m]; `projected`: each
    /// face's clamped to positive semidefinite.
    pub fn add_blocks(&mut self, system: &System, x: &[Vec3], projected: bool, blocks: &mut [Vec<Mat3>]) {
        self.blocks.resize(self.faces.len(), [[Mat3::zeros(); 3]; 3]);
        let faces = self.faces.par_iter().zip(&self.pushes);
        self.blocks.par_iter_mut().zip(faces).for_each(|(block, (face, push))| {
            let stiffness = push.stiffness(&at(face, x));
            *block = [0, 1, 2].map(|i| [0, 1, 2].map(|j| 0.5 * (stiffness[i][j] + stiffness[j][i].transpose())));
            if projected {
                *block = clamped(block);
            }
        });
        for (face, block) in self.faces.iter().zip(&self.blocks) {
            let Some((family, element)) = face.element else { continue };
            let width = system.families[family as usize].nodes_per_element();
            let own = &mut blocks[family as usize][element as usize * width * width..];
            for (i, row) in face.corners.into_iter().zip(block) {
                face.corners.into_iter().zip(row).for_each(|(j, block)| own[i * width + j] += block);
            }
        }
    }

    /// Adds N v, where N is what the stiffness at `x` has without symmetry, (K - K^T) / 2 [N/m].
    pub fn add_skew(&self, x: &[Vec3], v: &[Vec3], product: &mut [Vec3]) {
        for (face, push) in self.with_pushes() {
            let stiffness = push.stiffness(&at(face, x));
            for (i, &row) in face.nodes.iter().enumerate() {
                for (j, &column) in face.nodes.iter().enumerate() {
                    product[row as usize] += 0.5 * (stiffness[i][j] - stiffness[j][i].transpose()) * v[column as usize];
                }
            }
        }
    }

    /// Whether the forces of pressure at `x` are those of an energy, as far as supports let it move.
    pub fn has_energy(&self, system: &System, x: &[Vec3]) -> bool {
        // Any motion that is no special one tells.
        let wave = |n: usize| Vec3::new((1.3 * n as f64).sin(), (2.1 * n as f64 + 0.4).cos(), (0.7 * n as f64 + 1.0).sin());
        let mut motion: Vec<Vec3> = (0..x.len()).map(wave).collect();
        system.take_supported(&mut motion);
        let mut product = vec![Vec3::zeros(); x.len()];
        self.add_skew(x, &motion, &mut product);
        system.take_supported(&mut product);
        let of_face = |(face, push): (&Face, &Push)| push.stiffness(&at(face, x)).iter().flatten().map(Mat3::norm).sum::<f64>();
        let scale = self.with_pushes().map(of_face).fold(0.0, f64::max);
        largest_norm(&product) <= ROUND_OFF * scale
    }

    /// Round-off of the energy at `x` [J].
    pub fn noise(&self, x: &[Vec3]) -> f64 {
        let of_face = |(face, push): (&Face, &Push)| {
            let (corners, origin) = (at(face, x), self.origins[face.group as usize]);
            let forces = push.forces(&corners);
            corners.iter().zip(forces).map(|(corner, force)| force.norm() * ((corner - origin).norm() + corner.norm())).sum::<f64>()
        };
        f64::EPSILON * self.with_pushes().map(of_face).sum::<f64>()
    }

    /// Energy at `x` and `time` [J] above that of the given shape: minus the work of steady pressures on the way, where they
    /// have an energy. Sets the time.
    pub fn potential(&mut self, system: &System, x: &[Vec3], time: f64) -> f64 {
        if self.is_empty() && system.loads.pressures.is_empty() {
            return 0.0;
        }
        self.set(system, &system.positions, time, 1.0);
        self.lagged.fill(Vec3::zeros());
        self.energy(x) - self.energy(&system.positions)
    }

    fn with_pushes(&self) -> impl Iterator<Item = (&Face, &Push)> {
        self.faces.iter().zip(&self.pushes)
    }

    /// Forces of pressure by faces [N].
    fn forces<'a>(&'a self, x: &'a [Vec3]) -> impl Iterator<Item = (&'a Face, [Vec3; 3])> {
        self.with_pushes().map(|(face, push)| (face, push.forces(&at(face, x))))
    }

    fn gather_rim(&mut self, x: &[Vec3]) {
        self.fresh.clear();
        self.fresh.resize(x.len(), Vec3::zeros());
        for edge in &self.rim {
            let origin = &self.origins[self.faces[edge.face as usize].group as usize];
            let forces = self.pushes[edge.face as usize].rim(&edge.nodes.map(|n| x[n as usize]), origin);
            edge.nodes.iter().zip(forces).for_each(|(&n, force)| self.fresh[n as usize] += force);
        }
    }
}

fn at(face: &Face, x: &[Vec3]) -> [Vec3; 3] {
    face.nodes.map(|n| x[n as usize])
}

/// Finds the element that each face bounds: its matrix holds the couplings of the face's corners.
fn find_elements(system: &System, faces: &mut [Face]) {
    let sorted = |mut nodes: [u32; 3]| {
        nodes.sort_unstable();
        nodes
    };
    let mut order: Vec<usize> = (0..faces.len()).collect();
    order.sort_unstable_by_key(|&f| sorted(faces[f].nodes));
    let mut pressed = vec![false; system.positions.len()];
    faces.iter().flat_map(|face| face.nodes).for_each(|n| pressed[n as usize] = true);
    for (number, family) in (0..).zip(&system.families) {
        for element in 0..family.len() {
            let nodes = family.nodes(element);
            let corners: Vec<usize> = (0..nodes.len()).filter(|&i| pressed[nodes[i] as usize]).collect();
            if corners.len() < 3 {
                continue;
            }
            for (k, &i) in corners.iter().enumerate() {
                for (l, &j) in corners.iter().enumerate().skip(k + 1) {
                    for &m in &corners[l + 1..] {
                        let key = sorted([nodes[i], nodes[j], nodes[m]]);
                        let first = order.partition_point(|&f| sorted(faces[f].nodes) < key);
                        let end = first + order[first..].partition_point(|&f| sorted(faces[f].nodes) == key);
                        for face in order[first..end].iter().copied() {
                            let corner = |node: u32| nodes.iter().position(|&n| n == node).unwrap_or(0);
                            let face = &mut faces[face];
                            face.corners = face.nodes.map(corner);
                            face.element = Some((number, element as u32));
                        }
                    }
                }
            }
        }
    }
}

/// The nearest positive semidefinite blocks.
fn clamped(blocks: &[[Mat3; 3]; 3]) -> [[Mat3; 3]; 3] {
    let whole = SMatrix::<f64, 9, 9>::from_fn(|r, c| blocks[r / 3][c / 3][(r % 3, c % 3)]);
    let eigen = whole.symmetric_eigen();
    let values = eigen.eigenvalues.map(|value| value.max(0.0));
    let whole = eigen.eigenvectors * SMatrix::from_diagonal(&values) * eigen.eigenvectors.transpose();
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| whole.fixed_view::<3, 3>(3 * i, 3 * j).into_owned()))
}
