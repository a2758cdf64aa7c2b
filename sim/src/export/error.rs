//! Why a file could not be written.

use std::io;
use std::path::{Path, PathBuf};

use super::{ExportMesh, FORMATS, Format, SEQUENCES};
use crate::files::write_atomically;
use crate::reconstruction::ReconstructionError;

/// Why a file could not be written.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The extension is of no format.
    #[error("{}: the extension names no format; use one of: {known}", .path.display())]
    UnknownFormat {
        /// The file.
        path: PathBuf,
        /// Extensions that are known.
        known: String,
    },
    /// The format holds something that the bodies do not have.
    #[error("{format} holds {part}, and the bodies have none")]
    Nothing {
        /// Name of the format.
        format: &'static str,
        /// What it holds.
        part: &'static str,
    },
    /// A body is made of lines or lone points, which the format does not hold.
    #[error("{format} holds no {part}, and body `{body}` is made of them; use one of: {others}")]
    NoLines {
        /// Name of the format.
        format: &'static str,
        /// Lines, or points.
        part: &'static str,
        /// Name of the body.
        body: String,
        /// Extensions of formats that do.
        others: String,
    },
    /// The triangles of a body are others in each frame, and the format has one list of them for all.
    #[error(
        "{format} holds surfaces whose triangles stay the same, and those around the points of body `{body}` do not; use one of: {others}"
    )]
    Changing {
        /// Name of the format.
        format: &'static str,
        /// Name of the body.
        body: String,
        /// Names of formats that do.
        others: String,
    },
    /// There is no surface around the points of a body.
    #[error("body `{body}`: {why}")]
    Around {
        /// Name of the body.
        body: String,
        /// Why there is none.
        why: ReconstructionError,
    },
    /// Surfaces around points were asked for, and there are no points.
    #[error("no body is made of points, which alone have a surface made around them; take the bodies as they are")]
    NoPoints,
    /// The format cannot count so far.
    #[error("{format} cannot hold more than {limit}; {remedy}")]
    TooLarge {
        /// Name of the format.
        format: &'static str,
        /// What is the limit.
        limit: &'static str,
        /// What to do about it.
        remedy: &'static str,
    },
    /// The list of numbers does not fit the mesh.
    #[error("{0}")]
    Inconsistent(String),
    /// The file system failed.
    #[error("{} cannot be written: {}", .path.display(), in_words(.error, .path))]
    Io {
        /// The file.
        path: PathBuf,
        /// What failed.
        error: io::Error,
    },
}

impl ExportError {
    /// For an extension that is none of the `known` ones.
    pub fn unknown(path: &Path, known: impl Iterator<Item = &'static str>) -> Self {
        let known = known.map(|extension| format!(".{extension}")).collect::<Vec<_>>().join(", ");
        Self::UnknownFormat { path: path.to_path_buf(), known }
    }

    /// Refuses bodies that are made of lines or of lone points, for a format that does not hold both.
    ///
    /// # Errors
    /// [`ExportError::NoLines`] for the first of them.
    pub fn refuse_lines(format: &'static str, (lines, points): (bool, bool), meshes: &[ExportMesh]) -> Result<(), Self> {
        let is_held = |mesh: &&ExportMesh| mesh.lines.is_empty() || if mesh.is_points() { points } else { lines };
        let Some(mesh) = meshes.iter().find(|mesh| !is_held(mesh)) else { return Ok(()) };
        let holds = |format: &&Format| if mesh.is_points() { format.points } else { format.lines };
        let others: Vec<&str> = FORMATS.iter().filter(holds).map(|format| format.extension).collect();
        let part = if mesh.is_points() { "points alone" } else { "lines" };
        Err(Self::NoLines { format, part, body: mesh.name.clone(), others: others.join(", ") })
    }

    /// Refuses bodies whose triangles are others in each frame, for a format that has one list of them.
    ///
    /// # Errors
    /// [`ExportError::Changing`] for the first of them.
    pub fn refuse_changing(format: &'static str, meshes: &[ExportMesh]) -> Result<(), Self> {
        let Some(mesh) = meshes.iter().find(|mesh| mesh.surface.changes) else { return Ok(()) };
        let others: Vec<&str> = SEQUENCES.iter().filter(|format| format.changing).map(|format| format.name).collect();
        Err(Self::Changing { format, body: mesh.name.clone(), others: others.join(", ") })
    }

    /// For what failed at `path`: to be given to `map_err`.
    pub fn at(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |error| Self::Io { path: path.to_path_buf(), error }
    }
}

/// What failed and what to do, for the failures that people meet.
fn in_words(error: &io::Error, path: &Path) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => format!("there is no folder {}; make it first", folder.display()),
            _ => error.to_string(),
        },
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "the disk is full; make room and write it again".into(),
        io::ErrorKind::PermissionDenied => "it may not be written there; choose another folder".into(),
        _ => error.to_string(),
    }
}

/// Writes a file whole or not at all.
///
/// # Errors
/// [`ExportError::Io`].
pub fn save(path: &Path, bytes: &[u8]) -> Result<(), ExportError> {
    write_atomically(path, bytes).map_err(ExportError::at(path))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_folder_that_is_missing_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let error = save(&folder.path().join("nowhere/a.obj"), b"").unwrap_err().to_string();
        assert!(error.contains("there is no folder") && error.contains("nowhere; make it first"), "{error}");
    }
}
