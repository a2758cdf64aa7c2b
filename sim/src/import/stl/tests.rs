#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;

use super::*;
use crate::watch::Unwatched;

const ASCII: &str = include_str!("../samples/tet.stl");
const BINARY: &[u8] = include_bytes!("../samples/tet_binary.stl");

fn parse(content: &[u8]) -> Result<RawMesh, ImportError> {
    read(Path::new("a.stl"), content, &Unwatched)
}

fn message(content: &[u8]) -> String {
    parse(content).unwrap_err().to_string()
}

const CORNERS: [Vec3; 4] = [Vec3::new(0.0, 0.0, 0.0), Vec3::new(0.0, 1.0, 0.0), Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 0.0, 1.0)];
const TRIANGLES: [[u32; 3]; 4] = [[0, 1, 2], [0, 2, 3], [0, 3, 1], [2, 1, 3]];

#[test]
fn both_kinds_hold_the_same_tetrahedron() {
    let (ascii, binary) = (parse(ASCII.as_bytes()).unwrap(), parse(BINARY).unwrap());
    for raw in [&ascii, &binary] {
        assert_eq!((&raw.positions[..], &raw.triangles[..]), (&CORNERS[..], &TRIANGLES[..]));
        assert_eq!(raw.notes, ["8 of 12 corners lie exactly on others, which leaves 4 vertices; STL itself has none"]);
    }
    assert_eq!((ascii.groups, ascii.triangle_groups), (vec!["left half".to_owned(), "right".to_owned()], vec![0, 0, 1, 1]));
    assert!(binary.groups.is_empty() && binary.triangle_groups.is_empty());
}

#[test]
fn counts_in_the_header_are_not_believed() {
    for (count, note) in [(0_u32, "promises 0"), (u32::MAX, "promises 4294967295"), (5, "promises 5")] {
        let mut content = BINARY.to_vec();
        content[80..84].copy_from_slice(&count.to_le_bytes());
        let raw = parse(&content).unwrap();
        assert_eq!(raw.triangles, TRIANGLES);
        assert!(raw.notes[0].contains(note) && raw.notes[0].contains("holds 4"), "{:?}", raw.notes);
    }
    let longer = parse(&[BINARY, b"made by"].concat()).unwrap();
    assert_eq!(longer.triangles, TRIANGLES);
    assert!(longer.notes[0].contains("7 bytes behind"), "{:?}", longer.notes);
    assert!(message(&BINARY[..BINARY.len() - 1]).contains("byte 234: 4 triangles are promised, but the file ends within triangle 4"));
}

#[test]
fn ascii_is_read_in_odd_shapes() {
    let expected = parse(ASCII.as_bytes()).unwrap();
    let variants = [
        ASCII.replace('\n', "\r\n"),
        ASCII.replace('\n', "\r"),
        format!("  {ASCII}"),
        format!("{ASCII}\0\0"),
        ASCII
            .replace("endsolid", "end solid")
            .replace("ENDSOLID", "END SOLID")
            .replace("endloop", "end loop")
            .replace("endfacet", "end facet"),
        ASCII.replace("normal 0 0 0", "normal -nan(ind) nan 1.#IND"),
        ASCII.replace("outer loop\n", ""),
        ASCII.replace("\n  ", " "),
        ASCII.replace("endsolid left half", "endsolid"),
    ];
    for content in variants {
        let raw = parse(content.as_bytes()).unwrap_or_else(|why| panic!("{why}: {content}"));
        assert_eq!(raw, expected, "{content}");
    }
    let coloured =
        ASCII.replace("facet normal", "color 0.5 0.25 1e0 facet normal").replace("vertex 0 0 0\n", "vertex 0 0 0\n color 1 0 0\n");
    let coloured = parse(coloured.as_bytes()).unwrap();
    assert_eq!((&coloured.triangles, &coloured.positions), (&expected.triangles, &expected.positions));
    assert!(coloured.notes[0].contains("colours are not used"), "{:?}", coloured.notes);
    let open = parse(ASCII.strip_suffix("ENDSOLID right\n").unwrap().as_bytes()).unwrap();
    assert_eq!(open.triangles, TRIANGLES);
    assert!(open.notes[0].contains("endsolid"), "{:?}", open.notes);
    let nameless = parse(ASCII.replace("left half", "").replace("right", "").as_bytes()).unwrap();
    assert!(nameless.groups.is_empty() && nameless.triangle_groups.is_empty());
}

#[test]
fn facets_without_area_by_name_are_noted() {
    let raw = parse(ASCII.replacen("vertex 0 1 0", "vertex 0 0 0", 1).as_bytes()).unwrap();
    assert_eq!(raw.triangles.len(), 3);
    assert_eq!(raw.notes[1], "1 faces with fewer than three different corners were left out (line 7)");
}

#[test]
fn damage_is_named_with_its_place() {
    let mut nan = BINARY.to_vec();
    nan[100..104].copy_from_slice(&f32::NAN.to_le_bytes());
    let table = [
        (message(&nan), "byte 100: a coordinate is NaN"),
        (message(ASCII.replacen("vertex 0 0 0", "vertex 0 inf 0", 1).as_bytes()), "a.stl:4: a coordinate is inf"),
        (message(ASCII.replacen("   vertex 0 0 0\n", "", 1).as_bytes()), "a.stl:6: a facet with 2 vertices"),
        (message(ASCII.replacen("endfacet", "endfaucet", 1).as_bytes()), "a.stl:8: facet or endsolid is expected, not `endfaucet`"),
        (message(b"solid nothing\nendsolid\n"), "no triangles"),
        (message(&ASCII.as_bytes()[..ASCII.find("0 1 0").unwrap() + 3]), "the file ends where a coordinate is expected"),
        (message(b"short"), "the file ends where the header"),
    ];
    for (found, expected) in table {
        assert!(found.contains(expected), "{found}");
    }
}
