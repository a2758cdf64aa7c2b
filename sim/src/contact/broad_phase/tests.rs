#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::*;
use crate::contact::active::near;
use crate::contact::surface::{PairRules, PartInput};
use crate::math::random::Random;

/// Random triangles, lines and points in a unit box: three parts with nodes of their own, some held, one pair of parts and one part with
/// itself without contact, and a ball that is held.
fn soup(seed: u64, nodes_each: u32, triangles_each: usize) -> (CollisionSurface, Vec<Vec3>) {
    let mut random = Random::new(seed);
    let count = 3 * nodes_each as usize;
    // Corners near each other on the list are near each other in space, so that triangles come in many sizes.
    let mut x: Vec<Vec3> = (0..count).map(|_| random.vector(0.0, 1.0)).collect();
    x.sort_by(|a, b| (a.x + a.y).total_cmp(&(b.x + b.y)));
    let order: Vec<usize> = (0..count).map(|i| i % 3 * nodes_each as usize + i / 3).collect();
    let mut placed = x.clone();
    for (point, place) in x.into_iter().zip(order) {
        placed[place] = point;
    }
    let mut rules = PairRules::all_touch(4, 0.1);
    rules.set(0, 2, None);
    rules.set(1, 1, None);
    let part = |part: u32| {
        let corner = |random: &mut Random, low: f64, high: f64| {
            part * nodes_each + random.uniform(low, high).min(f64::from(nodes_each) - 1.0) as u32
        };
        let mut triangles = Vec::new();
        while triangles.len() < triangles_each {
            let a = corner(&mut random, 0.0, f64::from(nodes_each));
            let local = f64::from(a - part * nodes_each);
            let [b, c] = [0; 2].map(|_| corner(&mut random, (local - 8.0).max(0.0), local + 8.0));
            if a != b && b != c && c != a {
                triangles.push([a, b, c]);
            }
        }
        // A line for every other triangle, from its first corner on, and every node as a point: lone where nothing else has it.
        let line = |[a, ..]: &[u32; 3]| [*a, part * nodes_each + (a - part * nodes_each + 1) % nodes_each];
        let lines = triangles.iter().step_by(2).map(line).collect();
        PartInput::new(part.to_string(), (part * nodes_each..(part + 1) * nodes_each).collect(), lines, triangles)
    };
    let mut parts: Vec<PartInput> = [0, 1, 2].map(part).into();
    let mut movable: Vec<bool> = (0..count).map(|_| random.uniform(0.0, 1.0) < 0.4).collect();
    // A chain on which corners need not be looked for.
    placed.extend([Vec3::repeat(0.3), Vec3::repeat(0.6)]);
    movable.extend([false; 2]);
    parts.push(PartInput::round("chain", vec![count as u32, count as u32 + 1], 0.1));
    (CollisionSurface::new(&placed, parts, rules, movable).unwrap(), placed)
}

/// Bounding box of nodes at `x` and at `x + dx`.
fn bounds(nodes: &[u32], x: &[Vec3], dx: &[Vec3]) -> (Vec3, Vec3) {
    let points: Vec<Vec3> = nodes.iter().flat_map(|&n| [x[n as usize], x[n as usize] + dx[n as usize]]).collect();
    crate::math::bounding_box(&points)
}

fn brute_force(surface: &CollisionSurface, x: &[Vec3], dx: &[Vec3], reach: f64) -> Candidates {
    let meet = |a: &[u32], part_a: u32, b: &[u32], part_b: u32| {
        let ((low_a, high_a), (low_b, high_b)) = (bounds(a, x, dx), bounds(b, x, dx));
        let radii = surface.radius(part_a) + surface.radius(part_b);
        let apart = (low_a - high_b).sup(&(low_b - high_a)).max() > reach + radii;
        let held = a.iter().chain(b).all(|&node| !surface.movable[node as usize]);
        !apart && !held && surface.may_touch(part_a, part_b) && a.iter().all(|node| !b.contains(node))
    };
    let mut found = Candidates::default();
    for (v, node) in surface.vertices.iter().enumerate() {
        for (t, corners) in surface.triangles.iter().enumerate() {
            if meet(&[*node], surface.vertex_parts[v], corners, surface.triangle_parts[t]) {
                found.vertex_triangle.push((v as u32, t as u32));
            }
        }
    }
    for a in 0..surface.edges.len() {
        for b in a + 1..surface.edges.len() {
            if meet(&surface.edges[a], surface.edge_parts[a], &surface.edges[b], surface.edge_parts[b]) {
                found.edge_edge.push((a as u32, b as u32));
            }
        }
    }
    let has = |nodes: &[u32]| surface.triangles.iter().any(|corners| nodes.iter().all(|node| corners.contains(node)));
    for (v, node) in surface.vertices.iter().enumerate() {
        for (e, ends) in surface.edges.iter().enumerate().filter(|(_, ends)| !has(*ends)) {
            let met_by_edges = has(&[*node]) && surface.radius(surface.edge_parts[e]) > 0.0;
            if !met_by_edges && meet(&[*node], surface.vertex_parts[v], ends, surface.edge_parts[e]) {
                found.vertex_edge.push((v as u32, e as u32));
            }
        }
        let is_lone = |node: &u32| !surface.edges.iter().any(|ends| ends.contains(node));
        for (w, other) in surface.vertices.iter().enumerate().skip(v + 1).filter(|(_, other)| is_lone(node) && is_lone(other)) {
            if meet(&[*node], surface.vertex_parts[v], &[*other], surface.vertex_parts[w]) {
                found.vertex_vertex.push((v as u32, w as u32));
            }
        }
    }
    found
}

#[test]
fn broad_phase_finds_the_pairs_of_brute_force_on_random_soups() {
    for seed in 0..8 {
        let (surface, mut x) = soup(seed, 60, 20 + 15 * seed as usize);
        let mut random = Random::new(100 + seed);
        // One object for all, so that trees that were made for other positions are used too.
        let (mut broad_phase, mut found) = (BroadPhase::default(), Candidates::default());
        for deformation in 0..4 {
            let dx: Vec<Vec3> = x.iter().map(|_| random.vector(-0.1, 0.1)).collect();
            let still = vec![Vec3::zeros(); x.len()];
            for reach in [0.0, 0.01, 0.08] {
                broad_phase.find(&surface, &x, reach, &mut found);
                let expected = brute_force(&surface, &x, &still, reach);
                assert!(expected.len() > 20, "seed {seed}: too few pairs to tell, {}", expected.len());
                assert_eq!(found, expected, "static, seed {seed}, deformation {deformation}, reach {reach}");
                assert_eq!(broad_phase.find_swept(&surface, &x, &dx, reach, &mut found), 1.0);
                assert_eq!(found, brute_force(&surface, &x, &dx, reach), "swept, seed {seed}, deformation {deformation}, reach {reach}");
            }
            x.iter_mut().for_each(|point| *point += random.vector(-0.3, 0.3));
        }
    }
}

#[test]
fn surfaces_without_features_have_no_pairs() {
    let mut found = Candidates::default();
    Candidates::KINDS.into_iter().for_each(|kind| found.of_mut(kind).push((0, 1)));
    BroadPhase::default().find(&CollisionSurface::default(), &[], 1.0, &mut found);
    assert!(found.is_empty());
    let mut cache = CandidateCache::default();
    assert!(cache.ensure(&CollisionSurface::default(), &[], 1.0).is_empty());
}

/// Pairs nearer than `reach` by true distance, of all pairs that may touch.
fn truly_near(surface: &CollisionSurface, x: &[Vec3], reach: f64) -> Candidates {
    let mut all = Candidates::default();
    BroadPhase::default().find(surface, x, 1e3, &mut all);
    near(surface, &all, x, reach)
}

fn assert_has(list: &Candidates, wanted: &Candidates, place: &str) {
    for pair in wanted.pairs() {
        assert!(list.of(pair.kind).binary_search(&pair.features).is_ok(), "{place}: {pair:?} lost");
    }
}

#[test]
fn kept_candidates_never_lose_a_pair_along_random_motions() {
    let reach = 0.02;
    for seed in 0..4 {
        let (surface, mut x) = soup(20 + seed, 40, 40);
        let mut random = Random::new(200 + seed);
        let mut cache = CandidateCache::default();
        let (mut uses, mut pairs) = (0, 0);
        for step in 0..40 {
            // Small motions with a common drift, now and then a large one.
            let size = if step % 10 == 9 { 0.05 } else { 4e-4 };
            let drift = random.vector(-0.5, 0.5);
            let dx: Vec<Vec3> = x.iter().map(|_| drift + random.vector(-size, size)).collect();
            let wanted = truly_near(&surface, &x, reach);
            assert_has(cache.ensure(&surface, &x, reach), &wanted, "static");
            let (share, list) = cache.ensure_swept(&surface, &x, &dx, reach);
            assert_eq!(share, 1.0);
            let at = |t: f64| x.iter().zip(&dx).map(|(x, dx)| x + t * dx).collect::<Vec<Vec3>>();
            for t in [0.0, 0.3, 0.7, 1.0] {
                assert_has(list, &truly_near(&surface, &at(t), reach), "swept");
            }
            pairs += wanted.len();
            uses += 2;
            x = at(random.uniform(0.0, 1.0));
        }
        assert!(pairs > 1000, "too few pairs to tell: {pairs}");
        assert!(cache.rebuilds() < uses / 3, "{} lists for {uses} uses", cache.rebuilds());
    }
}

#[test]
fn a_list_is_made_anew_only_when_it_must_be() {
    let (surface, x) = soup(3, 40, 40);
    let mut cache = CandidateCache::default();
    cache.ensure(&surface, &x, 0.02);
    // A common shift changes no distance.
    let shifted: Vec<Vec3> = x.iter().map(|point| point + Vec3::new(5.0, 0.0, -2.0)).collect();
    cache.ensure(&surface, &shifted, 0.02);
    assert_eq!(cache.rebuilds(), 1);
    // Positions on a path for which the list was made are covered.
    let dx: Vec<Vec3> = x.iter().map(|point| Vec3::new(point.y, 0.0, 0.0)).collect();
    cache.ensure_swept(&surface, &x, &dx, 0.02);
    assert_eq!(cache.rebuilds(), 2);
    let halfway: Vec<Vec3> = x.iter().zip(&dx).map(|(x, dx)| x + 0.5 * dx).collect();
    cache.ensure(&surface, &halfway, 0.02);
    assert_eq!(cache.rebuilds(), 2);
    cache.ensure(&surface, &halfway, 1.0);
    assert_eq!(cache.rebuilds(), 3);
}

#[test]
fn a_step_that_brings_everything_together_is_cut() {
    let (surface, x) = soup(5, 700, 700);
    let mut random = Random::new(6);
    let dx: Vec<Vec3> = x.iter().map(|_| random.vector(-50.0, 50.0)).collect();
    let mut cache = CandidateCache::default();
    let (share, list) = cache.ensure_swept(&surface, &x, &dx, 1e-3);
    assert!(share > 0.0 && share < 1.0, "{share}");
    let mut at_start = Candidates::default();
    BroadPhase::default().find(&surface, &x, 2e-3, &mut at_start);
    assert!(list.len() <= 2 * CROWD_FLOOR.max(CROWDED_START * at_start.len()), "{} pairs of {}", list.len(), at_start.len());
    let end: Vec<Vec3> = x.iter().zip(&dx).map(|(x, dx)| x + share * dx).collect();
    let mut at_end = Candidates::default();
    BroadPhase::default().find(&surface, &end, 1e-3, &mut at_end);
    assert_has(list, &near(&surface, &at_end, &end, 1e-3), "end of the cut step");
    let endless = vec![Vec3::repeat(f64::INFINITY); x.len()];
    assert_eq!(cache.ensure_swept(&surface, &x, &endless, 1e-3).0, 0.0);
}
