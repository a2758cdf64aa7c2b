//! Cards, headings, the one primary button.

use egui::{Button, Frame, Label, Margin, Response, RichText, Ui};

use crate::theme::meaning;

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
    ui.add(Label::new(RichText::new(text).strong()).truncate());
}

/// The button that the user is led to.
pub fn primary_button(ui: &mut Ui, enabled: bool, text: &str) -> Response {
    let meaning = meaning(ui);
    let button = Button::new(RichText::new(text).color(meaning.on_accent).strong()).fill(meaning.accent);
    ui.add_enabled(enabled, button.min_size(egui::vec2(96.0, 28.0)))
}
