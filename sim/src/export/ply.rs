//! PLY, binary little-endian: points in double precision and the artist's polygons (Turk 1994, *The PLY Polygon File Format*).

use super::{DataArray, ExportError, ExportMesh, Format, Grid, Part, Values};

/// What is written.
pub const FORMAT: Format = Format {
    name: "PLY",
    extension: "ply",
    doc: "surface, or lone points, or what is around them, with their data: points in double precision and polygons of all bodies in one, binary little-endian",
    part: Part::Surface,
    lines: false,
    points: true,
    encode,
};

fn encode(meshes: &[ExportMesh]) -> Result<Vec<u8>, ExportError> {
    let points: usize = meshes.iter().map(|mesh| mesh.surface.points.len()).sum();
    let faces: usize = meshes.iter().map(|mesh| mesh.surface.faces().count()).sum();
    if i32::try_from(points).is_err() {
        return Err(ExportError::TooLarge { format: FORMAT.name, limit: "2 147 483 647 points", remedy: "write fewer bodies" });
    }
    let most = meshes.iter().flat_map(|mesh| mesh.surface.faces()).map(<[u32]>::len).max().unwrap_or(0);
    let (many, count_type) = if most > 255 { (true, "int") } else { (false, "uchar") };
    let mut head = String::from("ply\nformat binary_little_endian 1.0\ncomment metres, y up\n");
    head += &format!("element vertex {points}\nproperty double x\nproperty double y\nproperty double z\n");
    // The points of other surfaces are not the nodes that data are of.
    let grid = if meshes.iter().all(ExportMesh::has_data_on_surface) { Grid::of(meshes) } else { Grid::default() };
    let data: Vec<&DataArray> = grid.of_points().collect();
    for array in &data {
        let number = match array.values {
            Values::F64(_) => "double",
            Values::I32(_) => "int",
            Values::U8(_) => "uchar",
        };
        names(array).iter().for_each(|name| head += &format!("property {number} {name}\n"));
    }
    head += &format!("element face {faces}\nproperty list {count_type} int vertex_indices\nend_header\n");
    let mut bytes = head.into_bytes();
    for (row, point) in meshes.iter().flat_map(|mesh| &mesh.surface.points).enumerate() {
        point.iter().for_each(|x| bytes.extend(x.to_le_bytes()));
        for array in &data {
            let numbers = row * array.components..(row + 1) * array.components;
            match &array.values {
                Values::F64(values) => values[numbers].iter().for_each(|x| bytes.extend(x.to_le_bytes())),
                Values::I32(values) => values[numbers].iter().for_each(|x| bytes.extend(x.to_le_bytes())),
                Values::U8(values) => bytes.extend(&values[numbers]),
            }
        }
    }
    let mut first = 0;
    for mesh in meshes {
        for face in mesh.surface.faces() {
            let count = (face.len() as u32).to_le_bytes();
            bytes.extend(if many { &count[..] } else { &count[..1] });
            face.iter().for_each(|v| bytes.extend((first + v).to_le_bytes()));
        }
        first += mesh.surface.points.len() as u32;
    }
    Ok(bytes)
}

/// The properties of an array: velocities as programs name them, of other vectors the axes.
fn names(array: &DataArray) -> Vec<String> {
    let key = array.key();
    let named = |axis: &str| if key == "velocity" { format!("v{axis}") } else { format!("{key}_{axis}") };
    match array.components {
        1 => vec![key],
        3 => ["x", "y", "z"].map(named).into(),
        many => (0..many).map(|k| named(&k.to_string())).collect(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::tests::{cube, two_bodies};
    use super::*;
    use crate::import::Lists;

    fn parts(meshes: &[ExportMesh]) -> (String, Vec<u8>) {
        let bytes = FORMAT.bytes(meshes).unwrap();
        let end = bytes.windows(11).position(|w| w == b"end_header\n").unwrap() + 11;
        (String::from_utf8(bytes[..end].to_vec()).unwrap(), bytes[end..].to_vec())
    }

    #[test]
    fn polygons_stay_whole() {
        let (head, body) = parts(&[cube()]);
        assert!(head.contains("element vertex 8\n") && head.contains("element face 6\nproperty list uchar int"), "{head}");
        assert_eq!(body.len(), 8 * 24 + 6 * (1 + 16));
        assert_eq!(body[8 * 24..][..5], [4, 0, 0, 0, 0]);
    }

    #[test]
    fn the_points_of_the_second_body_follow_those_of_the_first() {
        let (head, body) = parts(&two_bodies());
        assert!(head.contains("element vertex 9\n"), "{head}");
        let x = f64::from_le_bytes(*body[24..].first_chunk().unwrap());
        assert_eq!(x, 1.0 / 3.0);
        let last = &body[body.len() - 13..];
        assert_eq!(last[0], 3);
        assert!(last[1..13].as_chunks::<4>().0.iter().all(|v| (4..9).contains(&u32::from_le_bytes(*v))));
    }

    #[test]
    fn a_face_of_many_corners_is_counted_in_full() {
        let mut mesh = cube();
        mesh.surface.polygons = Lists::default();
        mesh.surface.polygons.push(&[3; 300]);
        let (head, body) = parts(&[mesh]);
        assert!(head.contains("property list int int"), "{head}");
        assert_eq!(body[8 * 24..][..4], 300_u32.to_le_bytes());
    }
}
