//! MEDIT `.mesh`, ascii, as written by TetWild, fTetWild, Mmg, CGAL and Gmsh.
//!
//! Read: `Vertices`, `Tetrahedra` with their reference as tag, `Triangles`, in any order, of any version, with `#`
//! comments. Elements of other kinds are counted and left out; other sections are skipped by name. Not read: meshes of
//! dimension 2, and the binary sibling `.meshb`.

use std::path::Path;

use super::corners::{Corners, VertexNames};
use super::cursor::{Cursor, shown};
use super::{Format, ImportError, RawMesh};
use crate::math::Vec3;
use crate::watch::Watch;

/// The format's entry.
pub const FORMAT: Format = Format {
    name: "MEDIT",
    extensions: &["mesh"],
    doc: "MEDIT .mesh, ascii, dimension 3: tetrahedra and triangles with their references; not .meshb",
    matches,
    read,
};

/// Sections of elements that are counted and left out.
const OTHER_ELEMENTS: &[&str] =
    &["Edges", "Quadrilaterals", "Hexahedra", "Prisms", "Pyramids", "EdgesP2", "TrianglesP2", "TetrahedraP2", "HexahedraQ2"];

fn matches(content: &[u8]) -> bool {
    let start = Cursor::new(Path::new(""), &content[..content.len().min(4096)], &crate::watch::Unwatched).word();
    start.is_some_and(|(_, word)| word.eq_ignore_ascii_case(b"MeshVersionFormatted"))
}

/// What has been read so far.
#[derive(Default)]
struct Sections {
    positions: Vec<Vec3>,
    tets: Corners<4>,
    tags: Vec<i32>,
    triangles: Corners<3>,
    other: Vec<(String, usize)>,
    unused: Vec<String>,
}

fn read(path: &Path, content: &[u8], watch: &dyn Watch) -> Result<RawMesh, ImportError> {
    let mut cursor = Cursor::new(path, content, watch);
    let mut found = Sections::default();
    while let Some((offset, keyword)) = cursor.word() {
        if keyword.eq_ignore_ascii_case(b"End") {
            break;
        }
        read_section(&mut cursor, offset, keyword, &mut found)?;
    }
    let vertices = VertexNames::Consecutive { first: 1, count: found.positions.len() as u32 };
    Ok(RawMesh {
        format: FORMAT.name,
        tets: found.tets.resolve(&vertices, &cursor, "tet")?,
        triangles: found.triangles.resolve(&vertices, &cursor, "triangle")?,
        positions: found.positions,
        tags: found.tags,
        other_elements: found.other,
        unused_sections: found.unused,
        ..RawMesh::default()
    })
}

fn read_section(cursor: &mut Cursor, offset: usize, keyword: &[u8], found: &mut Sections) -> Result<(), ImportError> {
    match keyword {
        b"MeshVersionFormatted" => {
            cursor.integer("the version")?;
        }
        b"Dimension" => {
            let dimension = cursor.integer("the dimension")?;
            if dimension != 3 {
                return Err(cursor.error_at(offset, format!("the dimension is {dimension}; a solid needs a mesh of dimension 3")));
            }
        }
        b"Vertices" => {
            let count = cursor.count("the number of vertices")?;
            found.positions.reserve(cursor.capacity(count, 8));
            for _ in 0..count {
                cursor.tick()?;
                found.positions.push(cursor.point()?);
                cursor.integer("the reference of a vertex")?;
            }
        }
        b"Tetrahedra" => {
            let count = cursor.count("the number of tetrahedra")?;
            found.tets.reserve(cursor.capacity(count, 10));
            found.tags.reserve(cursor.capacity(count, 10));
            for _ in 0..count {
                found.tags.push(read_element(cursor, &mut found.tets)?);
            }
        }
        b"Triangles" => {
            let count = cursor.count("the number of triangles")?;
            found.triangles.reserve(cursor.capacity(count, 8));
            for _ in 0..count {
                read_element(cursor, &mut found.triangles)?;
            }
        }
        word if word[0].is_ascii_alphabetic() => {
            let name = shown(word);
            let count = cursor.count(&format!("the number of entries of {name}"))?;
            skip_numbers(cursor);
            if OTHER_ELEMENTS.contains(&name.as_str()) {
                found.other.push((name.to_lowercase(), count));
            } else {
                found.unused.push(name);
            }
        }
        word => {
            let message =
                format!("the name of a section is expected, not `{}`; the section before it holds more than it says", shown(word));
            return Err(cursor.error_at(offset, message));
        }
    }
    Ok(())
}

/// Corners and then a reference, which is returned.
fn read_element<const N: usize>(cursor: &mut Cursor, elements: &mut Corners<N>) -> Result<i32, ImportError> {
    cursor.tick()?;
    let mut corners = [0; N];
    for corner in &mut corners {
        *corner = cursor.integer("the number of a vertex")?;
    }
    let at_tag = cursor.at;
    let tag = cursor.integer("the reference of an element")?;
    // The place of an element is its last corner: before its first one may lie an end of a line.
    elements.push(at_tag, corners);
    i32::try_from(tag).map_err(|_| cursor.error_at(at_tag, format!("the reference {tag} does not fit 32 bits")))
}

/// Moves to the next word that starts with a letter.
fn skip_numbers(cursor: &mut Cursor) {
    let mut before = cursor.at;
    while cursor.word().is_some_and(|(_, word)| !word[0].is_ascii_alphabetic()) {
        before = cursor.at;
    }
    cursor.at = before;
}
