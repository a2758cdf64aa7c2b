//! A mesh file before it becomes part of a scene: what it is, what is wrong with it, how it will be filled with tets.

use aplomb_sim::mesh::health::unit_name;
use aplomb_sim::scene::UpAxis;
use egui::{Align, Button, Frame, Layout, Margin, ProgressBar, RichText, ScrollArea, Ui};

use super::Look;
use super::inspector::{UNITS, UP_AXES};
use super::outliner::grouped;
use crate::document::Action;
use crate::preview::Preview;
use crate::theme::meaning;
use crate::widgets::{card, choice_row, dense, fact_row, heading, primary_button, significant};

mod fill;
mod findings;
mod kind;

pub use fill::grading_row;
pub use findings::name as repair_name;

/// Draws the panel, with its buttons at the bottom however long the report is.
pub fn show(ui: &mut Ui, look: &mut Look<'_>) {
    let Some(preview) = look.desk.preview.as_mut() else { return };
    let actions = &mut *look.actions;
    let foot = Frame::new().inner_margin(Margin { left: 0, right: 0, top: 8, bottom: 0 });
    let can_add = !look.document.scene().bodies.is_empty();
    egui::Panel::bottom("import buttons").frame(foot).show_separator_line(false).show(ui, |ui| buttons(ui, preview, can_add, actions));
    egui::CentralPanel::no_frame().show(ui, |ui| {
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            card(ui, |ui| file(ui, preview));
            if preview.error.is_none() && preview.raw.is_some() {
                let kinds = preview.kinds();
                if preview.is_surface() && kinds.len() > 1 {
                    card(ui, |ui| kind::show(ui, preview, &kinds));
                }
                // What is filled is mended first.
                if preview.choices.kind.is_none() {
                    card(ui, |ui| findings::show(ui, preview));
                    if preview.is_surface() {
                        card(ui, |ui| fill::show(ui, preview));
                    }
                }
            }
        });
    });
}

/// What the file is, and what it does not say.
fn file(ui: &mut Ui, preview: &mut Preview) {
    let colors = meaning(ui);
    ui.horizontal(|ui| {
        let place = preview.place().map(|place| RichText::new(place).color(colors.dim).small());
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            place.map(|place| ui.label(place));
            // A long name leaves the column as wide as it is.
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| heading(ui, &format!("Import {}", preview.name())));
        });
    });
    if let Some(error) = &preview.error {
        ui.label(RichText::new(error).color(colors.error));
        return;
    }
    if let Some(refusal) = preview.report.as_ref().and_then(|report| report.refusal.as_ref()) {
        ui.label(RichText::new(refusal).color(colors.error));
    }
    let Some(raw) = preview.raw.clone() else {
        let (stage, done) = preview.stage.clone().unwrap_or_else(|| ("reading".to_owned(), 0.0));
        ui.label(RichText::new(stage).color(colors.dim).small());
        ui.add(ProgressBar::new(done as f32).desired_height(6.0));
        return;
    };
    ui.scope(|ui| {
        dense(ui);
        fact_row(ui, "Format", raw.format, None, "Told by the content of the file");
        fact_row(ui, "Vertices", &grouped(raw.positions.len()), None, "Vertices in the file, used or not");
        for (label, count, hint) in [
            ("Tets", raw.tets.len(), "Tetrahedra in the file"),
            ("Triangles", raw.triangles.len(), "Triangles, those that larger faces are cut into included"),
            ("Strands", raw.strands.len(), "Polylines and hair"),
        ] {
            if count > 0 {
                fact_row(ui, label, &grouped(count), None, hint);
            }
        }
        for (name, count) in &raw.other_elements {
            fact_row(ui, name, &grouped(*count), Some(colors.warning), "Elements of this kind are not used");
        }
        if let Some(health) = preview.health() {
            fact_row(ui, "Parts", &grouped(health.components), None, "Parts without a common vertex");
            let volume = preview.volume().map_or_else(|| "open".to_owned(), |volume| format!("{} m³", significant(volume, 4)));
            fact_row(ui, "Volume", &volume, None, "Inside the surface; an open one has none");
        }
        if let Some([low, high]) = preview.bounds() {
            let size = (high - low).iter().map(|length| significant(*length, 3)).collect::<Vec<_>>().join(" × ");
            fact_row(ui, "Size", &format!("{size} m"), None, "Width, height and depth in the scene, in metres");
        }
    });
    for note in &raw.notes {
        ui.label(RichText::new(note).color(colors.dim).small());
    }
    let before = (preview.choices.unit, preview.choices.up);
    choice_row(ui, "Unit of the file", &mut preview.choices.unit, UNITS);
    let better = preview.better_unit().map(|(unit, reason)| (unit, reason.to_owned()));
    if let Some((unit, reason)) = better
        && suggestion(ui, &format!("Looks like {}", unit_name(unit)), &reason, &format!("Use {}", unit_name(unit)))
    {
        preview.choices.unit = unit;
    }
    choice_row(ui, "Up axis of the file", &mut preview.choices.up, UP_AXES);
    let better = preview.health().map(|health| health.up.clone()).filter(|up| up.value != preview.choices.up);
    if let Some(up) = better {
        let name = if up.value == UpAxis::Z { "z" } else { "y" };
        if suggestion(ui, &format!("Looks like {name} up"), &up.reason, &format!("Use {name} up")) {
            preview.choices.up = up.value;
        }
    }
    if before != (preview.choices.unit, preview.choices.up) {
        preview.framed = false;
        preview.follow_unit(before.0);
        preview.place_anew();
    }
}

/// Something that the file's numbers speak for, and a button that does it.
fn suggestion(ui: &mut Ui, what: &str, reason: &str, button: &str) -> bool {
    let colors = meaning(ui);
    ui.horizontal(|ui| {
        ui.label(RichText::new(what).color(colors.warning).small()).on_hover_text(reason);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.add(Button::new(RichText::new(button).small())).on_hover_text(reason).clicked()
        })
        .inner
    })
    .inner
}

/// Where it goes, and the way out.
fn buttons(ui: &mut Ui, preview: &mut Preview, can_add: bool, actions: &mut Vec<Action>) {
    if can_add {
        ui.horizontal(|ui| {
            let new = ui.selectable_label(!preview.choices.add, "New scene");
            if new.on_hover_text("In a scene of its own").clicked() {
                preview.choices.add = false;
            }
            let add = ui.selectable_label(preview.choices.add, "Add to the scene");
            if add.on_hover_text("As a further body, beside those of the scene at hand").clicked() {
                preview.choices.add = true;
            }
        });
    } else {
        preview.choices.add = false;
    }
    ui.add_enabled_ui(!preview.choices.add, |ui| {
        let hint = "A ground under the body; without it, nothing holds the body until a region is fixed";
        ui.checkbox(&mut preview.choices.ground, "Stand it on a ground").on_hover_text(hint);
    });
    ui.horizontal(|ui| {
        let ready = preview.is_ready();
        let import = primary_button(ui, ready, "Import").on_hover_text("Make it a body of the scene (Enter); the file is not changed");
        let entered =
            ready && !ui.ctx().text_edit_focused() && ui.input(|input| input.key_pressed(egui::Key::Enter) && input.modifiers.is_none());
        if import.clicked() || entered {
            actions.push(Action::Import);
        }
        if ui.button("Cancel").on_hover_text("Leave the file alone; the scene stays as it is (Esc)").clicked() {
            actions.push(Action::LeavePreview);
        }
    });
}
