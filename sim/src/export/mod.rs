//! Results to disk: one file a format.
//!
//! A body is an [`ExportMesh`], whatever the format. [`FORMATS`] write one moment to one file, [`SEQUENCES`] a run
//! frame by frame, [`PREPARED_FORMATS`] all that a simulation starts from.

pub mod cloud;
pub mod data;
pub mod error;
pub mod gltf;
pub mod medit;
pub mod mesh;
pub mod msh;
pub(crate) mod names;
pub mod npz;
pub mod obj;
pub mod ply;
pub mod prepared;
pub mod pvd;
pub mod scene;
pub mod sequence;
pub mod stl;
pub mod usda;
pub mod vtk;
pub mod vtu;

#[cfg(test)]
pub(crate) mod tests;

use std::path::Path;

pub use cloud::surfaces_of_points;
pub use data::{DataArray, Grid, Place, Values};
pub use error::{ExportError, save};
pub use mesh::{ExportMesh, Surface};
pub use prepared::{PREPARED_FORMATS, PreparedAsset};
pub use scene::{follow_recorded, follow_state, scene_meshes};
pub use sequence::{FrameWriter, Moment, SEQUENCES};

/// What a format holds of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The tets.
    Tets,
    /// The surface.
    Surface,
    /// Both.
    Both,
}

/// A format that bodies are written in.
pub struct Format {
    /// Name, for people.
    pub name: &'static str,
    /// Extension, lower case, without the dot.
    pub extension: &'static str,
    /// What is written, with its limits.
    pub doc: &'static str,
    /// What it holds.
    pub part: Part,
    /// Whether it holds bodies that are made of lines.
    pub lines: bool,
    /// Whether it holds bodies of lone points.
    pub points: bool,
    /// The bytes of a file with all bodies.
    pub encode: fn(meshes: &[ExportMesh]) -> Result<Vec<u8>, ExportError>,
}

/// Every format that bodies are written in.
pub const FORMATS: &[Format] = &[
    vtu::FORMAT,
    vtk::FORMAT,
    msh::FORMAT,
    medit::FORMAT,
    obj::FORMAT,
    ply::FORMAT,
    stl::FORMAT,
    gltf::BINARY,
    gltf::TEXT,
    usda::FORMAT,
    npz::FORMAT,
];

/// The format whose extension `path` has.
///
/// # Errors
/// [`ExportError::UnknownFormat`], with the extensions that are known.
pub fn format_of(path: &Path) -> Result<&'static Format, ExportError> {
    let extension = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    FORMATS
        .iter()
        .find(|format| format.extension == extension)
        .ok_or_else(|| ExportError::unknown(path, FORMATS.iter().map(|format| format.extension)))
}

impl Format {
    /// Writes all bodies to one file, whole or not at all.
    ///
    /// # Errors
    /// Bodies without what the format holds, more of it than it can count, or those of the file system.
    pub fn write(&self, meshes: &[ExportMesh], path: &Path) -> Result<(), ExportError> {
        save(path, &self.bytes(meshes)?)
    }

    /// The bytes of a file with all bodies.
    ///
    /// # Errors
    /// As for [`Format::write`], but for the file system.
    pub fn bytes(&self, meshes: &[ExportMesh]) -> Result<Vec<u8>, ExportError> {
        let nothing = |part| Err(ExportError::Nothing { format: self.name, part });
        ExportError::refuse_lines(self.name, (self.lines, self.points), meshes)?;
        let has_lines = meshes.iter().any(|mesh| !mesh.lines.is_empty());
        let has_tets = meshes.iter().any(|mesh| !mesh.tets.is_empty());
        let has_surface = meshes.iter().any(|mesh| !mesh.surface.triangles.is_empty());
        match self.part {
            Part::Tets if !has_tets && !has_lines => nothing("tetrahedra"),
            Part::Surface if !has_surface && !has_lines => nothing("surfaces"),
            _ => (self.encode)(meshes),
        }
    }
}
