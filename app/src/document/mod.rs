//! The document: the scene being edited, its file, what is selected, and the way back.

mod autosave;
mod by_place;
pub mod command;
pub mod day;
mod dialog;
mod duplicate;
mod files;
mod folder;
mod history;
mod import;
mod keymap;
mod mend;
mod names;
mod near;
mod net;
mod paint;
mod painted;
pub mod picture;
pub mod place;
mod presets;
mod probe;
mod remove;
mod reshape;
mod role;
mod selected;
mod shape;
mod stiffness;
mod symmetry;
mod watch;

use std::hash::Hasher;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use aplomb_sim::scene::{ProbePlace, Scene, SceneProblem};
use aplomb_sim::scene_file::gallery;

use crate::sources::{Sources, is_same};

pub use autosave::{Autosave, Recovered};
pub use by_place::ByPlace;
pub use command::Tool;
pub use command::{Action, COMMANDS, Choice, Command, FileAction, FileRequest, Overlay};
pub use dialog::Dialog;
pub use duplicate::duplicated;
pub use files::{RecentFile, RecentFiles, absolute, free_path, rebased, relative};
pub use folder::{FolderEntry, FolderReader, Listing};
pub use history::History;
pub use import::{
    ImportOptions, levelled, scene_of_mesh, scene_of_meshes, scene_with_first_mesh, scene_with_mesh, standing, step_particles,
};
pub use keymap::Keymap;
pub use mend::{mend_hint, mend_label, mended};
pub use names::{detach, follow_body, follow_obstacle, follow_region, renamed};
pub use near::nearness;
pub use net::NetOptions;
pub use paint::{PALETTE, Stroke, region_color, role_color};
pub use picture::{PictureKind, PictureOptions, PictureRequest, PictureSize};
pub use presets::{FIBRES, Fibre, MEASURED, PRESETS, Preset, Proposal, SHEETS, Sheet, propose};
pub use probe::{new_probe, probe_color};
pub use remove::removed;
pub use reshape::{RESHAPES, Reshape};
pub use role::{RoleKind, first_motion, free_name, new_region, next_keyframe, turned};
pub use shape::{MeshFile, ShapeKind, new_obstacle};
pub use stiffness::{FieldMode, FieldStroke, factors, field_limit};
pub use symmetry::OtherSide;
pub use watch::{Change, FileWatch};

/// Name of a scene that nobody has named yet.
pub const UNTITLED: &str = "Untitled";

/// What the inspector shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Selection {
    /// The scene as a whole: gravity, contact, step size.
    #[default]
    Scene,
    /// A body, by its place in the scene.
    Body(usize),
    /// A region of a body.
    Region(usize, usize),
    /// An obstacle.
    Obstacle(usize),
    /// A probe, by its place in the scene.
    Probe(usize),
    /// A place of a body.
    Place(usize, ProbePlace),
}

/// The scene being edited.
pub struct Document {
    scene: Arc<Scene>,
    saved: Arc<Scene>,
    /// The file; `None` before the first save.
    pub path: Option<PathBuf>,
    /// Where relative paths start while there is no file.
    base: PathBuf,
    /// Mark of what the file held when it was last read, written, or told to be known.
    known: Option<u64>,
    /// What is selected; of several things, the one that was selected last.
    pub selection: Selection,
    /// What else is, and along with what: with anything else it is not.
    along: (Selection, Vec<Selection>),
    /// Undo and redo.
    pub history: History,
    /// What was wrong when the file was read last; the scene is the last good one.
    pub problems: Vec<SceneProblem>,
}

impl Document {
    /// A scene without a file, whose relative paths start at `base`.
    pub fn unsaved(scene: Scene, base: PathBuf) -> Self {
        let scene = Arc::new(scene);
        Self {
            saved: Arc::clone(&scene),
            scene,
            path: None,
            base,
            known: None,
            selection: Selection::Scene,
            along: Default::default(),
            history: History::default(),
            problems: Vec::new(),
        }
    }

    /// A scene with nothing in it and without a file, whose relative paths start at `base`.
    pub fn untitled(base: PathBuf) -> Self {
        Self::unsaved(Scene::empty(UNTITLED), base)
    }

    /// Reads a scene file.
    ///
    /// # Errors
    /// Every problem of the file.
    pub fn open(path: &Path) -> Result<Self, Vec<SceneProblem>> {
        let path = absolute(path);
        // Looked at first: a change while it is read is one that is not known.
        let known = mark(&path);
        let scene = aplomb_sim::scene_file::load(&path)?;
        let base = path.parent().map(Path::to_path_buf).unwrap_or_default();
        let selection = if scene.bodies.is_empty() { Selection::Scene } else { Selection::Body(0) };
        Ok(Self { path: Some(path), known, selection, ..Self::unsaved(scene, base) })
    }

    /// The scene as it is now.
    pub fn scene(&self) -> &Arc<Scene> {
        &self.scene
    }

    /// Where relative paths start.
    pub fn folder(&self) -> &Path {
        self.path.as_deref().and_then(Path::parent).unwrap_or(&self.base)
    }

    /// Whether there is anything to save.
    pub fn is_dirty(&self) -> bool {
        self.path.is_none() && !self.scene.bodies.is_empty() || self.scene != self.saved
    }

    /// Whether there is nothing in the scene yet, and no file that could not be read is the reason.
    pub fn is_blank(&self) -> bool {
        self.scene.bodies.is_empty() && self.scene.obstacles.is_empty() && self.problems.is_empty()
    }

    /// Whether the file is one of the gallery, which others start from.
    pub fn is_of_gallery(&self) -> bool {
        let entry = |path: &PathBuf| gallery::find(path.file_stem()?.to_str()?);
        self.path.as_ref().is_some_and(|path| entry(path).is_some_and(|entry| is_same(&entry.path(), path)))
    }

    /// Whether `target` is the file of the document, with what it held when it was last looked at.
    pub fn is_own_file(&self, target: &Path) -> bool {
        self.path.as_ref().is_some_and(|path| is_same(path, target)) && mark(target) == self.known
    }

    /// What the file holds now is known to the user.
    pub fn acknowledge(&mut self) {
        self.known = self.path.as_deref().and_then(mark);
    }

    /// Every file that the scene is made of; with its own file where that is asked for.
    pub fn sources(&self, own_file: bool) -> Sources {
        let mut sources = Sources::of_scene(&self.scene, self.folder());
        self.path.iter().filter(|_| own_file).for_each(|path| sources.add(path));
        sources
    }

    /// Name for the title of the window.
    pub fn title(&self) -> String {
        let name = self.path.as_deref().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
        let unsaved = || if self.scene.name == UNTITLED { UNTITLED.to_owned() } else { format!("{} (not saved yet)", self.scene.name) };
        name.unwrap_or_else(unsaved)
    }

    /// Puts `scene` in the place of the present one. Edits with one label merge into one undo step until [`Self::settle`].
    pub fn edit(&mut self, label: &str, scene: Scene) {
        if scene != *self.scene {
            self.history.begin(label, &self.scene);
            self.scene = Arc::new(scene);
            self.keep_selection();
        }
    }

    /// Puts `scene` in the place of the present one as if it had been so from the start: no edit of the user's, and no undo step.
    pub fn restate(&mut self, scene: Scene) {
        let was_saved = self.saved == self.scene;
        self.scene = Arc::new(scene);
        if was_saved {
            self.saved = Arc::clone(&self.scene);
        }
        self.keep_selection();
    }

    /// The interaction is over: what was edited since it began is one undo step.
    pub fn settle(&mut self) {
        self.history.settle(&self.scene);
    }

    /// Takes back the last edit.
    pub fn undo(&mut self) {
        self.settle();
        if let Some(scene) = self.history.undo(&self.scene) {
            self.scene = scene;
            self.keep_selection();
        }
    }

    /// Does again what was taken back last.
    pub fn redo(&mut self) {
        self.settle();
        if let Some(scene) = self.history.redo(&self.scene) {
            self.scene = scene;
            self.keep_selection();
        }
    }

    /// Takes steps back, or does them again, until `count` of them are done.
    pub fn go_to(&mut self, count: usize) {
        self.settle();
        let (steps, mut done) = self.history.steps();
        let count = count.min(steps.len());
        while done > count {
            self.undo();
            done -= 1;
        }
        while done < count {
            self.redo();
            done += 1;
        }
    }

    /// Writes the scene to its file, or to `path` if one is given: mesh paths are then changed to start at its folder.
    ///
    /// # Errors
    /// What the file system said, that a mesh of the scene lies there, or that it is no file.
    pub fn save(&mut self, path: Option<&Path>) -> std::io::Result<()> {
        self.settle();
        let Some(target) = path.map(absolute).or_else(|| self.path.clone()) else {
            return Err(std::io::Error::other("choose a file with Save as"));
        };
        let folder = target.parent().map(Path::to_path_buf).unwrap_or_default();
        self.sources(false).keep_from(&target).map_err(std::io::Error::other)?;
        // The window would wait for whoever reads a pipe.
        if target.metadata().is_ok_and(|there| !there.is_file() && !there.is_dir()) {
            return Err(std::io::Error::other("it is a device or a pipe; choose another name"));
        }
        let scene = rebased(&self.scene, self.folder(), &folder);
        aplomb_sim::scene_file::save(&target, &scene)?;
        self.scene = Arc::new(scene);
        self.saved = Arc::clone(&self.scene);
        self.path = Some(target);
        self.acknowledge();
        self.problems.clear();
        Ok(())
    }

    /// Takes in the file as it is on disk now. An unreadable file leaves the last good scene, and its problems.
    pub fn reload(&mut self) -> bool {
        let Some(path) = &self.path else { return false };
        self.known = mark(path);
        match aplomb_sim::scene_file::load(path) {
            Ok(scene) => {
                self.settle();
                self.problems.clear();
                let scene = Arc::new(scene);
                self.saved = Arc::clone(&scene);
                if scene != self.scene {
                    self.history.begin("Reload from disk", &self.scene);
                    self.scene = scene;
                    self.history.settle(&self.scene);
                    self.keep_selection();
                }
                true
            }
            Err(problems) => {
                self.problems = problems;
                false
            }
        }
    }

    /// Meshes that the scene reads, as absolute paths.
    pub fn meshes(&self) -> Vec<PathBuf> {
        self.scene.mesh_files().map(|(_, mesh)| self.folder().join(mesh)).collect()
    }

    /// A selection that points at nothing moves to what holds it.
    fn keep_selection(&mut self) {
        let bodies = &self.scene.bodies;
        let kept = match self.selection {
            Selection::Body(body) if body >= bodies.len() => Selection::Scene,
            Selection::Region(body, _) if body >= bodies.len() => Selection::Scene,
            Selection::Region(body, region) if region >= bodies[body].regions.len() => Selection::Body(body),
            Selection::Obstacle(obstacle) if obstacle >= self.scene.obstacles.len() => Selection::Scene,
            Selection::Probe(probe) if probe >= self.scene.probes.len() => Selection::Scene,
            Selection::Place(body, _) if body >= bodies.len() => Selection::Scene,
            kept => kept,
        };
        if kept != self.selection {
            self.selection = kept;
        }
        self.keep_along();
    }
}

/// A number that differs where the content of the file does; `None` where it cannot be read.
fn mark(file: &Path) -> Option<u64> {
    let mut hasher = std::hash::DefaultHasher::new();
    hasher.write(&aplomb_sim::files::read(file).ok()?);
    Some(hasher.finish())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;

    #[test]
    fn a_mesh_of_the_scene_is_not_saved_over() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let path = gallery::find("hanging_beam").unwrap().path();
        let mut scene = aplomb_sim::scene_file::load(&path).unwrap();
        scene.bodies[0].mesh = "beam.mesh".to_owned();
        std::fs::write(at("beam.mesh"), "precious").unwrap();
        std::fs::hard_link(at("beam.mesh"), at("link.json")).unwrap();
        let mut document = Document::unsaved(scene, folder.path().to_path_buf());
        for name in ["beam.mesh", "link.json"] {
            assert!(document.save(Some(&at(name))).unwrap_err().to_string().contains("was read"), "{name}");
        }
        assert_eq!(std::fs::read(at("beam.mesh")).unwrap(), b"precious");
        assert!(document.save(Some(&at("scene.json"))).is_ok());
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_file_is_refused_and_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        assert!(std::process::Command::new("mkfifo").arg(at("pipe.json")).status().unwrap().success());
        std::os::unix::fs::symlink(at("pipe.json"), at("link.json")).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(at("socket.json")).unwrap();
        let save = |name: &str| {
            // On a thread of its own: whoever waited for a reader would wait for ever.
            let (sender, answer) = std::sync::mpsc::channel();
            let target = at(name);
            std::thread::spawn(move || {
                let saved = Document::unsaved(Scene::empty("scene"), PathBuf::new()).save(Some(&target));
                sender.send(saved.map_err(|why| why.to_string()))
            });
            answer.recv_timeout(std::time::Duration::from_secs(20)).unwrap_or_else(|_| panic!("{name} is waited for"))
        };
        for name in ["pipe.json", "link.json", "socket.json"] {
            assert!(save(name).unwrap_err().contains("pipe"), "{name}");
        }
        assert_eq!(save("other.json"), Ok(()));
    }
}
