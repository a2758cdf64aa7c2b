//! What stands in an empty scene: ways to begin. A place to drop files, a new scene, what was opened lately, the gallery.

mod gallery;
mod recent;
mod tile;

pub use gallery::title as gallery_title;

use egui::emath::GuiRounding;
use egui::text::{LayoutJob, TextFormat};
use egui::{
    Align, Align2, Button, FontFamily, FontId, Layout, Rect, Response, RichText, Role, Sense, Shape, Stroke, Ui, UiBuilder, WidgetInfo,
    vec2,
};

use super::Look;
use crate::document::{Action, FileAction, FileRequest};
use crate::theme::{self, icons, meaning};

/// Width and height where there is room, the space inside of the border, and the width of the left column [points].
const CARD: egui::Vec2 = vec2(912.0, 532.0);
const MARGIN: f32 = 24.0;
const LEFT: f32 = 240.0;
/// Least distance from the edges of the view [points].
const AROUND: f32 = 12.0;
/// Height of the place to drop files at most, and of the note for newcomers [points].
const ZONE: f32 = 196.0;
const NOTE: f32 = 56.0;

/// Draws the card in the middle of `room`.
pub fn start(ui: &mut Ui, look: &mut Look<'_>, room: Rect) {
    let colors = meaning(ui);
    let size = CARD.min(room.size() - vec2(2.0 * AROUND, 2.0 * AROUND));
    let card = Align2::CENTER_CENTER.align_size_within_rect(size, room).round_ui();
    let ground = ui.interact(card, ui.scope_id().with("start card"), Sense::click_and_drag());
    ground.widget_info(|| WidgetInfo::labeled(Role::Group, true, "Start"));
    ui.painter().rect(card, 6.0, ui.visuals().panel_fill, ui.visuals().window_stroke, egui::StrokeKind::Inside);
    let inside = card.shrink(if size.x < 800.0 { 16.0 } else { MARGIN });
    let left = inside.with_max_x(inside.left() + LEFT.min(0.32 * inside.width()));
    ui.painter().vline(left.right() + MARGIN, inside.y_range(), ui.visuals().window_stroke);
    let right = inside.with_min_x(left.right() + 2.0 * MARGIN);
    let column = |ui: &mut Ui, rect: Rect, salt: &str, contents: &mut dyn FnMut(&mut Ui)| {
        ui.scope_builder(UiBuilder::new().max_rect(rect).id_salt(salt).layout(Layout::top_down(Align::Min)), |ui| {
            ui.set_clip_rect(rect.expand(8.0).intersect(card));
            ui.spacing_mut().item_spacing.y = 0.0;
            contents(ui);
        });
    };
    column(ui, left, "ways", &mut |ui: &mut Ui| ways(ui, look));
    column(ui, right.with_max_y(right.bottom() - NOTE - 16.0), "gallery", &mut |ui: &mut Ui| gallery::show(ui, look));
    let note = right.with_min_y(right.bottom() - NOTE);
    ui.painter().rect_filled(note, 6.0, colors.card);
    column(ui, note.shrink2(vec2(12.0, 8.0)), "first time", &mut |ui: &mut Ui| first_time(ui, look));
}

/// The left column.
fn ways(ui: &mut Ui, look: &mut Look<'_>) {
    let height = ui.available_height();
    // Where the card is low, there is more to be said of recent files than of dropping.
    drop_zone(ui, look, (0.4 * height).min(ZONE));
    ui.add_space(12.0);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        let width = 0.5 * (ui.available_width() - 8.0);
        let new = command_button(ui, width, icons::PLUS, "New scene", true);
        if new.on_hover_text(look.hint("An empty scene: meshes and obstacles are added to it", "New scene")).clicked() {
            look.actions.push(Action::NewScene);
        }
        let open = command_button(ui, width, icons::FOLDER, "Open…", false);
        if open.on_hover_text(look.hint("Open a scene file", "Open…")).clicked() {
            look.actions.push(Action::Ask(FileAction::Open));
        }
    });
    ui.add_space(20.0);
    let hint = 20.0;
    let room = ui.available_rect_before_wrap();
    ui.scope_builder(UiBuilder::new().max_rect(room.with_max_y(room.bottom() - hint - 8.0)).id_salt("recent"), |ui| recent::show(ui, look));
    let foot = room.with_min_y(room.bottom() - hint);
    ui.scope_builder(UiBuilder::new().max_rect(foot).layout(Layout::left_to_right(Align::Center)), |ui| {
        let dim = meaning(ui).dim;
        ui.label(RichText::new(icons::KEYBOARD).color(dim).size(14.0));
        let keys = look.keys_of("Command palette");
        if !keys.is_empty() {
            ui.label(RichText::new(format!("{keys} finds every command")).color(dim).small());
        }
    });
}

/// A place that says what may be dropped; a click asks for a mesh.
fn drop_zone(ui: &mut Ui, look: &mut Look<'_>, height: f32) {
    let colors = meaning(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Drop a mesh or a scene"));
    let lit = response.hovered() || response.has_focus() || ui.input(|input| !input.raw.hovered_files.is_empty());
    ui.painter().rect_filled(rect, 6.0, colors.card);
    let edge = Stroke::new(1.0, if lit { colors.accent } else { theme::edge(ui) });
    let border = rect.shrink(0.5);
    let corners = [border.left_top(), border.right_top(), border.right_bottom(), border.left_bottom(), border.left_top()];
    ui.painter().extend(Shape::dashed_line(&corners, edge, 4.0, 3.0));
    let middle = rect.center() + vec2(0.0, 4.0);
    let text = |at: egui::Pos2, text: &str, font: FontId, color| ui.painter().text(at, Align2::CENTER_CENTER, text, font, color);
    text(middle - vec2(0.0, 34.0), icons::UPLOAD, FontId::proportional(25.0), colors.accent);
    text(middle + vec2(0.0, 2.0), "Drop a mesh or a scene", FontId::new(13.0, theme::strong()), ui.visuals().strong_text_color());
    text(middle + vec2(0.0, 22.0), "OBJ, PLY, STL, MESH, VTU, JSON", FontId::proportional(11.0), colors.dim);
    if response.on_hover_text("Drop files anywhere on the window, or click to choose a mesh").clicked() {
        look.actions.push(Action::Ask(FileAction::Import));
    }
}

/// A button with an icon, 28 high.
fn command_button(ui: &mut Ui, width: f32, icon: &str, text: &str, primary: bool) -> Response {
    let colors = meaning(ui);
    let (color, family) = if primary { (colors.on_accent, theme::strong()) } else { (ui.visuals().text_color(), FontFamily::Proportional) };
    let mut job = LayoutJob::default();
    let format = |size, color| TextFormat { valign: Align::Center, ..TextFormat::simple(FontId::new(size, family.clone()), color) };
    job.append(icon, 0.0, format(13.0, color));
    job.append(text, 6.0, format(13.0, color));
    let button = Button::new(job).min_size(vec2(width, 28.0));
    let response = ui.add(if primary { button.fill(colors.accent) } else { button });
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, text));
    response
}

/// What a newcomer may do.
fn first_time(ui: &mut Ui, look: &mut Look<'_>) {
    let colors = meaning(ui);
    ui.horizontal_centered(|ui| {
        ui.spacing_mut().item_spacing.x = 10.0;
        ui.label(RichText::new(icons::INFO).color(colors.accent).size(17.0));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if ui.button("Open Creature").on_hover_text("The first scene of the gallery").clicked() {
                gallery::open(look, "creature");
            }
            ui.with_layout(Layout::top_down(Align::Min), |ui| {
                ui.add_space(4.0);
                ui.add(egui::Label::new(RichText::new("First time here?").color(ui.visuals().strong_text_color())).truncate());
                ui.add(egui::Label::new(RichText::new("Open Creature, press Initialise, then Play.").color(colors.dim)).truncate());
            });
        });
    });
}

/// A request to open a scene.
fn open(path: std::path::PathBuf) -> Action {
    Action::File(FileRequest::Open(path))
}
