//! The bytes of a glTF file: in its binary part, in the JSON as base64, or in files beside it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use super::super::ImportError;
use super::super::cursor::shown;
use super::super::vtk::bytes::Encoded;
use super::json::{Buffer, BufferView, Root};
use crate::files;

/// All buffers.
pub struct Buffers<'a> {
    buffers: Vec<Source<'a>>,
    /// Bytes read from files beside it.
    pub bytes_beside: usize,
}

enum Source<'a> {
    Bytes(Cow<'a, [u8]>),
    /// The same as that of this earlier buffer.
    Same(usize),
}

impl<'a> Buffers<'a> {
    /// Gets hold of all buffers; `binary` is the binary part of a `.glb`.
    pub fn load(path: &Path, root: &Root, binary: Option<&'a [u8]>) -> Result<Self, ImportError> {
        let mut loaded = Self { buffers: Vec::with_capacity(root.buffers.len()), bytes_beside: 0 };
        let mut beside = BTreeMap::new();
        for index in 0..root.buffers.len() {
            let buffer: Buffer = root.buffers.get(path, "buffer", index)?;
            let bytes = match (&buffer.uri, binary) {
                (None, Some(binary)) if index == 0 => Cow::Borrowed(binary),
                // Extensions fill such a buffer; it is an error only where it is used.
                (None, _) => Cow::Borrowed(&[][..]),
                (Some(uri), _) if uri.starts_with("data:") => Cow::Owned(
                    decode(uri)
                        .ok_or_else(|| ImportError::whole(path, format!("buffer {index} is no base64 data; the file is damaged")))?,
                ),
                (Some(uri), _) => {
                    let file = file_beside(path, uri)?;
                    if let Some(&earlier) = beside.get(&file) {
                        loaded.buffers.push(Source::Same(earlier));
                        continue;
                    }
                    let bytes = read_beside(path, &file, buffer.byte_length)?;
                    loaded.bytes_beside += bytes.len();
                    beside.insert(file, index);
                    Cow::Owned(bytes)
                }
            };
            if bytes.len() < buffer.byte_length && !bytes.is_empty() {
                let message = format!("buffer {index} should have {} bytes, but has {}; it is cut off", buffer.byte_length, bytes.len());
                return Err(ImportError::whole(path, message));
            }
            loaded.buffers.push(Source::Bytes(bytes));
        }
        Ok(loaded)
    }

    /// The bytes of a view, and the distance of its entries, if it gives one.
    pub fn view(&self, path: &Path, root: &Root, index: usize) -> Result<(&[u8], Option<usize>), ImportError> {
        let view: BufferView = root.buffer_views.get(path, "buffer view", index)?;
        if view.extensions.meshopt.is_some() {
            let message = "the meshes are packed by meshopt (EXT_meshopt_compression), which is not read; export without compression";
            return Err(ImportError::whole(path, message.into()));
        }
        let mut source = self.buffers.get(view.buffer);
        if let Some(&Source::Same(earlier)) = source {
            source = self.buffers.get(earlier);
        }
        let Some(Source::Bytes(bytes)) = source else {
            return Err(ImportError::whole(path, format!("buffer view {index} lies in buffer {}, which is not there", view.buffer)));
        };
        let end = view.byte_offset.checked_add(view.byte_length);
        let bytes = end.and_then(|end| bytes.get(view.byte_offset..end)).ok_or_else(|| {
            let message =
                format!("buffer view {index} reaches beyond the {} bytes of buffer {}; the file is cut off", bytes.len(), view.buffer);
            ImportError::whole(path, message)
        })?;
        Ok((bytes, view.byte_stride))
    }
}

/// The files beside the one at `path` that its buffers name.
pub fn files_beside(path: &Path, root: &Root) -> Vec<PathBuf> {
    let named = (0..root.buffers.len()).filter_map(|index| root.buffers.get::<Buffer>(path, "buffer", index).ok()?.uri);
    named.filter(|uri| !uri.starts_with("data:")).filter_map(|uri| file_beside(path, &uri).ok()).collect()
}

/// The file that `uri` names, which must lie in the folder of the glTF file or below.
fn file_beside(path: &Path, uri: &str) -> Result<PathBuf, ImportError> {
    let refuse = |why: &str| ImportError::whole(path, format!("its buffer `{}` {why}", shown(uri.as_bytes())));
    if uri.split(['/', '\\']).next().is_some_and(|first| first.contains(':')) {
        return Err(refuse("is not beside it; put the file there and name it without a scheme, or export as .glb"));
    }
    let name = unescape(uri).ok_or_else(|| refuse("is no file name"))?;
    let name = Path::new(&name);
    if name.components().any(|part| !matches!(part, Component::Normal(_) | Component::CurDir)) {
        return Err(refuse("lies outside of its folder; move it there, or export as .glb"));
    }
    Ok(path.parent().unwrap_or(Path::new("")).join(name))
}

/// A name in which bytes are written as `%20`.
fn unescape(uri: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let (code, tail) = rest.split_at_checked(2)?;
        bytes.push(u8::from_str_radix(std::str::from_utf8(code).ok()?, 16).ok()?);
        rest = tail;
    }
    String::from_utf8(bytes).ok()
}

/// The first `length` bytes of a file, or as many as it has.
fn read_beside(path: &Path, file: &Path, length: usize) -> Result<Vec<u8>, ImportError> {
    let mut bytes = Vec::new();
    let read = || {
        let file = files::open(file)?;
        let there = usize::try_from(file.metadata()?.len()).unwrap_or(usize::MAX);
        bytes.reserve_exact(there.min(length));
        file.take(length as u64).read_to_end(&mut bytes)
    };
    let mut read = read;
    read().map_err(|why| {
        let message = format!("needs {} beside it, which cannot be read: {why}; copy it there, or export as .glb", file.display());
        ImportError::whole(path, message)
    })?;
    Ok(bytes)
}

/// The bytes of a `data:` address in base64 (RFC 2397).
fn decode(uri: &str) -> Option<Vec<u8>> {
    let (kind, text) = uri.split_once(',')?;
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let is_base64 = kind.ends_with(";base64");
    Encoded::new(text.as_bytes(), is_base64).read_to_end(&mut bytes).ok()?;
    is_base64.then_some(bytes)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn data_is_base64_or_nothing() {
        assert_eq!(decode("data:application/octet-stream;base64,Zm9vYmE=").unwrap(), b"fooba");
        assert_eq!([decode("data:;base64,Zm9"), decode("data:text/plain,Zm9v"), decode("data:")], [None, None, None]);
    }

    #[test]
    fn files_outside_of_the_folder_are_refused() {
        let path = Path::new("/models/a.gltf");
        assert_eq!(file_beside(path, "sub%20folder/a.bin").unwrap(), Path::new("/models/sub folder/a.bin"));
        assert_eq!(file_beside(path, "./%C3%A4.bin").unwrap(), Path::new("/models/./ä.bin"));
        for uri in ["../a.bin", "/etc/passwd", "a/%2e%2e/../b", "http://host/a.bin", "file:a.bin", "a%f", "%ff"] {
            assert!(file_beside(path, uri).is_err(), "{uri}");
        }
    }
}
