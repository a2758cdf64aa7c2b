//! The sewing pattern of the body at hand, flat and to scale: its panels, what is sewn to what, and the colours that the body has.

mod canvas;
mod hand;
mod missing;
mod sheet;

use std::sync::Arc;

use aplomb_sim::mesh::BodyMesh;
use egui::{Align, Color32, Layout as Flow, Rect, Role, Sense, Stroke, Ui, UiBuilder, WidgetInfo, pos2};

use super::Look;
use crate::document::{Action, Choice, Selection};
use crate::session::{Model, Snapshot};
use crate::sewing_pattern::Flat;
use crate::viewport::navigate::{aspect, to_screen};
use crate::viewport::{BodyDraw, Camera, Hit, ViewEvent, ViewTool};
use hand::Hand;
use sheet::Sheet;

/// Radius of what points at the same place in the pattern and on the body [points].
const POINT: f32 = 6.0;
/// Height of the line of buttons [points].
const LINE: f32 = 28.0;

/// A point of a triangle of a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pointed {
    /// The body.
    pub body: usize,
    /// Its vertices at the corners of the triangle.
    pub corners: [u32; 3],
    /// Their shares.
    pub shares: [f64; 3],
}

/// The pattern as it is shown.
#[derive(Debug, Default)]
pub struct PatternState {
    /// The mesh that was laid out last, and its pattern.
    flat: Option<(Arc<BodyMesh>, Option<Arc<Flat>>)>,
    /// What is in the middle [m], and how large a metre is [points]; none: all is in view.
    look: Option<([f64; 2], f64)>,
    /// The panels that are chosen, and the elements that stand for them.
    chosen: Option<(Arc<[u32]>, Vec<u32>)>,
    hand: Hand,
    /// Whether it was drawn in the last frame: then it is told what it needs.
    pub wanted: bool,
    /// The body at hand as views show it, whole.
    pub seen: Option<BodyDraw>,
    /// What the left button does.
    pub tool: ViewTool,
    /// What was done in it.
    pub events: Vec<ViewEvent>,
    /// What is pointed at in the pattern.
    pub pointed: Option<Pointed>,
    /// What is pointed at in a view.
    pub over: Option<Hit>,
}

impl PatternState {
    /// The pattern of a body.
    fn follow(&mut self, mesh: &Arc<BodyMesh>) -> Option<Arc<Flat>> {
        if self.flat.as_ref().is_none_or(|(known, _)| !Arc::ptr_eq(known, mesh)) {
            self.flat = Some((Arc::clone(mesh), Flat::of(mesh).map(Arc::new)));
            (self.look, self.chosen) = (None, None);
        }
        self.flat.as_ref()?.1.clone()
    }

    /// The panels that are chosen, as long as what was chosen last are they.
    fn chosen(&self, choice: Option<&Choice>) -> &[u32] {
        match (&self.chosen, choice) {
            (Some((elements, panels)), Some(choice)) if Arc::ptr_eq(elements, &choice.elements) => panels,
            _ => &[],
        }
    }
}

/// What stands at the right end of the bar of tabs.
pub fn bar(ui: &mut Ui, look: &mut Look<'_>) {
    let fit = ui.add_enabled(look.desk.pattern.look.is_some(), egui::Button::new("Fit").small());
    if fit.on_hover_text("All panels in view (Home, or a double click)").clicked() {
        look.desk.pattern.look = None;
    }
}

/// Draws the panel.
pub fn show(ui: &mut Ui, look: &mut Look<'_>) {
    look.desk.pattern.wanted = true;
    let Some(b) = look.body_at_hand() else {
        ui.weak("No body yet: import a mesh first. Cloth with texture coordinates shows the panels here that it is sewn of.");
        return;
    };
    let model = look.main.model.clone();
    let found = model.as_ref().and_then(|model| Some((model, model.bodies.get(b)?)));
    let flat = found.and_then(|(model, body)| Some((model, body, look.desk.pattern.follow(&body.mesh)?)));
    let Some((model, body, flat)) = flat else {
        look.desk.pattern.pointed = None;
        return missing::show(ui, look, b);
    };
    let chosen = look.desk.pattern.chosen(look.desk.choice.as_ref()).to_vec();
    let room = ui.available_rect_before_wrap();
    let response = ui.allocate_rect(room, Sense::click_and_drag());
    let name = format!("Sewing pattern of {}: {} panels, {} seams", body.name, flat.panels.len(), flat.seams);
    response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, &name));
    let mut sheet = Sheet::new(&flat, room, look.desk.pattern.look);
    let clicked = hand::take(ui, &response, &flat, &mut sheet, &mut look.desk.pattern);
    let state = &look.desk.pattern;
    let under = response.hover_pos().and_then(|at| flat.triangle_at(sheet.to_flat(at)));
    canvas::paint(ui, &sheet, &flat, state.seen.as_ref(), &chosen, under);
    let over = state.over.filter(|hit| hit.body == b).and_then(|hit| {
        let positions = look.main.snapshot.as_ref().map(|snapshot| &snapshot.positions)?.get(body.nodes.clone())?;
        flat.place_of(hit.triangle?, &hit.point, positions)
    });
    over.iter().for_each(|at| point(ui, room, sheet.to_screen(*at)));
    let state = &mut look.desk.pattern;
    state.hand.show(ui, room, &state.tool);
    let pointed = under.map(|(triangle, shares)| {
        let corners = flat.triangles[triangle].map(|corner| flat.vertices[corner as usize]);
        Pointed { body: b, corners, shares }
    });
    if state.pointed != pointed {
        // The view above was drawn before it was known.
        state.pointed = pointed;
        ui.ctx().request_repaint();
    }
    if !chosen.is_empty() {
        buttons(ui, look, b, room, (&flat, &chosen));
    }
    if clicked {
        let panel = under.map(|(triangle, _)| flat.panel_of[triangle]);
        choose(look, (model, b), &flat, chosen, panel);
    }
}

/// What can be done with the panels that are chosen.
fn buttons(ui: &mut Ui, look: &mut Look<'_>, b: usize, room: Rect, (flat, chosen): (&Flat, &[u32])) {
    let region = match look.document.selection {
        Selection::Region(of, r) if of == b => look.document.scene().bodies[b].regions.get(r).map(|region| region.name.clone()),
        _ => None,
    };
    let line = Rect::from_min_max(pos2(room.left() + 8.0, room.bottom() - LINE - 4.0), pos2(room.right() - 8.0, room.bottom() - 4.0));
    ui.scope_builder(UiBuilder::new().max_rect(line).layout(Flow::right_to_left(Align::Center)), |ui| {
        if ui.button("Clear").on_hover_text("Choose no panels (Esc)").clicked() {
            look.actions.push(Action::Choose(None));
        }
        for (words, erase) in region.iter().flat_map(|name| [(format!("Take out of {name}"), true), (format!("Add to {name}"), false)]) {
            if ui.button(words).on_hover_text("All vertices of these panels").clicked() {
                let mut vertices: Vec<u32> = chosen.iter().flat_map(|panel| flat.vertices_of(*panel)).collect();
                vertices.sort_unstable();
                vertices.dedup();
                let strengths = vec![1.0; vertices.len()];
                let stroke = ViewEvent::StrokeOver { body: b, vertices, strengths, erase };
                look.desk.pattern.events.extend([ViewEvent::StrokeBegan, stroke, ViewEvent::StrokeEnded]);
            }
        }
        if ui.button("Make a region").on_hover_text("Give these panels settings of their own, as a region").clicked() {
            look.actions.push(Action::RegionOfChoice);
        }
        ui.label(egui::RichText::new(told(chosen.len())).strong());
    });
}

fn told(count: usize) -> String {
    if count == 1 { "1 panel".to_owned() } else { format!("{count} panels") }
}

/// Chooses a panel, or no longer; beside the pattern none.
fn choose(look: &mut Look<'_>, (model, b): (&Model, usize), flat: &Flat, mut chosen: Vec<u32>, panel: Option<u32>) {
    match panel {
        Some(panel) => match chosen.iter().position(|known| *known == panel) {
            Some(at) => drop(chosen.remove(at)),
            None => chosen.push(panel),
        },
        None => chosen.clear(),
    }
    let first = model.bodies[b].elements.start as u32;
    let elements: Arc<[u32]> = (first..).zip(&flat.panel_of).filter(|(_, panel)| chosen.contains(panel)).map(|(e, _)| e).collect();
    let choice = (!chosen.is_empty()).then(|| Choice {
        what: format!("{} of {}", told(chosen.len()), model.bodies[b].name),
        elements: Arc::clone(&elements),
        bars: None,
    });
    look.desk.pattern.chosen = choice.as_ref().map(|_| (elements, chosen));
    look.actions.push(Action::Choose(choice));
}

/// A ring around a place, on whatever is behind it.
fn point(ui: &Ui, rect: Rect, at: egui::Pos2) {
    let painter = ui.painter().with_clip_rect(rect);
    painter.circle_stroke(at, POINT, Stroke::new(4.0, Color32::from_black_alpha(140)));
    painter.circle_stroke(at, POINT, Stroke::new(2.0, Color32::WHITE));
    painter.circle_filled(at, 1.5, Color32::WHITE);
}

/// Draws the place over a view that is pointed at in the pattern.
pub fn draw(ui: &Ui, rect: Rect, camera: &Camera, state: &PatternState, model: Option<&Model>, snapshot: Option<&Snapshot>) {
    let (Some(pointed), Some(model), Some(snapshot)) = (state.pointed, model, snapshot) else { return };
    let Some(positions) = model.bodies.get(pointed.body).and_then(|body| snapshot.positions.get(body.nodes.clone())) else { return };
    let corner = |(vertex, share): (u32, f64)| Some(share * positions.get(vertex as usize)?);
    let place: Option<aplomb_sim::math::Vec3> = pointed.corners.into_iter().zip(pointed.shares).map(corner).sum();
    if let Some(ndc) = place.and_then(|place| camera.project(place, aspect(rect))) {
        point(ui, rect, to_screen(rect, ndc));
    }
}

/// The colour of a seam, by its number: neighbours in the list are far apart.
fn seam_color(seam: u32) -> Color32 {
    // Steps of the golden ratio around the circle of hues.
    let hue = (0.91 + 0.618_034 * seam as f32).fract();
    egui::ecolor::Hsva::new(hue, 0.62, 1.0, 1.0).into()
}

/// Where a mark in the middle of something stands.
fn middle(a: egui::Pos2, b: egui::Pos2) -> egui::Pos2 {
    pos2(0.5 * (a.x + b.x), 0.5 * (a.y + b.y))
}
