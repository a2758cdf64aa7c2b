//! [`Touch`]: the two primitives that touch in a preloaded contact.

use super::feature::{Fans, Feature, FeatureKind};
use crate::contact::surface::CollisionSurface;
use crate::math::Vec3;

/// Two primitives that touch, by their nodes. Forces and displacements are those of the first against the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Touch {
    /// A vertex on a triangle.
    VertexTriangle {
        /// The vertex.
        vertex: u32,
        /// Corners of the triangle.
        triangle: [u32; 3],
    },
    /// An edge across an edge.
    EdgeEdge {
        /// Ends of the edge that the force acts on.
        first: [u32; 2],
        /// Ends of the other.
        second: [u32; 2],
    },
}

impl Touch {
    /// All nodes, those of the first primitive first.
    pub fn nodes(&self) -> [u32; 4] {
        match *self {
            Self::VertexTriangle { vertex, triangle: [a, b, c] } => [vertex, a, b, c],
            Self::EdgeEdge { first: [a, b], second: [c, d] } => [a, b, c, d],
        }
    }

    /// The parts of both primitives; none if one of them is on no surface.
    pub fn parts(&self, surface: &CollisionSurface) -> Option<[u32; 2]> {
        let [first, .., second] = self.nodes();
        Some([surface.part_of_node(first)?, surface.part_of_node(second)?])
    }

    /// Friction coefficient between the two; 0 where they never touch.
    pub fn friction(&self, surface: &CollisionSurface) -> f64 {
        self.parts(surface).map_or(0.0, |[first, second]| surface.friction(first, second))
    }

    /// The feature at which the two are nearest in the positions `x` [m], and the triangle or edge that the first one faces
    /// there; none if the surface has no such primitives.
    pub fn feature(&self, surface: &CollisionSurface, fans: &Fans, x: &[Vec3]) -> Option<(Feature, u32)> {
        match *self {
            Self::VertexTriangle { vertex, triangle } => {
                let facing = fans.triangle_of(surface, &triangle)?;
                Some((fans.facing(surface, vertex, facing, x), facing))
            }
            Self::EdgeEdge { first, second } => {
                fans.edge_of(surface, &first)?;
                Some((Feature { kind: FeatureKind::Crossing, nodes: self.nodes() }, fans.edge_of(surface, &second)?))
            }
        }
    }

    /// Shares of all nodes in a force on the first primitive at the positions `x` [m]: those of the first primitive sum to 1, those
    /// of the second to -1. Zeros if the surface has no such primitives.
    pub fn shares(&self, surface: &CollisionSurface, fans: &Fans, x: &[Vec3]) -> [f64; 4] {
        let Some((feature, _)) = self.feature(surface, fans, x) else { return [0.0; 4] };
        let nearest = feature.nearest(x);
        let of = |node: u32| feature.nodes.iter().zip(&nearest.weights).filter(|(other, _)| **other == node).map(|(_, share)| share).sum();
        self.nodes().map(of)
    }
}
