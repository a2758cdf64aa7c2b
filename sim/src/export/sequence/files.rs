//! A file a frame.

use std::path::{Path, PathBuf};

use super::{Begun, FrameWriter, Growing, Moment};
use crate::export::{ExportError, ExportMesh, Format, obj, ply, pvd, stl, vtu};

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

fn plain(folder: &Path, format: &'static Format) -> Begun {
    Ok(Box::new(Files { folder: folder.to_path_buf(), format, collection: None }))
}

impl FrameWriter for Files {
    fn frame(&mut self, moment: Moment, meshes: &[ExportMesh]) -> Result<(), ExportError> {
        let file = format!("frame_{:06}.{}", moment.step, self.format.extension);
        self.format.write(meshes, &self.folder.join(&file))?;
        self.collection.as_mut().map_or(Ok(()), |collection| collection.append(&pvd::entry(moment.time, &file)))
    }
}
