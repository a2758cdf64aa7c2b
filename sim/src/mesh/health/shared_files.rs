//! The report on meshes from elsewhere, whose defects are known.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::PathBuf;

use super::*;
use crate::import::{RawMesh, read};
use crate::mesh::ProblemCode::{self, *};
use crate::watch::Unwatched;

/// The file in its own unit and axes.
fn load(name: &str) -> Option<RawMesh> {
    Some(read(&folder()?.join(name), &Unwatched).unwrap_or_else(|why| panic!("{why}")))
}

fn folder() -> Option<PathBuf> {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/meshes"));
    if !folder.is_dir() {
        eprintln!("SKIPPED: ../shared is missing");
        return None;
    }
    Some(folder)
}

fn examined(raw: &RawMesh) -> Health {
    examine(raw, 1.0, UpAxis::Y, &Unwatched).unwrap()
}

fn find(health: &Health, code: ProblemCode) -> &Finding {
    health.findings.iter().find(|finding| finding.problem.code == code).unwrap_or_else(|| panic!("no {code:?} in {:?}", health.findings))
}

/// A row: file, parts, volume, and all that is found but what the reader left out.
type Row = (&'static str, usize, Option<f64>, &'static [(ProblemCode, usize)]);

const TABLE: &[Row] = &[
    ("surface/stanford-bunny.obj", 1, None, &[(OpenEdge, 223), (LooseVertex, 1_113)]),
    ("surface/bunny_watertight.obj", 1, Some(754_924.0), &[]),
    ("surface/armadillo.obj", 1, Some(0.068_619), &[]),
    ("surface/spot_quadrangulated.obj", 1, Some(0.717_95), &[]),
    ("surface/cloth80x80.obj", 1, None, &[(OpenEdge, 316)]),
    ("surface/dress_knife_stage.obj", 14, None, &[(OpenEdge, 1_828)]),
    // 14 panels and 8 parts of the body that wears them, and goes through them.
    ("surface/dress_knife_drape.obj", 22, None, &[(SelfIntersection, 941), (OpenEdge, 1_952)]),
    // No edge is open, but 102 have four faces or more: what is inside depends on how they are paired.
    ("dirty/dragon.obj", 1, None, &[(SelfIntersection, 261), (NonManifoldEdge, 102), (DuplicateFace, 38)]),
    ("dirty/dragon.stl", 1, None, &[(SelfIntersection, 204), (NonManifoldEdge, 97), (OpenEdge, 26), (Flipped, 2)]),
    // Counted in quads. 32 edges are run twice the same way; 128 quads lie on the lesser side of them.
    (
        "dirty/raptorProps_25kp.obj",
        98,
        None,
        &[(SelfIntersection, 600), (NonManifoldEdge, 128), (OpenEdge, 1_520), (Flipped, 128), (DuplicateVertex, 162)],
    ),
    (
        "dirty/bunny.ply",
        1,
        None,
        &[(SelfIntersection, 170), (NonManifoldEdge, 150), (OpenEdge, 123), (DuplicateFace, 87), (LooseVertex, 25)],
    ),
    ("dirty/two-cubes-intersecting.ply", 2, Some(1.919_66), &[(SelfIntersection, 89), (LooseVertex, 18)]),
    ("dirty/negative_indices.obj", 1, Some(8.0), &[]),
    ("dirty/large_block_obb.STL", 1, Some(845_848_084.0), &[(FarFromOrigin, 1)]),
    ("dirty/6_tetra_bad.msh", 1, Some(40.65), &[(InvertedTet, 1), (HingedComponent, 5)]),
    ("dirty/bunny.mesh", 1, Some(0.001_249_41), &[(Sliver, 291), (ListedNotBoundary, 6_781)]),
    ("tet/octopus.mesh", 1, Some(0.011_966_8), &[]),
    ("tet/spot.mesh", 1, Some(0.717_35), &[]),
    ("tet/alien.msh", 1, Some(1.499_17), &[]),
    ("tet/armadillo_4k.node", 1, Some(1.859_6), &[]),
    ("tet/armadillo_4k.ele", 1, Some(1.859_6), &[]),
    ("tet/bar-186.msh", 1, Some(5.0), &[]),
    ("tet/bar-651.msh", 1, Some(5.0), &[]),
    ("tet/bar-2523.msh", 1, Some(5.0), &[]),
    ("tet/22_binary.msh", 1, Some(5.0 / 6.0), &[]),
    ("tet/41_binary.msh", 1, Some(5.0 / 6.0), &[]),
    ("tet/bar.msh", 1, Some(10.0), &[]),
    ("tet/bunny0.msh", 1, Some(0.832_22), &[]),
    ("tet/liver.msh", 1, Some(36.560_85), &[]),
    ("tet/glass.vtk", 1, Some(1.553_774e-5), &[(FarFromOrigin, 1)]),
    ("tet/seaMonster2-volume1.vtu", 1, Some(1_472_954.228), &[]),
    ("surface/monkey.glb", 1, None, &[(SelfIntersection, 88), (OpenEdge, 42), (NonManifoldVertex, 2), (DuplicateVertex, 1_461)]),
    ("surface/Ratboy_mohawk.tfx", 2_228, None, &[]),
    // Wheels, panes and body are separate and go through one another.
    ("surface/CesiumMilkTruck.glb", 13, None, &[(SelfIntersection, 405), (OpenEdge, 8), (NonManifoldVertex, 2), (DuplicateVertex, 1_724)]),
];

/// Files that are refused, and some of the words.
const REFUSED: &[(&str, &str)] = &[
    ("dirty/malformed.obj", "malformed.obj:23: vertex 12, but the file has only 8"),
    ("dirty/BoxWithInfinites.glb", "every coordinate must be a finite number"),
    ("dirty/Armadillo_Tetra_4406_for_test_broken.vtu", "holds more than NumberOfPoints announces; the file is damaged"),
];

#[test]
fn every_file_is_in_the_table_or_refused_by_name() {
    let Some(root) = folder() else { return };
    for (name, words) in REFUSED {
        let why = read(&root.join(name), &Unwatched).unwrap_err().to_string();
        assert!(why.contains(words), "{name}: {why}");
    }
    let known: Vec<&str> = TABLE.iter().map(|row| row.0).chain(REFUSED.iter().map(|row| row.0)).collect();
    for kind in ["surface", "tet", "dirty"] {
        for file in std::fs::read_dir(root.join(kind)).unwrap() {
            let name = format!("{kind}/{}", file.unwrap().file_name().to_string_lossy());
            assert!(known.contains(&&name[..]), "{name} is not in the table");
        }
    }
}

#[test]
fn what_is_wrong_with_each_mesh_is_found_and_nothing_else() {
    let mut wrong = Vec::new();
    for (name, components, volume, expected) in TABLE {
        let Some(raw) = load(name) else { return };
        let health = examined(&raw);
        let found: Vec<(ProblemCode, usize)> = health.findings.iter().map(|f| (f.problem.code, f.problem.count)).collect();
        let found: Vec<_> = found.into_iter().filter(|(code, _)| !matches!(code, UnusedSection | Note)).collect();
        let same_volume = match (health.volume, volume) {
            (Some(found), Some(known)) => (found / known - 1.0).abs() < 1e-5,
            (found, known) => found == *known,
        };
        if found != *expected || health.components != *components || !same_volume {
            wrong.push(format!("{name}: {} parts, volume {:?}, {found:?}", health.components, health.volume));
        }
        for Finding { problem, place, .. } in &health.findings {
            let shown = [place.vertices.len(), place.edges.len(), place.triangles.len(), place.tets.len()];
            let nowhere = matches!(problem.code, UnusedSection | Note | FarFromOrigin);
            assert!(nowhere || shown.iter().any(|&count| count >= problem.count), "{name}: {problem:?} at {shown:?}");
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn holes_and_their_fills_are_those_of_the_bunny() {
    let Some(raw) = load("surface/stanford-bunny.obj") else { return };
    let health = examined(&raw);
    let open = find(&health, OpenEdge);
    assert!(open.problem.message.contains("5 holes"), "{}", open.problem.message);
    let repairs = health.safe_repairs();
    assert_eq!(repairs.len(), 2, "{repairs:?}");
    let mended = crate::mesh::mend::mend(&raw.positions, &raw.triangles, &repairs, &Unwatched).unwrap();
    let mended = RawMesh { positions: mended.positions, triangles: mended.triangles, ..RawMesh::default() };
    let health = examined(&mended);
    let left: Vec<ProblemCode> = health.findings.iter().map(|finding| finding.problem.code).collect();
    assert!(!left.contains(&OpenEdge) && !left.contains(&LooseVertex) && !left.contains(&Flipped), "{left:?}");
    // The same rabbit with its holes closed by others holds 754,924 mm^3.
    assert!((health.volume.unwrap() / 754.924e-6 - 1.0).abs() < 2e-3, "{:?}", health.volume);
}

#[test]
fn counts_of_other_programs_differ_by_what_they_count() {
    let Some(raptor) = load("dirty/raptorProps_25kp.obj") else { return };
    let health = examined(&raptor);
    assert!(find(&health, NonManifoldEdge).problem.message.contains("560 once equal vertices are joined"));
    // 32 flipped is the number of edges that two faces run the same way.
    let polygons = polygons::Polygons::of(&raptor);
    let mates = Mates::within(&raptor.triangles, |side| polygons.cut[side as usize]);
    let ends = |side: usize| [raptor.triangles[side / 3][side % 3], raptor.triangles[side / 3][(side + 1) % 3]];
    let same_way = mates.mates.iter().enumerate().filter(|(side, mate)| match mate {
        Mate::Side(other) => *side < *other as usize && ends(*side) == ends(*other as usize),
        _ => false,
    });
    assert_eq!(same_way.count(), 32);
    // 36 faces twice are triangles, of quads cut as fans; no quad is given twice by its vertices, 288 are by its points.
    let fans: Vec<[u32; 3]> = raptor.polygons.iter().flat_map(|q| (1..q.len() - 1).map(|k| [q[0], q[k], q[k + 1]])).collect();
    assert_eq!(duplicate_triangles(&fans).len(), 36);
    let first = equal_vertices(&raptor.positions);
    let welded: Vec<Vec<u32>> = raptor.polygons.iter().map(|q| q.iter().map(|&v| first[v as usize]).collect()).collect();
    assert_eq!(faces::same_corners(welded.iter().map(Vec::as_slice)).len(), 288);
}

#[test]
fn units_and_axes_are_guessed_from_shape_and_size() {
    use Certainty::*;
    let table = [
        ("surface/stanford-bunny.obj", (Unit::Metre, Likely), (UpAxis::Y, Likely)),
        ("surface/bunny_watertight.obj", (Unit::Millimetre, Likely), (UpAxis::Z, Likely)),
        ("surface/armadillo.obj", (Unit::Metre, Likely), (UpAxis::Y, Likely)),
        ("surface/cloth80x80.obj", (Unit::Metre, Likely), (UpAxis::Y, Likely)),
        ("surface/spot_quadrangulated.obj", (Unit::Metre, Likely), (UpAxis::Y, Unsure)),
        ("dirty/dragon.obj", (Unit::Centimetre, Unsure), (UpAxis::Y, Likely)),
        ("dirty/dragon.stl", (Unit::Centimetre, Unsure), (UpAxis::Z, Likely)),
        ("dirty/bunny.ply", (Unit::Metre, Likely), (UpAxis::Y, Likely)),
        ("tet/alien.msh", (Unit::Metre, Likely), (UpAxis::Y, Likely)),
        ("tet/liver.msh", (Unit::Metre, Likely), (UpAxis::Y, Unsure)),
    ];
    for (name, unit, up) in table {
        let Some(raw) = load(name) else { return };
        let health = examined(&raw);
        assert_eq!((health.unit.value, health.unit.certainty), unit, "{name}: {}", health.unit.reason);
        assert_eq!((health.up.value, health.up.certainty), up, "{name}: {}", health.up.reason);
    }
    let Some(block) = load("dirty/large_block_obb.STL") else { return };
    assert_eq!(examined(&block).unit.value, Unit::Millimetre);
    let millimetres = examine(&block, 1e-3, UpAxis::Y, &Unwatched).unwrap();
    let [low, high] = millimetres.bounding_box;
    assert!((low.norm() - 29.86).abs() < 0.1 && ((high - low).norm() - 3.99).abs() < 0.05, "{low} {high}");
    assert!((millimetres.volume.unwrap() - 0.845_848).abs() < 1e-5);
}
