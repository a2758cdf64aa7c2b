//! A body: what it is made of, its mesh, where it stands, how it sets out.

use aplomb_sim::scene::{Scene, Unit, UpAxis};
use egui::{Label, RichText, Ui};

use super::material;
use crate::theme::meaning;
use crate::widgets::{Quantity, card, choice_row, heading, name_row, row, value_row, vector_row};

/// Units of a mesh file.
pub const UNITS: &[(Unit, &str, &str)] = &[
    (Unit::Metre, "metres", "Coordinates are metres"),
    (Unit::Centimetre, "centimetres", "Coordinates are centimetres"),
    (Unit::Millimetre, "millimetres", "Coordinates are millimetres"),
];

/// Up axes of a mesh file.
pub const UP_AXES: &[(UpAxis, &str, &str)] =
    &[(UpAxis::Y, "y up", "The scene's own axis"), (UpAxis::Z, "z up", "(x, y, z) becomes (x, z, -y)")];

/// Draws the properties; the label of the edit, if one was made.
pub fn show(ui: &mut Ui, scene: &mut Scene, index: usize) -> Option<&'static str> {
    let before = scene.bodies.get(index)?.name.clone();
    let body = scene.bodies.get_mut(index)?;
    let mut edited = card(ui, |ui| material::show(ui, &mut body.material));
    let mut note = |changed: bool, label| {
        if changed {
            edited = Some(label);
        }
    };
    card(ui, |ui| {
        heading(ui, "Body");
        note(name_row(ui, "Name", &mut body.name), "Rename body");
        row(ui, "Mesh", |ui, _| {
            let dim = meaning(ui).dim;
            ui.add(Label::new(RichText::new(&body.mesh).color(dim)).truncate()).on_hover_text(&body.mesh);
        });
        note(choice_row(ui, "Unit", &mut body.unit, UNITS), "Change unit");
        note(choice_row(ui, "Up axis", &mut body.up, UP_AXES), "Change up axis");
        let scale = Quantity { unit: "×", range: 1e-6..=1e6, hint: "Uniform scale" };
        note(value_row(ui, "Scale", &mut body.transform.scale, &scale), "Scale body");
        let rotate = Quantity { unit: "°", range: -3600.0..=3600.0, hint: "rotations about x, then y, then z" };
        note(vector_row(ui, "Rotate", &mut body.transform.rotate_degrees, &rotate), "Rotate body");
        let translate = Quantity { unit: "m", range: -1e6..=1e6, hint: "translation" };
        note(vector_row(ui, "Move", &mut body.transform.translate, &translate), "Move body");
    });
    card(ui, |ui| {
        heading(ui, "At time zero");
        let velocity = Quantity { unit: "m/s", range: -1e4..=1e4, hint: "velocity of the centre of mass" };
        note(vector_row(ui, "Velocity", &mut body.velocity, &velocity), "Change initial velocity");
        let spin = Quantity { unit: "rad/s", range: -1e4..=1e4, hint: "angular velocity about the centre of mass" };
        note(vector_row(ui, "Spin", &mut body.spin, &spin), "Change initial spin");
    });
    let name = body.name.clone();
    if name != before {
        scene
            .equalities
            .iter_mut()
            .flat_map(|equality| &mut equality.terms)
            .filter(|term| term.body == before)
            .for_each(|term| term.body.clone_from(&name));
    }
    edited
}
