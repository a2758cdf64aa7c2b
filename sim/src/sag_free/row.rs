//! [`Row`]: a contact site in the coordinates of its cone.

use super::cone::{Cone, Scaling};
use super::interior_point::ConeRow;
use super::problem::{BalanceProblem, ContactSite};
use crate::contact::stencil::NO_NODE;
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
    /// The nodes that can move, by their place in the space of unknowns; [`NO_NODE`] where there are fewer than four.
    pub nodes: [u32; 4],
    /// Of each node: its weight times the frame, without the directions that a plane holds at a sliding node.
    rows: [Mat3; 4],
}

impl Row {
    /// The site's cone over the unknowns of the nodes for which `place` gives one; `None` if no node of it can move.
    fn new(index: usize, site: &ContactSite, problem: &BalanceProblem, place: &impl Fn(u32) -> Option<u32>) -> Option<Self> {
        let (cone, frame) = cone_frame(&site.normal, site.friction);
        let mut row = Self { site: index, cone, frame, nodes: [NO_NODE; 4], rows: [Mat3::zeros(); 4] };
        let movable = site.shares().filter_map(|(node, weight)| Some((node, weight, place(node)?)));
        let mut count = 0;
        for (node, weight, place) in movable.filter(|(_, weight, _)| *weight != 0.0) {
            row.nodes[count] = place;
            row.rows[count] = weight * problem.projector(node).map_or(frame, |projector| frame * projector);
            count += 1;
        }
        (count > 0).then_some(row)
    }

    /// A row for each site that acts on a node that can move.
    pub fn all(problem: &BalanceProblem, place: impl Fn(u32) -> Option<u32>) -> Vec<Self> {
        problem.sites.iter().enumerate().filter_map(|(index, site)| Self::new(index, site, problem, &place)).collect()
    }

    fn parts(&self) -> impl Iterator<Item = (usize, &Mat3)> {
        self.nodes.iter().zip(&self.rows).filter(|(node, _)| **node != NO_NODE).map(|(node, rows)| (*node as usize, rows))
    }

    /// The force on the first feature.
    pub fn force(&self, z: &Vec3) -> Vec3 {
        self.frame.tr_mul(z)
    }

    /// The blocks of G^T W^-2 G between its nodes.
    pub fn blocks(&self, scaling: &Scaling) -> [[Mat3; 4]; 4] {
        let scaled = self.rows.map(|rows| scaling.inverse * rows);
        std::array::from_fn(|i| std::array::from_fn(|j| scaled[i].tr_mul(&scaled[j])))
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
