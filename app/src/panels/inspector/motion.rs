//! Keyframes of a motion: when, how far, how much it turns.

use aplomb_sim::math::{Vec3, bounding_box};
use aplomb_sim::scene::{Keyframe, MotionSettings};
use egui::{Align, Layout, RichText, Ui};

use crate::document::{next_keyframe, turned};
use crate::theme::meaning;
use crate::widgets::{Quantity, direction_row, group, heading, limits_of, value_row, vector_row};

/// Least time between keyframes [s].
const APART: f64 = 1e-3;

/// Draws the keyframes; the label of the edit, if one was made. `middle`: about which it turns where nothing else is said [m].
pub fn show(ui: &mut Ui, motion: &mut MotionSettings, middle: impl FnOnce() -> [f64; 3]) -> Option<&'static str> {
    let mut edited = None;
    heading(ui, "Motion");
    let mut own = motion.pivot.is_some();
    if ui.checkbox(&mut own, "Pivot of its own").on_hover_text("Otherwise it turns about the middle of what moves").changed() {
        motion.pivot = own.then(middle);
        edited = Some("Change pivot");
    }
    if let Some(pivot) = &mut motion.pivot {
        let range = limits_of("obstacles[].motion.pivot");
        let how = Quantity { unit: "m", range, hint: "point about which it turns; it moves along with the translation" };
        if vector_row(ui, "Pivot", pivot, &how) {
            edited = Some("Change pivot");
        }
    }
    let mut removed = None;
    for index in 0..motion.keyframes.len() {
        let name = format!("Keyframe {}", index + 1);
        group(ui, &name, |ui| {
            ui.separator();
            ui.horizontal(|ui| {
                ui.label(RichText::new(&name).strong().small());
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    let remove = ui.add_enabled(motion.keyframes.len() > 1, egui::Button::new(RichText::new("Remove").small()));
                    if remove.on_disabled_hover_text("A motion has at least one keyframe").clicked() {
                        removed = Some(index);
                    }
                });
            });
            edited = keyframe(ui, motion, index).or(edited);
        });
    }
    if let Some(index) = removed {
        motion.keyframes.remove(index);
        edited = Some("Remove keyframe");
    }
    ui.separator();
    if ui.button("Add keyframe").on_hover_text("A second after the last one, where the last one is").clicked() {
        motion.keyframes.push(next_keyframe(motion));
        edited = Some("Add keyframe");
    }
    edited
}

fn keyframe(ui: &mut Ui, motion: &mut MotionSettings, index: usize) -> Option<&'static str> {
    let mut edited = None;
    // Times stay in order, so that no drag makes a motion that cannot be.
    let earliest = index.checked_sub(1).map_or(0.0, |before| motion.keyframes[before].time) + APART;
    let latest =
        motion.keyframes.get(index + 1).map_or(*limits_of("obstacles[].motion.keyframes[].time").end(), |after| after.time - APART);
    let mut degrees = motion.keyframes[index].rotate.map_or(0.0, |rotate| rotate.degrees);
    let Keyframe { time, translate, .. } = &mut motion.keyframes[index];
    if *time == 0.0 {
        let dim = meaning(ui).dim;
        ui.label(RichText::new("At 0 s everything is where the scene puts it.").color(dim).small());
        return None;
    }
    if value_row(ui, "Time", time, &Quantity { unit: "s", range: earliest..=latest.max(earliest), hint: "When it gets there" }) {
        edited = Some("Change keyframe time");
    }
    let range = limits_of("obstacles[].motion.keyframes[].translate");
    if vector_row(ui, "Translate", translate, &Quantity { unit: "m", range, hint: "how far from where it starts" }) {
        edited = Some("Change translation");
    }
    let range = limits_of("obstacles[].motion.keyframes[].rotate.degrees");
    let angle = Quantity { unit: "°", range, hint: "How far it has turned; four turns are 1440" };
    if value_row(ui, "Turn", &mut degrees, &angle) {
        motion.keyframes[index].rotate = turned(motion, index, degrees);
        edited = Some("Change rotation");
    }
    if let Some(rotate) = &mut motion.keyframes[index].rotate
        && direction_row(ui, "Axis", &mut rotate.axis, "axis about which it turns")
    {
        edited = Some("Change axis");
    }
    edited
}

/// Middle of what moves [m].
pub fn middle(points: &[Vec3]) -> [f64; 3] {
    if points.is_empty() {
        return [0.0; 3];
    }
    let (low, high) = bounding_box(points);
    (0.5 * (low + high)).into()
}
