//! The prescribed force of a pair is there at the first instant.

use super::*;

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
    for friction in [0.0, 0.5] {
        let system = stack(1.7 * REACH, friction);
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
        assert!((summary.min_gap / (1.7 * REACH) - 1.0).abs() < 1e-12 && summary.min_effective_gap < REACH);
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

/// Bodies nearer than the scene's distance start without force: the barrier is made to reach less far.
#[test]
fn nothing_pushes_in_the_given_shape() {
    for (gap, reach) in [(0.5 * REACH, 0.45 * REACH), (2.0 * REACH, REACH)] {
        let system = stack(gap, 0.5);
        let mut contacts = contacts(&system, &[]);
        assert!((contacts.barrier().distance / reach - 1.0).abs() < 1e-9, "{}", contacts.barrier().distance);
        let x = system.positions.clone();
        let mut potential = contacts.begin(&system, &x);
        assert_eq!((potential.energy(&x), potential.summary(&x).count), (0.0, 0));
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
