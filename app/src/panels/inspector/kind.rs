//! The settings of a body's kind: a form from the schema that the kind gives.

use aplomb_sim::bodies::kind_named;
use aplomb_sim::scene::KindSettings;
use egui::Ui;

use crate::widgets::{form, heading};

/// Draws the settings of a body; the label of the edit, if one was made.
pub fn show(ui: &mut Ui, settings: &mut KindSettings) -> Option<&'static str> {
    let kind = kind_named(&settings.kind)?;
    heading(ui, kind.label);
    let schema = (kind.settings?)().to_value();
    form(ui, &mut settings.settings, &schema).then_some("Change kind settings")
}

/// Draws what a region has in their place; the label of the edit, if one was made.
pub fn show_region(ui: &mut Ui, title: &str, settings: &mut KindSettings) -> Option<&'static str> {
    let kind = kind_named(&settings.kind)?;
    heading(ui, title);
    let schema = (kind.region_settings?)().to_value();
    form(ui, &mut settings.settings, &schema).then_some("Change region settings")
}
