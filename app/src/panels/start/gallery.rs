//! The gallery: some scenes as pictures, or all of them with a line each.

use aplomb_sim::scene_file::gallery::{self, GALLERY, GalleryScene};
use egui::{Align, FontId, Layout, RichText, Role, ScrollArea, Sense, Ui, WidgetInfo, vec2};

use super::Look;
use super::tile::{picture, tile};
use crate::theme::{icons, meaning};
use crate::widgets::{elided, heading};

/// What is shown first: the scene, what to call it, and what it shows in a few words.
const FEATURED: [(&str, &str, &str); 6] = [
    ("creature", "Creature", "holds its curled limbs"),
    ("octopus", "Octopus", "100 000 tets, set down"),
    ("fig9_plant", "Potted plant", "fleshy leaves, wind"),
    ("gourd", "Gourd", "stands by friction alone"),
    ("fig14_inverse", "Dinosaur", "its rest shape is sought"),
    ("fig7_hay_bales", "Hay bales", "soft bodies that touch"),
];
/// Width of a tile that is wanted, its height over its width, the lines of text under it, and the space between tiles [points].
const TILE: f32 = 184.0;
const SHAPE: f32 = 140.0 / 184.0;
const WORDS: f32 = 38.0;
const BETWEEN: egui::Vec2 = vec2(10.0, 16.0);
/// Height of a line of the list, and of its picture [points].
const ROW: f32 = 56.0;
const SMALL: egui::Vec2 = vec2(63.0, 48.0);

/// Draws the gallery under its heading.
pub(super) fn show(ui: &mut Ui, look: &mut Look<'_>) {
    let colors = meaning(ui);
    ui.horizontal(|ui| {
        ui.set_height(24.0);
        ui.spacing_mut().item_spacing.x = 8.0;
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let all = look.desk.whole_gallery;
            let (text, name) =
                if all { ("Show few", "Show few scenes of the gallery") } else { ("Show all", "Show all scenes of the gallery") };
            let link = ui.add(egui::Button::new(RichText::new(format!("{text}  {}", icons::NEXT)).color(colors.accent)).frame(false));
            link.widget_info(|| WidgetInfo::labeled(Role::Button, true, name));
            if link.clicked() {
                look.desk.whole_gallery = !all;
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                heading(ui, "Gallery");
                let count = format!("{} scenes with measured results", GALLERY.len());
                ui.add(egui::Label::new(RichText::new(count).color(colors.dim)).truncate());
            });
        });
    });
    ui.add_space(12.0);
    let whole = look.desk.whole_gallery;
    let area = ScrollArea::vertical().id_salt(("gallery", whole)).auto_shrink(false);
    if whole {
        area.show_rows(ui, ROW, GALLERY.len(), |ui, rows| GALLERY[rows].iter().for_each(|entry| line(ui, look, entry)));
    } else {
        area.show(ui, |ui| tiles(ui, look));
    }
}

fn tiles(ui: &mut Ui, look: &mut Look<'_>) {
    let room = ui.available_width();
    // Rather smaller tiles than fewer.
    let across = ((room + BETWEEN.x) / (0.8 * TILE + BETWEEN.x)).floor().clamp(1.0, 3.0);
    let width = ((room - BETWEEN.x * (across - 1.0)) / across).floor();
    let size = vec2(width, (width * SHAPE).round());
    for (at, row) in FEATURED.chunks(across as usize).enumerate() {
        if at > 0 {
            ui.add_space(BETWEEN.y);
        }
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = BETWEEN.x;
            for &(name, title, words) in row {
                let hint = gallery::find(name).map_or_else(String::new, GalleryScene::description);
                let (rect, response) = ui.allocate_exact_size(size + vec2(0.0, WORDS), Sense::click());
                tile(ui, look, rect, &response, (name, title, words));
                if response.on_hover_text(hint).clicked() {
                    open(look, name);
                }
            }
        });
    }
}

/// A scene with its one line.
fn line(ui: &mut Ui, look: &mut Look<'_>, entry: &'static GalleryScene) {
    let colors = meaning(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width() - 8.0, ROW), Sense::click());
    let (title, words) = (title(entry.name), described(ui, entry));
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Open {title}")));
    if response.hovered() || response.has_focus() {
        ui.painter().rect_filled(rect, 4.0, ui.visuals().widgets.hovered.weak_bg_fill);
    }
    let small = egui::Rect::from_min_size(rect.left_top() + vec2(4.0, 4.0), SMALL);
    picture(ui, look, small, entry.name);
    let left = small.right() + 12.0;
    let strong = ui.visuals().strong_text_color();
    let name = elided(ui, &title, FontId::proportional(13.0), strong, rect.right() - left - 8.0);
    ui.painter().galley(egui::pos2(left, rect.center().y - 19.0), name, strong);
    let said = elided(ui, &words, FontId::proportional(11.0), colors.dim, rect.right() - left - 8.0);
    ui.painter().galley(egui::pos2(left, rect.center().y + 1.0), said, colors.dim);
    if response.on_hover_text(&words).clicked() {
        open(look, entry.name);
    }
}

/// The one line of a scene, read from its text once.
fn described(ui: &Ui, entry: &'static GalleryScene) -> String {
    let id = egui::Id::unique(("gallery", entry.name));
    if let Some(known) = ui.data(|data| data.get_temp::<String>(id)) {
        return known;
    }
    let words = entry.description();
    ui.data_mut(|data| data.insert_temp(id, words.clone()));
    words
}

/// Opens a scene of the gallery.
pub(super) fn open(look: &mut Look<'_>, name: &str) {
    if let Some(entry) = gallery::find(name) {
        look.actions.push(super::open(entry.path()));
    }
}

/// What a scene is called, from its name: `fig3_beam` is "Beam (fig. 3)".
pub fn title(name: &str) -> String {
    if let Some((_, title, _)) = FEATURED.iter().find(|featured| featured.0 == name) {
        return (*title).to_owned();
    }
    let figure = name.strip_prefix("fig").and_then(|rest| rest.split_once('_')).filter(|(number, _)| number.parse::<u32>().is_ok());
    let words = figure.map_or(name, |(_, rest)| rest).replace('_', " ");
    let mut letters = words.chars();
    let capital: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
    figure.map_or(capital.clone(), |(number, _)| format!("{capital} (fig. {number})"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scene_has_a_title_of_its_own() {
        assert_eq!(title("fig3_beam"), "Beam (fig. 3)");
        assert_eq!(title("hanging_chain"), "Hanging chain");
        assert_eq!(title("figure"), "Figure");
        for (i, entry) in GALLERY.iter().enumerate() {
            assert!(GALLERY[i + 1..].iter().all(|other| title(other.name) != title(entry.name)), "{}", entry.name);
        }
        for (name, ..) in FEATURED {
            assert!(gallery::find(name).is_some(), "{name}");
        }
    }
}
