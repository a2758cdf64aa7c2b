//! glTF 2.0 (Khronos Group 2021, *glTF 2.0 Specification*): a node and a mesh a body, smooth normals, metres, y up.

mod document;
pub(super) mod morph;
mod primitive;

use super::{ExportError, ExportMesh, Format, Part};
use document::Document;
use primitive::Primitive;

/// Binary, in one file.
pub const BINARY: Format = Format {
    name: "glTF binary",
    extension: "glb",
    doc: "surface: a mesh a body with normals and texture points, triangles, single precision",
    part: Part::Surface,
    lines: false,
    points: false,
    encode: |meshes| still(meshes)?.to_glb(),
};

/// JSON, with the numbers inside it.
pub const TEXT: Format = Format {
    name: "glTF",
    extension: "gltf",
    doc: "as glTF binary, as JSON with the numbers in base64",
    part: Part::Surface,
    lines: false,
    points: false,
    encode: |meshes| still(meshes)?.to_gltf(),
};

fn still(meshes: &[ExportMesh]) -> Result<Document, ExportError> {
    let mut document = Document::default();
    for mesh in meshes.iter().filter(|mesh| !mesh.surface.triangles.is_empty()) {
        let primitive = Primitive::of(&mesh.surface);
        let attributes = primitive.write(&mut document, &mesh.surface);
        document.add_body(&mesh.name, attributes, &[]);
    }
    Ok(document)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::tests::{cube, two_bodies};
    use super::*;
    use serde_json::Value;

    /// The JSON and the numbers of a `.glb`.
    fn parts(bytes: &[u8]) -> (Value, Vec<u8>) {
        let word = |at: usize| u32::from_le_bytes(*bytes[at..].first_chunk().unwrap()) as usize;
        assert_eq!((&bytes[..4], word(4), word(8)), (&b"glTF"[..], 2, bytes.len()));
        let json = word(12);
        assert_eq!(&bytes[16..20], b"JSON");
        assert_eq!(&bytes[24 + json..28 + json], b"BIN\0");
        assert_eq!((json % 4, word(20 + json) % 4), (0, 0));
        (serde_json::from_slice(&bytes[20..20 + json]).unwrap(), bytes[28 + json..].to_vec())
    }

    fn floats(json: &Value, numbers: &[u8], accessor: &Value) -> Vec<f32> {
        let accessor = &json["accessors"][accessor.as_u64().unwrap() as usize];
        let view = &json["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
        let (start, length) = (view["byteOffset"].as_u64().unwrap_or(0) as usize, view["byteLength"].as_u64().unwrap() as usize);
        numbers[start..start + length].as_chunks::<4>().0.iter().map(|b| f32::from_le_bytes(*b)).collect()
    }

    #[test]
    fn every_body_is_a_mesh_with_its_points_in_order() {
        let (json, numbers) = parts(&BINARY.bytes(&two_bodies()).unwrap());
        assert_eq!(json["nodes"].as_array().unwrap().len(), 2);
        assert_eq!(json["nodes"][1]["name"], "two\n");
        let attributes = &json["meshes"][0]["primitives"][0]["attributes"];
        let x = floats(&json, &numbers, &attributes["POSITION"]);
        assert_eq!(x, [0.0, 0.0, 0.0, 1.0 / 3.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
        let accessor = &json["accessors"][attributes["POSITION"].as_u64().unwrap() as usize];
        assert_eq!(accessor["max"][0].as_f64().unwrap() as f32, 1.0 / 3.0);
        assert_eq!(json["buffers"][0]["byteLength"].as_u64().unwrap() as usize, numbers.len());
        assert!(attributes["TEXCOORD_0"].is_null());
    }

    #[test]
    fn text_holds_the_same_numbers() {
        let (json, numbers) = parts(&BINARY.bytes(&[cube()]).unwrap());
        let text: Value = serde_json::from_slice(&TEXT.bytes(&[cube()]).unwrap()).unwrap();
        assert_eq!(text["accessors"], json["accessors"]);
        let uri = text["buffers"][0]["uri"].as_str().unwrap().strip_prefix("data:application/octet-stream;base64,").unwrap();
        assert_eq!(uri.len(), numbers.len().div_ceil(3) * 4);
    }

    /// A point with two texture points becomes two points there; v counts from the top.
    #[test]
    fn points_are_split_where_the_texture_is_cut() {
        let mut mesh = cube();
        mesh.surface.texture.points = vec![[0.0, 0.0], [1.0, 0.25]];
        mesh.surface.texture.triangles = vec![[0; 3]; 12];
        mesh.surface.texture.triangles[0] = [1; 3];
        let (json, numbers) = parts(&BINARY.bytes(&[mesh]).unwrap());
        let attributes = &json["meshes"][0]["primitives"][0]["attributes"];
        assert_eq!(floats(&json, &numbers, &attributes["POSITION"]).len(), 3 * 11);
        let st = floats(&json, &numbers, &attributes["TEXCOORD_0"]);
        assert_eq!((&st[..6], st[6..].iter().sum::<f32>()), (&[1.0, 0.75, 1.0, 0.75, 1.0, 0.75][..], 8.0));
    }
}
