//! Words over a view about what is pointed out in it, and how to stop that.

use egui::{Align2, FontId, Rect, Ui, vec2};

use super::Desk;
use crate::session::{Certificate, Motion};
use crate::theme::meaning;
use crate::widgets::quantity;

/// Writes them at the top of the view, in the middle, or at the bottom where there is no room beside the axes.
pub fn caption(ui: &Ui, rect: Rect, desk: &Desk, certificate: Option<&Certificate>) {
    let text = match (desk.mode.map(|played| played.motion), &desk.choice, certificate) {
        (Some(Motion::Mode(index)), _, Some(certificate)) => {
            let Some(mode) = certificate.findings.modes.get(index) else { return };
            format!("Mode {}, {}   Esc stops", index + 1, quantity(mode.eigenvalue, "N/m"))
        }
        (Some(Motion::GivesWay), _, Some(_)) => "How it gives way   Esc stops".to_owned(),
        (None, Some(choice), Some(_)) => format!("{}   Esc clears", choice.what),
        _ => return,
    };
    let colors = meaning(ui);
    let line = ui.painter().layout(text, FontId::proportional(13.0), ui.visuals().strong_text_color(), rect.width() - 40.0);
    let size = line.size() + vec2(24.0, 12.0);
    // In a small view above the legend of forces, where nothing else stands.
    let card = if size.x <= rect.width() - 160.0 {
        Align2::CENTER_TOP.anchor_size(rect.center_top() + vec2(0.0, 12.0), size)
    } else {
        Align2::CENTER_BOTTOM.anchor_size(rect.center_bottom() - vec2(0.0, 40.0), size)
    };
    ui.painter().rect_filled(card, 6.0, colors.card.gamma_multiply(0.9));
    ui.painter().galley(card.min + vec2(12.0, 6.0), line, colors.accent);
}
