//! Files that are either the old one or the new one, whatever happens while they are written.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;

/// Writes `bytes` to a temporary file in the folder of `path`, and renames it to `path`.
///
/// # Errors
/// Those of the file system; the file at `path` is then as before.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let name = path.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "the path names no file"))?;
    // The process number keeps two programs apart that write the same file.
    let mut temporary = OsString::from(".");
    temporary.push(name);
    temporary.push(format!(".{}.tmp", std::process::id()));
    let temporary = path.with_file_name(temporary);
    let written = std::fs::File::create(&temporary).and_then(|mut file| {
        file.write_all(bytes)?;
        // Without this a crash of the machine could leave the new name with no content.
        file.sync_all()
    });
    written.and_then(|()| std::fs::rename(&temporary, path)).inspect_err(|_| {
        // The first error is the one to tell; a leftover that cannot be removed changes nothing about it.
        let _ = std::fs::remove_file(&temporary);
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn replaces_the_file_and_leaves_nothing_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("scene.json");
        write_atomically(&path, b"old").unwrap();
        write_atomically(&path, b"new").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_failed_write_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let occupied = folder.path().join("occupied");
        std::fs::create_dir_all(occupied.join("inside")).unwrap();
        assert!(write_atomically(&occupied, b"new").is_err());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
