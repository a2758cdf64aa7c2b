//! Damaged bodies become whole again.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::*;
use crate::math::random::Random;
use crate::mesh::health::{Mates, sides};
use crate::mesh::{ProblemCode, TriangleMesh};
use crate::watch::Unwatched;

const ALL: [SurfaceRepair; 5] =
    [SurfaceRepair::Weld(1e-6), SurfaceRepair::DropBad, SurfaceRepair::Orient, SurfaceRepair::FillHoles(40), SurfaceRepair::DropLoose];

fn count(mended: &Mended, code: ProblemCode, fixed: bool) -> usize {
    mended.done.iter().filter(|p| p.code == code && p.fixed == fixed).map(|p| p.count).sum()
}

fn volume(positions: &[Vec3], triangles: &[[u32; 3]]) -> f64 {
    triangles.iter().map(|t| t.map(|v| positions[v as usize])).map(|[a, b, c]| a.cross(&b).dot(&c) / 6.0).sum()
}

/// A ball, a ring, or both.
fn body(random: &mut Random) -> TriangleMesh {
    let ball = TriangleMesh::capsule(&Vec3::zeros(), &Vec3::zeros(), 1.0, 16);
    let ring = TriangleMesh::torus(&Vec3::new(0.0, 5.0, 0.0), &Vec3::new(1.0, 2.0, 3.0), 2.0, 0.5, 24);
    match random.uniform(0.0, 3.0) as u32 {
        0 => ball,
        1 => ring,
        _ => {
            let shift = ball.positions.len() as u32;
            let positions = ball.positions.iter().chain(&ring.positions).copied().collect();
            let triangles = ball.triangles.iter().copied().chain(ring.triangles.iter().map(|t| t.map(|v| v + shift))).collect();
            TriangleMesh { positions, triangles }
        }
    }
}

/// Takes triangles out (no two that share a vertex), turns some, repeats some, gives some corners of their own, and adds loose
/// vertices and flat triangles.
fn damage(mesh: &TriangleMesh, random: &mut Random) -> TriangleMesh {
    let mut damaged = mesh.clone();
    let mut touched = vec![false; mesh.positions.len()];
    damaged.triangles.retain(|triangle| {
        let drop = random.uniform(0.0, 1.0) < 0.05 && !triangle.iter().any(|&v| touched[v as usize]);
        if drop {
            triangle.iter().for_each(|&v| touched[v as usize] = true);
        }
        !drop
    });
    for t in 0..damaged.triangles.len() {
        let triangle = &mut damaged.triangles[t];
        if random.uniform(0.0, 1.0) < 0.1 {
            triangle.swap(0, 2);
        }
        for k in 0..3 {
            if random.uniform(0.0, 1.0) < 0.2 {
                damaged.positions.push(damaged.positions[triangle[k] as usize] + random.vector(-1e-8, 1e-8));
                triangle[k] = damaged.positions.len() as u32 - 1;
            }
        }
        let [a, b, c] = *triangle;
        if random.uniform(0.0, 1.0) < 0.05 {
            damaged.triangles.push([b, a, c]);
        }
        if random.uniform(0.0, 1.0) < 0.05 {
            damaged.triangles.push([a, b, b]);
        }
    }
    damaged.positions.extend((0..5).map(|_| random.vector(-1.0, 1.0)));
    damaged
}

#[test]
fn damaged_bodies_become_closed_and_outward_again() {
    let mut random = Random::new(7);
    for round in 0..60 {
        let whole = body(&mut random);
        let damaged = damage(&whole, &mut random);
        let mended = mend(&damaged.positions, &damaged.triangles, &ALL, &Unwatched).unwrap();
        let mates = Mates::of(&mended.triangles);
        assert_eq!((mates.open().count(), mates.non_manifold().count()), (0, 0), "round {round}: {:?}", mended.done);
        let sides = sides(&mended.positions, &mended.triangles, &mates);
        assert!(sides.against.iter().all(|against| !against), "round {round}");
        assert_eq!(mended.positions.len(), whole.positions.len(), "round {round}");
        assert_eq!(mended.triangles.len(), whole.triangles.len(), "round {round}");
        let (right, found) = (volume(&whole.positions, &whole.triangles), volume(&mended.positions, &mended.triangles));
        assert!((found / right - 1.0).abs() < 1e-6, "round {round}: {found} instead of {right}");
        for (p, &source) in mended.positions.iter().zip(&mended.source_vertices) {
            assert_eq!(*p, damaged.positions[source as usize]);
        }
        let again = mend(&mended.positions, &mended.triangles, &ALL, &Unwatched).unwrap();
        assert_eq!((&again.positions, &again.triangles, &again.done), (&mended.positions, &mended.triangles, &vec![]), "round {round}");
    }
}
