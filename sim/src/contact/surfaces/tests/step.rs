//! What a step sees of contacts: the forces that are told, and barriers that grow stiffer.

use super::*;
use crate::contact::Balance;
use crate::contact::{ContactMemory, PlacedObstacle};
use crate::scene::Shape;
use crate::system::TouchPair;

/// Of two bodies one of which cannot move, the force on the other is told, along the normal towards it, whichever has the vertices and which
/// the triangles.
#[test]
fn forces_are_told_of_what_can_move() {
    for held in [0, 1] {
        let mut system = stack(1.5 * REACH, 0.3);
        let second = second_box(&system);
        for n in 0..system.positions.len() {
            system.fixed[n] = second.contains(&n) == (held == 1);
            system.surface.movable[n] = !system.fixed[n];
        }
        let x = with_second_moved(&system, &system.positions, Vec3::new(0.0, -REACH, 0.0));
        let mut memory = ContactMemory::new(&system, &Balance::default());
        let mut contact = memory.freeze(&system, &x, 0.0);
        let mut gradient = vec![Vec3::zeros(); x.len()];
        contact.add_gradient(&x, &mut gradient);
        let on_second = -gradient[second.clone()].iter().sum::<Vec3>();
        let mut forces = contact.forces(&x);
        forces.retain(|told| told.force != Vec3::zeros());
        let up = if held == 0 { 1.0 } else { -1.0 };
        for told in &forces {
            assert!(up * told.normal.y > 0.0 && up * told.force.y > -1e-9 * FORCE, "{told:?}");
            assert!(!system.fixed[told.node as usize]);
        }
        let sum: Vec3 = forces.iter().map(|told| told.force).sum();
        assert!(on_second.y > 0.0 && (sum - up * on_second).norm() < 1e-12 * on_second.norm(), "{sum} {on_second}");
    }
}

/// A barrier that is pressed to less than a hundredth of its distance pushes twice as hard from then on, if there is the energy for it.
#[test]
fn pressed_barriers_grow_twice_as_stiff() {
    for on_ground in [false, true] {
        let mut system = stack(1.5 * REACH, 0.0);
        if on_ground {
            let shape = Shape::HalfSpace { point: [0.0, -1.5 * REACH, 0.0], normal: [0.0, 1.0, 0.0] };
            system.obstacles.push(PlacedObstacle::new("ground", shape));
            system.pairs = (0..system.positions.len() as u32).map(|node| TouchPair { node, obstacle: 0, friction: 0.0 }).collect();
        }
        for (share, grows) in [(0.5, 1.0), (0.02, 1.0), (0.005, 2.0)] {
            let down = Vec3::new(0.0, share * REACH - 1.5 * REACH, 0.0);
            let x: Vec<Vec3> = if on_ground {
                system.positions.iter().map(|p| p + down).collect()
            } else {
                with_second_moved(&system, &system.positions, down)
            };
            let mut memory = ContactMemory::new(&system, &Balance::default());
            let energy = |memory: &mut ContactMemory| memory.freeze(&system, &x, 0.0).energy(&x);
            let before = energy(&mut memory);
            let pressed = memory.freeze(&system, &x, 0.0).pressed(&x);
            memory.stiffen_if_pressed(&pressed, &system.surface.points, &x, 0.9 * before);
            assert_eq!(energy(&mut memory), before, "out of nothing");
            memory.stiffen_if_pressed(&pressed, &system.surface.points, &x, 1.1 * before);
            assert!(before > 0.0 && (energy(&mut memory) / before - grows).abs() < 1e-12, "{share}");
        }
    }
}
