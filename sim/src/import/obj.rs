//! Wavefront `.obj`.
//!
//! Read: `v` (weights and colours behind it are skipped), `f` with any number of corners, `vt`, `l` as strands, those of two points
//! joined where they follow one another; `o`, `g`
//! and `usemtl` as groups; `stitch`, an addition of codes for garments; indices from either end; lines ended in any way, continued with `\`. Points, curves and
//! surfaces are counted and left out; normals, smoothing and materials are skipped. The format: Wavefront, "Advanced
//! Visualizer manual, appendix B1, Object files (.obj)".

mod chains;
mod group;
mod lines;
#[cfg(test)]
mod tests;

use std::path::Path;

use super::cursor::{Cursor, decimal, shown};
use super::faces::{Faces, Tally};
use super::left_out::LeftOut;
use super::{Format, ImportError, Lists, RawMesh, RawStitch, Texture, none_beside};
use crate::math::Vec3;
use crate::watch::Watch;
use chains::join_segments;
use group::Groups;
use lines::Lines;

/// The format's entry.
pub const FORMAT: Format = Format {
    name: "Wavefront OBJ",
    extensions: &["obj"],
    doc: "Wavefront .obj: faces of up to 10000 corners, concave and with bridged holes, texture points, groups, polylines, stitches; not curves and surfaces",
    matches,
    beside: none_beside,
    read,
};

/// Statements that carry nothing that is used, or belong to one that is counted.
const SKIPPED: &[&[u8]] = &[
    b"vn",
    b"vp",
    b"s",
    b"mg",
    b"mtllib",
    b"usemap",
    b"maplib",
    b"bevel",
    b"c_interp",
    b"d_interp",
    b"lod",
    b"shadow_obj",
    b"trace_obj",
    b"cstype",
    b"deg",
    b"bmat",
    b"step",
    b"parm",
    b"trim",
    b"hole",
    b"scrv",
    b"sp",
    b"end",
    b"con",
    b"ctech",
    b"stech",
];
/// Statements that are counted and left out, with the name of what they make.
const COUNTED: [(&[u8], &str); 4] = [(b"p", "points"), (b"curv", "curves"), (b"curv2", "curves in a surface"), (b"surf", "surfaces")];

/// Three lines in the first 64 KiB that define vertices.
fn matches(content: &[u8]) -> bool {
    let head = &content[..content.len().min(1 << 16)];
    let lines = head.split(|&b| b == b'\n' || b == b'\r').map(<[u8]>::trim_ascii_start);
    lines.filter(|line| line.starts_with(b"v ") || line.starts_with(b"v\t")).take(3).count() == 3
}

/// What a file holds, counted beforehand: indices are checked as they are read, and no list grows.
#[derive(Default)]
struct Counts {
    vertices: usize,
    texture: usize,
    faces: usize,
    /// No less than the corners of all faces.
    corners: usize,
    /// No less than the vertices of all polylines.
    strand_vertices: usize,
    strands: usize,
    stitches: usize,
}

impl Counts {
    fn new(content: &[u8]) -> Self {
        let mut counts = Self::default();
        for (_, line) in Lines::new(content) {
            let (keyword, rest) = lines::keyword(line);
            match keyword {
                b"v" => counts.vertices += 1,
                b"vt" => counts.texture += 1,
                b"f" | b"fo" => {
                    counts.faces += 1;
                    counts.corners += rest.len() / 2 + 1;
                }
                b"l" => {
                    counts.strands += 1;
                    counts.strand_vertices += rest.len() / 2 + 1;
                }
                b"stitch" => counts.stitches += 1,
                _ => {}
            }
        }
        counts
    }
}

/// What has been read so far.
#[derive(Default)]
struct Found<'a> {
    positions: Vec<Vec3>,
    texture: Vec<[f64; 2]>,
    /// Points in the texture that are no numbers.
    bad_texture: Tally,
    faces: Faces,
    groups: Groups<'a>,
    strands: Lists,
    stitches: Vec<RawStitch>,
    short_lines: Tally,
    left_out: LeftOut,
}

fn read(path: &Path, content: &[u8], watch: &dyn Watch) -> Result<RawMesh, ImportError> {
    let mut cursor = Cursor::new(path, content, watch);
    let counts = Counts::new(content);
    let mut found = Found::default();
    found.positions.reserve_exact(counts.vertices);
    found.texture.reserve_exact(counts.texture);
    found.faces.reserve(counts.faces, counts.corners);
    found.faces.reserve_texture(counts.corners);
    found.stitches.reserve_exact(counts.stitches);
    found.strands.ends.reserve_exact(counts.strands);
    found.strands.vertices.reserve_exact(counts.strand_vertices);
    for (offset, line) in Lines::new(content) {
        cursor.at = offset;
        cursor.tick()?;
        read_statement(&cursor, offset, line, &counts, &mut found)?;
    }
    if found.positions.is_empty() {
        return Err(ImportError::whole(path, "no vertices (lines that begin with v): this is no Wavefront OBJ, or it is empty".into()));
    }
    finish(&mut cursor, found)
}

fn read_statement<'a>(cursor: &Cursor, offset: usize, line: &'a [u8], counts: &Counts, found: &mut Found<'a>) -> Result<(), ImportError> {
    let (keyword, rest) = lines::keyword(line);
    match keyword {
        b"v" => {
            let mut words = lines::words(rest);
            let mut coordinate = || {
                let word = words.next().ok_or_else(|| cursor.error_at(offset, "a vertex needs three coordinates; the line is cut off"))?;
                cursor.to_float(offset, word, "a coordinate")
            };
            found.positions.push(Vec3::new(coordinate()?, coordinate()?, coordinate()?));
        }
        b"vt" => {
            let mut words = lines::words(rest);
            let mut coordinate = || words.next().map_or(Some(0.0), decimal).unwrap_or(f64::NAN);
            let point = [coordinate(), coordinate()];
            if !point.iter().all(|c: &f64| c.is_finite()) {
                found.bad_texture.add(offset);
            }
            found.texture.push(point);
        }
        b"f" | b"fo" => {
            for word in lines::words(rest) {
                let (vertex, texture) = corner(cursor, offset, word, counts, found)?;
                found.faces.corner(vertex, texture);
            }
            let group = found.groups.current();
            found.faces.close(cursor, offset, group)?;
        }
        b"l" => {
            let start = found.strands.vertices.len();
            for word in lines::words(rest) {
                let (vertex, _) = corner(cursor, offset, word, counts, found)?;
                found.strands.vertices.push(vertex);
            }
            if found.strands.vertices.len() < start + 2 {
                found.strands.vertices.truncate(start);
                found.short_lines.add(offset);
            } else {
                found.strands.ends.push(found.strands.vertices.len() as u32);
            }
        }
        b"stitch" => found.stitches.push(stitch(cursor, offset, rest, counts)?),
        b"o" => found.groups.object(rest),
        b"g" => found.groups.group(rest),
        b"usemtl" => found.groups.material(rest),
        b"call" | b"csh" => {
            return Err(
                cursor.error_at(offset, format!("`{}` brings in another file, which is not read; put all into one file", shown(keyword)))
            );
        }
        _ if SKIPPED.contains(&keyword) => {}
        _ => match COUNTED.iter().find(|(statement, _)| *statement == keyword) {
            Some((_, name)) => found.left_out.elements(name, 1),
            None => skip_unknown(cursor, offset, keyword, found)?,
        },
    }
    Ok(())
}

/// Names a statement that is not of the format; what does not even begin with a letter is an error.
fn skip_unknown(cursor: &Cursor, offset: usize, keyword: &[u8], found: &mut Found) -> Result<(), ImportError> {
    if !keyword.first().is_some_and(u8::is_ascii_alphabetic) {
        return Err(cursor.error_at(offset, format!("a statement (v, f, …) is expected, not `{}`", shown(keyword))));
    }
    found.left_out.section(&shown(keyword));
    Ok(())
}

/// Vertex and point in the texture of a corner `v`, `v/t`, `v//n` or `v/t/n`.
fn corner(cursor: &Cursor, offset: usize, word: &[u8], counts: &Counts, found: &Found) -> Result<(u32, Option<u32>), ImportError> {
    let mut parts = word.split(|&b| b == b'/');
    let vertex = index(cursor, offset, parts.next().unwrap_or_default(), "vertex", found.positions.len(), counts.vertices)?;
    let texture = match parts.next() {
        None | Some(b"") => None,
        Some(part) => Some(index(cursor, offset, part, "texture point", found.texture.len(), counts.texture)?),
    };
    Ok((vertex, texture))
}

/// `stitch v a b t`, as the meshes of Codim-IPC have it (Li, Kaufman and Jiang 2021): vertex v is sewn to (1 - t) a + t b. Unlike all other
/// indices of the format these count from 0.
fn stitch(cursor: &Cursor, offset: usize, rest: &[u8], counts: &Counts) -> Result<RawStitch, ImportError> {
    let mut words = lines::words(rest);
    let mut word = || words.next().ok_or_else(|| cursor.error_at(offset, "a stitch needs three vertices and a share; the line is cut off"));
    let vertex = |word: &[u8]| {
        let number = cursor.to_integer(offset, word, "the number of a vertex")?;
        u32::try_from(number).ok().filter(|&v| (v as usize) < counts.vertices).ok_or_else(|| {
            let count = counts.vertices;
            cursor.error_at(offset, format!("a stitch names vertex {number}, but the file has {count}, which stitches count from 0"))
        })
    };
    let (sewn, edge) = (vertex(word()?)?, [vertex(word()?)?, vertex(word()?)?]);
    let along = cursor.to_float(offset, word()?, "a share")?;
    if !(0.0..=1.0).contains(&along) {
        return Err(cursor.error_at(offset, format!("a stitch lies at {along} of an edge, of which the ends are at 0 and 1")));
    }
    Ok(RawStitch { vertex: sewn, edge, along })
}

/// An index from 0: the file counts from 1, or back from the last of those `so_far`.
fn index(cursor: &Cursor, offset: usize, word: &[u8], what: &str, so_far: usize, count: usize) -> Result<u32, ImportError> {
    let number = match word {
        // The usual case, without detours.
        [b'1'..=b'9', ..] if word.len() < 10 && word.iter().all(u8::is_ascii_digit) => {
            word.iter().fold(0, |n, digit| 10 * n + i64::from(digit - b'0'))
        }
        _ => cursor.to_integer(offset, word, &format!("the number of a {what}"))?,
    };
    let index = if number < 0 { number.saturating_add(so_far as i64) } else { number - 1 };
    u32::try_from(index).ok().filter(|&i| (i as usize) < count).ok_or_else(|| {
        let message = match number {
            0 => format!("{what} 0: the first {what} has the number 1"),
            ..0 => format!("{what} {number}, counted back, but only {so_far} stand before this line"),
            _ if count == 0 => format!("{what} {number}, but the file has none"),
            _ => format!("{what} {number}, but the file has only {count}"),
        };
        cursor.error_at(offset, message)
    })
}

fn finish(cursor: &mut Cursor, found: Found) -> Result<RawMesh, ImportError> {
    let (strands, segments) = join_segments(found.strands, found.positions.len());
    let mut mesh = RawMesh { format: FORMAT.name, positions: found.positions, strands, stitches: found.stitches, ..RawMesh::default() };
    found.left_out.tell(&mut mesh);
    found.bad_texture.note(cursor, "texture points are no numbers; the texture was left out", &mut mesh.notes);
    found.short_lines.note(cursor, "polylines with fewer than two vertices were left out", &mut mesh.notes);
    if segments.joined > 0 {
        let (joined, chains) = (segments.joined, segments.chains);
        mesh.notes.push(format!("{joined} lines of two points that follow one another were joined to {chains} strands"));
    }
    found.faces.finish(cursor, found.texture, &mut mesh)?;
    if !found.bad_texture.is_empty() {
        mesh.texture = Texture::default();
    }
    if !mesh.triangle_groups.is_empty() {
        mesh.groups = found.groups.into_names(cursor.len(), &mut mesh.notes);
    }
    mesh.strands.vertices.shrink_to_fit();
    Ok(mesh)
}
