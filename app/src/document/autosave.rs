//! Autosave: unsaved edits are copied aside now and then, and offered again after a crash.
//!
//! Each window has a copy of its own, and a file beside it that it keeps locked. A process that dies leaves its lock, so a copy
//! whose lock is free is one that nobody will come back to.

use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use aplomb_sim::scene::Scene;
use serde::{Deserialize, Serialize};

/// Time between two copies.
const EVERY: Duration = Duration::from_secs(2);
/// Most windows that have a copy.
const WINDOWS: usize = 1000;

/// Edits that a crash left behind.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Recovered {
    /// The file they belong to, if it had one.
    pub path: Option<PathBuf>,
    /// Where relative paths of the scene start.
    pub base: PathBuf,
    /// The scene.
    pub scene: Scene,
}

/// A file for a copy, locked as long as this lives. The lock's file stays: if it were removed, somebody might be locking it.
#[derive(Debug)]
struct Place {
    file: PathBuf,
    _lock: File,
}

impl Place {
    /// The place of this file, unless somebody has it.
    fn take(file: PathBuf) -> Option<Self> {
        let lock = OpenOptions::new().create(true).truncate(false).write(true).open(file.with_extension("lock")).ok()?;
        lock.try_lock().ok().map(|()| Self { file, _lock: lock })
    }

    fn remove_copy(&self) {
        // Nothing to remove is what is wanted.
        let _ = std::fs::remove_file(&self.file);
    }
}

/// Keeps a copy of unsaved edits in one file; it is there only while there are any.
#[derive(Debug)]
pub struct Autosave {
    place: Option<Place>,
    /// Copies of other runs that ended, one offered after the other.
    found: Vec<Place>,
    last: Instant,
    kept: Option<Arc<Scene>>,
}

impl Autosave {
    /// Copies go into `folder`; `None` turns autosave off.
    pub fn new(folder: Option<&Path>) -> Self {
        let folder = folder.filter(|folder| std::fs::create_dir_all(folder).is_ok());
        let found = folder.map_or_else(Vec::new, left_behind);
        let place = folder.and_then(|folder| {
            let files = (1..=WINDOWS).map(|window| folder.join(format!("autosave-{window}.json")));
            files.filter(|file| !file.exists()).find_map(Place::take)
        });
        Self { place, found, last: Instant::now(), kept: None }
    }

    /// What an earlier run left behind; the first of several.
    pub fn recover(&mut self) -> Option<Recovered> {
        while let Some(place) = self.found.first() {
            let text = std::fs::read_to_string(&place.file).ok();
            if let Some(recovered) = text.and_then(|text| serde_json::from_str(&text).ok()) {
                return Some(recovered);
            }
            // It stays where it is, for whoever can read it.
            self.found.remove(0);
        }
        None
    }

    /// Removes the copy that [`Self::recover`] gave.
    pub fn drop_found(&mut self) {
        if !self.found.is_empty() {
            self.found.remove(0).remove_copy();
        }
    }

    /// The copy that [`Self::recover`] gave has become `document`: it is kept for this window from now on. Others wait for the next one.
    pub fn adopt_found(&mut self, document: &super::Document) {
        self.keep(document);
        if self.kept.is_some() {
            self.drop_found();
        }
        self.found.clear();
    }

    /// Copies the scene aside if it has unsaved edits and the last copy is old; removes the copy when there are none. Time after
    /// which it has to be asked again, although nobody may touch the window until then.
    pub fn tend(&mut self, document: &super::Document) -> Option<Duration> {
        if !document.is_dirty() || (document.path.is_none() && document.history.undo_label().is_none()) {
            self.discard();
            return None;
        }
        if self.kept.as_ref().is_some_and(|kept| Arc::ptr_eq(kept, document.scene())) {
            return None;
        }
        let rest = EVERY.saturating_sub(self.last.elapsed());
        if rest.is_zero() {
            self.keep(document);
            return None;
        }
        Some(rest)
    }

    /// Copies the scene aside now.
    pub fn keep(&mut self, document: &super::Document) {
        let Some(place) = &self.place else { return };
        let state = Recovered { path: document.path.clone(), base: document.folder().to_path_buf(), scene: (**document.scene()).clone() };
        if let Ok(text) = serde_json::to_string(&state) {
            // Written beside and renamed over, so that a crash in the middle leaves the copy before it.
            let beside = place.file.with_extension("tmp");
            let written = std::fs::write(&beside, text).and_then(|()| std::fs::rename(&beside, &place.file));
            if written.is_ok() {
                self.kept = Some(Arc::clone(document.scene()));
            }
        }
        self.last = Instant::now();
    }

    /// Removes the copy of this run.
    pub fn discard(&mut self) {
        if self.kept.take().is_some() {
            self.place.iter().for_each(Place::remove_copy);
        }
    }
}

/// The copies in `folder` that no window has.
fn left_behind(folder: &Path) -> Vec<Place> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|file| is_copy(file)).collect();
    files.sort();
    files.into_iter().filter_map(Place::take).collect()
}

fn is_copy(file: &Path) -> bool {
    let begins = file.file_stem().is_some_and(|stem| stem.to_string_lossy().starts_with("autosave"));
    begins && file.extension().is_some_and(|extension| extension == "json")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::Document;
    use super::*;

    fn edited(name: &str) -> Document {
        let mut document = Document::unsaved(Scene::empty("before"), PathBuf::new());
        document.edit("Rename", Scene::empty(name));
        document.settle();
        document
    }

    fn name(autosave: &mut Autosave) -> Option<String> {
        autosave.recover().map(|found| found.scene.name)
    }

    #[test]
    fn each_window_has_a_copy_and_none_is_offered_while_its_window_lives() {
        let folder = tempfile::tempdir().unwrap();
        let mut windows: Vec<Autosave> = (0..3).map(|_| Autosave::new(Some(folder.path()))).collect();
        for (number, window) in windows.iter_mut().enumerate() {
            window.keep(&edited(&format!("scene {number}")));
        }
        assert_eq!(name(&mut Autosave::new(Some(folder.path()))), None, "all of them live");
        // Two die: their locks go with them.
        let survivor = windows.remove(1);
        drop(windows);
        let mut next = Autosave::new(Some(folder.path()));
        assert_eq!(name(&mut next).as_deref(), Some("scene 0"));
        assert_eq!(name(&mut Autosave::new(Some(folder.path()))), None, "they are being asked about");
        next.drop_found();
        assert_eq!(name(&mut next).as_deref(), Some("scene 2"));
        next.drop_found();
        assert_eq!(name(&mut next), None);
        drop(survivor);
        assert_eq!(name(&mut Autosave::new(Some(folder.path()))).as_deref(), Some("scene 1"), "the third was left alone");
    }

    #[test]
    fn it_says_when_it_wants_to_be_asked_again() {
        let folder = tempfile::tempdir().unwrap();
        let mut autosave = Autosave::new(Some(folder.path()));
        let document = edited("precious");
        let rest = autosave.tend(&document).unwrap();
        assert!(rest <= EVERY && rest > EVERY / 2, "{rest:?}");
        // That much later, without an event in between.
        autosave.last = autosave.last.checked_sub(EVERY).unwrap();
        assert_eq!(autosave.tend(&document), None);
        assert!(autosave.kept.is_some());
        assert_eq!(autosave.tend(&document), None, "nothing is new");
    }

    #[test]
    fn what_was_recovered_is_kept_until_it_is_saved() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("autosave.json"), "damaged").unwrap();
        let mut first = Autosave::new(Some(folder.path()));
        first.keep(&edited("precious"));
        drop(first);
        let mut second = Autosave::new(Some(folder.path()));
        assert_eq!(name(&mut second).as_deref(), Some("precious"));
        second.adopt_found(&edited("precious"));
        drop(second);
        let mut third = Autosave::new(Some(folder.path()));
        assert_eq!(name(&mut third).as_deref(), Some("precious"));
        third.adopt_found(&edited("precious"));
        third.discard();
        drop(third);
        assert_eq!(name(&mut Autosave::new(Some(folder.path()))), None);
    }
}
