//! Every format on small files, whole and damaged: a mesh or an error, never a panic.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;

use proptest::prelude::*;

use super::*;
use crate::watch::Unwatched;

/// Small files in text, each with the tet (0, x, y, z) of tag 7.
const TEXTS: [&str; 12] = [
    "tet.mesh",
    "tet_p2.mesh",
    "tet_1.msh",
    "tet_22.msh",
    "tet_40.msh",
    "tet_41.msh",
    "pair.tetgen",
    "pair_p2.tetgen",
    "tet_2.vtk",
    "tet_51.vtk",
    "tet.vtu",
    "tet_wide.vtu",
];

fn sample(name: &str) -> Vec<u8> {
    let path = format!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/import/samples/{}"), name);
    std::fs::read(&path).unwrap_or_else(|why| panic!("{path}: {why}"))
}

fn examples() -> Vec<(String, Vec<u8>)> {
    let texts = TEXTS.iter().map(|&name| (name.to_owned(), sample(name)));
    texts.chain(binary_samples::all()).collect()
}

fn parse(content: &[u8]) -> Result<RawMesh, ImportError> {
    let path = Path::new("example");
    match FORMATS.iter().find(|f| (f.matches)(content)) {
        Some(format) => (format.read)(path, content, &Unwatched),
        None => tetgen::tests::read_joined(content),
    }
}

#[test]
fn every_example_gives_the_same_tet_with_its_tag() {
    for (name, content) in examples() {
        let raw = parse(&content).unwrap_or_else(|why| panic!("{name}: {why}"));
        assert_eq!(raw.tags, [7], "{name}");
        let corners = raw.tets[0].map(|v| raw.positions[v as usize]);
        assert_eq!(corners, [Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()], "{name}");
    }
}

#[test]
fn files_cut_anywhere_give_a_mesh_or_an_error() {
    for (_, content) in examples() {
        for length in 0..content.len() {
            // Whatever the outcome, a mesh read has valid indices.
            if let Ok(raw) = parse(&content[..length]) {
                assert!(raw.tets.as_flattened().iter().all(|&v| (v as usize) < raw.positions.len()));
            }
        }
    }
}

#[test]
fn medit_gives_faces_and_reports_what_it_skips() {
    let raw = parse(&sample("tet.mesh")).unwrap();
    assert_eq!(raw.polygons.iter().collect::<Vec<_>>(), [&[0, 1, 2][..], &[0, 1, 4, 2]]);
    assert_eq!(raw.triangles, [[0, 1, 2], [0, 1, 4], [0, 4, 2]]);
    assert_eq!((raw.triangle_groups, raw.groups), (vec![1, 0, 0], vec!["reference -4".to_owned(), "reference 5".to_owned()]));
    assert_eq!(raw.other_elements, [("edges".to_owned(), 1)]);
    assert_eq!(raw.unused_sections, ["Ridges", "Secrets"]);
    let binary = parse(&sample("tet_4_big.meshb")).unwrap();
    assert_eq!((binary.triangles.len(), binary.other_elements.len(), binary.unused_sections), (2, 1, vec!["Ridges".to_owned()]));
}

#[test]
fn higher_orders_are_straightened_and_counted() {
    for (name, kinds) in [
        ("tet_p2.mesh", &["10-node tetrahedra", "6-node triangles"][..]),
        ("tet_41.msh", &["10-node tetrahedra"]),
        ("pair_p2.tetgen", &["10-node tetrahedra"]),
    ] {
        let raw = parse(&sample(name)).unwrap();
        assert!(raw.positions.len() >= 10, "{name}");
        let expected: Vec<(String, usize)> = kinds.iter().map(|kind| ((*kind).to_owned(), 1)).collect();
        assert_eq!((raw.straightened, raw.notes.len()), (expected, 0), "{name}");
    }
}

#[test]
fn gmsh_gives_physical_groups_their_names() {
    let raw = parse(&sample("tet_22.msh")).unwrap();
    assert_eq!(raw.tag_names, [(7, "core # 1".to_owned())]);
    assert_eq!((raw.triangle_groups, raw.groups), (vec![0, 1, 1], vec!["the skin".to_owned(), "physical 4".to_owned()]));
    assert_eq!(raw.other_elements, [("elements of type 99".to_owned(), 1), ("lines".to_owned(), 1)]);
    assert_eq!(raw.unused_sections, ["$ElementData"]);
    let raw = parse(&sample("tet_41.msh")).unwrap();
    assert_eq!((raw.tag_names, raw.groups), (vec![(7, "core".to_owned())], vec!["physical 3".to_owned()]));
    assert_eq!(raw.other_elements, [("elements of type 77".to_owned(), 1)]);
}

#[test]
fn vtk_gives_faces_of_every_kind_strands_and_tags() {
    let raw = parse(&sample("tet_2.vtk")).unwrap();
    assert_eq!(raw.polygons.iter().collect::<Vec<_>>(), [&[0, 1, 2][..], &[0, 1, 4, 2], &[0, 1, 4, 2, 3], &[0, 1, 2], &[2, 1, 4]]);
    assert_eq!(raw.strands.iter().collect::<Vec<_>>(), [[0, 1, 2]]);
    assert_eq!(raw.groups, ["tag 3", "tag 4"]);
    assert_eq!(raw.other_elements, [("lines".to_owned(), 1)]);
    assert_eq!(raw.notes.last().unwrap(), "the tags are the cell data `gmsh:physical`");
    for name in ["faces.vtk", "faces.vtp"] {
        let raw = parse(&sample(name)).unwrap();
        assert_eq!(raw.strands.iter().collect::<Vec<_>>(), [[0, 1, 4]], "{name}");
        assert_eq!(raw.polygons.iter().collect::<Vec<_>>(), [&[0, 1, 2, 3][..], &[1, 4, 2], &[2, 4, 5]], "{name}");
        assert_eq!(raw.triangles, [[0, 1, 2], [0, 2, 3], [1, 4, 2], [2, 4, 5]], "{name}");
        assert_eq!((raw.triangle_groups, raw.groups), (vec![0, 0, 1, 1], vec!["tag 3".to_owned(), "tag 4".to_owned()]), "{name}");
        assert_eq!(raw.other_elements, [("poly-vertices".to_owned(), 1)], "{name}");
    }
    let pieces = parse(&sample("tet.vtu")).unwrap();
    assert_eq!((pieces.positions.len(), pieces.polygons.iter().next()), (12, Some(&[4, 5, 6, 7][..])));
    assert_eq!(pieces.other_elements, [("hexahedra".to_owned(), 1)]);
}

#[test]
fn errors_name_the_line() {
    let message = |content: &str| parse(content.as_bytes()).unwrap_err().to_string();
    let nan = message("MeshVersionFormatted 1\nDimension 3\nVertices\n1\n0 nan 0 0\n");
    assert!(nan.starts_with("example:5: ") && nan.contains("NaN"), "{nan}");
    let range = message("MeshVersionFormatted 1\nDimension 3\nVertices\n1\n0 0 0 0\nTetrahedra\n1\n1 1 1 2 0\n");
    assert!(range.starts_with("example:8: ") && range.contains("vertex 2"), "{range}");
    let huge = message("MeshVersionFormatted 1\nDimension 3\nVertices\n9000000000000000000\n0 0 0 0\n");
    assert!(huge.contains("ends"), "{huge}");
}

#[test]
fn coordinates_that_no_volume_can_be_told_of_are_refused() {
    let file = |size: f64| format!("v 0 0 0\nv {size:e} 0 0\nv 0 {size:e} 0\nf 1 2 3\n");
    let read = |size: f64| read_bytes(Path::new("a.obj"), file(size).as_bytes(), &Unwatched);
    assert!(read(1e29).is_ok());
    for size in [1e31, 1e200, 1e308] {
        let why = read(size).unwrap_err().to_string();
        assert!(why.contains("vertex 1 ") && why.contains("no more than 1e30"), "{why}");
    }
}

#[test]
fn files_beside_are_named() {
    assert_eq!(files_of(Path::new("/no/such.obj")), [Path::new("/no/such.obj")]);
    let folder = tempfile::tempdir().unwrap();
    for (name, other) in [("a.node", "a.ele"), ("b.ELE", "b.NODE"), ("c.ele", "c.node")] {
        let paths = [name, other].map(|name| folder.path().join(name));
        paths.iter().for_each(|path| std::fs::write(path, "1 3").unwrap());
        assert_eq!(files_of(&paths[0]), paths);
    }
}

#[test]
fn files_of_another_kind_are_refused_by_name() {
    let refuse = |path: &str, content: &[u8]| recognise(Path::new(path), content).err().map(|e| e.to_string()).unwrap_or_default();
    assert!(refuse("a.obj", b"Kaydara FBX Binary  \0").contains("FBX"));
    assert!(refuse("a", b"ISO-10303-21;\nHEADER;\n").contains("Gmsh"));
    assert!(refuse("a.USD", b"?").contains("USD"));
    assert!(refuse("a.obj", b"OFF\n3 1 0\n").contains("OFF"));
    assert!(refuse("a.xyz", b"hello").contains("MEDIT"));
    assert!(refuse("a.mesh", b" \n").contains("empty"));
}

proptest! {
    #[test]
    fn damaged_files_give_a_mesh_or_an_error(
        which in any::<prop::sample::Index>(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let examples = examples();
        let mut content = examples[which.index(examples.len())].1.clone();
        for (place, byte) in damage {
            let place = place.index(content.len());
            content[place] = byte;
        }
        if let Ok(raw) = parse(&content) {
            prop_assert!(raw.positions.iter().all(|p| p.iter().all(|c| c.is_finite())));
            let checked = crate::mesh::TetMesh::from_raw(&raw, 1.0, UpAxis::Z);
            if let Ok(mesh) = checked {
                prop_assert!(mesh.volumes().iter().all(|&v| v > 0.0));
            }
        }
    }
}
