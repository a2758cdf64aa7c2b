//! Help: keys and mouse.

use egui::{Grid, RichText};

use super::Look;
use crate::document::Action;
use crate::document::command::COMMANDS;

const MOUSE: &[(&str, &str)] = &[
    ("Orbit", "left drag; middle drag while painting; Alt + left drag"),
    ("Pan", "right drag; Shift + left drag"),
    ("Zoom to the cursor", "wheel"),
    ("Frame an object, or everything", "double-click it, or the background"),
    ("Frame everything", "Home"),
    ("Paint, erase", "left drag with the brush; Ctrl turns it around"),
    ("Bring a mesh, open a scene", "drop its file on the window"),
    ("Change a number", "drag it, or double-click and type"),
];

/// Draws help if it is open.
pub fn help(ctx: &egui::Context, look: &mut Look<'_>) {
    if !look.desk.help {
        return;
    }
    let mut open = true;
    egui::Window::new("Help").open(&mut open).resizable(false).default_pos([420.0, 96.0]).show(ctx, |ui| {
        Grid::new("mouse").num_columns(2).spacing([24.0, 4.0]).show(ui, |ui| {
            let keys = COMMANDS.iter().filter(|command| command.shortcut.is_some()).map(|command| (command.label, command.keys()));
            for (what, how) in MOUSE.iter().map(|(what, how)| (*what, (*how).to_owned())).chain(keys) {
                ui.label(what);
                ui.label(RichText::new(how).weak());
                ui.end_row();
            }
        });
    });
    if !open {
        look.actions.push(Action::ToggleHelp);
    }
}
