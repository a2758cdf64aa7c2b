//! Help: keys and mouse.

use egui::{Grid, RichText, ScrollArea, Ui};

use super::Look;
use crate::document::Action;
use crate::document::command::COMMANDS;

const MOUSE: &[(&str, &str)] = &[
    ("Orbit", "left drag; while painting middle or Alt + left drag"),
    ("Pan", "right drag; Shift + left drag"),
    ("Zoom to the cursor", "wheel"),
    ("Frame an object, or everything", "double-click it, or the background"),
    ("Frame what is selected", "F"),
    ("Frame everything", "Home"),
    ("Paint, erase", "left drag with the brush; Ctrl turns it around"),
    ("Size of the brush, its strength", "F, and Shift + F, with a sideways motion"),
    ("Bring a mesh, open a scene", "drop its file on the window"),
    ("Change a number", "drag it, or click it and type"),
    ("Type a number in another unit", "2 MPa, 35 mm, 40 %"),
];

/// Draws help if it is open.
pub fn help(ctx: &egui::Context, look: &mut Look<'_>) {
    if !look.desk.help {
        return;
    }
    let mut open = true;
    // Whatever the window is like, its title bar and its end can be reached.
    let tall = (ctx.content_rect().height() - 160.0).max(120.0);
    let window = egui::Window::new("Help").open(&mut open).resizable(false).default_pos([420.0, 72.0]).constrain(true);
    window.show(ctx, |ui| {
        ScrollArea::vertical().max_height(tall).show(ui, keys_and_mouse);
    });
    if !open {
        look.actions.push(Action::ToggleHelp);
    }
}

fn keys_and_mouse(ui: &mut Ui) {
    Grid::new("mouse").num_columns(2).spacing([24.0, 4.0]).show(ui, |ui| {
        let keys = COMMANDS.iter().filter(|command| command.shortcut.is_some()).map(|command| (command.label, command.keys()));
        for (what, how) in MOUSE.iter().map(|(what, how)| (*what, (*how).to_owned())).chain(keys) {
            ui.label(what);
            ui.label(RichText::new(how).weak());
            ui.end_row();
        }
    });
}
