//! Watches the files of a scene, and tells when another program changed one.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};

/// Quiet time after the last event before a file is read: text editors write in several steps.
const QUIET: Duration = Duration::from_millis(200);

/// Content of each file, as a hash; `None` for one that cannot be read.
type Contents = BTreeMap<PathBuf, Option<u64>>;

/// Which files changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Change {
    /// The files whose content differs.
    pub files: Vec<PathBuf>,
}

/// Watches the folders of some files. Folders and not files, because a file that is renamed over is another file; by
/// content: a touch is no change, nor is a save of our own followed by [`FileWatch::watch`].
pub struct FileWatch {
    // Kept because dropping it ends the watch.
    watcher: Option<RecommendedWatcher>,
    changes: Receiver<Change>,
    known: Arc<Mutex<Contents>>,
    folders: Vec<PathBuf>,
}

impl FileWatch {
    /// Watches nothing yet. `wake_up` is called, from another thread, when there is a change.
    pub fn new(wake_up: impl Fn() + Send + 'static) -> Self {
        let (touched, touches) = mpsc::channel();
        let (sender, changes) = mpsc::channel();
        let known = Arc::new(Mutex::new(Contents::new()));
        let shared = Arc::clone(&known);
        let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            if event.is_ok_and(|event| !matches!(event.kind, EventKind::Access(_))) {
                // Nobody receives once the editor has closed.
                let _ = touched.send(Instant::now());
            }
        });
        let debouncer = std::thread::Builder::new().name("file watch".to_owned()).spawn(move || {
            while touches.recv().is_ok() {
                while touches.recv_timeout(QUIET).is_ok() {}
                let change = differences(&shared);
                if !change.files.is_empty() {
                    if sender.send(change).is_err() {
                        return;
                    }
                    wake_up();
                }
            }
        });
        drop(debouncer);
        Self { watcher: watcher.ok(), changes, known, folders: Vec::new() }
    }

    /// Watches these files, with the content they have now, and no others.
    pub fn watch(&mut self, files: &[PathBuf]) {
        let contents = files.iter().map(|file| (file.clone(), hash(file))).collect();
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = contents;
        let mut folders: Vec<_> = files.iter().filter_map(|file| file.parent().map(Path::to_path_buf)).collect();
        folders.sort();
        folders.dedup();
        if let Some(watcher) = self.watcher.as_mut().filter(|_| folders != self.folders) {
            for folder in &self.folders {
                // It may be gone, and with it the watch.
                let _ = watcher.unwatch(folder);
            }
            for folder in &folders {
                // A folder that is missing is told as a missing mesh when the scene is built.
                let _ = watcher.watch(folder, RecursiveMode::NonRecursive);
            }
            self.folders = folders;
        }
    }

    /// The next change, if there is one.
    pub fn poll(&self) -> Option<Change> {
        self.changes.try_recv().ok()
    }
}

/// Files whose content is not the known one any more; their content is known from now on.
fn differences(known: &Mutex<Contents>) -> Change {
    let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
    let mut change = Change::default();
    for (file, content) in known.iter_mut() {
        let now = hash(file);
        // A file that is away for a moment, between a removal and a rename, is not a change yet.
        if now.is_some() && now != *content {
            *content = now;
            change.files.push(file.clone());
        }
    }
    change
}

fn hash(file: &Path) -> Option<u64> {
    let bytes = std::fs::read(file).ok()?;
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    Some(hasher.finish())
}
