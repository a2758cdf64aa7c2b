//! Gmsh `.msh`, versions 1, 2.0 to 2.2, 4.0 and 4.1, ascii and binary of either byte order (Gmsh reference manual, "MSH file format").
//!
//! Read: nodes with any numbers; tets, triangles and quadrangles with their first physical tag (through `$Entities` and
//! `$PartitionedEntities` in 4), those of higher order straightened to their corners; the names of physical groups. Elements of
//! other kinds are counted by name and left out; other sections are skipped by name. Not read: version 3, `$ParametricNodes`,
//! binary files of machines with numbers of another size than 8; parametric coordinates are skipped.

mod element_type;
mod physical;
mod version_1;
mod version_2;
mod version_4;

use std::path::Path;

use super::corners::VertexNames;
use super::cursor::{Cursor, shown};
use super::elements::Elements;
use super::{Format, ImportError, RawMesh, none_beside};
use crate::watch::Watch;
use physical::Physical;

/// The format's entry.
pub const FORMAT: Format = Format {
    name: "Gmsh",
    extensions: &["msh"],
    doc: "Gmsh .msh 1, 2 and 4, ascii and binary: tets, triangles, quadrangles (higher orders straightened), physical groups; not 3",
    matches: |content| content.trim_ascii_start().starts_with(b"$"),
    beside: none_beside,
    read,
};

/// What has been read so far.
#[derive(Default)]
struct Found {
    elements: Elements,
    /// Number of each node.
    names: Vec<i64>,
    physical: Physical,
}

/// How the sections of a file are written.
#[derive(Clone, Copy, PartialEq)]
enum Version {
    Two,
    FourZero,
    FourOne,
}

fn read(path: &Path, content: &[u8], watch: &dyn Watch) -> Result<RawMesh, ImportError> {
    let mut cursor = Cursor::new(path, content, watch);
    cursor.comments = false;
    let mut found = Found::default();
    let mut version = None;
    let mut binary = false;
    let mut sections = 0;
    loop {
        cursor.binary = false;
        let Some((offset, word)) = cursor.word() else { break };
        match (word, version) {
            (b"$MeshFormat", _) => {
                let (read, is_binary) = read_header(&mut cursor)?;
                (version, binary) = (Some(read), is_binary);
            }
            (b"$NOD" | b"$ELM", _) => read_version_1(&mut cursor, word, &mut found)?,
            (b"$PhysicalNames", _) => read_section(&mut cursor, word, |cursor| found.physical.read_names(cursor))?,
            (b"$Nodes" | b"$Elements" | b"$Entities" | b"$PartitionedEntities", None) => {
                return Err(cursor.error_at(offset, "$MeshFormat is missing before this section; write the file again"));
            }
            (b"$Nodes" | b"$Elements", Some(Version::Two)) => {
                read_section(&mut cursor, word, |cursor| version_2::read(cursor, word, binary, &mut found))?;
            }
            (b"$Entities" | b"$PartitionedEntities" | b"$Nodes" | b"$Elements", Some(version @ (Version::FourZero | Version::FourOne))) => {
                read_section(&mut cursor, word, |cursor| {
                    // Some writers leave a section empty.
                    if cursor.rest().trim_ascii_start().starts_with(b"$End") {
                        return Ok(());
                    }
                    if binary {
                        cursor.skip_line();
                        cursor.binary = true;
                    }
                    version_4::read(cursor, word, version == Version::FourZero, &mut found)
                })?;
            }
            _ if word[0] == b'$' => skip_section(&mut cursor, offset, word, &mut found)?,
            _ => return Err(cursor.error_at(offset, format!("the name of a section ($…) is expected, not `{}`", shown(word)))),
        }
        sections += 1;
    }
    if sections == 0 {
        return Err(ImportError::whole(path, "no section ($…) is found; this is no Gmsh mesh, or it is cut off".into()));
    }
    // The places of elements are those of their section.
    cursor.binary = binary;
    let names = VertexNames::new(&found.names).map_err(|name| cursor.error_at(0, format!("two nodes have the number {name}")))?;
    drop(found.names);
    let mut mesh = found.elements.finish(FORMAT.name, &names, &mut cursor, |tag| found.physical.name(2, tag))?;
    mesh.tag_names = found.physical.names_of(3);
    Ok(mesh)
}

fn read_version_1(cursor: &mut Cursor, name: &[u8], found: &mut Found) -> Result<(), ImportError> {
    if name == b"$NOD" {
        version_2::read_nodes(cursor, false, found)?
    } else {
        version_1::read_elements(cursor, found)?
    }
    let end = [b"$END", &name[1..]].concat();
    leave(cursor, &end)
}

/// Version, and whether the file is binary; sets the byte order by the integer 1 that follows.
fn read_header(cursor: &mut Cursor) -> Result<(Version, bool), ImportError> {
    let body = cursor.at;
    let number = cursor.float("the version")?;
    let binary = cursor.integer("the kind of file (0 ascii, 1 binary)")? == 1;
    let size = cursor.integer("the size of a number")?;
    let version = match number {
        2.0..3.0 => Version::Two,
        4.0 => Version::FourZero,
        4.1 => Version::FourOne,
        _ => return Err(cursor.error_at(body + 1, format!("Gmsh version {number} is not read; save the mesh as version 4.1 or 2.2"))),
    };
    if binary && size != 8 {
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
    leave(cursor, b"$EndMeshFormat")?;
    Ok((version, binary))
}

/// Reads the content of the section `name` and its end.
fn read_section(cursor: &mut Cursor, name: &[u8], content: impl FnOnce(&mut Cursor) -> Result<(), ImportError>) -> Result<(), ImportError> {
    content(cursor)?;
    leave(cursor, &[b"$End", &name[1..]].concat())
}

/// Reads the word that ends a section.
fn leave(cursor: &mut Cursor, end: &[u8]) -> Result<(), ImportError> {
    match cursor.word() {
        Some((_, word)) if word == end => Ok(()),
        Some((at, _)) => {
            Err(cursor.error_at(at, format!("{} is expected; the section holds more than it says, or is damaged", shown(end))))
        }
        None => Err(cursor.ended(&shown(end))),
    }
}

/// Moves behind the end of a section that is not used.
fn skip_section(cursor: &mut Cursor, offset: usize, name: &[u8], found: &mut Found) -> Result<(), ImportError> {
    let end = [b"$End", &name[1..]].concat();
    let Some(length) = cursor.rest().windows(end.len()).position(|w| w.eq_ignore_ascii_case(&end)) else {
        return Err(cursor.error_at(offset, format!("the end of section {} is missing; the file is cut off, write it again", shown(name))));
    };
    if name == b"$ParametricNodes" {
        let message = "nodes with parametric coordinates ($ParametricNodes) are not read; save the mesh in Gmsh without them";
        return Err(cursor.error_at(offset, message));
    }
    cursor.at += length + end.len();
    if name != b"$Comments" {
        found.elements.left_out.section(&shown(name));
    }
    Ok(())
}
