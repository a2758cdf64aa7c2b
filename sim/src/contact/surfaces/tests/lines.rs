//! Nets, strands and points among themselves and with solids: derivatives, conservation, coverage, and steps that never pass through.

use super::derivatives::check_differences;
use super::*;
use crate::contact::StencilKind;
use crate::contact::broad_phase::{BroadPhase, Candidates};
use crate::contact::pairs::{Pair, at};
use crate::math::random::Random;

/// Layers on one another: a block, two nets turned against each other and, if wanted, points over the lines of the upper net and points
/// over these. Far apart in the given shape, [`REACH`] / 2 in the positions that are returned, with those a little later.
fn layers(seed: u64, friction: f64, points: bool) -> (System, Vec<Vec3>, Vec<Vec3>) {
    let mut random = Random::new(seed);
    let flat = |size: Vec3, corner| Block { size, cells: [3, 1, 3], turn: Mat3::identity(), corner };
    let base = system(&[flat(Vec3::new(0.5, 0.1, 0.5), Vec3::new(-0.25, -0.1, -0.25))], friction);
    let mut layer = vec![0.0; base.positions.len()];
    let mut x = base.positions.clone();
    let mut parts = vec![PartInput::triangles("block", base.surface.triangles.clone())];
    let mut lines = Vec::new();
    for level in 1..3 {
        let (nodes, edges) = net([4, 3], 0.13, x.len() as u32);
        let turn = crate::math::rotation([0.0, random.uniform(0.0, 90.0), 0.0]);
        x.extend(nodes.iter().map(|p| turn * (p - Vec3::new(0.26, 0.0, 0.195))));
        layer.resize(x.len(), f64::from(level));
        parts.push(PartInput::lines(format!("net {level}"), edges.clone()));
        lines = edges;
    }
    for level in 3..if points { 5 } else { 3 } {
        let first = x.len() as u32;
        let places: Vec<Vec3> = if level == 3 {
            // At an end of a line too.
            let place =
                |(k, [a, b]): (usize, &[u32; 2])| x[*a as usize].lerp(&x[*b as usize], if k == 0 { 0.0 } else { random.uniform(0.1, 0.9) });
            lines.iter().take(8).enumerate().map(place).collect()
        } else {
            x[x.len() - 8..].to_vec()
        };
        x.extend(places);
        layer.resize(x.len(), f64::from(level));
        parts.push(PartInput::new(format!("points {level}"), (first..first + 8).collect(), Vec::new(), Vec::new()));
    }
    let lifted = |height: f64| x.iter().zip(&layer).map(|(p, layer)| p + height * layer * Vec3::y()).collect::<Vec<Vec3>>();
    let (given, near) = (lifted(0.5), lifted(0.5 * REACH));
    let system = system_of(given, parts, friction);
    let origin: Vec<Vec3> = near.iter().map(|p| p + random.vector(-0.1, 0.1) * REACH).collect();
    let x = origin.iter().map(|p| p + random.vector(-0.02, 0.02) * REACH).collect();
    (system, origin, x)
}

/// All pairs of features of different parts, those that the broad phase leaves out too.
fn every_pair(surface: &CollisionSurface) -> Vec<Pair> {
    let counts = [surface.vertices.len(), surface.edges.len(), surface.triangles.len()].map(|count| count as u32);
    let kinds = [
        (StencilKind::PointTriangle, 0, 2),
        (StencilKind::EdgeEdge, 1, 1),
        (StencilKind::PointEdge, 0, 1),
        (StencilKind::PointPoint, 0, 0),
    ];
    let all = kinds.into_iter().flat_map(|(kind, first, second)| {
        (0..counts[first]).flat_map(move |a| (0..counts[second]).map(move |b| Pair { kind, features: (a, b) }))
    });
    all.filter(|pair| pair.parts(surface)[0] != pair.parts(surface)[1]).collect()
}

fn near_pairs(surface: &CollisionSurface, x: &[Vec3], reach: f64) -> Candidates {
    let mut candidates = Candidates::default();
    BroadPhase::default().find(surface, x, reach, &mut candidates);
    candidates
}

/// Barrier and friction of all kinds of pairs against central differences.
#[test]
fn gradient_and_hessian_of_lines_and_points_match_differences() {
    for seed in 0..4 {
        let (system, origin, x) = layers(seed, 0.4, true);
        let mut random = Random::new(seed);
        let candidates = near_pairs(&system.surface, &x, 0.9 * REACH);
        assert!(Candidates::KINDS.iter().all(|&kind| !candidates.of(kind).is_empty()), "seed {seed}");
        let mut contacts = contacts(&system, &[]);
        let mut potential = contacts.begin(&system, &origin);
        if seed % 2 == 1 {
            potential.relag(&x);
        }
        let kinds = |kind: StencilKind| potential.stencils().iter().filter(|stencil| stencil.kind == kind).count();
        assert!(kinds(StencilKind::EdgeEdge) > 3 && kinds(StencilKind::PointEdge) > 3 && kinds(StencilKind::PointPoint) > 3, "seed {seed}");
        assert!(!potential.friction.is_empty());
        check_differences(&mut potential, &x, &mut random, &format!("seed {seed}"));
    }
}

/// Forces have no sum and no torque, friction included where it is taken from the positions themselves: two lines carry the point where
/// they cross, and a triangle the one of a line or a vertex, whichever of the two sides has it. Between points friction leaves the gap
/// times its force.
#[test]
fn lines_keep_momentum_and_angular_momentum() {
    for seed in 0..6 {
        for (friction, points) in [(0.0, true), (0.6, false), (0.6, true)] {
            let (system, origin, x) = layers(seed, friction, points);
            let mut contacts = contacts(&system, &[]);
            let mut potential = contacts.begin(&system, &origin);
            potential.relag(&x);
            let slope = gradient(&mut potential, &x);
            let size: f64 = slope.iter().map(Vec3::norm).sum();
            assert!(size > 0.1 * FORCE && slope.iter().sum::<Vec3>().norm() < 1e-13 * size);
            let torque = x.iter().zip(&slope).map(|(x, g)| x.cross(g)).sum::<Vec3>().norm();
            let rubs: f64 = potential.friction.iter().map(|friction| friction.force(&potential.pose(&x)).norm()).sum();
            assert!((friction == 0.0) == (rubs == 0.0));
            if friction == 0.0 || !points {
                assert!(torque < 1e-13 * size && potential.couple(&x) < 1e-13 * size, "seed {seed}: {torque:e} of {size:e}");
            } else {
                assert!(torque <= REACH * rubs, "seed {seed}: {torque:e} of {rubs:e}");
            }
        }
    }
}

/// Of two parallel strands no edges push, but their vertices do; and so do points on lines and on one another, the harder the nearer.
#[test]
fn what_has_no_triangles_is_kept_apart_everywhere() {
    let strand = |count: u32, at: Vec3, step: f64, first: u32| -> (Vec<Vec3>, Vec<[u32; 2]>) {
        ((0..count).map(|k| at + step * f64::from(k) * Vec3::x()).collect(), (1..count).map(|k| [first + k - 1, first + k]).collect())
    };
    let up = 10.0 * REACH * Vec3::y();
    // Beside one another with their vertices at different places, one another's ends; a point over a line; a point over a point.
    for (place, upper_is_strand, lower_is_strand) in
        [(0.05, true, true), (0.31, true, true), (0.15, false, true), (0.0, false, true), (0.15, true, false), (0.0, false, false)]
    {
        let (low, low_edges) = strand(if lower_is_strand { 4 } else { 1 }, Vec3::zeros(), 0.1, 0);
        let first = low.len() as u32;
        let offset = if lower_is_strand { place } else { -place } * Vec3::x() + up;
        let (high, high_edges) = strand(if upper_is_strand { 4 } else { 1 }, offset, 0.1, first);
        let part =
            |name: &str, first: u32, count: usize, edges| PartInput::new(name, (first..first + count as u32).collect(), edges, Vec::new());
        let parts = vec![part("low", 0, low.len(), low_edges), part("high", first, high.len(), high_edges)];
        let system = system_of([low, high.clone()].concat(), parts, 0.0);
        let mut contacts = contacts(&system, &[]);
        let mut potential = contacts.begin(&system, &system.positions);
        let mut last = (0.0, 0.0);
        for gap in [0.8, 0.5, 0.1, 1e-3] {
            let mut x = system.positions.clone();
            x[first as usize..].iter_mut().for_each(|p| p.y = gap * REACH);
            let force = -gradient(&mut potential, &x)[first as usize..].iter().sum::<Vec3>();
            let now = (potential.energy(&x), force.norm());
            assert!(now.0 > last.0 && now.1 > last.1 && now.0.is_finite(), "{place} {upper_is_strand} {lower_is_strand}: {last:?} {now:?}");
            assert!(force.y > 0.0 && force.z.abs() < 1e-12 * force.norm());
            last = now;
        }
        // But where they end beside one another they come as near as nothing.
        assert!(place == 0.31 || last.1 > FORCE, "{last:?}");
    }
}

/// The least distance of two parts is that of some pair that is looked at, whatever their features are.
#[test]
fn no_features_are_nearer_than_the_pairs_that_are_looked_at() {
    let mut random = Random::new(4);
    let mut by_kind = [0; 4];
    for trial in 0..300 {
        let mut x: Vec<Vec3> = Vec::new();
        let mut part = |name: &str, shift: Vec3| {
            let first = x.len() as u32;
            x.extend((0..7).map(|_| shift + random.vector(0.0, 1.0)));
            let node = |k: u32| first + k;
            let triangles = if trial % 3 == 0 { vec![[node(0), node(1), node(2)]] } else { Vec::new() };
            let edges = if trial % 5 == 4 { Vec::new() } else { vec![[node(2), node(3)], [node(3), node(4)], [node(0), node(1)]] };
            PartInput::new(name, vec![node(5), node(6), node(3)], edges, triangles)
        };
        let parts = vec![part("a", Vec3::zeros()), part("b", Vec3::new(0.6, 0.4, 0.1))];
        let surface = CollisionSurface::new(&x, parts, PairRules::all_touch(2, 0.0), vec![true; x.len()]).unwrap();
        let all = every_pair(&surface).iter().map(|pair| pair.distance(&surface, &x)).fold(f64::INFINITY, f64::min);
        let candidates = near_pairs(&surface, &x, 10.0);
        let between = |pair: &Pair| pair.parts(&surface)[0] != pair.parts(&surface)[1];
        let looked_at =
            candidates.pairs().filter(between).min_by(|a, b| a.distance(&surface, &x).total_cmp(&b.distance(&surface, &x))).unwrap();
        assert!((looked_at.distance(&surface, &x) - all).abs() < 1e-14, "{trial}");
        by_kind[Candidates::KINDS.iter().position(|kind| *kind == looked_at.kind).unwrap()] += 1;
    }
    assert!(by_kind.iter().all(|count| *count > 5), "{by_kind:?}");
}

/// Whether two edges change sides between two positions, or an edge comes to pass through a triangle.
fn passes(surface: &CollisionSurface, before: &[Vec3], after: &[Vec3]) -> bool {
    let crossed = |pair: Pair| {
        let [from, to] = [before, after].map(|x| at(&pair.nodes(surface), x));
        let volume = |[a, b, c, d]: &[Vec3; 4]| (b - a).cross(&(c - a)).dot(&(d - a));
        let is_inside = |points: &[Vec3; 4]| {
            let nearest = pair.kind.nearest(points);
            nearest.weights.iter().all(|weight| *weight != 0.0)
        };
        volume(&from) * volume(&to) < 0.0 && is_inside(&from) && is_inside(&to)
    };
    let pairs = every_pair(surface).into_iter().filter(|pair| matches!(pair.kind, StencilKind::EdgeEdge | StencilKind::PointTriangle));
    pairs.into_iter().any(crossed)
}

/// Nets and points that are thrown at a closed surface, a net and points stop before they touch, wherever they hit.
#[test]
fn random_moves_of_nets_and_points_never_pass_through() {
    let mut random = Random::new(12);
    let (mut shortened, mut through) = (0, 0);
    for trial in 0..60 {
        let closed = Block { size: Vec3::repeat(0.25), cells: [1; 3], turn: random.rotation(), corner: Vec3::zeros() };
        let base = system(&[closed], 0.0);
        let mut x = base.positions.clone();
        let mut parts = vec![PartInput::triangles("block", base.surface.triangles.clone())];
        if trial % 2 == 1 {
            let (nodes, edges) = net([2, 2], 0.12, 0);
            x = nodes;
            parts = vec![PartInput::lines("net", edges)];
        }
        let start = x.len();
        let (turn, center) = (random.rotation(), x.iter().sum::<Vec3>() / start as f64);
        let (nodes, edges) = net([2, 3], 0.11, start as u32);
        x.extend(nodes.iter().map(|p| center + turn * (p - Vec3::new(0.11, 0.0, 0.165)) + Vec3::new(0.45, 0.0, 0.0)));
        // Points hang at no line.
        let points = (x.len() as u32..x.len() as u32 + 4).collect();
        x.extend((0..4).map(|_| center + Vec3::new(0.45, 0.0, 0.0) + random.vector(-0.1, 0.1)));
        parts.push(PartInput::new("thrown", points, edges, Vec::new()));
        let system = system_of(x, parts, 0.0);
        let x = &system.positions;
        let towards = Vec3::new(random.uniform(-1.2, -0.5), random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2));
        let dx: Vec<Vec3> = (0..x.len()).map(|n| random.vector(-0.03, 0.03) + if n >= start { towards } else { Vec3::zeros() }).collect();
        let mut contacts = contacts(&system, &[]);
        let mut potential = contacts.begin(&system, x);
        let step = potential.max_step(x, &dx, 1.0);
        assert!(step > 0.0 && step <= 1.0);
        let along = |t: f64| -> Vec<Vec3> { x.iter().zip(&dx).map(|(x, d)| x + t * d).collect() };
        let samples = |step: f64| (0..=60).map(|k| along(step * f64::from(k) / 60.0)).collect::<Vec<_>>();
        let pairs = every_pair(&system.surface);
        let least = |x: &[Vec3]| pairs.iter().map(|pair| pair.distance(&system.surface, x)).fold(f64::INFINITY, f64::min);
        let path = samples(step);
        assert!(!path.windows(2).any(|pair| passes(&system.surface, &pair[0], &pair[1])), "trial {trial}");
        assert!(path.iter().all(|x| least(x) > 0.0 && crate::contact::intersection::intersections(&system.surface, x).is_empty()));
        assert!(potential.energy(&along(step)).is_finite());
        shortened += u32::from(step < 1.0);
        through += u32::from(samples(1.0).windows(2).any(|pair| passes(&system.surface, &pair[0], &pair[1])));
    }
    assert!(through >= 40 && shortened >= through, "{through} {shortened}");
}

/// A point that comes straight down on a line, and on another point, stops with a tenth of the gap left.
#[test]
fn points_stop_before_lines_and_points() {
    for lower in [vec![Vec3::zeros(), Vec3::x()], vec![0.3 * Vec3::x()]] {
        let gap = 0.7 * REACH;
        let edges = if lower.len() == 2 { vec![[0, 1]] } else { Vec::new() };
        let point = lower.len() as u32;
        let low = PartInput::new("low", (0..point).collect(), edges, Vec::new());
        let x = [lower, vec![Vec3::new(0.3, gap, 0.0)]].concat();
        let system = system_of(x, vec![low, PartInput::new("point", vec![point], Vec::new(), Vec::new())], 0.0);
        let mut dx = vec![Vec3::zeros(); system.positions.len()];
        dx[point as usize] = Vec3::new(0.0, -2.0 * gap, 0.0);
        let step = contacts(&system, &[]).begin(&system, &system.positions).max_step(&system.positions, &dx, 1.0);
        let left = 1.0 - 2.0 * step;
        assert!((0.1 - 1e-9..0.13).contains(&left), "{left} of the gap is left");
    }
}

/// A vertex that slides around a bent strand goes from line to line, and its distance is always the least one to the strand.
#[test]
fn a_vertex_follows_a_strand_from_line_to_line() {
    for bend in [0.0, 1e-3, 5e-3] {
        let mut x: Vec<Vec3> = (0..8).map(|k| Vec3::new(0.1 * f64::from(k), -bend * (f64::from(k) - 3.5).powi(2), 0.0)).collect();
        x.push(Vec3::new(0.002, 0.03, 0.01));
        let edges = (0..7).map(|k| [k, k + 1]).collect();
        let parts = vec![PartInput::lines("strand", edges), PartInput::new("point", vec![8], Vec::new(), Vec::new())];
        let system = system_of(x.clone(), parts, 0.3);
        let touch = Touch::VertexEdge { vertex: 8, edge: [0, 1] };
        let preload = PairPreload { touch, normal: Vec3::y(), normal_force: FORCE, friction_force: Vec3::zeros(), distance: 0.0 };
        let mut contacts = contacts(&system, &[preload]);
        let mut visited = Vec::new();
        while x[8].x < 0.695 {
            x[8].x += 0.004;
            let mut potential = contacts.begin(&system, &x);
            potential.repick(&x);
            let [slot] = &potential.slots[..] else { panic!("{:?}", potential.slots) };
            let of_line = |[a, b]: &[u32; 2]| crate::contact::primitive::point_edge(&x[8], &x[*a as usize], &x[*b as usize]).distance();
            let least = system.surface.edges.iter().map(of_line).fold(f64::INFINITY, f64::min);
            assert!((slot.distance(&x) - least).abs() < 1e-15);
            visited.push(slot.facing);
            contacts.memory.slots = potential.slots;
        }
        visited.dedup();
        assert_eq!(visited.len(), 7, "{visited:?}");
    }
}

/// Lines that cannot move are deep by their own length, and points let everything aim past them.
#[test]
fn lines_that_stay_have_a_depth_and_points_have_none() {
    let (nodes, edges) = net([3, 3], 0.2, 0);
    let points = PartInput::new("points", vec![16, 17], Vec::new(), Vec::new());
    let x = [nodes, vec![Vec3::zeros(), Vec3::y()]].concat();
    let surface =
        CollisionSurface::new(&x, vec![PartInput::lines("net", edges), points], PairRules::all_touch(2, 0.0), vec![false; 18]).unwrap();
    let depths = super::super::led_around::depths(&surface, &x);
    assert!((depths[0] - 0.05).abs() < 1e-15 && depths[1] == f64::INFINITY, "{depths:?}");
}
