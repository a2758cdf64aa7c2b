//! Several things at once: what they have in common is changed in all of them.

use aplomb_sim::scene::{MaterialSettings, Scene};
use egui::{Label, RichText, Ui};

use super::material;
use crate::document::{Action, Selection};
use crate::panels::Look;
use crate::theme::meaning;
use crate::widgets::{Quantity, card, heading, limits_of, value_row};

/// Draws it; the label of the edit, if one was made.
pub fn show(ui: &mut Ui, look: &mut Look<'_>, scene: &mut Scene) -> Option<&'static str> {
    let selected = look.document.selected();
    let mut edited = None;
    card(ui, |ui| {
        heading(ui, &format!("{} selected", selected.len()));
        let names: Vec<&str> = selected.iter().map(|one| one.name(scene)).collect();
        ui.add(Label::new(RichText::new(names.join(", ")).color(meaning(ui).dim)).wrap());
        let mut visible = !selected.iter().all(|one| look.desk.is_hidden(*one));
        if ui.checkbox(&mut visible, "Visible").on_hover_text("Draw them, or not (H)").changed() {
            look.actions.push(Action::ToggleHidden);
        }
        edited = friction(ui, &selected, scene);
    });
    let edited = of_bodies(ui, &selected, scene).or(edited);
    ui.horizontal(|ui| {
        for (text, keys, action) in [("Duplicate", "Ctrl+D", Action::Duplicate), ("Delete", "Delete", Action::Delete)] {
            if ui.button(text).on_hover_text(keys).clicked() {
                look.actions.push(action);
            }
        }
    });
    edited
}

/// Friction of obstacles, where all are.
fn friction(ui: &mut Ui, selected: &[Selection], scene: &mut Scene) -> Option<&'static str> {
    let obstacles: Vec<usize> = selected.iter().filter_map(|one| if let Selection::Obstacle(o) = one { Some(*o) } else { None }).collect();
    if obstacles.len() != selected.len() {
        return None;
    }
    let mut value = scene.obstacles.get(*obstacles.first()?)?.friction;
    let differ = obstacles.iter().any(|&o| scene.obstacles.get(o).is_some_and(|other| other.friction != value));
    let how = Quantity {
        unit: "",
        range: limits_of("obstacles[].friction"),
        hint: "Coulomb friction coefficient µ against bodies, of all of them",
    };
    let changed = value_row(ui, "Friction µ", &mut value, &how);
    note(ui, differ);
    for o in obstacles.into_iter().filter(|_| changed) {
        if let Some(obstacle) = scene.obstacles.get_mut(o) {
            obstacle.friction = value;
        }
    }
    changed.then_some("Change friction")
}

/// Material of bodies, where all are solids.
fn of_bodies(ui: &mut Ui, selected: &[Selection], scene: &mut Scene) -> Option<&'static str> {
    let bodies: Vec<usize> = selected.iter().filter_map(|one| if let Selection::Body(b) = one { Some(*b) } else { None }).collect();
    let before = bodies.first().and_then(|&b| scene.bodies.get(b)?.material.clone()).filter(|_| bodies.len() == selected.len())?;
    if bodies.iter().any(|&b| scene.bodies.get(b).is_none_or(|body| body.material.is_none())) {
        return None;
    }
    let differ = bodies.iter().any(|&b| scene.bodies.get(b).is_some_and(|body| body.material.as_ref() != Some(&before)));
    let mut now = before.clone();
    let edited = card(ui, |ui| {
        let edited = material::show(ui, &mut now);
        note(ui, differ);
        edited
    });
    // What was not touched stays as each has it.
    for b in bodies.into_iter().filter(|_| edited.is_some()) {
        let Some(material) = scene.bodies.get_mut(b).and_then(|body| body.material.as_mut()) else { continue };
        if edited == Some("Apply material preset") {
            *material = MaterialSettings { damping: material.damping, ..now.clone() };
            continue;
        }
        if now.law != before.law {
            material.law.clone_from(&now.law);
        }
        let numbers = [
            (&mut material.young, before.young, now.young),
            (&mut material.poisson, before.poisson, now.poisson),
            (&mut material.density, before.density, now.density),
            (&mut material.damping, before.damping, now.damping),
        ];
        for (value, before, now) in numbers {
            if now != before {
                *value = now;
            }
        }
    }
    edited
}

fn note(ui: &mut Ui, differ: bool) {
    if differ {
        let dim = meaning(ui).dim;
        ui.label(RichText::new("They differ; a change is for all of them.").color(dim).small());
    }
}
