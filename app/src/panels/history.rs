//! The steps that were made, the last at the top: a click goes there. What was taken back is dimmed until something else is done.

use egui::{Align2, FontId, Role, ScrollArea, Sense, Ui, WidgetInfo, vec2};

use super::Look;
use crate::document::Action;
use crate::theme::{icons, meaning};
use crate::widgets::elided;

/// Height of a row [points].
const ROW: f32 = 24.0;

/// Draws the panel.
pub fn show(ui: &mut Ui, look: &mut Look<'_>) {
    let (steps, done) = look.document.history.steps();
    let first = if look.document.path.is_some() { "Opened" } else { "New scene" };
    let count = steps.len() + 1;
    let mut to = None;
    ui.spacing_mut().item_spacing.y = 0.0;
    ScrollArea::vertical().id_salt("history").auto_shrink(false).show_rows(ui, ROW, count, |ui, rows| {
        for at in rows {
            // From the last step down to the beginning.
            let step = count - 1 - at;
            let name = if step == 0 { first } else { steps[step - 1] };
            let icon = if step == 0 { icons::FOLDER } else { icon_of(name) };
            if row(ui, (icon, name), step, done) {
                to = Some(step);
            }
        }
    });
    if let Some(step) = to.filter(|step| *step != done) {
        look.actions.push(Action::GoTo(step));
    }
}

/// A step; true if it was chosen.
fn row(ui: &mut Ui, (icon, name): (&str, &str), step: usize, done: usize) -> bool {
    let colors = meaning(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
    let is_now = step == done;
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, is_now, format!("Step {step}: {name}")));
    let visuals = ui.visuals();
    let (text, dim) = match step.cmp(&done) {
        std::cmp::Ordering::Equal => (colors.selected[1], colors.selected[1]),
        std::cmp::Ordering::Less => (visuals.text_color(), colors.dim),
        std::cmp::Ordering::Greater => (colors.off, colors.off),
    };
    if is_now {
        ui.painter().rect_filled(rect, 4.0, colors.selected[0]);
    } else if response.hovered() || response.has_focus() {
        ui.painter().rect_filled(rect, 4.0, visuals.widgets.hovered.weak_bg_fill);
    }
    ui.painter().text(rect.left_center() + vec2(16.0, 0.0), Align2::CENTER_CENTER, icon, FontId::proportional(13.0), dim);
    let now = if is_now { "now" } else { "" };
    let now = ui.painter().text(rect.right_center() - vec2(8.0, 0.0), Align2::RIGHT_CENTER, now, FontId::proportional(11.0), dim);
    let left = rect.left() + 32.0;
    let line = elided(ui, name, FontId::proportional(13.0), text, now.left() - 8.0 - left);
    ui.painter().galley(egui::pos2(left, rect.center().y - 0.5 * line.size().y), line, text);
    let hint = match step.cmp(&done) {
        std::cmp::Ordering::Equal => "The scene as it is now",
        std::cmp::Ordering::Less => "Take back what came after it",
        std::cmp::Ordering::Greater => "Do again what was taken back, up to here",
    };
    response.on_hover_text(hint).clicked()
}

/// The icon of a step, by the first words of its name.
fn icon_of(name: &str) -> &'static str {
    const ICONS: [(&str, &str); 12] = [
        ("Paint", icons::BRUSH),
        ("Grow", icons::GROW),
        ("Shrink", icons::SHRINK),
        ("Extend", icons::EXTEND),
        ("Fill", icons::FILL),
        ("Invert", icons::INVERT),
        ("New", icons::PLUS),
        ("Import", icons::UPLOAD),
        ("Delete", icons::REMOVE),
        ("Move", icons::PLACE),
        ("Reload", icons::FILE),
        ("Recover", icons::FILE),
    ];
    ICONS.iter().find(|(begin, _)| name.starts_with(begin)).map_or(icons::OPTIONS, |(_, icon)| icon)
}
