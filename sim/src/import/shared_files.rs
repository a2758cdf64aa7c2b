//! Meshes from elsewhere against their known counts, boxes and volumes.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::PathBuf;

use crate::import::UpAxis;
use crate::import::{ImportError, Place, read};
use crate::math::{Vec3, bounding_box};
use crate::mesh::{ProblemCode, TetMesh};
use crate::watch::Unwatched;

fn shared(name: &str) -> Option<PathBuf> {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/meshes"));
    if folder.is_dir() {
        return Some(folder.join(name));
    }
    eprintln!("SKIPPED: ../shared is missing");
    None
}

fn load(name: &str) -> Option<TetMesh> {
    let raw = read(&shared(name)?, &Unwatched).unwrap_or_else(|why| panic!("{why}"));
    Some(TetMesh::from_raw(&raw, 1.0, UpAxis::Y).unwrap())
}

fn count(mesh: &TetMesh, code: ProblemCode) -> usize {
    mesh.problems.iter().filter(|p| p.code == code).map(|p| p.count).sum()
}

#[test]
fn meshes_have_their_known_counts_and_boxes() {
    let table = [
        ("octopus.mesh", 11_772, 39_083, [-0.4278, -0.3116, -0.5], [0.4276, 0.312, 0.4997]),
        ("spot.mesh", 4_079, 15_555, [-0.4713, -0.7368, -0.6688], [0.4712, 0.9536, 1.0486]),
        ("alien.msh", 12_531, 48_643, [-0.693, -0.0021, -0.4751], [0.6926, 2.6926, 0.5736]),
        ("armadillo_4k.node", 1_180, 3_717, [-1.2641, -1.0808, -1.1709], [1.2742, 1.9485, 1.1445]),
        ("armadillo_4k.ele", 1_180, 3_717, [-1.2641, -1.0808, -1.1709], [1.2742, 1.9485, 1.1445]),
        ("bar-186.msh", 86, 186, [0.0; 3], [10.0, 0.5, 1.0]),
        ("bar-651.msh", 292, 651, [0.0; 3], [10.0, 0.5, 1.0]),
        ("bar-2523.msh", 886, 2_523, [0.0; 3], [10.0, 0.5, 1.0]),
        ("22_binary.msh", 8, 5, [-1.5, 0.0, -0.5], [1.5, 1.0, 0.5]),
        ("41_binary.msh", 8, 5, [-1.5, 0.0, -0.5], [1.5, 1.0, 0.5]),
        ("bar.msh", 1_088, 3_646, [0.0; 3], [10.0, 1.0, 1.0]),
        ("glass.vtk", 5_708, 18_182, [-0.0664, 0.9836, -0.1653], [-0.0028, 1.121, -0.1019]),
        ("seaMonster2-volume1.vtu", 1_175, 3_376, [-107.5323, -59.152, -464.0235], [108.0669, 97.9251, 45.2465]),
        ("liver.msh", 181, 596, [-4.6793, 0.2179, -1.6929], [1.8033, 5.1572, 2.7286]),
        ("bunny0.msh", 1_869, 7_356, [-0.4595, -0.6665, -0.959], [0.4666, 0.7769, 1.0157]),
    ];
    for (name, vertices, tets, low, high) in table {
        let Some(mesh) = load(&format!("tet/{name}")) else { return };
        assert_eq!((mesh.positions.len(), mesh.tets.len()), (vertices, tets), "{name}");
        let (found_low, found_high) = bounding_box(&mesh.positions);
        assert!((found_low - Vec3::from(low)).amax() < 1e-4 && (found_high - Vec3::from(high)).amax() < 1e-4, "{name}");
        assert_eq!(mesh.component_count(), 1, "{name}");
        let repaired = mesh.problems.iter().any(|p| !matches!(p.code, ProblemCode::UnusedSection | ProblemCode::Sliver));
        assert!(!repaired, "{name}: {:?}", mesh.problems);
        // The surface is closed and outward: by the divergence theorem it encloses the volume of the tets.
        let enclosed: f64 =
            mesh.surface.iter().map(|t| t.map(|v| mesh.positions[v as usize])).map(|[a, b, c]| a.cross(&b).dot(&c) / 6.0).sum();
        let volume: f64 = mesh.volumes().iter().sum();
        assert!((enclosed / volume - 1.0).abs() < 1e-10, "{name}: {enclosed} {volume}");
        if name.starts_with("bar") {
            assert!((volume - 10.0 * high[1] * high[2]).abs() < 1e-6, "{name}: {volume}");
        }
    }
}

#[test]
fn both_binary_versions_hold_the_same_body() {
    let (Some(two), Some(four)) = (load("tet/22_binary.msh"), load("tet/41_binary.msh")) else { return };
    assert_eq!(two.tags, [1, 2, 2, 2, 3]);
    assert_eq!(two.tags, four.tags);
    for (t, volume) in two.volumes().iter().enumerate() {
        let sorted = |mesh: &TetMesh| {
            let mut corners = mesh.corners(t).map(|p| [p.x, p.y, p.z]);
            corners.sort_by(|a, b| a.partial_cmp(b).unwrap());
            corners
        };
        assert_eq!(sorted(&two), sorted(&four), "tet {t}");
        assert!((volume - four.volumes()[t]).abs() < 1e-15);
    }
    assert!((two.volumes().iter().sum::<f64>() - 0.8333).abs() < 1e-4);
}

#[test]
fn tets_with_corners_in_the_other_order_stay_as_they_are() {
    for name in ["box_twist.vtk", "box_twisted.vtk"] {
        let Some(path) = shared(&format!("reference/neohookean-twist/{name}")) else { return };
        let raw = read(&path, &Unwatched).unwrap();
        assert_eq!((raw.positions.len(), raw.tets.len()), (125, 384), "{name}");
        let volumes =
            raw.tets.iter().map(|t| t.map(|v| raw.positions[v as usize])).map(|[a, b, c, d]| (b - a).cross(&(c - a)).dot(&(d - a)));
        assert!({ volumes }.all(|v| v < 0.0), "{name}");
        assert!(raw.notes.is_empty(), "{name}: {:?}", raw.notes);
    }
}

#[test]
fn defects_are_named() {
    let (Some(bad), Some(bunny)) = (load("dirty/6_tetra_bad.msh"), load("dirty/bunny.mesh")) else { return };
    assert_eq!((bad.tets.len(), bad.component_count()), (6, 6));
    assert_eq!(count(&bad, ProblemCode::InvertedTet), 1);
    assert!(count(&bad, ProblemCode::HingedComponent) > 0);
    assert_eq!((bunny.positions.len(), bunny.tets.len(), bunny.surface.len()), (5_433, 34_055, 670));
    assert_eq!(count(&bunny, ProblemCode::Sliver), 291);
}

#[test]
fn wrong_counts_are_refused_with_their_place() {
    let Some(path) = shared("dirty/Armadillo_Tetra_4406_for_test_broken.vtu") else { return };
    match read(&path, &Unwatched) {
        Err(ImportError::Unreadable(why)) => {
            // The first point too many.
            assert_eq!(why.place, Some(Place::Line(1451)), "{why}");
            assert!(why.message.contains("NumberOfPoints"), "{why}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn triangles_inside_tets_are_given_as_listed() {
    let Some(path) = shared("dirty/bunny.mesh") else { return };
    let raw = read(&path, &Unwatched).unwrap();
    assert_eq!((raw.tets.len(), raw.triangles.len()), (34_055, 6_966));
    let Some(bunny) = load("dirty/bunny.mesh") else { return };
    // Those that the tets have for their boundary are other ones.
    let sorted = |triangle: &[u32; 3]| {
        let mut triangle = *triangle;
        triangle.sort_unstable();
        triangle
    };
    let listed: std::collections::BTreeSet<_> = raw.triangles.iter().map(sorted).collect();
    let in_file = |triangle: &[u32; 3]| sorted(&triangle.map(|v| bunny.source_vertices[v as usize]));
    assert_eq!(bunny.surface.iter().filter(|t| listed.contains(&in_file(t))).count(), 185);
}

#[test]
fn elements_of_other_kinds_are_counted() {
    let Some(path) = shared("tet/bar.msh") else { return };
    let raw = read(&path, &Unwatched).unwrap();
    assert_eq!((raw.tets.len(), raw.triangles.len()), (3_646, 1_768));
    assert_eq!(raw.other_elements, [("points".to_owned(), 8), ("lines".to_owned(), 192)]);
    let Some(path) = shared("tet/bunny0.msh") else { return };
    assert_eq!(read(&path, &Unwatched).unwrap().unused_sections, ["$ElementData"]);
}
