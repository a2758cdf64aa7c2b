//! Every format on small files, whole and damaged: a mesh or an error, never a panic.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;

use proptest::prelude::*;

use super::*;
use crate::watch::Unwatched;

const MEDIT: &[u8] = b"# a comment\nMeshVersionFormatted 2\nDimension\n3\nTriangles 0\nTetrahedra\n1\n1 2 3 4 7\nVertices\n5\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1e0 0\n5 5 5 0\nEdges 1\n1 2 0\nRidges 1\n1\nEnd\n";
const GMSH_2: &[u8] = b"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n10 0 0 0\n5 1 0 0\n7 0 1 0\n8 0 0 1\n$EndNodes\n$Elements\n2\n1 2 2 0 1 10 5 7\n2 4 2 7 1 10 5 7 8\n$EndElements\n";
const GMSH_4: &[u8] = b"$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n1 0 0 1\n1 0 0 0 0\n3 0 0 0 1 1 1 1 7 0\n$EndEntities\n$Nodes\n2 4 1 4\n0 1 0 1\n1\n0 0 0\n3 3 0 3\n2\n3\n4\n1 0 0\n0 1 0\n0 0 1\n$EndNodes\n$Elements\n1 1 1 1\n3 3 4 1\n1 1 2 3 4\n$EndElements\n$Extra\n1 2 3\n$EndExtra\n";
const TETGEN: &[u8] = b"# nodes\n4 3 1 1\n0 0 0 0 9.5 1\n1 1 0 0 9.5 1\n2 0 1 0 9.5 1\n3 0 0 1 9.5 1\n%1 4 1\n0 0 1 2 3 7\n# end\n";

/// The tet of the ascii examples in binary, in either byte order.
fn gmsh_binary(version: &str, big_endian: bool) -> Vec<u8> {
    let mut bytes = format!("$MeshFormat\n{version} 1 8\n").into_bytes();
    let mut put = |part: &mut Vec<u8>| {
        if big_endian {
            part.reverse();
        }
        bytes.append(part);
    };
    let i = |n: i32| n.to_le_bytes().to_vec();
    let l = |n: i64| n.to_le_bytes().to_vec();
    let f = |x: f64| x.to_le_bytes().to_vec();
    let text = |t: &str| t.bytes().map(|b| vec![b]).collect::<Vec<_>>();
    let points = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let mut parts: Vec<Vec<u8>> = vec![i(1)];
    if version.starts_with('2') {
        parts.extend(text("\n$EndMeshFormat\n$Nodes\n4\n"));
        for (n, point) in points.iter().enumerate() {
            parts.push(i(n as i32 + 1));
            parts.extend(point.map(f));
        }
        parts.extend(text("\n$EndNodes\n$Elements\n1\n"));
        parts.extend([4, 1, 2, 1, 7, 1, 1, 2, 3, 4].map(i));
    } else {
        parts.extend(text("\n$EndMeshFormat\n$Entities\n"));
        parts.extend([0, 0, 0, 1].map(l));
        parts.push(i(1));
        parts.extend([0.0, 0.0, 0.0, 1.0, 1.0, 1.0].map(f));
        parts.extend([l(1), i(7), l(0)]);
        parts.extend(text("\n$EndEntities\n$Nodes\n"));
        parts.extend([1, 4, 1, 4].map(l));
        parts.extend([3, 1, 0].map(i));
        parts.extend([4, 1, 2, 3, 4].map(l));
        parts.extend(points.as_flattened().iter().map(|&x| f(x)));
        parts.extend(text("\n$EndNodes\n$Elements\n"));
        parts.extend([1, 1, 1, 1].map(l));
        parts.extend([3, 1, 4].map(i));
        parts.extend([1, 1, 1, 2, 3, 4].map(l));
    }
    parts.extend(text("\n$EndElements\n"));
    parts.iter_mut().for_each(&mut put);
    bytes
}

fn examples() -> Vec<Vec<u8>> {
    let mut all = [MEDIT, GMSH_2, GMSH_4, TETGEN].map(<[u8]>::to_vec).to_vec();
    all.extend([("2.2", false), ("2.2", true), ("4.1", false), ("4.1", true)].map(|(v, e)| gmsh_binary(v, e)));
    all
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
    for (e, content) in examples().iter().enumerate() {
        let raw = parse(content).unwrap_or_else(|why| panic!("example {e}: {why}"));
        assert_eq!(raw.tags, [7], "example {e}");
        let corners = raw.tets[0].map(|v| raw.positions[v as usize]);
        assert_eq!(corners, [Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()], "example {e}");
    }
}

#[test]
fn medit_reports_what_it_skips() {
    let raw = parse(MEDIT).unwrap();
    assert_eq!(raw.other_elements, [("edges".to_owned(), 1)]);
    assert_eq!(raw.unused_sections, ["Ridges"]);
}

#[test]
fn files_cut_anywhere_give_a_mesh_or_an_error() {
    for content in examples() {
        for length in 0..content.len() {
            // Whatever the outcome, a mesh read has valid indices.
            if let Ok(raw) = parse(&content[..length]) {
                assert!(raw.tets.as_flattened().iter().all(|&v| (v as usize) < raw.positions.len()));
            }
        }
    }
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
        which in 0..8_usize,
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let mut content = examples()[which].clone();
        for (place, byte) in damage {
            let place = place.index(content.len());
            content[place] = byte;
        }
        if let Ok(raw) = parse(&content) {
            prop_assert!(raw.positions.iter().all(|p| p.iter().all(|c| c.is_finite())));
            let checked = crate::mesh::TetMesh::from_raw(&raw, 1.0, crate::scene::UpAxis::Z);
            if let Ok(mesh) = checked {
                prop_assert!(mesh.volumes().iter().all(|&v| v > 0.0));
            }
        }
    }
}
