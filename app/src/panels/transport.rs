//! Play, pause, one step, reset; the timeline; and what Play will start from.

use aplomb_sim::stats::report::Conclusion;
use egui::{Align, Label, Layout, RichText, Slider, Ui};

use super::Look;
use super::desk::method_words;
use super::initialise::tone;
use crate::document::Action;
use crate::document::command::Seek;
use crate::session::Activity;
use crate::theme::{icons, meaning};
use crate::widgets::{icon_button, lead_button, percent};

/// Draws the panel.
pub fn show(ui: &mut Ui, look: &mut Look<'_>) {
    let colors = meaning(ui);
    ui.horizontal(|ui| {
        let running = look.main.activity == Activity::Running;
        let busy = look.main.activity.is_busy();
        let empty = look.document.scene().bodies.is_empty();
        ui.spacing_mut().item_spacing.x = 4.0;
        let usable = !busy && !empty;
        if icon_button(ui, usable, false, icons::RESET, "Reset", "Back to time zero (Ctrl+Home)").clicked() {
            look.actions.push(Action::Reset);
        }
        // Play leads where the pose holds.
        let leads = running || look.outcome().is_some_and(|outcome| outcome.verdict == Conclusion::Holds);
        let (icon, text) = if running { (icons::PAUSE, "Pause") } else { (icons::PLAY, "Play") };
        if lead_button(ui, usable, leads, icon, text).on_hover_text("Play or pause (Space)").clicked() {
            look.actions.push(Action::TogglePlay);
        }
        if icon_button(ui, usable, false, icons::STEP, "Step", "One step (.)").clicked() {
            look.actions.push(Action::Step);
        }
        let hint = "At the end, play the recording again from its first frame; otherwise Play goes on simulating there (L)";
        if icon_button(ui, true, look.desk.looping, icons::LOOP, "Loop", hint).clicked() {
            look.actions.push(Action::ToggleLoop);
        }
        super::push::menu(ui, look);
        ui.spacing_mut().item_spacing.x = 8.0;
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
