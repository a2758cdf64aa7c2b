//! The brush that paints the selected region, or the stiffness of its body: in sight above everything else while it is held.

mod field;
mod place;
mod state;

use aplomb_sim::scene::{Region, RegionRole, Selector};
use egui::{Align, Layout, RichText, Sense, Ui, vec2};

pub use field::summary as field_summary;
pub use state::BrushState;

use super::Look;
use crate::document::{Action, ByPlace, RESHAPES, Selection, region_color};
use crate::theme::{self, icons, meaning};
use crate::viewport::Area;
use crate::widgets::unit::Shown;
use crate::widgets::{Quantity, Segment, axes_segments, card, icon_button, row, segments, slider_row};

/// Width of what stands right of a label [points].
const FIELD: f32 = 172.0;

/// What the brush may paint: a body by its name, and of it a region with its place in the list.
#[derive(Clone, Copy)]
struct Subject<'a> {
    name: &'a str,
    region: Option<(usize, &'a Region)>,
}

/// Draws the card of a brush that is held.
pub fn brush(ui: &mut Ui, look: &mut Look<'_>) {
    card(ui, |ui| contents(ui, look));
}

/// Draws what is set, for what is selected.
pub fn contents(ui: &mut Ui, look: &mut Look<'_>) {
    let scene = look.document.scene().clone();
    let (body, index) = match look.document.selection {
        Selection::Body(body) => (body, None),
        Selection::Region(body, index) => (body, Some(index)),
        Selection::Scene | Selection::Obstacle(_) | Selection::Probe(_) | Selection::Place(..) => return,
    };
    let Some(of) = scene.bodies.get(body) else { return };
    let region = index.and_then(|index| Some((index, of.regions.get(index)?)));
    let subject = Subject { name: &of.name, region };
    let paints_field = look.desk.brush.field || region.is_none();
    header(ui, &subject, paints_field);
    if !look.desk.brush.on {
        let button = egui::Button::new(format!("{}  Paint", icons::BRUSH)).min_size(vec2(ui.available_width(), 24.0));
        let button = ui.add(button).on_hover_text("Left drag paints; middle drag still orbits (B)");
        button.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, "Paint"));
        if button.clicked() {
            look.actions.push(Action::ToggleBrush);
        }
        return;
    }
    mode(ui, look, paints_field);
    ui.add_space(2.0);
    let how = Quantity { unit: "px", range: 4.0..=160.0, hint: "Radius of the brush on the screen; F and a motion of the mouse change it" };
    let mut radius = f64::from(look.desk.brush.radius);
    if slider_row(ui, "Radius", &mut radius, &how, Shown { name: "px", size: 1.0 }, false) {
        look.desk.brush.radius = radius as f32;
    }
    what(ui, look, &subject, paints_field);
    if paints_field {
        field::show(ui, look, body);
    }
    field_row(ui, "Reach", |ui| {
        let through = look.desk.brush.through;
        let of = [
            Segment::new("Front faces", !through, "Only what is in sight is painted"),
            Segment::new("Through", through, "What lies behind is painted too, not only what is in sight"),
        ];
        look.desk.brush.through = segments(ui, "Reach", &of).map_or(through, |chosen| chosen == 1);
    });
    field_row(ui, "Symmetry", |ui| {
        let across = ["x", "y", "z"].map(|axis| format!("Strokes are mirrored in the middle of the body, across its own {axis} axis"));
        let hints = ["Strokes are not mirrored", &across[0], &across[1], &across[2]];
        if axes_segments(ui, "Symmetry", &mut look.desk.brush.symmetry, hints) {
            look.desk.brush.missed = false;
        }
    });
    if look.desk.brush.missed {
        note(ui, "Nothing lies on the other side of some of this stroke.", true);
    }
    ui.add_space(2.0);
    tools(ui, look, !paints_field);
    if region.is_some_and(|(_, region)| matches!(region.role, RegionRole::Contact { .. })) && !paints_field {
        suggest(ui, look);
    }
    place::show(ui, look);
    if let Some((_, region)) = region.filter(|_| !paints_field) {
        if region.locked {
            note(ui, "It is locked: strokes leave it as it is.", true);
        } else if region.select.iter().any(|selector| !matches!(selector, Selector::Vertices(_))) {
            note(ui, "Chosen by place or tag; the first stroke turns it into a list of vertices.", false);
        }
    }
}

/// The brush, and what it paints.
fn header(ui: &mut Ui, subject: &Subject<'_>, paints_field: bool) {
    let accent = meaning(ui).accent;
    ui.horizontal(|ui| {
        ui.label(RichText::new(icons::BRUSH).size(16.0).color(accent));
        ui.label(RichText::new("Brush").strong().family(theme::strong()));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            match subject.region.filter(|_| !paints_field) {
                Some((index, region)) => {
                    ui.add(egui::Label::new(&region.name).truncate());
                    let [r, g, b] = region_color(region, index);
                    let (swatch, _) = ui.allocate_exact_size(vec2(12.0, 12.0), Sense::hover());
                    ui.painter().rect_filled(swatch, 3.0, egui::Color32::from_rgb(r, g, b));
                }
                None => {
                    ui.add(egui::Label::new(format!("stiffness of {}", subject.name)).truncate());
                }
            }
        });
    });
}

fn mode(ui: &mut Ui, look: &mut Look<'_>, paints_field: bool) {
    let brush = &mut look.desk.brush;
    let (erase, smooth) = (brush.erase, brush.smooth && paints_field);
    let add = if paints_field {
        "Lead the stiffness to the factor below; holding Ctrl turns it around"
    } else {
        "Take in; holding Ctrl turns it around"
    };
    let away = if paints_field { "Lead the stiffness back to what the material says" } else { "Take out; holding Ctrl turns it around" };
    let of = [
        Segment { icon: icons::PLUS, ..Segment::new("Add", !erase && !smooth, add) },
        Segment { icon: icons::ERASE, ..Segment::new("Erase", erase && !smooth, away) },
        Segment { icon: icons::SMOOTH, ..Segment::new("Smooth", smooth, "Even the stiffness out with what is around") },
    ];
    match segments(ui, "Mode", if paints_field { &of[..] } else { &of[..2] }) {
        Some(2) => (brush.erase, brush.smooth) = (false, true),
        Some(chosen) => (brush.erase, brush.smooth) = (chosen == 1, false),
        None => {}
    }
}

/// Whether the region or the stiffness of the body is painted.
fn what(ui: &mut Ui, look: &mut Look<'_>, subject: &Subject<'_>, paints_field: bool) {
    field_row(ui, "Paints", |ui| {
        let set = match subject.region {
            Some(_) => Ok("Which vertices belong to the region"),
            None => Err("A body as a whole has no set of vertices: select or make a region"),
        };
        let of = [
            Segment { hint: set, ..Segment::new("Set", !paints_field, "") },
            Segment::new("Field", paints_field, "How many times as stiff as its material the body is, from place to place"),
        ];
        if let Some(chosen) = segments(ui, "Paints", &of) {
            look.desk.brush.field = chosen == 1;
        }
    });
}

/// Changes of the whole region, parts by place, and what the left button draws.
fn tools(ui: &mut Ui, look: &mut Look<'_>, of_set: bool) {
    ui.horizontal(|ui| {
        (ui.spacing_mut().item_spacing.x, ui.spacing_mut().button_padding.x) = (0.0, 4.0);
        for entry in RESHAPES.iter().filter(|_| of_set) {
            if icon_button(ui, true, false, entry.icon, entry.label, &format!("{}: {}", entry.label, entry.doc)).clicked() {
                look.actions.push(Action::Reshape(entry.reshape));
            }
        }
        place::buttons(ui, look);
        let areas = [
            (Area::Box, icons::BOX, "Box", "Box: drag a rectangle around what is to be painted; Ctrl erases"),
            (Area::Lasso, icons::LASSO, "Lasso", "Lasso: draw a line around what is to be painted; Ctrl erases"),
        ];
        for (area, icon, name, hint) in areas {
            let chosen = look.desk.brush.area == area;
            if icon_button(ui, true, chosen, icon, name, hint).clicked() {
                look.desk.brush.area = if chosen { Area::Round } else { area };
            }
        }
    });
}

fn suggest(ui: &mut Ui, look: &mut Look<'_>) {
    let near = matches!(look.desk.brush.place, Some(ByPlace::Near { .. }));
    let button = egui::Button::selectable(near, "Suggest contacts").min_size(vec2(ui.available_width(), 24.0));
    let hint = "Mark what lies near an obstacle, another body, or a part of the body that faces it";
    if ui.add(button).on_hover_text(hint).clicked() {
        match near {
            true => look.desk.brush.place = None,
            false => look.actions.push(Action::SuggestContacts),
        }
    }
}

/// A label, and a field at the right.
fn field_row(ui: &mut Ui, label: &str, contents: impl FnOnce(&mut Ui)) {
    row(ui, label, |ui, _| {
        ui.allocate_ui_with_layout(vec2(FIELD, 24.0), Layout::left_to_right(Align::Center), |ui| {
            ui.set_width(FIELD);
            contents(ui);
        });
    });
}

/// A word in small letters: about something that is not as one may think, or for information.
fn note(ui: &mut Ui, text: &str, warns: bool) {
    let colors = meaning(ui);
    ui.label(RichText::new(text).color(if warns { colors.warning } else { colors.dim }).small());
}
