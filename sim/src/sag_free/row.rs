//! [`Row`]: a contact site in the coordinates of its cone.

use super::cone::{Cone, Scaling};
use super::interior_point::ConeRow;
use super::problem::{BalanceProblem, ContactSite};
use crate::math::{Mat3, Vec3};

/// The cone of a contact with this unit normal and friction coefficient, and the rows that take a relative displacement into its
/// coordinates: the normal, then mu times two tangents.
pub(super) fn cone_frame(normal: &Vec3, friction: f64) -> (Cone, Mat3) {
    let other = if normal.x.abs() < 0.6 { Vec3::x() } else { Vec3::y() };
    let first = normal.cross(&other).normalize();
    let second = normal.cross(&first);
    let (cone, mu) = if friction > 0.0 { (Cone::SecondOrder, friction) } else { (Cone::HalfLine, 0.0) };
    (cone, Mat3::from_rows(&[normal.transpose(), mu * first.transpose(), mu * second.transpose()]))
}

/// One contact in scaled coordinates: x = sum of rows_i u_i over its nodes, force on the first feature = frame^T z.
pub(super) struct Row {
    /// Index of the site.
    pub site: usize,
    cone: Cone,
    /// Normal, then mu times two tangents.
    frame: Mat3,
    /// The nodes that can move, by their place in the space of unknowns.
    pub nodes: Vec<u32>,
    /// Of each node: the frame times its share, without the directions that a plane holds at a sliding node.
    rows: Vec<Mat3>,
}

impl Row {
    /// The site's cone over the unknowns of the nodes for which `place` gives one; `None` if no node of it can move.
    fn new(index: usize, site: &ContactSite, problem: &BalanceProblem, place: &impl Fn(u32) -> Option<u32>) -> Option<Self> {
        let (cone, frame) = cone_frame(&site.normal, site.friction);
        let of_share = |&(node, share): &(u32, Mat3)| {
            let rows = frame * share;
            Some((place(node)?, problem.projector(node).map_or(rows, |projector| rows * projector)))
        };
        let (nodes, rows): (Vec<u32>, Vec<Mat3>) = site.shares.iter().filter_map(of_share).unzip();
        (!nodes.is_empty()).then_some(Self { site: index, cone, frame, nodes, rows })
    }

    /// A row for each site that acts on a node that can move.
    pub fn all(problem: &BalanceProblem, place: impl Fn(u32) -> Option<u32>) -> Vec<Self> {
        problem.sites.iter().enumerate().filter_map(|(index, site)| Self::new(index, site, problem, &place)).collect()
    }

    fn parts(&self) -> impl Iterator<Item = (usize, &Mat3)> {
        self.nodes.iter().map(|node| *node as usize).zip(&self.rows)
    }

    /// The force on the first feature.
    pub fn force(&self, z: &Vec3) -> Vec3 {
        self.frame.tr_mul(z)
    }

    /// W^-1 G of each node: the block of G^T W^-2 G between two of them is the one's transposed times the other's.
    pub fn scaled(&self, scaling: &Scaling) -> Vec<Mat3> {
        self.rows.iter().map(|rows| scaling.inverse * rows).collect()
    }
}

impl ConeRow for Row {
    fn cone(&self) -> Cone {
        self.cone
    }

    fn displacement(&self, u: &[Vec3]) -> Vec3 {
        self.parts().map(|(node, rows)| rows * u[node]).sum()
    }

    fn add_force(&self, z: &Vec3, nodes: &mut [Vec3]) {
        self.parts().for_each(|(node, rows)| nodes[node] += rows.tr_mul(z));
    }
}
