//! [`Stencil`]: one pair of nearby primitives and its share of the barrier's energy.

use super::barrier::Barrier;
use super::pairs::at;
use super::primitive::{DistanceFrame, Mat12, Mollifier, Nearest, Vec12, add_product, clamped, edge_edge, point_triangle};
use crate::math::Vec3;

/// Stands for a node that a stencil or term with fewer than four does not have.
pub const NO_NODE: u32 = u32::MAX;

/// What is near what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StencilKind {
    /// Two vertices.
    PointPoint,
    /// A vertex, then the ends of an edge.
    PointEdge,
    /// A vertex, then the corners of a triangle.
    PointTriangle,
    /// The ends of one edge, then those of the other.
    EdgeEdge,
}

/// A pair of primitives. Its energy is weight x mollifier x barrier(distance), of the true distance of the whole
/// primitives, less the radius around them: it stays right where the nearest points leave the features for which the stencil was made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stencil {
    /// What is near what.
    pub kind: StencilKind,
    /// Nodes in the order of the kind; [`NO_NODE`] where there are fewer than four.
    pub nodes: [u32; 4],
    /// Relative area times multiplicity.
    pub weight: f64,
    /// Squared area under which contact of edges fades [m^4]; 0 for no fading.
    pub mollifier: f64,
    /// How far the surfaces reach around the primitives, together [m]; 0 but for round parts.
    pub radius: f64,
    /// Share of the barrier's distance at which it begins to push here.
    pub reach: f64,
}

/// What a [`Stencil`] has from the pair that it was made of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairTraits {
    /// [`Stencil::weight`].
    pub weight: f64,
    /// [`Stencil::radius`] [m].
    pub radius: f64,
    /// [`Stencil::reach`].
    pub reach: f64,
}

/// Where a pair is nearest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Closest {
    /// The weighted sum of the points is the vector from the second primitive's nearest point to the first's. Those
    /// of the first sum to 1, those of the second to -1, and all lie in [-1, 1].
    pub weights: [f64; 4],
    /// Its unit vector; zero where the points coincide.
    pub normal: Vec3,
    /// Its length, less the radius around the primitives [m].
    pub distance: f64,
}

impl Stencil {
    /// The stencil of the vertex `nodes[0]` and the triangle of the others: of the features that are nearest at `x`.
    pub fn point_triangle(nodes: [u32; 4], x: &[Vec3], pair: PairTraits) -> Self {
        let [p, a, b, c] = at(&nodes, x);
        Self::of_features(&point_triangle(&p, &a, &b, &c), nodes, pair)
    }

    /// The stencil of the vertex `nodes[0]` and the edge or the vertex of the others: of the features that are nearest at `x`.
    pub fn point(kind: StencilKind, nodes: [u32; 4], x: &[Vec3], pair: PairTraits) -> Self {
        Self::of_features(&kind.nearest(&at(&nodes, x)), nodes, pair)
    }

    /// The stencil of the edges `nodes[..2]` and `nodes[2..]`: of the features that are nearest at `x`, or of the
    /// whole edges where they are so parallel that contact fades. `mollifier` is the width of
    /// [`super::primitive::mollifier_width`].
    pub fn edge_edge(nodes: [u32; 4], x: &[Vec3], mollifier: f64, pair: PairTraits) -> Self {
        let points = at(&nodes, x);
        if Mollifier::new(&points, mollifier).fades() {
            return Self::new(StencilKind::EdgeEdge, nodes, mollifier, pair);
        }
        let [a, b, c, d] = points;
        Self::of_features(&edge_edge(&a, &b, &c, &d), nodes, pair)
    }

    /// The features are the vertices that have a weight; in an order that is the same from whichever pair they come.
    fn of_features(nearest: &Nearest, nodes: [u32; 4], pair: PairTraits) -> Self {
        let (mut first, mut second) = (Side::of(nearest, nodes, 1.0), Side::of(nearest, nodes, -1.0));
        if (second.count, second.nodes) < (first.count, first.nodes) {
            (first, second) = (second, first);
        }
        let kind = match (first.count, second.count) {
            (1, 1) => StencilKind::PointPoint,
            (1, 2) => StencilKind::PointEdge,
            (1, _) => StencilKind::PointTriangle,
            _ => StencilKind::EdgeEdge,
        };
        let mut all = first.nodes;
        all[first.count..].copy_from_slice(&second.nodes[..4 - first.count]);
        Self::new(kind, all, 0.0, pair)
    }

    fn new(kind: StencilKind, nodes: [u32; 4], mollifier: f64, PairTraits { weight, radius, reach }: PairTraits) -> Self {
        Self { kind, nodes, weight, mollifier, radius, reach }
    }

    /// Positions of the nodes [m]; zero for the unused.
    pub fn points(&self, x: &[Vec3]) -> Vec12 {
        at(&self.nodes, x)
    }

    /// Distance of the surfaces [m].
    pub fn distance(&self, x: &[Vec3]) -> f64 {
        self.apart(&self.nearest(&self.points(x)))
    }

    /// Energy [J]; infinite where the primitives touch.
    pub fn energy(&self, barrier: &Barrier, x: &[Vec3]) -> f64 {
        let points = self.points(x);
        let energy = self.weight * self.own(barrier).energy(self.apart(&self.nearest(&points)));
        // Parallel edges that touch are no contact, but no way into one another either.
        if energy.is_finite() { self.faded(&points) * energy } else { energy }
    }

    /// Gradient of the energy [N]; zero for unused nodes. The primitives must not touch.
    pub fn gradient(&self, barrier: &Barrier, x: &[Vec3]) -> Vec12 {
        let points = self.points(x);
        let nearest = self.nearest(&points);
        let (barrier, distance) = (self.own(barrier), self.apart(&nearest));
        if distance >= barrier.distance {
            return [Vec3::zeros(); 4];
        }
        let frame = DistanceFrame::new(&nearest);
        let force = self.weight * barrier.force(distance);
        let push = frame.gradient();
        if !self.is_mollified() {
            return push.map(|g| -force * g);
        }
        let mollifier = Mollifier::new(&points, self.mollifier);
        let (value, energy, turn) = (mollifier.value(), self.weight * barrier.energy(distance), mollifier.gradient());
        std::array::from_fn(|i| energy * turn[i] - value * force * push[i])
    }

    /// Second derivatives of the energy [N/m]; zero for unused nodes. `projected` makes them positive semidefinite.
    /// The primitives must not touch.
    pub fn hessian(&self, barrier: &Barrier, x: &[Vec3], projected: bool) -> Mat12 {
        let points = self.points(x);
        let nearest = self.nearest(&points);
        let (barrier, distance) = (self.own(barrier), self.apart(&nearest));
        let mut hessian = Mat12::default();
        if distance >= barrier.distance {
            return hessian;
        }
        let frame = DistanceFrame::new(&nearest);
        let (slope, curvature) = (-self.weight * barrier.force(distance), self.weight * barrier.second_derivative(distance));
        if !self.is_mollified() {
            if projected {
                frame.add_projected_hessian(slope, curvature, &mut hessian);
            } else {
                frame.add_hessian(slope, curvature, &mut hessian);
            }
            return hessian;
        }
        let mollifier = Mollifier::new(&points, self.mollifier);
        let value = mollifier.value();
        frame.add_hessian(value * slope, value * curvature, &mut hessian);
        mollifier.add_hessian(self.weight * barrier.energy(distance), &mut hessian);
        add_product(slope, &mollifier.gradient(), &frame.gradient(), &mut hessian);
        if projected { clamped(&hessian) } else { hessian }
    }

    /// Size of the force that opens the distance [N]: minus the derivative of the energy by the distance.
    pub fn normal_force(&self, barrier: &Barrier, x: &[Vec3]) -> f64 {
        let points = self.points(x);
        self.weight * self.faded(&points) * self.own(barrier).force(self.distance(x))
    }

    /// Where the primitives are nearest.
    pub fn closest(&self, x: &[Vec3]) -> Closest {
        let nearest = self.nearest(&self.points(x));
        let distance = nearest.distance();
        let normal = if distance > 0.0 { nearest.offset / distance } else { Vec3::zeros() };
        Closest { weights: nearest.weights, normal, distance: distance - self.radius }
    }

    fn own(&self, barrier: &Barrier) -> Barrier {
        barrier.narrowed(self.reach)
    }

    fn apart(&self, nearest: &Nearest) -> f64 {
        nearest.distance() - self.radius
    }

    fn is_mollified(&self) -> bool {
        self.mollifier > 0.0
    }

    fn faded(&self, points: &Vec12) -> f64 {
        if self.is_mollified() { Mollifier::new(points, self.mollifier).value() } else { 1.0 }
    }

    fn nearest(&self, points: &Vec12) -> Nearest {
        self.kind.nearest(points)
    }
}

/// The nodes of one of two features, ascending, then unused ones.
struct Side {
    nodes: [u32; 4],
    count: usize,
}

impl Side {
    fn of(nearest: &Nearest, nodes: [u32; 4], sign: f64) -> Self {
        let mut side = Self { nodes: [NO_NODE; 4], count: 0 };
        for (node, weight) in nodes.into_iter().zip(nearest.weights) {
            if weight * sign > 0.0 {
                side.nodes[side.count] = node;
                side.count += 1;
            }
        }
        side.nodes.sort_unstable();
        side
    }
}

#[cfg(test)]
mod tests;
