//! Nothing is written over what was read: the files of a scene, by what they are and not by their names.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use aplomb_sim::export::sequence::SequenceFormat;
use aplomb_sim::import;
use aplomb_sim::scene::Scene;

use crate::document::absolute;

/// Files that were read.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    files: Vec<PathBuf>,
}

impl Sources {
    /// The meshes that `scene` names, with all files that belong to them; its relative paths start at `folder`.
    pub fn of_scene(scene: &Scene, folder: &Path) -> Self {
        // A mesh that several bodies use is looked at once.
        let meshes: BTreeSet<PathBuf> = scene.mesh_files().map(|(_, mesh)| folder.join(mesh)).collect();
        Self { files: meshes.iter().flat_map(|mesh| import::files_of(mesh)).collect() }
    }

    /// Adds a file.
    pub fn add(&mut self, file: impl Into<PathBuf>) {
        self.files.push(file.into());
    }

    /// Adds a mesh, with all files that belong to it.
    pub fn add_mesh(&mut self, mesh: &Path) {
        self.files.extend(import::files_of(mesh));
    }

    /// Whether a file may be written to `target`.
    ///
    /// # Errors
    /// In words: what lies there was read, under whatever name.
    pub fn keep_from(&self, target: &Path) -> Result<(), String> {
        let read = self.files.iter().find(|file| is_same(file, target));
        read.map_or(Ok(()), |file| Err(refusal(target, file)))
    }

    /// Whether a run may be written into the folder `target` in this format.
    ///
    /// # Errors
    /// In words: a file there that was read has a name that the run may write.
    pub fn keep_from_run(&self, target: &Path, format: &SequenceFormat) -> Result<(), String> {
        self.in_run(target, format).map_or(Ok(()), |file| Err(refusal(file, file)))
    }

    /// The first file that lies in the folder `run` and has a name that a run in this format may write.
    pub fn in_run(&self, run: &Path, format: &SequenceFormat) -> Option<&Path> {
        let is_there = |file: &&PathBuf| {
            let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            let is_inside = same_file::is_same_file(folder, run).unwrap_or_else(|_| absolute(folder) == absolute(run));
            is_inside && file.file_name().is_some_and(|name| format.may_write(&name.to_string_lossy()))
        };
        self.files.iter().find(is_there).map(PathBuf::as_path)
    }
}

fn refusal(target: &Path, file: &Path) -> String {
    let name = if target == file { "it".to_owned() } else { format!("it is {}, which", file.display()) };
    format!("{} is not written: {name} was read, and would be lost; give another name", target.display())
}

/// Whether both paths lead to one ordinary file, by links, relative paths or another letter case.
pub fn is_same(a: &Path, b: &Path) -> bool {
    // Opening a pipe, as the comparison does, may wait for ever.
    a.is_file() && b.is_file() && same_file::is_same_file(a, b).unwrap_or(false)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn what_was_read_is_known_under_every_name() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("deep")).unwrap();
        std::fs::write(at("pair.node"), "1 3").unwrap();
        std::fs::write(at("pair.ele"), "").unwrap();
        std::fs::hard_link(at("pair.ele"), at("second")).unwrap();
        let mut sources = Sources::default();
        sources.add_mesh(&at("pair.node"));
        for name in ["pair.node", "pair.ele", "second", "deep/../pair.ele"] {
            assert!(sources.keep_from(&at(name)).unwrap_err().contains("pair."), "{name}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(at("pair.node"), at("deep/link")).unwrap();
            assert!(sources.keep_from(&at("deep/link")).is_err());
        }
        std::fs::write(at("other"), "").unwrap();
        for name in ["other", "new", "deep"] {
            assert_eq!(sources.keep_from(&at(name)), Ok(()), "{name}");
        }
    }

    #[test]
    fn a_run_spares_what_was_read() {
        let folder = tempfile::tempdir().unwrap();
        let format = |name: &str| aplomb_sim::export::sequence::SEQUENCES.iter().find(|format| format.name == name).unwrap();
        for (file, formats) in [("frame_000003.vtu", &["vtu"][..]), ("body.obj", &["pc2"]), ("frames.glb", &["gltf", "usda", "vtu"])] {
            let mut sources = Sources::default();
            sources.add(folder.path().join(file));
            for format in formats.iter().map(|name| format(name)) {
                assert!(sources.keep_from_run(&folder.path().join("."), format).is_err(), "{file} {}", format.name);
                assert_eq!(sources.keep_from_run(&folder.path().join("deeper"), format), Ok(()));
            }
            assert_eq!(sources.keep_from_run(folder.path(), format("ply")).is_ok(), file != "frames.glb");
        }
    }
}
