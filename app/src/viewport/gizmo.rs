//! The axes in the corner: a click on one looks along it, a click on what stands below changes the kind of picture.

use egui::{Align2, Color32, FontId, Rect, Sense, Stroke, Ui, pos2, vec2};

use super::camera::{AxisView, Camera};
use crate::theme::meaning;

/// What was clicked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// To look from this side.
    Side(AxisView),
    /// The other kind of picture.
    Projection,
}

/// From the centre to the balls [points].
const REACH: f32 = 30.0;
/// Radius of a ball [points].
const BALL: f32 = 8.0;
/// From the centre to the edges of the view [points].
const INSET: f32 = 52.0;

const SIDES: [(AxisView, &str, &str); 6] = [
    (AxisView::Right, "X", "Look from +X"),
    (AxisView::Left, "", "Look from -X"),
    (AxisView::Top, "Y", "Look from +Y"),
    (AxisView::Bottom, "", "Look from -Y"),
    (AxisView::Front, "Z", "Look from +Z"),
    (AxisView::Back, "", "Look from -Z"),
];

/// Draws the axes at the top right of `rect`, and tells what was clicked.
pub fn show(ui: &mut Ui, rect: Rect, camera: &Camera) -> Option<Turn> {
    if rect.width() < 4.0 * INSET || rect.height() < 4.0 * INSET {
        return None;
    }
    let centre = pos2(rect.right() - INSET, rect.top() + INSET);
    let [right, up, back] = camera.axes();
    let mut balls: Vec<_> = SIDES
        .iter()
        .map(|&(side, letter, name)| {
            let axis = camera.seen_from(side).axes()[2];
            let at = centre + REACH * vec2(axis.dot(&right) as f32, -axis.dot(&up) as f32);
            (axis.dot(&back), at, side, letter, name)
        })
        .collect();
    // Those in front are drawn last and take the click first.
    balls.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut chosen = None;
    for (depth, at, side, letter, name) in balls {
        let response = ui.interact(Rect::from_center_size(at, vec2(2.0 * BALL, 2.0 * BALL)), ui.scope_id().with(name), Sense::click());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, name));
        let shade = if response.hovered() { 1.0 } else { 0.62 + 0.26 * depth as f32 };
        let color = color(side, ui.visuals().dark_mode).gamma_multiply(shade);
        let painter = ui.painter();
        if letter.is_empty() {
            painter.circle(at, BALL - 1.5, color.gamma_multiply(0.3), Stroke::new(1.5, color));
        } else {
            painter.line_segment([centre, at], Stroke::new(2.0, color));
            painter.circle_filled(at, BALL, color);
            painter.text(at, Align2::CENTER_CENTER, letter, FontId::proportional(11.0), Color32::from_gray(16));
        }
        if response.on_hover_text(name).clicked() {
            chosen = Some(Turn::Side(side));
        }
    }
    if projection(ui, centre + vec2(0.0, INSET - 2.0), camera.orthographic) { Some(Turn::Projection) } else { chosen }
}

/// The kind of picture in a word; true if it is to be the other one.
fn projection(ui: &mut Ui, at: egui::Pos2, orthographic: bool) -> bool {
    let word = if orthographic { "orthographic" } else { "perspective" };
    let line = ui.painter().layout_no_wrap(word.to_owned(), FontId::proportional(11.0), Color32::PLACEHOLDER);
    let place = Rect::from_center_size(at, line.size() + vec2(12.0, 6.0));
    let response = ui.interact(place, ui.scope_id().with("projection"), Sense::click());
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::CheckBox, true, orthographic, "Orthographic"));
    let color = if response.hovered() { ui.visuals().strong_text_color() } else { meaning(ui).dim };
    if response.hovered() {
        ui.painter().rect_filled(place, 4.0, ui.visuals().widgets.hovered.weak_bg_fill.gamma_multiply(0.8));
    }
    ui.painter().galley(place.center() - 0.5 * line.size(), line, color);
    response.on_hover_text("Orthographic: what is parallel stays so, nothing gets smaller with distance (5)").clicked()
}

/// Red, green and blue for x, y and z.
fn color(side: AxisView, dark: bool) -> Color32 {
    let strong = match side {
        AxisView::Right | AxisView::Left => Color32::from_rgb(238, 96, 92),
        AxisView::Top | AxisView::Bottom => Color32::from_rgb(132, 204, 84),
        AxisView::Front | AxisView::Back => Color32::from_rgb(88, 152, 244),
    };
    if dark { strong } else { strong.lerp_to_gamma(Color32::BLACK, 0.12) }
}
