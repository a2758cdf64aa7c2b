//! Segments: a few choices side by side in one field.

use egui::{Align2, FontId, Response, Role, Sense, Ui, WidgetInfo, vec2};

use crate::theme::meaning;

/// Height [points].
const HEIGHT: f32 = 24.0;

/// A segment.
#[derive(Debug, Clone, Copy)]
pub struct Segment<'a> {
    /// An icon before the word; empty for none.
    pub icon: &'a str,
    /// The word, which is also its name.
    pub word: &'a str,
    /// Whether it is chosen.
    pub chosen: bool,
    /// What it does; where it cannot be chosen, why not.
    pub hint: Result<&'a str, &'a str>,
}

impl<'a> Segment<'a> {
    /// One of a word alone.
    pub fn new(word: &'a str, chosen: bool, hint: &'a str) -> Self {
        Self { icon: "", word, chosen, hint: Ok(hint) }
    }
}

/// Draws segments of one width into what is left of the line, in the field `name`; the one that was clicked.
pub fn segments(ui: &mut Ui, name: &str, of: &[Segment<'_>]) -> Option<usize> {
    let colors = meaning(ui);
    let (field, _) = ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::hover());
    ui.painter().rect_filled(field, 4.0, ui.visuals().extreme_bg_color);
    let line = ui.visuals().widgets.noninteractive.bg_stroke;
    ui.painter().rect_stroke(field, 4.0, line, egui::StrokeKind::Inside);
    let width = field.width() / of.len().max(1) as f32;
    let mut clicked = None;
    for (i, segment) in of.iter().enumerate() {
        let rect = egui::Rect::from_min_size(field.min + vec2(i as f32 * width, 0.0), vec2(width, HEIGHT));
        let usable = segment.hint.is_ok();
        let id = ui.scope_id().with((name, segment.word));
        let response = ui.interact(rect, id, if usable { Sense::click() } else { Sense::hover() });
        let label = format!("{name}: {}", segment.word);
        response.widget_info(|| WidgetInfo::selected(Role::RadioButton, usable, segment.chosen, &label));
        show(ui, &response, segment, rect.shrink(1.0), usable, &colors);
        let (Ok(hint) | Err(hint)) = segment.hint;
        if response.on_hover_text(hint).clicked() {
            clicked = Some(i);
        }
    }
    clicked
}

fn show(ui: &Ui, response: &Response, segment: &Segment<'_>, rect: egui::Rect, usable: bool, colors: &crate::theme::Meaning) {
    let [ground, on_ground] = colors.selected;
    let text = match (usable, segment.chosen) {
        (false, _) => colors.off,
        (true, true) => on_ground,
        (true, false) if response.hovered() => ui.visuals().strong_text_color(),
        (true, false) => ui.visuals().text_color(),
    };
    if segment.chosen {
        ui.painter().rect_filled(rect, 3.0, ground);
    } else if response.hovered() && usable {
        ui.painter().rect_filled(rect, 3.0, ui.visuals().widgets.hovered.weak_bg_fill);
    }
    if response.has_focus() {
        ui.painter().rect_stroke(rect, 3.0, egui::Stroke::new(1.5, colors.accent), egui::StrokeKind::Outside);
    }
    let word = ui.painter().layout_no_wrap(segment.word.to_owned(), FontId::proportional(13.0), text);
    let icon_room = if segment.icon.is_empty() { 0.0 } else { 20.0 };
    let left = rect.center().x - 0.5 * (word.size().x + icon_room);
    if !segment.icon.is_empty() {
        let tone = if segment.chosen && usable { colors.accent } else { text };
        ui.painter().text(egui::pos2(left + 7.0, rect.center().y), Align2::CENTER_CENTER, segment.icon, FontId::proportional(14.0), tone);
    }
    ui.painter().galley(egui::pos2(left + icon_room, rect.center().y - 0.5 * word.size().y), word, text);
}

/// The segments Off, X, Y and Z, of which several axes may be chosen at once.
pub fn axes_segments(ui: &mut Ui, name: &str, chosen: &mut [bool; 3], hints: [&str; 4]) -> bool {
    let off = !chosen.contains(&true);
    let [none, x, y, z] = hints;
    let of =
        [Segment::new("Off", off, none), Segment::new("X", chosen[0], x), Segment::new("Y", chosen[1], y), Segment::new("Z", chosen[2], z)];
    match segments(ui, name, &of) {
        Some(0) => *chosen = [false; 3],
        Some(axis) => chosen[axis - 1] = !chosen[axis - 1],
        None => return false,
    }
    true
}
