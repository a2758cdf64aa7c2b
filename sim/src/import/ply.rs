//! PLY, the Stanford triangle format: ascii, and binary in either byte order.
//!
//! Read: positions of `vertex`, polygons of `face`, `tristrips`, points in a texture (one a vertex, or a list a face); all
//! in numbers of any type. Other properties are skipped, edges are counted, other elements are skipped by name. The
//! format: G. Turk, "The PLY polygon file format", 1994.

mod elements;
mod header;
mod scalar;
#[cfg(test)]
mod tests;

use std::path::Path;

use super::cursor::{Cursor, shown};
use super::faces::Faces;
use super::left_out::LeftOut;
use super::{Format, ImportError, RawMesh, Texture, none_beside};
use crate::math::Vec3;
use crate::watch::Watch;
use elements::{read_faces, read_strips, read_vertices};
use header::{ElementHeader, read_header};

/// The format's entry.
pub const FORMAT: Format = Format {
    name: "PLY",
    extensions: &["ply"],
    doc: "PLY, ascii and binary of either byte order: polygons of up to 10000 corners, strips, texture points; other properties are skipped",
    matches: |content| content.starts_with(b"ply") && content.get(3).is_some_and(u8::is_ascii_whitespace),
    beside: none_beside,
    read,
};

/// What has been read so far.
#[derive(Default)]
struct Found {
    positions: Vec<Vec3>,
    /// Points in the texture: one a vertex, or one a corner.
    texture: Vec<[f64; 2]>,
    /// Whether the points in the texture are those of the vertices.
    is_texture_of_vertices: bool,
    /// Whether some faces have texture points and others have none.
    is_texture_partial: bool,
    faces: Faces,
    strips: Vec<[u32; 3]>,
}

fn read(path: &Path, content: &[u8], watch: &dyn Watch) -> Result<RawMesh, ImportError> {
    let mut cursor = Cursor::new(path, content, watch);
    let elements = read_header(&mut cursor)?;
    let is = |name: &[u8]| elements.iter().position(|e| e.name == name);
    let (vertex, face, strips) = (is(b"vertex"), is(b"face"), is(b"tristrips"));
    let vertices = vertex.map_or(0, |e| elements[e].count);
    if vertices == 0 {
        return Err(cursor.error_at(0, "the header names no vertices; there is nothing to read"));
    }
    let (mut found, mut left_out) = (Found::default(), LeftOut::default());
    for (e, element) in elements.iter().enumerate() {
        if Some(e) == vertex {
            read_vertices(&mut cursor, element, &mut found)?;
        } else if Some(e) == face {
            read_faces(&mut cursor, element, vertices, &mut found)?;
        } else if Some(e) == strips {
            read_strips(&mut cursor, element, vertices, &mut found)?;
        } else {
            element.skip(&mut cursor)?;
            match element.name {
                b"edge" if element.count > 0 => left_out.elements("edges", element.count),
                _ => left_out.section(&shown(element.name)),
            }
        }
    }
    let behind = cursor.rest().trim_ascii_start();
    if !behind.is_empty() {
        let place = cursor.place(content.len() - behind.len());
        left_out.note(format!("{} bytes behind the last element were left out ({place})", behind.trim_ascii_end().len()));
    }
    let mut mesh = RawMesh { format: FORMAT.name, ..RawMesh::default() };
    left_out.tell(&mut mesh);
    finish(&mut cursor, found, mesh)
}

fn finish(cursor: &mut Cursor, found: Found, mut mesh: RawMesh) -> Result<RawMesh, ImportError> {
    mesh.positions = found.positions;
    mesh.triangles = found.strips;
    let strips = mesh.triangles.len();
    let is_textured = !found.texture.is_empty() && found.texture.as_flattened().iter().all(|c| c.is_finite());
    if !found.texture.is_empty() && !is_textured {
        mesh.notes.push("some texture points are no numbers; the texture was left out".into());
    }
    if found.is_texture_partial {
        mesh.notes.push("some faces have no texture points; the texture was left out".into());
    }
    let (of_vertices, of_corners) = if found.is_texture_of_vertices { (found.texture, Vec::new()) } else { (Vec::new(), found.texture) };
    found.faces.finish(cursor, of_corners, &mut mesh)?;
    if !mesh.polygons.is_empty() {
        mesh.triangles[..strips].iter().for_each(|triangle| mesh.polygons.push(triangle));
    }
    if !is_textured {
        mesh.texture = Texture::default();
    } else if !of_vertices.is_empty() {
        mesh.texture = Texture { points: of_vertices, triangles: mesh.triangles.clone() };
    } else if strips > 0 {
        // Strips have no points in the texture of their own.
        mesh.texture.triangles.splice(..0, std::iter::repeat_n([u32::MAX; 3], strips));
    }
    Ok(mesh)
}

impl ElementHeader<'_> {
    /// Moves behind all entries.
    fn skip(&self, cursor: &mut Cursor) -> Result<(), ImportError> {
        if self.properties.is_empty() {
            return Ok(());
        }
        for _ in 0..self.count {
            cursor.tick()?;
            self.properties.iter().try_for_each(|property| property.skip(cursor))?;
        }
        Ok(())
    }
}
