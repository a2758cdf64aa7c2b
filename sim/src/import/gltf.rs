//! glTF 2.0: `.glb`, and `.gltf` with its buffers inside or beside it.
//!
//! Read: the default scene, with the transforms of its nodes, each use of a mesh as a copy; triangles, strips and fans,
//! sparse and normalised numbers (`KHR_mesh_quantization`), `TEXCOORD_0` with v counted upwards, nodes (and materials, where
//! a mesh has several) as groups. Vertices stay split as in the file. Points and lines are counted and left out; bones, morph
//! targets and animations are left out; meshes packed by Draco or meshopt are refused. The format: Khronos, "glTF 2.0
//! specification", 2021.

mod accessor;
mod buffers;
mod json;
mod primitive;
mod scene;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use super::UpAxis;
use super::cursor::Cursor;
use super::{Format, ImportError, RawMesh};
use crate::files;
use crate::watch::{Unwatched, Watch};
use buffers::Buffers;
use json::Root;
use primitive::{MeshBuilder, Size};

/// The format's entry.
pub const FORMAT: Format = Format {
    name: "glTF",
    extensions: &["glb", "gltf"],
    doc: "glTF 2.0, .glb and .gltf: the default scene with its transforms and instances; not Draco, meshopt, bones, morph targets",
    matches,
    beside,
    read,
};

const MAGIC: &[u8] = b"glTF";
/// Names of the two kinds of chunks in a binary file.
const JSON: [u8; 4] = *b"JSON";
const BINARY: [u8; 4] = *b"BIN\0";

fn matches(content: &[u8]) -> bool {
    let head = &content[..content.len().min(1 << 16)];
    let holds = |word: &[u8]| head.windows(word.len()).any(|w| w == word);
    let is_json = head.trim_ascii_start().starts_with(b"{");
    content.starts_with(MAGIC) || is_json && holds(b"\"asset\"") && (holds(b"\"accessors\"") || holds(b"\"meshes\""))
}

/// The parts of a file, and what is needed to complain about them.
struct Document<'a> {
    path: &'a Path,
    root: Root<'a>,
    buffers: Buffers<'a>,
    watch: &'a dyn Watch,
}

impl Document<'_> {
    fn error(&self, message: impl Into<String>) -> ImportError {
        ImportError::whole(self.path, message.into())
    }
}

fn beside(path: &Path, content: &[u8]) -> Vec<PathBuf> {
    parts(path, content, &Unwatched).map_or_else(|_| Vec::new(), |(root, _)| buffers::files_beside(path, &root))
}

/// What describes the scene, and the binary part of a `.glb`.
fn parts<'a>(path: &'a Path, content: &'a [u8], watch: &'a dyn Watch) -> Result<(Root<'a>, Option<&'a [u8]>), ImportError> {
    let (json, binary) = if content.starts_with(MAGIC) { chunks(path, content, watch)? } else { (content, None) };
    let filled_up = json.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    let root = serde_json::from_slice(files::without_mark(&json[..filled_up]))
        .map_err(|why| ImportError::whole(path, format!("its JSON part is damaged, or is no glTF: {why}; export the file again")))?;
    Ok((root, binary))
}

fn read(path: &Path, content: &[u8], watch: &dyn Watch) -> Result<RawMesh, ImportError> {
    let (root, binary) = parts(path, content, watch)?;
    root.check_version(path)?;
    let buffers = Buffers::load(path, &root, binary)?;
    let document = Document { path, root, buffers, watch };
    let mut size = Size::new(content.len() + document.buffers.bytes_beside);
    let mut left_out = scene::walk(&document, |draw| size.add(&document, draw))?;
    document.root.unknown_extensions.names.iter().for_each(|name| left_out.section(name));
    let mut mesh = RawMesh { format: FORMAT.name, unit: Some(1.0), up: Some(UpAxis::Y), ..RawMesh::default() };
    left_out.tell(&mut mesh);
    let mut builder = MeshBuilder::new(&size, mesh);
    scene::walk(&document, |draw| builder.add(&document, draw))?;
    Ok(builder.finish())
}

/// The JSON and the binary chunk of a `.glb`.
fn chunks<'a>(path: &'a Path, content: &'a [u8], watch: &'a dyn Watch) -> Result<(&'a [u8], Option<&'a [u8]>), ImportError> {
    let mut cursor = Cursor::new(path, content, watch);
    cursor.binary = true;
    cursor.at = MAGIC.len();
    let version = u32::from_le_bytes(cursor.array("the version")?);
    if version != 2 {
        return Err(cursor.error_at(MAGIC.len(), format!("this is glTF {version}, which is not read; export it as glTF 2.0")));
    }
    let length = u32::from_le_bytes(cursor.array("the length of the file")?) as usize;
    if length > content.len() {
        return Err(cursor.error_at(content.len(), format!("the file should have {length} bytes; it is cut off, export it again")));
    }
    let (mut json, mut binary) = (None, None);
    while cursor.at + 8 <= length {
        let size = u32::from_le_bytes(cursor.array("the length of a chunk")?) as usize;
        let kind: [u8; 4] = cursor.array("the kind of a chunk")?;
        let chunk = cursor.take(size, "a chunk")?;
        match kind {
            JSON if json.is_none() => json = Some(chunk),
            BINARY if binary.is_none() => binary = Some(chunk),
            // Chunks of other kinds may follow, and are to be passed over.
            _ => {}
        }
    }
    let json = json.ok_or_else(|| cursor.error_at(cursor.at, "the part that describes the scene is missing; the file is damaged"))?;
    Ok((json, binary))
}
