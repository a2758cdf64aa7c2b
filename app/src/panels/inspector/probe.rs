//! A probe: its name, its colour, where it is, and all numbers of that place.

use aplomb_sim::scene::Scene;
use egui::Ui;

use super::place;
use crate::document::{Action, probe_color};
use crate::panels::Look;
use crate::widgets::{card, fact_row, heading, name_row, row};

/// Keys of a probe with rows of their own.
#[cfg(test)]
pub const BY_HAND: &[&str] = &["name", "body", "at", "color"];

/// Draws the properties; the label of the edit, if one was made.
pub fn show(ui: &mut Ui, look: &mut Look<'_>, scene: &mut Scene, index: usize) -> Option<&'static str> {
    let probe = scene.probes.get_mut(index)?;
    let mut edited = None;
    card(ui, |ui| {
        heading(ui, "Probe");
        if name_row(ui, "Name", &mut probe.name) {
            edited = Some("Rename probe");
        }
        row(ui, "Colour", |ui, named| {
            let mut color = probe_color(probe, index);
            if ui.color_edit_button_srgb(&mut color).labelled_by(named.id).changed() {
                probe.color = Some(color);
                edited = Some("Change colour");
            }
        });
        let at = format!("{} {} of {}", probe.at.noun(), probe.at.index(), probe.body);
        fact_row(ui, "At", &at, None, "The place goes where the body goes; click elsewhere with the probe tool for another one");
    });
    place::numbers(ui, look);
    if ui.button("Delete probe").clicked() {
        look.actions.push(Action::Delete);
    }
    edited
}
