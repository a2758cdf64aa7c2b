//! The feature of a part that a vertex faces: its nearest triangle, or the edge or corner of it where the surface is bent.

use crate::contact::primitive::{Nearest, point_edge, point_plane, point_point, point_triangle};
use crate::contact::stencil::NO_NODE;
use crate::contact::surface::{CollisionSurface, NO_VERTEX};
use crate::math::Vec3;

/// Cosine of the angle up to which triangles count as one plane: the distance to that plane is then the distance to the
/// surface to within 5e-5 of itself.
const FLAT: f64 = 1.0 - 5e-5;

/// What a vertex faces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FeatureKind {
    /// A corner.
    Corner,
    /// An edge, from end to end.
    Edge,
    /// The plane of a triangle, without end.
    Plane,
}

/// A vertex and the feature that it faces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Feature {
    /// What it is.
    pub kind: FeatureKind,
    /// The vertex, then the feature's nodes; [`NO_NODE`] where there are fewer than four.
    pub nodes: [u32; 4],
}

impl Feature {
    /// The nearest points of vertex and feature at the positions `x` [m].
    pub fn nearest(&self, x: &[Vec3]) -> Nearest {
        self.nearest_of(|node| x[node])
    }

    /// The same with the positions [m] of the nodes as a function.
    pub fn nearest_of(&self, position: impl Fn(usize) -> Vec3) -> Nearest {
        let at = |k: usize| position(self.nodes[k] as usize);
        match self.kind {
            FeatureKind::Corner => point_point(&at(0), &at(1)),
            FeatureKind::Edge => point_edge(&at(0), &at(1), &at(2)),
            FeatureKind::Plane => {
                let [p, a, b, c] = [at(0), at(1), at(2), at(3)];
                point_plane(&p, &a, &b, &c).unwrap_or_else(|| point_triangle(&p, &a, &b, &c))
            }
        }
    }
}

/// Which triangles lie around each vertex of a surface.
#[derive(Debug, Default)]
pub struct Fans {
    /// Where the triangles of vertex v begin: `starts[v]..starts[v + 1]`.
    starts: Vec<u32>,
    triangles: Vec<u32>,
}

impl Fans {
    /// The fans of all vertices.
    pub fn new(surface: &CollisionSurface) -> Self {
        let corners =
            || surface.triangles.iter().zip(0..).flat_map(|(nodes, t)| nodes.map(|node| (surface.vertex_of_node[node as usize], t)));
        let mut fans: Vec<(u32, u32)> = corners().collect();
        fans.sort_unstable();
        let starts = (0..=surface.vertices.len() as u32).map(|v| fans.partition_point(|&(vertex, _)| vertex < v) as u32).collect();
        Self { starts, triangles: fans.into_iter().map(|(_, t)| t).collect() }
    }

    /// The triangles around a node, ascending; none around a node that is on no surface.
    pub fn around(&self, surface: &CollisionSurface, node: u32) -> &[u32] {
        match surface.vertex_of_node[node as usize] {
            NO_VERTEX => &[],
            v => &self.triangles[self.starts[v as usize] as usize..self.starts[v as usize + 1] as usize],
        }
    }

    /// The triangle at which the distance of the node `vertex` to its surface has a local minimum, found by going downhill from
    /// `triangle`: so a vertex keeps its contact, also with its own part, while it slides from triangle to triangle.
    pub fn descend(&self, surface: &CollisionSurface, vertex: u32, triangle: u32, x: &[Vec3]) -> u32 {
        let distance = |t: u32| {
            let [a, b, c] = surface.triangles[t as usize].map(|node| x[node as usize]);
            point_triangle(&x[vertex as usize], &a, &b, &c).squared_distance()
        };
        let mut best = (distance(triangle), triangle);
        loop {
            let here = best.1;
            for &node in &surface.triangles[here as usize] {
                for &t in self.around(surface, node).iter().filter(|&&t| !surface.triangles[t as usize].contains(&vertex)) {
                    let found = distance(t);
                    if found < best.0 {
                        best = (found, t);
                    }
                }
            }
            if best.1 == here {
                return here;
            }
        }
    }

    /// The triangle with these corners, in any order.
    pub fn triangle_of(&self, surface: &CollisionSurface, corners: &[u32; 3]) -> Option<u32> {
        let has_all = |t: &&u32| corners.iter().all(|node| surface.triangles[**t as usize].contains(node));
        self.around(surface, corners[0]).iter().find(has_all).copied()
    }

    /// The feature of triangle `triangle` that the node `vertex` faces. Where the surface is flat around an edge or a corner,
    /// that is the plane: its distance is smooth as the vertex slides across.
    pub fn facing(&self, surface: &CollisionSurface, vertex: u32, triangle: u32, x: &[Vec3]) -> Feature {
        let corners = surface.triangles[triangle as usize];
        let [a, b, c] = corners.map(|node| x[node as usize]);
        let nearest = point_triangle(&x[vertex as usize], &a, &b, &c);
        let mut nodes = [vertex, NO_NODE, NO_NODE, NO_NODE];
        let mut end = 1;
        for (&node, &weight) in corners.iter().zip(&nearest.weights[1..]) {
            if weight != 0.0 {
                nodes[end] = node;
                end += 1;
            }
        }
        if end == 4 || self.is_flat(surface, triangle, &nodes[1..end], x) {
            let [a, b, c] = corners;
            return Feature { kind: FeatureKind::Plane, nodes: [vertex, a, b, c] };
        }
        Feature { kind: if end == 3 { FeatureKind::Edge } else { FeatureKind::Corner }, nodes }
    }

    /// Whether all triangles around an edge or a corner of `triangle` lie in its plane and surround it.
    fn is_flat(&self, surface: &CollisionSurface, triangle: u32, feature: &[u32], x: &[Vec3]) -> bool {
        let normal = unit_normal(surface, triangle, x);
        let holds = |t: &&u32| feature.iter().all(|node| surface.triangles[**t as usize].contains(node));
        let around = || self.around(surface, feature[0]).iter().filter(holds);
        // On the border of an open surface a neighbour of the feature is seen once only.
        let neighbours = || around().flat_map(|&t| surface.triangles[t as usize]).filter(|node| !feature.contains(node));
        let closed = match feature {
            [_] => neighbours().all(|node| neighbours().filter(|&other| other == node).count() == 2),
            _ => neighbours().count() == 2,
        };
        closed && around().all(|&t| unit_normal(surface, t, x).dot(&normal) >= FLAT)
    }
}

fn unit_normal(surface: &CollisionSurface, triangle: u32, x: &[Vec3]) -> Vec3 {
    let [a, b, c] = surface.triangles[triangle as usize].map(|node| x[node as usize]);
    (b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or_else(Vec3::zeros)
}
