//! Where results of the worker go, and what computations hear on the way.

use std::sync::atomic::Ordering;
use std::sync::mpsc::Sender;
use std::sync::{Arc, PoisonError};

use aplomb_sim::watch::{Cancelled, Watch};

use crate::session::{Event, RunId, Shared, Snapshot, WakeUp};

/// Where results go.
pub struct Post {
    outbox: Sender<(RunId, Event)>,
    pub(super) shared: Arc<Shared>,
    wake_up: WakeUp,
}

impl Post {
    pub fn new(outbox: Sender<(RunId, Event)>, shared: Arc<Shared>, wake_up: WakeUp) -> Self {
        Self { outbox, shared, wake_up }
    }

    /// Puts a snapshot into the slot, and wakes the editor.
    pub(super) fn put(&self, snapshot: Snapshot) {
        *self.shared.snapshot.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(snapshot));
        (self.wake_up)();
    }

    pub(super) fn tell(&self, run: RunId, event: Event) {
        // The editor has gone when nobody receives; `Quit` or the closed inbox ends the thread next.
        let _ = self.outbox.send((run, event));
        (self.wake_up)();
    }
}

/// Lets a computation tell its progress and hear that it should stop.
pub(super) struct Watched<'a> {
    pub run: RunId,
    /// Number of the request that is being answered.
    pub ticket: u64,
    pub post: &'a Post,
}

impl Watch for Watched<'_> {
    fn progress(&self, stage: &str, done: f64) {
        self.post.tell(self.run, Event::Progress { stage: stage.to_owned(), done });
    }
    fn check(&self) -> Result<(), Cancelled> {
        if self.ticket <= self.post.shared.cancelled.load(Ordering::Relaxed) { Err(Cancelled) } else { Ok(()) }
    }
}

/// Lets a computation that nobody waits for hear that there is something else to do.
pub(super) struct Idle<'a> {
    pub ticket: u64,
    pub post: &'a Post,
}

impl Watch for Idle<'_> {
    fn progress(&self, _: &str, _: f64) {}
    fn check(&self) -> Result<(), Cancelled> {
        if self.ticket < self.post.shared.sent.load(Ordering::Relaxed) { Err(Cancelled) } else { Ok(()) }
    }
}
