//! Whether something can be done now, and if not, why: menus, palette, keys and buttons tell the same.

use aplomb_sim::scene::Method;

use super::Look;
use crate::document::{Action, FileAction, Selection};
use crate::drawing::cloud::is_cloud;
use crate::session::Activity;

/// Reasons that are given in several places.
const NO_BODY: &str = "there is no body yet: import a mesh first";
const BUSY: &str = "wait until the work in hand is done, or cancel it";
const NO_REGION: &str = "select a region first";
const NOTHING_CHOSEN: &str = "drag over bars of the histogram first: no elements of a body are chosen";
const REPLAYED: &str = "this is a recording that was opened: Reset goes back to a run of its own";
const NOT_RECORDED: &str = "nothing is recorded yet: press Play first";

impl Look<'_> {
    /// Why `action` cannot be done now; `None` where it can.
    pub fn why_not(&self, action: &Action) -> Option<&'static str> {
        let none = self.document.scene().bodies.is_empty();
        let busy = matches!(self.main.activity, Activity::Initialising | Activity::Working);
        let of_region = matches!(self.document.selection, Selection::Region(..));
        let of_body = matches!(self.document.selection, Selection::Body(_));
        let recorded = self.main.last_frame() > 0 || self.twin.is_some_and(|twin| twin.last_frame() > 0);
        let because = |is_so: bool, why: &'static str| is_so.then_some(why);
        match action {
            Action::Undo => because(self.document.history.undo_label().is_none(), "there is nothing to undo"),
            Action::Redo => because(self.document.history.redo_label().is_none(), "there is nothing to redo"),
            Action::Delete => because(self.document.selection == Selection::Scene, "select a body, a region or an obstacle first"),
            Action::Reload => because(self.document.path.is_none(), "the scene has no file yet"),
            Action::Ask(FileAction::Run) => because(!recorded, NOT_RECORDED),
            Action::Ask(FileAction::Recording) => because(none, "open the scene first that it was made of"),
            Action::Ask(FileAction::Bodies) => because(none, NO_BODY),
            Action::Ask(FileAction::PreparedAsset) if !none => {
                because(!self.is_current(), "initialise first: there is no rest state of the scene as it is now")
            }
            Action::Ask(FileAction::RestMesh) if !none => {
                because(self.main.rest_shape.is_none(), "look for a rest mesh first: there is none of the scene as it is now")
            }
            Action::Ask(FileAction::PreparedAsset | FileAction::RestMesh) => Some(NO_BODY),
            // A body as a whole has its stiffness to be painted.
            Action::ToggleBrush => because(none, NO_BODY).or(because(!of_region && !of_body, NO_REGION)),
            Action::Reshape(_) => because(none, NO_BODY).or(because(!of_region, NO_REGION)),
            Action::RegionOfChoice => because(none, NO_BODY).or(because(!self.has_chosen_cells(), NOTHING_CHOSEN)),
            Action::Kick(_) | Action::Nudge | Action::Gust | Action::ToggleHand => {
                because(none, NO_BODY).or(because(self.main.is_replay, REPLAYED))
            }
            Action::NewRegion(_) | Action::ToggleCompare | Action::Reset | Action::Step => because(none, NO_BODY),
            Action::Initialise => because(none, NO_BODY).or(because(self.main.activity == Activity::Initialising, BUSY)),
            Action::TogglePlay => because(none, NO_BODY).or(because(busy, BUSY)),
            Action::CompareCures | Action::FindRestShape(_) => because(none, NO_BODY).or(because(self.main.activity.is_busy(), BUSY)),
            Action::NudgeTest => {
                let held = self.main.method != Method::Naive && self.is_current();
                because(none, NO_BODY).or(because(!held, "initialise first: only an equilibrium can be nudged"))
            }
            Action::ToggleSurface => {
                let has_points = self.main.model.as_ref().is_some_and(|model| model.bodies.iter().any(is_cloud));
                because(none, NO_BODY).or(because(!has_points, "no body is made of points"))
            }
            Action::Seek(_) => because(none, NO_BODY).or(because(!recorded, NOT_RECORDED)),
            _ => None,
        }
    }

    /// Whether elements are pointed out that are cells of a body of the scene as it is now.
    fn has_chosen_cells(&self) -> bool {
        let (Some(choice), Some(model)) = (&self.desk.choice, &self.main.model) else { return false };
        model.bodies.len() == self.document.scene().bodies.len() && model.cells_among(&choice.elements).next().is_some()
    }
}
