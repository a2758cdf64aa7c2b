//! STL, binary and ascii.
//!
//! Read: triangles, and ascii loops of more corners; several solids, as groups; headers that promise nothing or too much.
//! The format has no vertices: corners at exactly equal coordinates become one. Skipped: normals, attributes and colours.
//! The format: 3D Systems, "StereoLithography interface specification", 1989.

mod join;
#[cfg(test)]
mod tests;

use std::path::Path;

use super::cursor::{Cursor, MOST_LETTERS, decimal, name, shown};
use super::faces::{Faces, Names};
use super::{Format, ImportError, RawMesh, none_beside};
use crate::math::Vec3;
use crate::watch::Watch;
use join::join;

/// The format's entry.
pub const FORMAT: Format = Format {
    name: "STL",
    extensions: &["stl"],
    doc: "STL, binary and ascii, several solids: corners at exactly equal coordinates become one vertex; not colours",
    matches: |content| is_ascii(content) || binary_count(content).is_some_and(|count| content.len() as u64 == size(count)),
    beside: none_beside,
    read,
};

/// Bytes before the triangles of a binary file: 80 of any kind, then their number.
const HEADER: usize = 84;
/// Bytes of a triangle: a normal, three corners, and an attribute of two bytes.
const TRIANGLE: usize = 50;

/// Length of a binary file.
fn size(count: u32) -> u64 {
    HEADER as u64 + TRIANGLE as u64 * u64::from(count)
}

/// Number of triangles that a binary header promises.
fn binary_count(content: &[u8]) -> Option<u32> {
    content.get(80..HEADER)?.try_into().ok().map(u32::from_le_bytes)
}

/// Some binary files begin with `solid` too, but their length or a zero byte gives them away.
fn is_ascii(content: &[u8]) -> bool {
    let text = content.trim_ascii_start();
    let filled_up = content.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    let is_solid = text.get(..5).is_some_and(|word| word.eq_ignore_ascii_case(b"solid"));
    let is_exact = binary_count(content).is_some_and(|count| content.len() as u64 == size(count));
    is_solid && !is_exact && !content[..filled_up.min(1024)].contains(&0)
}

/// The facets of a file, each with its own corners.
#[derive(Default)]
struct Facets {
    corners: Vec<Vec3>,
    facets: Vec<Facet>,
}

struct Facet {
    offset: usize,
    /// Where its corners end.
    end: u32,
    /// Its solid.
    group: Option<u32>,
}

fn read(path: &Path, content: &[u8], watch: &dyn Watch) -> Result<RawMesh, ImportError> {
    let mut cursor = Cursor::new(path, content, watch);
    let mut mesh = RawMesh { format: FORMAT.name, ..RawMesh::default() };
    let facets = if is_ascii(content) { read_ascii(&mut cursor, &mut mesh)? } else { read_binary(&mut cursor, &mut mesh)? };
    if facets.corners.is_empty() {
        return Err(ImportError::whole(path, "no triangles: the STL file is empty".into()));
    }
    let corners = facets.corners.len();
    let (positions, vertices) = join(facets.corners);
    let (joined, count) = (corners - positions.len(), positions.len());
    mesh.positions = positions;
    mesh.notes.push(format!("{joined} of {corners} corners lie exactly on others, which leaves {count} vertices; STL itself has none"));
    let mut faces = Faces::default();
    faces.reserve(facets.facets.len(), corners);
    let mut start = 0;
    for facet in &facets.facets {
        cursor.tick()?;
        vertices[start..facet.end as usize].iter().for_each(|&v| faces.corner(v, None));
        faces.close(&cursor, facet.offset, facet.group)?;
        start = facet.end as usize;
    }
    faces.finish(&mut cursor, Vec::new(), &mut mesh)?;
    if mesh.triangle_groups.is_empty() {
        mesh.groups.clear();
    }
    Ok(mesh)
}

fn read_binary(cursor: &mut Cursor, mesh: &mut RawMesh) -> Result<Facets, ImportError> {
    cursor.binary = true;
    let promised = binary_count(cursor.rest()).ok_or_else(|| cursor.ended("the header of a binary STL file"))?;
    cursor.at = HEADER;
    let (held, over) = (cursor.rest().len() / TRIANGLE, cursor.rest().len() % TRIANGLE);
    let count = if promised as usize <= held && promised > 0 {
        promised as usize
    } else if over == 0 {
        held
    } else {
        let message =
            format!("{promised} triangles are promised, but the file ends within triangle {}; it is cut off, or no STL", held + 1);
        return Err(cursor.error_at(HEADER + TRIANGLE * held, message));
    };
    if count != promised as usize {
        mesh.notes.push(format!("the header promises {promised} triangles, the file holds {count}, which were read"));
    } else if cursor.rest().len() > TRIANGLE * count {
        mesh.notes.push(format!("{} bytes behind the last triangle were left out", cursor.rest().len() - TRIANGLE * count));
    }
    let mut found = Facets { corners: Vec::with_capacity(3 * count), facets: Vec::with_capacity(count) };
    for _ in 0..count {
        cursor.tick()?;
        let offset = cursor.at;
        cursor.take(12, "a normal")?;
        for _ in 0..3 {
            let mut coordinate = || cursor.binary_f32("a coordinate").map(f64::from);
            found.corners.push(Vec3::new(coordinate()?, coordinate()?, coordinate()?));
        }
        cursor.take(2, "an attribute")?;
        found.facets.push(Facet { offset, end: found.corners.len() as u32, group: None });
    }
    Ok(found)
}

/// Where in an ascii file the reader is.
#[derive(PartialEq)]
enum State {
    Outside,
    Solid,
    /// Behind `facet`, where a normal stands, which may be no numbers at all.
    Normal,
    Loop,
}

fn read_ascii(cursor: &mut Cursor, mesh: &mut RawMesh) -> Result<Facets, ImportError> {
    let (mut found, mut names) = (Facets::default(), Names::default());
    let (mut state, mut group, mut start, mut has_names) = (State::Outside, 0, 0, false);
    let mut colours = 0;
    while let Some((offset, word)) = cursor.word() {
        cursor.tick()?;
        // Some programs write `end solid` in two words.
        let apart = if word.eq_ignore_ascii_case(b"end") && state != State::Normal { cursor.word() } else { None };
        let joined = apart.map(|(_, what)| [word, what].concat());
        let word = joined.as_deref().unwrap_or(word);
        let is = |keyword: &str| word.eq_ignore_ascii_case(keyword.as_bytes());
        match state {
            State::Solid | State::Outside | State::Loop if is("color") || is("colour") => {
                skip_decimals(cursor);
                colours += 1;
            }
            State::Normal if !is("outer") && !is("vertex") => {}
            _ if is("vertex") && matches!(state, State::Normal | State::Loop) => {
                state = State::Loop;
                found.corners.push(cursor.point()?);
            }
            State::Loop if is("endloop") || is("endfacet") => {
                if found.corners.len() < start + 3 {
                    return Err(cursor.error_at(offset, format!("a facet with {} vertices; 3 are needed", found.corners.len() - start)));
                }
                start = found.corners.len();
                found.facets.push(Facet { offset, end: start as u32, group: Some(group) });
                state = State::Solid;
            }
            State::Normal | State::Solid if is("outer") || is("loop") || is("endfacet") => {}
            State::Solid if is("facet") => state = State::Normal,
            State::Solid if is("endsolid") => {
                cursor.skip_line();
                state = State::Outside;
            }
            State::Outside if is("solid") => {
                let line = cursor.rest();
                cursor.at = offset;
                cursor.skip_line();
                let name = line[..line.len() - cursor.rest().len()].trim_ascii();
                has_names |= !name.is_empty();
                group = names.number(name);
                state = State::Solid;
            }
            _ => {
                let expected = match state {
                    State::Outside => "solid",
                    State::Loop => "vertex or endloop",
                    _ => "facet or endsolid",
                };
                return Err(cursor.error_at(offset, format!("{expected} is expected, not `{}`; the file is damaged", shown(word))));
            }
        }
    }
    if colours > 0 {
        mesh.notes.push(format!("{colours} colours are not used"));
    }
    match state {
        State::Outside => {}
        State::Solid => mesh.notes.push("the end of the last solid (endsolid) is missing; the file may be cut off".into()),
        State::Normal | State::Loop => return Err(cursor.ended("the rest of a facet")),
    }
    let names = names.into_names();
    if has_names || names.len() > 1 {
        mesh.groups = names.into_iter().map(|bytes| name(bytes, MOST_LETTERS)).collect();
    } else {
        found.facets.iter_mut().for_each(|facet| facet.group = None);
    }
    Ok(found)
}

/// Moves to the next word that is no number.
fn skip_decimals(cursor: &mut Cursor) {
    let mut before = cursor.at;
    while cursor.word().is_some_and(|(_, word)| decimal(word).is_some()) {
        before = cursor.at;
    }
    cursor.at = before;
}
