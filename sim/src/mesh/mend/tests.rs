//! Damaged bodies become whole again.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::*;
use crate::math::random::Random;
use crate::mesh::health::{Mate, Mates, sides};
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

#[test]
fn flat_triangles_go_without_a_gap() {
    let whole = TriangleMesh::capsule(&Vec3::zeros(), &Vec3::zeros(), 1.0, 16);
    let mates = Mates::of(&whole.triangles);
    let mut seamed = whole.clone();
    // Sides that no two triangles share get a vertex in the middle on one side, and a flat triangle in between.
    let mut touched = vec![false; whole.triangles.len()];
    let mut seams = 0;
    for side in 0..mates.mates.len() {
        let Mate::Side(across) = mates.mates[side] else { panic!("a ball is closed") };
        let (t, other) = (side / 3, across as usize / 3);
        if !touched[t] && !touched[other] {
            [touched[t], touched[other]] = [true; 2];
            let [p, q, far] = [0, 1, 2].map(|k| whole.triangles[t][(side % 3 + k) % 3]);
            seamed.positions.push(0.5 * (whole.positions[p as usize] + whole.positions[q as usize]));
            let middle = seamed.positions.len() as u32 - 1;
            seamed.triangles[t] = [p, middle, far];
            seamed.triangles.extend([[middle, q, far], [q, middle, p]]);
            seams += 1;
        }
    }
    assert!(seams > 20);
    let mended = mend(&seamed.positions, &seamed.triangles, &[SurfaceRepair::DropBad], &Unwatched).unwrap();
    assert_eq!(count(&mended, ProblemCode::Degenerate, true), seams);
    let mates = Mates::of(&mended.triangles);
    assert_eq!((mates.open().count(), mates.non_manifold().count()), (0, 0));
    assert_eq!(mended.triangles.len(), whole.triangles.len() + 2 * seams);
    let (right, found) = (volume(&whole.positions, &whole.triangles), volume(&mended.positions, &mended.triangles));
    assert!((found / right - 1.0).abs() < 1e-12);
}

#[test]
fn welding_makes_no_edge_of_more_than_two_triangles() {
    // Three sheets that meet along a line, each with vertices of its own; and two vertices of one triangle very near one another.
    let at = |x: f64, y: f64, z: f64| Vec3::new(x, y, z);
    let positions = vec![
        at(0., 0., 0.),
        at(0., 0., 1.),
        at(1., 0., 0.),
        at(0., 0., 0.),
        at(0., 0., 1.),
        at(-1., 1., 0.),
        at(0., 0., 0.),
        at(0., 0., 1.),
        at(-1., -1., 0.),
        at(5., 0., 0.),
        at(5., 1e-9, 0.),
        at(6., 0., 0.),
    ];
    let triangles = [[0, 1, 2], [4, 3, 5], [7, 6, 8], [9, 10, 11]];
    let mended = mend(&positions, &triangles, &[SurfaceRepair::Weld(1e-6)], &Unwatched).unwrap();
    assert_eq!(Mates::of(&mended.triangles).non_manifold().count(), 0);
    assert!(mended.triangles.iter().all(|[a, b, c]| a != b && b != c && c != a));
    assert_eq!(mended.triangles.len(), 4);
    assert!(
        count(&mended, ProblemCode::DuplicateVertex, true) >= 2 && count(&mended, ProblemCode::DuplicateVertex, false) >= 1,
        "{:?}",
        mended.done
    );
}

#[test]
fn cavities_stay_and_sheets_keep_the_side_of_most_of_them() {
    let (ball, inner) = [1.0, 0.5].map(|radius| TriangleMesh::capsule(&Vec3::zeros(), &Vec3::zeros(), radius, 16)).into();
    let shift = ball.positions.len() as u32;
    let mut positions = ball.positions.clone();
    positions.extend(&inner.positions);
    let cavity = inner.triangles.iter().map(|&[a, b, c]| [b + shift, a + shift, c + shift]);
    let mut triangles: Vec<[u32; 3]> = ball.triangles.iter().map(|&[a, b, c]| [b, a, c]).chain(cavity).collect();
    triangles[shift as usize].swap(0, 1);
    let mended = mend(&positions, &triangles, &[SurfaceRepair::Orient], &Unwatched).unwrap();
    let expected = volume(&ball.positions, &ball.triangles) - volume(&inner.positions, &inner.triangles);
    assert!((volume(&mended.positions, &mended.triangles) - expected).abs() < 1e-12);
    let mut sheet = TriangleMesh::square(&Vec3::zeros(), &Vec3::y(), &[-1.0, 0.0, 1.0]);
    let right = sheet.triangles.clone();
    sheet.triangles[3].swap(0, 1);
    let mended = mend(&sheet.positions, &sheet.triangles, &[SurfaceRepair::Orient], &Unwatched).unwrap();
    let normal = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|v| sheet.positions[v as usize]);
        (b - a).cross(&(c - a)).y
    };
    assert!(mended.triangles.iter().zip(&right).all(|(a, b)| normal(a) == normal(b)));
}

#[test]
fn large_and_small_holes_are_closed_by_as_many_triangles_as_it_takes() {
    for segments in [8, 64, 320] {
        let whole = TriangleMesh::capsule(&Vec3::zeros(), &Vec3::zeros(), 1.0, segments);
        // Without its top: the last ring is a hole with as many edges as segments.
        let triangles: Vec<[u32; 3]> =
            whole.triangles.iter().copied().filter(|t| !t.contains(&(whole.positions.len() as u32 - 1))).collect();
        let fill = |most| mend(&whole.positions, &triangles, &[SurfaceRepair::FillHoles(most)], &Unwatched).unwrap();
        assert_eq!(fill(segments - 1).triangles.len(), triangles.len(), "a larger hole is left");
        let mended = fill(segments);
        assert_eq!(mended.triangles.len(), triangles.len() + segments as usize - 2);
        let mates = Mates::of(&mended.triangles);
        assert_eq!((mates.open().count(), mates.non_manifold().count()), (0, 0));
        let sides = sides(&mended.positions, &mended.triangles, &mates);
        assert!(sides.against.iter().all(|against| !against) && !sides.shells[0].inward);
        assert!((volume(&mended.positions, &mended.triangles) / volume(&whole.positions, &whole.triangles) - 1.0).abs() < 0.05);
    }
}

/// A cone of separate triangles around one apex, which all have at the same point; and a triangle many times with its own corners.
#[test]
fn a_crowd_at_one_point_is_welded() {
    let count = 20_000_u32;
    let rim = |i: u32| {
        let angle = std::f64::consts::TAU * f64::from(i % count) / f64::from(count);
        Vec3::new(angle.cos(), 0.0, angle.sin())
    };
    let cone: Vec<Vec3> = (0..count).flat_map(|i| [Vec3::y(), rim(i + 1), rim(i)]).collect();
    let separate: Vec<[u32; 3]> = (0..count).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    let mended = mend(&cone, &separate, &[SurfaceRepair::Weld(1e-9)], &Unwatched).unwrap();
    assert_eq!(mended.positions.len(), count as usize + 1);
    let mates = Mates::of(&mended.triangles);
    assert_eq!((mates.open().count(), mates.non_manifold().count()), (count as usize, 0));

    let same: Vec<Vec3> = (0..count).flat_map(|_| [Vec3::zeros(), Vec3::x(), Vec3::y()]).collect();
    let mended = mend(&same, &separate, &[SurfaceRepair::Weld(1e-9)], &Unwatched).unwrap();
    let mates = Mates::of(&mended.triangles);
    assert_eq!((mates.non_manifold().count(), mended.triangles.len()), (0, count as usize));
    assert!(mended.positions.len() < same.len() && count_of_duplicates(&mended.triangles) == 0);

    // Vertices that nothing uses are neither joined nor counted.
    let loose = vec![Vec3::repeat(9.0); 50_000];
    let positions: Vec<Vec3> = cone[..3].iter().copied().chain(loose).collect();
    let mended = mend(&positions, &separate[..1], &[SurfaceRepair::Weld(1e-9)], &Unwatched).unwrap();
    assert_eq!((mended.positions.len(), mended.done.len()), (positions.len(), 0));
}

fn count_of_duplicates(triangles: &[[u32; 3]]) -> usize {
    crate::mesh::health::duplicate_triangles(triangles).len()
}

/// A closed fan around `apex` with so many triangles, of radius 1.
fn fan(apex: Vec3, count: u32) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let angle = |i: u32| std::f64::consts::TAU * f64::from(i) / f64::from(count);
    let rim = (0..count).map(|i| Vec3::new(angle(i).cos(), 0.0, angle(i).sin()));
    (rim.chain([apex]).collect(), (0..count).map(|i| [i, count, (i + 1) % count]).collect())
}

#[test]
fn a_tolerance_beyond_all_measure_is_told() {
    // No two vertices of the rim can be one: at the apex, an edge of four triangles would come. A far triangle makes the body large.
    let (mut positions, mut triangles) = fan(Vec3::y(), 3_000);
    triangles.push([0, 1, 2].map(|k| k + positions.len() as u32));
    positions.extend([99.0, 100.0, 101.0].map(|x| Vec3::new(x, x * x, 0.0)));
    let weld = |tolerance| mend(&positions, &triangles, &[SurfaceRepair::Weld(tolerance)], &Unwatched).unwrap();
    let beyond = |mended: &Mended| mended.done.iter().any(|problem| !problem.fixed && problem.message.contains("within the tolerance"));
    assert!(beyond(&weld(0.1)) && !beyond(&weld(1e-7)), "{:?}", weld(0.1).done);
    assert_eq!(weld(0.1).triangles.len(), triangles.len());
}

#[test]
fn a_hole_of_a_hundred_thousand_edges_is_closed() {
    let count = 100_000;
    let (positions, triangles) = fan(Vec3::y(), count);
    let mended = mend(&positions, &triangles, &[SurfaceRepair::FillHoles(count)], &Unwatched).unwrap();
    let mates = Mates::of(&mended.triangles);
    assert_eq!((mended.triangles.len(), mates.open().count(), mates.non_manifold().count()), (2 * count as usize - 2, 0, 0));
    assert!((volume(&mended.positions, &mended.triangles).abs() / (std::f64::consts::PI / 3.0) - 1.0).abs() < 1e-6);
}
