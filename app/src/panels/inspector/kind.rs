//! The settings of a body's kind: a form from the schema that the kind gives.

use aplomb_sim::bodies::{kind_named, springs};
use aplomb_sim::scene::KindSettings;
use egui::Ui;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::document::{FIBRES, Fibre};
use crate::widgets::{form, heading, quantity, significant};

/// Draws the settings of a body; the label of the edit, if one was made.
pub fn show(ui: &mut Ui, settings: &mut KindSettings) -> Option<&'static str> {
    let kind = kind_named(&settings.kind)?;
    heading(ui, kind.label);
    let applied = fibres(ui, settings, Fibre::apply);
    let schema = (kind.settings?)().to_value();
    form(ui, &mut settings.settings, &schema).then_some("Change kind settings").or(applied)
}

/// Draws what a region has in their place; the label of the edit, if one was made.
pub fn show_region(ui: &mut Ui, title: &str, settings: &mut KindSettings) -> Option<&'static str> {
    let kind = kind_named(&settings.kind)?;
    heading(ui, title);
    let applied = fibres(ui, settings, Fibre::apply_to_region);
    let schema = (kind.region_settings?)().to_value();
    form(ui, &mut settings.settings, &schema).then_some("Change region settings").or(applied)
}

/// Fibres with names, for springs.
fn fibres<T: DeserializeOwned + Serialize>(ui: &mut Ui, settings: &mut KindSettings, apply: fn(&Fibre, &mut T)) -> Option<&'static str> {
    let mut springs: T = settings.parse().ok().filter(|_| settings.kind == springs::NAME)?;
    let mut applied = None;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = egui::vec2(4.0, 4.0);
        for fibre in FIBRES {
            let (diameter, stiffness) = (quantity(fibre.diameter, "m"), quantity(fibre.stiffness(), "N"));
            let hint = format!("{diameter} thick: E A = {stiffness}, {} kg/m\n{}", significant(fibre.mass(), 3), fibre.source);
            if ui.button(egui::RichText::new(fibre.name).small()).on_hover_text(hint).clicked() {
                apply(fibre, &mut springs);
                applied = Some("Apply fibre preset");
            }
        }
    });
    if applied.is_some() {
        settings.settings = serde_json::to_value(&springs).ok()?;
    }
    applied
}
