//! TetGen's pair of ascii files `.node` (vertices) and `.ele` (tets); opening either finds the other beside it (TetGen manual,
//! "File formats").
//!
//! Read: vertices numbered from 0, from 1 or freely, `#` comments, 4-node tets and 10-node ones straightened to their corners, with
//! their first attribute as tag. Skipped: attributes and boundary markers of vertices. Not read: dimension 2, `.face`, `.edge`,
//! `.smesh`, `.poly`.

use std::path::{Path, PathBuf};

use super::corners::VertexNames;
use super::cursor::Cursor;
use super::elements::{Elements, Kind, Shape};
use super::{Format, ImportError, RawMesh};
use crate::files;
use crate::math::Vec3;
use crate::watch::Watch;

/// The format's entry.
pub const FORMAT: Format = Format {
    name: "TetGen",
    extensions: &["node", "ele"],
    doc: "TetGen .node with .ele, ascii: tets (10-node ones straightened), first attribute as tag; opening either finds the other",
    // Nothing but numbers: only the extension tells.
    matches: |_| false,
    beside,
    read,
};

/// The other file of the pair: its extension may be in either case.
fn other(path: &Path) -> PathBuf {
    let extension = if is_node(path) { "ele" } else { "node" };
    let upper = path.with_extension(extension.to_ascii_uppercase());
    let lower = path.with_extension(extension);
    if upper.exists() && !lower.exists() { upper } else { lower }
}

fn is_node(path: &Path) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case("node"))
}

fn beside(path: &Path, _: &[u8]) -> Vec<PathBuf> {
    vec![other(path)]
}

fn read(path: &Path, content: &[u8], watch: &dyn Watch) -> Result<RawMesh, ImportError> {
    let other = other(path);
    let beside = files::read(&other)
        .map_err(|why| ImportError::whole(path, format!("needs {} beside it, which cannot be read: {why}", other.display())))?;
    if files::is_utf_16(&beside) {
        return Err(ImportError::whole(&other, files::UTF_16_ADVICE.into()));
    }
    let beside = files::without_mark(&beside);
    if is_node(path) { read_pair((path, content), (&other, beside), watch) } else { read_pair((&other, beside), (path, content), watch) }
}

/// Reads a pair, each given by its path and content.
pub fn read_pair(node: (&Path, &[u8]), ele: (&Path, &[u8]), watch: &dyn Watch) -> Result<RawMesh, ImportError> {
    let (positions, names) = read_vertices(Cursor::new(node.0, node.1, watch))?;
    let mut cursor = Cursor::new(ele.0, ele.1, watch);
    let mut found = Elements::default();
    found.positions = positions;
    read_tets(&mut cursor, &mut found)?;
    found.finish(FORMAT.name, &names, &mut cursor, |_| String::new())
}

/// The next row, with at least `least` words.
fn row<'a>(cursor: &mut Cursor<'a>, words: &mut Vec<&'a [u8]>, least: usize, what: &str) -> Result<usize, ImportError> {
    cursor.tick()?;
    let offset = cursor.row(words).ok_or_else(|| cursor.ended(what))?;
    if words.len() < least {
        return Err(cursor.error_at(offset, format!("{what} has {} numbers, but {least} are expected; the row is cut off", words.len())));
    }
    Ok(offset)
}

fn read_vertices(mut cursor: Cursor) -> Result<(Vec<Vec3>, VertexNames), ImportError> {
    let mut words = Vec::new();
    let header = row(&mut cursor, &mut words, 1, "the header of the .node file")?;
    let count = cursor.to_integer(header, words[0], "the number of vertices")?;
    let dimension = words.get(1).map_or(Ok(3), |w| cursor.to_integer(header, w, "the dimension"))?;
    if count <= 0 || dimension != 3 {
        return Err(cursor.error_at(header, format!("{count} vertices of dimension {dimension}: vertices of dimension 3 are needed")));
    }
    let capacity = cursor.capacity(count as usize, 8);
    let (mut positions, mut names) = (Vec::with_capacity(capacity), Vec::with_capacity(capacity));
    for _ in 0..count {
        let offset = row(&mut cursor, &mut words, 4, "a vertex")?;
        let name = cursor.to_integer(offset, words[0], "the number of a vertex")?;
        let coordinate = |i: usize| cursor.to_float(offset, words[i], "a coordinate");
        positions.push(Vec3::new(coordinate(1)?, coordinate(2)?, coordinate(3)?));
        names.push(name);
    }
    let names = VertexNames::new(&names).map_err(|name| cursor.error_at(header, format!("two vertices have the number {name}")))?;
    Ok((positions, names))
}

fn read_tets(cursor: &mut Cursor, found: &mut Elements) -> Result<(), ImportError> {
    let mut words = Vec::new();
    let header = row(cursor, &mut words, 1, "the header of the .ele file")?;
    let count = cursor.to_integer(header, words[0], "the number of tets")?;
    let nodes = words.get(1).map_or(Ok(4), |w| cursor.to_integer(header, w, "the number of nodes a tet"))?;
    let attributes = words.get(2).map_or(Ok(0), |w| cursor.to_integer(header, w, "the number of attributes"))?;
    let kind = match nodes {
        4 => Kind { shape: Shape::Tet, nodes: 4, name: "tetrahedra" },
        10 => Kind { shape: Shape::Tet, nodes: 10, name: "10-node tetrahedra" },
        _ => return Err(cursor.error_at(header, format!("{nodes} nodes a tet are not read; run TetGen to get 4 or 10"))),
    };
    if count < 0 {
        return Err(cursor.error_at(header, format!("the number of tets cannot be {count}")));
    }
    found.reserve(kind.shape, cursor.capacity(count as usize, 2 * (kind.nodes + 1)));
    for _ in 0..count {
        let offset = row(cursor, &mut words, 1 + kind.nodes + usize::from(attributes > 0), "a tet")?;
        let mut corners = [0; 4];
        for (corner, word) in corners.iter_mut().zip(&words[1..]) {
            *corner = cursor.to_integer(offset, word, "the number of a vertex")?;
        }
        // Attributes are real numbers in the format, but regions are numbered.
        let tag = if attributes > 0 { cursor.to_float(offset, words[1 + kind.nodes], "an attribute")?.round() as i32 } else { 0 };
        found.push(offset, &kind, tag, &corners);
    }
    Ok(())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::watch::Unwatched;

    /// The pair in one piece, cut at the first `%`, for the tests of damaged files.
    pub fn read_joined(content: &[u8]) -> Result<RawMesh, ImportError> {
        let cut = content.iter().position(|&b| b == b'%').unwrap_or(content.len());
        let (node, ele) = content.split_at(cut);
        read_pair((Path::new("a.node"), node), (Path::new("a.ele"), ele.get(1..).unwrap_or_default()), &Unwatched)
    }
}
