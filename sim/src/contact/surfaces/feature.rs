//! The feature of a part that a vertex faces: its nearest triangle, or the edge or corner of it where the surface is bent;
//! and the edge that an edge crosses.

use super::common_point::{Carrier, CommonPoint};
use crate::contact::primitive::{Nearest, edge_edge, point_edge, point_plane, point_point, point_triangle};
use crate::contact::stencil::NO_NODE;
use crate::contact::surface::{CollisionSurface, NO_VERTEX};
use crate::math::Vec3;

/// Cosine of the angle up to which triangles count as one plane: the distance to that plane is then the distance to the
/// surface to within 5e-5 of itself.
const FLAT: f64 = 1.0 - 5e-5;

/// Cosine of the angle up to which two directions from a surface to a vertex are those of one contact.
const SAME_DIRECTION: f64 = 0.9;

/// Whether two vectors point the same way, as those from one part to a vertex that touches it once.
pub fn same_direction(a: &Vec3, b: &Vec3) -> bool {
    a.dot(b) >= SAME_DIRECTION * a.norm() * b.norm()
}

/// What a vertex or an edge faces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FeatureKind {
    /// A corner.
    Corner,
    /// An edge, from end to end.
    Edge,
    /// The plane of a triangle, without end.
    Plane,
    /// An edge that an edge crosses, both from end to end.
    Crossing,
}

/// The primitive of which a vertex or an edge faces a feature, as a number in the lists of the surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Facing {
    /// A triangle.
    Triangle(u32),
    /// A line, or the edge that an edge crosses.
    Edge(u32),
    /// A vertex without edges.
    Vertex(u32),
}

/// A vertex or an edge, and the feature that it faces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Feature {
    /// What it is.
    pub kind: FeatureKind,
    /// The vertex or the ends of the edge, then the feature's nodes; [`NO_NODE`] where there are fewer than four.
    pub nodes: [u32; 4],
}

impl Feature {
    /// The nearest points of the vertex or edge and its feature at the positions `x` [m].
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
            FeatureKind::Crossing => edge_edge(&at(0), &at(1), &at(2), &at(3)),
        }
    }
}

impl Feature {
    /// Where forces along the feature act on both sides, its nearest points at the positions `x` [m] being `nearest`; `kept` is what
    /// carried them before.
    pub fn common_point(&self, on: (&CollisionSurface, &Fans), nearest: &Nearest, kept: Option<Carrier>, x: &[Vec3]) -> CommonPoint {
        let first = if self.kind == FeatureKind::Crossing { 2 } else { 1 };
        CommonPoint::new(on, (&self.nodes, &nearest.weights), first, kept, x)
    }
}

/// Which triangles and edges lie around each vertex of a surface.
#[derive(Debug, Default)]
pub struct Fans {
    triangles: Around,
    edges: Around,
}

/// The features around each vertex.
#[derive(Debug, Default)]
struct Around {
    /// Where the features of vertex v begin: `starts[v]..starts[v + 1]`.
    starts: Vec<u32>,
    features: Vec<u32>,
}

impl Around {
    fn new<const N: usize>(surface: &CollisionSurface, features: &[[u32; N]]) -> Self {
        let corners = features.iter().zip(0..).flat_map(|(nodes, f)| nodes.map(|node| (surface.vertex_of_node[node as usize], f)));
        let mut fans: Vec<(u32, u32)> = corners.collect();
        fans.sort_unstable();
        let starts = (0..=surface.vertices.len() as u32).map(|v| fans.partition_point(|&(vertex, _)| vertex < v) as u32).collect();
        Self { starts, features: fans.into_iter().map(|(_, feature)| feature).collect() }
    }

    fn node(&self, surface: &CollisionSurface, node: u32) -> &[u32] {
        match surface.vertex_of_node[node as usize] {
            NO_VERTEX => &[],
            v => &self.features[self.starts[v as usize] as usize..self.starts[v as usize + 1] as usize],
        }
    }
}

impl Fans {
    /// The fans of all vertices.
    pub fn new(surface: &CollisionSurface) -> Self {
        Self { triangles: Around::new(surface, &surface.triangles), edges: Around::new(surface, &surface.edges) }
    }

    /// The triangles around a node, ascending; none around a node that is on no surface.
    pub fn around(&self, surface: &CollisionSurface, node: u32) -> &[u32] {
        self.triangles.node(surface, node)
    }

    /// The edges around a node, ascending; none around a node that is on no surface.
    pub fn edges_around(&self, surface: &CollisionSurface, node: u32) -> &[u32] {
        self.edges.node(surface, node)
    }

    /// The triangles that have all of these nodes as corners, ascending.
    pub fn at<'a>(&'a self, surface: &'a CollisionSurface, nodes: &'a [u32]) -> impl Iterator<Item = u32> + 'a {
        let holds = move |t: &u32| nodes.iter().all(|node| surface.triangles[*t as usize].contains(node));
        nodes.first().map_or(&[][..], |&node| self.around(surface, node)).iter().copied().filter(holds)
    }

    /// The triangle at which the distance of the node `vertex` to its surface has a local minimum, found by going downhill from
    /// `triangle`: so a vertex keeps its contact, also with its own part, while it slides from triangle to triangle. The way
    /// leads across the border on which the nearest point lies, or to where the vertex is seen from the same direction: in a
    /// corner, floor and wall remain two contacts.
    pub fn descend(&self, surface: &CollisionSurface, vertex: u32, triangle: u32, x: &[Vec3]) -> u32 {
        let nearest = |t: u32| {
            let [a, b, c] = surface.triangles[t as usize].map(|node| x[node as usize]);
            point_triangle(&x[vertex as usize], &a, &b, &c)
        };
        let (mut here, mut least) = (triangle, nearest(triangle));
        loop {
            let (start, from) = (here, least);
            let corners = surface.triangles[start as usize];
            let (border, count) = spanned(&corners, &from);
            for &node in &corners {
                for &t in self.around(surface, node).iter().filter(|&&t| !surface.triangles[t as usize].contains(&vertex)) {
                    let found = nearest(t);
                    if found.squared_distance() >= least.squared_distance() {
                        continue;
                    }
                    let across = border[..count].iter().all(|node| surface.triangles[t as usize].contains(node));
                    if across || same_direction(&found.offset, &from.offset) {
                        (here, least) = (t, found);
                    }
                }
            }
            if here == start {
                return here;
            }
        }
    }

    /// The edge at which the distance to the edge with the ends `own` has a local minimum, found by going downhill from `edge`.
    pub fn descend_edges(&self, surface: &CollisionSurface, own: [u32; 2], edge: u32, x: &[Vec3]) -> u32 {
        let [a, b] = own.map(|node| x[node as usize]);
        let (is_apart, nearest) =
            (|ends: &[u32; 2]| !ends.iter().any(|node| own.contains(node)), |c: &Vec3, d: &Vec3| edge_edge(&a, &b, c, d));
        self.descend_along(surface, edge, x, |e| is_apart(&surface.edges[e as usize]), nearest)
    }

    /// The line at which the distance to the node `vertex` has a local minimum, found by going downhill from `line`.
    pub fn descend_lines(&self, surface: &CollisionSurface, vertex: u32, line: u32, x: &[Vec3]) -> u32 {
        let is_line = |e: u32| surface.lines.contains(e) && !surface.edges[e as usize].contains(&vertex);
        self.descend_along(surface, line, x, is_line, |c, d| point_edge(&x[vertex as usize], c, d).placed([0, 2, 3]))
    }

    /// Goes downhill from `edge` over its ends to others that `fits` lets pass; `nearest` gives the nearest points of an edge with these
    /// ends, which are the last of the four.
    fn descend_along(
        &self,
        surface: &CollisionSurface,
        edge: u32,
        x: &[Vec3],
        fits: impl Fn(u32) -> bool,
        nearest: impl Fn(&Vec3, &Vec3) -> Nearest,
    ) -> u32 {
        let nearest = |e: u32| {
            let [c, d] = surface.edges[e as usize].map(|node| x[node as usize]);
            nearest(&c, &d)
        };
        let (mut here, mut best) = (edge, nearest(edge));
        loop {
            let before = here;
            let end = match best.weights {
                [_, _, _, 0.0] => surface.edges[here as usize][0],
                [_, _, 0.0, _] => surface.edges[here as usize][1],
                _ => return here,
            };
            for &e in self.edges_around(surface, end).iter().filter(|&&e| fits(e)) {
                let found = nearest(e);
                if found.squared_distance() < best.squared_distance() {
                    (here, best) = (e, found);
                }
            }
            if here == before {
                return here;
            }
        }
    }

    /// The edge with these ends, in any order.
    pub fn edge_of(&self, surface: &CollisionSurface, ends: &[u32; 2]) -> Option<u32> {
        let has_both = |e: &&u32| ends.iter().all(|node| surface.edges[**e as usize].contains(node));
        self.edges_around(surface, ends[0]).iter().find(has_both).copied()
    }

    /// The triangle with these corners, in any order.
    pub fn triangle_of(&self, surface: &CollisionSurface, corners: &[u32; 3]) -> Option<u32> {
        self.at(surface, corners).next()
    }

    /// The feature of triangle `triangle` that the node `vertex` faces. Where the surface is flat around an edge or a corner,
    /// that is the plane: its distance is smooth as the vertex slides across.
    pub fn facing(&self, surface: &CollisionSurface, vertex: u32, triangle: u32, x: &[Vec3]) -> Feature {
        let corners = surface.triangles[triangle as usize];
        let [a, b, c] = corners.map(|node| x[node as usize]);
        let nearest = point_triangle(&x[vertex as usize], &a, &b, &c);
        let (spanned, count) = spanned(&corners, &nearest);
        if count == 3 || self.is_flat(surface, triangle, &spanned[..count], x) {
            let [a, b, c] = corners;
            return Feature { kind: FeatureKind::Plane, nodes: [vertex, a, b, c] };
        }
        let [a, b, _] = spanned;
        Feature { kind: if count == 2 { FeatureKind::Edge } else { FeatureKind::Corner }, nodes: [vertex, a, b, NO_NODE] }
    }

    /// The feature of the line `line` that the node `vertex` faces.
    pub fn facing_line(&self, surface: &CollisionSurface, vertex: u32, line: u32, x: &[Vec3]) -> Feature {
        let [a, b] = surface.edges[line as usize];
        match point_edge(&x[vertex as usize], &x[a as usize], &x[b as usize]).weights {
            [_, _, 0.0, _] => Feature { kind: FeatureKind::Corner, nodes: [vertex, a, NO_NODE, NO_NODE] },
            [_, 0.0, ..] => Feature { kind: FeatureKind::Corner, nodes: [vertex, b, NO_NODE, NO_NODE] },
            _ => Feature { kind: FeatureKind::Edge, nodes: [vertex, a, b, NO_NODE] },
        }
    }

    /// What a vertex or an edge that faced `feature` of `facing` faces at the positions `x` [m], going downhill from there.
    pub fn repicked(&self, surface: &CollisionSurface, feature: &Feature, facing: Facing, x: &[Vec3]) -> (Feature, Facing) {
        let [a, b, ..] = feature.nodes;
        match facing {
            Facing::Edge(edge) if feature.kind == FeatureKind::Crossing => {
                let edge = self.descend_edges(surface, [a, b], edge, x);
                let [c, d] = surface.edges[edge as usize];
                (Feature { nodes: [a, b, c, d], ..*feature }, Facing::Edge(edge))
            }
            Facing::Edge(line) => {
                let line = self.descend_lines(surface, a, line, x);
                (self.facing_line(surface, a, line, x), Facing::Edge(line))
            }
            Facing::Triangle(triangle) => {
                let triangle = self.descend(surface, a, triangle, x);
                (self.facing(surface, a, triangle, x), Facing::Triangle(triangle))
            }
            // A point has no neighbours.
            Facing::Vertex(_) => (*feature, facing),
        }
    }

    /// Whether all triangles around an edge or a corner of `triangle` lie in its plane and surround it.
    pub fn is_flat(&self, surface: &CollisionSurface, triangle: u32, feature: &[u32], x: &[Vec3]) -> bool {
        let normal = unit_normal(surface, triangle, x);
        let around = || self.at(surface, feature);
        // On the border of an open surface a neighbour of the feature is seen once only.
        let neighbours = || around().flat_map(|t| surface.triangles[t as usize]).filter(|node| !feature.contains(node));
        let closed = match feature {
            [_] => neighbours().all(|node| neighbours().filter(|&other| other == node).count() == 2),
            _ => neighbours().count() == 2,
        };
        closed && around().all(|t| unit_normal(surface, t, x).dot(&normal) >= FLAT)
    }
}

/// The corners between which the nearest point of a triangle lies, and how many they are.
fn spanned(corners: &[u32; 3], nearest: &Nearest) -> ([u32; 3], usize) {
    let (mut nodes, mut count) = ([NO_NODE; 3], 0);
    for (&node, _) in corners.iter().zip(&nearest.weights[1..]).filter(|(_, weight)| **weight != 0.0) {
        nodes[count] = node;
        count += 1;
    }
    (nodes, count)
}

/// Unit normal of a triangle; zero for one without area.
pub fn unit_normal(surface: &CollisionSurface, triangle: u32, x: &[Vec3]) -> Vec3 {
    let [a, b, c] = surface.triangles[triangle as usize].map(|node| x[node as usize]);
    (b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or_else(Vec3::zeros)
}
