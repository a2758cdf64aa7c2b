//! Files of what a session has found.

use std::path::{Path, PathBuf};

use aplomb_sim::export::write_atomically;
use aplomb_sim::math::Vec3;
use aplomb_sim::rest_shape::mesh_file;
use aplomb_sim::scene::Scene;
use aplomb_sim::system::System;
use aplomb_sim::watch::Watch;

/// Writes a rest mesh for each body of `scene`, whose nodes in `system` are then at `rest` [m]; the files. One body is written to
/// `path`, of several each to a file beside it that has the body's name too.
///
/// # Errors
/// In words: the body's own mesh cannot be read again, or the file cannot be written.
pub fn rest_meshes(
    (scene, folder): (&Scene, &Path),
    system: &System,
    rest: &[Vec3],
    path: &Path,
    watch: &dyn Watch,
) -> Result<Vec<PathBuf>, String> {
    let several = scene.bodies.len() > 1;
    let mut files = Vec::new();
    for (body, placed) in scene.bodies.iter().zip(&system.bodies) {
        let path = if several { named_after(path, &body.name) } else { path.to_path_buf() };
        let bytes = mesh_file(body, placed, rest, folder, watch).map_err(|error| error.to_string())?;
        write_atomically(&path, &bytes).map_err(|error| format!("{} cannot be written: {error}", path.display()))?;
        files.push(path);
    }
    Ok(files)
}

/// `folder/stem.mesh` as `folder/stem_name.mesh`, with a name that any file system takes.
fn named_after(path: &Path, name: &str) -> PathBuf {
    let stem = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let extension = path.extension().map_or_else(|| "mesh".into(), |extension| extension.to_string_lossy().into_owned());
    let plain: String = name.chars().map(|c| if c.is_alphanumeric() || c == '-' { c } else { '_' }).collect();
    path.with_file_name(format!("{stem}_{plain}.{extension}"))
}
