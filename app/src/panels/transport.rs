//! Play, pause, one step, reset; the timeline; and what Play will start from: one strip of 40 points.

use aplomb_sim::scene::Method;
use aplomb_sim::stats::report::Conclusion;
use egui::{Align, Color32, FontFamily, FontId, Label, Layout, RichText, Slider, Ui};

use super::Look;
use super::desk::method_words;
use super::initialise::tone;
use crate::document::Action;
use crate::document::command::Seek;
use crate::session::Activity;
use crate::theme::{self, icons, meaning};
use crate::widgets::{icon_button, lead_button, percent};

/// Size of the handle of the timeline [points].
const HANDLE: egui::Vec2 = egui::Vec2::new(8.0, 14.0);
/// Strips narrower than this leave out what keys do too [points].
const NARROW: f32 = 680.0;

/// Draws the panel.
pub fn show(ui: &mut Ui, look: &mut Look<'_>) {
    let row = ui.available_rect_before_wrap();
    let is_narrow = row.width() < NARROW;
    ui.scope_builder(egui::UiBuilder::new().max_rect(row).layout(Layout::left_to_right(Align::Center)), |ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        buttons(ui, look, is_narrow);
        ui.add_space(12.0);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 8.0;
            ui.add_space(4.0);
            if !look.document.scene().bodies.is_empty() {
                start(ui, look, is_narrow);
                ui.separator();
            }
            numbers(ui, look, is_narrow);
            ui.add_space(4.0);
            timeline(ui, look);
        });
    });
}

fn buttons(ui: &mut Ui, look: &mut Look<'_>, is_narrow: bool) {
    let running = look.main.activity == Activity::Running;
    let usable = !look.main.activity.is_busy() && !look.document.scene().bodies.is_empty();
    let recorded = usable && look.main.last_frame() > 0;
    if icon_button(ui, usable, false, icons::RESET, "Reset", "Back to time zero, without the recording (Ctrl+Home)").clicked() {
        look.actions.push(Action::Reset);
    }
    if icon_button(ui, recorded, false, icons::LEFT, "Frame back", "One recorded frame back (Left)").clicked() {
        look.actions.push(Action::Seek(Seek::Back));
    }
    // Play leads where the pose holds.
    let leads = running || look.held_before() || look.outcome().is_some_and(|outcome| outcome.verdict == Conclusion::Holds);
    let (icon, text) = if running { (icons::PAUSE, "Pause") } else { (icons::PLAY, "Play") };
    if lead_button(ui, usable, leads, icon, text).on_hover_text("Play or pause (Space)").clicked() {
        look.actions.push(Action::TogglePlay);
    }
    if icon_button(ui, usable, false, icons::STEP, "Step", "One frame on: a recorded one, or a step (.)").clicked() {
        look.actions.push(Action::Step);
    }
    if !is_narrow && icon_button(ui, recorded, false, icons::LAST, "Last frame", "To the end of the recording (Ctrl+Right)").clicked() {
        look.actions.push(Action::Seek(Seek::Last));
    }
    let hint = "At the end, play the recording again from its first frame; otherwise Play goes on simulating there (L)";
    if icon_button(ui, true, look.desk.looping, icons::LOOP, "Loop", hint).clicked() {
        look.actions.push(Action::ToggleLoop);
    }
    if !is_narrow {
        super::push::menu(ui, look);
    }
}

/// What Play starts from, with the icon of that state.
fn start(ui: &mut Ui, look: &Look<'_>, is_narrow: bool) {
    let colors = meaning(ui);
    let current = look.is_current();
    let method = if current { look.main.method } else { Method::Naive };
    let (name, hint) = method_words(method);
    let (icon, name, color) = match look.outcome().filter(|_| method == Method::SagFree) {
        Some(outcome) if outcome.verdict == Conclusion::Holds => (icons::DONE, name.to_owned(), colors.good),
        Some(outcome) => (icons::WARNING, format!("{name}, {}", outcome.verdict), tone(outcome.verdict, colors)),
        None => (icons::STALE, name.to_owned(), colors.warning),
    };
    let plain = icon == icons::DONE;
    let text: Color32 = if plain { ui.visuals().text_color() } else { color };
    // In a small window, the rest state is more than the words about it.
    ui.add(Label::new(RichText::new(name).color(text)).truncate()).on_hover_text(hint);
    ui.spacing_mut().item_spacing.x = 5.0;
    let words = if current { "Play starts from:" } else { "edited; Play starts anew from:" };
    if !is_narrow {
        ui.label(RichText::new(if current { "from" } else { "anew from" }).color(colors.dim)).on_hover_text(words);
    }
    let icon = RichText::new(icon).font(FontId::new(14.0, if plain { theme::filled() } else { FontFamily::Proportional })).color(color);
    ui.add(Label::new(icon).selectable(false)).on_hover_text(words);
    ui.spacing_mut().item_spacing.x = 8.0;
}

/// Time and frame on screen.
fn numbers(ui: &mut Ui, look: &Look<'_>, is_narrow: bool) {
    let colors = meaning(ui);
    let (now, last) = (look.main.frame(), look.main.last_frame());
    if !is_narrow {
        // As wide as its largest text, so that the slider keeps its length while frames are counted.
        let font = egui::TextStyle::Body.resolve(ui.style());
        let widest = format!("{last} / {last}").replace(|c: char| c.is_ascii_digit(), "0");
        let width = ui.painter().layout_no_wrap(widest, font, colors.dim).size().x.max(40.0);
        let text = RichText::new(format!("{now} / {last}")).color(colors.dim);
        let right = Layout::right_to_left(Align::Center);
        let count = ui.allocate_ui_with_layout(egui::vec2(width, 24.0), right, |ui| ui.label(text)).inner;
        count.on_hover_text("Frame on screen, of the recorded ones");
    }
    ui.spacing_mut().item_spacing.x = 4.0;
    ui.label(RichText::new("s").color(colors.dim));
    let drift = look.main.drift().map_or_else(String::new, |drift| {
        format!("\nDrift {}: the largest distance from the given shape, as a share of its diagonal", percent(drift))
    });
    let time = RichText::new(format!("{:.3}", look.time_shown())).color(ui.visuals().strong_text_color());
    let what =
        if look.desk.playhead.is_some() { "The time that is looked at; nothing is recorded there" } else { "Time of the simulation" };
    ui.label(time).on_hover_text(format!("{what}{drift}"));
    ui.spacing_mut().item_spacing.x = 8.0;
}

/// The recording as a slider. Dragging it stops stepping; Play goes on from the frame that it stands at.
fn timeline(ui: &mut Ui, look: &mut Look<'_>) {
    let colors = meaning(ui);
    let (now, last) = (look.main.frame(), look.main.last_frame());
    let usable = last > 0 && !look.main.activity.is_busy();
    ui.spacing_mut().slider_width = (ui.available_width() - 4.0).max(24.0);
    ui.spacing_mut().slider_rail_height = 4.0;
    ui.visuals_mut().handle_shape = egui::style::HandleShape::Rect { aspect_ratio: 0.3 };
    let strong = ui.visuals().strong_text_color();
    ui.visuals_mut().selection.bg_fill = colors.accent;
    let mut frame = now;
    let slider = Slider::new(&mut frame, 0..=last.max(1)).show_value(false).trailing_fill(true);
    let slider = ui.add_enabled(usable, slider);
    slider.widget_info(|| egui::WidgetInfo::slider(usable, now as f64, "Timeline"));
    // The handle over the rail, which has the colour that egui would give both.
    let (rect, share) = (slider.rect, now as f32 / last.max(1) as f32);
    let x = egui::lerp(rect.left() + 0.5 * HANDLE.x..=rect.right() - 0.5 * HANDLE.x, share);
    let color = if usable { strong } else { colors.off };
    ui.painter().rect_filled(egui::Rect::from_center_size(egui::pos2(x, rect.center().y), HANDLE), 4.0, color);
    let hint = "Recorded frames: drag, or Left and Right; Ctrl with Left and Right for the ends";
    if slider.on_hover_text(hint).on_disabled_hover_text("Nothing is recorded yet: press Play").changed() {
        look.actions.push(Action::Seek(Seek::To(frame)));
    }
}
