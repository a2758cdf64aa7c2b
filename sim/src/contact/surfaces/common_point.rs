//! [`CommonPoint`]: the relative displacement of two surfaces at one point of space, on which forces between them act.
//!
//! A force on one surface and its opposite on another make a couple if they act at different points, as the nearest points
//! of two surfaces with a gap are. So both act at the nearest point of the first surface: the second one carries it as if it
//! were fixed to a triangle (a, b, c) of its own, at the height h over the place with barycentric coordinates beta. Where the
//! triangle moves by u, that point moves by
//!
//! ```text
//! sum_i beta_i u_i - h sum_i grad beta_i (n . u_i),
//! ```
//!
//! the second term being h times the change of the unit normal n. A rigid motion of the triangle takes the point with it, so that
//! the forces have neither a net force nor a net torque (Hsu et al. 2022, eq. 3, 4). Where only the first surface has triangles, it
//! carries the nearest point of the second.
//!
//! Two lines carry it together (`lines`).

mod lines;
mod triangle;

use self::lines::{Side, lines};
use self::triangle::seen;
use super::feature::Fans;
use crate::contact::stencil::NO_NODE;
use crate::contact::surface::CollisionSurface;
use crate::math::{Mat3, Vec3};

/// Nodes at most: two of an edge, and three of a triangle.
pub const MOST_NODES: usize = 5;

/// Displacement of the first surface's point against the same point of the second: sum of w u + t (n . u) over the nodes, with
/// their weights w, tilts t and one axis n.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CommonPoint {
    /// Nodes of the first surface, then of the second; [`NO_NODE`] where there are fewer.
    pub nodes: [u32; MOST_NODES],
    /// Those of the first sum to 1, those of the second to -1; zero for missing nodes.
    pub weights: [f64; MOST_NODES],
    /// How turning of the second surface moves the point; they sum to zero.
    pub tilts: [Vec3; MOST_NODES],
    /// Unit normal of the triangle that carries the point, or of the contact for lines.
    pub axis: Vec3,
    /// What carries the point; none where both act at their own nearest points.
    carrier: Option<Carrier>,
}

/// What carries the point at which the forces of a contact act, as nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Carrier {
    /// A triangle of the second surface.
    OfSecond([u32; 3]),
    /// A triangle of the first surface.
    OfFirst([u32; 3]),
    /// A line at each of the two nearest points, where there is one.
    Lines([Option<[u32; 2]>; 2]),
}

impl CommonPoint {
    /// Where primitives with these `nodes` are nearest with these `weights`; the first `first` nodes are of the first primitive.
    /// What of the two cannot move carries no couple, and then both act at their own nearest points. `kept`: what carried the point
    /// before; over a border of triangles another one bears the same force by other nodes, and a body at rest would feel each change.
    pub fn new(
        on: (&CollisionSurface, &Fans),
        (nodes, weights): (&[u32; 4], &[f64; 4]),
        first: usize,
        kept: Option<Carrier>,
        x: &[Vec3],
    ) -> Self {
        let plain = Self::plain(nodes, weights);
        let used = nodes.iter().filter(|&&node| node != NO_NODE).count();
        let side = |range: std::ops::Range<usize>| Side { nodes: &nodes[range.clone()], weights: &weights[range] };
        let (own, other) = (side(0..first), side(first..used));
        if !on.0.any_movable(own.nodes) || !on.0.any_movable(other.nodes) {
            return plain;
        }
        let kept_corners = |of_first: bool| match kept {
            Some(Carrier::OfSecond(corners)) if !of_first => Some(corners),
            Some(Carrier::OfFirst(corners)) if of_first => Some(corners),
            _ => None,
        };
        if let Some(seen) = seen(on, other.nodes, &own.point(x), kept_corners(false), x) {
            return Self { carrier: Some(Carrier::OfSecond(seen.corners)), ..Self::carried(own.pushed(), seen.pushed(-1.0), seen.normal) };
        }
        if let Some(seen) = seen(on, own.nodes, &other.point(x), kept_corners(true), x) {
            return Self { carrier: Some(Carrier::OfFirst(seen.corners)), ..Self::carried(seen.pushed(1.0), other.pushed(), seen.normal) };
        }
        lines(on, [own, other], kept, x).unwrap_or(plain)
    }

    /// What carries the point, if anything does.
    pub fn carrier(&self) -> Option<Carrier> {
        self.carrier
    }

    /// With the nodes of both surfaces, their weights and tilts.
    fn carried(first: impl IntoIterator<Item = (u32, f64, Vec3)>, second: impl IntoIterator<Item = (u32, f64, Vec3)>, axis: Vec3) -> Self {
        let mut common = Self { axis, ..Self::plain(&[NO_NODE; 4], &[0.0; 4]) };
        for (k, (node, weight, tilt)) in first.into_iter().chain(second).enumerate() {
            (common.nodes[k], common.weights[k], common.tilts[k]) = (node, weight, tilt);
        }
        common
    }

    /// Both at their own nearest points.
    pub fn plain(nodes: &[u32; 4], weights: &[f64; 4]) -> Self {
        let mut common = Self {
            nodes: [NO_NODE; MOST_NODES],
            weights: [0.0; MOST_NODES],
            tilts: [Vec3::zeros(); MOST_NODES],
            axis: Vec3::zeros(),
            carrier: None,
        };
        common.nodes[..4].copy_from_slice(nodes);
        common.weights[..4].copy_from_slice(weights);
        common
    }

    /// Relative displacement for displacements of the nodes [m].
    pub fn displacement(&self, moved: impl Fn(usize) -> Vec3) -> Vec3 {
        let of = |k: usize| {
            let moved = moved(self.nodes[k] as usize);
            self.weights[k] * moved + self.axis.dot(&moved) * self.tilts[k]
        };
        self.places().map(of).sum()
    }

    /// What the force `force` on the first surface is on its node number `k` [N].
    pub fn force_on(&self, k: usize, force: &Vec3) -> Vec3 {
        self.weights[k] * force + self.tilts[k].dot(force) * self.axis
    }

    /// The matrix by which a displacement of node number `k` moves the point.
    pub fn map(&self, k: usize) -> Mat3 {
        Mat3::from_diagonal_element(self.weights[k]) + self.tilts[k] * self.axis.transpose()
    }

    /// The numbers of the nodes that there are.
    pub fn places(&self) -> impl Iterator<Item = usize> + '_ {
        (0..MOST_NODES).filter(|&k| self.nodes[k] != NO_NODE)
    }
}
