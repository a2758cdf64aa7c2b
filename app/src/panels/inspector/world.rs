//! Gravity, contact and time: the scene as a whole.

use aplomb_sim::scene::Scene;
use egui::Ui;

use crate::widgets::{Quantity, card, heading, value_row, vector_row};

/// Draws the properties; the label of the edit, if one was made.
pub fn show(ui: &mut Ui, scene: &mut Scene) -> Option<&'static str> {
    let mut edited = None;
    let mut note = |changed: bool, label| {
        if changed {
            edited = Some(label);
        }
    };
    card(ui, |ui| {
        heading(ui, "World");
        let gravity = Quantity { unit: "m/s²", range: -1e3..=1e3, hint: "acceleration of gravity g" };
        note(vector_row(ui, "Gravity", &mut scene.gravity, &gravity), "Change gravity");
        let step = Quantity { unit: "s", range: 1e-5..=0.1, hint: "Step size h of the simulation" };
        note(value_row(ui, "Step size", &mut scene.simulate.step_size, &step), "Change step size");
        let tolerance =
            Quantity { unit: "m/s", range: 1e-12..=1e-1, hint: "Newton's method stops when its last step over h is below this" };
        note(value_row(ui, "Tolerance", &mut scene.simulate.tolerance, &tolerance), "Change tolerance");
    });
    card(ui, |ui| {
        heading(ui, "Contact");
        let share = |hint| Quantity { unit: "of diag.", range: 1e-7..=0.2, hint };
        let contact = &mut scene.contact;
        let detection = share(
            "A surface vertex this near to an obstacle carries load when the body is initialised; share of the bounding box diagonal",
        );
        note(value_row(ui, "Detection", &mut contact.detection_distance, &detection), "Change detection distance");
        let barrier = share("Distance at which contact begins to push; share of the bounding box diagonal");
        note(value_row(ui, "Barrier", &mut contact.barrier_distance, &barrier), "Change barrier distance");
        let slip = share("Slip over which static friction builds up; share of the bounding box diagonal");
        note(value_row(ui, "Friction slip", &mut contact.friction_slip, &slip), "Change friction slip");
        let fraction = Quantity { unit: "of µ", range: 0.05..=1.0, hint: "Share of the friction coefficient µ that the balance may use" };
        note(value_row(ui, "Friction used", &mut scene.initialise.friction_fraction, &fraction), "Change friction in use");
    });
    edited
}
