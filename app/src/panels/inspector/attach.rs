//! What a region is attached to, and by what springs.

use aplomb_sim::scene::AttachSettings;
use egui::{RichText, Ui};
use serde_json::Value;

use crate::theme::meaning;
use crate::widgets::{choice_row, form, heading};

/// Draws the settings; the label of the edit, if one was made. `bodies`: those that there are, each with its regions.
pub fn show(ui: &mut Ui, title: &str, settings: &mut AttachSettings, bodies: &[(String, Vec<String>)]) -> Option<&'static str> {
    heading(ui, title);
    let mut edited = None;
    if bodies.is_empty() {
        let dim = meaning(ui).dim;
        ui.label(RichText::new("There is no other body to attach it to.").color(dim).small());
    }
    let choices: Vec<(String, &str, &str)> = bodies.iter().map(|(name, _)| (name.clone(), name.as_str(), "")).collect();
    if !choices.is_empty() && choice_row(ui, "To body", &mut settings.body, &choices) {
        settings.region = None;
        edited = Some("Change attachment");
    }
    let regions = bodies.iter().find(|(name, _)| *name == settings.body).map_or(&[][..], |(_, regions)| regions);
    let anywhere = (None, "anywhere", "To the nearest vertices of the body, wherever they are");
    let named = regions.iter().map(|name| (Some(name.clone()), name.as_str(), "To the nearest vertices of this region"));
    let choices: Vec<_> = std::iter::once(anywhere).chain(named).collect();
    if choice_row(ui, "To region", &mut settings.region, &choices) {
        edited = Some("Change attachment");
    }
    springs(ui, settings).or(edited)
}

/// All other keys, as the schema has them.
fn springs(ui: &mut Ui, settings: &mut AttachSettings) -> Option<&'static str> {
    let mut schema = AttachSettings::schema().to_value();
    let keys = schema.get_mut("properties").and_then(Value::as_object_mut)?;
    keys.retain(|key, _| !["body", "region"].contains(&key.as_str()));
    let mut value = serde_json::to_value(&*settings).ok()?;
    if !form(ui, &mut value, &schema) {
        return None;
    }
    *settings = serde_json::from_value(value).ok()?;
    Some("Change attachment")
}
