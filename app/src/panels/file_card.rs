//! The card that asks for a path: typed here, or chosen in the system's dialog that opens beside it.

use egui::{Align2, Key, TextEdit, vec2};

use super::Look;
use crate::document::{Action, FileAction, FileRequest, NetOptions};
use crate::session::Export;
use crate::theme::meaning;
use crate::widgets::{Quantity, choice_row, count_row, heading, primary_button, value_row};

/// Draws the card if it is open, from `top` on: a question about the file that it names stands above it.
pub fn file_card(ctx: &egui::Context, look: &mut Look<'_>, top: f32) {
    let Some(card) = look.desk.file_card.as_mut() else { return };
    if let Some(Some(path)) = card.dialog.as_ref().and_then(crate::document::Dialog::poll) {
        card.text = path.display().to_string();
        card.dialog = None;
        // The system has asked whether a file that is there is to be lost.
        look.actions.extend([request(card), Action::Overwrite]);
    }
    let mut close = false;
    // An open list is closed before the card is; egui does that while it is drawn.
    let escape = ctx.input(|input| input.key_pressed(Key::Escape)) && !egui::Popup::is_any_open(ctx);
    let window = egui::Window::new(card.action.title()).title_bar(false).resizable(false).anchor(Align2::CENTER_TOP, vec2(0.0, top + 6.0));
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
        if FileAction::EXPORTS.iter().any(|export| export.0 == card.action) {
            formats(ui, card);
        }
        if card.action == FileAction::Net {
            net(ui, &mut card.net);
        }
        if let Some(error) = &card.error {
            ui.colored_label(meaning(ui).error, error);
        }
        ui.horizontal(|ui| {
            let verb = match card.action {
                FileAction::Open => "Open",
                FileAction::SaveAs => "Save",
                FileAction::Import => "Look at it",
                FileAction::Obstacle | FileAction::Net => "Add",
                FileAction::BodyRestMesh => "Choose",
                FileAction::Bodies | FileAction::Run | FileAction::PreparedAsset | FileAction::RestMesh | FileAction::Plot => "Export",
            };
            if primary_button(ui, !card.text.trim().is_empty(), verb).clicked() || (entered && !card.text.trim().is_empty()) {
                look.actions.push(request(card));
            }
            close = ui.button("Cancel").clicked() || escape;
        });
    });
    if close {
        look.desk.file_card = None;
    }
}

/// The shapes of a net.
const SHAPES: [(bool, &str, &str); 2] = [
    (true, "hanging by its corners", "Borders curve inwards, and every cord pulls: it keeps this shape"),
    (false, "flat", "Held by its corners it sags: nothing carries weight across a flat net"),
];

/// What a new net is like.
fn net(ui: &mut egui::Ui, options: &mut NetOptions) {
    choice_row(ui, "Shape", &mut options.hanging, &SHAPES);
    let side = Quantity { unit: "m", range: 1e-3..=1e3, hint: "Length of a side" };
    value_row(ui, "Side", &mut options.side, &side);
    count_row(ui, "Cells", &mut options.cells, 1..=200, "Cells along a side; springs run along their edges");
}

/// What is exported, and in which format: the path follows.
fn formats(ui: &mut egui::Ui, card: &mut super::FileCard) {
    let before = (card.action, card.format);
    if choice_row(ui, "What", &mut card.action, &FileAction::EXPORTS) {
        card.format = card.action.extension().unwrap_or_default();
    }
    let formats = card.action.formats();
    choice_row(ui, "Format", &mut card.format, &formats);
    if let Some((.., doc)) = formats.iter().find(|format| format.0 == card.format) {
        ui.label(egui::RichText::new(*doc).color(meaning(ui).dim).small());
    }
    if (card.action, card.format) != before {
        let path = std::path::PathBuf::from(card.text.trim());
        let stem = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        let stem = stem.strip_suffix(before.0.suffix()).unwrap_or(&stem);
        card.text = path.with_file_name(card.action.file_name(stem, card.format)).display().to_string();
        card.error = None;
    }
}

fn request(card: &super::FileCard) -> Action {
    let path = std::path::PathBuf::from(card.text.trim());
    Action::File(match card.action {
        FileAction::Import => return Action::Take(vec![path]),
        FileAction::Open => FileRequest::Open(path),
        FileAction::SaveAs => FileRequest::SaveAs(path),
        FileAction::Net => FileRequest::Net(path, card.net),
        FileAction::Obstacle => FileRequest::Obstacle(path),
        FileAction::Plot if path.extension().is_none() => FileRequest::Plot(path.with_extension(card.format)),
        FileAction::Plot => FileRequest::Plot(path),
        FileAction::Bodies => FileRequest::Export(Export::Bodies(path)),
        FileAction::Run => FileRequest::Export(Export::Run(path, card.format)),
        FileAction::PreparedAsset => FileRequest::Export(Export::PreparedAsset(path)),
        FileAction::BodyRestMesh => FileRequest::BodyRestMesh(path),
        FileAction::RestMesh => FileRequest::Export(Export::RestMesh(path)),
    })
}
