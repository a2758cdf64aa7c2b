//! An obstacle: its shape, its friction, how it moves, when it goes.

use aplomb_sim::scene::{Obstacle, Scene};
use egui::Ui;

use super::{motion, shape};
use crate::document::{Action, ShapeKind, first_motion, follow_obstacle};
use crate::drawing;
use crate::panels::Look;
use crate::widgets::{Quantity, card, heading, limits_of, name_row, other_rows, value_row};

/// Keys of an obstacle with rows of their own.
pub const BY_HAND: &[&str] = &["name", "shape", "friction", "removed_at", "motion"];

/// Draws the properties; the label of the edit, if one was made.
pub fn show(ui: &mut Ui, look: &mut Look<'_>, scene: &mut Scene, index: usize) -> Option<&'static str> {
    let model = look.main.model.clone().filter(|_| look.main.is_up_to_date());
    let places = drawing::points(scene, model.as_deref(), index);
    let before = scene.obstacles.get(index)?.name.clone();
    let obstacle = scene.obstacles.get_mut(index)?;
    let mut edited = card(ui, |ui| general(ui, obstacle));
    card(ui, |ui| {
        heading(ui, ShapeKind::of(&obstacle.shape).label());
        if shape::show(ui, &mut obstacle.shape) {
            edited = Some("Change obstacle");
        }
    });
    if obstacle.motion.is_some() {
        let middle = || motion::middle(&places);
        edited = card(ui, |ui| obstacle.motion.as_mut().and_then(|motion| motion::show(ui, motion, middle))).or(edited);
    }
    let name = obstacle.name.clone();
    if name != before {
        follow_obstacle(scene, &before, Some(&name));
    }
    if ui.button("Delete obstacle").clicked() {
        look.actions.push(Action::Delete);
    }
    edited
}

fn general(ui: &mut Ui, obstacle: &mut Obstacle) -> Option<&'static str> {
    let mut edited = None;
    heading(ui, "Obstacle");
    if name_row(ui, "Name", &mut obstacle.name) {
        edited = Some("Rename obstacle");
    }
    let friction = Quantity { unit: "", range: limits_of("obstacles[].friction"), hint: "Coulomb friction coefficient µ against bodies" };
    if value_row(ui, "Friction µ", &mut obstacle.friction, &friction) {
        edited = Some("Change friction");
    }
    let mut moves = obstacle.motion.is_some();
    if ui.checkbox(&mut moves, "Moves").on_hover_text("It follows keyframes").changed() {
        obstacle.motion = moves.then(first_motion);
        edited = Some("Change motion");
    }
    let mut removed = obstacle.removed_at.is_some();
    if ui.checkbox(&mut removed, "Taken away during the simulation").changed() {
        obstacle.removed_at = removed.then_some(1.0);
        edited = Some("Change removal");
    }
    if let Some(time) = &mut obstacle.removed_at {
        let how = Quantity { unit: "s", range: limits_of("obstacles[].removed_at"), hint: "Time at which it is taken away" };
        if value_row(ui, "Taken away at", time, &how) {
            edited = Some("Change removal");
        }
    }
    if other_rows(ui, obstacle, "obstacles[]", BY_HAND) {
        edited = Some("Change obstacle");
    }
    edited
}
