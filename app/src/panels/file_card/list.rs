//! The browser of the card: places at the left, the entries of a folder at the right.

use std::path::Path;

use egui::{
    Align, Align2, Event, EventFilter, FontId, Key, Label, Layout, Modifiers, Rect, Response, RichText, Role, ScrollArea, Sense, TextEdit,
    Ui, UiBuilder, WidgetInfo, vec2,
};

use super::browser::Browser;
use crate::document::{FolderEntry, day};
use crate::theme::{icons, meaning};
use crate::widgets::{elided, quantity};

/// Height of a row, width of the places, of sizes and of dates [points].
const ROW: f32 = 24.0;
const PLACES: f32 = 132.0;
const SIZE: f32 = 72.0;
const DATE: f32 = 116.0;

/// What somebody did in the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Picked {
    /// Another entry is at hand: its path.
    AtHand(String),
    /// This file is meant, and no other.
    File(String),
}

/// Draws places and entries, `height` tall. `writes`: whether folders may be made.
pub(super) fn browser(ui: &mut Ui, browser: &mut Browser, height: f32, writes: bool) -> Option<Picked> {
    head(ui, browser, writes);
    let (room, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    let places = room.with_max_x(room.left() + PLACES);
    ui.scope_builder(UiBuilder::new().max_rect(places).id_salt("places"), |ui| {
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| show_places(ui, browser));
    });
    let list = room.with_min_x(places.right() + 8.0);
    let line = ui.visuals().window_stroke;
    ui.painter().rect(list, 4.0, ui.visuals().extreme_bg_color, line, egui::StrokeKind::Inside);
    ui.scope_builder(UiBuilder::new().max_rect(list.shrink(4.0)).id_salt("entries"), |ui| entries(ui, browser)).inner
}

/// The way up, the folder, and how it is listed.
fn head(ui: &mut Ui, browser: &mut Browser, writes: bool) {
    ui.horizontal(|ui| {
        let up = ui.add_enabled(browser.folder.parent().is_some(), egui::Button::new(icons::BACK).min_size(vec2(24.0, 24.0)));
        up.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Parent folder"));
        if up.on_hover_text("What holds this folder (Backspace in the list)").clicked() {
            browser.go_up();
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if writes && ui.selectable_label(browser.new_folder.is_some(), "New folder").on_hover_text("Make a folder here").clicked() {
                browser.new_folder = if browser.new_folder.is_some() { None } else { Some(String::new()) };
            }
            if !browser.extensions.is_empty() {
                let hint = format!("Not only {}", browser.extensions.join(", "));
                ui.checkbox(&mut browser.all, "All files").on_hover_text(hint);
            }
            ui.checkbox(&mut browser.hidden, "Hidden").on_hover_text("Also what begins with a dot");
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let path = browser.folder.display().to_string();
                ui.add(Label::new(RichText::new(&path).color(meaning(ui).dim)).truncate()).on_hover_text(path);
            });
        });
    });
    if let Some(mut name) = browser.new_folder.take() {
        let mut keep = true;
        ui.horizontal(|ui| {
            let field = ui.add(TextEdit::singleline(&mut name).hint_text("Name of the folder").desired_width(240.0));
            field.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Name of the new folder"));
            let entered = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
            let fits = !name.trim().is_empty() && !name.contains('/');
            let made = ui.add_enabled(fits, egui::Button::new("Make it")).on_disabled_hover_text("Give it a name without a slash");
            if fits && (made.clicked() || entered) {
                browser.make(name.trim());
                keep = false;
            } else if name.is_empty() && !field.has_focus() {
                field.request_focus();
            }
        });
        browser.new_folder = keep.then_some(name);
    }
}

fn show_places(ui: &mut Ui, browser: &mut Browser) {
    ui.spacing_mut().item_spacing.y = 0.0;
    let mut to = None;
    for (name, path) in &browser.places {
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
        let here = *path == browser.folder;
        response.widget_info(|| WidgetInfo::selected(Role::Button, true, here, format!("Place: {name}")));
        let colors = meaning(ui);
        let text = ground(ui, rect, &response, here);
        ui.painter().text(
            rect.left_center() + vec2(14.0, 0.0),
            Align2::CENTER_CENTER,
            icons::FOLDER,
            FontId::proportional(12.0),
            colors.dim,
        );
        let line = elided(ui, name, FontId::proportional(13.0), text, rect.width() - 32.0);
        ui.painter().galley(egui::pos2(rect.left() + 28.0, rect.center().y - 0.5 * line.size().y), line, text);
        if response.on_hover_text(path.display().to_string()).clicked() {
            to = Some(path.clone());
        }
    }
    if let Some(path) = to {
        browser.go(&path);
    }
}

/// The ground of a row, and the colour of its text.
fn ground(ui: &Ui, rect: Rect, response: &Response, chosen: bool) -> egui::Color32 {
    let colors = meaning(ui);
    if chosen {
        ui.painter().rect_filled(rect, 4.0, colors.selected[0]);
        return colors.selected[1];
    }
    if response.hovered() {
        ui.painter().rect_filled(rect, 4.0, ui.visuals().widgets.hovered.weak_bg_fill);
        return ui.visuals().strong_text_color();
    }
    ui.visuals().text_color()
}

fn entries(ui: &mut Ui, browser: &mut Browser) -> Option<Picked> {
    let colors = meaning(ui);
    let all = ui.available_rect_before_wrap();
    let id = ui.scope_id().with("files");
    let files = ui.interact(all, id, Sense::click());
    files.widget_info(|| WidgetInfo::labeled(Role::ListBox, true, "Files"));
    if files.clicked() {
        files.request_focus();
    }
    let mut picked = None;
    if files.has_focus() {
        ui.memory_mut(|memory| memory.set_focus_lock_filter(id, EventFilter { vertical_arrows: true, ..EventFilter::default() }));
        picked = keys(ui, browser);
        ui.painter().rect_stroke(all.expand(3.0), 4.0, (1.0, colors.accent), egui::StrokeKind::Inside);
    }
    let note = match (&browser.listing.error, browser.reading.is_some()) {
        (Some(error), _) => Some((error.clone(), colors.error)),
        (None, true) => Some(("Reading…".to_owned(), colors.dim)),
        (None, false) if browser.shown().is_empty() => {
            let hidden = browser.listing.entries.len();
            let words = match hidden {
                0 => "The folder is empty.".to_owned(),
                1 => "Nothing here fits; one other is not listed.".to_owned(),
                _ => format!("Nothing here fits; {hidden} others are not listed."),
            };
            Some((words, colors.dim))
        }
        (None, false) => None,
    };
    if let Some((words, tone)) = note {
        ui.add(Label::new(RichText::new(words).color(tone)).wrap());
    }
    ui.spacing_mut().item_spacing.y = 0.0;
    let count = browser.shown().len();
    let ahead = day::wall_clock();
    let mut into = None;
    let follow = std::mem::take(&mut browser.follow);
    let mut area = ScrollArea::vertical().id_salt(&browser.folder).auto_shrink(false);
    // What is at hand is brought into sight although only rows in sight are drawn.
    if let Some(line) = browser.line.filter(|_| follow) {
        let id = ui.make_persistent_id(egui::IdSalt::new(&browser.folder));
        let offset = egui::scroll_area::State::load(ui.ctx(), id).map_or(0.0, |state| state.clamped_offset().y);
        let (top, room) = (line as f32 * ROW, ui.available_height());
        area = area.vertical_scroll_offset(offset.clamp((top + ROW - room).max(0.0), top.max(0.0)));
    }
    area.show_rows(ui, ROW, count, |ui, rows| {
        for line in rows {
            let Some(entry) = browser.shown().get(line).map(|entry| (*entry).clone()) else { continue };
            let response = row(ui, &entry, browser.line == Some(line), ahead);
            if response.clicked() || response.double_clicked() {
                browser.line = Some(line);
                ui.memory_mut(|memory| memory.request_focus(id));
                picked = Some(Picked::AtHand(browser.path_of(&entry)));
            }
            if response.double_clicked() {
                match entry.is_folder {
                    true => into = Some(browser.folder.join(&entry.name)),
                    false => picked = Some(Picked::File(browser.path_of(&entry))),
                }
            }
        }
    });
    if let Some(folder) = into {
        picked = Some(enter(browser, &folder));
    }
    picked
}

/// Looks into a folder.
fn enter(browser: &mut Browser, folder: &Path) -> Picked {
    browser.go(folder);
    Picked::AtHand(format!("{}/", folder.display()))
}

/// What the keys do while the list has the focus.
fn keys(ui: &Ui, browser: &mut Browser) -> Option<Picked> {
    let page = ((ui.available_height() / ROW) as isize - 1).max(1);
    let all = browser.shown().len() as isize;
    let way: isize = ui.input_mut(|input| {
        let keys =
            [(Key::ArrowDown, 1), (Key::ArrowUp, -1), (Key::PageDown, page), (Key::PageUp, -page), (Key::Home, -all), (Key::End, all)];
        keys.into_iter().map(|(key, way)| way * input.count_and_consume_key(Modifiers::NONE, key) as isize).sum()
    });
    let (enter_pressed, back, letters, now) = ui.input_mut(|input| {
        let letters: String =
            input.events.iter().filter_map(|event| if let Event::Text(text) = event { Some(text.as_str()) } else { None }).collect();
        (input.consume_key(Modifiers::NONE, Key::Enter), input.consume_key(Modifiers::NONE, Key::Backspace), letters, input.time)
    });
    let before = browser.line;
    if way != 0 {
        browser.step(way);
    }
    if !letters.is_empty() {
        browser.jump(&letters, now);
    }
    if back {
        browser.go_up();
        return Some(Picked::AtHand(format!("{}/", browser.folder.display().to_string().trim_end_matches('/'))));
    }
    let entry = browser.at_hand().cloned()?;
    let path = browser.path_of(&entry);
    match (enter_pressed, entry.is_folder) {
        (true, true) => {
            let folder = browser.folder.join(&entry.name);
            Some(enter(browser, &folder))
        }
        (true, false) => Some(Picked::File(path)),
        (false, _) => (browser.line != before).then_some(Picked::AtHand(path)),
    }
}

/// An entry: icon, name, size, and when it was changed.
fn row(ui: &mut Ui, entry: &FolderEntry, chosen: bool, ahead: i64) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width() - 8.0, ROW), Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::ListItem, true, chosen, &entry.name));
    let colors = meaning(ui);
    let text = ground(ui, rect, &response, chosen);
    let dim = if chosen { colors.selected[1] } else { colors.dim };
    let (icon, tone) = if entry.is_folder { (icons::FOLDER, colors.accent) } else { (icons::FILE, dim) };
    ui.painter().text(rect.left_center() + vec2(14.0, 0.0), Align2::CENTER_CENTER, icon, FontId::proportional(13.0), tone);
    let small = FontId::proportional(11.0);
    let modified = entry.modified.map_or_else(String::new, |time| day::stamp(time + ahead));
    ui.painter().text(rect.right_center() - vec2(8.0, 0.0), Align2::RIGHT_CENTER, modified, small.clone(), dim);
    let size = if entry.is_folder { String::new() } else { quantity(entry.size as f64, "B") };
    ui.painter().text(rect.right_center() - vec2(8.0 + DATE, 0.0), Align2::RIGHT_CENTER, size, small, dim);
    let line = elided(ui, &entry.name, FontId::proportional(13.0), text, rect.width() - 32.0 - SIZE - DATE - 8.0);
    ui.painter().galley(egui::pos2(rect.left() + 28.0, rect.center().y - 0.5 * line.size().y), line, text);
    response
}
