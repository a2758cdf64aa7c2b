//! Runs to disk, frame by frame: what is there can be read whenever the run ends.

mod files;
mod growing;
mod pc2;

#[cfg(test)]
mod tests;

use std::path::Path;

use super::{ExportError, ExportMesh, gltf, usda};
pub(super) use growing::Growing;

/// When a frame is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moment {
    /// Step of the run, from 0.
    pub step: u64,
    /// Time [s].
    pub time: f64,
}

/// Writes the frames of a run.
pub trait FrameWriter {
    /// Adds the frame of this moment: the bodies that the writer was begun with, where they are now.
    ///
    /// # Errors
    /// Those of the file system, or more than the format holds; frames before stay readable.
    fn frame(&mut self, moment: Moment, meshes: &[ExportMesh]) -> Result<(), ExportError>;

    /// Ends the run. What can only be written in the end is written here.
    ///
    /// # Errors
    /// Those of the file system.
    fn finish(&mut self) -> Result<(), ExportError> {
        Ok(())
    }
}

/// A run that was begun.
pub type Begun = Result<Box<dyn FrameWriter>, ExportError>;

/// A format that runs are written in.
pub struct SequenceFormat {
    /// Name on the command line.
    pub name: &'static str,
    /// What is written, for people.
    pub doc: &'static str,
    /// Begins a run in a folder that is there, with the bodies in the given shape, and `interval` [s] from frame to frame.
    pub begin: fn(folder: &Path, meshes: &[ExportMesh], interval: f64) -> Begun,
}

/// Every format that runs are written in.
pub const SEQUENCES: &[SequenceFormat] = &[
    SequenceFormat {
        name: "vtu",
        doc: "a VTK grid a frame with the data of its points and tets, and frames.pvd, which lists them",
        begin: files::begin_vtu,
    },
    SequenceFormat { name: "obj", doc: "a Wavefront OBJ a frame", begin: files::begin_obj },
    SequenceFormat { name: "pc2", doc: "for each body its surface as OBJ, and a point cache (PC2) that drives it", begin: pc2::begin },
    SequenceFormat { name: "usda", doc: "one USD stage, frames.usda, with time-sampled points", begin: usda::sequence::begin },
    SequenceFormat { name: "gltf", doc: "one animated glTF binary, frames.glb, with a morph target a frame", begin: gltf::morph::begin },
    SequenceFormat { name: "ply", doc: "a PLY a frame", begin: files::begin_ply },
    SequenceFormat { name: "stl", doc: "an STL a frame", begin: files::begin_stl },
];
