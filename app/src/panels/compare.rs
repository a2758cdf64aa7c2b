//! Labels over the views: which one it is, by which method, and how far it has drifted.

use aplomb_sim::scene::Method;
use egui::{Align2, Color32, ComboBox, FontId, Rect, RichText, Ui, UiBuilder, vec2};

use super::desk::{METHODS, method_words};
use crate::document::Action;
use crate::session::Track;
use crate::theme::{self, meaning};
use crate::widgets::percent;

/// A view narrower than this is small [points].
const SMALL: f32 = 260.0;
/// Height of the line with the method [points].
const HEAD: f32 = 28.0;

/// Writes the name of a view of the comparison, the choice of its method and its drift into its upper left corner; what was chosen.
pub fn view_label(ui: &mut Ui, rect: Rect, is_a: bool, track: &Track) -> Option<Action> {
    let colors = meaning(ui);
    let drift = track.drift().unwrap_or(0.0);
    // Before anything has moved, no drift is no merit.
    let tone = match track.time() {
        0.0 => colors.dim,
        _ if drift < 1e-6 => colors.good,
        _ => colors.warning,
    };
    let stage = track.progress.as_ref().filter(|_| track.activity.is_busy());
    let first = stage.map_or_else(|| (format!("drift {}", percent(drift)), tone), |stage| (stage.stage.clone(), colors.dim));
    let lines = [first, (format!("t = {:.2} s", track.time()), colors.dim)];
    // In a small view the body has the room; the time stands beside Play too.
    let (lines, tall) = if rect.width() < SMALL { (&lines[..1], 56.0) } else { (&lines[..], 74.0) };
    let margin = if rect.width() < SMALL { 12.0 } else { 16.0 };
    let at = rect.left_top() + vec2(margin, margin);
    let backdrop = Rect::from_min_size(at - vec2(8.0, 6.0), vec2(176.0, tall));
    let ground: Color32 = colors.card.gamma_multiply(0.8);
    ui.painter().rect_filled(backdrop, 6.0, ground);
    let mut line = at + vec2(0.0, HEAD);
    for (text, color) in lines {
        line.y = ui.painter().text(line, Align2::LEFT_TOP, text, FontId::proportional(13.0), *color).bottom() + 2.0;
    }
    let head = Rect::from_min_size(at - vec2(0.0, 2.0), vec2(backdrop.width() - 16.0, HEAD - 4.0));
    ui.scope_builder(UiBuilder::new().max_rect(head), |ui| {
        ui.horizontal(|ui| {
            let letter = if is_a { "A" } else { "B" };
            ui.label(RichText::new(letter).family(theme::strong()).color(ui.visuals().strong_text_color()));
            method_choice(ui, letter, track.method)
        })
        .inner
    })
    .inner
    .map(|method| if is_a { Action::SetTwinMethod(method) } else { Action::InitialiseBy(method) })
}

/// A list of the methods; the one that was chosen.
fn method_choice(ui: &mut Ui, letter: &str, method: Method) -> Option<Method> {
    let mut chosen = None;
    let combo = ComboBox::from_id_salt("method").width(124.0).selected_text(method_words(method).0);
    let shown = combo.show_ui(ui, |ui| {
        for other in METHODS {
            let (label, hint) = method_words(other);
            if ui.selectable_label(other == method, label).on_hover_text(hint).clicked() {
                chosen = Some(other);
            }
        }
    });
    let name = format!("Method of {letter}");
    shown.response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::ComboBox, true, &name));
    shown.response.on_hover_text("The rest state that this view shows, compared with the other's");
    chosen
}
