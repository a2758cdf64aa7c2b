//! Scenes that were opened lately: name, folder, and the day.

use std::path::Path;

use egui::{Align2, FontId, RichText, Role, ScrollArea, Sense, Ui, WidgetInfo, vec2};

use super::Look;
use crate::document::{Action, RecentFile, day};
use crate::theme::{icons, meaning};
use crate::widgets::{elided, heading};

/// Height of a row [points].
const ROW: f32 = 40.0;

/// Draws the list under its heading.
pub(super) fn show(ui: &mut Ui, look: &mut Look<'_>) {
    let dim = meaning(ui).dim;
    let files = &look.recent.files;
    ui.horizontal(|ui| {
        heading(ui, "Recent");
        if !files.is_empty() {
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let clear = ui.add(egui::Button::new(RichText::new("Clear").color(dim).small()).frame(false));
                clear.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Clear recent files"));
                if clear.on_hover_text("Forget this list; the files stay").clicked() {
                    look.actions.push(Action::ClearRecent);
                }
            });
        }
    });
    if files.is_empty() {
        ui.add_space(4.0);
        ui.label(RichText::new("Scenes that you open or save are listed here.").color(dim).small());
        return;
    }
    let ahead = day::wall_clock();
    let today = day::now() + ahead;
    ScrollArea::vertical().id_salt("recent files").show(ui, |ui| {
        for file in files {
            let day = file.used.map_or_else(String::new, |used| day::day_in_words(used + ahead, today));
            if row(ui, file, &day) {
                look.actions.push(super::open(file.path.clone()));
            }
        }
    });
}

/// A file; true if it was chosen.
fn row(ui: &mut Ui, file: &RecentFile, day: &str) -> bool {
    let colors = meaning(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
    let name = crate::preview::name(&file.path);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Open {name}")));
    if response.hovered() || response.has_focus() {
        ui.painter().rect_filled(rect.expand2(vec2(8.0, 0.0)).intersect(ui.clip_rect()), 4.0, ui.visuals().widgets.hovered.weak_bg_fill);
    }
    let small = FontId::proportional(11.0);
    let left = rect.left() + 26.0;
    ui.painter().text(rect.left_center() + vec2(8.0, 0.0), Align2::CENTER_CENTER, icons::FILE, FontId::proportional(13.0), colors.dim);
    let day = ui.painter().text(rect.right_center(), Align2::RIGHT_CENTER, day, small.clone(), colors.dim);
    let room = day.left() - 8.0 - left;
    let strong = ui.visuals().strong_text_color();
    let name = elided(ui, &name, FontId::proportional(13.0), strong, room);
    ui.painter().galley(egui::pos2(left, rect.center().y - 17.0), name, strong);
    let folder = elided(ui, &folder_in_words(&file.path), small, colors.dim, rect.right() - left);
    ui.painter().galley(egui::pos2(left, rect.center().y + 2.0), folder, colors.dim);
    response.on_hover_text(file.path.display().to_string()).clicked()
}

/// The folder of a file, from `~` on where it is below the user's own.
pub(in crate::panels) fn folder_in_words(path: &Path) -> String {
    let folder = path.parent().unwrap_or(path);
    let home = std::env::var_os("HOME").map(std::path::PathBuf::from);
    match home.as_deref().and_then(|home| folder.strip_prefix(home).ok()) {
        Some(rest) if rest.as_os_str().is_empty() => "~".to_owned(),
        Some(rest) => format!("~/{}", rest.display()),
        None => folder.display().to_string(),
    }
}
