//! Meshes of obstacles.

use std::f32::consts::{PI, TAU};

use aplomb_sim::math::across;
use aplomb_sim::scene::Shape;
use nalgebra::{Rotation3, Vector3};
use three_d::{InnerSpace, Vec3, Vec4, vec3};

use super::mesh::Parts;
use super::normals::to_f32;

/// Segments around a round thing.
const AROUND: u32 = 64;

/// Adds an obstacle of finite size; a half-space is the business of [`super::plane`].
pub(super) fn obstacle(parts: &mut Parts, shape: &Shape, origin: &aplomb_sim::math::Vec3, color: Vec4) {
    let at = |p: &[f64; 3]| to_f32(&(aplomb_sim::math::Vec3::from(*p) - origin));
    match shape {
        Shape::HalfSpace { .. } | Shape::Torus { .. } | Shape::Revolution { .. } | Shape::Mesh { .. } => {}
        Shape::Sphere { center, radius } => capsule(parts, at(center), at(center), *radius as f32, color),
        Shape::Capsule { from, to, radius } => capsule(parts, at(from), at(to), *radius as f32, color),
        Shape::Box { center, size, rotate_degrees } => {
            let [x, y, z] = rotate_degrees.map(f64::to_radians);
            cuboid(parts, at(center), size.map(|s| 0.5 * s as f32), &Rotation3::from_euler_angles(x, y, z).cast(), color);
        }
    }
}

/// Two half balls and the tube between them; a ball where both ends are one.
fn capsule(parts: &mut Parts, from: Vec3, to: Vec3, radius: f32, color: Vec4) {
    let axis = if (to - from).magnitude() > 0.0 { (to - from).normalize() } else { vec3(0.0, 1.0, 0.0) };
    let (u, v) = beside(axis);
    let rows = AROUND / 2;
    // The row at the equator stands twice, once at each end of the tube.
    parts.patch(rows + 1, AROUND, color, |row, column| {
        let upper = row <= rows / 2;
        let polar = PI * (if upper { row } else { row - 1 }) as f32 / rows as f32;
        let turn = TAU * column as f32 / AROUND as f32;
        let normal = polar.cos() * axis + polar.sin() * (turn.cos() * u + turn.sin() * v);
        (if upper { to } else { from } + radius * normal, normal)
    });
}

fn cuboid(parts: &mut Parts, center: Vec3, half: [f32; 3], rotation: &Rotation3<f32>, color: Vec4) {
    let turned = |v: Vector3<f32>| {
        let v = rotation * v;
        vec3(v.x, v.y, v.z)
    };
    for axis in 0..3 {
        for sign in [-1.0, 1.0] {
            let (second, third) = ((axis + 1) % 3, (axis + 2) % 3);
            parts.patch(1, 1, color, |row, column| {
                let (mut place, mut normal) = (Vector3::zeros(), Vector3::zeros());
                normal[axis] = sign;
                place[axis] = sign * half[axis];
                // Mirrored on one of each two sides, so that both are counter-clockwise from outside.
                place[second] = (2.0 * row as f32 - 1.0) * half[second] * sign;
                place[third] = (2.0 * column as f32 - 1.0) * half[third];
                (center + turned(place), turned(normal))
            });
        }
    }
}

/// Two unit vectors that make a right-handed frame with `axis`.
pub(super) fn beside(axis: Vec3) -> (Vec3, Vec3) {
    let u = to_f32(&across(&aplomb_sim::math::Vec3::new(axis.x.into(), axis.y.into(), axis.z.into())));
    (u, axis.cross(u))
}
