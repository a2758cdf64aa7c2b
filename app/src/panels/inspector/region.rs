//! A region: its colour and what it does.

use aplomb_sim::scene::Scene;
use egui::Ui;

use super::role::{self, Names};
use crate::document::{Action, follow_region, region_color};
use crate::panels::{Look, brush};
use crate::theme::meaning;
use crate::widgets::{card, heading, name_row, row};

/// Draws the properties; the label of the edit, if one was made.
pub fn show(ui: &mut Ui, look: &mut Look<'_>, scene: &mut Scene, body: usize, index: usize) -> Option<&'static str> {
    let names = Names::of(scene, body);
    let name_of = |index: usize| Some(scene.bodies.get(body)?.regions.get(index)?.name.clone());
    let (below, above) = (index.checked_sub(1).and_then(name_of), name_of(index + 1));
    let region = scene.bodies.get_mut(body)?.regions.get_mut(index)?;
    let (mut edited, mut renamed) = (None, None);
    if !look.desk.brush.on {
        card(ui, |ui| brush::contents(ui, look));
    }
    card(ui, |ui| {
        heading(ui, "Region");
        let before = region.name.clone();
        if name_row(ui, "Name", &mut region.name) {
            renamed = Some((before, region.name.clone()));
            edited = Some("Rename region");
        }
        row(ui, "Colour", |ui, named| {
            let mut color = region_color(region, index);
            if ui.color_edit_button_srgb(&mut color).labelled_by(named.id).changed() {
                region.color = Some(color);
                edited = Some("Change colour");
            }
        });
        order_row(ui, look.actions, below.as_deref(), above.as_deref());
    });
    let model = look.main.model.as_ref().filter(|_| look.main.is_up_to_date()).and_then(|model| model.bodies.get(body));
    edited = role::show(ui, region, model, &names).or(edited);
    if let Some((before, now)) = renamed {
        let of = scene.bodies[body].name.clone();
        follow_region(scene, &of, &before, Some(&now));
    }
    let locked = scene.bodies[body].regions[index].locked;
    let delete = ui.add_enabled(!locked, egui::Button::new("Delete region")).on_disabled_hover_text("It is locked");
    if delete.clicked() {
        look.actions.push(Action::Delete);
    }
    edited
}

/// Where the region stands among those of its body, between the one below it and the one above: the later is seen over the earlier.
fn order_row(ui: &mut Ui, actions: &mut Vec<Action>, below: Option<&str>, above: Option<&str>) {
    let told = match (below, above) {
        (None, None) => "the only one".to_owned(),
        (Some(below), _) => format!("over {below}"),
        (None, Some(above)) => format!("under {above}"),
    };
    row(ui, "Order", |ui, named| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for (later, other, word, side) in [(true, above, "Over", "over"), (false, below, "Under", "under")] {
            let hint = match other {
                Some(other) => format!("Move it {side} {other}: of two regions in one place the later is seen, and of one kind it counts"),
                None => format!("Nothing is left to move it {side}"),
            };
            let button = ui.add_enabled(other.is_some(), egui::Button::new(egui::RichText::new(word).small()));
            if button.on_hover_text(&hint).on_disabled_hover_text(hint).clicked() {
                actions.push(Action::MoveRegion { later });
            }
        }
        let dim = meaning(ui).dim;
        ui.add(egui::Label::new(egui::RichText::new(told).color(dim)).truncate()).labelled_by(named.id);
    });
}
