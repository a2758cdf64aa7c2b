//! A region: its colour, what it does, and the brush that paints it.

use aplomb_sim::scene::{RegionRole, Scene, Selector};
use egui::{RichText, Slider, Ui};

use super::material;
use crate::document::{Action, RoleKind, region_color};
use crate::panels::Look;
use crate::theme::meaning;
use crate::widgets::{Quantity, card, heading, row, value_row};

/// Draws the properties; the label of the edit, if one was made.
pub fn show(ui: &mut Ui, look: &mut Look<'_>, scene: &mut Scene, body: usize, index: usize) -> Option<&'static str> {
    let region = scene.bodies.get_mut(body)?.regions.get_mut(index)?;
    let mut edited = None;
    card(ui, |ui| brush(ui, look, &region.select));
    card(ui, |ui| {
        heading(ui, RoleKind::of(&region.role).label());
        row(ui, "Name", |ui, named| {
            if ui.add(egui::TextEdit::singleline(&mut region.name).desired_width(150.0)).labelled_by(named.id).changed() {
                edited = Some("Rename region");
            }
        });
        row(ui, "Colour", |ui, named| {
            let mut color = region_color(region, index);
            if ui.color_edit_button_srgb(&mut color).labelled_by(named.id).changed() {
                region.color = Some(color);
                edited = Some("Change colour");
            }
        });
        if let RegionRole::Contact { friction, .. } = &mut region.role {
            let mut own = friction.is_some();
            if ui.checkbox(&mut own, "Its own friction coefficient").changed() {
                *friction = own.then_some(0.5);
                edited = Some("Change friction");
            }
            if let Some(value) = friction {
                let how = Quantity { unit: "", range: 0.0..=10.0, hint: "Coulomb friction coefficient µ, in place of the obstacle's" };
                if value_row(ui, "Friction µ", value, &how) {
                    edited = Some("Change friction");
                }
            }
        }
    });
    if let RegionRole::Material(settings) = &mut region.role {
        edited = card(ui, |ui| material::show(ui, settings)).or(edited);
    }
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
