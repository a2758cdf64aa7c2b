//! Which key does what, and another key in its place.

use egui::{
    Align, Align2, Button, Event, Key, KeyboardShortcut, Label, Layout, ModifierNames, RichText, Role, ScrollArea, TextEdit, Ui,
    WidgetInfo, vec2,
};

use super::Look;
use crate::document::Command;
use crate::document::command::{COMMANDS, MENUS};
use crate::theme::{icons, meaning};
use crate::widgets::heading;

/// Width of the card, and of the column of keys [points].
const WIDTH: f32 = 520.0;
const KEYS: f32 = 136.0;
/// Keys of the view itself, without a modifier.
const OF_VIEW: [(Key, &str); 8] = [
    (Key::F, "frames what is selected"),
    (Key::Home, "frames everything"),
    (Key::Num1, "looks from the front"),
    (Key::Num3, "looks from the right"),
    (Key::Num7, "looks from the top"),
    (Key::OpenBracket, "makes the brush smaller"),
    (Key::CloseBracket, "makes the brush larger"),
    (Key::Tab, "goes to the next control"),
];

/// The card while it is open.
#[derive(Debug, Clone, Default)]
pub struct ShortcutsState {
    /// What is looked for.
    pub text: String,
    /// The command for which a key is awaited.
    pub awaited: Option<&'static str>,
    /// A key that was pressed for a command, and that another one has.
    pub taken: Option<(&'static str, KeyboardShortcut, &'static str)>,
    /// Why the last key was not taken.
    pub refused: Option<String>,
}

/// Draws the card if it is open.
pub fn shortcuts(ctx: &egui::Context, look: &mut Look<'_>) {
    let Some(mut state) = look.desk.shortcuts.take() else { return };
    let mut close = await_key(ctx, look, &mut state);
    let room = ctx.content_rect().size();
    let window = egui::Window::new("Keyboard shortcuts").title_bar(false).resizable(false).anchor(Align2::CENTER_TOP, vec2(0.0, 72.0));
    window.show(ctx, |ui| {
        ui.set_width(WIDTH.min(room.x - 48.0));
        ui.horizontal(|ui| {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                close |= ui.button("Close").clicked();
                let changed = look.desk.keymap.has_changes();
                let all = ui.add_enabled(changed, Button::new("Reset all"));
                if all.on_hover_text("Every command has its usual key again").on_disabled_hover_text("No key was changed").clicked() {
                    look.desk.keymap.reset_all();
                    state = ShortcutsState { text: std::mem::take(&mut state.text), ..ShortcutsState::default() };
                }
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| heading(ui, "Keyboard shortcuts"));
            });
        });
        let field = TextEdit::singleline(&mut state.text).hint_text("Search by name or key").desired_width(f32::INFINITY);
        ui.add(field).widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Search by name or key"));
        told(ui, look, &mut state);
        ScrollArea::vertical().max_height((room.y - 260.0).clamp(120.0, 440.0)).auto_shrink([false, true]).show(ui, |ui| {
            for menu in MENUS {
                let of_menu = COMMANDS.iter().filter(|command| command.menu == *menu && fits(command, look, &state.text));
                let of_menu: Vec<_> = of_menu.collect();
                for (at, command) in of_menu.into_iter().enumerate() {
                    if at == 0 {
                        ui.add_space(4.0);
                        ui.label(RichText::new(*menu).color(meaning(ui).dim).family(crate::theme::strong()).small());
                    }
                    row(ui, look, &mut state, command);
                }
            }
        });
    });
    look.desk.shortcuts = (!close).then_some(state);
}

fn fits(command: &Command, look: &Look<'_>, text: &str) -> bool {
    let name = format!("{} {} {}", command.menu, command.label, look.desk.keymap.words(command)).to_lowercase();
    text.to_lowercase().split_whitespace().all(|word| name.contains(word))
}

/// Takes the key that is awaited; true where the card is to be closed.
fn await_key(ctx: &egui::Context, look: &mut Look<'_>, state: &mut ShortcutsState) -> bool {
    let Some(label) = state.awaited else {
        return ctx.input(|input| input.key_pressed(Key::Escape)) && !egui::Popup::is_any_open(ctx);
    };
    let pressed = ctx.input_mut(|input| {
        let mut pressed = None;
        input.events.retain(|event| match event {
            Event::Key { key, modifiers, pressed: true, .. } => {
                pressed.get_or_insert(KeyboardShortcut::new(held(*modifiers), *key));
                false
            }
            Event::Text(_) => false,
            _ => true,
        });
        pressed
    });
    let Some(key) = pressed else { return false };
    (state.awaited, state.refused, state.taken) = (None, None, None);
    let Some(command) = COMMANDS.iter().find(|command| command.label == label).filter(|_| key.logical_key != Key::Escape) else {
        return false;
    };
    let of_view = OF_VIEW.iter().find(|(own, _)| *own == key.logical_key && key.modifiers.is_none());
    if let Some((_, what)) = of_view {
        state.refused = Some(format!("{} {what}: that is the view's own key.", words(key)));
    } else if let Some(owner) = look.desk.keymap.owner(key, command) {
        state.taken = Some((command.label, key, owner.label));
    } else {
        look.desk.keymap.set(command, Some(key));
    }
    false
}

/// The modifiers as commands name them: Ctrl is that of the platform.
fn held(modifiers: egui::Modifiers) -> egui::Modifiers {
    let command = if modifiers.command || modifiers.ctrl { egui::Modifiers::COMMAND } else { egui::Modifiers::NONE };
    egui::Modifiers { alt: modifiers.alt, shift: modifiers.shift, ..command }
}

fn words(key: KeyboardShortcut) -> String {
    key.format(&ModifierNames::NAMES, false)
}

/// A question about a key that another command has, and what went wrong.
fn told(ui: &mut Ui, look: &mut Look<'_>, state: &mut ShortcutsState) {
    let colors = meaning(ui);
    if let Some((label, key, owner)) = state.taken {
        ui.horizontal_wrapped(|ui| {
            ui.label(RichText::new(format!("{} belongs to {owner}.", words(key))).color(colors.warning));
            if ui.button("Take it").on_hover_text(format!("{label} gets it, and {owner} has no key then")).clicked() {
                if let Some(command) = COMMANDS.iter().find(|command| command.label == label) {
                    look.desk.keymap.set(command, Some(key));
                }
                state.taken = None;
            }
            if ui.button("Leave it").clicked() {
                state.taken = None;
            }
        });
    }
    for why in state.refused.iter().chain(&look.desk.keymap.problem) {
        ui.add(Label::new(RichText::new(why).color(colors.warning)).wrap());
    }
}

/// A command and its key.
fn row(ui: &mut Ui, look: &mut Look<'_>, state: &mut ShortcutsState, command: &'static Command) {
    let colors = meaning(ui);
    ui.horizontal(|ui| {
        ui.set_height(24.0);
        ui.spacing_mut().item_spacing.x = 4.0;
        ui.label(command.label);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.add_space(8.0);
            let small = |icon: &str| Button::new(RichText::new(icon).size(13.0).color(colors.dim)).frame(false).min_size(vec2(20.0, 20.0));
            let changed = look.desk.keymap.is_changed(command);
            let reset = ui.add_enabled(changed, small(icons::UNDO));
            reset.widget_info(|| WidgetInfo::labeled(Role::Button, changed, format!("Reset the key of {}", command.label)));
            if reset.on_hover_text("The usual key").clicked() {
                look.desk.keymap.reset(command);
            }
            let key = look.desk.keymap.of(command);
            let clear = ui.add_enabled(key.is_some(), small(icons::REMOVE));
            clear.widget_info(|| WidgetInfo::labeled(Role::Button, key.is_some(), format!("No key for {}", command.label)));
            if clear.on_hover_text("No key").clicked() {
                look.desk.keymap.set(command, None);
            }
            let awaited = state.awaited == Some(command.label);
            let text = if awaited { "press a key".to_owned() } else { key.map_or_else(|| "none".to_owned(), words) };
            let tone = match (awaited, changed, key.is_some()) {
                (true, ..) => colors.accent,
                (false, true, _) => ui.visuals().strong_text_color(),
                (false, false, true) => ui.visuals().text_color(),
                (false, false, false) => colors.off,
            };
            let button = ui.add(Button::new(RichText::new(text).color(tone)).selected(awaited).min_size(vec2(KEYS, 22.0)));
            button.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Key of {}", command.label)));
            if button.on_hover_text("Press it, then the new key; Esc leaves it").clicked() {
                *state = ShortcutsState {
                    awaited: (!awaited).then_some(command.label),
                    text: std::mem::take(&mut state.text),
                    ..ShortcutsState::default()
                };
            }
        });
    });
}
