//! The entries of a PLY file that make a mesh.

use super::super::ImportError;
use super::super::cursor::Cursor;
use super::super::polygon::MOST_CORNERS;
use super::Found;
use super::header::{ElementHeader, Property};
use crate::math::Vec3;

/// Names of the two coordinates in a texture, as different writers have them.
const TEXTURE_NAMES: [(&[u8], &[u8]); 4] = [(b"s", b"t"), (b"u", b"v"), (b"texture_u", b"texture_v"), (b"texture_s", b"texture_t")];

/// Positions, and points in the texture.
pub fn read_vertices(cursor: &mut Cursor, element: &ElementHeader, found: &mut Found) -> Result<(), ImportError> {
    let place = |name: &[u8]| element.properties.iter().position(|p| p.length.is_none() && p.name == name);
    let (Some(x), Some(y), Some(z)) = (place(b"x"), place(b"y"), place(b"z")) else {
        return Err(cursor.error_at(0, "vertices need the properties x, y and z; the header does not name them all"));
    };
    let texture = TEXTURE_NAMES.iter().find_map(|&(u, v)| Some((place(u)?, place(v)?)));
    let capacity = cursor.capacity(element.count, element.least_size(cursor.binary));
    found.positions.reserve_exact(capacity);
    found.texture.reserve_exact(if texture.is_some() { capacity } else { 0 });
    found.is_texture_of_vertices = texture.is_some();
    for _ in 0..element.count {
        cursor.tick()?;
        let (mut position, mut point) = (Vec3::zeros(), [0.0; 2]);
        for (p, property) in element.properties.iter().enumerate() {
            if let Some(axis) = [x, y, z].iter().position(|&axis| axis == p) {
                position[axis] = property.value.read_finite(cursor, "a coordinate")?;
            } else if let Some(axis) = texture.and_then(|(u, v)| [u, v].iter().position(|&axis| axis == p)) {
                point[axis] = property.value.read(cursor, "a texture coordinate")?;
            } else {
                property.skip(cursor)?;
            }
        }
        found.positions.push(position);
        if texture.is_some() {
            found.texture.push(point);
        }
    }
    Ok(())
}

/// The list of vertices of a face or a strip.
fn corners_of<'a, 'b>(cursor: &Cursor, element: &'b ElementHeader<'a>) -> Result<&'b Property<'a>, ImportError> {
    let named = |p: &&Property| p.length.is_some() && (p.name == b"vertex_indices" || p.name == b"vertex_index");
    let found = element.properties.iter().find(named).or_else(|| element.properties.iter().find(|p| p.length.is_some()));
    found.ok_or_else(|| cursor.error_at(0, "faces need a list vertex_indices, which the header does not name"))
}

/// An index below `vertices`; `None` for a negative one.
fn read_index(cursor: &mut Cursor, property: &Property, vertices: usize) -> Result<Option<u32>, ImportError> {
    let offset = cursor.at;
    let index = property.value.read_integer(cursor, "the number of a vertex")?;
    if index < 0 {
        return Ok(None);
    }
    u32::try_from(index).ok().filter(|&i| (i as usize) < vertices).map(Some).ok_or_else(|| {
        let message = format!("vertex {index}, but the file has {vertices}, numbered from 0");
        cursor.error_at(if cursor.binary { offset } else { cursor.at }, message)
    })
}

/// Polygons, and points in the texture of their corners.
pub fn read_faces(cursor: &mut Cursor, element: &ElementHeader, vertices: usize, found: &mut Found) -> Result<(), ImportError> {
    if element.count == 0 {
        return Ok(());
    }
    let corners = corners_of(cursor, element)?;
    let texture = element.properties.iter().find(|p| p.length.is_some() && p.name == b"texcoord" && !found.is_texture_of_vertices);
    let size = |property: &Property| if cursor.binary { property.value.size() } else { 2 };
    let least = element.least_size(cursor.binary);
    let textured = texture.map_or(0, |texture| cursor.rest().len() / (size(corners) + 2 * size(texture)));
    found.faces.reserve(cursor.capacity(element.count, least), cursor.rest().len() / size(corners));
    found.faces.reserve_texture(textured);
    found.texture.reserve_exact(textured);
    let (mut face, mut points) = (Vec::new(), Vec::new());
    for _ in 0..element.count {
        cursor.tick()?;
        face.clear();
        points.clear();
        let offset = cursor.at;
        for property in &element.properties {
            let is_corners = std::ptr::eq(property, corners);
            if !is_corners && !texture.is_some_and(|t| std::ptr::eq(t, property)) {
                property.skip(cursor)?;
                continue;
            }
            let length = property.read_length(cursor)?;
            if length > 2 * MOST_CORNERS {
                return Err(
                    cursor.error_at(offset, format!("a face with a list of {length} numbers; at most {MOST_CORNERS} corners are read"))
                );
            }
            for _ in 0..length {
                if is_corners {
                    let index = read_index(cursor, property, vertices)?;
                    face.push(index.ok_or_else(|| cursor.error_at(cursor.at, "a face with a negative number of a vertex"))?);
                } else {
                    points.push(property.value.read(cursor, "a texture coordinate")?);
                }
            }
        }
        if texture.is_some() && points.len() != 2 * face.len() {
            found.is_texture_partial = true;
            found.texture = Vec::new();
            found.faces.forget_texture();
        }
        let is_textured = texture.is_some() && !found.is_texture_partial;
        for (corner, &vertex) in face.iter().enumerate() {
            let point = is_textured.then(|| {
                found.texture.push([points[2 * corner], points[2 * corner + 1]]);
                found.texture.len() as u32 - 1
            });
            found.faces.corner(vertex, point);
        }
        found.faces.close(cursor, offset, None)?;
    }
    Ok(())
}

/// Strips of triangles, parted by negative numbers; every other triangle is turned round.
pub fn read_strips(cursor: &mut Cursor, element: &ElementHeader, vertices: usize, found: &mut Found) -> Result<(), ImportError> {
    if element.count == 0 {
        return Ok(());
    }
    let corners = corners_of(cursor, element)?;
    let size = if cursor.binary { corners.value.size() } else { 2 };
    found.strips.reserve_exact(cursor.rest().len() / size);
    for _ in 0..element.count {
        for property in &element.properties {
            if !std::ptr::eq(property, corners) {
                property.skip(cursor)?;
                continue;
            }
            let (mut last, mut length) = ([0; 2], 0);
            for _ in 0..property.read_length(cursor)? {
                cursor.tick()?;
                let Some(vertex) = read_index(cursor, property, vertices)? else {
                    length = 0;
                    continue;
                };
                let [a, b] = last;
                // A repeated vertex leads from one strip to the next.
                if length >= 2 && a != b && b != vertex && vertex != a {
                    found.strips.push(if length % 2 == 0 { [a, b, vertex] } else { [b, a, vertex] });
                }
                (last, length) = ([b, vertex], length + 1);
            }
        }
    }
    Ok(())
}
