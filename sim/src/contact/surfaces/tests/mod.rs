#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod derivatives;
mod lines;
mod preload;
mod reference;
mod sliding;
mod step;
mod sticking;
mod thickness;
mod untouched;

use super::{PairPreload, SurfaceContacts, Touch};
use crate::contact::barrier::{Barrier, BarrierKind};
use crate::contact::surface::{CollisionSurface, PairRules, PartInput};
use crate::math::{Mat3, Vec3, bounding_diagonal};
use crate::mesh::TetMesh;
use crate::mesh::structured::{CubeCut, box_mesh};
use crate::scene::ContactSettings;
use crate::system::System;

/// Reach of the barrier in most tests [m].
pub const REACH: f64 = 0.02;

/// Force of a typical contact in the tests [N].
pub const FORCE: f64 = 3.0;

/// A box of tetrahedra.
pub struct Block {
    pub size: Vec3,
    pub cells: [usize; 3],
    pub turn: Mat3,
    pub corner: Vec3,
}

/// Boxes that may touch one another and themselves, all free. The barrier's distance is [`REACH`], but for what is nearer.
pub fn system(blocks: &[Block], friction: f64) -> System {
    let (mut positions, mut parts): (Vec<Vec3>, Vec<PartInput>) = (Vec::new(), Vec::new());
    for block in blocks {
        let first = positions.len() as u32;
        let (points, tets) = box_mesh(block.size, block.cells, CubeCut::Five);
        positions.extend(points.iter().map(|p| block.corner + block.turn * p));
        let mesh = TetMesh::from_tets(points, tets).unwrap();
        let triangles = mesh.surface.iter().map(|t| t.map(|node| node + first)).collect();
        parts.push(PartInput::triangles(format!("block {}", parts.len()), triangles));
    }
    system_of(positions, parts, friction)
}

/// Parts that may touch one another and themselves, all free. The barrier's distance is [`REACH`], but for what is nearer.
pub fn system_of(positions: Vec<Vec3>, parts: Vec<PartInput>, friction: f64) -> System {
    let (movable, rules) = (vec![true; positions.len()], PairRules::all_touch(parts.len(), friction));
    let surface = CollisionSurface::new(&positions, parts, rules, movable).unwrap();
    let diagonal = bounding_diagonal(&positions);
    System {
        masses: vec![1.0; positions.len()],
        fixed: vec![false; positions.len()],
        diagonal,
        surface,
        contact: ContactSettings { barrier_distance: REACH / diagonal, friction_slip: 1e-3 / diagonal, ..ContactSettings::default() },
        positions,
        ..System::default()
    }
}

/// A net of `cells` squares of side `side` across x and z, its first corner at the origin, whose nodes begin with number `first`.
pub fn net(cells: [u32; 2], side: f64, first: u32) -> (Vec<Vec3>, Vec<[u32; 2]>) {
    let node = |i: u32, j: u32| first + i * (cells[1] + 1) + j;
    let places = || (0..=cells[0]).flat_map(|i| (0..=cells[1]).map(move |j| (i, j)));
    let x = places().map(|(i, j)| side * Vec3::new(f64::from(i), 0.0, f64::from(j))).collect();
    let along_x = places().filter(|&(i, _)| i < cells[0]).map(|(i, j)| [node(i, j), node(i + 1, j)]);
    let along_z = places().filter(|&(_, j)| j < cells[1]).map(|(i, j)| [node(i, j), node(i, j + 1)]);
    (x, along_x.chain(along_z).collect())
}

/// The contacts of a system, with [`FORCE`] as the force at the barrier's distance over phi(1).
pub fn contacts(system: &System, preloads: &[PairPreload]) -> SurfaceContacts {
    let barrier = Barrier { distance: 1.0, stiffness: FORCE, kind: BarrierKind::C2 };
    SurfaceContacts::new(system, preloads, &barrier)
}

/// A low box and a smaller one that lies `gap` above it, with grids that do not match.
pub fn stack(gap: f64, friction: f64) -> System {
    stack_on(7, gap, friction)
}

/// The same with so many cells along the sides of the low box.
pub fn stack_on(cells: usize, gap: f64, friction: f64) -> System {
    let flat = |size: Vec3, cells, corner| Block { size, cells, turn: Mat3::identity(), corner };
    let low = flat(Vec3::new(1.0, 0.2, 1.0), [cells, 1, cells], Vec3::zeros());
    let high = flat(Vec3::new(0.4, 0.2, 0.4), [2, 1, 2], Vec3::new(0.33, 0.2 + gap, 0.29));
    system(&[low, high], friction)
}

/// Positions with the second box moved by `motion`.
pub fn with_second_moved(system: &System, x: &[Vec3], motion: Vec3) -> Vec<Vec3> {
    let second = second_box(system);
    x.iter().enumerate().map(|(n, p)| if second.contains(&n) { p + motion } else { *p }).collect()
}

/// Nodes of the second box of [`stack`].
pub fn second_box(system: &System) -> std::ops::Range<usize> {
    let first = system.surface.parts[1].vertices.start;
    system.surface.vertices[first] as usize..system.positions.len()
}

/// The bottom vertices of the second box, each with the triangle of the first box that is nearest to it.
pub fn facing_pairs(system: &System) -> Vec<(u32, [u32; 3], [f64; 3])> {
    let surface = &system.surface;
    let bottom = second_box(system).map(|n| system.positions[n].y).fold(f64::INFINITY, f64::min);
    let low = surface.parts[1].vertices.clone().map(|v| surface.vertices[v]).filter(|&n| system.positions[n as usize].y < bottom + 1e-9);
    low.map(|vertex| {
        let nearest = surface.triangles[surface.parts[0].triangles.clone()].iter().map(|triangle| {
            let [a, b, c] = triangle.map(|n| system.positions[n as usize]);
            (crate::contact::primitive::point_triangle(&system.positions[vertex as usize], &a, &b, &c), *triangle)
        });
        let (nearest, triangle) = nearest.min_by(|a, b| a.0.distance().total_cmp(&b.0.distance())).unwrap();
        (vertex, triangle, [-nearest.weights[1], -nearest.weights[2], -nearest.weights[3]])
    })
    .collect()
}

/// The force of a vertex that lies on a level triangle.
pub fn preload(vertex: u32, triangle: [u32; 3], normal_force: f64, friction_force: Vec3) -> PairPreload {
    let touch = Touch::VertexTriangle { vertex, triangle };
    PairPreload { touch, normal: Vec3::y(), normal_force, friction_force, distance: 0.0 }
}

/// Forces that press the second box down unevenly, and drag it within its friction.
pub fn preloads(system: &System, friction: f64) -> Vec<PairPreload> {
    let pressed = |(k, (vertex, triangle, _)): (usize, (u32, [u32; 3], [f64; 3]))| {
        let normal_force = FORCE * (0.3 + 0.2 * k as f64);
        let angle = k as f64;
        let drag = 0.1 * k as f64 * friction * normal_force;
        let friction_force = drag * Vec3::new(angle.cos(), 0.0, angle.sin());
        preload(vertex, triangle, normal_force, friction_force)
    };
    facing_pairs(system).into_iter().enumerate().map(pressed).collect()
}

/// Gradient of all contacts at `x` in a step that starts at `origin`.
pub fn gradient(potential: &mut super::SurfacePotential, x: &[Vec3]) -> Vec<Vec3> {
    let mut gradient = vec![Vec3::zeros(); x.len()];
    potential.add_gradient(x, &mut gradient);
    gradient
}
