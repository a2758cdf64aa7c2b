//! [`Row`]: a contact site, or a cable, in the coordinates of its cone.

use super::cone::{Cone, Scaling, only};
use super::interior_point::{ConeRow, Give};
use super::problem::{BalanceProblem, Cable, ContactSite};
use crate::math::{Mat3, Vec3};
use nalgebra::RowVector3 as RowVec3;

/// The cone of a contact with this unit normal and friction coefficient, and the rows that take a relative displacement into its
/// coordinates: the normal, then mu times two tangents.
pub(super) fn cone_frame(normal: &Vec3, friction: f64) -> (Cone, Mat3) {
    // Not [`crate::math::across`]: the interior point takes other last digits with other tangents, and rest states are kept to the bit.
    let other = if normal.x.abs() < 0.6 { Vec3::x() } else { Vec3::y() };
    let first = normal.cross(&other).normalize();
    let second = normal.cross(&first);
    let (cone, mu) = if friction > 0.0 { (Cone::SecondOrder, friction) } else { (Cone::HalfLine, 0.0) };
    (cone, Mat3::from_rows(&[normal.transpose(), mu * first.transpose(), mu * second.transpose()]))
}

/// What a row stands for, by its index in the problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    Site(usize),
    Cable(usize),
}

/// One contact in scaled coordinates: x = sum of rows_i u_i over its nodes, force on the first feature = frame^T z. Of a cable z is the
/// tension, which lengthens it against its stiffness: the half-line's slack is x + C (z - z0).
pub(super) struct Row {
    /// What it stands for.
    pub source: Source,
    cone: Cone,
    /// Normal, then mu times two tangents.
    frame: Mat3,
    /// The nodes that can move, by their place in the space of unknowns.
    pub nodes: Vec<u32>,
    /// Of each node: the frame times its share, without the directions that a plane holds at a sliding node.
    rows: Vec<Mat3>,
    /// C and z0.
    give: Option<(f64, f64)>,
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
        (!nodes.is_empty()).then_some(Self { source: Source::Site(index), cone, frame, nodes, rows, give: None })
    }

    /// The tension of a cable, in units of `unit` [N] and of the matrix' `scale` [m/N].
    fn of_cable(
        index: usize,
        cable: &Cable,
        problem: &BalanceProblem,
        place: &impl Fn(u32) -> Option<u32>,
        (unit, scale): (f64, f64),
    ) -> Option<Self> {
        let of_node = |&(node, force): &(u32, Vec3)| {
            let force = problem.projector(node).map_or(force, |projector| projector * force);
            Some((place(node)?, Mat3::from_rows(&[force.transpose(), RowVec3::zeros(), RowVec3::zeros()])))
        };
        let (nodes, rows): (Vec<u32>, Vec<Mat3>) = cable.element.forces.iter().filter_map(of_node).unzip();
        let give = Some((1.0 / (scale * cable.element.stiffness), cable.wanted / unit));
        let row = Self { source: Source::Cable(index), cone: Cone::HalfLine, frame: Mat3::zeros(), nodes, rows, give };
        (!row.nodes.is_empty()).then_some(row)
    }

    /// A row for each site and each cable that acts on a node that can move.
    pub fn all(problem: &BalanceProblem, place: impl Fn(u32) -> Option<u32>, units: (f64, f64)) -> Vec<Self> {
        let sites = problem.sites.iter().enumerate().filter_map(|(index, site)| Self::new(index, site, problem, &place));
        let cables = problem.cables.iter().enumerate().filter_map(|(index, cable)| Self::of_cable(index, cable, problem, &place, units));
        sites.chain(cables).collect()
    }

    fn parts(&self) -> impl Iterator<Item = (usize, &Mat3)> {
        self.nodes.iter().map(|node| *node as usize).zip(&self.rows)
    }

    /// The force on the first feature.
    pub fn force(&self, z: &Vec3) -> Vec3 {
        self.frame.tr_mul(z)
    }

    /// W^-1 G of each node: the block of G^T W^-2 G between two of them is the one's transposed times the other's. With give, of (W^2 + C)
    /// in place of W^2.
    pub fn scaled(&self, scaling: &Scaling) -> Vec<Mat3> {
        match self.give {
            None => self.rows.iter().map(|rows| scaling.inverse * rows).collect(),
            Some((give, _)) => {
                let root = scaling.inverse[(0, 0)];
                let softened = root / (1.0 + give * root * root).sqrt();
                self.rows.iter().map(|rows| softened * rows).collect()
            }
        }
    }
}

impl ConeRow for Row {
    fn cone(&self) -> Cone {
        self.cone
    }

    fn displacement(&self, u: &[Vec3]) -> Vec3 {
        self.parts().map(|(node, rows)| rows * u[node]).sum()
    }

    fn give(&self) -> Option<Give<3>> {
        self.give.map(|(compliance, from)| Give { compliance: only(compliance), from: only(from) })
    }

    fn add_force(&self, z: &Vec3, nodes: &mut [Vec3]) {
        self.parts().for_each(|(node, rows)| nodes[node] += rows.tr_mul(z));
    }
}
