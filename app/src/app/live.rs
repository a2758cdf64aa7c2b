//! Live: what was edited is put into balance again while one goes on working. Only the latest scene counts: an edit gives up the balance
//! of the one before it.

use std::sync::Arc;

use super::App;
use crate::session::Activity;

impl App {
    /// Whether edits are balanced as they are made.
    pub(super) fn is_live(&self) -> bool {
        self.main.model.as_ref().is_some_and(|model| self.desk.is_live(model.elements()))
    }

    /// Balances the scene if it was edited since and nothing speaks against it. Within an interaction that has not `settled`, such as the
    /// drag of a number, the next balance waits for the one in hand; strokes wait for their end.
    pub(super) fn balance_live(&mut self, settled: bool) {
        let is_free = match self.main.activity {
            Activity::Idle => true,
            Activity::Balancing => settled,
            _ => false,
        };
        let is_importing = self.desk.preview.is_some() || self.filling.is_some() || self.untried.is_some() || self.trial.is_some();
        if !is_free || !self.is_live() || is_importing || self.is_painting() || self.recorded() > 0 {
            return;
        }
        let (scene, folder) = (Arc::clone(self.document.scene()), self.document.folder().to_path_buf());
        let is_given_up = self.given_up.as_ref().is_some_and(|given_up| Arc::ptr_eq(given_up, &scene));
        if scene.bodies.is_empty() || is_given_up || self.main.holds(&scene, &folder) {
            return;
        }
        self.given_up = None;
        self.desk.point_at_nothing();
        self.main.rebalance(&scene, &folder, self.desk.method);
        self.load_twin();
    }

    /// Gives the balance in hand up; the scene is not balanced again until the next edit.
    pub(super) fn give_balance_up(&mut self) {
        self.given_up = Some(Arc::clone(self.document.scene()));
        self.main.cancel();
    }
}
