//! The scene as a tree: bodies with their regions, obstacles, loads, probes.

mod chosen;
mod row;

use aplomb_sim::bodies::select::region_cells;
use aplomb_sim::scene::{Body, Mend, Obstacle, Probe, Region, Scene, WallCondition};
use egui::{Align, Layout, RichText, Role, TextEdit, Ui, UiBuilder, WidgetInfo, vec2};

use super::Look;
use crate::document::{Action, FileAction, RoleKind, Selection, ShapeKind, probe_color, region_color};
use crate::drawing::painted;
use crate::session::ModelBody;
use crate::theme::{self, icons, meaning};
use crate::widgets::{significant, small_icon_button};
use row::{INDENT, MARGIN, ROW, Row};

/// From this width on, counts have their units beside them [points].
const WIDE: f32 = 250.0;

/// Draws the panel.
pub fn show(ui: &mut Ui, look: &mut Look<'_>) {
    ui.spacing_mut().item_spacing.y = 0.0;
    let scene = look.document.scene().clone();
    head(ui, look, &scene);
    heading(ui, "Bodies");
    let slippery = slippery(look);
    for (b, body) in scene.bodies.iter().enumerate() {
        // Names may come twice.
        ui.push_id(("body", b), |ui| bodies_row(ui, look, &scene, (b, body)));
    }
    heading(ui, "Obstacles");
    for (o, obstacle) in scene.obstacles.iter().enumerate() {
        if found(look, &obstacle.name) {
            ui.push_id(("obstacle", o), |ui| obstacle_row(ui, look, (o, obstacle), slippery.contains(&o)));
        }
    }
    new_obstacle_menu(ui, look);
    loads(ui, look, &scene);
    if !scene.probes.is_empty() {
        heading(ui, "Probes");
        scene.probes.iter().enumerate().for_each(|(p, probe)| probe_row(ui, look, p, probe));
    }
    ui.add_space(8.0);
}

fn probe_row(ui: &mut Ui, look: &mut Look<'_>, index: usize, probe: &Probe) {
    if !found(look, &probe.name) {
        return;
    }
    let [r, g, b] = probe_color(probe, index);
    let row = Row {
        icon: icons::PROBE,
        swatch: Some(egui::Color32::from_rgb(r, g, b)),
        name: &probe.name,
        meta: probe.at.noun().to_owned(),
        spoken: format!("{} {} of {}", probe.at.noun(), probe.at.index(), probe.body),
        seen: Some(!look.desk.hidden_probes.contains(&probe.name)),
        ..Row::default()
    };
    let done = row.show(ui, look.document.selection == Selection::Probe(index));
    if done.clicked {
        look.actions.push(Action::Select(Selection::Probe(index)));
    }
    if done.eye && !look.desk.hidden_probes.remove(&probe.name) {
        look.desk.hidden_probes.insert(probe.name.clone());
    }
}

/// Obstacles that have less friction than it takes, by their places in the scene.
fn slippery(look: &Look<'_>) -> Vec<usize> {
    let of = |mend: &Mend| if let Mend::Friction { obstacles, .. } = mend { obstacles.clone() } else { Vec::new() };
    look.faults().iter().filter_map(|fault| fault.mend.as_ref()).flat_map(of).collect()
}

/// Whether a name has what is searched for in it.
fn found(look: &Look<'_>, name: &str) -> bool {
    look.desk.searched.as_ref().is_none_or(|text| name.to_lowercase().contains(&text.trim().to_lowercase()))
}

/// The scene itself, with a search and what can be added.
fn head(ui: &mut Ui, look: &mut Look<'_>, scene: &Scene) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 28.0), egui::Sense::hover());
    let buttons = rect.with_min_x(rect.right() - 88.0).shrink2(vec2(8.0, 2.0));
    let name = rect.with_max_x(buttons.left());
    let response = Row { name: "Scene", strong: true, ..Row::default() }.draw(ui, name, look.document.selection == Selection::Scene);
    if response.on_hover_text(format!("{}: gravity, wind, time, contact", scene.name)).clicked() {
        look.actions.push(Action::Select(Selection::Scene));
    }
    ui.scope_builder(UiBuilder::new().max_rect(buttons).layout(Layout::right_to_left(Align::Center)), |ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        if small_icon_button(ui, true, false, icons::LEFT, "Hide the outliner", "Hide the outliner (Alt+1)").clicked() {
            look.actions.push(Action::Arrange(crate::layout::Arrange::Column(crate::layout::Side::Left)));
        }
        let add = ui.scope(|ui| {
            ui.spacing_mut().button_padding = vec2(4.0, 2.0);
            row::plain_button(ui);
            ui.menu_button(RichText::new(icons::PLUS).size(14.0).color(meaning(ui).dim), |ui| add_menu(ui, look, scene))
        });
        add.inner.response.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Add to the scene"));
        let searches = look.desk.searched.is_some();
        if small_icon_button(ui, true, searches, icons::SEARCH, "Search the scene", "Show only what has a word in its name").clicked() {
            look.desk.searched = (!searches).then(String::new);
        }
    });
    if let Some(text) = &mut look.desk.searched {
        ui.horizontal(|ui| {
            ui.add_space(MARGIN);
            let field = ui.add(TextEdit::singleline(text).hint_text("Name").desired_width(ui.available_width() - MARGIN));
            field.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Name to search for"));
        });
    }
}

/// What can be added.
fn add_menu(ui: &mut Ui, look: &mut Look<'_>, scene: &Scene) {
    ui.set_min_width(160.0);
    if ui.button("Body from a mesh…").clicked() {
        look.actions.push(Action::Ask(FileAction::Import));
    }
    if ui.button("Net of springs…").clicked() {
        look.actions.push(Action::Ask(FileAction::Net));
    }
    if let Some(body) = scene.bodies.first() {
        ui.menu_button("Region", |ui| regions_menu(ui, look, 0, body));
    }
    ui.menu_button("Obstacle", |ui| obstacles_menu(ui, look));
}

/// A name over rows.
fn heading(ui: &mut Ui, text: &str) {
    ui.add_space(8.0);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), egui::Sense::hover());
    let at = rect.left_center() + vec2(MARGIN, 0.0);
    let font = egui::FontId::new(11.0, theme::strong());
    ui.painter().text(at, egui::Align2::LEFT_CENTER, text, font, meaning(ui).dim);
}

/// A body with its regions.
fn bodies_row(ui: &mut Ui, look: &mut Look<'_>, scene: &Scene, (b, body): (usize, &Body)) {
    let hit = found(look, &body.name);
    if !hit && !body.regions.iter().any(|region| found(look, &region.name)) {
        return;
    }
    // While another scene is being loaded, the model is still that of the one before.
    let model = look.main.model.clone().filter(|_| look.main.is_up_to_date());
    let model = model.as_ref().and_then(|model| model.bodies.get(b));
    let long = model.map_or_else(String::new, |model| format!("{} {}", grouped(model.mesh.cells.len()), model.mesh.cells.noun()));
    let icon = if model.is_some_and(|model| !model.lines.is_empty()) { icons::LINES } else { icons::BODY };
    let folded = look.desk.folded.contains(&b);
    let seen = !look.desk.hidden_bodies.contains(&b);
    let row = Row {
        fold: (!body.regions.is_empty()).then_some(folded),
        icon,
        name: &body.name,
        meta: short(ui, &long),
        spoken: long.clone(),
        seen: Some(seen),
        ..Row::default()
    };
    if chosen::show(ui, look, &row, Selection::Body(b)) && !look.desk.folded.remove(&b) {
        look.desk.folded.insert(b);
    }
    if folded {
        return;
    }
    for (r, region) in body.regions.iter().enumerate() {
        if hit || found(look, &region.name) {
            ui.push_id(("region", r), |ui| region_row(ui, look, model, (b, r), region));
        }
    }
    let at_hand = matches!(look.document.selection, Selection::Body(of) | Selection::Region(of, _) if of == b);
    if at_hand || scene.bodies.len() == 1 {
        let name = format!("New region of {}", body.name);
        row::add_row(ui, INDENT, "Region", &name, |ui| regions_menu(ui, look, b, body));
    }
}

fn region_row(ui: &mut Ui, look: &mut Look<'_>, model: Option<&ModelBody>, at: (usize, usize), region: &Region) {
    let [r, g, b] = region_color(region, at.1);
    let kind = RoleKind::of(&region.role);
    let long = model.map_or_else(String::new, |model| count(ui, model, region));
    let row = Row {
        indent: INDENT,
        icon: icon_of(kind),
        swatch: Some(egui::Color32::from_rgb(r, g, b)),
        name: &region.name,
        meta: short(ui, &long),
        spoken: long.clone(),
        hint: kind.hint(),
        locked: Some(region.locked),
        seen: Some(!look.desk.hidden.contains(&at)),
        ..Row::default()
    };
    chosen::show(ui, look, &row, Selection::Region(at.0, at.1));
}

fn obstacle_row(ui: &mut Ui, look: &mut Look<'_>, (o, obstacle): (usize, &Obstacle), at_fault: bool) {
    let icon = match ShapeKind::of(&obstacle.shape) {
        ShapeKind::Ground | ShapeKind::Box => icons::WALL,
        ShapeKind::Ball => icons::SPHERE,
        ShapeKind::Capsule | ShapeKind::Ring | ShapeKind::Funnel => icons::CYLINDER,
        ShapeKind::Mesh => icons::MESH,
    };
    let (meta, spoken) = detail(obstacle);
    let seen = !look.desk.hidden_obstacles.contains(&o);
    let row = Row { icon, name: &obstacle.name, meta, spoken, at_fault, seen: Some(seen), ..Row::default() };
    chosen::show(ui, look, &row, Selection::Obstacle(o));
}

/// An obstacle's friction, or how it binds, or that it does not stay; and the same at length.
fn detail(obstacle: &Obstacle) -> (String, String) {
    let kind = ShapeKind::of(&obstacle.shape).label().to_lowercase();
    let (friction, at_length) = match obstacle.wall {
        WallCondition::Separating => (format!("µ {:.2}", obstacle.friction), format!("friction {}", significant(obstacle.friction, 3))),
        WallCondition::Slip => ("slip".to_owned(), "points slip along it".to_owned()),
        WallCondition::Sticky => ("sticky".to_owned(), "points stick to it".to_owned()),
    };
    let goes = match (&obstacle.motion, obstacle.removed_at) {
        (Some(_), _) => Some("moves".to_owned()),
        (None, Some(time)) => Some(format!("until {time} s")),
        (None, None) => None,
    };
    let long = [kind, at_length].into_iter().chain(goes.clone()).collect::<Vec<_>>().join(", ");
    (goes.unwrap_or(friction), long)
}

/// What pulls and blows.
fn loads(ui: &mut Ui, look: &mut Look<'_>, scene: &Scene) {
    let size = |of: [f64; 3]| of.iter().map(|x| x * x).sum::<f64>().sqrt();
    let mut rows: Vec<(&str, &str, String, String)> = Vec::new();
    let pull = size(scene.gravity);
    if pull > 0.0 {
        let meta = format!("{} m/s²", significant(pull, 3));
        rows.push((icons::LOAD, "gravity", meta.clone(), format!("gravity, {meta}")));
    }
    if let Some(wind) = &scene.wind {
        let speed = format!("{} m/s", significant(size(wind.velocity), 3));
        let meta = if wind.from > 0.0 { format!("from {} s", significant(wind.from, 3)) } else { speed.clone() };
        rows.push((icons::WIND, "wind", meta, format!("wind of {speed}, from {} s", significant(wind.from, 3))));
    }
    if let Some(nudge) = look.main.certificate.as_ref().and_then(|certificate| certificate.nudge.as_ref()) {
        let pushes = nudge.kicks.len();
        rows.push((icons::NUDGE, "nudge", format!("{pushes} pushes"), format!("nudge test of {pushes} pushes, in the certificate")));
    }
    rows.retain(|row| found(look, row.1));
    if rows.is_empty() {
        return;
    }
    heading(ui, "Loads");
    for (icon, name, meta, spoken) in rows {
        let done = Row { icon, name, meta, spoken, ..Row::default() }.show(ui, false);
        if done.clicked && name == "nudge" {
            look.actions.push(Action::ShowTab(super::RightTab::Certificate));
        } else if done.clicked {
            look.actions.push(Action::Select(Selection::Scene));
        }
    }
}

/// A count without its unit, where there is little room.
fn short(ui: &Ui, long: &str) -> String {
    let narrow = ui.available_width() < WIDE;
    long.rsplit_once(' ').filter(|_| narrow).map_or_else(|| long.to_owned(), |(count, _)| count.to_owned())
}

/// The icon of a kind of regions.
fn icon_of(kind: RoleKind) -> &'static str {
    match kind {
        RoleKind::Fixed | RoleKind::Sliding | RoleKind::Moved | RoleKind::Following => icons::FIXED,
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
        _ => format!("{} vertices", grouped(painted(model, region, false).len())),
    };
    ui.data_mut(|data| data.insert_temp(id, (key, text.clone())));
    text
}

fn regions_menu(ui: &mut Ui, look: &mut Look<'_>, body: usize, of: &Body) {
    ui.set_min_width(140.0);
    for kind in RoleKind::ALL {
        if ui.button(kind.label()).on_hover_text(format!("{}. Paint it on {}.", kind.hint(), of.name)).clicked() {
            look.actions.push(Action::Select(Selection::Body(body)));
            look.actions.push(Action::NewRegion(kind));
        }
    }
}

fn obstacles_menu(ui: &mut Ui, look: &mut Look<'_>) {
    ui.set_min_width(140.0);
    for kind in ShapeKind::PLAIN {
        if ui.button(kind.label()).on_hover_text(kind.hint()).clicked() {
            look.actions.push(Action::NewObstacle(kind));
        }
    }
    if ui.button("Mesh…").on_hover_text(ShapeKind::Mesh.hint()).clicked() {
        look.actions.push(Action::Ask(FileAction::Obstacle));
    }
}

fn new_obstacle_menu(ui: &mut Ui, look: &mut Look<'_>) {
    row::add_row(ui, 0.0, "Obstacle", "New obstacle", |ui| obstacles_menu(ui, look));
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
