//! Files that are either the old one or the new one, whatever happens while they are written.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes `bytes` to a temporary file beside the file at `path`, and renames it to that file's name.
///
/// A link stays a link: what it points to is replaced, and keeps its permissions. A device or a pipe (`/dev/null`,
/// `/dev/stdout`, a named pipe) is written to, for a rename would put a file in its place.
///
/// # Errors
/// Those of the file system; the file at `path` is then as before.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let there = fs::metadata(path).ok();
    if there.as_ref().is_some_and(|there| !there.is_file() && !there.is_dir()) {
        return OpenOptions::new().write(true).open(path)?.write_all(bytes);
    }
    let path = behind_links(path);
    let name = path.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "the path names no file"))?;
    // The process number keeps two programs apart that write the same file.
    let mut temporary = OsString::from(".");
    temporary.push(name);
    temporary.push(format!(".{}.tmp", std::process::id()));
    let temporary = path.with_file_name(temporary);
    let written = File::create(&temporary).and_then(|mut file| {
        file.write_all(bytes)?;
        if let Some(there) = there.filter(fs::Metadata::is_file) {
            file.set_permissions(there.permissions())?;
        }
        // Without this a crash of the machine could leave the new name with no content.
        file.sync_all()
    });
    written.and_then(|()| fs::rename(&temporary, &path)).inspect_err(|_| {
        // The first error is the one to tell; a leftover that cannot be removed changes nothing about it.
        let _ = fs::remove_file(&temporary);
    })
}

/// The file that `path` names when every link is followed, also one that points to a file that is not there yet.
fn behind_links(path: &Path) -> PathBuf {
    /// As many as Linux follows before it says that they run in a circle.
    const LINKS: usize = 40;
    let mut path = path.to_path_buf();
    for _ in 0..LINKS {
        let Ok(target) = fs::read_link(&path) else { break };
        path = path.parent().map_or_else(|| target.clone(), |folder| folder.join(&target));
    }
    path
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
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_failed_write_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let occupied = folder.path().join("occupied");
        fs::create_dir_all(occupied.join("inside")).unwrap();
        assert!(write_atomically(&occupied, b"new").is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_and_its_file_keeps_its_permissions() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("far")).unwrap();
        symlink("far/scene.json", at("near.json")).unwrap();
        symlink("near.json", at("nearer.json")).unwrap();
        // The first write makes the file, the second replaces it.
        write_atomically(&at("nearer.json"), b"old").unwrap();
        fs::set_permissions(at("far/scene.json"), fs::Permissions::from_mode(0o640)).unwrap();
        write_atomically(&at("nearer.json"), b"new").unwrap();
        assert_eq!(fs::read(at("far/scene.json")).unwrap(), b"new");
        assert_eq!(fs::metadata(at("far/scene.json")).unwrap().permissions().mode() & 0o777, 0o640);
        assert!(at("near.json").is_symlink() && at("nearer.json").is_symlink());
        assert_eq!(fs::read_dir(at("far")).unwrap().count(), 1, "nothing is left beside it");
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_is_written_to_and_stays_one() {
        use std::io::Read;
        use std::os::unix::fs::FileTypeExt;
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || {
                let mut text = String::new();
                File::open(pipe).unwrap().read_to_string(&mut text).map(|_| text)
            }
        });
        write_atomically(&pipe, b"through").unwrap();
        assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
        assert_eq!(reader.join().unwrap().unwrap(), "through");
    }
}
