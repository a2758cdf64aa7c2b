//! Pictures to files, on a thread of their own.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender, TryRecvError};

use aplomb_sim::files::write_atomically;

use super::studio::{Shot, Studio};

/// Shots that may wait: each holds a picture's worth of positions.
const WAITING: usize = 2;

/// Draws shots and writes them as PNG files, one after the other. Dropped, it stops after the one in hand.
pub struct Press {
    orders: SyncSender<(Shot, PathBuf)>,
    news: Receiver<Result<(), String>>,
    stop: Arc<AtomicBool>,
}

impl Press {
    /// Starts the thread, which calls `wake_up` whenever there is news.
    ///
    /// # Errors
    /// The system gave no thread.
    pub fn start(wake_up: impl Fn() + Send + 'static) -> std::io::Result<Self> {
        let (orders, inbox) = mpsc::sync_channel::<(Shot, PathBuf)>(WAITING);
        let (outbox, news) = mpsc::channel();
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        std::thread::Builder::new().name("pictures".to_owned()).spawn(move || {
            let mut studio = None;
            for (shot, path) in inbox {
                if stopped.load(Ordering::Relaxed) {
                    return;
                }
                let printed = print(&mut studio, &shot, &path);
                let failed = printed.is_err();
                // Nobody receives once the editor has closed, or has had enough.
                let _ = outbox.send(printed);
                wake_up();
                if failed {
                    return;
                }
            }
        })?;
        Ok(Self { orders, news, stop })
    }

    /// Has `shot` drawn and written to `path`; false if too many wait already.
    pub fn send(&self, shot: Shot, path: PathBuf) -> bool {
        self.orders.try_send((shot, path)).is_ok()
    }

    /// What became of the next picture, once that is known: in words where it failed.
    pub fn poll(&self) -> Option<Result<(), String>> {
        match self.news.try_recv() {
            Ok(news) => Some(news),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Err("drawing pictures stopped on an internal error".to_owned())),
        }
    }
}

impl Drop for Press {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

fn print(studio: &mut Option<Studio>, shot: &Shot, path: &Path) -> Result<(), String> {
    let ready = match studio.take() {
        Some(ready) => ready,
        None => Studio::new().map_err(|error| error.to_string())?,
    };
    let picture = studio.insert(ready).shoot(shot).map_err(|error| error.to_string())?;
    let mut bytes = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut bytes, image::ImageFormat::Png).map_err(|error| format!("the picture cannot be encoded: {error}"))?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let made = folder.map_or(Ok(()), std::fs::create_dir_all);
    made.and_then(|()| write_atomically(path, bytes.get_ref())).map_err(|error| format!("{} cannot be written: {error}", path.display()))
}
