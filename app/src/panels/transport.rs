//! Play, pause, one step, reset; and what Play will start from.

use egui::{Align, Button, Layout, RichText, Ui, vec2};

use super::Look;
use super::desk::method_words;
use crate::document::Action;
use crate::session::Activity;
use crate::theme::meaning;
use crate::widgets::percent;

/// Draws the panel.
pub fn show(ui: &mut Ui, look: &mut Look<'_>) {
    let colors = meaning(ui);
    ui.horizontal(|ui| {
        let running = look.main.activity == Activity::Running;
        let busy = matches!(look.main.activity, Activity::Loading | Activity::Initialising);
        let mut button = |ui: &mut Ui, text: &str, hint: &str, action: Action| {
            if ui.add_enabled(!busy, Button::new(text).min_size(vec2(64.0, 26.0))).on_hover_text(hint).clicked() {
                look.actions.push(action);
            }
        };
        button(ui, if running { "Pause" } else { "Play" }, "Play or pause (Space)", Action::TogglePlay);
        button(ui, "Step", "One step (.)", Action::Step);
        button(ui, "Reset", "Back to time zero (Ctrl+Home)", Action::Reset);
        ui.add_space(8.0);
        ui.label(RichText::new(format!("t = {:.3} s", look.main.time())).monospace()).on_hover_text("Time of the simulation");
        if let Some(drift) = look.main.drift() {
            ui.label(RichText::new(format!("drift {}", percent(drift))).monospace().color(colors.dim))
                .on_hover_text("Largest distance from the given shape, as a share of its diagonal");
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let current = look.is_current();
            let method = if current { look.main.method } else { aplomb_sim::scene::Method::Naive };
            let (name, hint) = method_words(method);
            let tone = if method == aplomb_sim::scene::Method::SagFree { colors.good } else { colors.warning };
            ui.label(RichText::new(name).strong().color(tone)).on_hover_text(hint);
            let words = if current { "Play starts from:" } else { "edited; Play starts anew from:" };
            ui.label(RichText::new(words).color(colors.dim));
        });
    });
}
