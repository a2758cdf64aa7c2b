//! Why a mesh file was not read.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::watch::Cancelled;

/// A mesh file gave no mesh.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ImportError {
    /// Somebody cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The file is damaged, or of a kind that is not read.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
}

/// What is wrong with a file, where, and what to do about it. Displayed as `file:line: what, and what to do`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable {
    /// The file.
    pub file: PathBuf,
    /// Where in the file, if at one place.
    pub place: Option<Place>,
    /// What is wrong, and what to do.
    pub message: String,
}

/// A place in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Line of a text file, from 1.
    Line(usize),
    /// Offset in a binary file, from 0.
    Byte(usize),
}

impl std::error::Error for Unreadable {}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Byte(offset) => write!(f, "byte {offset}"),
        }
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        match self.place {
            Some(Place::Line(line)) => write!(f, ":{line}")?,
            Some(place @ Place::Byte(_)) => write!(f, ": {place}")?,
            None => {}
        }
        write!(f, ": {}", self.message)
    }
}

impl ImportError {
    /// An error about `file` as a whole.
    pub(crate) fn whole(file: &Path, message: String) -> Self {
        Unreadable { file: file.to_owned(), place: None, message }.into()
    }
}
