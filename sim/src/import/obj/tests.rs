#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;

use super::*;
use crate::watch::Unwatched;

fn parse(content: &str) -> Result<RawMesh, ImportError> {
    read(Path::new("a.obj"), content.as_bytes(), &Unwatched)
}

fn message(content: &str) -> String {
    parse(content).unwrap_err().to_string()
}

const THREE: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";

#[test]
fn the_sample_has_everything() {
    let raw = read(Path::new("house.obj"), include_bytes!("../samples/house.obj"), &Unwatched).unwrap();
    assert_eq!((raw.positions.len(), raw.polygons.len(), raw.triangles.len()), (9, 3, 11));
    assert_eq!(raw.positions[3], Vec3::new(1.0, 1.5, 0.0));
    // The front is a pentagon with a window: a bridge leads from corner 1 to corner 6.
    let areas = raw.triangles.iter().map(|t| t.map(|v| raw.positions[v as usize])).map(|[a, b, c]| 0.5 * (b - a).cross(&(c - a)).z);
    let areas: Vec<f64> = areas.collect();
    assert!(areas.iter().all(|&a| a > 0.01), "{areas:?}");
    assert!((areas[..9].iter().sum::<f64>() - (2.0 + 0.5 - 0.5)).abs() < 1e-12, "{areas:?}");
    assert_eq!(raw.triangles[9..], [[5, 8, 7], [5, 7, 6]]);
    // All is of one object and one material, so the groups are enough to tell.
    assert_eq!(raw.groups, ["front", "door"]);
    assert_eq!(raw.triangle_groups, [[0; 9].as_slice(), &[1, 1]].concat());
    assert_eq!(raw.texture.points, [[0.0, 0.0], [1.0, 0.0], [0.5, 1.0]]);
    assert_eq!(raw.texture.triangles[8..], [[u32::MAX; 3], [0, 1, 2], [u32::MAX; 3]]);
    assert_eq!(raw.strands.iter().collect::<Vec<_>>(), [[0, 1, 2]]);
    assert_eq!(raw.other_elements, [("points".to_owned(), 1), ("curves".to_owned(), 1)]);
    assert!(raw.notes.is_empty() && raw.unused_sections.is_empty(), "{raw:?}");
}

#[test]
fn lines_end_in_any_way() {
    let expected = parse(&format!("{THREE}f 1 2 3\n")).unwrap();
    let variants = ["\r\n", "\r", "\n\n", " \n", "\n# comment\n", " # comment\n", "\n\t "];
    for end in variants {
        let content = format!("{THREE}f 1 2 3\n").replace('\n', end);
        assert_eq!(parse(&content).unwrap(), expected, "{end:?}");
    }
    for content in [format!("{THREE}f 1 2 3\n\0"), format!("{THREE}f 1 2\\\n3\n"), format!("{THREE}f\t1  \\\r\n 2 \\\n 3 \\")] {
        assert_eq!(parse(&content).unwrap(), expected, "{content:?}");
    }
}

#[test]
fn faces_that_repeat_a_corner_are_noted() {
    let raw = parse(&format!("{THREE}v 1 1 0\nf 1 2 4 4\nf 1 1 2\nf 1 2\nf 1 2 4 3 1\n")).unwrap();
    assert_eq!(raw.triangles, [[0, 1, 3], [0, 1, 3], [0, 3, 2]]);
    let notes = [
        "2 faces name a vertex twice in a row, which is taken once (first: line 5)",
        "2 faces with fewer than three different corners were left out (first: line 6)",
    ];
    assert_eq!(raw.notes, notes);
    assert_eq!(raw.polygons.iter().map(<[u32]>::len).collect::<Vec<_>>(), [3, 4]);
}

#[test]
fn objects_and_materials_split_groups_where_they_differ() {
    let face = "f 1 2 3\n";
    let raw = parse(&format!("{THREE}{face}o a\nusemtl m\n{face}usemtl n\n{face}o b\n{face}o a\nusemtl m\n{face}")).unwrap();
    assert_eq!(raw.groups, ["default", "a/m", "a/n", "b/n"]);
    assert_eq!(raw.triangle_groups, [0, 1, 2, 3, 1]);
    let one = parse(&format!("{THREE}g a b\nusemtl Material #25\n{face}")).unwrap();
    assert_eq!((one.groups, one.triangle_groups), (vec!["a b".to_owned()], vec![0]));
    assert!(parse(&format!("{THREE}{face}g late\n")).unwrap().groups.is_empty());
}

#[test]
fn long_names_are_cut_with_a_note() {
    let face = "f 1 2 3\n";
    let long = "é".repeat(101);
    let raw = parse(&format!("{THREE}{face}{face}{face}o {long}\n{face}")).unwrap();
    assert_eq!(raw.groups, ["default", &long[..200]]);
    assert_eq!(raw.notes, ["names of groups were cut to their first 100 letters"]);
    // Two hundred groups of an object would take a hundred letters each.
    let groups: String = (0..200).map(|i| format!("g {i}\n{face}")).collect();
    let text = format!("{THREE}{face}o {long}\n{groups}");
    let raw = parse(&text).unwrap();
    let total: usize = raw.groups.iter().map(String::len).sum();
    assert!((text.len() / 4..=text.len()).contains(&total), "{total}");
    assert!(raw.groups[200].starts_with("éé") && raw.groups[200].ends_with("/199"), "{}", raw.groups[200]);
    assert_eq!((raw.groups.len(), raw.notes.len()), (201, 1));
}

#[test]
fn texture_points_that_are_no_numbers_are_left_out() {
    let raw = parse(&format!("{THREE}vt nan 0\nf 1/1 2/1 3/1\n")).unwrap();
    assert_eq!(raw.texture, Texture::default());
    assert_eq!(raw.notes, ["1 texture points are no numbers; the texture was left out (line 4)"]);
}

#[test]
fn lines_of_two_points_become_strands_and_that_is_told() {
    let raw = parse(&format!("{THREE}v 0 0 1\nl 2 1\nl 4 4\nl 3 1\n")).unwrap();
    assert_eq!(raw.strands.iter().collect::<Vec<_>>(), [&[1, 0, 2][..], &[3, 3]]);
    assert_eq!(raw.notes, ["2 lines of two points that follow one another were joined to 1 strands"]);
    let raw = parse(&format!("{THREE}v 0 0 1\nl 1 2\nl 3 4\n")).unwrap();
    assert!(raw.strands.len() == 2 && raw.notes.is_empty(), "{raw:?}");
}

/// Stitches count from 0, and vertices may follow; what else is of garments is told as left out.
#[test]
fn stitches_are_read() {
    let raw = parse(&format!("stitch 3 0 1 2.5e-001\n{THREE}v 1 1 0\nf 1 2 3\nseam 2\nstitch 0 3 2 1 # end\n")).unwrap();
    let stitch = |vertex, edge, along| RawStitch { vertex, edge, along };
    assert_eq!(raw.stitches, [stitch(3, [0, 1], 0.25), stitch(0, [3, 2], 1.0)]);
    assert_eq!(raw.unused_sections, ["seam"]);
}

#[test]
fn errors_name_line_and_index() {
    let table = [
        (format!("{THREE}stitch 0 1 3 0\n"), "a.obj:4: a stitch names vertex 3, but the file has 3, which stitches count from 0"),
        (format!("{THREE}stitch -1 1 2 0\n"), "a.obj:4: a stitch names vertex -1"),
        (format!("{THREE}stitch 0 1 2\n"), "a.obj:4: a stitch needs three vertices and a share"),
        (format!("{THREE}stitch 0 1 2 1.5\n"), "a.obj:4: a stitch lies at 1.5 of an edge"),
        (format!("{THREE}stitch 0 1 2 nan\n"), "a.obj:4: "),
        (format!("{THREE}stitch 0 1 x 0\n"), "a.obj:4: the number of a vertex is expected, not `x`"),
        (format!("{THREE}f 1 2 4\n"), "a.obj:4: vertex 4, but the file has only 3"),
        (format!("{THREE}f 1 2 0\n"), "a.obj:4: vertex 0"),
        (format!("{THREE}f 1 2 -4\n"), "a.obj:4: vertex -4, counted back, but only 3"),
        (format!("{THREE}f 1/1 2/1 3/1\n"), "a.obj:4: texture point 1, but the file has none"),
        (format!("{THREE}f 1 2 x\n"), "a.obj:4: the number of a vertex is expected, not `x`"),
        (format!("{THREE}f 1 2 99999999999999999999\n"), "a.obj:4: "),
        ("v 0 0\n".into(), "a.obj:1: a vertex needs three coordinates"),
        ("v 0 0 0\nv 0 inf 0\n".into(), "a.obj:2: a coordinate is inf"),
        ("v 0 0 1.#IND\n".into(), "not `1.#IND`"),
        ("f 1 2 3\n".into(), "vertex 1, but the file has none"),
        ("# nothing\n".into(), "no vertices"),
        (format!("{THREE}1 2 3\n"), "a.obj:4: a statement"),
        (format!("{THREE}call other.obj\n"), "a.obj:4: `call` brings in another file"),
        (format!("{THREE}f{}\n", " 1 2 3".repeat(4_000)), "a.obj:4: a face with 12000 corners"),
    ];
    for (content, expected) in table {
        let found = message(&content);
        assert!(found.contains(expected), "{found}");
    }
}

#[test]
fn vertices_may_follow_their_faces() {
    assert_eq!(parse(&format!("f 1 2 3\n{THREE}")).unwrap().triangles, [[0, 1, 2]]);
}
