//! [`Document`]: the JSON and the numbers of a glTF file while it is put together.

use serde_json::{Value, json};

use super::super::ExportError;

/// Targets of buffer views (OpenGL's names).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// Attributes of vertices.
    Vertices = 34962,
    /// Indices of vertices.
    Indices = 34963,
    /// What the graphics card does not read: sparse entries and animations.
    Other = 0,
}

const FLOAT: u32 = 5126;
const UNSIGNED_INT: u32 = 5125;

/// The parts of a file; lists are named as there.
#[derive(Debug, Default)]
pub struct Document {
    numbers: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
    meshes: Vec<Value>,
    nodes: Vec<Value>,
    animations: Vec<Value>,
}

impl Document {
    /// A buffer view of `bytes`; all numbers here take four bytes, so that it is aligned.
    fn view(&mut self, bytes: impl IntoIterator<Item = [u8; 4]>, target: Target) -> usize {
        let start = self.numbers.len();
        bytes.into_iter().for_each(|word| self.numbers.extend(word));
        let mut view = json!({ "buffer": 0, "byteOffset": start, "byteLength": self.numbers.len() - start });
        if target != Target::Other {
            view["target"] = (target as u32).into();
        }
        self.views.push(view);
        self.views.len() - 1
    }

    fn accessor(&mut self, accessor: Value) -> usize {
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    /// An accessor of N-vectors, with their bounds.
    pub fn vectors<const N: usize>(&mut self, values: &[[f32; N]], target: Target) -> usize {
        let view = self.view(values.iter().flatten().map(|x| x.to_le_bytes()), target);
        let [least, largest] = bounds(values);
        let kind = ["SCALAR", "VEC2", "VEC3"][N - 1];
        self.accessor(json!({
            "bufferView": view, "componentType": FLOAT, "count": values.len(), "type": kind, "min": least.as_slice(), "max": largest.as_slice(),
        }))
    }

    /// An accessor of vectors of which most are zero: only the others are stored.
    pub fn sparse_vectors(&mut self, values: &[[f32; 3]]) -> usize {
        let moved: Vec<u32> = (0..).zip(values).filter(|(_, v)| **v != [0.0; 3]).map(|(k, _)| k).collect();
        let [least, largest] = bounds(values);
        let mut accessor =
            json!({ "componentType": FLOAT, "count": values.len(), "type": "VEC3", "min": least.as_slice(), "max": largest.as_slice() });
        // Without a view and without entries all are zero.
        if !moved.is_empty() {
            let indices = self.view(moved.iter().map(|k| k.to_le_bytes()), Target::Other);
            let entries = self.view(moved.iter().flat_map(|&k| values[k as usize]).map(f32::to_le_bytes), Target::Other);
            accessor["sparse"] = json!({
                "count": moved.len(),
                "indices": { "bufferView": indices, "componentType": UNSIGNED_INT },
                "values": { "bufferView": entries },
            });
        }
        self.accessor(accessor)
    }

    /// An accessor of the corners of triangles.
    pub fn triangles(&mut self, triangles: &[[u32; 3]]) -> usize {
        let view = self.view(triangles.as_flattened().iter().map(|v| v.to_le_bytes()), Target::Indices);
        self.accessor(json!({ "bufferView": view, "componentType": UNSIGNED_INT, "count": 3 * triangles.len(), "type": "SCALAR" }))
    }

    /// A node with a mesh of one primitive, and its morph targets.
    pub fn add_body(&mut self, name: &str, mut primitive: Value, targets: &[Value]) {
        primitive["material"] = 0.into();
        let mut mesh = json!({ "name": name });
        if !targets.is_empty() {
            primitive["targets"] = targets.into();
            mesh["weights"] = vec![0; targets.len()].into();
        }
        mesh["primitives"] = json!([primitive]);
        self.nodes.push(json!({ "name": name, "mesh": self.meshes.len() }));
        self.meshes.push(mesh);
    }

    /// Adds an animation of the weights of all bodies: `times` [s] of the frames, and one list of weights after the other.
    pub fn animate_weights(&mut self, times: &[f32], weights: &[f32]) {
        let scalars = |values: &[f32]| values.iter().map(|x| [*x]).collect::<Vec<_>>();
        let input = self.vectors(&scalars(times), Target::Other);
        let output = self.vectors(&scalars(weights), Target::Other);
        let channel = |node: usize| json!({ "sampler": 0, "target": { "node": node, "path": "weights" } });
        let channels: Vec<Value> = (0..self.nodes.len()).map(channel).collect();
        self.animations.push(json!({
            "name": "simulation",
            "samplers": [{ "input": input, "output": output, "interpolation": "LINEAR" }],
            "channels": channels,
        }));
    }

    fn json(&self, uri: Option<String>) -> Value {
        let mut buffer = json!({ "byteLength": self.numbers.len() });
        if let Some(uri) = uri {
            buffer["uri"] = uri.into();
        }
        let mut json = json!({
            "asset": { "version": "2.0", "generator": "Aplomb" },
            "scene": 0,
            "scenes": [{ "nodes": (0..self.nodes.len()).collect::<Vec<_>>() }],
            "nodes": self.nodes,
            "meshes": self.meshes,
            // The default material is a metal, which looks black where nothing is reflected.
            "materials": [{ "name": "clay", "pbrMetallicRoughness": { "metallicFactor": 0, "roughnessFactor": 0.8 } }],
            "accessors": self.accessors,
            "bufferViews": self.views,
            "buffers": [buffer],
        });
        if !self.animations.is_empty() {
            json["animations"] = self.animations.clone().into();
        }
        json
    }

    /// The bytes of a `.glb`.
    ///
    /// # Errors
    /// [`ExportError::TooLarge`] beyond 4 GiB.
    pub fn to_glb(&self) -> Result<Vec<u8>, ExportError> {
        let mut json = self.json(None).to_string().into_bytes();
        json.resize(json.len().next_multiple_of(4), b' ');
        let length = 28 + json.len() + self.numbers.len();
        let too_large =
            ExportError::TooLarge { format: super::BINARY.name, limit: "4 GiB", remedy: "write fewer frames, or another format" };
        let whole = u32::try_from(length).map_err(|_| too_large)?;
        let mut bytes = Vec::with_capacity(length);
        bytes.extend(b"glTF");
        [2, whole, json.len() as u32].iter().for_each(|word| bytes.extend(word.to_le_bytes()));
        bytes.extend(b"JSON");
        bytes.extend(json);
        bytes.extend((self.numbers.len() as u32).to_le_bytes());
        bytes.extend(b"BIN\0");
        bytes.extend_from_slice(&self.numbers);
        Ok(bytes)
    }

    /// The text of a `.gltf` with the numbers inside it.
    ///
    /// # Errors
    /// None so far: as for [`Document::to_glb`].
    pub fn to_gltf(&self) -> Result<Vec<u8>, ExportError> {
        let uri = format!("data:application/octet-stream;base64,{}", base64(&self.numbers));
        Ok(self.json(Some(uri)).to_string().into_bytes())
    }
}

/// Least and largest of each component; nothing less would pass for bounds of no values.
fn bounds<const N: usize>(values: &[[f32; N]]) -> [[f32; N]; 2] {
    let Some(first) = values.first() else { return [[0.0; N]; 2] };
    values.iter().fold([*first; 2], |[least, largest], v| {
        [std::array::from_fn(|k| least[k].min(v[k])), std::array::from_fn(|k| largest[k].max(v[k]))]
    })
}

/// RFC 4648.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let word = chunk.iter().fold(0_u32, |word, byte| (word << 8) | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for digit in 0..4 {
            let is_there = digit <= chunk.len();
            text.push(if is_there { char::from(DIGITS[(word >> (18 - 6 * digit)) as usize & 63]) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 4648, section 10.
    #[test]
    fn base64_agrees_with_the_published_values() {
        let encoded = ["", "f", "fo", "foo", "foob", "fooba", "foobar"].map(|text| base64(text.as_bytes()));
        assert_eq!(encoded, ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"]);
    }

    #[test]
    fn sparse_entries_are_those_that_are_not_zero() {
        let mut document = Document::default();
        document.sparse_vectors(&[[0.0; 3], [0.0, 2.0, 0.0], [0.0; 3]]);
        document.sparse_vectors(&[[0.0; 3]]);
        assert_eq!(document.accessors[0]["sparse"]["count"], 1);
        assert_eq!(document.accessors[0]["max"], json!([0.0, 2.0, 0.0]));
        assert!(document.accessors[1]["sparse"].is_null());
        assert_eq!(document.numbers.len(), 4 + 12);
    }
}
