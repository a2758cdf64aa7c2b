//! The pairs that are really near: candidates -> weighted [`Stencil`]s of the nearest features.

use rayon::prelude::*;

use super::broad_phase::Candidates;
use super::primitive::{edge_edge, mollifier_width, point_triangle};
use super::stencil::{Stencil, StencilKind};
use super::surface::CollisionSurface;
use crate::math::Vec3;

/// Candidates that are looked at together.
const CHUNK: usize = 2048;
/// The barrier's integral over all surfaces counts each contact from both sides, hence a half; it is measured once with
/// vertices on triangles and once with edges on edges, of which the mean is taken, hence another.
const SHARE: f64 = 0.25;

/// The stencils within a distance. The energy of all is the sum over all pairs of vertices and triangles and of edges: what
/// several pairs have in common (their nearest features are the same two vertices, or vertex and edge) is one stencil with the
/// sum of their weights.
///
/// Weights are areas (Li et al. 2020, section 4; the lists of a [`CollisionSurface`]) over the mean vertex area, so that the
/// barrier's stiffness remains that of a node [N/m].
#[derive(Debug, Clone, Default)]
pub struct ActiveSet {
    /// The stencils: point-triangle and edge-edge in the order of their pairs, then point-edge and point-point by nodes.
    stencils: Vec<Stencil>,
    found: Vec<Found>,
    shared: Vec<Stencil>,
}

/// What a chunk of candidates has led to.
#[derive(Debug, Clone, Default)]
struct Found {
    /// Stencils of four nodes, which no other pair has.
    own: Vec<Stencil>,
    /// Stencils of fewer nodes.
    shared: Vec<Stencil>,
}

impl ActiveSet {
    /// Takes in the pairs of `candidates` that at `x` [m] are nearer than `distance` [m].
    pub fn update(&mut self, surface: &CollisionSurface, candidates: &Candidates, x: &[Vec3], distance: f64) {
        let (vertex_triangle, edge_edge) = (&candidates.vertex_triangle, &candidates.edge_edge);
        let of_triangles = vertex_triangle.len().div_ceil(CHUNK);
        self.found.resize_with(of_triangles + edge_edge.len().div_ceil(CHUNK), Found::default);
        let (first, second) = self.found.split_at_mut(of_triangles);
        first.par_iter_mut().zip(vertex_triangle.par_chunks(CHUNK)).for_each(|(found, pairs)| {
            found.fill(pairs.iter().filter_map(|&pair| vertex_triangle_stencil(surface, pair, x, distance)));
        });
        second.par_iter_mut().zip(edge_edge.par_chunks(CHUNK)).for_each(|(found, pairs)| {
            found.fill(pairs.iter().filter_map(|&pair| edge_edge_stencil(surface, pair, x, distance)));
        });
        self.stencils.clear();
        self.shared.clear();
        for found in &self.found {
            self.stencils.extend_from_slice(&found.own);
            self.shared.extend_from_slice(&found.shared);
        }
        self.merge();
    }

    /// The stencils.
    pub fn stencils(&self) -> &[Stencil] {
        &self.stencils
    }

    /// Appends the shared stencils, those of the same nodes as one.
    fn merge(&mut self) {
        // Stable, so that weights are added up in the order of the pairs.
        self.shared.par_sort_by_key(|stencil| (std::cmp::Reverse(stencil.kind), stencil.nodes));
        let first = self.stencils.len();
        for stencil in &self.shared {
            match self.stencils[first..].last_mut() {
                Some(last) if last.nodes == stencil.nodes => last.weight += stencil.weight,
                _ => self.stencils.push(*stencil),
            }
        }
    }
}

impl Found {
    fn fill(&mut self, stencils: impl Iterator<Item = Stencil>) {
        self.own.clear();
        self.shared.clear();
        for stencil in stencils {
            let list = match stencil.kind {
                StencilKind::PointTriangle | StencilKind::EdgeEdge => &mut self.own,
                StencilKind::PointEdge | StencilKind::PointPoint => &mut self.shared,
            };
            list.push(stencil);
        }
    }
}

/// Least distance of the pairs of `candidates` at `x` [m], but infinite if it is not below `limit` [m].
pub fn min_distance(surface: &CollisionSurface, candidates: &Candidates, x: &[Vec3], limit: f64) -> f64 {
    let least = |pairs: &[(u32, u32)], squared: &(dyn Fn((u32, u32), f64) -> Option<f64> + Sync)| {
        pairs.iter().fold(limit, |least, &pair| squared(pair, least).map_or(least, f64::sqrt))
    };
    let of_triangle = |pair: (u32, u32), within: f64| {
        let (p, [a, b, c]) = vertex_triangle_points(surface, pair, x);
        if apart(&[p], &[a, b, c], within) { None } else { below(point_triangle(&p, &a, &b, &c).squared_distance(), within) }
    };
    let of_edges = |pair: (u32, u32), within: f64| {
        let ([a, b], [c, d]) = edge_edge_points(surface, pair, x);
        if apart(&[a, b], &[c, d], within) { None } else { below(edge_edge(&a, &b, &c, &d).squared_distance(), within) }
    };
    let first = candidates.vertex_triangle.par_chunks(CHUNK).map(|pairs| least(pairs, &of_triangle));
    let second = candidates.edge_edge.par_chunks(CHUNK).map(|pairs| least(pairs, &of_edges));
    let least = first.chain(second).reduce(|| limit, f64::min);
    if least < limit { least } else { f64::INFINITY }
}

fn vertex_triangle_points(surface: &CollisionSurface, (vertex, triangle): (u32, u32), x: &[Vec3]) -> (Vec3, [Vec3; 3]) {
    let at = |node: u32| x[node as usize];
    (at(surface.vertices[vertex as usize]), surface.triangles[triangle as usize].map(at))
}

fn edge_edge_points(surface: &CollisionSurface, (a, b): (u32, u32), x: &[Vec3]) -> ([Vec3; 2], [Vec3; 2]) {
    let at = |node: u32| x[node as usize];
    (surface.edges[a as usize].map(at), surface.edges[b as usize].map(at))
}

fn vertex_triangle_stencil(surface: &CollisionSurface, pair: (u32, u32), x: &[Vec3], distance: f64) -> Option<Stencil> {
    let (p, [a, b, c]) = vertex_triangle_points(surface, pair, x);
    if apart(&[p], &[a, b, c], distance) {
        return None;
    }
    below(point_triangle(&p, &a, &b, &c).squared_distance(), distance)?;
    let (vertex, triangle) = (pair.0 as usize, pair.1 as usize);
    let (node, [i, j, k]) = (surface.vertices[vertex], surface.triangles[triangle]);
    let area = if surface.any_movable(&[node]) {
        surface.vertex_areas[vertex]
    } else {
        surface.vertex_areas[vertex].min(surface.triangle_areas[triangle])
    };
    Some(Stencil::point_triangle([node, i, j, k], x, SHARE * area / surface.mean_vertex_area))
}

fn edge_edge_stencil(surface: &CollisionSurface, pair: (u32, u32), x: &[Vec3], distance: f64) -> Option<Stencil> {
    let ([a, b], [c, d]) = edge_edge_points(surface, pair, x);
    if apart(&[a, b], &[c, d], distance) {
        return None;
    }
    below(edge_edge(&a, &b, &c, &d).squared_distance(), distance)?;
    let (first, second) = (pair.0 as usize, pair.1 as usize);
    let (areas, lengths) = (&surface.edge_areas, &surface.edge_lengths);
    let ([i, j], [k, l]) = (surface.edges[first], surface.edges[second]);
    // Of a floor of two triangles the area says nothing about what lies on it: what cannot move counts for no more
    // than what touches it.
    let area = match (surface.any_movable(&[i, j]), surface.any_movable(&[k, l])) {
        (true, true) => areas[first] + areas[second],
        (true, false) => areas[first] + areas[second].min(areas[first]),
        (false, _) => areas[second] + areas[first].min(areas[second]),
    };
    let rest = |edge: usize| Vec3::x() * lengths[edge];
    let mollifier = mollifier_width(&Vec3::zeros(), &rest(first), &Vec3::zeros(), &rest(second));
    Some(Stencil::edge_edge([i, j, k, l], x, SHARE * area / surface.mean_vertex_area, mollifier))
}

/// Whether an axis separates the bounding boxes of two sets of points by `distance` or more.
#[inline]
fn apart<const N: usize, const M: usize>(first: &[Vec3; N], second: &[Vec3; M], distance: f64) -> bool {
    let low = |points: &[Vec3]| points[1..].iter().fold(points[0], |low, p| low.inf(p));
    let high = |points: &[Vec3]| points[1..].iter().fold(points[0], |high, p| high.sup(p));
    let gap = (low(first) - high(second)).sup(&(low(second) - high(first)));
    gap.max() >= distance
}

/// The square of a distance, if that is below `distance`.
#[inline]
fn below(squared: f64, distance: f64) -> Option<f64> {
    (squared < distance * distance).then_some(squared)
}
