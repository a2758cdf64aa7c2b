//! Binary STL: all triangles, each with its own corners (3D Systems, *StereoLithography Interface Specification*, 1988).

use super::{ExportError, ExportMesh, Format, Part};
use crate::math::Vec3;

/// What is written.
pub const FORMAT: Format = Format {
    name: "STL",
    extension: "stl",
    doc: "surface: triangles of all bodies, binary, single precision, metres with y up (most programs take STL as millimetres with z up); vertices are not shared and names are lost",
    part: Part::Surface,
    lines: false,
    points: false,
    encode,
};

/// A head that does not begin with `solid`, which would say that the file is text.
const HEAD: &[u8] = b"binary STL, metres, y up";

fn encode(meshes: &[ExportMesh]) -> Result<Vec<u8>, ExportError> {
    let count: usize = meshes.iter().map(|mesh| mesh.surface.triangles.len()).sum();
    let too_large = ExportError::TooLarge { format: FORMAT.name, limit: "4 294 967 295 triangles", remedy: "write fewer bodies" };
    let count = u32::try_from(count).map_err(|_| too_large)?;
    let mut bytes = HEAD.to_vec();
    bytes.resize(80, b' ');
    bytes.extend(count.to_le_bytes());
    for mesh in meshes {
        for triangle in &mesh.surface.triangles {
            let [a, b, c] = triangle.map(|v| mesh.surface.points[v as usize]);
            // A triangle without area has no normal: zeros say so.
            let normal = (b - a).cross(&(c - a)).try_normalize(f64::MIN_POSITIVE).unwrap_or_else(Vec3::zeros);
            for vector in [normal, a, b, c] {
                vector.iter().for_each(|x| bytes.extend((*x as f32).to_le_bytes()));
            }
            bytes.extend([0; 2]);
        }
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::tests::{cube, two_bodies};
    use super::*;

    #[test]
    fn every_triangle_takes_fifty_bytes() {
        let bytes = FORMAT.bytes(&[cube()]).unwrap();
        assert_eq!(bytes.len(), 84 + 50 * 12);
        assert_eq!(bytes[80..84], 12_u32.to_le_bytes());
        let number = |at: usize| f32::from_le_bytes(*bytes[at..].first_chunk().unwrap());
        // The first face of the cube looks down.
        let facet: Vec<f32> = (0..12).map(|k| number(84 + 4 * k)).collect();
        assert_eq!(facet, [0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 0.0]);
        assert_eq!(bytes[132..134], [0, 0]);
    }

    #[test]
    fn bodies_without_triangles_are_refused() {
        let mut meshes = two_bodies();
        meshes.iter_mut().for_each(|mesh| mesh.surface.triangles.clear());
        assert_eq!(FORMAT.bytes(&meshes).unwrap_err().to_string(), "STL holds surfaces, and the bodies have none");
    }
}
