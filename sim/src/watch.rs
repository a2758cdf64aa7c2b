//! Progress and cancellation, handed down into every long loop.

use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering};

/// The work was cancelled from outside; whatever was being changed is left as it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;

/// What a long computation reports to, and asks whether to go on.
pub trait Watch: Sync {
    /// The computation is in `stage`, of which the share `done` (0 to 1) is behind it.
    fn progress(&self, stage: &str, done: f64);
    /// `Err(Cancelled)` once somebody asked to stop. Called in every long loop.
    fn check(&self) -> Result<(), Cancelled>;
}

/// Nobody watches: no progress is shown and nothing cancels.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unwatched;

impl Watch for Unwatched {
    fn progress(&self, _stage: &str, _done: f64) {}
    fn check(&self) -> Result<(), Cancelled> {
        Ok(())
    }
}

/// Cancels when a flag is raised, and otherwise passes progress on to a closure.
pub struct Flagged<'a, F: Fn(&str, f64) + Sync> {
    /// Raised by whoever wants the computation to stop.
    pub cancel: &'a AtomicBool,
    /// Receives the stage's name and the share of it that is done.
    pub report: F,
}

impl<F: Fn(&str, f64) + Sync> Watch for Flagged<'_, F> {
    fn progress(&self, stage: &str, done: f64) {
        (self.report)(stage, done);
    }
    fn check(&self) -> Result<(), Cancelled> {
        if self.cancel.load(Ordering::Relaxed) { Err(Cancelled) } else { Ok(()) }
    }
}

/// A stretch of the way of another [`Watch`]: its progress from 0 to 1 is the other's between two shares.
pub struct Span<'a> {
    /// Who is told, and asked.
    pub watch: &'a dyn Watch,
    /// Where the stretch begins.
    pub from: f64,
    /// Where it ends.
    pub to: f64,
}

impl Watch for Span<'_> {
    fn progress(&self, stage: &str, done: f64) {
        self.watch.progress(stage, self.from + (self.to - self.from) * done);
    }

    fn check(&self) -> Result<(), Cancelled> {
        self.watch.check()
    }
}

/// Tries one after another, nobody knows how many: as one stage of another [`Watch`], of which each has a share of what is left.
pub struct Tries<'a> {
    watch: &'a dyn Watch,
    stage: &'static str,
    begun: AtomicI32,
    /// The farthest that was told, in bits: what begins anew within a try does not go back.
    told: AtomicU64,
}

impl<'a> Tries<'a> {
    /// Share of what is left that a try leaves.
    const LEAVES: f64 = 0.85;

    /// None yet, of such a stage.
    pub fn new(watch: &'a dyn Watch, stage: &'static str) -> Self {
        Self { watch, stage, begun: AtomicI32::new(0), told: AtomicU64::new(0) }
    }

    /// Who watches the next try.
    pub fn next(&self) -> &Self {
        self.begun.fetch_add(1, Ordering::Relaxed);
        self
    }
}

impl Watch for Tries<'_> {
    fn progress(&self, _stage: &str, done: f64) {
        let before = self.begun.load(Ordering::Relaxed).max(1) - 1;
        let left = Self::LEAVES.powi(before) * (1.0 - (1.0 - Self::LEAVES) * done.clamp(0.0, 1.0));
        let done = 1.0 - left;
        let before = f64::from_bits(self.told.fetch_max(done.to_bits(), Ordering::Relaxed));
        self.watch.progress(self.stage, done.max(before));
    }

    fn check(&self) -> Result<(), Cancelled> {
        self.watch.check()
    }
}
