//! The card that asks for a path: typed here, or chosen in the system's dialog that opens beside it.

use egui::{Align2, Key, TextEdit, vec2};

use super::Look;
use crate::document::{Action, FileAction, FileRequest};
use crate::session::Export;
use crate::theme::meaning;
use crate::widgets::{heading, primary_button};

/// Draws the card if it is open.
pub fn file_card(ctx: &egui::Context, look: &mut Look<'_>) {
    let Some(card) = look.desk.file_card.as_mut() else { return };
    if let Some(Some(path)) = card.dialog.as_ref().and_then(crate::document::Dialog::poll) {
        card.text = path.display().to_string();
        card.dialog = None;
        look.actions.push(request(card));
    }
    let mut close = false;
    let window = egui::Window::new(card.action.title()).title_bar(false).resizable(false).anchor(Align2::CENTER_TOP, vec2(0.0, 72.0));
    window.show(ctx, |ui| {
        ui.set_width(480.0);
        heading(ui, card.action.title());
        let field = TextEdit::singleline(&mut card.text).hint_text("Path of the file").desired_width(f32::INFINITY);
        let field = ui.add(field);
        field.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Path"));
        if !std::mem::replace(&mut card.focused, true) {
            field.request_focus();
        }
        let entered = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        if let Some(error) = &card.error {
            ui.colored_label(meaning(ui).error, error);
        }
        ui.horizontal(|ui| {
            let verb = match card.action {
                FileAction::Open => "Open",
                FileAction::SaveAs => "Save",
                FileAction::Import => "Look at it",
                FileAction::Obstacle => "Add",
                FileAction::BodyRestMesh => "Choose",
                FileAction::PreparedAsset | FileAction::RestMesh => "Export",
            };
            if primary_button(ui, !card.text.trim().is_empty(), verb).clicked() || (entered && !card.text.trim().is_empty()) {
                look.actions.push(request(card));
            }
            close = ui.button("Cancel").clicked() || ui.input(|input| input.key_pressed(Key::Escape));
        });
    });
    if close {
        look.desk.file_card = None;
    }
}

fn request(card: &super::FileCard) -> Action {
    let path = std::path::PathBuf::from(card.text.trim());
    Action::File(match card.action {
        FileAction::Import => return Action::Take(vec![path]),
        FileAction::Open => FileRequest::Open(path),
        FileAction::SaveAs => FileRequest::SaveAs(path),
        FileAction::Obstacle => FileRequest::Obstacle(path),
        FileAction::PreparedAsset => FileRequest::Export(Export::PreparedAsset(path)),
        FileAction::BodyRestMesh => FileRequest::BodyRestMesh(path),
        FileAction::RestMesh => FileRequest::Export(Export::RestMesh(path)),
    })
}
