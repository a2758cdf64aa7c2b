//! Help: mouse and keys, as they are now.

use egui::{Grid, RichText, ScrollArea, Ui};

use super::Look;
use crate::document::command::{COMMANDS, MENUS};
use crate::document::{Action, Keymap};
use crate::theme::{self, meaning};

const MOUSE: &[(&str, &str)] = &[
    ("Orbit", "left drag; while painting middle or Alt + left drag"),
    ("Pan", "right drag; Shift + left drag"),
    ("Zoom to the cursor", "wheel"),
    ("Frame an object, or everything", "double-click it, or the background"),
    ("Frame what is selected", "F"),
    ("Frame everything", "Home"),
    ("Select several", "Ctrl or Shift + click"),
    ("All that can be done to something", "right click"),
    ("Drag a handle by steps, finely", "Ctrl, Shift"),
    ("Drag a handle by a number", "x, y or z, the number, Enter"),
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
    let tall = (ctx.content_rect().height() - 200.0).max(120.0);
    let window = egui::Window::new("Help").open(&mut open).resizable(false).default_pos([420.0, 72.0]).constrain(true);
    window.show(ctx, |ui| {
        ScrollArea::vertical().max_height(tall).show(ui, |ui| keys_and_mouse(ui, &look.desk.keymap));
        ui.add_space(4.0);
        if ui.button("Change keys…").on_hover_text("Any command can have another key").clicked() {
            look.actions.push(Action::ToggleShortcuts);
        }
    });
    if !open {
        look.actions.push(Action::ToggleHelp);
    }
}

fn keys_and_mouse(ui: &mut Ui, keymap: &Keymap) {
    let section = |ui: &mut Ui, title: &str, rows: &[(&str, String)]| {
        ui.label(RichText::new(title).color(meaning(ui).dim).family(theme::strong()).small());
        Grid::new(title).num_columns(2).min_col_width(196.0).spacing([24.0, 4.0]).show(ui, |ui| {
            for (what, how) in rows {
                ui.label(*what);
                ui.label(RichText::new(how).weak());
                ui.end_row();
            }
        });
        ui.add_space(8.0);
    };
    let mouse: Vec<_> = MOUSE.iter().map(|(what, how)| (*what, (*how).to_owned())).collect();
    section(ui, "In the view", &mouse);
    for menu in MENUS {
        let of_menu = COMMANDS.iter().filter(|command| command.menu == *menu && keymap.of(command).is_some());
        let keys: Vec<_> = of_menu.map(|command| (command.label, keymap.words(command))).collect();
        if !keys.is_empty() {
            section(ui, menu, &keys);
        }
    }
}
