//! The command palette: every command by name, its key shown, and scenes to open.

mod entries;
mod rank;

use egui::text::{LayoutJob, TextFormat};
use egui::{Align, Align2, Color32, FontId, Key, Modifiers, Role, ScrollArea, Sense, TextEdit, Ui, WidgetInfo, vec2};

use super::Look;
use crate::document::Action;
use crate::theme::{self, meaning};
use crate::widgets::elided;
use entries::{Entry, entries};

/// Width of the palette, height of a line, and lines that are seen at most.
const WIDTH: f32 = 480.0;
const ROW: f32 = 26.0;
const ROWS: usize = 14;
/// Commands that are remembered as used last.
const REMEMBERED: usize = 12;

/// What was typed into the palette, and the line at hand.
#[derive(Debug, Clone, Default)]
pub struct PaletteState {
    /// What was typed.
    pub text: String,
    /// The line at hand, counted from the top.
    pub line: usize,
}

/// Draws the palette if it is open.
pub fn palette(ctx: &egui::Context, look: &mut Look<'_>) {
    let Some(mut state) = look.desk.palette.clone() else { return };
    let moved = lines_moved(ctx);
    let rows = rows(ctx);
    let window = egui::Window::new("Commands").title_bar(false).resizable(false).anchor(Align2::CENTER_TOP, vec2(0.0, 72.0));
    window.show(ctx, |ui| {
        ui.set_width(WIDTH);
        let before = state.text.clone();
        let field = ui.add(TextEdit::singleline(&mut state.text).hint_text("Search commands and scenes").desired_width(f32::INFINITY));
        field.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Search commands and scenes"));
        field.request_focus();
        if state.text != before {
            state.line = 0;
        }
        let found = entries(look, &state.text);
        state.line = at_hand(state.line, moved, found.len());
        let entered = ui.input(|input| input.key_pressed(Key::Enter));
        let mut chosen = found.get(state.line).filter(|_| entered);
        // What is at hand is kept in sight while keys move it, and left alone while the wheel does.
        let follow = moved != 0 || state.text != before;
        ScrollArea::vertical().max_height(rows as f32 * ROW).auto_shrink([false, true]).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            for (line, entry) in found.iter().enumerate() {
                let (pressed, hovered) = show(ui, entry, line == state.line, follow);
                if pressed {
                    chosen = Some(entry);
                }
                if hovered {
                    state.line = line;
                }
            }
        });
        if found.is_empty() {
            ui.weak("No command and no scene is called so.");
        }
        match chosen {
            Some(entry) if entry.why_not.is_none() => {
                remember(&mut look.desk.used, &entry.name);
                look.actions.extend([Action::TogglePalette, entry.action.clone()]);
            }
            None if ui.input(|input| input.key_pressed(Key::Escape)) => look.actions.push(Action::TogglePalette),
            _ => {}
        }
    });
    look.desk.palette = Some(state);
}

/// Lines for which the window has room.
fn rows(ctx: &egui::Context) -> usize {
    let room = ctx.content_rect().height() - 72.0 - 80.0;
    ((room / ROW) as usize).clamp(3, ROWS)
}

/// How far the keys of this frame move the line at hand.
fn lines_moved(ctx: &egui::Context) -> isize {
    let page = rows(ctx) as isize - 1;
    ctx.input_mut(|input| {
        let keys = [(Key::ArrowDown, 1), (Key::ArrowUp, -1), (Key::PageDown, page), (Key::PageUp, -page)];
        keys.into_iter().map(|(key, way)| way * input.count_and_consume_key(Modifiers::NONE, key) as isize).sum()
    })
}

/// The line at hand after it was moved: at an end, one step on leads to the other end.
fn at_hand(line: usize, moved: isize, count: usize) -> usize {
    let Some(last) = count.checked_sub(1) else { return 0 };
    match moved {
        1 if line >= last => 0,
        -1 if line == 0 => last,
        _ => line.saturating_add_signed(moved).min(last),
    }
}

/// Puts a name first among those that were used.
fn remember(used: &mut Vec<String>, name: &str) {
    used.retain(|other| other != name);
    used.insert(0, name.to_owned());
    used.truncate(REMEMBERED);
}

/// A line: the letters that were meant stand out, menu and key are dim at the right. Whether it was pressed, and pointed at anew.
fn show(ui: &mut Ui, entry: &Entry, at_hand: bool, follow: bool) -> (bool, bool) {
    let colors = meaning(ui);
    let enabled = entry.why_not.is_none();
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
    let name = format!("{}: {}", entry.of, entry.name);
    response.widget_info(|| WidgetInfo::selected(Role::Button, enabled, at_hand, &name));
    if at_hand {
        ui.painter().rect_filled(rect, 4.0, colors.selected[0]);
        if follow {
            response.scroll_to_me(None);
        }
    }
    let [text, dim] = match (enabled, at_hand) {
        (false, _) => [colors.off, colors.off],
        (true, true) => [colors.selected[1], colors.selected[1].gamma_multiply(0.75)],
        (true, false) => [ui.visuals().text_color(), colors.dim],
    };
    let meant = if enabled { colors.accent } else { colors.off };
    let small = FontId::proportional(11.0);
    let keys = ui.painter().text(rect.right_center() - vec2(8.0, 0.0), Align2::RIGHT_CENTER, &entry.keys, small.clone(), dim);
    let right = if entry.keys.is_empty() { rect.right() - 8.0 } else { keys.left() - 12.0 };
    // Why it cannot be done is said where the menu would stand.
    let said = entry.why_not.unwrap_or(entry.of);
    let said = elided(ui, said, small, dim, 0.6 * rect.width());
    let left = right - said.size().x;
    ui.painter().galley(egui::pos2(left, rect.center().y - 0.5 * said.size().y), said, dim);
    let line = ui.painter().layout_job(highlighted(&entry.name, &entry.fit.letters, text, meant, left - rect.left() - 20.0));
    ui.painter().galley(egui::pos2(rect.left() + 8.0, rect.center().y - 0.5 * line.size().y), line, text);
    let hint = entry.why_not.map_or_else(|| entry.hint.clone(), str::to_owned);
    let moved = ui.input(|input| input.pointer.delta() != egui::Vec2::ZERO);
    let hovered = response.hovered() && moved;
    let response = if hint.is_empty() { response } else { response.on_hover_text(hint) };
    (response.clicked(), hovered)
}

/// A name in which the letters that were meant stand out.
fn highlighted(name: &str, letters: &[usize], text: Color32, meant: Color32, width: f32) -> LayoutJob {
    let wrap = egui::text::TextWrapping { max_width: width.max(0.0), max_rows: 1, break_anywhere: true, ..Default::default() };
    let mut job = LayoutJob { wrap, ..LayoutJob::default() };
    let format = |family, color| TextFormat { valign: Align::Center, ..TextFormat::simple(FontId::new(13.0, family), color) };
    for (at, letter) in name.chars().enumerate() {
        let is_meant = letters.binary_search(&at).is_ok();
        let (family, color) = if is_meant { (theme::strong(), meant) } else { (egui::FontFamily::Proportional, text) };
        job.append(letter.encode_utf8(&mut [0; 4]), 0.0, format(family, color));
    }
    job
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_at_hand_goes_round_and_a_page_stays_inside() {
        assert_eq!([(0, 1), (4, 1), (0, -1), (1, -9), (1, 9)].map(|(line, moved)| at_hand(line, moved, 5)), [1, 0, 4, 0, 4]);
        assert_eq!((at_hand(7, 0, 3), at_hand(2, 1, 0)), (2, 0));
    }

    #[test]
    fn what_was_used_last_comes_first_and_once() {
        let mut used = Vec::new();
        for name in ["a", "b", "a"] {
            remember(&mut used, name);
        }
        assert_eq!(used, ["a", "b"]);
        (0..30).for_each(|number| remember(&mut used, &number.to_string()));
        assert_eq!((used.len(), used[0].as_str()), (REMEMBERED, "29"));
    }
}
