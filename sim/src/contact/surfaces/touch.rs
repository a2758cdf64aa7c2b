//! [`Touch`]: the two primitives that touch in a preloaded contact.

use super::feature::{Facing, Fans, Feature, FeatureKind};
use crate::contact::stencil::NO_NODE;
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
    /// A vertex on a line.
    VertexEdge {
        /// The vertex.
        vertex: u32,
        /// Ends of the line.
        edge: [u32; 2],
    },
    /// A point on a point.
    VertexVertex {
        /// The vertex that the force acts on.
        first: u32,
        /// The other.
        second: u32,
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
    /// All nodes, those of the first primitive first; where there are fewer than four, the last stands there again.
    pub fn nodes(&self) -> [u32; 4] {
        match *self {
            Self::VertexTriangle { vertex, triangle: [a, b, c] } => [vertex, a, b, c],
            Self::VertexEdge { vertex, edge: [a, b] } => [vertex, a, b, b],
            Self::VertexVertex { first, second } => [first, second, second, second],
            Self::EdgeEdge { first: [a, b], second: [c, d] } => [a, b, c, d],
        }
    }

    /// The touch of a vertex whose nodes these are.
    pub fn of_vertex([vertex, a, b, c]: [u32; 4]) -> Self {
        match (a == b, b == c) {
            (true, _) => Self::VertexVertex { first: vertex, second: a },
            (_, true) => Self::VertexEdge { vertex, edge: [a, b] },
            _ => Self::VertexTriangle { vertex, triangle: [a, b, c] },
        }
    }

    /// The parts of both primitives; none if one of them is on no surface.
    pub fn parts(&self, surface: &CollisionSurface) -> Option<[u32; 2]> {
        let [first, .., second] = self.nodes();
        Some([surface.part_of_node(first)?, surface.part_of_node(second)?])
    }

    /// How far the parts of both reach around them, together [m].
    pub fn radius(&self, surface: &CollisionSurface, parts: [u32; 2]) -> f64 {
        surface.radius_between(parts, &self.nodes(), if matches!(self, Self::EdgeEdge { .. }) { 2 } else { 1 })
    }

    /// Friction coefficient between the two; 0 where they never touch.
    pub fn friction(&self, surface: &CollisionSurface) -> f64 {
        self.parts(surface).map_or(0.0, |[first, second]| surface.friction(first, second))
    }

    /// The feature at which the two are nearest in the positions `x` [m], and what the first one faces there; none if the surface has
    /// no such primitives.
    pub fn feature(&self, surface: &CollisionSurface, fans: &Fans, x: &[Vec3]) -> Option<(Feature, Facing)> {
        match *self {
            Self::VertexTriangle { vertex, triangle } => {
                let facing = fans.triangle_of(surface, &triangle)?;
                Some((fans.facing(surface, vertex, facing, x), Facing::Triangle(facing)))
            }
            Self::VertexEdge { vertex, edge } => {
                let facing = fans.edge_of(surface, &edge)?;
                Some((fans.facing_line(surface, vertex, facing, x), Facing::Edge(facing)))
            }
            Self::VertexVertex { first, second } => {
                surface.part_of_node(second)?;
                let feature = Feature { kind: FeatureKind::Corner, nodes: [first, second, NO_NODE, NO_NODE] };
                Some((feature, Facing::Vertex(surface.vertex_of_node[second as usize])))
            }
            Self::EdgeEdge { first, second } => {
                fans.edge_of(surface, &first)?;
                let facing = Facing::Edge(fans.edge_of(surface, &second)?);
                Some((Feature { kind: FeatureKind::Crossing, nodes: self.nodes() }, facing))
            }
        }
    }

    /// Shares of all nodes in a force on the first primitive at the positions `x` [m]: those of the first primitive sum to 1, those
    /// of the second to -1. Zeros if the surface has no such primitives, and for nodes that stand there again.
    pub fn shares(&self, surface: &CollisionSurface, fans: &Fans, x: &[Vec3]) -> [f64; 4] {
        let Some((feature, _)) = self.feature(surface, fans, x) else { return [0.0; 4] };
        let nearest = feature.nearest(x);
        let of = |node: u32| feature.nodes.iter().zip(&nearest.weights).filter(|(other, _)| **other == node).map(|(_, share)| share).sum();
        let nodes = self.nodes();
        std::array::from_fn(|k| if nodes[..k].contains(&nodes[k]) { 0.0 } else { of(nodes[k]) })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use crate::contact::surface::{PairRules, PartInput};

    /// What is stored of a touch of a vertex, four nodes, tells what it was; and shares are those of different nodes.
    #[test]
    fn four_nodes_tell_what_a_vertex_touches() {
        let x = vec![Vec3::new(0.2, 0.5, 0.1), Vec3::zeros(), Vec3::x(), Vec3::z()];
        let part = |edges, triangles| PartInput::new("on", vec![1, 2, 3], edges, triangles);
        for (touch, edges, triangles, shares) in [
            (Touch::VertexTriangle { vertex: 0, triangle: [1, 2, 3] }, vec![], vec![[1, 2, 3]], [1.0, -0.7, -0.2, -0.1]),
            (Touch::VertexEdge { vertex: 0, edge: [1, 2] }, vec![[1, 2]], vec![], [1.0, -0.8, -0.2, 0.0]),
            (Touch::VertexVertex { first: 0, second: 1 }, vec![], vec![], [1.0, -1.0, 0.0, 0.0]),
        ] {
            assert_eq!(Touch::of_vertex(touch.nodes()), touch);
            let parts = vec![PartInput::new("point", vec![0], vec![], vec![]), part(edges, triangles)];
            let surface = CollisionSurface::new(&x, parts, PairRules::all_touch(2, 0.3), vec![true; 4]).unwrap();
            let found = touch.shares(&surface, &Fans::new(&surface), &x);
            assert!(found.iter().zip(shares).all(|(found, share)| (found - share).abs() < 1e-15), "{found:?}");
            assert!(touch.parts(&surface) == Some([0, 1]) && touch.friction(&surface) == 0.3);
        }
    }
}
