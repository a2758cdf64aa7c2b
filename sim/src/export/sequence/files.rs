//! A file a frame.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Begun, FrameWriter, Growing, Moment};
use crate::export::{ExportError, ExportMesh, Format, npz, obj, ply, pvd, stl, vtu};

struct Files {
    folder: PathBuf,
    format: &'static Format,
    /// The list of the frames with their times.
    collection: Option<Growing>,
}

/// ParaView opens the list.
pub fn begin_vtu(folder: &Path, _: &[ExportMesh], _: f64) -> Begun {
    let collection = Growing::create(&folder.join("frames.pvd"), pvd::HEAD, pvd::TAIL)?;
    Ok(Box::new(Files { folder: folder.to_path_buf(), format: &vtu::FORMAT, collection: Some(collection) }))
}

pub fn begin_obj(folder: &Path, _: &[ExportMesh], _: f64) -> Begun {
    plain(folder, &obj::FORMAT)
}

pub fn begin_ply(folder: &Path, _: &[ExportMesh], _: f64) -> Begun {
    plain(folder, &ply::FORMAT)
}

pub fn begin_stl(folder: &Path, _: &[ExportMesh], _: f64) -> Begun {
    plain(folder, &stl::FORMAT)
}

pub fn begin_npz(folder: &Path, _: &[ExportMesh], _: f64) -> Begun {
    plain(folder, &npz::FORMAT)
}

fn plain(folder: &Path, format: &'static Format) -> Begun {
    Ok(Box::new(Files { folder: folder.to_path_buf(), format, collection: None }))
}

fn name(step: u64, extension: &str) -> String {
    format!("frame_{step:06}.{extension}")
}

/// Whether a file of this name is a frame.
pub fn is_frame(file: &str, extension: &str) -> bool {
    let step = file.strip_prefix("frame_").and_then(|rest| rest.split('.').next()).and_then(|step| step.parse().ok());
    step.is_some_and(|step| name(step, extension) == file)
}

/// Removes all frames from a folder; their number.
pub fn remove_frames(folder: &Path, extension: &str) -> Result<usize, ExportError> {
    let mut count = 0;
    for entry in fs::read_dir(folder).map_err(ExportError::at(folder))? {
        let entry = entry.map_err(ExportError::at(folder))?;
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_file && entry.file_name().to_str().is_some_and(|file| is_frame(file, extension)) {
            fs::remove_file(entry.path()).map_err(ExportError::at(&entry.path()))?;
            count += 1;
        }
    }
    Ok(count)
}

impl FrameWriter for Files {
    fn frame(&mut self, moment: Moment, meshes: &[ExportMesh]) -> Result<(), ExportError> {
        let file = name(moment.step, self.format.extension);
        self.format.write(meshes, &self.folder.join(&file))?;
        self.collection.as_mut().map_or(Ok(()), |collection| collection.append(&pvd::entry(moment.time, &file)))
    }
}
