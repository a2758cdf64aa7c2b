//! A region: its colour and what it does.

use aplomb_sim::scene::Scene;
use egui::Ui;

use super::role::{self, Names};
use crate::document::{Action, follow_region, region_color};
use crate::panels::{Look, brush};
use crate::widgets::{card, heading, name_row, row};

/// Draws the properties; the label of the edit, if one was made.
pub fn show(ui: &mut Ui, look: &mut Look<'_>, scene: &mut Scene, body: usize, index: usize) -> Option<&'static str> {
    let names = Names::of(scene, body);
    let region = scene.bodies.get_mut(body)?.regions.get_mut(index)?;
    let (mut edited, mut renamed) = (None, None);
    if !look.desk.brush.on {
        card(ui, |ui| brush::contents(ui, look, &region.select));
    }
    card(ui, |ui| {
        heading(ui, "Region");
        let before = region.name.clone();
        if name_row(ui, "Name", &mut region.name) {
            renamed = Some((before, region.name.clone()));
            edited = Some("Rename region");
        }
        row(ui, "Colour", |ui, named| {
            let mut color = region_color(region, index);
            if ui.color_edit_button_srgb(&mut color).labelled_by(named.id).changed() {
                region.color = Some(color);
                edited = Some("Change colour");
            }
        });
    });
    let model = look.main.model.as_ref().filter(|_| look.main.is_up_to_date()).and_then(|model| model.bodies.get(body));
    edited = role::show(ui, region, model, &names).or(edited);
    if let Some((before, now)) = renamed {
        let of = scene.bodies[body].name.clone();
        follow_region(scene, &of, &before, Some(&now));
    }
    if ui.button("Delete region").clicked() {
        look.actions.push(Action::Delete);
    }
    edited
}
