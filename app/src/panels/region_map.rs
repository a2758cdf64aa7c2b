//! The region map: a body from three sides in the colours of its regions, and what each is of it.

use std::sync::Arc;

use egui::{Align2, Color32, FontId, Image, Rect, Role, ScrollArea, Sense, TextureHandle, TextureOptions, Ui, UiBuilder, WidgetInfo, vec2};

use super::Look;
use crate::document::{Action, Selection, region_color};
use crate::region_map::{Map, MapMaker, Measure, SIDES, Share, Subject};
use crate::theme::meaning;
use crate::widgets::{elided, percent};

/// Least and most width of a picture, and what the list of shares takes at least [points].
const PICTURE: [f32; 2] = [64.0, 150.0];
const LIST: f32 = 150.0;
/// Height of the name under a picture, and of a share with its bar [points].
const NAME: f32 = 20.0;
const SHARE: f32 = 28.0;
const GAP: f32 = 8.0;

/// The map as it is shown.
#[derive(Default)]
pub struct MapState {
    maker: MapMaker,
    textures: Option<(u64, [TextureHandle; 3])>,
    measure: Measure,
}

impl std::fmt::Debug for MapState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MapState").field("maker", &self.maker).field("measure", &self.measure).finish_non_exhaustive()
    }
}

/// What stands at the right end of the bar of tabs: of what the shares are.
pub fn bar(ui: &mut Ui, look: &mut Look<'_>) {
    let word = |measure: Measure| match measure {
        Measure::Volume => "Volume",
        Measure::Surface => "Surface",
    };
    let measure = &mut look.desk.region_map.measure;
    let list = egui::ComboBox::from_id_salt("measure of the region map").width(80.0).selected_text(word(*measure));
    let list = list.show_ui(ui, |ui| {
        ui.selectable_value(measure, Measure::Volume, word(Measure::Volume)).on_hover_text("Of what regions of material reach into");
        ui.selectable_value(measure, Measure::Surface, word(Measure::Surface)).on_hover_text("Of what is painted, all regions");
    });
    let name = format!("Shares of: {}", word(look.desk.region_map.measure));
    list.response.widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, &name));
}

/// Draws the panel.
pub fn show(ui: &mut Ui, look: &mut Look<'_>) {
    let (Some(model), Some(body)) = (&look.main.model, look.body_at_hand()) else {
        ui.weak("No body yet: import a mesh, and paint regions on it.");
        return;
    };
    let subject = Subject { scene: Arc::clone(look.document.scene()), model: Arc::clone(model), body };
    let scene = look.document.scene();
    let state = &mut look.desk.region_map;
    let ctx = ui.ctx().clone();
    let Some((number, map)) = state.maker.get(&subject, Arc::new(move || ctx.request_repaint())) else {
        ui.spinner();
        return;
    };
    // What is being made anew may have other regions than the scene by now.
    let regions = scene.bodies.get(body).map_or(&[][..], |body| &body.regions[..]);
    let shares = match state.measure {
        Measure::Volume => &map.of_volume,
        Measure::Surface => &map.of_surface,
    };
    let shares: Vec<Share> = shares.iter().filter(|share| share.region.is_none_or(|r| r < regions.len())).copied().collect();
    let textures = textures(ui, map, &mut state.textures, number);
    let room = ui.available_rect_before_wrap();
    let (pictures, list) = places(room);
    for (rect, (side, texture)) in pictures.iter().zip(SIDES.iter().zip(textures)) {
        picture(ui, *rect, side.name, texture);
    }
    let measure = state.measure;
    let mut chosen = None;
    ui.scope_builder(UiBuilder::new().max_rect(list), |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        ui.small(match measure {
            Measure::Volume => "Share of the volume",
            Measure::Surface => "Share of the surface",
        });
        ScrollArea::vertical().id_salt("shares").auto_shrink(false).show(ui, |ui| {
            for of in &shares {
                let (name, color) = match of.region {
                    Some(r) => (regions[r].name.as_str(), Some(region_color(&regions[r], r))),
                    None => ("no region", None),
                };
                let is_selected = of.region.is_some_and(|r| look.document.selection == Selection::Region(body, r));
                if share(ui, name, color, of.part, of.region.is_some(), is_selected) {
                    chosen = of.region;
                }
            }
        });
    });
    ui.advance_cursor_after_rect(room);
    if let Some(r) = chosen {
        look.actions.push(Action::Select(Selection::Region(body, r)));
    }
}

/// Where pictures stand, as many as there is room for, and where the list of shares.
fn places(room: Rect) -> (Vec<Rect>, Rect) {
    let tall = (room.height() - NAME).max(0.0);
    let width = tall.min(PICTURE[1]).min((room.width() - LIST) / 3.0 - GAP).max(PICTURE[0]);
    let count = (((room.width() - LIST) / (width + GAP)).floor().max(0.0) as usize).min(SIDES.len());
    let picture = |k: usize| Rect::from_min_size(room.min + vec2(k as f32 * (width + GAP), 0.0), vec2(width, tall.min(1.25 * width)));
    let left = room.left() + count as f32 * (width + GAP) + if count > 0 { GAP } else { 0.0 };
    ((0..count).map(picture).collect(), room.with_min_x(left.min(room.right())))
}

/// The pictures on the card, those of the map that is there.
fn textures<'a>(ui: &Ui, map: &Map, kept: &'a mut Option<(u64, [TextureHandle; 3])>, count: u64) -> &'a [TextureHandle; 3] {
    let load = |side: usize| {
        ui.ctx().load_texture(format!("region map, {}", SIDES[side].name), map.pictures[side].clone(), TextureOptions::LINEAR)
    };
    if kept.as_ref().is_none_or(|(of, _)| *of != count) {
        *kept = None;
    }
    &kept.get_or_insert_with(|| (count, std::array::from_fn(load))).1
}

fn picture(ui: &mut Ui, rect: Rect, name: &str, texture: &TextureHandle) {
    let response = ui.interact(rect, ui.scope_id().with(name), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, format!("Regions from the {name}")));
    ui.painter().rect_filled(rect, 4.0, ui.visuals().extreme_bg_color);
    let side = rect.width().min(rect.height());
    Image::from_texture((texture.id(), vec2(side, side))).paint_at(ui, Rect::from_center_size(rect.center(), vec2(side, side)));
    let below = rect.center_bottom() + vec2(0.0, 0.5 * NAME);
    ui.painter().text(below, Align2::CENTER_CENTER, name, FontId::proportional(11.0), meaning(ui).dim);
}

/// A region's share with its bar; true if it was clicked.
fn share(ui: &mut Ui, name: &str, color: Option<[u8; 3]>, part: f64, is_region: bool, is_selected: bool) -> bool {
    let colors = meaning(ui);
    let sense = if is_region { Sense::click() } else { Sense::hover() };
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), SHARE), sense);
    let spoken = format!("{name}: {}", percent(part));
    response.widget_info(|| WidgetInfo::selected(if is_region { Role::Button } else { Role::Label }, true, is_selected, &spoken));
    if is_selected {
        ui.painter().rect_filled(rect, 4.0, colors.selected[0]);
    } else if response.hovered() && is_region || response.has_focus() {
        ui.painter().rect_filled(rect, 4.0, ui.visuals().widgets.hovered.weak_bg_fill);
    }
    let color = color.map_or(colors.off, |[r, g, b]| Color32::from_rgb(r, g, b));
    let line = rect.top() + 11.0;
    let swatch = Rect::from_center_size(egui::pos2(rect.left() + 10.0, line), vec2(10.0, 10.0));
    ui.painter().rect_filled(swatch, 3.0, color);
    let strong = ui.visuals().strong_text_color();
    let number =
        ui.painter().text(egui::pos2(rect.right() - 4.0, line), Align2::RIGHT_CENTER, percent(part), FontId::proportional(13.0), strong);
    let text = if is_selected { colors.selected[1] } else { ui.visuals().text_color() };
    let words = elided(ui, name, FontId::proportional(13.0), text, number.left() - swatch.right() - 16.0);
    ui.painter().galley(egui::pos2(swatch.right() + 8.0, line - 0.5 * words.size().y), words, text);
    let rail = Rect::from_min_max(egui::pos2(rect.left() + 4.0, rect.bottom() - 6.0), egui::pos2(rect.right() - 4.0, rect.bottom() - 3.0));
    ui.painter().rect_filled(rail, 1.5, ui.visuals().extreme_bg_color);
    ui.painter().rect_filled(rail.with_max_x(rail.left() + rail.width() * part.clamp(0.0, 1.0) as f32), 1.5, color);
    let response = if is_region { response.on_hover_text("Select the region") } else { response };
    response.clicked()
}
