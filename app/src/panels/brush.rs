//! The brush that paints the selected region: in sight above everything else while it is held.

use aplomb_sim::scene::Selector;
use egui::{RichText, Ui};

use super::Look;
use crate::document::{Action, RESHAPES, Selection};
use crate::theme::meaning;
use crate::widgets::unit::Shown;
use crate::widgets::{Quantity, card, heading, icon_button, slider_row};

/// Draws the card of a brush that is held.
pub fn brush(ui: &mut Ui, look: &mut Look<'_>) {
    let Selection::Region(body, region) = look.document.selection else { return };
    let scene = look.document.scene().clone();
    let Some(region) = scene.bodies.get(body).and_then(|body| body.regions.get(region)) else { return };
    card(ui, |ui| contents(ui, look, &region.select));
}

/// Draws what is set.
pub fn contents(ui: &mut Ui, look: &mut Look<'_>, select: &[Selector]) {
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
    let how = Quantity { unit: "px", range: 4.0..=160.0, hint: "Radius of the brush on the screen" };
    let mut radius = f64::from(look.desk.brush.radius);
    if slider_row(ui, "Radius", &mut radius, &how, Shown { name: "px", size: 1.0 }, false) {
        look.desk.brush.radius = radius as f32;
    }
    ui.checkbox(&mut look.desk.brush.through, "Paint through").on_hover_text("What lies behind is painted too, not only what is in sight");
    ui.horizontal(|ui| {
        for entry in RESHAPES {
            if icon_button(ui, true, false, entry.icon, entry.label, &format!("{}: {}", entry.label, entry.doc)).clicked() {
                look.actions.push(Action::Reshape(entry.reshape));
            }
        }
    });
    if select.iter().any(|selector| !matches!(selector, Selector::Vertices(_))) {
        let dim = meaning(ui).dim;
        ui.label(RichText::new("Chosen by place or tag; the first stroke turns it into a list of vertices.").color(dim).small());
    }
}
