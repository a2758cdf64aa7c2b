//! What is asked alike of every pair of features that may touch, whatever they are.

use super::ccd;
use super::primitive::{Nearest, Vec12};
use super::stencil::{NO_NODE, StencilKind};
use super::surface::CollisionSurface;
use crate::math::Vec3;

/// Two features that may touch, as numbers in the lists of a [`CollisionSurface`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair {
    /// What they are.
    pub kind: StencilKind,
    /// Their numbers, in the order of the kind.
    pub features: (u32, u32),
}

impl Pair {
    /// Their nodes, those of the first feature first; [`NO_NODE`] where there are fewer than four.
    #[inline]
    pub fn nodes(&self, surface: &CollisionSurface) -> [u32; 4] {
        let (first, second) = (self.features.0 as usize, self.features.1 as usize);
        match self.kind {
            StencilKind::PointTriangle => {
                let [a, b, c] = surface.triangles[second];
                [surface.vertices[first], a, b, c]
            }
            StencilKind::EdgeEdge => {
                let ([a, b], [c, d]) = (surface.edges[first], surface.edges[second]);
                [a, b, c, d]
            }
            StencilKind::PointEdge => {
                let [a, b] = surface.edges[second];
                [surface.vertices[first], a, b, NO_NODE]
            }
            StencilKind::PointPoint => [surface.vertices[first], surface.vertices[second], NO_NODE, NO_NODE],
        }
    }

    /// The parts of both.
    #[inline]
    pub fn parts(&self, surface: &CollisionSurface) -> [u32; 2] {
        let (first, second) = (self.features.0 as usize, self.features.1 as usize);
        match self.kind {
            StencilKind::PointTriangle => [surface.vertex_parts[first], surface.triangle_parts[second]],
            StencilKind::EdgeEdge => [surface.edge_parts[first], surface.edge_parts[second]],
            StencilKind::PointEdge => [surface.vertex_parts[first], surface.edge_parts[second]],
            StencilKind::PointPoint => [surface.vertex_parts[first], surface.vertex_parts[second]],
        }
    }

    /// How far both parts reach around them, together [m].
    #[inline]
    pub fn radius(&self, surface: &CollisionSurface) -> f64 {
        surface.radius_between(self.parts(surface), &self.nodes(surface), self.kind.first())
    }

    /// Distance of their surfaces at the positions `x` of the nodes [m]; negative within the radius.
    #[inline]
    pub fn distance(&self, surface: &CollisionSurface, x: &[Vec3]) -> f64 {
        self.kind.nearest(&at(&self.nodes(surface), x)).distance() - self.radius(surface)
    }

    /// Part of the step `dx` [m] from `x` [m] that they may take, in [0, limit]; the share `kept` of their distance is kept all the way.
    #[inline]
    pub fn free_share(&self, surface: &CollisionSurface, x: &[Vec3], dx: &[Vec3], limit: f64, kept: f64) -> f64 {
        let nodes = self.nodes(surface);
        ccd::time_of_impact(self.kind, (&at(&nodes, x), &at(&nodes, dx)), limit, kept, self.radius(surface))
    }
}

impl StencilKind {
    /// Of how many nodes the first feature is.
    pub fn first(self) -> usize {
        if self == Self::EdgeEdge { 2 } else { 1 }
    }

    /// The nearest points of both features, whose nodes are at `points` [m].
    #[inline]
    pub fn nearest(self, [a, b, c, d]: &Vec12) -> Nearest {
        use super::primitive::{edge_edge, point_edge, point_point, point_triangle};
        match self {
            Self::PointPoint => point_point(a, b),
            Self::PointEdge => point_edge(a, b, c),
            Self::PointTriangle => point_triangle(a, b, c, d),
            Self::EdgeEdge => edge_edge(a, b, c, d),
        }
    }
}

/// What `x` says of each of `nodes`; zero for the unused.
#[inline]
pub fn at(nodes: &[u32; 4], x: &[Vec3]) -> Vec12 {
    nodes.map(|node| if node == NO_NODE { Vec3::zeros() } else { x[node as usize] })
}
