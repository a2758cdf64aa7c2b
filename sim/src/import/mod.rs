//! Mesh files: one file a format. A reader gives a [`RawMesh`], what the file said; [`crate::mesh`] makes it fit
//! for simulation.

mod corners;
mod cursor;
pub mod error;
mod foreign;
pub mod medit;

use std::path::Path;

pub use error::{ImportError, Place, Unreadable};

use crate::math::Vec3;
use crate::watch::Watch;

/// What a mesh file holds: indices are valid and coordinates finite, nothing else is checked.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RawMesh {
    /// Name of the format in [`FORMATS`].
    pub format: &'static str,
    /// Vertex positions, in the file's unit and axes.
    pub positions: Vec<Vec3>,
    /// Four vertices a tet, from 0.
    pub tets: Vec<[u32; 4]>,
    /// Physical tag (region number) of each tet; 0 where the file gives none.
    pub tags: Vec<i32>,
    /// Triangles that the file lists, from 0; nothing says that they bound the tets.
    pub triangles: Vec<[u32; 3]>,
    /// Elements that are neither tets nor triangles: name and count.
    pub other_elements: Vec<(String, usize)>,
    /// Names of the sections that were skipped.
    pub unused_sections: Vec<String>,
}

/// A mesh format.
pub struct Format {
    /// Name, for people.
    pub name: &'static str,
    /// Extensions, lower case, without the dot.
    pub extensions: &'static [&'static str],
    /// One line: what is read and what is not.
    pub doc: &'static str,
    /// Whether the beginning of the file says that it is of this format.
    pub matches: fn(content: &[u8]) -> bool,
    /// Reads a whole file, given its path and content.
    pub read: fn(path: &Path, content: &[u8], watch: &dyn Watch) -> Result<RawMesh, ImportError>,
}

/// Every format that is read.
pub const FORMATS: &[Format] = &[medit::FORMAT];

/// Reads a mesh file; its content decides the format before its extension does.
pub fn read(path: &Path, watch: &dyn Watch) -> Result<RawMesh, ImportError> {
    watch.progress("reading", 0.0);
    watch.check()?;
    let content = std::fs::read(path).map_err(|why| ImportError::whole(path, format!("cannot be read: {why}")))?;
    let format = recognise(path, &content)?;
    let mesh = (format.read)(path, &content, watch)?;
    watch.progress("reading", 1.0);
    Ok(mesh)
}

/// The format of a file, or an error that names what the file is instead.
pub fn recognise(path: &Path, content: &[u8]) -> Result<&'static Format, ImportError> {
    let extension = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    if content.iter().all(u8::is_ascii_whitespace) {
        return Err(ImportError::whole(path, "the file is empty".into()));
    }
    if let Some(format) = FORMATS.iter().find(|f| (f.matches)(content)) {
        return Ok(format);
    }
    if let Some(advice) = foreign::advice_by_content(content) {
        return Err(ImportError::whole(path, advice));
    }
    if let Some(format) = FORMATS.iter().find(|f| f.extensions.contains(&extension.as_str())) {
        return Ok(format);
    }
    let names: Vec<&str> = FORMATS.iter().map(|f| f.name).collect();
    let otherwise = || format!("the format is not known; save the mesh as one of: {}", names.join(", "));
    Err(ImportError::whole(path, foreign::advice_by_extension(&extension).unwrap_or_else(otherwise)))
}
