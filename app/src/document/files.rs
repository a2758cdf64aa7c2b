//! Paths: where relative ones start, how they move with the scene, and the files opened lately.

use std::path::{Component, Path, PathBuf};

use aplomb_sim::scene::Scene;

use super::day::now;

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

/// A scene file that was opened or saved lately.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecentFile {
    /// The file.
    pub path: PathBuf,
    /// When [s since 1970, UTC]; unknown of those that were kept without it.
    pub used: Option<i64>,
}

/// Scene files opened or saved lately, newest first, kept between runs in one line each: the path, a tab, and when.
#[derive(Debug, Default)]
pub struct RecentFiles {
    /// The files.
    pub files: Vec<RecentFile>,
    store: Option<PathBuf>,
}

impl RecentFiles {
    /// Reads the list that is kept in `folder`.
    pub fn read(folder: Option<&Path>) -> Self {
        let store = folder.map(|folder| folder.join("recent.txt"));
        let text = store.as_ref().and_then(|store| std::fs::read_to_string(store).ok()).unwrap_or_default();
        let entry = |line: &str| match line.rsplit_once('\t').and_then(|(path, used)| Some((path, used.parse().ok()?))) {
            Some((path, used)) => RecentFile { path: path.into(), used: Some(used) },
            None => RecentFile { path: line.into(), used: None },
        };
        Self { files: text.lines().map(entry).filter(|file| file.path.is_file()).take(RECENT).collect(), store }
    }

    /// Puts `file` first.
    pub fn add(&mut self, file: &Path) {
        let file = RecentFile { path: absolute(file), used: Some(now()) };
        self.files.retain(|other| other.path != file.path);
        self.files.insert(0, file);
        self.files.truncate(RECENT);
        self.keep();
    }

    /// Forgets them all; the files themselves stay.
    pub fn clear(&mut self) {
        self.files.clear();
        self.keep();
    }

    fn keep(&self) {
        if let Some(store) = &self.store {
            let line =
                |file: &RecentFile| format!("{}{}", file.path.display(), file.used.map_or_else(String::new, |used| format!("\t{used}")));
            let lines: Vec<_> = self.files.iter().map(line).collect();
            // The list is a convenience: a disk that cannot keep it is no reason to disturb anybody.
            let _ =
                std::fs::create_dir_all(store.parent().unwrap_or(Path::new("."))).and_then(|()| std::fs::write(store, lines.join("\n")));
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_mesh_keeps_its_place_when_the_scene_moves() {
        assert_eq!(relative(Path::new("/a/assets/x.mesh"), Path::new("/a/scenes")), "../assets/x.mesh");
        assert_eq!(relative(Path::new("/a/x.mesh"), Path::new("/a")), "x.mesh");
        assert_eq!(absolute(Path::new("/a/b/../c/./d")), Path::new("/a/c/d"));
    }

    #[test]
    fn recent_files_are_kept_with_their_time_and_those_of_before_without() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["old.json", "with\ttab.json", "new.json"] {
            std::fs::write(at(name), "{}").unwrap();
        }
        std::fs::write(at("recent.txt"), format!("{}\n{}\n/gone.json\t5", at("old.json").display(), at("with\ttab.json").display()))
            .unwrap();
        let mut recent = RecentFiles::read(Some(folder.path()));
        let names = |recent: &RecentFiles| recent.files.iter().map(|file| (file.path.clone(), file.used.is_some())).collect::<Vec<_>>();
        assert_eq!(names(&recent), [(at("old.json"), false), (at("with\ttab.json"), false)], "what is gone is left out");
        recent.add(&at("new.json"));
        let expected = [(at("new.json"), true), (at("old.json"), false), (at("with\ttab.json"), false)];
        assert_eq!(names(&RecentFiles::read(Some(folder.path()))), expected);
        recent.clear();
        assert!(RecentFiles::read(Some(folder.path())).files.is_empty() && at("new.json").is_file());
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
