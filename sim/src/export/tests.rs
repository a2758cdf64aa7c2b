//! Bodies that the tests of formats write.

#![allow(clippy::panic)]
use super::{ExportMesh, FORMATS, Part, Surface, format_of};
use crate::import::Lists;
use crate::math::Vec3;

/// Two tets meshes; the second has two tets and a name that no format takes as it is.
pub(crate) fn two_bodies() -> Vec<ExportMesh> {
    let corners = vec![Vec3::zeros(), Vec3::x() / 3.0, Vec3::y(), Vec3::z()];
    let faces = vec![[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];
    let one = ExportMesh {
        name: "one".into(),
        positions: corners.clone(),
        tets: vec![[0, 1, 2, 3]],
        lines: Vec::new(),
        tags: vec![7],
        surface: Surface { points: corners.clone(), triangles: faces, ..Surface::default() },
        data: Vec::new(),
    };
    let positions: Vec<Vec3> = corners.iter().chain([&Vec3::repeat(1.0)]).map(|p| p + Vec3::x() * 2.0).collect();
    let triangles = vec![[0, 3, 2], [0, 1, 3], [0, 2, 1], [1, 2, 4], [2, 3, 4], [1, 4, 3]];
    let two = ExportMesh {
        name: "two\n".into(),
        surface: Surface { points: positions.clone(), triangles, ..Surface::default() },
        positions,
        tets: vec![[0, 1, 2, 3], [1, 2, 3, 4]],
        lines: Vec::new(),
        tags: vec![0, -3],
        data: Vec::new(),
    };
    vec![one, two]
}

/// The unit cube in quads, without tets.
pub(crate) fn cube() -> ExportMesh {
    let points: Vec<Vec3> = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]]
        .iter()
        .map(|p| Vec3::from(p.map(f64::from)))
        .collect();
    let quads = [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]];
    let mut polygons = Lists::default();
    quads.iter().for_each(|quad| polygons.push(quad));
    // The first quad is cut along its diagonal from 0 to 2, which leaves its corner at 1 for last.
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, c, d], [a, b, c]]).collect();
    ExportMesh { name: "cube".into(), surface: Surface { points, triangles, polygons, ..Surface::default() }, ..ExportMesh::default() }
}

#[test]
fn extensions_are_unique_and_every_format_says_what_it_holds() {
    for (k, format) in FORMATS.iter().enumerate() {
        assert!(FORMATS[..k].iter().all(|other| other.extension != format.extension && other.name != format.name), "{}", format.name);
        assert!(!format.doc.is_empty());
        let nothing = format.bytes(&[ExportMesh::default()]);
        assert_eq!(nothing.is_err(), format.part != Part::Both, "{}", format.name);
    }
}

#[test]
fn an_unknown_extension_lists_the_known_ones() {
    let Err(error) = format_of("a.xyz".as_ref()) else { panic!("no such format") };
    assert!(FORMATS.iter().all(|format| error.to_string().contains(&format!(".{}", format.extension))), "{error}");
    assert!(format_of("A.OBJ".as_ref()).is_ok_and(|format| format.extension == "obj"));
}
