//! Broad phase: which pairs of features are near enough to be looked at.
//!
//! A tree of boxes over the vertices, one over the edges and one over the triangles; vertices are looked up among triangles,
//! edges among edges. That is all of two surfaces: where a vertex is nearest to an edge or a vertex, these are of triangles. Lines
//! have none: along two that are parallel nothing but a vertex tells one from the other, and so vertices are looked up among lines
//! too, and points, which have no edges either, among points. [`CandidateCache`] keeps what was found for as long as it is sure to be complete.

mod cache;
#[cfg(test)]
mod tests;

pub use cache::CandidateCache;

use super::pairs::Pair;
use super::stencil::StencilKind;
use super::surface::CollisionSurface;
use crate::geometry::{Criterion, MeetingRules, PairFinder, Path, Tree};
use crate::math::Vec3;

/// More pairs than this for each vertex and edge make a crowd: the step that brings them together is too long.
const CROWD: usize = 200;
/// Fewer pairs than this are never a crowd.
const CROWD_FLOOR: usize = 1_000_000;
/// Nor are so many times the pairs at the start of the step.
const CROWDED_START: usize = 8;

/// Pairs of features that may be near, ascending: a superset of the pairs within the distance that was asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Candidates {
    /// (vertex, triangle), as indices into the lists of the [`CollisionSurface`].
    pub vertex_triangle: Vec<(u32, u32)>,
    /// (edge, edge), the smaller index first.
    pub edge_edge: Vec<(u32, u32)>,
    /// (vertex, edge), of edges that are lines.
    pub vertex_edge: Vec<(u32, u32)>,
    /// (vertex, vertex), the smaller index first, of vertices without edges.
    pub vertex_vertex: Vec<(u32, u32)>,
}

impl Candidates {
    /// The kinds of pairs, in the order in which they are looked at.
    pub const KINDS: [StencilKind; 4] =
        [StencilKind::PointTriangle, StencilKind::EdgeEdge, StencilKind::PointEdge, StencilKind::PointPoint];

    /// The pairs of one kind.
    pub fn of(&self, kind: StencilKind) -> &Vec<(u32, u32)> {
        match kind {
            StencilKind::PointTriangle => &self.vertex_triangle,
            StencilKind::EdgeEdge => &self.edge_edge,
            StencilKind::PointEdge => &self.vertex_edge,
            StencilKind::PointPoint => &self.vertex_vertex,
        }
    }

    /// The pairs of one kind, to be changed.
    pub fn of_mut(&mut self, kind: StencilKind) -> &mut Vec<(u32, u32)> {
        match kind {
            StencilKind::PointTriangle => &mut self.vertex_triangle,
            StencilKind::EdgeEdge => &mut self.edge_edge,
            StencilKind::PointEdge => &mut self.vertex_edge,
            StencilKind::PointPoint => &mut self.vertex_vertex,
        }
    }

    /// All pairs, kind by kind.
    pub fn pairs(&self) -> impl Iterator<Item = Pair> + '_ {
        Self::KINDS.into_iter().flat_map(|kind| self.of(kind).iter().map(move |&features| Pair { kind, features }))
    }

    /// Number of pairs.
    pub fn len(&self) -> usize {
        Self::KINDS.iter().map(|&kind| self.of(kind).len()).sum()
    }

    /// Whether there is no pair.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Trees over the features of one surface, and buffers. The trees are kept from call to call and only their boxes renewed.
#[derive(Debug, Clone, Default)]
pub struct BroadPhase {
    vertices: Tree,
    edges: Tree,
    triangles: Tree,
    lines: Tree,
    lone: Tree,
    finder: PairFinder,
}

impl BroadPhase {
    /// Every pair of features whose bounding boxes at `x` [m] are within `reach` [m] of one another along each axis, without
    /// those that share a node or are sewn together, that have no movable node, or whose parts may not touch.
    pub fn find(&mut self, surface: &CollisionSurface, x: &[Vec3], reach: f64, candidates: &mut Candidates) {
        self.find_on(surface, Path { start: x, step: None }, reach, usize::MAX, candidates);
    }

    /// The same with the boxes of the whole straight way from `x` to `x + share dx` [m]. Returns the share: 1, unless a step is
    /// so long that nearly every box meets every other; then it is halved until the pairs can be handled. A step that is not
    /// finite has the share 0, and the pairs are those at `x`.
    pub fn find_swept(&mut self, surface: &CollisionSurface, x: &[Vec3], dx: &[Vec3], reach: f64, candidates: &mut Candidates) -> f64 {
        let swept = |share| Path { start: x, step: Some((dx, share)) };
        let most = CROWD_FLOOR.max(CROWD * (surface.vertices.len() + surface.edges.len()));
        let finite = surface.vertices.iter().all(|&node| dx[node as usize].iter().all(|entry| entry.is_finite()));
        if finite && self.find_on(surface, swept(1.0), reach, most, candidates) {
            return 1.0;
        }
        self.find(surface, x, reach, candidates);
        if !finite {
            return 0.0;
        }
        let most = most.max(CROWDED_START * candidates.len());
        let mut share = 0.5;
        // Ends: with the way shrunk to nothing the pairs are those of the start.
        while !self.find_on(surface, swept(share), reach, most, candidates) {
            share *= 0.5;
        }
        share
    }

    /// Every pair (edge, triangle) whose bounding boxes at `x` [m] meet, without those that [`Self::find`] leaves out; ascending.
    pub fn find_edge_triangle(&mut self, surface: &CollisionSurface, x: &[Vec3], pairs: &mut Vec<(u32, u32)>) {
        let path = Path { start: x, step: None };
        self.edges.fit(surface, &surface.edges, &surface.edge_parts, path);
        self.triangles.fit(surface, &surface.triangles, &surface.triangle_parts, path);
        let fits = |edge: u32, triangle: u32| {
            let (ends, corners) = (&surface.edges[edge as usize], &surface.triangles[triangle as usize]);
            let parts = (surface.edge_parts[edge as usize], surface.triangle_parts[triangle as usize]);
            fits(surface, ends, corners, parts)
        };
        self.finder.find(&self.edges, Some(&self.triangles), &Criterion { rules: surface, reach: 0.0, fits }, usize::MAX, pairs);
    }

    /// Returns false, with nothing of use in `candidates`, where there are more than `most` pairs of a kind.
    fn find_on(&mut self, surface: &CollisionSurface, path: Path, reach: f64, most: usize, candidates: &mut Candidates) -> bool {
        if !surface.is_active() {
            // No trees over what touches nothing.
            Candidates::KINDS.iter().for_each(|&kind| candidates.of_mut(kind).clear());
            return true;
        }
        let vertices = surface.vertices.as_chunks::<1>().0;
        self.vertices.fit(surface, vertices, &surface.vertex_parts, path);
        self.edges.fit(surface, &surface.edges, &surface.edge_parts, path);
        self.triangles.fit(surface, &surface.triangles, &surface.triangle_parts, path);
        let vertex_triangle = |vertex: u32, triangle: u32| {
            let (node, corners) = (surface.vertices[vertex as usize], &surface.triangles[triangle as usize]);
            let parts = (surface.vertex_parts[vertex as usize], surface.triangle_parts[triangle as usize]);
            fits(surface, &[node], corners, parts)
        };
        let edge_edge = |a: u32, b: u32| {
            let parts = (surface.edge_parts[a as usize], surface.edge_parts[b as usize]);
            fits(surface, &surface.edges[a as usize], &surface.edges[b as usize], parts)
        };
        let vertex_triangle = Criterion { rules: surface, reach, fits: vertex_triangle };
        let edge_edge = Criterion { rules: surface, reach, fits: edge_edge };
        self.finder.find(&self.vertices, Some(&self.triangles), &vertex_triangle, most, &mut candidates.vertex_triangle)
            && self.finder.find(&self.edges, None, &edge_edge, most, &mut candidates.edge_edge)
            && self.find_on_lines(surface, path, reach, most, &mut candidates.vertex_edge)
            && self.find_among_lone(surface, path, reach, most, &mut candidates.vertex_vertex)
    }

    /// Vertices at lines; the tree of the vertices is there.
    fn find_on_lines(&mut self, surface: &CollisionSurface, path: Path, reach: f64, most: usize, pairs: &mut Vec<(u32, u32)>) -> bool {
        let lines = &surface.lines;
        pairs.clear();
        if lines.features.is_empty() {
            return true;
        }
        self.lines.fit(surface, &lines.nodes, &lines.parts, path);
        let vertex_line = |vertex: u32, line: u32| {
            let (node, ends) = (surface.vertices[vertex as usize], &lines.nodes[line as usize]);
            let parts = (surface.vertex_parts[vertex as usize], lines.parts[line as usize]);
            // Of a surface, several edges meet what is round where one is nearest.
            let is_between_solids = surface.is_corner[vertex as usize] && surface.is_round(parts.1);
            !is_between_solids && fits(surface, &[node], ends, parts)
        };
        let vertex_line = Criterion { rules: surface, reach, fits: vertex_line };
        let few = self.finder.find(&self.vertices, Some(&self.lines), &vertex_line, most, pairs);
        pairs.iter_mut().for_each(|pair| pair.1 = lines.features[pair.1 as usize]);
        few
    }

    /// Points among one another.
    fn find_among_lone(&mut self, surface: &CollisionSurface, path: Path, reach: f64, most: usize, pairs: &mut Vec<(u32, u32)>) -> bool {
        let lone = &surface.lone;
        pairs.clear();
        if lone.features.is_empty() {
            return true;
        }
        self.lone.fit(surface, &lone.nodes, &lone.parts, path);
        let lone_lone = |a: u32, b: u32| {
            let parts = (lone.parts[a as usize], lone.parts[b as usize]);
            fits(surface, &lone.nodes[a as usize], &lone.nodes[b as usize], parts)
        };
        let few = self.finder.find(&self.lone, None, &Criterion { rules: surface, reach, fits: lone_lone }, most, pairs);
        pairs.iter_mut().for_each(|pair| *pair = (lone.features[pair.0 as usize], lone.features[pair.1 as usize]));
        few
    }
}

impl MeetingRules for CollisionSurface {
    #[inline]
    fn may_meet(&self, a: u32, b: u32) -> bool {
        self.may_touch(a, b)
    }
    fn radius(&self, part: u32) -> f64 {
        self.radius(part)
    }
    fn any_movable(&self, nodes: &[u32]) -> bool {
        self.any_movable(nodes)
    }
}

/// Whether two features may be a pair: they share no node and are not sewn together, one can move, and their parts may touch.
#[inline]
fn fits<const N: usize, const M: usize>(surface: &CollisionSurface, first: &[u32; N], second: &[u32; M], parts: (u32, u32)) -> bool {
    !surface.are_joined(first, second) && (surface.any_movable(first) || surface.any_movable(second)) && surface.may_touch(parts.0, parts.1)
}
