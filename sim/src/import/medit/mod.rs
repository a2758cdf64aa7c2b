//! MEDIT `.mesh` and `.meshb`, as written by TetWild, fTetWild, Mmg, CGAL and Gmsh.
//!
//! Read: ascii of any version, with `#` comments, and binary of the versions 1 to 4 and either byte order; `Vertices`, and
//! `Tetrahedra`, `Triangles` and `Quadrilaterals` with their references as tags and groups, in any order, those of higher order
//! straightened to their corners. Elements of other kinds are counted and left out; other sections are skipped by name. Not read:
//! meshes of dimension 2.

mod binary;
mod keyword;

use std::path::Path;

use super::corners::VertexNames;
use super::cursor::{Cursor, shown};
use super::elements::{Elements, Kind};
use super::{Format, ImportError, RawMesh, none_beside};
use crate::watch::Watch;
use keyword::Holds;

/// The format's entry.
pub const FORMAT: Format = Format {
    name: "MEDIT",
    extensions: &["mesh", "meshb"],
    doc: "MEDIT .mesh and .meshb (versions 1 to 4), dimension 3: tets, triangles and quadrilaterals with their references",
    matches: |content| binary::matches(content) || is_text(content),
    beside: none_beside,
    read,
};

fn is_text(content: &[u8]) -> bool {
    let start = Cursor::new(Path::new(""), &content[..content.len().min(4096)], &crate::watch::Unwatched).word();
    start.is_some_and(|(_, word)| word.eq_ignore_ascii_case(b"MeshVersionFormatted"))
}

fn read(path: &Path, content: &[u8], watch: &dyn Watch) -> Result<RawMesh, ImportError> {
    let mut cursor = Cursor::new(path, content, watch);
    let mut found = Elements::default();
    if binary::matches(content) {
        binary::read(&mut cursor, &mut found)?;
    } else {
        read_text(&mut cursor, &mut found)?;
    }
    let vertices = VertexNames::Consecutive { first: 1, count: found.positions.len() as u32 };
    found.finish(FORMAT.name, &vertices, &mut cursor, |reference| format!("reference {reference}"))
}

fn read_text(cursor: &mut Cursor, found: &mut Elements) -> Result<(), ImportError> {
    while let Some((offset, word)) = cursor.word() {
        if word.eq_ignore_ascii_case(b"MeshVersionFormatted") {
            cursor.integer("the version")?;
            continue;
        }
        match keyword::by_name(word) {
            Some((_, Holds::End)) => break,
            Some((name, Holds::Unused)) => {
                skip_numbers(cursor);
                found.left_out.section(name);
            }
            Some((_, holds)) => read_section(cursor, offset, holds, found)?,
            None if word[0].is_ascii_alphabetic() => {
                skip_numbers(cursor);
                found.left_out.section(&shown(word));
            }
            None => {
                let word = shown(word);
                let message = format!("the name of a section is expected, not `{word}`; the section before it holds more than it says");
                return Err(cursor.error_at(offset, message));
            }
        }
    }
    Ok(())
}

/// Reads the content of a section, text or binary, behind its name, which is at `offset`.
fn read_section(cursor: &mut Cursor, offset: usize, holds: &Holds, found: &mut Elements) -> Result<(), ImportError> {
    match holds {
        Holds::Dimension => {
            let dimension = cursor.int("the dimension")?;
            if dimension != 3 {
                return Err(cursor.error_at(offset, format!("the dimension is {dimension}; a solid needs a mesh of dimension 3")));
            }
        }
        Holds::Vertices => {
            let count = cursor.count("the number of vertices")?;
            found.positions.reserve(cursor.capacity(count, 8));
            for _ in 0..count {
                cursor.tick()?;
                found.positions.push(cursor.point()?);
                cursor.number("the reference of a vertex")?;
            }
        }
        Holds::Elements(kind) => {
            let count = cursor.count(kind.name)?;
            found.reserve(kind.shape, cursor.capacity(count, 2 * (kind.nodes + 1)));
            for _ in 0..count {
                cursor.tick()?;
                read_element(cursor, kind, found)?;
            }
        }
        Holds::End | Holds::Unused => {}
    }
    Ok(())
}

/// Nodes and then a reference.
fn read_element(cursor: &mut Cursor, kind: &Kind, found: &mut Elements) -> Result<(), ImportError> {
    let mut corners = [0; 4];
    for n in 0..kind.nodes {
        let node = cursor.number("the number of a vertex")?;
        if let Some(corner) = corners.get_mut(n) {
            *corner = node;
        }
    }
    // The place of an element is its last node: before its first one may lie an end of a line.
    let place = cursor.at;
    let tag = cursor.number("the reference of an element")?;
    let tag = i32::try_from(tag).map_err(|_| cursor.error_at(place, format!("the reference {tag} does not fit 32 bits")))?;
    found.push(place, kind, tag, &corners);
    Ok(())
}

/// Moves to the next word that starts with a letter.
fn skip_numbers(cursor: &mut Cursor) {
    let mut before = cursor.at;
    while cursor.word().is_some_and(|(_, word)| !word[0].is_ascii_alphabetic()) {
        before = cursor.at;
    }
    cursor.at = before;
}
