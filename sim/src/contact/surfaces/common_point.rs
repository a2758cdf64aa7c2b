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
//! the forces have neither a net force nor a net torque (Hsu et al. 2022, eq. 3, 4).

use super::feature::Fans;
use crate::contact::stencil::NO_NODE;
use crate::contact::surface::CollisionSurface;
use crate::math::{Mat3, Vec3};

/// Nodes at most: two of an edge, and three of a triangle.
pub const MOST_NODES: usize = 5;

/// Height over a triangle, in units of its own height, up to which the one that is nearest is taken as it is.
const LOW: f64 = 0.25;

/// How far beside a triangle a point is carried by it still, as a share of the triangle's height.
const BESIDE: f64 = 0.25;

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
    /// Unit normal of the triangle that carries the point.
    pub axis: Vec3,
    /// How many of the nodes are of the first surface; 0 where both act at their own nearest points.
    first: usize,
}

/// A point seen from a triangle.
struct Carrier {
    corners: [u32; 3],
    normal: Vec3,
    coordinates: [f64; 3],
    /// Height times the gradient of each coordinate.
    tilts: [Vec3; 3],
}

impl CommonPoint {
    /// Where primitives with these `nodes` are nearest with these `weights`; the first `first` nodes are of the first primitive.
    /// What of the two cannot move carries no couple, and then both act at their own nearest points. `kept`: the triangle that carried
    /// the point before; over a border of triangles another one bears the same force by other nodes, and a body at rest would feel
    /// each change.
    pub fn new(
        (surface, fans): (&CollisionSurface, &Fans),
        (nodes, weights): (&[u32; 4], &[f64; 4]),
        first: usize,
        kept: Option<[u32; 3]>,
        x: &[Vec3],
    ) -> Self {
        let plain = Self::plain(nodes, weights);
        let used = nodes.iter().filter(|&&node| node != NO_NODE).count();
        let (own, other) = nodes[..used].split_at(first);
        if !surface.any_movable(own) || !surface.any_movable(other) {
            return plain;
        }
        let point: Vec3 = own.iter().zip(weights).map(|(&node, weight)| *weight * x[node as usize]).sum();
        let kept = kept.and_then(|corners| Carrier::new(corners, &point, x)).filter(Carrier::is_near);
        let Some(carrier) = kept.or_else(|| carrier(surface, fans, other, &point, x)) else { return plain };
        let mut common = Self { axis: carrier.normal, first, ..Self::plain(&[NO_NODE; 4], &[0.0; 4]) };
        common.nodes[..first].copy_from_slice(own);
        common.weights[..first].copy_from_slice(&weights[..first]);
        for k in 0..3 {
            common.nodes[first + k] = carrier.corners[k];
            common.weights[first + k] = -carrier.coordinates[k];
            common.tilts[first + k] = carrier.tilts[k];
        }
        common
    }

    /// The triangle that carries the point, if one does.
    pub fn carrier(&self) -> Option<[u32; 3]> {
        (self.first > 0).then(|| [self.nodes[self.first], self.nodes[self.first + 1], self.nodes[self.first + 2]])
    }

    /// Both at their own nearest points.
    pub fn plain(nodes: &[u32; 4], weights: &[f64; 4]) -> Self {
        let mut common = Self {
            nodes: [NO_NODE; MOST_NODES],
            weights: [0.0; MOST_NODES],
            tilts: [Vec3::zeros(); MOST_NODES],
            axis: Vec3::zeros(),
            first: 0,
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

/// The triangle at the nodes `feature` that carries `point` best: the one itself, or of those around it the one with the least weights.
fn carrier(surface: &CollisionSurface, fans: &Fans, feature: &[u32], point: &Vec3, x: &[Vec3]) -> Option<Carrier> {
    if let &[a, b, c] = feature {
        let own = Carrier::new([a, b, c], point, x);
        if own.as_ref().is_some_and(Carrier::is_near) {
            return own;
        }
    }
    let around = feature.iter().flat_map(|&node| fans.around(surface, node));
    let carriers = around.filter_map(|&t| Carrier::new(surface.triangles[t as usize], point, x));
    carriers.min_by(|a, b| a.size().total_cmp(&b.size()))
}

impl Carrier {
    /// None for a triangle without area.
    fn new(corners: [u32; 3], point: &Vec3, x: &[Vec3]) -> Option<Self> {
        let [a, b, c] = corners.map(|node| x[node as usize]);
        let area = (b - a).cross(&(c - a));
        let twice = area.norm();
        let normal = area / twice;
        let slopes = [c - b, a - c, b - a].map(|side| normal.cross(&side) / twice);
        let from = point - a;
        let (second, third) = (slopes[1].dot(&from), slopes[2].dot(&from));
        let height = normal.dot(&from);
        let carrier =
            Self { corners, normal, coordinates: [1.0 - second - third, second, third], tilts: slopes.map(|slope| height * slope) };
        carrier.size().is_finite().then_some(carrier)
    }

    /// Whether the point is low over the triangle or beside it.
    fn is_near(&self) -> bool {
        self.tilts.iter().all(|tilt| tilt.norm() <= LOW) && self.coordinates.iter().all(|beta| *beta >= -BESIDE)
    }

    fn size(&self) -> f64 {
        self.coordinates.iter().map(|beta| beta * beta).sum::<f64>() + self.tilts.iter().map(Vec3::norm_squared).sum::<f64>()
    }
}
