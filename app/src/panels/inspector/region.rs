//! A region: its colour, what it does, and the brush that paints it.

use aplomb_sim::scene::{Scene, Selector};
use egui::{RichText, Slider, Ui};

use super::role;
use crate::document::{Action, region_color};
use crate::panels::Look;
use crate::theme::meaning;
use crate::widgets::{card, heading, name_row, row};

/// Draws the properties; the label of the edit, if one was made.
pub fn show(ui: &mut Ui, look: &mut Look<'_>, scene: &mut Scene, body: usize, index: usize) -> Option<&'static str> {
    let obstacles: Vec<String> = scene.obstacles.iter().map(|obstacle| obstacle.name.clone()).collect();
    let region = scene.bodies.get_mut(body)?.regions.get_mut(index)?;
    let mut edited = None;
    card(ui, |ui| brush(ui, look, &region.select));
    card(ui, |ui| {
        heading(ui, "Region");
        if name_row(ui, "Name", &mut region.name) {
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
    let model = look.main.model.as_ref().and_then(|model| model.bodies.get(body));
    edited = role::show(ui, region, model, &obstacles).or(edited);
    if ui.button("Delete region").clicked() {
        look.actions.push(Action::Delete);
    }
    edited
}

fn brush(ui: &mut Ui, look: &mut Look<'_>, select: &[Selector]) {
    heading(ui, "Brush");
    let on = look.desk.brush.on;
    ui.horizontal(|ui| {
        if ui
            .selectable_label(on, if on { "Painting" } else { "Paint" })
            .on_hover_text("Left drag paints; middle drag still orbits (B)")
            .clicked()
        {
            look.actions.push(Action::ToggleBrush);
        }
        if ui.selectable_label(!look.desk.brush.erase, "Add").clicked() {
            look.desk.brush.erase = false;
        }
        if ui.selectable_label(look.desk.brush.erase, "Erase").on_hover_text("Holding Ctrl turns it around for a stroke").clicked() {
            look.desk.brush.erase = true;
        }
    });
    row(ui, "Radius", |ui, named| {
        ui.spacing_mut().slider_width = 96.0;
        let slider = Slider::new(&mut look.desk.brush.radius, 4.0..=160.0).suffix(" px").max_decimals(0);
        ui.add(slider).labelled_by(named.id);
    });
    if select.iter().any(|selector| !matches!(selector, Selector::Vertices(_))) {
        let dim = meaning(ui).dim;
        ui.label(RichText::new("Chosen by place or tag; the first stroke turns it into a list of vertices.").color(dim).small());
    }
}
