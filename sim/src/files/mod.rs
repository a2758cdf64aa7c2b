//! Files that are read whole, the encodings of their text, and files that are written whole or not at all.

mod atomic;
mod crc;
pub mod fnv;
pub mod npy;
mod values;
pub mod zip;

pub use atomic::write_atomically;
pub use crc::crc32;
pub use values::Values;

use std::fs::File;
use std::io;
use std::path::Path;

/// Marks that begin a text in UTF-16, lowest byte first or highest.
const UTF_16_MARKS: [[u8; 2]; 2] = [[0xff, 0xfe], [0xfe, 0xff]];
/// Mark that some programs put before a text in UTF-8.
const UTF_8_MARK: &[u8] = b"\xef\xbb\xbf";
/// Bytes that are looked at to tell UTF-16 without a mark.
const LOOKED_AT: usize = 64;

/// Opens an ordinary file.
///
/// # Errors
/// Those of the file system; a folder, pipe, socket or device is refused by name, as reading it may never end.
pub fn open(path: &Path) -> io::Result<File> {
    let kind = std::fs::metadata(path)?;
    let refuse = |what: &str| Err(io::Error::new(io::ErrorKind::InvalidInput, what));
    match (kind.is_dir(), kind.is_file()) {
        (true, _) => refuse("it is a folder; name a file in it"),
        (_, false) => refuse("it is a pipe or a device and no file; write what it gives into a file first"),
        _ => File::open(path),
    }
}

/// Reads an ordinary file.
///
/// # Errors
/// As [`open`].
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = open(path)?;
    let mut bytes = Vec::with_capacity(file.metadata().map_or(0, |kind| kind.len() as usize));
    io::Read::read_to_end(&mut file, &mut bytes)?;
    Ok(bytes)
}

/// `bytes` without the mark that some programs put before a text in UTF-8.
pub fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(UTF_8_MARK).unwrap_or(bytes)
}

/// Whether `bytes` look like a text in UTF-16: by its mark, or as every other byte of its beginning is zero.
pub fn is_utf_16(bytes: &[u8]) -> bool {
    let zeros = |first: usize| bytes[..bytes.len().min(LOOKED_AT)].iter().skip(first).step_by(2).filter(|&&byte| byte == 0).count();
    let pairs = bytes.len().min(LOOKED_AT) / 2;
    let is_text = |zeros: usize, others: usize| pairs >= 4 && zeros == pairs && others == 0;
    UTF_16_MARKS.iter().any(|mark| bytes.starts_with(mark)) || is_text(zeros(1), zeros(0)) || is_text(zeros(0), zeros(1))
}

/// What to do with a text in UTF-16.
pub const UTF_16_ADVICE: &str = "it is text in UTF-16; save it as UTF-8";

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn utf_16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(bytes).collect()
    }

    #[test]
    fn utf_16_is_told_from_other_content() {
        for mark in ["", "\u{feff}"] {
            let text = format!("{mark}# a mesh\nv 0 0 0\n");
            assert!(is_utf_16(&utf_16(&text, u16::to_le_bytes)) && is_utf_16(&utf_16(&text, u16::to_be_bytes)), "{mark:?}");
            assert!(!is_utf_16(text.as_bytes()));
        }
        let zeros = [0_u8; 100];
        assert!(!is_utf_16(&zeros) && !is_utf_16(&zeros[..3]) && !is_utf_16(b"ab\0\0cd\0\0ab\0\0cd\0\0"));
        assert_eq!(without_mark(b"\xef\xbb\xbfv 0"), b"v 0");
    }

    #[test]
    fn what_is_no_file_is_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        assert!(read(folder.path()).unwrap_err().to_string().contains("folder"));
        assert!(read(Path::new("/dev/zero")).unwrap_err().to_string().contains("device"));
        std::fs::write(folder.path().join("file"), b"content").unwrap();
        assert_eq!(read(&folder.path().join("file")).unwrap(), b"content");
    }
}
