//! A name that is typed in the place where it stands.

use egui::{Key, TextEdit, Ui, vec2};

use super::Look;
use crate::document::{Action, Selection};

/// Draws the field if it is this that is being renamed; Enter and leaving it take the name, Escape does not.
pub fn field(ui: &mut Ui, look: &mut Look<'_>, width: f32, height: f32, what: Selection) -> bool {
    let Some((_, text)) = look.desk.renaming.as_mut().filter(|(renamed, _)| *renamed == what) else { return false };
    let key = ui.scope_id().with(("renaming", what));
    let edit = TextEdit::singleline(text).id(key).desired_width(width);
    let response = ui.add_sized(vec2(width, height), edit);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, "New name"));
    let begun = ui.data(|data| data.get_temp::<bool>(key)).unwrap_or(false);
    if !begun {
        response.request_focus();
        // The whole name is typed over.
        let mut state = egui::text_edit::TextEditState::load(ui.ctx(), key).unwrap_or_default();
        let all = egui::text::CCursorRange::two(egui::text::CCursor::new(0), egui::text::CCursor::new(text.chars().count()));
        state.cursor.set_char_range(Some(all));
        state.store(ui.ctx(), key);
        ui.data_mut(|data| data.insert_temp(key, true));
        return true;
    }
    if response.lost_focus() {
        ui.data_mut(|data| data.remove::<bool>(key));
        let given_up = ui.input(|input| input.key_pressed(Key::Escape));
        let name = text.clone();
        look.desk.renaming = None;
        if !given_up {
            look.actions.push(Action::Rename(what, name));
        }
    }
    true
}
