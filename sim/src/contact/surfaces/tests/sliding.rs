//! Preloaded contacts that slide from feature to feature.

use super::super::feature::Fans;
use super::*;
use crate::contact::primitive::point_triangle;
use crate::contact::reach::Reach;
use crate::contact::surfaces::PairSlot;

fn no_force(vertex: u32, triangle: [u32; 3]) -> PairPreload {
    preload(vertex, triangle, 0.0, Vec3::zeros())
}

/// Across a plane of other triangles the force changes by the fading of its offset only, and nothing is solved again.
#[test]
fn a_preload_survives_the_change_of_triangles() {
    let system = stack_on(30, 1.7 * REACH, 0.5);
    let mut contacts = contacts(&system, &preloads(&system, 0.5));
    let barrier = *contacts.barrier();
    // So long that the height stays right.
    contacts.fade_length = 1.0;
    let start = contacts.memory.slots().to_vec();
    let motion = 1e-3 * Vec3::new(0.8, 0.0, 0.6);
    let (mut x, mut path) = (system.positions.clone(), 0.0);
    let mut visited: Vec<Vec<super::super::Facing>> = vec![Vec::new(); start.len()];
    for step in 0..60 {
        let origin = x.clone();
        x = with_second_moved(&system, &x, motion);
        let before = contacts.memory.slots().to_vec();
        let mut potential = contacts.begin(&system, &origin);
        assert!(!potential.repick(&x), "solved again at step {step}");
        contacts.memory = potential.finish(&x);
        path += motion.norm();
        let length = contacts.fade_length;
        for (k, slot) in contacts.memory.slots().iter().enumerate() {
            assert!((slot.force / barrier.force(1.7 * REACH + before[k].offset) - 1.0).abs() < 1e-9);
            assert!((slot.force / before[k].force - 1.0).abs() < 0.01);
            // All but the slip length of the way counts, and the way in which the prescribed slip turns into the new one.
            let t = slot.path / length;
            assert!((slot.path - path).abs() < 3.0 * contacts.slip_length);
            assert!((slot.offset / start[k].offset - (1.0 - t * t * (3.0 - 2.0 * t))).abs() < 1e-9);
            if visited[k].last() != Some(&slot.facing) {
                visited[k].push(slot.facing);
            }
        }
        assert_eq!(contacts.memory.slots().len(), start.len());
    }
    assert!(visited.iter().all(|triangles| triangles.len() >= 3), "{visited:?}");
}

/// Over a sharp ridge and over a dented surface the distance found by going downhill is the least one to within the angle that
/// counts as flat, and so it never changes by more than the vertex moves.
#[test]
fn the_distance_is_continuous_over_ridges_and_dents() {
    let mut random = crate::math::random::Random::new(2);
    let ridge =
        Block { size: Vec3::new(1.0, 1.0, 1.0), cells: [4; 3], turn: crate::math::rotation([0.0, 0.0, 45.0]), corner: Vec3::zeros() };
    let flat = Block { size: Vec3::new(1.0, 0.2, 1.0), cells: [12, 1, 12], turn: Mat3::identity(), corner: Vec3::new(-0.5, 1.2, 0.0) };
    for (block, dent) in [(ridge, 0.0), (flat, 0.005)] {
        let point =
            Block { size: Vec3::repeat(0.1), cells: [1; 3], turn: Mat3::identity(), corner: Vec3::new(0.0, 2.0_f64.sqrt() + 0.03, 0.4) };
        let system = system(&[block, point], 0.0);
        let (surface, second) = (&system.surface, second_box(&system));
        let mut x = system.positions.clone();
        for p in &mut x[..second.start] {
            p.y += random.uniform(-dent, dent);
        }
        let vertex = second.start as u32;
        let low = surface.triangles[surface.parts[0].triangles.clone()].to_vec();
        let least = |x: &[Vec3]| {
            let distance = |t: &[u32; 3]| {
                let [a, b, c] = t.map(|n| x[n as usize]);
                point_triangle(&x[vertex as usize], &a, &b, &c).distance()
            };
            low.iter().map(|t| (distance(t), *t)).min_by(|a, b| a.0.total_cmp(&b.0)).unwrap()
        };
        x[vertex as usize] += Vec3::new(-0.06, 0.0, -0.02);
        let fans = Fans::new(surface);
        let mut slot = PairSlot::new(surface, &fans, &Reach::far(REACH), &no_force(vertex, least(&x).1).touch, &x).unwrap();
        let mut kinds = Vec::new();
        for _ in 0..400 {
            let motion = 3e-4 * Vec3::new(1.0, 0.2, 0.3);
            let before = slot.distance(&x);
            x[vertex as usize] += motion;
            slot.repick(surface, &fans, &x, 0.0);
            let after = slot.distance(&x);
            assert!((after / least(&x).0 - 1.0).abs() < 1e-4, "{after} {}", least(&x).0);
            assert!((after - before).abs() <= motion.norm() + 1e-4 * after);
            if kinds.last() != Some(&slot.feature.kind) {
                kinds.push(slot.feature.kind);
            }
        }
        assert!(kinds.len() >= 3, "{kinds:?}");
    }
}

/// The low box of a stack with a spike beside the triangle that the vertex of the fifth contact faces, and the vertex over it.
fn over_a_spike(system: &System, slot: &PairSlot) -> Vec<Vec3> {
    let mut x = system.positions.clone();
    let here = x[slot.feature.nodes[0] as usize];
    let is_beside = |n: &usize| !slot.feature.nodes.contains(&(*n as u32)) && x[*n].y > 0.19 && *n < second_box(system).start;
    let spike = (0..x.len()).filter(is_beside).min_by(|a, b| (x[*a] - here).norm().total_cmp(&(x[*b] - here).norm())).unwrap();
    x[spike].y += 1.2 * REACH;
    x[slot.feature.nodes[0] as usize] = x[spike] + 0.5 * REACH * Vec3::y();
    x
}

/// A vertex that goes to and fro between features is followed by a few solves, and then it is told.
#[test]
fn features_that_never_settle_are_told() {
    let system = stack(1.7 * REACH, 0.5);
    let mut contacts = contacts(&system, &preloads(&system, 0.5));
    let over = over_a_spike(&system, &contacts.memory.slots()[4]);
    let mut potential = contacts.begin(&system, &system.positions);
    assert!(!potential.repick(&system.positions) && !potential.is_unsettled());
    for solve in 1..8 {
        let asks = potential.repick(if solve % 2 == 1 { &over } else { &system.positions });
        assert_eq!((asks, potential.is_unsettled()), (solve <= 4, solve > 4), "{solve}");
    }
}

/// A nearer feature that comes up at the end of a solve does not close the gap: the offset gives way.
#[test]
fn a_nearer_feature_leaves_the_gap_open() {
    let system = stack(1.7 * REACH, 0.5);
    let contacts = contacts(&system, &preloads(&system, 0.5));
    let mut slot = contacts.memory.slots()[4];
    let x = over_a_spike(&system, &slot);
    let gap = slot.gap(&x);
    assert!(gap > 0.1 * REACH && 0.5 * REACH + slot.offset < 0.0);
    assert!(slot.repick(&system.surface, &contacts.fans, &x, 1e-4 * REACH));
    assert!((slot.distance(&x) / (0.5 * REACH) - 1.0).abs() < 1e-9);
    assert!((slot.gap(&x) / (0.5 * gap) - 1.0).abs() < 1e-9 && slot.offset <= 0.0);
}
