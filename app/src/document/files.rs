//! Paths: where relative ones start, how they move with the scene, and the files opened lately.

use std::path::{Component, Path, PathBuf};

use aplomb_sim::scene::Scene;

/// Files that the menu offers.
const RECENT: usize = 8;

/// `path` from the root, with `.` and `..` worked out; nothing need exist there.
pub fn absolute(path: &Path) -> PathBuf {
    let full = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let mut clean = PathBuf::new();
    for part in full.components() {
        match part {
            Component::ParentDir => {
                clean.pop();
            }
            Component::CurDir => {}
            other => clean.push(other),
        }
    }
    clean
}

/// `path` as seen from `folder`, with forward slashes; both absolute.
pub fn relative(path: &Path, folder: &Path) -> String {
    let (path, folder) = (absolute(path), absolute(folder));
    let shared = path.components().zip(folder.components()).take_while(|(a, b)| a == b).count();
    let up = folder.components().skip(shared).map(|_| Component::ParentDir);
    let parts: Vec<_> = up.chain(path.components().skip(shared)).map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
    parts.join("/")
}

/// The scene with relative paths of meshes and of its schema that started at `from` made to start at `to`.
pub fn rebased(scene: &Scene, from: &Path, to: &Path) -> Scene {
    let mut scene = scene.clone();
    if absolute(from) != absolute(to) {
        // A schema may have an address in place of a path.
        let schema = scene.schema.take().map(|mut schema| {
            if !schema.contains(':') {
                rebase(&mut schema, from, to);
            }
            schema
        });
        scene.schema = schema;
        scene.mesh_files_mut().for_each(|mesh| rebase(mesh, from, to));
    }
    scene
}

fn rebase(path: &mut String, from: &Path, to: &Path) {
    if Path::new(path).is_relative() {
        *path = relative(&from.join(&path), to);
    }
}

/// A path in `folder` at which nothing is: that of `name`, or else with a number before its extension.
pub fn free_path(folder: &Path, name: &str) -> PathBuf {
    let first = folder.join(name);
    let stem = first.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let extension = first.extension().map_or_else(String::new, |extension| format!(".{}", extension.to_string_lossy()));
    let numbered = (2..1000).map(|number| folder.join(format!("{stem} {number}{extension}")));
    std::iter::once(first.clone()).chain(numbered).find(|path| !path.exists()).unwrap_or(first)
}

/// Scene files opened or saved lately, newest first, kept between runs in one line each.
#[derive(Debug, Default)]
pub struct RecentFiles {
    /// The files.
    pub files: Vec<PathBuf>,
    store: Option<PathBuf>,
}

impl RecentFiles {
    /// Reads the list that is kept in `folder`.
    pub fn read(folder: Option<&Path>) -> Self {
        let store = folder.map(|folder| folder.join("recent.txt"));
        let text = store.as_ref().and_then(|store| std::fs::read_to_string(store).ok()).unwrap_or_default();
        Self { files: text.lines().map(PathBuf::from).filter(|file| file.is_file()).take(RECENT).collect(), store }
    }

    /// Puts `file` first.
    pub fn add(&mut self, file: &Path) {
        let file = absolute(file);
        self.files.retain(|other| *other != file);
        self.files.insert(0, file);
        self.files.truncate(RECENT);
        if let Some(store) = &self.store {
            let lines: Vec<_> = self.files.iter().map(|file| file.to_string_lossy()).collect();
            // The list is a convenience: a disk that cannot keep it is no reason to disturb anybody.
            let _ =
                std::fs::create_dir_all(store.parent().unwrap_or(Path::new("."))).and_then(|()| std::fs::write(store, lines.join("\n")));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mesh_keeps_its_place_when_the_scene_moves() {
        assert_eq!(relative(Path::new("/a/assets/x.mesh"), Path::new("/a/scenes")), "../assets/x.mesh");
        assert_eq!(relative(Path::new("/a/x.mesh"), Path::new("/a")), "x.mesh");
        assert_eq!(absolute(Path::new("/a/b/../c/./d")), Path::new("/a/c/d"));
    }

    #[test]
    fn a_scene_that_moves_takes_the_path_of_its_schema_along() {
        for (schema, moved) in [
            ("./scene.schema.json", "../scenes/scene.schema.json"),
            ("../scene.schema.json", "../scene.schema.json"),
            ("https://example.org/scene.schema.json", "https://example.org/scene.schema.json"),
            ("/scene.schema.json", "/scene.schema.json"),
        ] {
            let scene = Scene { schema: Some(schema.to_owned()), ..Scene::empty("moved") };
            let rebased = rebased(&scene, Path::new("/a/scenes"), Path::new("/a/mine"));
            assert_eq!(rebased.schema.as_deref(), Some(moved));
        }
    }
}
