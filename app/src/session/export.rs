//! Files of what a session has found.

use std::io;
use std::path::{Path, PathBuf};

use aplomb_sim::export::{medit, write_atomically};
use aplomb_sim::math::Vec3;
use aplomb_sim::system::{PlacedBody, System};

/// Writes the bodies of `system` with their nodes at `rest` [m] as MEDIT meshes; the files. One body is written to `path`, of
/// several each to a file beside it that has the body's name too.
///
/// # Errors
/// Those of the file system.
pub fn rest_meshes(system: &System, rest: &[Vec3], path: &Path) -> io::Result<Vec<PathBuf>> {
    let several = system.bodies.len() > 1;
    let write = |body: &PlacedBody| {
        let path = if several { named_after(path, &body.name) } else { path.to_path_buf() };
        let mut bytes = Vec::new();
        medit::write(&mut bytes, &rest[body.nodes.clone()], &body.mesh.tets, &body.mesh.tags)?;
        write_atomically(&path, &bytes)?;
        Ok(path)
    };
    system.bodies.iter().map(write).collect()
}

/// `folder/stem.mesh` as `folder/stem_name.mesh`, with a name that any file system takes.
fn named_after(path: &Path, name: &str) -> PathBuf {
    let stem = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let extension = path.extension().map_or_else(|| "mesh".into(), |extension| extension.to_string_lossy().into_owned());
    let plain: String = name.chars().map(|c| if c.is_alphanumeric() || c == '-' { c } else { '_' }).collect();
    path.with_file_name(format!("{stem}_{plain}.{extension}"))
}
