//! The numbers of an obstacle's shape.

use aplomb_sim::scene::Shape;
use egui::{Button, RichText, Ui};

use super::{UNITS, UP_AXES};
use crate::theme::meaning;
use crate::widgets::{Quantity, choice_row, count_row, direction_row, group, pair_row, path_label, row, value_row, vector_row};

/// Draws them; true if one changed.
pub fn show(ui: &mut Ui, shape: &mut Shape) -> bool {
    let place = |hint| Quantity { unit: "m", range: -1e6..=1e6, hint };
    let length = |hint| Quantity { unit: "m", range: 1e-6..=1e6, hint };
    let angle = Quantity { unit: "°", range: -3600.0..=3600.0, hint: "rotations about x, then y, then z" };
    match shape {
        Shape::HalfSpace { point, normal } => {
            vector_row(ui, "Point", point, &place("a point of the plane")) | direction_row(ui, "Normal", normal, "outward normal")
        }
        Shape::Sphere { center, radius } => {
            vector_row(ui, "Centre", center, &place("centre")) | value_row(ui, "Radius", radius, &length("Radius"))
        }
        Shape::Box { center, size, rotate_degrees } => {
            vector_row(ui, "Centre", center, &place("centre"))
                | vector_row(ui, "Size", size, &length("edge lengths"))
                | vector_row(ui, "Rotate", rotate_degrees, &angle)
        }
        Shape::Capsule { from, to, radius } => {
            vector_row(ui, "From", from, &place("one end"))
                | vector_row(ui, "To", to, &place("the other end"))
                | value_row(ui, "Radius", radius, &length("Radius"))
        }
        Shape::Torus { center, axis, ring_radius, tube_radius, segments } => {
            let mut changed = vector_row(ui, "Centre", center, &place("centre"));
            changed |= direction_row(ui, "Axis", axis, "axis around which the ring runs");
            // A ring keeps its hole, whichever number is dragged.
            let ring = Quantity { unit: "m", range: *tube_radius * 1.001..=1e6, hint: "Radius of the ring's middle line" };
            changed |= value_row(ui, "Ring radius", ring_radius, &ring);
            let tube = Quantity { unit: "m", range: 1e-6..=*ring_radius * 0.999, hint: "Radius of the section; smaller than the ring's" };
            changed |= value_row(ui, "Tube radius", tube_radius, &tube);
            changed | count_row(ui, "Segments", segments, 3..=1000, "Straight pieces around the ring")
        }
        Shape::Revolution { center, axis, profile, segments } => {
            let mut changed = vector_row(ui, "Centre", center, &place("point of the axis from which heights count"));
            changed |= direction_row(ui, "Axis", axis, "direction in which heights grow");
            changed |= count_row(ui, "Segments", segments, 3..=1000, "Straight pieces around the axis");
            changed | group(ui, "Profile", |ui| points(ui, profile))
        }
        Shape::Mesh { mesh, unit, up, transform } => {
            row(ui, "Mesh", |ui, _| path_label(ui, mesh, ""));
            choice_row(ui, "Unit", unit, UNITS)
                | choice_row(ui, "Up axis", up, UP_AXES)
                | value_row(ui, "Scale", &mut transform.scale, &Quantity { unit: "×", range: 1e-6..=1e6, hint: "Uniform scale" })
                | vector_row(ui, "Rotate", &mut transform.rotate_degrees, &angle)
                | vector_row(ui, "Move", &mut transform.translate, &place("translation"))
        }
    }
}

/// The line that is turned around the axis, as radii and heights.
fn points(ui: &mut Ui, profile: &mut Vec<[f64; 2]>) -> bool {
    let mut changed = false;
    ui.separator();
    let dim = meaning(ui).dim;
    ui.label(RichText::new("Profile: radius and height of each point").color(dim).small());
    let last = profile.len().saturating_sub(1);
    let how = Quantity { unit: "m", range: -1e6..=1e6, hint: "radius from the axis, and height along it" };
    for (index, point) in profile.iter_mut().enumerate() {
        if pair_row(ui, &format!("Point {}", index + 1), point, ["radius", "height"], &how) {
            // Only an end may lie on the axis, and closes the surface there.
            point[0] = point[0].max(if index == 0 || index == last { 0.0 } else { 1e-6 });
            changed = true;
        }
    }
    ui.horizontal(|ui| {
        if ui.button("Add point").on_hover_text("Beyond the last one").clicked()
            && let [.., before, last] = profile.as_mut_slice()
        {
            // What was an end on the axis is one no more.
            last[0] = last[0].max(0.1 * before[0]);
            let next = [(2.0 * last[0] - before[0]).max(0.5 * last[0]), 2.0 * last[1] - before[1]];
            profile.push(next);
            changed = true;
        }
        let remove = ui.add_enabled(profile.len() > 2, Button::new("Remove last"));
        if remove.on_disabled_hover_text("A profile has at least two points").clicked() {
            profile.pop();
            changed = true;
        }
    });
    changed
}
