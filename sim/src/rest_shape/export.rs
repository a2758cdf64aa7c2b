//! A rest shape as mesh files beside those that the bodies were made of.

use std::path::{Path, PathBuf};

use super::RestShapeError;
use crate::export::{medit, write_atomically};
use crate::import;
use crate::math::Vec3;
use crate::scene::{Body, Scene};
use crate::system::{PlacedBody, System, build};
use crate::watch::Watch;

/// Writes a rest mesh ([`mesh_file`]) for each body of `scene`, whose paths are relative to `folder` and whose nodes in `system` are
/// then at `rest` [m]; gives the files. One body is written to `path`, of several each to a file beside it that has its name too.
///
/// # Errors
/// [`RestShapeError::File`]: as [`mesh_file`], or a file cannot be written.
pub fn write_mesh_files(
    (scene, folder): (&Scene, &Path),
    system: &System,
    rest: &[Vec3],
    path: &Path,
    watch: &dyn Watch,
) -> Result<Vec<PathBuf>, RestShapeError> {
    let files = file_names(path, scene.bodies.iter().map(|body| body.name.as_str()));
    for ((body, placed), file) in scene.bodies.iter().zip(&system.bodies).zip(&files) {
        let bytes = mesh_file(body, placed, rest, folder, watch)?;
        write_atomically(file, &bytes).map_err(|error| RestShapeError::File(format!("{} cannot be written: {error}", file.display())))?;
    }
    Ok(files)
}

/// A file for each name: `path` if there is one name only, else `folder/stem_name.mesh` with a name that any file system takes.
/// Names that come out alike, be it but for capitals, are numbered.
fn file_names<'a>(path: &Path, names: impl ExactSizeIterator<Item = &'a str>) -> Vec<PathBuf> {
    if names.len() == 1 {
        return vec![path.to_path_buf()];
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().map_or_else(|| "mesh".into(), |extension| extension.to_string_lossy());
    let mut taken: Vec<String> = Vec::new();
    for name in names {
        let plain: String = name.chars().map(|c| if c.is_alphanumeric() || c == '-' { c } else { '_' }).collect();
        let mut unique = plain.clone();
        let mut number = 1;
        while taken.iter().any(|other| other.to_lowercase() == unique.to_lowercase()) {
            number += 1;
            unique = format!("{plain}_{number}");
        }
        taken.push(unique);
    }
    taken.iter().map(|name| path.with_file_name(format!("{stem}_{name}.{extension}"))).collect()
}

/// The MEDIT mesh of `body` with the rest shape `positions` of its system's nodes [m]: all vertices and tets of the body's own
/// file, in its order, unit and axes, so that it can be named as the body's `rest_mesh` or put in the place of its `mesh`.
///
/// # Errors
/// [`RestShapeError::File`] if the body's own file cannot be read again, or is no longer what it was.
pub fn mesh_file(
    body: &Body,
    placed: &PlacedBody,
    positions: &[Vec3],
    folder: &Path,
    watch: &dyn Watch,
) -> Result<Vec<u8>, RestShapeError> {
    let raw = import::read(&folder.join(&body.mesh), watch).map_err(|error| RestShapeError::File(error.to_string()))?;
    let mesh = &placed.mesh;
    let is_there = |index: &Vec<u32>, count: usize| index.iter().all(|&i| (i as usize) < count);
    if !is_there(&mesh.source_vertices, raw.positions.len()) || !is_there(&mesh.source_tets, raw.tets.len()) {
        return Err(RestShapeError::File(format!("{} changed while the rest shape was sought; try again", body.mesh)));
    }
    let in_file = build::to_file(body, &raw, mesh, &positions[placed.nodes.clone()]);
    let mut bytes = Vec::new();
    medit::write_exact(&mut bytes, &in_file, &raw.tets, &raw.tags).map_err(|error| RestShapeError::File(error.to_string()))?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_body_has_a_file_of_its_own() {
        let names = |names: &[&str]| -> Vec<String> {
            let files = file_names(Path::new("a/rest.msh"), names.iter().copied());
            files.iter().map(|file| file.to_string_lossy().into_owned()).collect()
        };
        assert_eq!(names(&["leg a"]), ["a/rest.msh"]);
        let expected = ["a/rest_leg_a.msh", "a/rest_leg_a_2.msh", "a/rest_Leg_a_3.msh", "a/rest_leg-a.msh"];
        assert_eq!(names(&["leg a", "leg_a", "Leg/a", "leg-a"]), expected);
        assert_eq!(names(&["b_2", "b", "b"]), ["a/rest_b_2.msh", "a/rest_b.msh", "a/rest_b_3.msh"]);
    }
}
