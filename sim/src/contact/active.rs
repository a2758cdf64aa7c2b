//! The pairs that are really near: candidates -> weighted [`Stencil`]s of the nearest features.

use rayon::prelude::*;

use super::broad_phase::Candidates;
use super::primitive::{edge_edge, mollifier_width, point_triangle};
use super::reach::Reach;
use super::stencil::{PairTraits, Stencil, StencilKind};
use super::surface::CollisionSurface;
use crate::math::Vec3;

/// Candidates that are looked at together.
const CHUNK: usize = 2048;
/// The barrier's integral over all surfaces counts each contact from both sides, hence a half; it is measured once with
/// vertices on triangles and once with edges on edges, of which the mean is taken, hence another.
const SHARE: f64 = 0.25;
/// Weight of a pair of which one is round, by the number of vertices that can move: at an acceleration of about a thousand times that of
/// gravity, as when something that falls at 100 m/s stops within 0.01 s, the barrier is half closed.
const IMPACT: f64 = 200.0;

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
    /// Takes in the pairs of `candidates` that at `x` [m] are nearer than their reach.
    pub fn update(&mut self, surface: &CollisionSurface, candidates: &Candidates, x: &[Vec3], reach: &Reach) {
        let (vertex_triangle, edge_edge) = (&candidates.vertex_triangle, &candidates.edge_edge);
        let of_triangles = vertex_triangle.len().div_ceil(CHUNK);
        self.found.resize_with(of_triangles + edge_edge.len().div_ceil(CHUNK), Found::default);
        let (first, second) = self.found.split_at_mut(of_triangles);
        first.par_iter_mut().zip(vertex_triangle.par_chunks(CHUNK)).for_each(|(found, pairs)| {
            found.fill(pairs.iter().filter_map(|&pair| vertex_triangle_stencil(surface, pair, x, reach)));
        });
        second.par_iter_mut().zip(edge_edge.par_chunks(CHUNK)).for_each(|(found, pairs)| {
            found.fill(pairs.iter().filter_map(|&pair| edge_edge_stencil(surface, pair, x, reach)));
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

    /// Appends the shared stencils, those of the same nodes and reach as one.
    fn merge(&mut self) {
        // Stable, so that weights are added up in the order of the pairs.
        self.shared.par_sort_by_key(|stencil| (std::cmp::Reverse(stencil.kind), stencil.nodes, stencil.reach.to_bits()));
        let first = self.stencils.len();
        for stencil in &self.shared {
            match self.stencils[first..].last_mut() {
                Some(last) if last.nodes == stencil.nodes && last.reach == stencil.reach => last.weight += stencil.weight,
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

/// The pairs of `candidates` that at `x` [m] are nearer than `distance` [m].
pub(super) fn near(surface: &CollisionSurface, candidates: &Candidates, x: &[Vec3], distance: f64) -> Candidates {
    let vertex_triangle =
        candidates.vertex_triangle.par_iter().filter(|&&pair| vertex_triangle_distance(surface, pair, x, distance).is_some());
    let edge_edge = candidates.edge_edge.par_iter().filter(|&&pair| edge_edge_distance(surface, pair, x, distance).is_some());
    Candidates { vertex_triangle: vertex_triangle.copied().collect(), edge_edge: edge_edge.copied().collect() }
}

/// Distance of each pair of `candidates` at `x` [m], those of vertices and triangles and those of edges; 0 where it is not a number.
pub(super) fn distances(
    surface: &CollisionSurface,
    candidates: &Candidates,
    x: &[Vec3],
    of_vertices: &mut Vec<f64>,
    of_edges: &mut Vec<f64>,
) {
    let vertex_triangle = |&pair: &(u32, u32)| {
        let (p, [a, b, c]) = vertex_triangle_points(surface, pair, x);
        (point_triangle(&p, &a, &b, &c).distance() - radius_of_vertex(surface, pair)).max(0.0)
    };
    let edge_edge_distance = |&pair: &(u32, u32)| {
        let ([a, b], [c, d]) = edge_edge_points(surface, pair, x);
        (edge_edge(&a, &b, &c, &d).distance() - radius_of_edges(surface, pair)).max(0.0)
    };
    candidates.vertex_triangle.par_iter().with_min_len(CHUNK).map(vertex_triangle).collect_into_vec(of_vertices);
    candidates.edge_edge.par_iter().with_min_len(CHUNK).map(edge_edge_distance).collect_into_vec(of_edges);
}

fn vertex_triangle_points(surface: &CollisionSurface, (vertex, triangle): (u32, u32), x: &[Vec3]) -> (Vec3, [Vec3; 3]) {
    let at = |node: u32| x[node as usize];
    (at(surface.vertices[vertex as usize]), surface.triangles[triangle as usize].map(at))
}

fn edge_edge_points(surface: &CollisionSurface, (a, b): (u32, u32), x: &[Vec3]) -> ([Vec3; 2], [Vec3; 2]) {
    let at = |node: u32| x[node as usize];
    (surface.edges[a as usize].map(at), surface.edges[b as usize].map(at))
}

/// How far the parts of a vertex and a triangle reach around them, together [m].
#[inline]
pub(super) fn radius_of_vertex(surface: &CollisionSurface, (vertex, triangle): (u32, u32)) -> f64 {
    surface.radius(surface.vertex_parts[vertex as usize]) + surface.radius(surface.triangle_parts[triangle as usize])
}

/// The same of two edges [m].
#[inline]
pub(super) fn radius_of_edges(surface: &CollisionSurface, (a, b): (u32, u32)) -> f64 {
    surface.radius(surface.edge_parts[a as usize]) + surface.radius(surface.edge_parts[b as usize])
}

/// Distance of a vertex and a triangle [m], less the radii of their parts, if it is below `limit`.
#[inline]
fn vertex_triangle_distance(surface: &CollisionSurface, pair: (u32, u32), x: &[Vec3], limit: f64) -> Option<f64> {
    let (p, [a, b, c]) = vertex_triangle_points(surface, pair, x);
    let radius = radius_of_vertex(surface, pair);
    if apart(&[p], &[a, b, c], limit + radius) {
        return None;
    }
    below(point_triangle(&p, &a, &b, &c).distance() - radius, limit)
}

/// Distance of two edges [m], less the radii of their parts, if it is below `limit`.
#[inline]
fn edge_edge_distance(surface: &CollisionSurface, pair: (u32, u32), x: &[Vec3], limit: f64) -> Option<f64> {
    let ([a, b], [c, d]) = edge_edge_points(surface, pair, x);
    let radius = radius_of_edges(surface, pair);
    if apart(&[a, b], &[c, d], limit + radius) || apart_across(&[a, b], &[c, d], limit + radius) {
        return None;
    }
    below(edge_edge(&a, &b, &c, &d).distance() - radius, limit)
}

/// Weight of a pair with this area [m^2] and radius [m]. What is round is touched in one place, which has to bear what all vertices that
/// touch something flat bear together, and impacts: an edge that rolls on it by an angle a comes nearer by radius a^2 / 2, so that Newton's
/// method advances by the root of the gap.
#[inline]
fn weight(surface: &CollisionSurface, area: f64, radius: f64) -> f64 {
    if radius > 0.0 { IMPACT * surface.movable_vertices as f64 } else { SHARE * area / surface.mean_vertex_area }
}

fn vertex_triangle_stencil(surface: &CollisionSurface, pair: (u32, u32), x: &[Vec3], reach: &Reach) -> Option<Stencil> {
    let (vertex, triangle) = (pair.0 as usize, pair.1 as usize);
    let (node, [i, j, k]) = (surface.vertices[vertex], surface.triangles[triangle]);
    let share = reach.share(&[node, i, j, k]);
    vertex_triangle_distance(surface, pair, x, share * reach.distance())?;
    let area = if surface.any_movable(&[node]) {
        surface.vertex_areas[vertex]
    } else {
        surface.vertex_areas[vertex].min(surface.triangle_areas[triangle])
    };
    let radius = radius_of_vertex(surface, pair);
    Some(Stencil::point_triangle([node, i, j, k], x, PairTraits { weight: weight(surface, area, radius), radius, reach: share }))
}

fn edge_edge_stencil(surface: &CollisionSurface, pair: (u32, u32), x: &[Vec3], reach: &Reach) -> Option<Stencil> {
    let (first, second) = (pair.0 as usize, pair.1 as usize);
    let (areas, lengths) = (&surface.edge_areas, &surface.edge_lengths);
    let ([i, j], [k, l]) = (surface.edges[first], surface.edges[second]);
    let share = reach.share(&[i, j, k, l]);
    edge_edge_distance(surface, pair, x, share * reach.distance())?;
    // Of a floor of two triangles the area says nothing about what lies on it: what cannot move counts for no more
    // than what touches it.
    let area = match (surface.any_movable(&[i, j]), surface.any_movable(&[k, l])) {
        (true, true) => areas[first] + areas[second],
        (true, false) => areas[first] + areas[second].min(areas[first]),
        (false, _) => areas[second] + areas[first].min(areas[second]),
    };
    let rest = |edge: usize| Vec3::x() * lengths[edge];
    let mollifier = mollifier_width(&Vec3::zeros(), &rest(first), &Vec3::zeros(), &rest(second));
    let radius = radius_of_edges(surface, pair);
    Some(Stencil::edge_edge([i, j, k, l], x, mollifier, PairTraits { weight: weight(surface, area, radius), radius, reach: share }))
}

/// Whether an axis separates the bounding boxes of two sets of points by `distance` or more.
#[inline]
fn apart<const N: usize, const M: usize>(first: &[Vec3; N], second: &[Vec3; M], distance: f64) -> bool {
    let low = |points: &[Vec3]| points[1..].iter().fold(points[0], |low, p| low.inf(p));
    let high = |points: &[Vec3]| points[1..].iter().fold(points[0], |high, p| high.sup(p));
    let gap = (low(first) - high(second)).sup(&(low(second) - high(first)));
    gap.max() >= distance
}

/// Whether a direction across one of two edges, towards the middle of the other, separates them by `distance` or more: most
/// neighbours on one surface, for less than the price of their distance.
#[inline]
fn apart_across([a, b]: &[Vec3; 2], [c, d]: &[Vec3; 2], distance: f64) -> bool {
    let (first, second, between) = (b - a, d - c, c - a);
    let towards = between + 0.5 * (second - first);
    [first, second].iter().any(|edge| {
        let across = edge.norm_squared() * towards - edge.dot(&towards) * edge;
        let (start, end) = (between.dot(&across), (between + second).dot(&across));
        let gap = start.min(end) - first.dot(&across).max(0.0);
        gap > 0.0 && gap * gap >= distance * distance * across.norm_squared()
    })
}

#[inline]
fn below(distance: f64, limit: f64) -> Option<f64> {
    (distance < limit).then_some(distance)
}

#[cfg(test)]
pub(super) mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use crate::contact::barrier::{Barrier, BarrierKind};
    use crate::contact::broad_phase::BroadPhase;
    use crate::contact::primitive::Mollifier;
    use crate::contact::surface::{PairRules, PartForm, PartInput};
    use crate::math::random::Random;

    /// Least distance of the pairs of `candidates` at `x` [m].
    pub fn min_distance(surface: &CollisionSurface, candidates: &Candidates, x: &[Vec3]) -> f64 {
        let (mut of_vertices, mut of_edges) = (Vec::new(), Vec::new());
        distances(surface, candidates, x, &mut of_vertices, &mut of_edges);
        of_vertices.into_iter().chain(of_edges).fold(f64::INFINITY, f64::min)
    }

    const BARRIER: Barrier = Barrier { distance: 0.3, stiffness: 7.0, kind: BarrierKind::C2 };

    fn bodies(x: &[Vec3], parts: &[&[[u32; 3]]], movable: Vec<bool>) -> CollisionSurface {
        let part = |triangles: &&[[u32; 3]]| PartInput::triangles("body", triangles.to_vec());
        CollisionSurface::new(x, parts.iter().map(part).collect(), PairRules::all_touch(parts.len(), 0.0), movable).unwrap()
    }

    /// Half of the nodes reach less far.
    fn mixed(nodes: usize) -> Reach {
        let mut random = Random::new(nodes as u64);
        let shares = (0..nodes).map(|node| if node % 2 == 0 { random.uniform(0.5, 1.0) } else { 1.0 });
        Reach::of_shares(BARRIER.distance, shares.collect())
    }

    fn active(surface: &CollisionSurface, x: &[Vec3], reach: &Reach) -> (ActiveSet, Candidates) {
        let mut candidates = Candidates::default();
        BroadPhase::default().find(surface, x, 2.0 * BARRIER.distance, &mut candidates);
        let mut active = ActiveSet::default();
        active.update(surface, &candidates, x, reach);
        (active, candidates)
    }

    fn energy(surface: &CollisionSurface, x: &[Vec3], reach: &Reach) -> f64 {
        active(surface, x, reach).0.stencils().iter().map(|stencil| stencil.energy(&BARRIER, x)).sum()
    }

    fn gradient(surface: &CollisionSurface, x: &[Vec3]) -> Vec<Vec3> {
        let mut gradient = vec![Vec3::zeros(); x.len()];
        for stencil in active(surface, x, &mixed(x.len())).0.stencils() {
            for (&node, g) in stencil.nodes.iter().zip(stencil.gradient(&BARRIER, x)).filter(|&(&node, _)| node != u32::MAX) {
                gradient[node as usize] += g;
            }
        }
        gradient
    }

    /// Two bumpy sheets, one above the other: 3 x 3 squares each.
    fn sheets(seed: u64) -> (CollisionSurface, Vec<Vec3>, Vec<Vec3>) {
        let mut random = Random::new(seed);
        let mut rest = Vec::new();
        for sheet in 0..2 {
            for node in 0..16 {
                let flat = Vec3::new(f64::from(node / 4), f64::from(node % 4), 0.6 * f64::from(sheet));
                rest.push(flat + random.vector(-0.1, 0.1));
            }
        }
        let triangles = |first: u32| -> Vec<[u32; 3]> {
            let squares = (0..3).flat_map(|i| (0..3).map(move |j| first + 4 * i + j));
            squares.flat_map(|q| [[q, q + 4, q + 1], [q + 1, q + 4, q + 5]]).collect()
        };
        let surface = bodies(&rest, &[&triangles(0), &triangles(16)], vec![true; 32]);
        // Pressed together: within the barrier's distance, but nowhere through each other.
        let x = rest.iter().map(|p| Vec3::new(p.x, p.y, p.z - if p.z > 0.3 { 0.35 } else { 0.0 })).collect();
        (surface, rest, x)
    }

    #[test]
    fn energy_is_the_sum_over_all_pairs_with_areas_as_weights() {
        for seed in 0..5 {
            let (surface, _, x) = sheets(seed);
            let mean = surface.vertex_areas.iter().sum::<f64>() / surface.vertices.len() as f64;
            let at = |node: u32| x[node as usize];
            let reach = if seed == 0 { Reach::far(BARRIER.distance) } else { mixed(x.len()) };
            let (mut expected, mut pairs) = (0.0, 0);
            for (v, &node) in surface.vertices.iter().enumerate() {
                for corners in surface.triangles.iter().filter(|corners| !corners.contains(&node)) {
                    let [a, b, c] = corners.map(at);
                    let barrier = BARRIER.narrowed(reach.share(&[node, corners[0], corners[1], corners[2]]));
                    let pair = barrier.energy(point_triangle(&at(node), &a, &b, &c).distance());
                    expected += 0.5 * 0.5 * surface.vertex_areas[v] / mean * pair;
                    pairs += usize::from(pair > 0.0);
                }
            }
            for (i, first) in surface.edges.iter().enumerate() {
                for (j, second) in surface.edges.iter().enumerate().skip(i + 1).filter(|(_, e)| !e.iter().any(|node| first.contains(node)))
                {
                    let [a, b, c, d] = [first[0], first[1], second[0], second[1]].map(at);
                    let width = 1e-3 * (surface.edge_lengths[i] * surface.edge_lengths[j]).powi(2);
                    let barrier = BARRIER.narrowed(reach.share(&[first[0], first[1], second[0], second[1]]));
                    let pair = Mollifier::new(&[a, b, c, d], width).value() * barrier.energy(edge_edge(&a, &b, &c, &d).distance());
                    expected += 0.5 * 0.5 * (surface.edge_areas[i] + surface.edge_areas[j]) / mean * pair;
                    pairs += usize::from(pair > 0.0);
                }
            }
            let (found, _) = active(&surface, &x, &reach);
            let merged = energy(&surface, &x, &reach);
            assert!(expected.is_finite() && expected > 0.0 && (merged - expected).abs() < 1e-12 * expected, "{merged} {expected}");
            assert!(found.stencils().len() < pairs, "nothing was merged: {pairs} pairs");
            let mut places: Vec<_> = found.stencils().iter().map(|s| (s.kind, s.nodes, s.reach.to_bits())).collect();
            places.sort_unstable();
            places.dedup();
            assert_eq!(places.len(), found.stencils().len(), "a place twice");
        }
    }

    /// Corner to corner: three triangles and three edges on both sides have the same nearest pair of vertices.
    #[test]
    fn pairs_with_the_same_nearest_features_are_one_stencil() {
        let corner = [Vec3::new(-1.0, 1.0, -1.0), Vec3::new(-1.0, -1.0, -1.0), Vec3::new(-1.0, 0.0, 1.0)];
        let mut x = vec![Vec3::new(-0.1, 0.0, 0.0)];
        x.extend(corner);
        x.push(Vec3::new(0.1, 0.0, 0.0));
        x.extend(corner.map(|p| Vec3::new(1.0, 0.8 * p.z, 1.1 * p.y)));
        let faces = |first: u32| [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]].map(|t: [u32; 3]| t.map(|n| n + first));
        let surface = bodies(&x, &[&faces(0), &faces(4)], vec![true; 8]);
        let (found, candidates) = active(&surface, &x, &Reach::far(BARRIER.distance));
        assert_eq!(found.stencils().len(), 1);
        let stencil = found.stencils()[0];
        assert_eq!((stencil.kind, &stencil.nodes[..2]), (StencilKind::PointPoint, &[0, 4][..]));
        let edges = |part: usize, tip: u32| {
            let edges = surface.parts[part].edges.clone().filter(|&e| surface.edges[e][0] == tip);
            edges.map(|e| surface.edge_areas[e]).sum::<f64>()
        };
        let vertices = 3.0 * (surface.vertex_areas[0] + surface.vertex_areas[4]);
        let expected = 0.25 * (vertices + 3.0 * (edges(0, 0) + edges(1, 4))) / surface.mean_vertex_area;
        assert!((stencil.weight - expected).abs() < 1e-14, "{} {expected}", stencil.weight);
        assert!((min_distance(&surface, &candidates, &x) - 0.2).abs() < 1e-15);
    }

    /// Forces do not jump where nearest features change: along a path over vertices, edges and past parallel edges, the
    /// largest change of the gradient falls with the length of the steps.
    #[test]
    fn forces_are_continuous_where_the_nearest_feature_changes() {
        for seed in 0..2 {
            let (surface, rest, x) = sheets(seed);
            let largest_jump = |steps: u32| {
                let along = |i: u32| -> Vec<Vec3> {
                    let s = f64::from(i) / f64::from(steps);
                    // The upper sheet slides by more than a square, and turns through parallel positions of its edges.
                    let (sin, cos) = (0.4 * (s - 0.5)).sin_cos();
                    let moved = |p: &Vec3, r: &Vec3| {
                        let shift = Vec3::new(1.3 * s - 0.6, 0.7 * s - 0.3, 0.1);
                        if r.z > 0.3 { Vec3::new(cos * p.x - sin * p.y, sin * p.x + cos * p.y, p.z) + shift } else { *p }
                    };
                    x.iter().zip(&rest).map(|(p, r)| moved(p, r)).collect()
                };
                let gradients: Vec<_> = (0..=steps).into_par_iter().map(|i| gradient(&surface, &along(i))).collect();
                let jump = |pair: &[Vec<Vec3>]| pair[0].iter().zip(&pair[1]).map(|(a, b)| (b - a).norm()).fold(0.0, f64::max);
                let scale = gradients.iter().flatten().map(|g| g.norm()).fold(0.0, f64::max);
                assert!(scale > 0.1 && scale.is_finite(), "{scale}");
                gradients.windows(2).map(jump).fold(0.0, f64::max) / scale
            };
            let (coarse, fine) = (largest_jump(500), largest_jump(8_000));
            assert!(fine < 0.15 * coarse, "seed {seed}: {coarse:.2e} at 500 steps, {fine:.2e} at 8000");
        }
    }

    #[test]
    fn a_wide_floor_counts_for_no_more_than_what_lies_on_it() {
        let floor = [Vec3::new(-100.0, -100.0, 0.0), Vec3::new(100.0, -100.0, 0.0), Vec3::new(0.0, 100.0, 0.0)];
        let above = [Vec3::new(-0.05, -100.02, 0.1), Vec3::new(0.07, -99.9, 0.1), Vec3::new(0.0, -99.9, 0.2)];
        for floor_is_first in [true, false] {
            let x = if floor_is_first { [floor, above].concat() } else { [above, floor].concat() };
            let movable = (0..6).map(|node| (node < 3) != floor_is_first).collect();
            let surface = bodies(&x, &[&[[0, 1, 2]], &[[3, 4, 5]]], movable);
            let own = if floor_is_first { 3 } else { 0 };
            assert!((surface.mean_vertex_area / surface.vertex_areas[own] - 1.0).abs() < 1e-12);
            let (found, _) = active(&surface, &x, &Reach::far(BARRIER.distance));
            assert!(found.stencils().iter().any(|stencil| stencil.kind == StencilKind::EdgeEdge));
            assert!(found.stencils().iter().all(|stencil| stencil.weight <= 1.5), "{:?}", found.stencils());
        }
    }

    /// A ball is touched in one place, which bears what all that can move would bear, and as near as its radius: twice as many vertices
    /// make it twice as stiff.
    #[test]
    fn what_is_round_bears_as_much_as_all_that_can_move() {
        let weights = [1, 2].map(|sheets: u32| {
            let sheet = |k: u32| {
                [Vec3::new(-1.0, -1.0, 0.0), Vec3::new(2.0, -1.0, 0.0), Vec3::new(-1.0, 2.0, 0.0)]
                    .map(|p| p + f64::from(k) * 9.0 * Vec3::z())
            };
            let mut x: Vec<Vec3> = (0..sheets).flat_map(sheet).collect();
            x.push(Vec3::new(0.1, 0.1, 0.7));
            let mut parts: Vec<_> = (0..sheets).map(|k| PartInput::triangles("sheet", vec![[3 * k, 3 * k + 1, 3 * k + 2]])).collect();
            parts.push(PartInput { name: "ball".into(), form: PartForm::Round { chain: vec![3 * sheets], radius: 0.5 } });
            let movable = (0..=3 * sheets).map(|node| node < 3 * sheets).collect();
            let rules = PairRules::all_touch(parts.len(), 0.0);
            let surface = CollisionSurface::new(&x, parts, rules, movable).unwrap();
            let (found, candidates) = active(&surface, &x, &Reach::far(BARRIER.distance));
            let [stencil] = found.stencils() else { panic!("{:?}", found.stencils()) };
            assert!((stencil.distance(&x) - 0.2).abs() < 1e-15 && (min_distance(&surface, &candidates, &x) - 0.2).abs() < 1e-15);
            stencil.weight
        });
        assert!(weights[0] > 1.0 && (weights[1] / weights[0] - 2.0).abs() < 1e-12, "{weights:?}");
    }
}
