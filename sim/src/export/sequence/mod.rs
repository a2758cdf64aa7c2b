//! Runs to disk, frame by frame: what is there can be read whenever the run ends.

mod files;
mod growing;
mod pc2;

#[cfg(test)]
mod tests;

use std::path::Path;

use super::{ExportError, ExportMesh, Format, Part, gltf, npz, obj, ply, stl, usda, vtu};
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
    /// The format of each frame, where each is a file of its own.
    pub frame: Option<&'static Format>,
    /// Whether triangles may be others from frame to frame.
    pub changing: bool,
    /// What should be known before a run of so many frames.
    pub warning: fn(meshes: &[ExportMesh], frames: u64) -> Option<String>,
}

impl SequenceFormat {
    /// Whether a run in this format may write or remove a file of this name in its folder; upper and lower case count as the same.
    pub fn may_write(&self, file: &str) -> bool {
        let file = file.to_lowercase();
        let (stem, extension) = file.rsplit_once('.').unwrap_or((&file, ""));
        stem == "frames" || self.frame.is_some_and(|format| files::is_frame(&file, format.extension))
            // A cache for each body, with its name.
            || self.name == "pc2" && ["obj", "pc2"].contains(&extension)
    }

    /// Removes the frames that an earlier run of this format left in `folder`, which would pass for those of the next; gives how
    /// many there were. No other file is touched.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn clear(&self, folder: &Path) -> Result<usize, ExportError> {
        self.frame.map_or(Ok(0), |format| files::remove_frames(folder, format.extension))
    }
}

/// Nothing is to be known.
fn silent(_: &[ExportMesh], _: u64) -> Option<String> {
    None
}

/// A format of a file a frame.
const fn of_files(frame: &'static Format, doc: &'static str, begin: fn(&Path, &[ExportMesh], f64) -> Begun) -> SequenceFormat {
    let changing = matches!(frame.part, Part::Surface);
    SequenceFormat { name: frame.extension, doc, begin, frame: Some(frame), changing, warning: silent }
}

/// A format of files that hold all frames.
const fn of_whole(name: &'static str, doc: &'static str, begin: fn(&Path, &[ExportMesh], f64) -> Begun) -> SequenceFormat {
    SequenceFormat { name, doc, begin, frame: None, changing: false, warning: silent }
}

/// Every format that runs are written in.
pub const SEQUENCES: &[SequenceFormat] = &[
    of_files(&vtu::FORMAT, "a VTK grid a frame with the data of its points and tets, and frames.pvd, which lists them", files::begin_vtu),
    of_files(&obj::FORMAT, "a Wavefront OBJ a frame", files::begin_obj),
    of_whole("pc2", "for each body its surface as OBJ, and a point cache (PC2) that drives it", pc2::begin),
    SequenceFormat {
        changing: true,
        ..of_whole("usda", "one USD stage, frames.usda, with time-sampled points, and faces where they change", usda::sequence::begin)
    },
    SequenceFormat {
        warning: gltf::morph::warning,
        ..of_whole("gltf", "one animated glTF binary, frames.glb, with a morph target a frame", gltf::morph::begin)
    },
    of_files(&ply::FORMAT, "a PLY a frame; of lone points with their velocities and all other data", files::begin_ply),
    of_files(&stl::FORMAT, "an STL a frame, y up", files::begin_stl),
    of_files(&npz::FORMAT, "a NumPy archive a frame: points with their velocities and all other data, an array each", files::begin_npz),
];
