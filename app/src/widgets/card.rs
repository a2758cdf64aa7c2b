//! Cards, headings, the one primary button.

use std::sync::Arc;

use egui::text::{LayoutJob, TextWrapping};
use egui::{Button, Color32, FontId, Frame, Galley, Label, Margin, Response, RichText, Role, Ui, WidgetInfo};

use crate::theme::{self, meaning};

/// A group of controls on a ground of its own.
pub fn card<R>(ui: &mut Ui, contents: impl FnOnce(&mut Ui) -> R) -> R {
    let fill = meaning(ui).card;
    Frame::new()
        .fill(fill)
        .corner_radius(6)
        .inner_margin(Margin::same(12))
        .show(ui, |ui| {
            ui.set_width(ui.available_width());
            contents(ui)
        })
        .inner
}

/// Lines closer together, for a card of facts.
pub fn dense(ui: &mut Ui) {
    ui.spacing_mut().interact_size.y = 18.0;
    ui.spacing_mut().item_spacing.y = 4.0;
}

/// Heading of a card or a section, cut where there is no room: it may hold a name that somebody gave.
pub fn heading(ui: &mut Ui, text: &str) {
    ui.add(Label::new(RichText::new(text).strong().family(theme::strong())).truncate());
}

/// A line of text, cut at its end to `width` [points] where it is longer.
pub fn elided(ui: &Ui, text: &str, font: FontId, color: Color32, width: f32) -> Arc<Galley> {
    let mut job = LayoutJob::simple_singleline(text.to_owned(), font, color);
    job.wrap = TextWrapping { max_width: width.max(0.0), max_rows: 1, break_anywhere: true, ..TextWrapping::default() };
    ui.painter().layout_job(job)
}

/// The button that the user is led to.
pub fn primary_button(ui: &mut Ui, enabled: bool, text: &str) -> Response {
    let meaning = meaning(ui);
    let button = Button::new(RichText::new(text).color(meaning.on_accent).family(theme::strong())).fill(meaning.accent);
    ui.add_enabled(enabled, button.min_size(egui::vec2(96.0, 28.0)))
}

/// A button with an icon: the one that the user is led to, or one among others.
pub fn lead_button(ui: &mut Ui, enabled: bool, leads: bool, icon: &str, text: &str) -> Response {
    let meaning = meaning(ui);
    let words = RichText::new(format!("{icon}  {text}"));
    let button = match leads {
        true => Button::new(words.color(meaning.on_accent).family(theme::strong())).fill(meaning.accent),
        false => Button::new(words),
    };
    let response = ui.add_enabled(enabled, button.min_size(egui::vec2(84.0, 28.0)));
    response.widget_info(|| WidgetInfo::labeled(Role::Button, enabled, text));
    response
}

/// A button that is an icon alone, with a name for those who do not see it and a hint.
pub fn icon_button(ui: &mut Ui, enabled: bool, selected: bool, icon: &str, name: &str, hint: &str) -> Response {
    let button = Button::selectable(selected, RichText::new(icon).size(16.0)).min_size(egui::vec2(28.0, 28.0));
    let response = ui.add_enabled(enabled, button);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, enabled, name));
    response.on_hover_text(hint)
}

/// A small button that is an icon alone, for bars of tabs and rows.
pub fn small_icon_button(ui: &mut Ui, enabled: bool, selected: bool, icon: &str, name: &str, hint: &str) -> Response {
    let color = if enabled { meaning(ui).dim } else { meaning(ui).off };
    let text = RichText::new(icon).size(14.0);
    let text = if selected { text } else { text.color(color) };
    let button = Button::selectable(selected, text).min_size(egui::vec2(24.0, 24.0));
    let response = ui
        .scope(|ui| {
            ui.spacing_mut().button_padding = egui::vec2(4.0, 2.0);
            ui.add_enabled(enabled, button)
        })
        .inner;
    response.widget_info(|| WidgetInfo::labeled(Role::Button, enabled, name));
    response.on_hover_text(hint).on_disabled_hover_text(hint)
}
