//! A row of something that can be selected: alone, along with others, by a menu, and renamed where it stands.

use egui::Ui;

use super::row::{ROW, Row};
use crate::document::{Action, Selection};
use crate::panels::{Look, context_menu, rename};

/// Draws the row of `what`, or the field of its new name. True if what belongs to it is to be folded, or unfolded.
pub fn show(ui: &mut Ui, look: &mut Look<'_>, row: &Row<'_>, what: Selection) -> bool {
    if rename::field(ui, look, ui.available_width(), ROW, what) {
        return false;
    }
    // Rows of two bodies may have one name.
    let done = ui.push_id(what, |ui| row.show(ui, look.document.is_selected(what))).inner;
    if done.response.double_clicked() {
        look.actions.push(Action::BeginRename);
    } else if done.clicked {
        let (ctrl, shift) = ui.input(|input| (input.modifiers.command, input.modifiers.shift));
        look.actions.push(match (ctrl, shift) {
            (true, _) => Action::SelectAlong(what),
            (false, true) => Action::SelectUpTo(what),
            (false, false) => Action::Select(what),
        });
    }
    if done.response.secondary_clicked() && !look.document.is_selected(what) {
        look.actions.push(Action::Select(what));
    }
    done.response.context_menu(|ui| context_menu(ui, look, what));
    if let (true, Selection::Region(b, r)) = (done.lock, what) {
        look.actions.push(Action::LockRegion(b, r));
    }
    if done.eye {
        let hidden = look.desk.is_hidden(what);
        look.desk.set_hidden(what, !hidden);
    }
    done.folded
}
