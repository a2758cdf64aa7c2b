//! [`Supports`]: where the rest shape is put. Moving a rest shape as a whole changes no force, so that where supports leave a rigid
//! motion free, something must say where it is.

use nalgebra::{DMatrix, Matrix3xX, Matrix6, SymmetricEigen};

use crate::math::rigid::RigidFrame;
use crate::math::{Mat3, Vec3, symmetric_eigen};
use crate::sag_free::parts::joined_by_elements;
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
    /// Parts that supports alone do not hold.
    pub floating: Vec<FloatingPart>,
    /// Which of these each node belongs to, if any.
    pub part_of: Vec<Option<usize>>,
}

/// Nodes joined by elements that supports alone do not hold, and the rigid motions that they leave it.
#[derive(Debug, Clone)]
pub struct FloatingPart {
    place: RigidFrame,
    /// The motions, orthonormal combinations of three translations and three rotations; one a column.
    pub motions: DMatrix<f64>,
}

impl Supports {
    /// Of `system`, pinned where it is `touching` as far as that is firm.
    pub fn of(system: &System, touching: &[bool]) -> Self {
        let count = system.positions.len();
        let mut allowed: Vec<Option<Mat3>> = vec![None; count];
        system.slides.iter().for_each(|(node, projector)| allowed[*node as usize] = Some(*projector));
        let mut supports = Self { part_of: vec![None; count], ..Self::default() };
        for nodes in parts(system) {
            let part = Part::new(system, &nodes);
            let mut held = part.held(&allowed);
            if let Some(motions) = free_motions(&held) {
                nodes.iter().for_each(|&n| supports.part_of[n] = Some(supports.floating.len()));
                supports.floating.push(FloatingPart { place: part.place, motions });
            }
            while let Some(free) = free_motions(&held) {
                let firm = part.most_moved(&free, |n| touching[n], &allowed).filter(|(.., moved)| *moved > FIRM);
                let Some((node, direction, _)) = firm.or_else(|| part.most_moved(&free, |_| true, &allowed)) else { break };
                let before = allowed[node].unwrap_or_else(Mat3::identity);
                allowed[node] = Some(before - direction * direction.transpose());
                let row = part.place.motions(&system.positions[node]).transpose() * direction;
                held += row * row.transpose();
            }
        }
        supports.slides = (0..).zip(allowed).filter_map(|(node, projector)| Some((node, projector?))).collect();
        supports
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

impl FloatingPart {
    /// How the motions move a point: 3 rows, one column a motion.
    pub fn moved(&self, point: &Vec3) -> Matrix3xX<f64> {
        self.place.motions(point) * &self.motions
    }
}

/// Nodes joined by elements, part by part; a node of no element, which nothing moves, is left out.
fn parts(system: &System) -> Vec<Vec<usize>> {
    let of_node = joined_by_elements(system.positions.len(), &system.families).numbered();
    let mut parts = vec![Vec::new(); of_node.iter().max().map_or(0, |&last| last as usize + 1)];
    of_node.iter().enumerate().for_each(|(n, &part)| parts[part as usize].push(n));
    parts.retain(|part: &Vec<usize>| part.len() > 1);
    parts
}

struct Part<'a> {
    system: &'a System,
    nodes: &'a [usize],
    place: RigidFrame,
}

impl<'a> Part<'a> {
    fn new(system: &'a System, nodes: &'a [usize]) -> Self {
        Self { system, nodes, place: RigidFrame::of(nodes.iter().map(|&n| system.positions[n])) }
    }

    /// Squares of the motion that supports forbid, as a quadratic form of the six motions.
    fn held(&self, allowed: &[Option<Mat3>]) -> Matrix6<f64> {
        let mut held = Matrix6::zeros();
        for &n in self.nodes {
            let across = match allowed[n] {
                _ if self.system.fixed[n] => Mat3::identity(),
                Some(projector) => Mat3::identity() - projector,
                None => continue,
            };
            let motions = self.place.motions(&self.system.positions[n]);
            held += motions.transpose() * across * motions;
        }
        held
    }

    /// The candidate that the `free` motions move most, along which direction, and how far (squared).
    fn most_moved(
        &self,
        free: &DMatrix<f64>,
        is_candidate: impl Fn(usize) -> bool,
        allowed: &[Option<Mat3>],
    ) -> Option<(usize, Vec3, f64)> {
        let moved = |&n: &usize| {
            let motions = self.place.motions(&self.system.positions[n]) * free;
            let projector = allowed[n].unwrap_or_else(Mat3::identity);
            let square: Mat3 = (&motions * motions.transpose()).fixed_view::<3, 3>(0, 0).into();
            let eigen = symmetric_eigen(&(projector * square * projector));
            let largest = eigen.values.imax();
            (n, eigen.vectors.column(largest).into_owned(), eigen.values[largest])
        };
        let candidates = self.nodes.iter().filter(|&&n| !self.system.fixed[n] && is_candidate(n)).map(moved);
        // Of equal ones the first, so that symmetric bodies are pinned alike every time.
        candidates.fold(None, |best: Option<(usize, Vec3, f64)>, next| match best {
            Some(best) if best.2 >= next.2 => Some(best),
            _ => Some(next),
        })
    }
}

/// The rigid motions that nothing forbids, orthonormal, one a column; `None` if there is none.
fn free_motions(held: &Matrix6<f64>) -> Option<DMatrix<f64>> {
    let eigen = SymmetricEigen::new(*held);
    let free: Vec<_> = (0..6).filter(|&k| eigen.eigenvalues[k] < FREE).map(|k| eigen.eigenvectors.column(k).into_owned()).collect();
    (!free.is_empty()).then(|| DMatrix::from_fn(6, free.len(), |row, column| free[column][row]))
}
