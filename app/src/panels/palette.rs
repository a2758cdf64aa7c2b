//! The command palette: every command by name, its key shown.

use egui::{Align2, Button, Key, TextEdit, vec2};

use super::Look;
use crate::document::Action;
use crate::document::command::{COMMANDS, Command};

/// Draws the palette if it is open.
pub fn palette(ctx: &egui::Context, look: &mut Look<'_>) {
    let Some(mut text) = look.desk.palette.clone() else { return };
    let window = egui::Window::new("Commands")
        .title_bar(false)
        .resizable(false)
        .anchor(Align2::CENTER_TOP, vec2(0.0, 72.0))
        .fixed_size(vec2(420.0, 360.0));
    window.show(ctx, |ui| {
        let field = ui.add(TextEdit::singleline(&mut text).hint_text("Search commands").desired_width(f32::INFINITY));
        field.request_focus();
        let found: Vec<&Command> = COMMANDS.iter().filter(|command| matches(command, &text)).collect();
        let mut chosen = found.first().copied().filter(|_| ui.input(|input| input.key_pressed(Key::Enter)));
        egui::ScrollArea::vertical().max_height(320.0).show(ui, |ui| {
            for command in &found {
                let name = format!("{}: {}", command.menu, command.label);
                let button = Button::new(name).shortcut_text(command.keys()).frame(false).min_size(vec2(ui.available_width(), 24.0));
                if ui.add(button).clicked() {
                    chosen = Some(command);
                }
            }
        });
        if let Some(command) = chosen {
            look.actions.push(Action::TogglePalette);
            look.actions.push((command.action)());
        } else if ui.input(|input| input.key_pressed(Key::Escape)) {
            look.actions.push(Action::TogglePalette);
        }
    });
    look.desk.palette = Some(text);
}

/// Whether each word of `text` is in the command's name.
fn matches(command: &Command, text: &str) -> bool {
    let name = format!("{} {}", command.menu, command.label).to_lowercase();
    text.to_lowercase().split_whitespace().all(|word| name.contains(word))
}
