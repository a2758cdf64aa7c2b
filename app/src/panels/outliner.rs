//! The scene as a tree: bodies with their regions, obstacles, probes.

use aplomb_sim::bodies::select::region_cells;
use aplomb_sim::scene::{Body, Obstacle, Probe, Region};
use egui::{Align, Atom, Button, Layout, Response, RichText, Role, Sense, TextStyle, Ui, WidgetInfo, vec2};

use super::Look;
use crate::document::{Action, FileAction, RoleKind, Selection, ShapeKind, probe_color, region_color};
use crate::drawing::painted;
use crate::session::ModelBody;
use crate::theme::{self, icons, meaning};

/// Draws the panel.
pub fn show(ui: &mut Ui, look: &mut Look<'_>) {
    let scene = look.document.scene().clone();
    let selected = look.document.selection;
    entry(ui, look, ("", "Scene"), &scene.name, Selection::Scene);
    ui.add_space(8.0);
    small_heading(ui, "Bodies");
    for (b, body) in scene.bodies.iter().enumerate() {
        // While another scene is being loaded, the model is still that of the one before.
        let model = look.main.model.clone().filter(|_| look.main.is_up_to_date());
        let model = model.as_ref().and_then(|model| model.bodies.get(b));
        let detail = model.map_or_else(String::new, |model| format!("{} {}", grouped(model.mesh.cells.len()), model.mesh.cells.noun()));
        let icon = if model.is_some_and(|model| !model.lines.is_empty()) { icons::LINES } else { icons::BODY };
        entry(ui, look, (icon, &body.name), &detail, Selection::Body(b));
        for (r, region) in body.regions.iter().enumerate() {
            region_entry(ui, look, model, (b, r), region);
        }
        let at_hand = matches!(selected, Selection::Body(of) | Selection::Region(of, _) if of == b);
        if at_hand || scene.bodies.len() == 1 {
            new_region_menu(ui, look, b, body);
        }
    }
    ui.add_space(8.0);
    small_heading(ui, "Obstacles");
    for (o, obstacle) in scene.obstacles.iter().enumerate() {
        let icon = match ShapeKind::of(&obstacle.shape) {
            ShapeKind::Ground | ShapeKind::Box => icons::WALL,
            ShapeKind::Ball => icons::SPHERE,
            ShapeKind::Capsule | ShapeKind::Ring | ShapeKind::Funnel => icons::CYLINDER,
            ShapeKind::Mesh => icons::MESH,
        };
        entry(ui, look, (icon, &obstacle.name), &detail(obstacle), Selection::Obstacle(o));
    }
    new_obstacle_menu(ui, look);
    if !scene.probes.is_empty() {
        ui.add_space(8.0);
        small_heading(ui, "Probes");
        scene.probes.iter().enumerate().for_each(|(p, probe)| probe_entry(ui, look, p, probe));
    }
}

fn probe_entry(ui: &mut Ui, look: &mut Look<'_>, index: usize, probe: &Probe) {
    let dim = meaning(ui).dim;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        let [r, g, b] = probe_color(probe, index);
        let (swatch, _) = ui.allocate_exact_size(vec2(12.0, 12.0), Sense::hover());
        ui.painter().rect_filled(swatch, 3.0, egui::Color32::from_rgb(r, g, b));
        let visible = !look.desk.hidden_probes.contains(&probe.name);
        let selected = look.document.selection == Selection::Probe(index);
        let width = ui.available_width() - 86.0;
        if row_button(ui, width, selected, icons::PROBE, &probe.name).on_hover_text(format!("On {}", probe.body)).clicked() {
            look.actions.push(Action::Select(Selection::Probe(index)));
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let eye = RichText::new(if visible { icons::SHOW } else { icons::HIDDEN }).size(14.0).color(dim);
            let eye = ui.add(Button::new(eye).frame(false)).on_hover_text("Show this probe in the view and in the plots");
            let name = format!("show {}", probe.name);
            eye.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, visible, &name));
            if eye.clicked() && !look.desk.hidden_probes.remove(&probe.name) {
                look.desk.hidden_probes.insert(probe.name.clone());
            }
            ui.label(RichText::new(probe.at.noun()).color(dim).small());
        });
    });
}

/// What an obstacle is, where its name does not say so, and that it does not stay.
fn detail(obstacle: &Obstacle) -> String {
    let kind = ShapeKind::of(&obstacle.shape).label().to_lowercase();
    let kind = (!obstacle.name.to_lowercase().contains(&kind)).then_some(kind);
    let goes = match (&obstacle.motion, obstacle.removed_at) {
        (Some(_), _) => Some("moves".to_owned()),
        (None, Some(time)) => Some(format!("until {time} s")),
        (None, None) => None,
    };
    kind.into_iter().chain(goes).collect::<Vec<_>>().join(", ")
}

/// A name over entries.
fn small_heading(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).color(meaning(ui).dim).family(theme::strong()).small());
}

/// A row that selects: an icon, a name, and what is to be known of it.
fn entry(ui: &mut Ui, look: &mut Look<'_>, (icon, name): (&str, &str), detail: &str, to: Selection) {
    ui.horizontal(|ui| {
        let dim = meaning(ui).dim;
        // The name has what the detail leaves.
        let detail_width = if detail.is_empty() { 0.0 } else { (wide(ui, detail) + ui.spacing().item_spacing.x).min(104.0) };
        let width = ui.available_width() - detail_width;
        if row_button(ui, width, look.document.selection == to, icon, name).clicked() {
            look.actions.push(Action::Select(to));
        }
        if !detail.is_empty() {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ui.add(egui::Label::new(RichText::new(detail).color(dim).small()).truncate());
            });
        }
    });
}

fn row_button(ui: &mut Ui, width: f32, selected: bool, icon: &str, name: &str) -> Response {
    let icon = RichText::new(icon).size(15.0);
    let button = Button::selectable(selected, (icon, name, Atom::grow())).truncate();
    let response = ui.add_sized(vec2(width, 24.0), button);
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, selected, name));
    if selected && response.hovered() {
        ui.painter().rect_filled(response.rect, 4.0, ui.visuals().strong_text_color().gamma_multiply(0.1));
    }
    response
}

/// Width of small text [points].
fn wide(ui: &Ui, text: &str) -> f32 {
    let font = TextStyle::Small.resolve(ui.style());
    ui.painter().layout_no_wrap(text.to_owned(), font, egui::Color32::PLACEHOLDER).size().x.ceil() + 2.0
}

fn region_entry(ui: &mut Ui, look: &mut Look<'_>, model: Option<&ModelBody>, at: (usize, usize), region: &Region) {
    let dim = meaning(ui).dim;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        ui.add_space(8.0);
        let [r, g, b] = region_color(region, at.1);
        let (swatch, _) = ui.allocate_exact_size(vec2(12.0, 12.0), Sense::hover());
        ui.painter().rect_filled(swatch, 3.0, egui::Color32::from_rgb(r, g, b));
        let visible = !look.desk.hidden.contains(&at);
        let width = ui.available_width() - 100.0;
        let selected = look.document.selection == Selection::Region(at.0, at.1);
        let kind = RoleKind::of(&region.role);
        if row_button(ui, width, selected, icon_of(kind), &region.name).on_hover_text(kind.hint()).clicked() {
            look.actions.push(Action::Select(Selection::Region(at.0, at.1)));
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let eye = RichText::new(if visible { icons::SHOW } else { icons::HIDDEN }).size(14.0).color(dim);
            let eye = ui.add(Button::new(eye).frame(false)).on_hover_text("Tint this region in the view");
            let name = format!("show {}", region.name);
            eye.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, visible, &name));
            if eye.clicked() && !look.desk.hidden.remove(&at) {
                look.desk.hidden.insert(at);
            }
            if let Some(model) = model {
                ui.label(RichText::new(count(ui, model, region)).color(dim).small());
            }
        });
    });
}

/// The icon of a kind of regions.
fn icon_of(kind: RoleKind) -> &'static str {
    match kind {
        RoleKind::Fixed | RoleKind::Sliding | RoleKind::Moved => icons::FIXED,
        RoleKind::Traction | RoleKind::Pressure => icons::LOAD,
        RoleKind::Water => icons::WATER,
        RoleKind::Contact => icons::CONTACT,
        RoleKind::Material => icons::MATERIAL,
        RoleKind::Attached => icons::ATTACHED,
        RoleKind::Named => icons::NAMED,
    }
}

/// How much the region holds, remembered while it does not change.
fn count(ui: &Ui, model: &ModelBody, region: &Region) -> String {
    let id = ui.scope_id().with(("region count", &region.name));
    let key = (std::ptr::from_ref(model) as usize, region.clone());
    if let Some((known, text)) = ui.data(|data| data.get_temp::<((usize, Region), String)>(id))
        && known == key
    {
        return text;
    }
    let text = match RoleKind::of(&region.role) {
        RoleKind::Material => format!("{} tets", grouped(region_cells(&model.mesh, region).len())),
        _ => format!("{} vert.", grouped(painted(model, region, false).len())),
    };
    ui.data_mut(|data| data.insert_temp(id, (key, text.clone())));
    text
}

fn new_region_menu(ui: &mut Ui, look: &mut Look<'_>, body: usize, of: &Body) {
    let title = RichText::new(format!("{}  Region", icons::PLUS)).small();
    let menu = ui.horizontal(|ui| {
        ui.add_space(8.0);
        ui.menu_button(title, |ui| {
            ui.set_min_width(140.0);
            for kind in RoleKind::ALL {
                if ui.button(kind.label()).on_hover_text(format!("{}. Paint it on {}.", kind.hint(), of.name)).clicked() {
                    look.actions.push(Action::Select(Selection::Body(body)));
                    look.actions.push(Action::NewRegion(kind));
                }
            }
        })
    });
    let name = format!("New region of {}", of.name);
    menu.inner.response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
}

fn new_obstacle_menu(ui: &mut Ui, look: &mut Look<'_>) {
    let title = RichText::new(format!("{}  Obstacle", icons::PLUS)).small();
    let menu = ui.horizontal(|ui| {
        ui.add_space(8.0);
        ui.menu_button(title, |ui| {
            ui.set_min_width(140.0);
            for kind in ShapeKind::PLAIN {
                if ui.button(kind.label()).on_hover_text(kind.hint()).clicked() {
                    look.actions.push(Action::NewObstacle(kind));
                }
            }
            if ui.button("Mesh…").on_hover_text(ShapeKind::Mesh.hint()).clicked() {
                look.actions.push(Action::Ask(FileAction::Obstacle));
            }
        })
    });
    menu.inner.response.widget_info(|| WidgetInfo::labeled(Role::Button, true, "New obstacle"));
}

/// A count with a thin space every three digits.
pub fn grouped(count: usize) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}
