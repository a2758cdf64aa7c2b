//! Play, pause, one step, reset; the timeline; and what Play will start from.

use aplomb_sim::stats::report::Conclusion;
use egui::{Align, Button, Label, Layout, RichText, Slider, Ui, vec2};

use super::Look;
use super::desk::method_words;
use super::initialise::tone;
use crate::document::Action;
use crate::document::command::Seek;
use crate::session::Activity;
use crate::theme::meaning;
use crate::widgets::percent;

/// Draws the panel.
pub fn show(ui: &mut Ui, look: &mut Look<'_>) {
    let colors = meaning(ui);
    ui.horizontal(|ui| {
        let running = look.main.activity == Activity::Running;
        let busy = look.main.activity.is_busy();
        let empty = look.document.scene().bodies.is_empty();
        let mut button = |ui: &mut Ui, text: &str, hint: &str, action: Action| {
            if ui.add_enabled(!busy && !empty, Button::new(text).min_size(vec2(64.0, 26.0))).on_hover_text(hint).clicked() {
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
        if empty {
            return;
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let current = look.is_current();
            let method = if current { look.main.method } else { aplomb_sim::scene::Method::Naive };
            let (name, hint) = method_words(method);
            let (name, tone) = match look.outcome().filter(|_| method == aplomb_sim::scene::Method::SagFree) {
                Some(outcome) if outcome.verdict == Conclusion::Holds => (name.to_owned(), colors.good),
                Some(outcome) => (format!("{name}, {}", outcome.verdict), tone(outcome.verdict, colors)),
                None => (name.to_owned(), colors.warning),
            };
            ui.label(RichText::new(name).strong().color(tone)).on_hover_text(hint);
            // In a small window, the rest state is more than the words about it.
            let words = if current { "Play starts from:" } else { "edited; Play starts anew from:" };
            ui.add(Label::new(RichText::new(words).color(colors.dim)).truncate()).on_hover_text(words);
        });
    });
    timeline(ui, look);
}

/// The recording as a slider. Dragging it stops stepping; Play goes on from the frame that it stands at.
fn timeline(ui: &mut Ui, look: &mut Look<'_>) {
    let (now, last) = (look.main.frame(), look.main.last_frame());
    let busy = look.main.activity.is_busy();
    ui.horizontal(|ui| {
        let hint = "At the end, play the recording again from its first frame; otherwise Play goes on simulating there (L)";
        if ui.selectable_label(look.desk.looping, "Loop").on_hover_text(hint).clicked() {
            look.actions.push(Action::ToggleLoop);
        }
        let name = ui.label(RichText::new("Timeline").color(meaning(ui).dim));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            // As wide as its largest text, so that the slider keeps its length while frames are counted.
            let count = format!("{now:>width$} / {last}", width = last.max(9999).to_string().len());
            ui.label(RichText::new(count).monospace()).on_hover_text("Frame on screen, of the recorded ones");
            ui.spacing_mut().slider_width = (ui.available_width() - 8.0).max(40.0);
            let mut frame = now;
            let slider = Slider::new(&mut frame, 0..=last.max(1)).show_value(false).trailing_fill(true);
            let hint = "Recorded frames: drag, or Left and Right; Ctrl with Left and Right for the ends";
            if ui.add_enabled(last > 0 && !busy, slider).labelled_by(name.id).on_hover_text(hint).changed() {
                look.actions.push(Action::Seek(Seek::To(frame)));
            }
        });
    });
}
