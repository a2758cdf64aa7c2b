//! The numbers of an obstacle's shape.

use aplomb_sim::scene::Shape;
use egui::{Button, RichText, Ui};

use super::{UNITS, UP_AXES};
use crate::theme::meaning;
use crate::widgets::{
    Quantity, choice_row, count_limits_of, count_row, direction_row, group, limits_of, pair_row, path_label, row, value_row, vector_row,
};

/// Draws them; true if one changed.
pub fn show(ui: &mut Ui, shape: &mut Shape) -> bool {
    let metres = |key: &str, hint| Quantity { unit: "m", range: limits_of(&format!("obstacles[].shape.{key}")), hint };
    let angle = |key: &str| Quantity {
        unit: "°",
        range: limits_of(&format!("obstacles[].shape.{key}.rotate_degrees")),
        hint: "rotations about x, then y, then z",
    };
    let pieces = |key: &str| count_limits_of(&format!("obstacles[].shape.{key}.segments"));
    match shape {
        Shape::HalfSpace { point, normal } => {
            vector_row(ui, "Point", point, &metres("half_space.point", "a point of the plane"))
                | direction_row(ui, "Normal", normal, "outward normal")
        }
        Shape::Sphere { center, radius } => {
            vector_row(ui, "Centre", center, &metres("sphere.center", "centre"))
                | value_row(ui, "Radius", radius, &metres("sphere.radius", "Radius"))
        }
        Shape::Box { center, size, rotate_degrees } => {
            vector_row(ui, "Centre", center, &metres("box.center", "centre"))
                | vector_row(ui, "Size", size, &metres("box.size", "edge lengths"))
                | vector_row(ui, "Rotate", rotate_degrees, &angle("box"))
        }
        Shape::Capsule { from, to, radius } => {
            vector_row(ui, "From", from, &metres("capsule.from", "one end"))
                | vector_row(ui, "To", to, &metres("capsule.to", "the other end"))
                | value_row(ui, "Radius", radius, &metres("capsule.radius", "Radius"))
        }
        Shape::Torus { center, axis, ring_radius, tube_radius, segments } => {
            let mut changed = vector_row(ui, "Centre", center, &metres("torus.center", "centre"));
            changed |= direction_row(ui, "Axis", axis, "axis around which the ring runs");
            // A ring keeps its hole, whichever number is dragged.
            let mut ring = metres("torus.ring_radius", "Radius of the ring's middle line");
            ring.range = *tube_radius * 1.001..=*ring.range.end();
            changed |= value_row(ui, "Ring radius", ring_radius, &ring);
            let mut tube = metres("torus.tube_radius", "Radius of the section; smaller than the ring's");
            tube.range = *tube.range.start()..=*ring_radius * 0.999;
            changed |= value_row(ui, "Tube radius", tube_radius, &tube);
            changed | count_row(ui, "Segments", segments, pieces("torus"), "Straight pieces around the ring")
        }
        Shape::Revolution { center, axis, profile, segments } => {
            let mut changed = vector_row(ui, "Centre", center, &metres("revolution.center", "point of the axis from which heights count"));
            changed |= direction_row(ui, "Axis", axis, "direction in which heights grow");
            changed |= count_row(ui, "Segments", segments, pieces("revolution"), "Straight pieces around the axis");
            changed | group(ui, "Profile", |ui| points(ui, profile))
        }
        Shape::Mesh { mesh, unit, up, transform } => {
            row(ui, "Mesh", |ui, _| path_label(ui, mesh, ""));
            let scale = Quantity { unit: "×", range: limits_of("obstacles[].shape.mesh.transform.scale"), hint: "Uniform scale" };
            choice_row(ui, "Unit", unit, UNITS)
                | choice_row(ui, "Up axis", up, UP_AXES)
                | value_row(ui, "Scale", &mut transform.scale, &scale)
                | vector_row(ui, "Rotate", &mut transform.rotate_degrees, &angle("mesh.transform"))
                | vector_row(ui, "Move", &mut transform.translate, &metres("mesh.transform.translate", "translation"))
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
    let range = limits_of("obstacles[].shape.revolution.profile");
    let how = Quantity { unit: "m", range, hint: "radius from the axis, and height along it" };
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
