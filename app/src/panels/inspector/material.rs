//! What a body or a region is made of.

use aplomb_sim::material::MATERIALS;
use aplomb_sim::scene::MaterialSettings;
use egui::{RichText, Ui};

use crate::document::{MEASURED, PRESETS};
use crate::widgets::{Quantity, choice_row, heading, limits_of, other_rows, quantity, value_row};

/// Keys of a material with rows of their own.
pub const BY_HAND: &[&str] = &["law", "young", "poisson", "density", "damping"];

/// Draws the properties; the label of the edit, if one was made.
pub fn show(ui: &mut Ui, material: &mut MaterialSettings) -> Option<&'static str> {
    let mut edited = None;
    heading(ui, "Material");
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = egui::vec2(4.0, 4.0);
        let mut presets: Vec<_> = PRESETS.iter().chain(MEASURED).collect();
        presets.sort_by(|a, b| a.young.total_cmp(&b.young));
        for preset in presets {
            let numbers = format!("E = {}, ν = {}, {} kg/m³", quantity(preset.young, "Pa"), preset.poisson, preset.density);
            let hint = format!("{numbers}\n{}", preset.source);
            if ui.button(RichText::new(preset.name).small()).on_hover_text(hint).clicked() {
                preset.apply(material);
                edited = Some("Apply material preset");
            }
        }
    });
    let laws: Vec<_> = MATERIALS.iter().map(|law| (law.name.to_owned(), law.label, law.doc)).collect();
    if choice_row(ui, "Law", &mut material.law, &laws) {
        edited = Some("Change material law");
    }
    let mut number = |ui: &mut Ui, label, value: &mut f64, how: Quantity<'_>, change| {
        if value_row(ui, label, value, &how) {
            edited = Some(change);
        }
    };
    let young = Quantity { unit: "Pa", range: limits_of("bodies[].material.young"), hint: "Young's modulus E: how stiff it is" };
    number(ui, "Young's modulus", &mut material.young, young, "Change Young's modulus");
    let allowed = aplomb_sim::material::law(&material.law).map_or(0.0, |law| law.poisson.start);
    let poisson = Quantity { unit: "", range: allowed..=0.499, hint: "Poisson's ratio ν: how much it bulges when pressed; below 0.5" };
    number(ui, "Poisson's ratio", &mut material.poisson, poisson, "Change Poisson's ratio");
    let density = Quantity { unit: "kg/m³", range: limits_of("bodies[].material.density"), hint: "Density: water has 1000" };
    number(ui, "Density", &mut material.density, density, "Change density");
    let damping = Quantity {
        unit: "s",
        range: limits_of("bodies[].material.damping"),
        hint: "Stiffness-proportional damping: ratio of damping to stiffness",
    };
    number(ui, "Damping", &mut material.damping, damping, "Change damping");
    if other_rows(ui, material, "bodies[].material", BY_HAND) {
        edited = Some("Change material");
    }
    edited
}
