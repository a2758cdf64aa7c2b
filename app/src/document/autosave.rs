//! Autosave: unsaved edits are copied aside now and then, and offered again after a crash.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use aplomb_sim::scene::Scene;
use serde::{Deserialize, Serialize};

/// Time between two copies.
const EVERY: Duration = Duration::from_secs(20);

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

/// Keeps a copy of unsaved edits in one file; it is there only while there are any.
#[derive(Debug)]
pub struct Autosave {
    file: Option<PathBuf>,
    last: Instant,
    kept: Option<Arc<Scene>>,
}

impl Autosave {
    /// Copies go into `folder`; `None` turns autosave off.
    pub fn new(folder: Option<&Path>) -> Self {
        Self { file: folder.map(|folder| folder.join("autosave.json")), last: Instant::now(), kept: None }
    }

    /// What an earlier run left behind.
    pub fn recover(&self) -> Option<Recovered> {
        let text = std::fs::read_to_string(self.file.as_ref()?).ok()?;
        serde_json::from_str(&text).ok()
    }

    /// Copies the scene aside if it has unsaved edits and the last copy is old; removes the copy when there are none.
    pub fn tend(&mut self, document: &super::Document) {
        if !document.is_dirty() || (document.path.is_none() && document.history.undo_label().is_none()) {
            return self.discard();
        }
        let changed = self.kept.as_ref().is_none_or(|kept| !Arc::ptr_eq(kept, document.scene()));
        if changed && self.last.elapsed() >= EVERY {
            self.keep(document);
        }
    }

    /// Copies the scene aside now.
    pub fn keep(&mut self, document: &super::Document) {
        let Some(file) = &self.file else { return };
        let state = Recovered { path: document.path.clone(), base: document.folder().to_path_buf(), scene: (**document.scene()).clone() };
        if let (Some(folder), Ok(text)) = (file.parent(), serde_json::to_string(&state)) {
            // Written beside and renamed over, so that a crash in the middle leaves the copy before it.
            let beside = file.with_extension("tmp");
            let written =
                std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&beside, text)).and_then(|()| std::fs::rename(&beside, file));
            if written.is_ok() {
                self.kept = Some(Arc::clone(document.scene()));
            }
        }
        self.last = Instant::now();
    }

    /// Removes the copy of this run.
    pub fn discard(&mut self) {
        if self.kept.take().is_some() {
            self.forget();
        }
    }

    /// Removes whatever copy there is.
    pub fn forget(&self) {
        if let Some(file) = &self.file {
            // Nothing to remove is what is wanted.
            let _ = std::fs::remove_file(file);
        }
    }
}
