//! Static friction, and what of it is remembered.

use super::*;
use crate::contact::surfaces::anchors::Owner;
use crate::math::rotation;

/// Reach of the barrier in these tests [m]: so short that most vertices are near one triangle only.
const SHORT: f64 = 1e-3;

/// Two boxes, the first with so many cells along its sides, the second turned so that no edges are parallel, and pressed to half
/// the barrier's distance.
fn pressed(cells: usize, slip_length: f64) -> (System, Vec<Vec3>) {
    let low = Block { size: Vec3::new(1.0, 0.2, 1.0), cells: [cells, 1, cells], turn: Mat3::identity(), corner: Vec3::zeros() };
    let turn = rotation([0.0, 20.0, 0.0]);
    let high = Block { size: Vec3::new(0.4, 0.2, 0.4), cells: [2, 1, 2], turn, corner: Vec3::new(0.3, 0.2 + SHORT / 0.9, 0.4) };
    let mut system = system(&[low, high], 0.5);
    system.contact.friction_slip = slip_length / system.diagonal;
    let x = with_second_moved(&system, &system.positions, Vec3::new(0.0, 0.5 * SHORT - SHORT / 0.9, 0.0));
    (system, x)
}

fn force_on_second(system: &System, gradient: &[Vec3]) -> Vec3 {
    -gradient[second_box(system)].iter().sum::<Vec3>()
}

#[test]
fn a_force_inside_the_cone_is_held_and_does_not_creep() {
    let slip_length = 1e-3;
    let (system, mut x) = pressed(1, slip_length);
    let mut contacts = contacts(&system, &[]);
    let drag = Vec3::new(0.24, 0.0, 0.18) * slip_length;
    let origin = x.clone();
    x = with_second_moved(&system, &x, drag);
    let mut potential = contacts.begin(&system, &origin);
    let first = force_on_second(&system, &gradient(&mut potential, &x));
    contacts.memory = potential.finish(&x);
    // f1(0.3) = 0.51 of the largest, against the drag.
    let tangential = Vec3::new(first.x, 0.0, first.z);
    assert!((tangential.norm() / (0.5 * first.y) - 0.51).abs() < 1e-6, "{first}");
    assert!(tangential.normalize().dot(&drag.normalize()) < -1.0 + 1e-12);
    for _ in 0..20 {
        let origin = x.clone();
        let mut potential = contacts.begin(&system, &origin);
        let held = force_on_second(&system, &gradient(&mut potential, &x));
        assert!((held - first).norm() < 1e-9 * first.norm(), "{held} {first}");
        assert!(potential.relag(&x) < 1e-12);
        contacts.memory = potential.finish(&x);
    }
}

#[test]
fn the_anchor_follows_a_sliding_contact() {
    let slip_length = 1e-3;
    let (system, mut x) = pressed(1, slip_length);
    let mut contacts = contacts(&system, &[]);
    let drag = Vec3::new(4.0, 0.0, 3.0) * slip_length;
    for _ in 0..3 {
        let origin = x.clone();
        x = with_second_moved(&system, &x, drag);
        let mut potential = contacts.begin(&system, &origin);
        potential.relag(&x);
        let force = force_on_second(&system, &gradient(&mut potential, &x));
        assert!((Vec3::new(force.x, 0.0, force.z) + 0.5 * force.y * drag.normalize()).norm() < 1e-9 * force.y);
        contacts.memory = potential.finish(&x);
    }
    // Dragged back by half the slip length the force drops: what is remembered is one slip length, not the way.
    let origin = x.clone();
    x = with_second_moved(&system, &x, -0.5 * slip_length * drag.normalize());
    let mut potential = contacts.begin(&system, &origin);
    let force = force_on_second(&system, &gradient(&mut potential, &x));
    let along = Vec3::new(force.x, 0.0, force.z).dot(&drag.normalize());
    assert!(along < 0.0 && along > -0.5 * force.y * 0.9, "{along} {}", force.y);
}

/// The slip of a vertex goes with it from triangle to triangle, and is forgotten when it leaves the surface.
#[test]
fn slips_go_from_triangle_to_triangle_and_end_with_the_contact() {
    let (system, mut x) = pressed(7, 0.5);
    let mut contacts = contacts(&system, &[]);
    let motion = Vec3::new(2e-3, 0.0, 1e-3);
    let bottom: Vec<u32> = facing_pairs(&system).into_iter().map(|(vertex, ..)| vertex).collect();
    let mut pairs = Vec::new();
    for _ in 0..50 {
        let origin = x.clone();
        x = with_second_moved(&system, &x, motion);
        let mut potential = contacts.begin(&system, &origin);
        pairs.extend(potential.stencils().iter().filter(|s| bottom.contains(&s.nodes[0])).map(|s| s.nodes));
        contacts.memory = potential.finish(&x);
    }
    pairs.sort_unstable();
    pairs.dedup();
    assert!(pairs.len() > 2 * bottom.len(), "{}", pairs.len());
    for &vertex in &bottom {
        let slip = contacts.memory.anchors.slip((Owner::Vertex(vertex), 0), &Vec3::y());
        // On a border of triangles contacts are inclined for a while, and count what is across them only.
        assert!((slip - 50.0 * motion).norm() < 0.05 * slip.norm(), "{vertex}: {slip}");
    }
    let origin = x.clone();
    x = with_second_moved(&system, &x, Vec3::new(0.0, REACH, 0.0));
    contacts.memory = contacts.begin(&system, &origin).finish(&x);
    assert_eq!(contacts.memory, Default::default());
}
