//! Surfaces that are made on a thread of their own while the last ones are seen.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use aplomb_sim::math::Vec3;
use aplomb_sim::reconstruction::Reconstruction;
use aplomb_sim::watch::Flagged;

use super::{Cloud, is_cloud};
use crate::session::{Model, WakeUp};

/// What surfaces are of: a model, and where its nodes are.
type Subject = (Arc<Model>, Arc<[Vec3]>);

/// Surfaces that were made: one for each body of points that has one.
#[derive(Debug)]
pub struct Made {
    of: Subject,
    clouds: Vec<Option<Cloud>>,
}

impl Made {
    /// That of a body.
    pub fn of_body(&self, body: usize) -> Option<&Cloud> {
        self.clouds.get(body)?.as_ref()
    }
}

/// The surfaces that were made last, and those that are being made.
#[derive(Default)]
pub struct Maker {
    last: Option<Arc<Made>>,
    at_work: Option<(Subject, Receiver<Made>)>,
    /// Raised where nobody waits any more for what is being made.
    cancel: Arc<AtomicBool>,
    /// Called when there are others.
    wake_up: Option<WakeUp>,
    /// Counts what was made.
    count: u64,
}

impl fmt::Debug for Maker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Maker").field("count", &self.count).finish_non_exhaustive()
    }
}

impl Maker {
    /// Has this called when surfaces are made.
    pub fn wake(&mut self, wake_up: &WakeUp) {
        self.wake_up.get_or_insert_with(|| Arc::clone(wake_up));
    }

    /// The surfaces of `model` with its nodes at `positions` [m]; as long as they are not made, those that were made of it before.
    pub fn get(&mut self, model: &Arc<Model>, positions: &Arc<[Vec3]>) -> Option<Arc<Made>> {
        self.take_in();
        let is_of = |(of, at): &Subject| Arc::ptr_eq(of, model) && Arc::ptr_eq(at, positions);
        if self.at_work.as_ref().is_some_and(|((of, _), _)| !Arc::ptr_eq(of, model)) {
            self.give_up();
        }
        if self.at_work.is_none() && !self.last.as_ref().is_some_and(|made| is_of(&made.of)) {
            self.begin((Arc::clone(model), Arc::clone(positions)));
        }
        self.last.clone().filter(|made| Arc::ptr_eq(&made.of.0, model))
    }

    /// Nothing is wanted.
    pub fn rest(&mut self) {
        self.give_up();
        self.last = None;
    }

    /// Whether what is seen is older than what was asked for.
    pub fn is_at_work(&self) -> bool {
        self.at_work.is_some()
    }

    /// How often something was made.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Takes in what was made.
    pub fn take_in(&mut self) {
        let Some((of, answer)) = self.at_work.take() else { return };
        match answer.try_recv() {
            Ok(made) => self.last = Some(Arc::new(made)),
            Err(TryRecvError::Empty) => return self.at_work = Some((of, answer)),
            // It had no thread, or lost it: the points are seen, and nothing is asked again for them.
            Err(TryRecvError::Disconnected) => self.last = Some(Arc::new(Made { of, clouds: Vec::new() })),
        }
        self.count += 1;
    }

    fn give_up(&mut self) {
        self.cancel.store(true, Ordering::Relaxed);
        self.at_work = None;
    }

    fn begin(&mut self, of: Subject) {
        let (sender, answer) = channel();
        let (work, wake_up) = (of.clone(), self.wake_up.clone());
        self.cancel = Arc::default();
        let cancel = Arc::clone(&self.cancel);
        let started = std::thread::Builder::new().name("surfaces".to_owned()).spawn(move || {
            let watch = Flagged { cancel: &cancel, report: |_: &str, _| {} };
            let (model, positions) = &work;
            let around = |body| Cloud::around(body, positions, Reconstruction::USUAL, &watch).ok();
            let clouds = model.bodies.iter().map(|body| is_cloud(body).then(|| around(body)).flatten()).collect();
            // Nobody receives once another scene is opened.
            let _ = sender.send(Made { of: work, clouds });
            if let Some(wake_up) = wake_up {
                wake_up();
            }
        });
        drop(started);
        self.at_work = Some((of, answer));
    }
}

impl Drop for Maker {
    fn drop(&mut self) {
        self.cancel.store(true, Ordering::Relaxed);
    }
}
