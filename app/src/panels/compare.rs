//! Labels over the views: which one it is, and how far it has drifted.

use egui::{Align2, Color32, FontId, Rect, Ui, vec2};

use super::desk::method_words;
use crate::session::Track;
use crate::theme::meaning;
use crate::widgets::percent;

/// A view narrower than this is small [points].
const SMALL: f32 = 260.0;

/// Writes the name of the view and its drift into its upper left corner.
pub fn view_label(ui: &Ui, rect: Rect, letter: &str, track: &Track) {
    let colors = meaning(ui);
    let drift = track.drift().unwrap_or(0.0);
    let name = format!("{letter}  {}", method_words(track.method).0);
    // Before anything has moved, no drift is no merit.
    let tone = match track.time() {
        0.0 => colors.dim,
        _ if drift < 1e-6 => colors.good,
        _ => colors.warning,
    };
    let lines = [
        (name, 16.0, ui.visuals().strong_text_color()),
        (format!("drift {}", percent(drift)), 13.0, tone),
        (format!("t = {:.2} s", track.time()), 13.0, colors.dim),
    ];
    // In a small view the body has the room; the time stands beside Play too.
    let (lines, tall) = if rect.width() < SMALL { (&lines[..2], 46.0) } else { (&lines[..], 66.0) };
    let margin = if rect.width() < SMALL { 12.0 } else { 16.0 };
    let mut at = rect.left_top() + vec2(margin, margin);
    let backdrop = Rect::from_min_size(at - vec2(8.0, 6.0), vec2(148.0, tall));
    let ground: Color32 = colors.card.gamma_multiply(0.8);
    ui.painter().rect_filled(backdrop, 6.0, ground);
    for (text, size, color) in lines {
        let written = ui.painter().text(at, Align2::LEFT_TOP, text, FontId::proportional(*size), *color);
        at.y = written.bottom() + 2.0;
    }
}
