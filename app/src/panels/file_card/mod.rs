//! The card that asks for a path: typed here, or chosen in the system's dialog that opens beside it.

mod browser;
mod list;

use egui::text::{CCursor, CCursorRange};
use egui::text_edit::TextEditState;
use egui::{Align2, Key, Modifiers, TextEdit, Ui, vec2};

use super::{FileCard, Look, pictures};
use crate::document::{Action, Dialog, FileAction, FileRequest, NetOptions, PictureRequest};
use crate::session::Export;
use crate::theme::meaning;
use crate::widgets::{Quantity, choice_row, count_row, heading, primary_button, value_row};
pub use browser::{Browser, extensions};
use list::Picked;

/// Width of the card, and height of the list of files, where there is room [points].
const WIDTH: f32 = 720.0;
const LIST: f32 = 288.0;

/// Draws the card if it is open, from `top` on: a question about the file that it names stands above it.
pub fn file_card(ctx: &egui::Context, look: &mut Look<'_>, top: f32) {
    let Some(card) = look.desk.file_card.as_mut() else { return };
    card.saw_dialog |= card.dialog.is_some() && ctx.input(|input| input.viewport().focused == Some(false));
    let mut close = false;
    match card.dialog.as_ref().and_then(Dialog::poll) {
        Some(Some(path)) => {
            card.text = path.display().to_string();
            card.dialog = None;
            // The system has asked whether a file that is there is to be lost.
            look.actions.extend([request(card), Action::Overwrite]);
        }
        Some(None) => {
            card.dialog = None;
            // Where another window had the keys meanwhile, it was a dialog, and somebody has closed it.
            close = card.saw_dialog;
        }
        None => {}
    }
    card.browser.poll();
    // An open list is closed before the card is; egui does that while it is drawn.
    let escape = ctx.input(|input| input.key_pressed(Key::Escape)) && !egui::Popup::is_any_open(ctx);
    let room = ctx.content_rect().size() - vec2(48.0, top + 24.0);
    let window = egui::Window::new(card.action.title()).title_bar(false).resizable(false).anchor(Align2::CENTER_TOP, vec2(0.0, top + 6.0));
    window.show(ctx, |ui| {
        ui.set_width(WIDTH.min(room.x));
        heading(ui, card.action.title());
        let mut entered = path_field(ui, card);
        let more = if FileAction::EXPORTS.iter().any(|export| export.0 == card.action) { 100.0 } else { 0.0 };
        let more = if card.action == FileAction::Net { 96.0 } else { more };
        let more = if matches!(card.action, FileAction::Picture(_)) { 180.0 } else { more };
        let height = LIST.min(room.y - 176.0 - more).max(96.0);
        let writes = card.action.extension().is_some();
        match list::browser(ui, &mut card.browser, height, writes) {
            Some(Picked::File(path)) => {
                card.text = path;
                entered = true;
            }
            Some(Picked::AtHand(path)) => card.text = at_hand(card, &path),
            None => {}
        }
        if FileAction::EXPORTS.iter().any(|export| export.0 == card.action) {
            formats(ui, card);
        }
        if let FileAction::Picture(kind) = card.action {
            pictures::options(ui, kind, &mut card.picture, look.desk.view_pixels, look.main, look.desk.color_by);
        }
        if card.action == FileAction::Net {
            net(ui, &mut card.net);
        }
        ui.add_space(4.0);
        if let Some(error) = &card.error {
            ui.colored_label(meaning(ui).error, error);
        }
        ui.horizontal(|ui| {
            let verb = match card.action {
                FileAction::Open | FileAction::Recording => "Open",
                FileAction::SaveAs | FileAction::Picture(_) => "Save",
                FileAction::Import => "Look at it",
                FileAction::Obstacle | FileAction::Net => "Add",
                FileAction::BodyRestMesh => "Choose",
                FileAction::Bodies | FileAction::Run | FileAction::PreparedAsset | FileAction::RestMesh | FileAction::Plot => "Export",
            };
            let named = !card.text.trim().is_empty();
            if (primary_button(ui, named, verb).clicked() || entered) && named {
                // A folder is looked into, unless it is a folder that is to be written.
                let path = card.browser.resolve(&card.text);
                if !card.action.is_folder() && path.is_dir() {
                    card.browser.go(&path);
                    card.text = format!("{}/", path.display().to_string().trim_end_matches('/'));
                    card.focused = false;
                } else {
                    look.actions.push(request(card));
                }
            }
            close |= ui.button("Cancel").clicked() || escape;
        });
    });
    if close {
        look.desk.file_card = None;
    }
}

/// The path as it is typed: Tab completes it, up and down go through the list. True where Enter was pressed.
fn path_field(ui: &mut Ui, card: &mut FileCard) -> bool {
    let id = ui.make_persistent_id("path");
    let has_focus = ui.memory(|memory| memory.has_focus(id));
    if has_focus && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Tab)) {
        match card.browser.complete(&card.text) {
            Some(completed) => {
                card.text = completed;
                card.browser.follow_text(&card.text);
                put_caret(ui, id, card.text.chars().count(), None);
            }
            None => ui.memory_mut(|memory| memory.surrender_focus(id)),
        }
    }
    let way = ui.input_mut(|input| {
        let count =
            |input: &mut egui::InputState, key| if has_focus { input.count_and_consume_key(Modifiers::NONE, key) as isize } else { 0 };
        count(input, Key::ArrowDown) - count(input, Key::ArrowUp)
    });
    if way != 0 {
        card.browser.step(way);
        if let Some(path) = card.browser.at_hand().map(|entry| card.browser.path_of(entry)) {
            card.text = at_hand(card, &path);
            put_caret(ui, id, card.text.chars().count(), None);
        }
    }
    let field = TextEdit::singleline(&mut card.text).id(id).lock_focus(true).hint_text("Path of the file").desired_width(f32::INFINITY);
    let field = ui.add(field);
    field.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Path"));
    if field.changed() {
        card.browser.follow_text(&card.text);
        card.error = None;
    }
    if !std::mem::replace(&mut card.focused, true) {
        field.request_focus();
        // The name alone is at hand to be typed over.
        let name = card.text.rfind('/').map_or(0, |at| card.text[..=at].chars().count());
        let stem = card.text.rfind('.').map(|at| card.text[..at].chars().count()).filter(|&end| end > name);
        put_caret(ui, id, stem.unwrap_or_else(|| card.text.chars().count()), Some(name));
    }
    field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter))
}

/// Puts the caret behind so many letters, with those from `from` on selected.
fn put_caret(ui: &Ui, id: egui::Id, to: usize, from: Option<usize>) {
    let mut state = TextEditState::load(ui.ctx(), id).unwrap_or_default();
    state.cursor.set_char_range(Some(CCursorRange::two(CCursor::new(from.unwrap_or(to)), CCursor::new(to))));
    state.store(ui.ctx(), id);
}

/// What the field holds when an entry is at hand: its path; where something is written, a folder keeps the name that was typed.
fn at_hand(card: &FileCard, path: &str) -> String {
    let name = card.text.rsplit('/').next().unwrap_or_default();
    if path.ends_with('/') && card.action.extension().is_some() { format!("{path}{name}") } else { path.to_owned() }
}

/// The shapes of a net.
const SHAPES: [(bool, &str, &str); 2] = [
    (true, "hanging by its corners", "Borders curve inwards, and every cord pulls: it keeps this shape"),
    (false, "flat", "Held by its corners it sags: nothing carries weight across a flat net"),
];

/// What a new net is like.
fn net(ui: &mut Ui, options: &mut NetOptions) {
    choice_row(ui, "Shape", &mut options.hanging, &SHAPES);
    let side = Quantity { unit: "m", range: 1e-3..=1e3, hint: "Length of a side" };
    value_row(ui, "Side", &mut options.side, &side);
    count_row(ui, "Cells", &mut options.cells, 1..=200, "Cells along a side; springs run along their edges");
}

/// What is exported, and in which format: the path follows.
fn formats(ui: &mut Ui, card: &mut FileCard) {
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
        card.browser.extensions = extensions(card.action, card.format);
        card.error = None;
    }
}

fn request(card: &FileCard) -> Action {
    let path = card.browser.resolve(&card.text);
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
        FileAction::Recording => FileRequest::Recording(path),
        FileAction::RestMesh => FileRequest::Export(Export::RestMesh(path)),
        FileAction::Picture(kind) => FileRequest::Pictures(PictureRequest { kind, path, options: card.picture }),
    })
}
