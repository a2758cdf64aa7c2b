//! An obstacle: its shape, its friction, when it goes.

use aplomb_sim::scene::{Scene, Shape};
use egui::Ui;

use crate::widgets::{Quantity, card, heading, row, value_row, vector_row};

/// Draws the properties; the label of the edit, if one was made.
pub fn show(ui: &mut Ui, scene: &mut Scene, index: usize) -> Option<&'static str> {
    let obstacle = scene.obstacles.get_mut(index)?;
    let mut edited = None;
    let mut note = |changed: bool, label| {
        if changed {
            edited = Some(label);
        }
    };
    card(ui, |ui| {
        heading(ui, "Obstacle");
        row(ui, "Name", |ui, named| {
            let field = egui::TextEdit::singleline(&mut obstacle.name).desired_width(150.0);
            note(ui.add(field).labelled_by(named.id).changed(), "Rename obstacle");
        });
        let friction = Quantity { unit: "", range: 0.0..=10.0, hint: "Coulomb friction coefficient µ against bodies" };
        note(value_row(ui, "Friction µ", &mut obstacle.friction, &friction), "Change friction");
        let mut removed = obstacle.removed_at.is_some();
        if ui.checkbox(&mut removed, "Taken away during the simulation").changed() {
            obstacle.removed_at = removed.then_some(1.0);
            note(true, "Change removal");
        }
        if let Some(time) = &mut obstacle.removed_at {
            let how = Quantity { unit: "s", range: 0.0..=1e4, hint: "Time at which it is taken away" };
            note(value_row(ui, "Taken away at", time, &how), "Change removal");
        }
    });
    card(ui, |ui| {
        heading(ui, "Shape");
        note(shape(ui, &mut obstacle.shape), "Change obstacle");
    });
    edited
}

fn shape(ui: &mut Ui, shape: &mut Shape) -> bool {
    let place = |hint| Quantity { unit: "m", range: -1e3..=1e3, hint };
    let length = |hint| Quantity { unit: "m", range: 1e-6..=1e3, hint };
    match shape {
        Shape::HalfSpace { point, normal } => {
            let direction = Quantity { unit: "", range: -1.0..=1.0, hint: "outward normal" };
            vector_row(ui, "Point", point, &place("a point of the plane")) | vector_row(ui, "Normal", normal, &direction)
        }
        Shape::Sphere { center, radius } => {
            vector_row(ui, "Centre", center, &place("centre")) | value_row(ui, "Radius", radius, &length("Radius"))
        }
        Shape::Box { center, size, rotate_degrees } => {
            let angle = Quantity { unit: "°", range: -360.0..=360.0, hint: "rotations about x, then y, then z" };
            vector_row(ui, "Centre", center, &place("centre"))
                | vector_row(ui, "Size", size, &length("edge lengths"))
                | vector_row(ui, "Rotate", rotate_degrees, &angle)
        }
        Shape::Capsule { from, to, radius } => {
            vector_row(ui, "From", from, &place("one end"))
                | vector_row(ui, "To", to, &place("the other end"))
                | value_row(ui, "Radius", radius, &length("Radius"))
        }
        Shape::Torus { center, axis, ring_radius, tube_radius, .. } => {
            let direction = Quantity { unit: "", range: -1.0..=1.0, hint: "axis around which the ring runs" };
            vector_row(ui, "Centre", center, &place("centre"))
                | vector_row(ui, "Axis", axis, &direction)
                | value_row(ui, "Ring radius", ring_radius, &length("Ring radius"))
                | value_row(ui, "Tube radius", tube_radius, &length("Tube radius"))
        }
        Shape::Revolution { center, axis, .. } => {
            let direction = Quantity { unit: "", range: -1.0..=1.0, hint: "direction in which heights grow" };
            vector_row(ui, "Centre", center, &place("point of the axis")) | vector_row(ui, "Axis", axis, &direction)
        }
        Shape::Mesh { transform, .. } => {
            let angle = Quantity { unit: "°", range: -360.0..=360.0, hint: "rotations about x, then y, then z" };
            value_row(ui, "Scale", &mut transform.scale, &Quantity { unit: "", range: 1e-6..=1e6, hint: "Scale" })
                | vector_row(ui, "Rotate", &mut transform.rotate_degrees, &angle)
                | vector_row(ui, "Move", &mut transform.translate, &place("translation"))
        }
    }
}
