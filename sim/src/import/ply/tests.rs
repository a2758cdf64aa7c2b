#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;

use super::*;
use crate::watch::Unwatched;

const ASCII: &str = include_str!("../samples/pyramid.ply");
const BINARY: [&[u8]; 2] = [include_bytes!("../samples/pyramid_little.ply"), include_bytes!("../samples/pyramid_big.ply")];

fn parse(content: &[u8]) -> Result<RawMesh, ImportError> {
    read(Path::new("a.ply"), content, &Unwatched)
}

fn message(content: &str) -> String {
    parse(content.as_bytes()).unwrap_err().to_string()
}

/// A file with three vertices and the faces of `body`, whose header is `face`.
fn small(face: &str, body: &str) -> String {
    let vertices = "element vertex 3\nproperty float x\nproperty float y\nproperty float z\n";
    format!("ply\nformat ascii 1.0\n{vertices}{face}end_header\n0 0 0\n1 0 0\n0 1 0\n{body}")
}

const FACE: &str = "element face 1\nproperty list uchar int vertex_index\n";

#[test]
fn all_three_kinds_hold_the_same_pyramid() {
    let raw = parse(ASCII.as_bytes()).unwrap();
    assert_eq!(raw.positions[4], Vec3::new(0.5, 0.5, 1.0));
    // Strips come first: 1 2 4 and 4 2 3 turned, then 3 0 4.
    assert_eq!(raw.triangles, [[1, 2, 4], [4, 2, 3], [3, 0, 4], [0, 3, 2], [0, 2, 1], [0, 1, 4]]);
    assert_eq!(raw.polygons.iter().collect::<Vec<_>>(), [&[0, 3, 2, 1][..], &[0, 1, 4], &[1, 2, 4], &[4, 2, 3], &[3, 0, 4]]);
    let none = [u32::MAX; 3];
    assert_eq!(raw.texture.triangles, [none, none, none, [0, 1, 2], [0, 2, 3], [4, 5, 6]]);
    assert_eq!(raw.texture.points[6], [0.5, 0.5]);
    assert_eq!(
        (&raw.other_elements[..], &raw.unused_sections[..]),
        (&[("edges".to_owned(), 1)][..], &["camera".to_owned(), "nothing".into()][..])
    );
    assert!(raw.notes.is_empty(), "{:?}", raw.notes);
    let volume: f64 = raw.triangles.iter().map(|t| t.map(|v| raw.positions[v as usize])).map(|[a, b, c]| a.cross(&b).dot(&c) / 6.0).sum();
    assert!((volume - 1.0 / 3.0).abs() < 1e-15, "{volume}");
    for binary in BINARY {
        assert_eq!(parse(binary).unwrap(), raw);
    }
}

#[test]
fn headers_end_their_lines_in_any_way() {
    let expected = parse(ASCII.as_bytes()).unwrap();
    for end in ["\r\n", "\r"] {
        assert_eq!(parse(ASCII.replace('\n', end).as_bytes()).unwrap(), expected, "{end:?}");
    }
    // Binary data that begin with a line feed, behind a header of the old Macintosh.
    let mut old =
        b"ply\rformat binary_little_endian 1.0\relement vertex 1\rproperty char x\rproperty char y\rproperty char z\rend_header\r".to_vec();
    old.extend([10, 13, 32]);
    assert_eq!(parse(&old).unwrap().positions, [Vec3::new(10.0, 13.0, 32.0)]);
}

#[test]
fn texture_points_of_vertices_are_kept() {
    let content = small(FACE, "3 0 1 2\n").replace("float z\n", "float z\nproperty float s\nproperty float t\n");
    let content = content.replace("0 0 0\n1 0 0\n0 1 0\n", "0 0 0 7 8\n1 0 0 9 8\n0 1 0 7 9\n");
    let raw = parse(content.as_bytes()).unwrap();
    assert_eq!(raw.texture, Texture { points: vec![[7.0, 8.0], [9.0, 8.0], [7.0, 9.0]], triangles: vec![[0, 1, 2]] });
    let raw = parse(content.replace("9 8", "nan 8").as_bytes()).unwrap();
    assert_eq!((raw.texture, raw.notes.len()), (Texture::default(), 1));
}

#[test]
fn a_texture_of_some_faces_is_left_out() {
    let raw = parse(ASCII.replace("6 0 0 1 0 0.5 0.5", "0").as_bytes()).unwrap();
    assert_eq!((raw.texture, &raw.notes[0][..]), (Texture::default(), "some faces have no texture points; the texture was left out"));
    assert_eq!(raw.triangles.len(), 6);
}

#[test]
fn points_without_faces_are_read() {
    assert_eq!(parse(small("", "").as_bytes()).unwrap().positions.len(), 3);
}

#[test]
fn what_is_behind_is_noted() {
    let raw = parse(small(FACE, "3 0 1 2\n3 2 1 0\n").as_bytes()).unwrap();
    assert_eq!(raw.notes, ["7 bytes behind the last element were left out (line 14)"]);
}

#[test]
fn damage_is_named_with_its_place() {
    let table = [
        (small(FACE, "3 0 1 3\n"), "a.ply:13: vertex 3, but the file has 3"),
        (small(FACE, "3 0 1 -1\n"), "a.ply:13: a face with a negative"),
        (small(FACE, "3 0 1 0.5\n"), "a.ply:13: the number of a vertex cannot be 0.5"),
        (small(FACE, "3 0 1"), "the file ends where the number of a vertex"),
        (small(FACE, "-3 0 1 2\n"), "the length of a list cannot be -3"),
        (small(FACE, "900000 0 1 2\n"), "a list of 900000 numbers"),
        (small(FACE, "3 0 1 2\n").replace("1 0 0\n", "1 inf 0\n"), "a.ply:11: a coordinate is inf"),
        (small(FACE, "3 0 1 2\n").replace("float y", "float w"), "x, y and z"),
        (small(FACE, "3 0 1 2\n").replace("float y", "half y"), "a.ply:5: `half` is no type"),
        (small(FACE, "3 0 1 2\n").replace("vertex 3", "vertex -3"), "a.ply:3: -3 entries"),
        (small(FACE, "3 0 1 2\n").replace("vertex 3", "vertex 9000000000000000000"), "the file ends"),
        (small(FACE, "3 0 1 2\n").replace("element vertex 3\n", ""), "a.ply:3: a property before the first element"),
        (small(FACE, "3 0 1 2\n").replace("ascii", "utf8"), "a.ply:2: ascii, binary_little_endian"),
        (small(FACE, "3 0 1 2\n").replace("format ascii 1.0\n", ""), "names no format"),
        (small("element face 1\nproperty int v\n", "0\n"), "need a list vertex_indices"),
        ("ply\nformat ascii 1.0\n".into(), "the file ends where end_header"),
        ("ply\nformat ascii 1.0\nend_header\n".into(), "no vertices"),
    ];
    for (content, expected) in table {
        let found = message(&content);
        assert!(found.contains(expected), "{found}");
    }
    // A list longer than the file, whose size in bytes overflows.
    let huge = "ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty list ulong double far\nproperty char x\nproperty char y\nproperty char z\nend_header\n";
    let huge = [huge.as_bytes(), &[255, 255, 255, 255, 255, 255, 255, 127, 0]].concat();
    assert!(parse(&huge).unwrap_err().to_string().contains("the file ends"));
}
