//! [`above_ground`]: a box that is about to fall.

use aplomb_sim::math::{Vec3, rotation};
use aplomb_sim::mesh::TriangleMesh;
use aplomb_sim::system::System;

use crate::{BoxBody, World, add_half_space};

/// A box turned by `degrees` about x, then y, then z, whose lowest point is `height` [m] above a plane without friction, or above a ground of
/// triangles, so many squares each way from the middle and so wide [m], where those are given.
pub fn above_ground(body: &BoxBody, height: f64, degrees: [f64; 3], triangles: Option<(i32, f64)>) -> System {
    let size = body.size;
    let turned = move |x: Vec3| rotation(degrees) * (x - 0.5 * size);
    let lowest = body.mesh().0.into_iter().map(|x| turned(x).y).fold(f64::INFINITY, f64::min);
    let world = World::on_earth().body(body, move |x| turned(x) + Vec3::new(0.0, height - lowest, 0.0));
    let Some((squares, spacing)) = triangles else {
        let mut system = world.finish(0.0);
        add_half_space(&mut system, [0.0; 3], [0.0, 1.0, 0.0], 0.0);
        return system;
    };
    // Not in line with the box.
    let lines: Vec<f64> = (-squares..=squares).map(|k| spacing * f64::from(k) + 0.011).collect();
    let ground = TriangleMesh::square(&Vec3::zeros(), &Vec3::y(), &lines);
    world.surface(&ground.positions, &ground.triangles, None).finish(0.0)
}
