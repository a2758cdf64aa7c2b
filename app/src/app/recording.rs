//! What would drop a recording asks first. Asked for again, it is done.

use std::mem::discriminant;
use std::sync::Arc;

use super::{App, Waiting};
use crate::document::Action;
use crate::panels::Banner;
use crate::session::{Activity, Track};

/// A recording that took longer than this is not dropped with its scene without a question [s]; others are soon made again.
const DEAR: f64 = 10.0;

impl App {
    fn tracks(&self) -> impl Iterator<Item = &Track> {
        std::iter::once(&self.main).chain(&self.twin)
    }

    /// Recorded frames of the longest run at hand.
    pub(super) fn recorded(&self) -> u64 {
        self.tracks().map(Track::last_frame).max().unwrap_or(0)
    }

    /// Whether a recording is lost with the scene that took long to make.
    pub(super) fn has_dear_recording(&self) -> bool {
        self.tracks().chain(&self.parked).any(|track| track.last_frame() > 0 && track.series.seconds() > DEAR)
    }

    /// What drops the recording if `action` is done; `None` where nothing is lost by it.
    fn drops(&self, action: &Action) -> Option<&'static str> {
        let (scene, folder) = (self.document.scene(), self.document.folder());
        let edited = || !self.tracks().all(|track| track.holds(scene, folder));
        let idle = matches!(self.main.activity, Activity::Idle | Activity::Running);
        let outdated = |parked: &Track| parked.last_frame() > 0 && !parked.holds(scene, folder);
        if matches!(action, Action::ToggleCompare) && self.twin.is_none() && self.parked.as_ref().is_some_and(outdated) {
            return Some("The scene was edited: A starts anew, and");
        }
        let gone = scene.bodies.is_empty() && !matches!(action, Action::ShowScene);
        if self.recorded() == 0 || gone || !idle {
            return None;
        }
        match action {
            Action::Reset => Some("Reset"),
            Action::SetTwinMethod(_) if self.twin.as_ref().is_some_and(|twin| twin.last_frame() > 0) => Some("A starts anew, and"),
            Action::InitialiseBy(_) | Action::Initialise | Action::UseCure(_) | Action::Mend(_) | Action::CompareCures => {
                Some("Initialise")
            }
            Action::Reload => Some("Reload"),
            Action::ShowScene => Some("The edit"),
            Action::TogglePlay if self.main.activity == Activity::Running => None,
            Action::TogglePlay if edited() => Some("The scene was edited: Play starts anew, and"),
            Action::Step if edited() => Some("The scene was edited: a step starts anew, and"),
            Action::FindRestShape(_) if edited() => Some("The scene was edited: a rest mesh is looked for anew, and"),
            _ => None,
        }
    }

    /// Whether `action` has to wait for an answer, because it would drop a recording.
    pub(super) fn asks(&mut self, action: &Action) -> bool {
        let Some(what) = self.drops(action) else { return false };
        let again = matches!(&self.waiting, Some(Waiting::Action(waiting)) if discriminant(&**waiting) == discriminant(action));
        if again && matches!(self.banner, Some(Banner::Recording(_))) {
            (self.banner, self.waiting) = (None, None);
            return false;
        }
        self.banner = Some(self.question(what, action));
        self.waiting = Some(Waiting::Action(Box::new(action.clone())));
        true
    }

    fn question(&self, what: &str, action: &Action) -> Banner {
        let lost = if matches!(action, Action::ToggleCompare) { &self.parked } else { &None };
        let count = lost.as_ref().map_or_else(|| self.recorded(), Track::last_frame);
        Banner::Recording(format!("{what} drops the recording of {}.", frames(count)))
    }

    /// Brings a question up to date: what plays meanwhile is lost as well.
    pub(super) fn ask_anew(&mut self) {
        if let (Some(Banner::Recording(_)), Some(Waiting::Action(action))) = (&self.banner, &self.waiting)
            && let Some(what) = self.drops(action)
        {
            self.banner = Some(self.question(what, action));
        }
    }

    /// Whether the bodies on screen stay those of the recording although the scene has others, or has them elsewhere. The question
    /// whether to drop it is asked once an edit.
    pub(super) fn keeps_recording(&mut self, outdated: bool) -> bool {
        let about_this = matches!(&self.waiting, Some(Waiting::Action(action)) if matches!(**action, Action::ShowScene));
        if !outdated || self.recorded() == 0 {
            if about_this {
                (self.banner, self.waiting) = (None, None);
            }
            self.kept = None;
            return false;
        }
        let scene = self.document.scene();
        if !self.kept.as_ref().is_some_and(|kept| Arc::ptr_eq(kept, scene)) {
            self.kept = Some(Arc::clone(scene));
            self.asks(&Action::ShowScene);
        }
        true
    }
}

fn frames(count: u64) -> String {
    format!("{count} frame{}", if count == 1 { "" } else { "s" })
}
