//! What can be done to something under the mouse: one menu, in the views and in the outliner.

use aplomb_sim::scene::Scene;
use egui::{Button, Role, Ui, WidgetInfo};

use super::Look;
use crate::document::command::COMMANDS;
use crate::document::{Action, FileAction, RoleKind, Selection, ShapeKind};

/// Draws the entries for what was clicked; it is what is selected, maybe along with others.
pub fn context_menu(ui: &mut Ui, look: &mut Look<'_>, of: Selection) {
    ui.set_min_width(190.0);
    let scene = look.document.scene().clone();
    let many = look.document.selected().len() > 1;
    match of {
        Selection::Scene | Selection::Place(..) => background(ui, look),
        Selection::Probe(_) => last(ui, look),
        Selection::Body(b) => {
            common(ui, look, of);
            command(ui, look, "Drop onto the ground");
            ui.separator();
            if !many && b < scene.bodies.len() {
                new_region(ui, look, b);
            }
            last(ui, look);
        }
        Selection::Region(b, r) => {
            common(ui, look, of);
            ui.separator();
            if !many {
                use_as(ui, look, &scene, (b, r));
                entry(ui, look, "Paint", "B", Action::ToggleBrush);
            }
            last(ui, look);
        }
        Selection::Obstacle(_) => {
            common(ui, look, of);
            command(ui, look, "Drop onto the ground");
            ui.separator();
            last(ui, look);
        }
    }
}

/// Looking.
fn common(ui: &mut Ui, look: &mut Look<'_>, of: Selection) {
    entry(ui, look, "Focus", "F", Action::Focus);
    let hidden = look.desk.is_hidden(of);
    entry(ui, look, if hidden { "Show" } else { "Hide" }, "H", Action::ToggleHidden);
}

/// Copying, naming, taking away.
fn last(ui: &mut Ui, look: &mut Look<'_>) {
    command(ui, look, "Duplicate");
    if look.document.selected().len() == 1 {
        command(ui, look, "Rename");
    }
    entry(ui, look, "Delete", "Delete", Action::Delete);
}

fn background(ui: &mut Ui, look: &mut Look<'_>) {
    entry(ui, look, "Frame all", "Home", Action::FrameAll);
    let desk = &look.desk;
    if !(desk.hidden.is_empty() && desk.hidden_bodies.is_empty() && desk.hidden_obstacles.is_empty()) {
        command(ui, look, "Show all that is hidden");
    }
    ui.menu_button("Look", |ui| {
        for label in ["Orthographic", "Look from the front", "Look from the right", "Look from above"] {
            command(ui, look, label);
        }
    });
    ui.separator();
    ui.menu_button("New obstacle", |ui| {
        for kind in ShapeKind::PLAIN {
            if ui.button(kind.label()).on_hover_text(kind.hint()).clicked() {
                look.actions.push(Action::NewObstacle(kind));
            }
        }
        entry(ui, look, "Mesh…", "", Action::Ask(FileAction::Obstacle));
    });
    command(ui, look, "Import mesh…");
    command(ui, look, "Select all");
}

fn new_region(ui: &mut Ui, look: &mut Look<'_>, body: usize) {
    ui.menu_button("New region", |ui| {
        for kind in RoleKind::ALL {
            if ui.button(kind.label()).on_hover_text(kind.hint()).clicked() {
                look.actions.push(Action::Select(Selection::Body(body)));
                look.actions.push(Action::NewRegion(kind));
            }
        }
    });
}

/// Another role for a region, over the same vertices.
fn use_as(ui: &mut Ui, look: &mut Look<'_>, scene: &Scene, (b, r): (usize, usize)) {
    let Some(region) = scene.bodies.get(b).and_then(|body| body.regions.get(r)) else { return };
    let now = RoleKind::of(&region.role);
    ui.menu_button("Use as", |ui| {
        for kind in RoleKind::ALL {
            if ui.add(Button::selectable(kind == now, kind.label())).on_hover_text(kind.hint()).clicked() && kind != now {
                let mut scene = scene.clone();
                scene.bodies[b].regions[r].role = kind.role(&scene, b);
                look.edit("Change what a region is for", scene);
                ui.close();
            }
        }
    });
}

/// An entry that is a command, with its key.
fn command(ui: &mut Ui, look: &mut Look<'_>, label: &str) {
    if let Some(command) = COMMANDS.iter().find(|command| command.label == label) {
        let keys = look.desk.keymap.words(command);
        entry(ui, look, command.label, &keys, (command.action)());
    }
}

fn entry(ui: &mut Ui, look: &mut Look<'_>, label: &str, keys: &str, action: Action) {
    let response = ui.add(Button::new(label).shortcut_text(keys));
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, label));
    if response.clicked() {
        look.actions.push(action);
        ui.close();
    }
}
