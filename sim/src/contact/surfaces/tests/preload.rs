//! The prescribed force of a pair is there at the first instant.

use super::*;
use crate::math::random::Random;

/// Force on each node that the preloads prescribe.
fn prescribed(system: &System, preloads: &[PairPreload]) -> Vec<Vec3> {
    let mut forces = vec![Vec3::zeros(); system.positions.len()];
    for (preload, (vertex, triangle, weights)) in preloads.iter().zip(facing_pairs(system)) {
        let force = preload.normal_force * preload.normal + preload.friction_force;
        forces[vertex as usize] += force;
        for (node, weight) in triangle.into_iter().zip(weights) {
            forces[node as usize] -= weight * force;
        }
    }
    forces
}

#[test]
fn prescribed_forces_act_at_the_first_instant() {
    // Beyond the barrier's distance, and within, where it reaches less far.
    for (gap, friction) in [(1.7 * REACH, 0.0), (1.7 * REACH, 0.5), (0.4 * REACH, 0.5)] {
        let system = stack(gap, friction);
        let preloads = preloads(&system, friction);
        assert_eq!(preloads.len(), 9);
        let expected = prescribed(&system, &preloads);
        let mut contacts = contacts(&system, &preloads);
        assert!(contacts.memory.slots().iter().all(|slot| slot.offset < 0.0));
        let x = system.positions.clone();
        let mut potential = contacts.begin(&system, &x);
        assert_eq!(potential.jammed(), None);
        let gradient = gradient(&mut potential, &x);
        for (node, (gradient, expected)) in gradient.iter().zip(&expected).enumerate() {
            // The lower box bears friction as if it were fixed to it at the vertices of the upper one.
            let is_exact = friction == 0.0 || second_box(&system).contains(&node);
            assert!(!is_exact || (gradient + expected).norm() < 1e-10 * FORCE, "{gradient} {expected}");
        }
        let torque: Vec3 = gradient.iter().zip(&x).map(|(slope, x)| slope.cross(x)).sum();
        assert!(gradient.iter().sum::<Vec3>().norm() < 1e-12 * FORCE && torque.norm() < 1e-12 * FORCE, "{torque}");
        assert!(potential.couple(&x) < 1e-12 * FORCE);
        // Nothing but the preloads pushes, and the forces to be drawn are the prescribed ones.
        let summary = potential.summary(&x);
        assert_eq!(summary.count, 9);
        assert!((summary.min_gap / gap - 1.0).abs() < 1e-12 && summary.min_open_share < 1.0);
        for force in potential.forces(&x) {
            let preload = preloads.iter().find(|p| p.touch.nodes()[0] == force.nodes[0]).unwrap();
            assert!((force.force - preload.normal_force * Vec3::y() - preload.friction_force).norm() < 1e-10 * FORCE);
            assert_eq!(force.point, x[preload.touch.nodes()[0] as usize]);
        }
        // And at the next: the memory of a step that moved nothing is the same.
        let memory = potential.finish(&x);
        for (slot, preload) in memory.slots().iter().zip(&preloads) {
            assert!((slot.force / preload.normal_force - 1.0).abs() < 1e-10);
        }
    }
}

/// A low box, one that lies `gap` above it and, beside that one, another at `other`.
fn two_on_one(gap: f64, other: f64) -> System {
    let flat = |size: Vec3, cells, corner| Block { size, cells, turn: Mat3::identity(), corner };
    let low = flat(Vec3::new(1.0, 0.2, 1.0), [7, 1, 7], Vec3::zeros());
    let high = |x: f64, gap: f64| flat(Vec3::new(0.3, 0.2, 0.3), [2, 1, 2], Vec3::new(x, 0.2 + gap, 0.31));
    system(&[low, high(0.03, gap), high(0.66, other)], 0.0)
}

/// Bodies nearer than the scene's distance start without force, and narrow gaps leave all others as wide as they are: a box
/// comes down beside one that lies much nearer, and is met where it would be without that.
#[test]
fn nothing_pushes_in_the_given_shape_and_narrow_gaps_concern_themselves_only() {
    let mut random = Random::new(3);
    for _ in 0..6 {
        let (gap, coming) = (random.uniform(0.05, 0.9) * REACH, random.uniform(0.2, 0.8) * REACH);
        let [alone, beside] = [3.0 * REACH, gap].map(|gap| {
            let system = two_on_one(gap, 3.0 * REACH);
            let mut contacts = contacts(&system, &[]);
            let mut x = system.positions.clone();
            let mut potential = contacts.begin(&system, &system.positions);
            assert_eq!((potential.energy(&x), potential.summary(&x).count), (0.0, 0));
            let last = x.len() - 18..x.len();
            x[last].iter_mut().for_each(|p| p.y -= 3.0 * REACH - coming);
            let summary = potential.summary(&x);
            assert!((summary.min_gap / coming - 1.0).abs() < 1e-9);
            (summary.energy, summary.min_open_share)
        });
        assert!((beside.0 / alone.0 - 1.0).abs() < 1e-9 && alone.0 > 0.0, "{alone:?} {beside:?}");
        assert!((beside.1 * REACH / coming - 1.0).abs() < 1e-9);
        // The near one itself is met at its own distance, and no softer.
        let system = two_on_one(gap, 3.0 * REACH);
        let mut contacts = contacts(&system, &[]);
        let barrier = *contacts.barrier();
        let mut x = system.positions.clone();
        let down = random.uniform(0.2, 0.8) * gap;
        let near = x.len() - 36..x.len() - 18;
        x[near].iter_mut().for_each(|p| p.y -= down);
        let mut potential = contacts.begin(&system, &system.positions);
        let summary = potential.summary(&x);
        let open = (gap - down) / (0.9 * gap);
        assert!((summary.min_open_share / open - 1.0).abs() < 1e-9);
        let pushed: f64 = gradient(&mut potential, &x).iter().map(|slope| slope.y.abs()).sum::<f64>() / 2.0;
        assert!(pushed > 0.5 * barrier.force(open * barrier.distance), "{pushed}");
    }
}

/// Another stiffness changes the gaps of preloaded contacts, not their forces.
#[test]
fn preloads_survive_another_stiffness() {
    let system = stack(1.7 * REACH, 0.5);
    let mut contacts = contacts(&system, &preloads(&system, 0.5));
    let x = system.positions.clone();
    let before = gradient(&mut contacts.begin(&system, &x), &x);
    for factor in [0.1, 30.0] {
        let stiffness = factor * contacts.barrier().stiffness;
        contacts.set_stiffness(stiffness, &x);
        let after = gradient(&mut contacts.begin(&system, &x), &x);
        assert!(before.iter().zip(&after).all(|(before, after)| (before - after).norm() < 1e-10 * FORCE));
    }
}

/// Where nothing touches at the start a contact carries its share of the weight at about a third of the barrier's distance.
#[test]
fn stiffness_without_a_solved_force_comes_from_the_weight() {
    let mut system = stack(1.7 * REACH, 0.0);
    system.gravity = Vec3::new(0.0, -9.81, 0.0);
    let weight: f64 = 9.81 * system.masses.iter().sum::<f64>();
    let barrier = Barrier { distance: 0.5, stiffness: weight / 0.5, kind: BarrierKind::C2 };
    let contacts = SurfaceContacts::new(&system, &[], &barrier);
    let carrying = system.surface.vertices.len() as f64 / 6.0;
    let force = contacts.barrier().stiffness * contacts.barrier().distance;
    assert!((force * carrying / weight - 1.0).abs() < 1e-12);
}

/// What a contact held goes with the body that it touched, and comes back with it.
#[test]
fn preloads_on_what_is_taken_away_push_nothing() {
    let mut system = stack(0.4 * REACH, 0.5);
    let mut contacts = contacts(&system, &preloads(&system, 0.5));
    let x = system.positions.clone();
    let mut looked = |system: &System| {
        contacts.forget_near();
        let mut potential = contacts.begin(system, &x);
        (gradient(&mut potential, &x), potential.summary(&x).count)
    };
    let there = looked(&system);
    system.surface.rules.set_away(0, true);
    let (gone, count) = looked(&system);
    assert!(count == 0 && gone.iter().all(|slope| *slope == Vec3::zeros()));
    system.surface.rules.set_away(0, false);
    assert!(there.1 == 9 && looked(&system) == there);
}

/// No step begins where a preloaded gap is closed, or where surfaces touch that have none.
#[test]
fn closed_contacts_are_told_before_a_step() {
    let system = stack(1.7 * REACH, 0.0);
    let x = system.positions.clone();
    let mut preloaded = contacts(&system, &preloads(&system, 0.0));
    let pressed = with_second_moved(&system, &x, Vec3::new(0.0, -1.5 * REACH, 0.0));
    assert_eq!(preloaded.begin(&system, &x).jammed(), None);
    let told = preloaded.begin(&system, &pressed).jammed();
    assert!(told.is_some_and(|nodes| second_box(&system).contains(&(nodes[0] as usize))), "{told:?}");
    let mut plain = contacts(&system, &[]);
    assert_eq!(plain.begin(&system, &pressed).jammed(), None);
    let mut touching = x;
    let corner = second_box(&system).start;
    touching[corner] = touching[0];
    let told = plain.begin(&system, &touching).jammed().unwrap();
    assert!(told.contains(&0) && told.contains(&(corner as u32)), "{told:?}");
}

/// The couple that is told is the largest of two bodies, whatever the others do.
#[test]
fn couples_are_those_of_two_bodies() {
    let flat = |size: Vec3, cells, corner| Block { size, cells, turn: Mat3::identity(), corner };
    let high = |x: f64| flat(Vec3::new(0.3, 0.2, 0.3), [2, 1, 2], Vec3::new(x, 0.2 + 1.5 * REACH, 0.31));
    let mut system = system(&[high(0.03), high(0.66), flat(Vec3::new(1.0, 0.2, 1.0), [7, 1, 7], Vec3::zeros())], 0.5);
    let low = system.surface.vertices[system.surface.parts[2].vertices.start] as usize;
    let mut origin = system.positions.clone();
    origin[..low].iter_mut().for_each(|p| p.y -= 0.8 * REACH);
    // Friction is frozen before they slide and tip, so that it has a couple.
    let mut random = Random::new(9);
    let mut tip = |n: usize| if n < low { Vec3::new(2e-3, 0.0, 1e-3) + random.vector(-1e-3, 1e-3) } else { Vec3::zeros() };
    let tipped: Vec<Vec3> = origin.iter().enumerate().map(|(n, p)| p + tip(n)).collect();
    let mut couple = |away: Option<u32>| {
        (0..2).for_each(|part| system.surface.rules.set_away(part, away == Some(part)));
        contacts(&system, &[]).begin(&system, &origin).couple(&tipped)
    };
    let (both, alone) = (couple(None), [couple(Some(0)), couple(Some(1))]);
    assert!(alone[0] > 1e-6 * FORCE && alone[1] > 1e-6 * FORCE, "{alone:?}");
    assert!((both / alone[0].max(alone[1]) - 1.0).abs() < 1e-9, "{both} {alone:?}");
    // What is no number is told, whatever the others do.
    (0..2).for_each(|part| system.surface.rules.set_away(part, false));
    let second = system.surface.vertices[system.surface.parts[1].vertices.start] as usize;
    for lost in [0..second, second..low] {
        let mut broken = tipped.clone();
        broken[lost].fill(Vec3::repeat(f64::NAN));
        assert!(contacts(&system, &[]).begin(&system, &origin).couple(&broken).is_nan());
    }
}
