//! Small meshes with one thing wrong.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::*;
use crate::import::{Lists, RawMesh};
use crate::mesh::ProblemCode::{self, *};
use crate::mesh::TriangleMesh;
use crate::watch::{Cancelled, Unwatched, Watch};

fn cube(size: f64) -> RawMesh {
    let TriangleMesh { positions, triangles } = TriangleMesh::cuboid(&Vec3::zeros(), &Vec3::repeat(size), [0.0; 3]);
    RawMesh { format: "test", positions, triangles, ..RawMesh::default() }
}

/// Both meshes in one file.
fn together(mut a: RawMesh, b: RawMesh) -> RawMesh {
    let shift = a.positions.len() as u32;
    a.positions.extend(b.positions);
    a.triangles.extend(b.triangles.into_iter().map(|t| t.map(|v| v + shift)));
    a
}

fn inside_out(mut raw: RawMesh) -> RawMesh {
    raw.triangles.iter_mut().for_each(|t| t.swap(0, 1));
    raw
}

fn found(raw: &RawMesh) -> Vec<(ProblemCode, usize)> {
    let health = examine(raw, 1.0, UpAxis::Y, &Unwatched).unwrap();
    health.findings.iter().map(|finding| (finding.problem.code, finding.problem.count)).collect()
}

fn volume(raw: &RawMesh) -> Option<f64> {
    examine(raw, 1.0, UpAxis::Y, &Unwatched).unwrap().volume
}

#[test]
fn each_defect_is_told_by_itself() {
    let whole = cube(1.0);
    assert_eq!(found(&whole), []);
    let mut open = whole.clone();
    open.triangles.pop();
    assert_eq!((found(&open), volume(&open)), (vec![(OpenEdge, 3)], None));
    let mut flipped = whole.clone();
    flipped.triangles[4].swap(0, 1);
    assert_eq!(found(&flipped), [(Flipped, 1)]);
    let mut twice = whole.clone();
    twice.triangles.push(twice.triangles[3]);
    assert_eq!(found(&twice), [(SelfIntersection, 2), (NonManifoldEdge, 3), (DuplicateFace, 1)]);
    let mut flat = whole.clone();
    flat.triangles.push([1, 2, 2]);
    assert_eq!(found(&flat), [(Degenerate, 1)]);
    let mut loose = whole.clone();
    loose.positions.push(Vec3::repeat(9.0));
    assert_eq!(found(&loose), [(LooseVertex, 1)]);
    let mut endless = whole.clone();
    endless.positions[3].x = f64::NAN;
    assert_eq!(found(&endless), [(NonFinite, 1)]);
    let mut strip = whole.clone();
    strip.notes.push("the normals were skipped".to_owned());
    assert_eq!(found(&strip), [(Note, 1)]);
    assert_eq!(found(&RawMesh::default()), []);
}

#[test]
fn closed_parts_look_outward_and_cavities_inward() {
    let (large, small) = (cube(2.0), cube(1.0));
    assert_eq!(found(&inside_out(large.clone())), [(InsideOut, 12)]);
    assert!((volume(&inside_out(large.clone())).unwrap() - 8.0).abs() < 1e-12);
    let hollow = together(large.clone(), inside_out(small.clone()));
    assert_eq!(found(&hollow), []);
    assert!((volume(&hollow).unwrap() - 7.0).abs() < 1e-12);
    assert_eq!(found(&together(inside_out(large), small)), [(InsideOut, 12)]);
}

#[test]
fn cubes_that_meet_in_a_vertex_or_an_edge_are_told() {
    let beside = |shift: Vec3, share: bool| {
        let (first, mut second) = (cube(1.0), cube(1.0));
        second.positions.iter_mut().for_each(|p| *p += shift);
        let mut both = together(first, second);
        if share {
            let equal = equal_vertices(&both.positions);
            both.triangles.as_flattened_mut().iter_mut().for_each(|v| *v = equal[*v as usize]);
        }
        found(&both)
    };
    assert_eq!(beside(Vec3::repeat(1.0), true), [(NonManifoldVertex, 1), (LooseVertex, 1)]);
    // Once the equal vertices are joined, the surfaces meet there as well.
    assert_eq!(beside(Vec3::repeat(1.0), false), [(NonManifoldVertex, 1), (DuplicateVertex, 1)]);
    assert_eq!(beside(Vec3::new(1.5, 1.0, 1.0), false), []);
    assert_eq!(beside(Vec3::new(1.0, 1.0, 0.0), true), [(NonManifoldEdge, 1), (LooseVertex, 2)]);
}

/// A ball with one triangle that has vertices of its own: open around it until equal vertices are joined.
#[test]
fn what_is_open_only_until_equal_vertices_are_joined_is_told() {
    let TriangleMesh { mut positions, mut triangles } = TriangleMesh::capsule(&Vec3::zeros(), &Vec3::zeros(), 1.0, 16);
    let (own, count) = (triangles.len() / 2, positions.len() as u32);
    positions.extend(triangles[own].map(|v| positions[v as usize]));
    triangles[own] = [count, count + 1, count + 2];
    let mut ball = RawMesh { format: "test", positions, triangles, ..RawMesh::default() };
    let message = |raw: &RawMesh| {
        let health = examine(raw, 1.0, UpAxis::Y, &Unwatched).unwrap();
        let open = health.findings.iter().find(|finding| finding.problem.code == OpenEdge).expect("edges are open");
        open.problem.message.clone()
    };
    assert!(message(&ball).contains("6 edges have one face only (0 once equal vertices are joined)"), "{}", message(&ball));
    // Without the triangle, nothing closes the hole.
    ball.triangles.swap_remove(own);
    assert!(message(&ball).contains("3 edges have one face only, around"), "{}", message(&ball));
}

#[test]
fn separate_triangles_are_looked_at_as_joined() {
    let whole = cube(1.0);
    let positions = whole.triangles.as_flattened().iter().map(|&v| whole.positions[v as usize]).collect();
    let soup = RawMesh { positions, triangles: (0..12).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect(), ..whole };
    let health = examine(&soup, 1.0, UpAxis::Y, &Unwatched).unwrap();
    assert!(health.joined && health.components == 1 && (health.volume.unwrap() - 1.0).abs() < 1e-12);
    assert_eq!(found(&soup), [(DuplicateVertex, 28)]);
    let mended = crate::mesh::mend::mend(&soup.positions, &soup.triangles, &health.safe_repairs(), &Unwatched).unwrap();
    assert_eq!(mended.positions.len(), 8);
}

/// A square that begins at the z axis, in the direction that makes an angle with x.
fn sheet(angle: f64) -> RawMesh {
    let far = Vec3::new(angle.cos(), angle.sin(), 0.0);
    let positions = vec![Vec3::zeros(), Vec3::z(), far, far + Vec3::z()];
    RawMesh { format: "test", positions, triangles: vec![[0, 2, 1], [1, 2, 3]], ..RawMesh::default() }
}

/// Three sheets that have an edge in common, and three others whose edges are only equal: one edge has more than two faces, and two do
/// once equal vertices are joined.
#[test]
fn edges_of_many_faces_are_counted_once_equal_vertices_are_joined() {
    let three = || together(together(sheet(0.0), sheet(2.0)), sheet(4.0));
    let mut common = three();
    common.triangles.as_flattened_mut().iter_mut().for_each(|v| *v = if *v % 4 < 2 { *v % 4 } else { *v });
    common.positions.iter_mut().for_each(|p| p.x += 5.0);
    let health = examine(&together(common, three()), 1.0, UpAxis::Y, &Unwatched).unwrap();
    let many = health.findings.iter().find(|finding| finding.problem.code == NonManifoldEdge).unwrap();
    let message = &many.problem.message;
    assert!(message.starts_with("1 edges have more than two faces (2 once equal vertices are joined)"), "{message}");
}

#[test]
fn a_repair_that_changes_nothing_is_not_offered() {
    // Each with vertices of its own: two can be joined, the third can not.
    let three = together(together(sheet(0.0), sheet(2.0)), sheet(4.0));
    let offered = |raw: &RawMesh| examine(raw, 1.0, UpAxis::Y, &Unwatched).unwrap().safe_repairs();
    assert!(matches!(offered(&three)[..], [SurfaceRepair::Weld(_)]), "{:?}", offered(&three));
    let mended = crate::mesh::mend::mend(&three.positions, &three.triangles, &offered(&three), &Unwatched).unwrap();
    // Both ends of the edge of two sheets, and one end of the third's, without its other end.
    assert_eq!(mended.positions.len(), 9);
    let mended = RawMesh { positions: mended.positions, triangles: mended.triangles, ..three };
    let again = examine(&mended, 1.0, UpAxis::Y, &Unwatched).unwrap();
    let left = again.findings.iter().find(|finding| finding.problem.code == DuplicateVertex).expect("one vertex is left apart");
    assert!(left.fix.is_none() && left.problem.message.contains("more than two triangles"), "{left:?}");
}

#[test]
fn vertices_alone_are_no_sound_mesh() {
    let cloud = RawMesh { triangles: Vec::new(), ..cube(1.0) };
    assert_eq!(found(&cloud), [(NoElement, 8)]);
    let strand = RawMesh { strands: Lists { ends: vec![8], vertices: (0..8).collect() }, ..cloud };
    assert_eq!(found(&strand), []);
}

#[test]
fn sizes_far_from_one_are_told_in_few_letters() {
    for (size, shown) in [(1e20, "1.00e20 m"), (1e-20, "1.00e-17 mm"), (0.25, "25.0 cm"), (0.0, "0 m"), (12.0, "12.0 m")] {
        assert_eq!(shown_length(size), shown);
    }
}

#[test]
fn faces_are_counted_as_the_file_has_them() {
    let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let mut polygons = Lists::default();
    quads.iter().for_each(|quad: &[u32; 4]| polygons.push(quad));
    let mut raw = RawMesh { polygons, ..cube(1.0) };
    raw.triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    assert_eq!(found(&raw), []);
    // The same quad again, cut along its other diagonal.
    raw.polygons.push(&[4, 6, 2, 0]);
    raw.triangles.extend([[4, 6, 2], [4, 2, 0]]);
    assert_eq!(found(&raw), [(SelfIntersection, 2), (NonManifoldEdge, 4), (DuplicateFace, 1)]);
}

#[test]
fn scale_and_axis_apply_to_the_box_and_the_volume() {
    let mut raw = cube(100.0);
    raw.positions.iter_mut().for_each(|p| p.z *= 2.0);
    let health = examine(&raw, 1e-3, UpAxis::Z, &Unwatched).unwrap();
    let size = health.bounding_box[1] - health.bounding_box[0];
    assert!((size - Vec3::new(0.1, 0.2, 0.1)).amax() < 1e-15, "{size}");
    assert!((health.volume.unwrap() - 2e-3).abs() < 1e-15);
    raw.unit = Some(0.01);
    let health = examine(&raw, 1e-3, UpAxis::Z, &Unwatched).unwrap();
    assert_eq!((health.unit.value, health.unit.certainty), (Unit::Centimetre, Certainty::Stated));
}

#[test]
fn what_could_not_be_compared_is_told() {
    // The boxes of all triangles around one vertex meet there.
    let count = 10_000;
    let angle = |i: u32| std::f64::consts::TAU * f64::from(i) / f64::from(count);
    let rim = (0..count).map(|i| Vec3::new(angle(i).cos(), 0.0, angle(i).sin()));
    let triangles = (0..count).map(|i| [i, count, (i + 1) % count]).collect();
    let cone = RawMesh { positions: rim.chain([Vec3::y()]).collect(), triangles, ..RawMesh::default() };
    let health = examine(&cone, 1.0, UpAxis::Y, &Unwatched).unwrap();
    let codes: Vec<ProblemCode> = health.findings.iter().map(|finding| finding.problem.code).collect();
    assert_eq!(codes, [Note, OpenEdge]);
}

#[test]
fn it_can_be_cancelled() {
    struct No;
    impl Watch for No {
        fn progress(&self, _: &str, _: f64) {}
        fn check(&self) -> Result<(), Cancelled> {
            Err(Cancelled)
        }
    }
    assert_eq!(examine(&cube(1.0), 1.0, UpAxis::Y, &No), Err(Cancelled));
}
