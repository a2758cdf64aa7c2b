//! The pairs that are really near: candidates -> weighted [`Stencil`]s of the nearest features.

use rayon::prelude::*;

use super::broad_phase::Candidates;
use super::pairs::{Pair, at};
use super::primitive::mollifier_width;
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

/// The stencils within a distance. The energy of all is the sum over all pairs of vertices and triangles, of edges, of vertices and lines
/// and of points: what several pairs have in common (their nearest features are the same two vertices, or vertex and edge) is one stencil with the
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
        let chunks = |kind: StencilKind| candidates.of(kind).len().div_ceil(CHUNK);
        self.found.resize_with(Candidates::KINDS.into_iter().map(chunks).sum(), Found::default);
        let mut left = &mut self.found[..];
        for kind in Candidates::KINDS {
            let of_kind = left.split_off_mut(..chunks(kind)).unwrap_or_default();
            of_kind.par_iter_mut().zip(candidates.of(kind).par_chunks(CHUNK)).for_each(|(found, pairs)| match kind {
                StencilKind::PointTriangle => {
                    found.fill(pairs.iter().filter_map(|&pair| vertex_triangle_stencil(surface, pair, x, reach)));
                }
                StencilKind::EdgeEdge => found.fill(pairs.iter().filter_map(|&pair| edge_edge_stencil(surface, pair, x, reach))),
                StencilKind::PointEdge | StencilKind::PointPoint => {
                    found.fill(pairs.iter().filter_map(|&features| point_stencil(surface, Pair { kind, features }, x, reach)));
                }
            });
        }
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

    /// Appends the shared stencils, those of the same nodes, reach and radius as one.
    fn merge(&mut self) {
        // Stable, so that weights are added up in the order of the pairs.
        self.shared
            .par_sort_by_key(|stencil| (std::cmp::Reverse(stencil.kind), stencil.nodes, stencil.reach.to_bits(), stencil.radius.to_bits()));
        let first = self.stencils.len();
        for stencil in &self.shared {
            match self.stencils[first..].last_mut() {
                Some(last) if last.nodes == stencil.nodes && last.reach == stencil.reach && last.radius == stencil.radius => {
                    last.weight += stencil.weight
                }
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
    let mut near = Candidates::default();
    for kind in Candidates::KINDS {
        let is_near = |&&features: &&(u32, u32)| distance_below(surface, Pair { kind, features }, x, distance).is_some();
        *near.of_mut(kind) = candidates.of(kind).par_iter().filter(is_near).copied().collect();
    }
    near
}

/// Distance of each pair at some positions [m], in the order of the candidates of each kind of [`Candidates::KINDS`]; 0 where it is not a
/// number.
#[derive(Debug, Clone, Default)]
pub(super) struct Distances([Vec<f64>; 4]);

impl Distances {
    /// Measures the pairs of `candidates` at `x` [m].
    pub fn measure(&mut self, surface: &CollisionSurface, candidates: &Candidates, x: &[Vec3]) {
        for (kind, distances) in Candidates::KINDS.into_iter().zip(&mut self.0) {
            let distance = |&features: &(u32, u32)| Pair { kind, features }.distance(surface, x).max(0.0);
            candidates.of(kind).par_iter().with_min_len(CHUNK).map(distance).collect_into_vec(distances);
        }
    }

    /// Each kind, with its distances.
    pub fn kinds(&self) -> impl Iterator<Item = (StencilKind, &[f64])> {
        Candidates::KINDS.into_iter().zip(self.0.iter().map(Vec::as_slice))
    }
}

/// Distance of a pair [m], less the radii of their parts, if it is below `limit`.
#[inline]
fn distance_below(surface: &CollisionSurface, pair: Pair, x: &[Vec3], limit: f64) -> Option<f64> {
    let radius = pair.radius(surface);
    let points = at(&pair.nodes(surface), x);
    let is_apart = match (pair.kind, points) {
        (StencilKind::PointTriangle, [p, a, b, c]) => apart(&[p], &[a, b, c], limit + radius),
        (StencilKind::EdgeEdge, [a, b, c, d]) => apart(&[a, b], &[c, d], limit + radius) || apart_across(&[a, b], &[c, d], limit + radius),
        (StencilKind::PointEdge, [p, a, b, _]) => apart(&[p], &[a, b], limit + radius),
        (StencilKind::PointPoint, [p, a, ..]) => apart(&[p], &[a], limit + radius),
    };
    if is_apart { None } else { below(pair.kind.nearest(&points).distance() - radius, limit) }
}

/// Weight of a pair of these parts with this area [m^2]. What is round is touched in one place, which has to bear what all vertices that
/// touch something flat bear together, and impacts: an edge that rolls on it by an angle a comes nearer by radius a^2 / 2, so that Newton's
/// method advances by the root of the gap.
#[inline]
fn weight(surface: &CollisionSurface, area: f64, parts: [u32; 2]) -> f64 {
    if parts.iter().any(|&part| surface.is_round(part)) {
        IMPACT * surface.movable_vertices as f64
    } else {
        SHARE * area / surface.mean_vertex_area
    }
}

fn vertex_triangle_stencil(surface: &CollisionSurface, features: (u32, u32), x: &[Vec3], reach: &Reach) -> Option<Stencil> {
    let pair = Pair { kind: StencilKind::PointTriangle, features };
    let (vertex, triangle) = (features.0 as usize, features.1 as usize);
    let nodes = pair.nodes(surface);
    let share = reach.share(&nodes);
    distance_below(surface, pair, x, share * reach.distance())?;
    let area = if surface.any_movable(&nodes[..1]) {
        surface.vertex_areas[vertex]
    } else {
        surface.vertex_areas[vertex].min(surface.triangle_areas[triangle])
    };
    let radius = pair.radius(surface);
    Some(Stencil::point_triangle(nodes, x, PairTraits { weight: weight(surface, area, pair.parts(surface)), radius, reach: share }))
}

fn edge_edge_stencil(surface: &CollisionSurface, features: (u32, u32), x: &[Vec3], reach: &Reach) -> Option<Stencil> {
    let pair = Pair { kind: StencilKind::EdgeEdge, features };
    let (first, second) = (features.0 as usize, features.1 as usize);
    let nodes = pair.nodes(surface);
    let share = reach.share(&nodes);
    distance_below(surface, pair, x, share * reach.distance())?;
    let area = both(surface, &nodes, 2, [surface.edge_areas[first], surface.edge_areas[second]]);
    let rest = |edge: usize| Vec3::x() * surface.edge_lengths[edge];
    let mollifier = mollifier_width(&Vec3::zeros(), &rest(first), &Vec3::zeros(), &rest(second));
    let radius = pair.radius(surface);
    Some(Stencil::edge_edge(nodes, x, mollifier, PairTraits { weight: weight(surface, area, pair.parts(surface)), radius, reach: share }))
}

/// The stencil of a vertex and a line, or of two points.
fn point_stencil(surface: &CollisionSurface, pair: Pair, x: &[Vec3], reach: &Reach) -> Option<Stencil> {
    let (first, second) = (pair.features.0 as usize, pair.features.1 as usize);
    let nodes = pair.nodes(surface);
    let share = reach.share(&nodes);
    distance_below(surface, pair, x, share * reach.distance())?;
    let areas = &surface.vertex_areas;
    let area = match pair.kind {
        // Each point is asked about each other once only, as edges are.
        StencilKind::PointPoint => both(surface, &nodes, 1, [areas[first], areas[second]]),
        _ if surface.any_movable(&nodes[..1]) => areas[first],
        _ => areas[first].min(surface.edge_areas[second]),
    };
    let radius = pair.radius(surface);
    Some(Stencil::point(pair.kind, nodes, x, PairTraits { weight: weight(surface, area, pair.parts(surface)), radius, reach: share }))
}

/// Sum of the areas of two features, the first of which has `count` of `nodes`. Of a floor of two triangles the area says nothing about
/// what lies on it: what cannot move counts for no more than what touches it.
fn both(surface: &CollisionSurface, nodes: &[u32; 4], count: usize, [first, second]: [f64; 2]) -> f64 {
    let second_nodes = &nodes[count..2 * count];
    match (surface.any_movable(&nodes[..count]), surface.any_movable(second_nodes)) {
        (true, true) => first + second,
        (true, false) => first + second.min(first),
        (false, _) => second + first.min(second),
    }
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
pub(crate) mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use crate::contact::barrier::{Barrier, BarrierKind};
    use crate::contact::broad_phase::BroadPhase;
    use crate::contact::primitive::{Mollifier, edge_edge, point_triangle};
    use crate::contact::surface::{PairRules, PartForm, PartInput};
    use crate::math::random::Random;

    /// Least distance of the pairs of `candidates` at `x` [m].
    pub fn min_distance(surface: &CollisionSurface, candidates: &Candidates, x: &[Vec3]) -> f64 {
        let mut distances = Distances::default();
        distances.measure(surface, candidates, x);
        distances.0.into_iter().flatten().fold(f64::INFINITY, f64::min)
    }

    const BARRIER: Barrier = Barrier { distance: 0.3, stiffness: 7.0, kind: BarrierKind::C2 };

    fn bodies(x: &[Vec3], parts: &[&[[u32; 3]]], movable: Vec<bool>) -> CollisionSurface {
        let part = |triangles: &&[[u32; 3]]| PartInput::triangles("body", triangles.to_vec());
        CollisionSurface::new(x, parts.iter().map(part).collect(), PairRules::all_touch(parts.len(), 0.0), movable).unwrap()
    }

    /// Half of the nodes reach less far.
    pub fn mixed(nodes: usize) -> Reach {
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
    pub fn sheets(seed: u64) -> (CollisionSurface, Vec<Vec3>, Vec<Vec3>) {
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
