//! A rest shape as a mesh file beside the one that the body was made of.

use std::path::{Path, PathBuf};

use super::RestShapeError;
use crate::bodies::to_file;
use crate::export::{medit, names};
use crate::files::write_atomically;
use crate::import::{self, RawMesh};
use crate::math::Vec3;
use crate::scene::{Body, Scene};
use crate::system::{PlacedBody, System};
use crate::watch::Watch;

/// Writes a rest mesh for each body of `scene`, whose nodes in `system` are then at `rest` [m]; the files. One body is written to
/// `path`, of several each to a file beside it that has the body's name too. Relative paths of the scene start at `folder`.
///
/// # Errors
/// [`RestShapeError::File`] if a body's own mesh cannot be read again, or a file cannot be written.
pub fn write_meshes(
    (scene, folder): (&Scene, &Path),
    system: &System,
    rest: &[Vec3],
    path: &Path,
    watch: &dyn Watch,
) -> Result<Vec<PathBuf>, RestShapeError> {
    let files = mesh_files(scene, path);
    for ((body, placed), file) in scene.bodies.iter().zip(&system.bodies).zip(&files) {
        let bytes = mesh_file(body, placed, rest, folder, watch)?;
        let failed = |error| RestShapeError::File(format!("{} cannot be written: {error}", file.display()));
        write_atomically(file, &bytes).map_err(failed)?;
    }
    Ok(files)
}

/// The files that [`write_meshes`] writes.
pub fn mesh_files(scene: &Scene, path: &Path) -> Vec<PathBuf> {
    let names: Vec<&str> = scene.bodies.iter().map(|body| body.name.as_str()).collect();
    files_of(path, &names)
}

/// A file for each of the names: `path` for a single one, else `stem_name.extension` beside it. What not every file system takes
/// becomes `_`, and names that are then the same are numbered.
fn files_of(path: &Path, names: &[&str]) -> Vec<PathBuf> {
    if names.len() == 1 {
        return vec![path.to_path_buf()];
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().map_or_else(|| "mesh".into(), |extension| extension.to_string_lossy());
    names::of_files(names.iter().copied()).iter().map(|name| path.with_file_name(format!("{stem}_{name}.{extension}"))).collect()
}

/// The MEDIT mesh of `body` with the rest shape `positions` of its system's nodes [m]: all vertices and tets of the body's own
/// file, or those that fill it, in its order, unit and axes, so that it can be put in the place of its `mesh`, or be named as the
/// `rest_mesh` of a body of tets.
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
    let mesh = &placed.mesh;
    let raw = match body.tetrahedralise {
        None => import::read(&folder.join(&body.mesh), watch).map_err(|error| RestShapeError::File(error.to_string()))?,
        // The file is a surface; these are the tets that fill it.
        Some(_) => RawMesh { positions: mesh.positions.clone(), tets: mesh.tets().to_vec(), tags: mesh.tags.clone(), ..RawMesh::default() },
    };
    let is_there = |index: &Vec<u32>, count: usize| index.iter().all(|&i| (i as usize) < count);
    if !is_there(&mesh.source_vertices, raw.positions.len()) || !is_there(&mesh.source_cells, raw.tets.len()) {
        return Err(RestShapeError::File(format!("{} changed while the rest shape was sought; try again", body.mesh)));
    }
    let in_file = to_file(body, &raw, mesh, &positions[placed.nodes.clone()]);
    let mut bytes = Vec::new();
    medit::write_exact(&mut bytes, &in_file, &raw.tets, &raw.tags).map_err(|error| RestShapeError::File(error.to_string()))?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_body_has_a_file_of_its_own() {
        let files = |path: &str, names: &[&str]| -> Vec<String> {
            files_of(Path::new(path), names).iter().map(|file| file.display().to_string()).collect()
        };
        assert_eq!(files("out/rest.mesh", &["leg a"]), ["out/rest.mesh"]);
        let names = ["leg a", "leg_a", "Leg-a", "leg-a", "leg_a_2", "leg/a"];
        let expected = ["leg_a", "leg_a_2", "Leg-a", "leg-a_2", "leg_a_2_2", "leg_a_3"].map(|name| format!("out/rest_{name}.mesh"));
        assert_eq!(files("out/rest.mesh", &names), expected);
        assert_eq!(files("rest", &["a", "b"]), ["rest_a.mesh", "rest_b.mesh"]);
    }
}
