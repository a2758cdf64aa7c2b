//! [`Supports`]: where the rest shape is put. Moving a rest shape as a whole changes no force, so that where supports leave a rigid
//! motion free, something must say where it is.

use nalgebra::{Matrix6, Matrix6xX, SymmetricEigen};

use crate::math::{Mat3, Vec3, symmetric_eigen};
use crate::mesh::topology::DisjointSets;
use crate::system::System;

/// Rigid motions that move held nodes less than this share of what they move others (squared) count as free.
const FREE: f64 = 1e-10;
/// A touching node is pinned if the motion moves it by this share (squared); else any node is.
const FIRM: f64 = 1e-4;

/// Rest positions that are given: those of fixed nodes, and so many coordinates more as rigid motions are left.
#[derive(Debug, Clone, Default)]
pub struct Supports {
    /// Nodes of which only some coordinates are sought, ascending, each with the projector onto these.
    pub slides: Vec<(u32, Mat3)>,
    /// Nodes of parts that the supports alone do not hold.
    pub floating: Vec<bool>,
}

impl Supports {
    /// Of `system`, pinned where it is `touching` as far as that is firm.
    pub fn of(system: &System, touching: &[bool]) -> Self {
        let count = system.positions.len();
        let mut allowed: Vec<Option<Mat3>> = vec![None; count];
        system.slides.iter().for_each(|(node, projector)| allowed[*node as usize] = Some(*projector));
        let mut floating = vec![false; count];
        for nodes in parts(system) {
            let part = Part::new(system, nodes);
            let mut held = part.held(system, &allowed);
            while let Some(free) = free_motions(&held) {
                let firm = part.most_moved(&free, |n| touching[n] && !system.fixed[n], &allowed).filter(|(.., moved)| *moved > FIRM);
                let Some((node, direction, _)) = firm.or_else(|| part.most_moved(&free, |n| !system.fixed[n], &allowed)) else { break };
                let before = allowed[node].unwrap_or_else(Mat3::identity);
                allowed[node] = Some(before - direction * direction.transpose());
                let row = part.modes(&system.positions[node]).transpose() * direction;
                held += row * row.transpose();
                part.nodes.iter().for_each(|&n| floating[n] = true);
            }
        }
        let slides = (0..).zip(allowed).filter_map(|(node, projector)| Some((node, projector?))).collect();
        Self { slides, floating }
    }

    /// Takes out of nodal vectors what is given: all of it on fixed nodes, the part across on the others.
    pub fn take(&self, system: &System, vectors: &mut [Vec3]) {
        for (vector, _) in vectors.iter_mut().zip(&system.fixed).filter(|(_, fixed)| **fixed) {
            *vector = Vec3::zeros();
        }
        for (node, allowed) in &self.slides {
            vectors[*node as usize] = allowed * vectors[*node as usize];
        }
    }
}

/// Nodes joined by elements; those of no element are left out.
fn parts(system: &System) -> Vec<Vec<usize>> {
    let mut sets = DisjointSets::new(system.positions.len());
    let mut used = vec![false; system.positions.len()];
    for family in &system.families {
        for e in 0..family.len() {
            let nodes = family.nodes(e);
            nodes.iter().for_each(|&node| {
                sets.join(nodes[0], node);
                used[node as usize] = true;
            });
        }
    }
    let of_node = sets.numbered();
    let mut parts = vec![Vec::new(); of_node.iter().max().map_or(0, |&last| last as usize + 1)];
    (0..of_node.len()).filter(|&n| used[n]).for_each(|n| parts[of_node[n] as usize].push(n));
    parts
}

struct Part<'a> {
    positions: &'a [Vec3],
    nodes: Vec<usize>,
    centre: Vec3,
    size: f64,
}

impl<'a> Part<'a> {
    fn new(system: &'a System, nodes: Vec<usize>) -> Self {
        let centre = nodes.iter().map(|&n| system.positions[n]).sum::<Vec3>() / nodes.len().max(1) as f64;
        let size = nodes.iter().map(|&n| (system.positions[n] - centre).norm()).fold(f64::MIN_POSITIVE, f64::max);
        Self { positions: &system.positions, nodes, centre, size }
    }

    /// How a point moves under the three translations and the three rotations, all of the same size; one a column.
    fn modes(&self, point: &Vec3) -> nalgebra::Matrix3x6<f64> {
        let arm = (point - self.centre) / self.size;
        let mut modes = nalgebra::Matrix3x6::zeros();
        modes.fixed_columns_mut::<3>(0).copy_from(&Mat3::identity());
        modes.fixed_columns_mut::<3>(3).copy_from(&-arm.cross_matrix());
        modes
    }

    /// Squares of the motion that supports forbid, as a quadratic form of the six motions.
    fn held(&self, system: &System, allowed: &[Option<Mat3>]) -> Matrix6<f64> {
        let mut held = Matrix6::zeros();
        for &n in &self.nodes {
            let across = match allowed[n] {
                _ if system.fixed[n] => Mat3::identity(),
                Some(projector) => Mat3::identity() - projector,
                None => continue,
            };
            let modes = self.modes(&self.positions[n]);
            held += modes.transpose() * across * modes;
        }
        held
    }

    /// The node that the `free` motions move most, along which direction, and how far (squared).
    fn most_moved(&self, free: &Matrix6xX<f64>, is_candidate: impl Fn(usize) -> bool, allowed: &[Option<Mat3>]) -> Option<(usize, Vec3, f64)> {
        let moved = |&n: &usize| {
            let modes = self.modes(&self.positions[n]) * free;
            let mut square: Mat3 = (&modes * modes.transpose()).fixed_view::<3, 3>(0, 0).into();
            if let Some(projector) = allowed[n] {
                square = projector * square * projector;
            }
            let eigen = symmetric_eigen(&square);
            let largest = eigen.values.imax();
            (n, eigen.vectors.column(largest).into_owned(), eigen.values[largest])
        };
        let candidates = self.nodes.iter().filter(|&&n| is_candidate(n)).map(moved);
        // Of equal ones the first, so that symmetric bodies are pinned alike on every machine.
        candidates.fold(None, |best: Option<(usize, Vec3, f64)>, next| match best {
            Some(best) if best.2 >= next.2 => Some(best),
            _ => Some(next),
        })
    }
}

/// The rigid motions that nothing forbids, orthonormal, one a column; `None` if there is none.
fn free_motions(held: &Matrix6<f64>) -> Option<Matrix6xX<f64>> {
    let eigen = SymmetricEigen::new(*held);
    let free: Vec<_> = (0..6).filter(|&k| eigen.eigenvalues[k] < FREE).map(|k| eigen.eigenvectors.column(k).into_owned()).collect();
    if free.is_empty() { None } else { Some(Matrix6xX::from_columns(&free)) }
}
