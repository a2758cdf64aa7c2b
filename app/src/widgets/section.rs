//! A part of a card that opens and closes, with what it comes to at the right of its title.

use egui::collapsing_header::{CollapsingState, paint_default_icon};
use egui::{Align, Align2, Color32, FontId, Layout, RichText, Role, Sense, Ui, UiBuilder, WidgetInfo, pos2, vec2};

use crate::theme::meaning;

/// Height of the line with the title [points].
const LINE: f32 = 22.0;
/// From the left edge to the title [points].
const INDENT: f32 = 16.0;

/// Draws the part; `summary` is what it comes to, in a colour that tells how it stands. A part that is `open` at first has a
/// memory of its own, so that trouble opens what was closed while all was well.
pub fn section(ui: &mut Ui, title: &str, summary: &str, tone: Option<Color32>, open: bool, contents: impl FnOnce(&mut Ui)) {
    let id = ui.make_persistent_id((title, open));
    let mut state = CollapsingState::load_with_default_open(ui.ctx(), id, open);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), LINE), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::DisclosureTriangle, true, title));
    if response.clicked() {
        state.toggle(ui);
    }
    let openness = state.openness(ui.ctx());
    let icon = rect.with_max_x(rect.left() + 10.0).shrink2(vec2(0.0, 6.0));
    let icon = response.clone().with_new_rect(icon);
    paint_default_icon(ui, openness, &icon);
    let text = if response.hovered() { ui.visuals().strong_text_color() } else { ui.visuals().text_color() };
    let font = FontId::proportional(13.0);
    let title = ui.painter().text(pos2(rect.left() + INDENT, rect.center().y), Align2::LEFT_CENTER, title, font, text);
    let dim = meaning(ui).dim;
    let room = rect.with_min_x(title.right() + 8.0);
    ui.scope_builder(UiBuilder::new().max_rect(room).layout(Layout::right_to_left(Align::Center)), |ui| {
        ui.add(egui::Label::new(RichText::new(summary).color(tone.unwrap_or(dim))).selectable(false).truncate());
    });
    state.show_body_unindented(ui, |ui| {
        contents(ui);
        ui.add_space(4.0);
    });
}
