//! What the arrows at the contacts mean, and how large the largest of them are.

use egui::{Align2, FontId, Rect, Stroke, Ui, pos2, vec2};

use super::draw_list::DrawList;
use super::painter::force_colors;
use crate::theme::meaning;
use crate::widgets::quantity;

/// Space around [points].
const MARGIN: f32 = 12.0;
/// Height of a line [points].
const LINE: f32 = 18.0;
const WIDTH: f32 = 184.0;

/// Draws the legend at the bottom right of `rect` where a contact pushes.
pub fn show(ui: &Ui, rect: Rect, list: &DrawList) {
    let parts = || list.contacts.iter().map(|contact| contact.parts());
    let normal = parts().map(|(normal, _)| normal.norm()).fold(0.0, f64::max);
    let friction = parts().map(|(_, friction)| friction.norm()).fold(0.0, f64::max);
    if normal == 0.0 || rect.width() < 2.5 * WIDTH || rect.height() < 8.0 * LINE {
        return;
    }
    let colors = meaning(ui);
    let size = vec2(WIDTH, 3.0 * LINE + MARGIN);
    let card = Rect::from_min_size(rect.right_bottom() - size - vec2(MARGIN, MARGIN), size);
    let painter = ui.painter();
    painter.rect_filled(card, 6.0, colors.card.gamma_multiply(0.86));
    let (small, strong) = (FontId::proportional(11.0), ui.visuals().strong_text_color());
    let mut y = card.top() + 0.5 * MARGIN + 0.5 * LINE;
    painter.text(pos2(card.left() + MARGIN, y), Align2::LEFT_CENTER, "Contact forces, largest", small.clone(), colors.dim);
    for ((name, color), largest) in [("normal", force_colors()[0]), ("friction", force_colors()[1])].into_iter().zip([normal, friction]) {
        y += LINE;
        let from = pos2(card.left() + MARGIN, y);
        painter.arrow(from, vec2(20.0, 0.0), Stroke::new(2.0, color));
        painter.text(from + vec2(30.0, 0.0), Align2::LEFT_CENTER, name, small.clone(), strong);
        painter.text(pos2(card.right() - MARGIN, y), Align2::RIGHT_CENTER, quantity(largest, "N"), small.clone(), strong);
    }
}
