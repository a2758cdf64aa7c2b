//! Gmsh `.msh`, versions 2.0 to 2.2 and 4.1, ascii and binary of either byte order.
//!
//! Read: nodes with any numbers, 4-node tets with the first physical tag (through `$Entities` in 4.1), 3-node triangles.
//! Elements of other kinds are counted by name and left out; other sections are skipped by name. Not read: version 1
//! (`$NOD`), 3 and 4.0; parametric coordinates are skipped.

mod element_type;
mod version_2;
mod version_4;

use std::path::Path;

use super::corners::{Corners, VertexNames};
use super::cursor::{Cursor, shown};
use super::{Format, ImportError, RawMesh};
use crate::math::Vec3;
use crate::watch::Watch;
use element_type::ElementType;

/// The format's entry.
pub const FORMAT: Format = Format {
    name: "Gmsh",
    extensions: &["msh"],
    doc: "Gmsh .msh 2.0-2.2 and 4.1, ascii and binary: 4-node tets with their physical tag; not 1, 3, 4.0",
    matches: |content| content.trim_ascii_start().starts_with(b"$"),
    read,
};

/// What has been read so far.
#[derive(Default)]
struct Sections {
    positions: Vec<Vec3>,
    names: Vec<i64>,
    tets: Corners<4>,
    tags: Vec<i32>,
    triangles: Corners<3>,
    other: Vec<(String, usize)>,
    unused: Vec<String>,
    /// First physical tag of each volume entity, by its tag (4.1 only).
    physical: Vec<(i32, i32)>,
}

impl Sections {
    /// Adds an element of any kind, read at `offset`.
    fn push(&mut self, offset: usize, kind: &ElementType, tag: i32, corners: &[i64]) {
        match (kind.number, corners) {
            (element_type::TET, &[a, b, c, d]) => {
                self.tets.push(offset, [a, b, c, d]);
                self.tags.push(tag);
            }
            (element_type::TRIANGLE, &[a, b, c]) => self.triangles.push(offset, [a, b, c]),
            _ => match self.other.iter_mut().find(|(name, _)| name == kind.name) {
                Some((_, count)) => *count += 1,
                None => self.other.push((kind.name.to_owned(), 1)),
            },
        }
    }
}

/// The two ways in which the sections of a file are written.
#[derive(Clone, Copy, PartialEq)]
enum Version {
    Two,
    Four,
}

fn read(path: &Path, content: &[u8], watch: &dyn Watch) -> Result<RawMesh, ImportError> {
    let mut cursor = Cursor::new(path, content, watch);
    let mut found = Sections::default();
    let mut version = None;
    let mut binary = false;
    loop {
        cursor.binary = false;
        let Some((offset, word)) = cursor.word() else { break };
        match (word, version) {
            (b"$MeshFormat", _) => {
                let (read, is_binary) = read_header(&mut cursor)?;
                (version, binary) = (Some(read), is_binary);
            }
            (b"$NOD" | b"$ELM", _) => {
                return Err(cursor.error_at(offset, "this is Gmsh format 1, which is not read; open it in Gmsh and save it as version 4.1"));
            }
            (b"$Nodes" | b"$Elements" | b"$Entities", None) => {
                return Err(cursor.error_at(offset, "$MeshFormat is missing before this section; write the file again"));
            }
            (b"$Nodes" | b"$Elements", Some(version)) => {
                let body = cursor.at;
                enter(&mut cursor, binary, version);
                match (word, version) {
                    (b"$Nodes", Version::Two) => version_2::read_nodes(&mut cursor, binary, &mut found)?,
                    (b"$Nodes", Version::Four) => version_4::read_nodes(&mut cursor, &mut found)?,
                    (_, Version::Two) => version_2::read_elements(&mut cursor, binary, &mut found)?,
                    (_, Version::Four) => version_4::read_elements(&mut cursor, &mut found)?,
                }
                leave(&mut cursor, word, body)?;
            }
            (b"$Entities", Some(Version::Four)) => {
                let body = cursor.at;
                // Some writers leave the section empty.
                if !cursor.rest().trim_ascii_start().starts_with(b"$End") {
                    enter(&mut cursor, binary, Version::Four);
                    version_4::read_entities(&mut cursor, &mut found)?;
                }
                leave(&mut cursor, word, body)?;
            }
            _ if word[0] == b'$' => skip_section(&mut cursor, offset, word, &mut found)?,
            _ => return Err(cursor.error_at(offset, format!("the name of a section ($…) is expected, not `{}`", shown(word)))),
        }
    }
    if version.is_none() {
        return Err(ImportError::whole(path, "$MeshFormat is missing; this is no Gmsh mesh, or it is cut off".into()));
    }
    finish(&cursor, found)
}

fn finish(cursor: &Cursor, found: Sections) -> Result<RawMesh, ImportError> {
    let names = VertexNames::new(&found.names).map_err(|name| cursor.error_at(0, format!("two nodes have the number {name}")))?;
    Ok(RawMesh {
        format: FORMAT.name,
        tets: found.tets.resolve(&names, cursor, "tet")?,
        triangles: found.triangles.resolve(&names, cursor, "triangle")?,
        positions: found.positions,
        tags: found.tags,
        other_elements: found.other,
        unused_sections: found.unused,
        ..RawMesh::default()
    })
}

/// Version, and whether the file is binary; sets the byte order by the integer 1 that follows.
fn read_header(cursor: &mut Cursor) -> Result<(Version, bool), ImportError> {
    let body = cursor.at;
    let number = cursor.float("the version")?;
    let binary = cursor.integer("the kind of file (0 ascii, 1 binary)")? == 1;
    let size = cursor.integer("the size of a number")?;
    let version = match number {
        2.0..3.0 => Version::Two,
        4.1 => Version::Four,
        _ => return Err(cursor.error_at(body + 1, format!("Gmsh version {number} is not read; save the mesh as version 4.1 or 2.2"))),
    };
    if size != 8 {
        return Err(cursor.error_at(body + 1, format!("numbers of {size} bytes are not read; save the mesh on a 64-bit machine")));
    }
    if binary {
        cursor.skip_line();
        cursor.binary = true;
        cursor.big_endian = false;
        let offset = cursor.at;
        match cursor.binary_i32("the integer 1")? {
            1 => {}
            0x0100_0000 => cursor.big_endian = true,
            other => return Err(cursor.error_at(offset, format!("the integer 1 is expected, not {other}; the file is damaged"))),
        }
    }
    leave(cursor, b"$MeshFormat", body)?;
    Ok((version, binary))
}

/// Moves to the first byte of a section's content. In version 2 the counts of a binary section are still text.
fn enter(cursor: &mut Cursor, binary: bool, version: Version) {
    if binary && version == Version::Four {
        cursor.skip_line();
        cursor.binary = true;
    }
}

/// Reads the end of the section `name` whose content began at `body`.
fn leave(cursor: &mut Cursor, name: &[u8], body: usize) -> Result<(), ImportError> {
    let offset = cursor.at;
    let expected = format!("$End{}", shown(&name[1..]));
    match cursor.word() {
        Some((_, word)) if word == expected.as_bytes() => Ok(()),
        Some((at, _)) => Err(cursor.error_at(at, format!("{expected} is expected; the section holds more than it says, or is damaged"))),
        None => Err(cursor.error_at(offset.max(body), format!("the file ends before {expected}; it is cut off, write it again"))),
    }
}

/// Moves behind the end of a section that is not used.
fn skip_section(cursor: &mut Cursor, offset: usize, name: &[u8], found: &mut Sections) -> Result<(), ImportError> {
    let end = [b"$End", &name[1..]].concat();
    let Some(length) = cursor.rest().windows(end.len()).position(|w| w == end) else {
        return Err(cursor.error_at(offset, format!("the end of section {} is missing; the file is cut off, write it again", shown(name))));
    };
    cursor.at += length + end.len();
    if name != b"$Comments" {
        found.unused.push(shown(name));
    }
    Ok(())
}
