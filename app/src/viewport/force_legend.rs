//! What the arrows at the contacts mean, and how large the largest of them are.

use std::sync::Arc;

use egui::{FontId, Galley, Pos2, Rect, Stroke, Ui, pos2, vec2};

use super::draw_list::DrawList;
use super::painter::force_colors;
use crate::theme::meaning;
use crate::widgets::quantity;

/// Space around [points].
const MARGIN: f32 = 12.0;
/// Height of a line [points].
const LINE: f32 = 18.0;
const WIDTH: f32 = 184.0;
/// Length of an arrow, and what it takes with its gap [points].
const ARROW: f32 = 20.0;
const INDENT: f32 = 30.0;

/// Draws the legend at the bottom right of `rect` where a contact pushes or something is out of balance; in a small view as one line.
pub fn show(ui: &Ui, rect: Rect, list: &DrawList) {
    let parts = || list.contacts.iter().map(|contact| contact.parts());
    let normal = parts().map(|(normal, _)| normal.norm()).fold(0.0, f64::max);
    let friction = parts().map(|(_, friction)| friction.norm()).fold(0.0, f64::max);
    if normal == 0.0 && list.unbalanced == 0.0 {
        return;
    }
    let (small, strong, dim) = (FontId::proportional(11.0), ui.visuals().strong_text_color(), meaning(ui).dim);
    let painter = ui.painter();
    let write = |text: &str, color| painter.layout_no_wrap(text.to_owned(), small.clone(), color);
    let [of_contact, of_friction, of_residual] = force_colors();
    let of_contacts = [("normal", of_contact, normal), ("friction", of_friction, friction)].into_iter().filter(|_| normal > 0.0);
    let rows = of_contacts.chain((list.unbalanced > 0.0).then_some(("residual", of_residual, list.unbalanced)));
    let rows: Vec<_> = rows.map(|(name, color, largest)| (write(name, strong), color, write(&quantity(largest, "N"), strong))).collect();
    let card = |size| {
        let card = Rect::from_min_size(rect.right_bottom() - size - vec2(MARGIN, MARGIN), size);
        painter.rect_filled(card, 6.0, meaning(ui).card.gamma_multiply(0.86));
        card
    };
    let put = |at: Pos2, galley: &Arc<Galley>| painter.galley(at - vec2(0.0, 0.5 * galley.size().y), Arc::clone(galley), strong);
    let arrow = |at: Pos2, color| {
        // Yellow on a white card is seen by its edge.
        if !ui.visuals().dark_mode {
            painter.arrow(at, vec2(ARROW, 0.0), Stroke::new(4.0, dim));
        }
        painter.arrow(at, vec2(ARROW, 0.0), Stroke::new(2.0, color));
    };
    if rect.width() < 2.5 * WIDTH || rect.height() < 8.0 * LINE {
        let widths = rows.iter().map(|(name, _, largest)| INDENT + name.size().x + 4.0 + largest.size().x);
        let size = vec2(widths.sum::<f32>() + 3.0 * MARGIN, LINE + 4.0);
        if size.x + 2.0 * MARGIN > rect.width() {
            return;
        }
        let card = card(size);
        let mut at = card.left_center() + vec2(MARGIN, 0.0);
        for (name, color, largest) in &rows {
            arrow(at, *color);
            at.x += INDENT;
            put(at, name);
            at.x += name.size().x + 4.0;
            put(at, largest);
            at.x += largest.size().x + MARGIN;
        }
        return;
    }
    let card = card(vec2(WIDTH, (rows.len() + 1) as f32 * LINE + MARGIN));
    let mut at = card.left_top() + vec2(MARGIN, 0.5 * (MARGIN + LINE));
    put(at, &write(if list.unbalanced > 0.0 { "Forces, largest" } else { "Contact forces, largest" }, dim));
    for (name, color, largest) in &rows {
        at.y += LINE;
        arrow(at, *color);
        put(at + vec2(INDENT, 0.0), name);
        put(pos2(card.right() - MARGIN - largest.size().x, at.y), largest);
    }
}
