//! Probes over a view: a pin at the place of each, and a card with its value, joined by a line.

use aplomb_sim::math::Vec3;
use aplomb_sim::scene::Probe;
use aplomb_sim::system::probe::Located;
use egui::{Align2, Color32, FontId, Pos2, Rect, Role, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

use super::{ColorBy, Look, slice};
use crate::document::{Action, Selection, probe_color};
use crate::session::{DISPLACEMENT, Field, Model, Place, Snapshot, Track};
use crate::theme::{icons, meaning};
use crate::viewport::Camera;
use crate::viewport::navigate::{aspect, to_screen};
use crate::widgets::quantity;

/// Height of a card, and the room about cards [points].
const CARD: f32 = 24.0;
const GAP: f32 = 6.0;
/// From the place to where its card would stand [points].
const OFFSET: egui::Vec2 = vec2(-90.0, -110.0);
/// What cards leave free at the top of a view, where the verdict and the axes are [points].
const TOP: f32 = 52.0;
/// Radius of a pin [points].
const PIN: f32 = 4.0;

/// The places of the probes of a scene in a model.
pub fn places(probes: &[Probe], model: &Model) -> Vec<Place> {
    // One of a body that is not loaded is nowhere.
    let body = |probe: &Probe| model.bodies.iter().position(|body| body.name == probe.body).unwrap_or(usize::MAX);
    probes.iter().map(|probe| Place { body: body(probe), at: probe.at }).collect()
}

/// The field that probes tell: the one in hand, else how far they have moved.
pub fn told(snapshot: &Snapshot, color_by: ColorBy) -> Option<&Field> {
    let named = |name: &str| snapshot.fields.iter().find(|field| field.kind.name == name);
    let in_hand = match color_by {
        ColorBy::Field(name) => named(name),
        ColorBy::Plain => None,
    };
    in_hand.or_else(|| named(DISPLACEMENT.name))
}

/// Where a place is [m], and the value of a field there.
pub fn reading(model: &Model, snapshot: &Snapshot, place: &Place, field: Option<&Field>) -> Option<(Vec3, f64)> {
    let body = model.bodies.get(place.body)?;
    let located = Located::on(&body.mesh, body.nodes.start, body.elements.clone(), place.at)?;
    let value = field.map_or(f64::NAN, |field| located.value(&field.values, &field.elements));
    Some((located.position(&snapshot.positions), value))
}

/// A card that is to be drawn.
struct Told {
    index: usize,
    pin: Pos2,
    card: Rect,
    name: std::sync::Arc<egui::Galley>,
    value: std::sync::Arc<egui::Galley>,
    color: Color32,
}

/// Draws the probes of `track` over its view.
pub fn draw(ui: &mut Ui, rect: Rect, camera: &Camera, look: &mut Look<'_>, track: &Track) {
    let scene = look.document.scene().clone();
    let (Some(model), Some(snapshot)) = (track.model.clone(), track.snapshot.clone()) else { return };
    if scene.probes.is_empty() || !track.is_up_to_date() || look.desk.brush.on {
        return;
    }
    let field = told(&snapshot, look.desk.color_by);
    let (strong, text) = (ui.visuals().strong_text_color(), ui.visuals().text_color());
    let room = rect.shrink(12.0).with_min_y(rect.top() + TOP);
    let mut cards: Vec<Told> = Vec::new();
    for (index, (probe, place)) in scene.probes.iter().zip(places(&scene.probes, &model)).enumerate() {
        if look.desk.hidden_probes.contains(&probe.name) {
            continue;
        }
        let Some((at, value)) = reading(&model, &snapshot, &place, field) else { continue };
        let Some(pin) = camera.project(at, aspect(rect)).map(|ndc| to_screen(rect, ndc)).filter(|pin| rect.contains(*pin)) else {
            continue;
        };
        let value = match field {
            Some(field) if field.kind.unit.is_empty() => format!("{value:.4}"),
            Some(field) => quantity(value, field.kind.unit),
            None => String::new(),
        };
        let value = ui.painter().layout_no_wrap(value, FontId::proportional(13.0), strong);
        let name = ui.painter().layout(probe.name.clone(), FontId::proportional(13.0), text, 140.0);
        let size = vec2(26.0 + name.size().x + 8.0 + value.size().x + 8.0, CARD);
        let [r, g, b] = probe_color(probe, index);
        let card = Rect::from_min_size(pin + OFFSET, size);
        cards.push(Told { index, pin, card, name, value, color: Color32::from_rgb(r, g, b) });
    }
    arrange(&mut cards, room, slice::place(rect, &look.desk.slice));
    let colors = meaning(ui);
    for told in &cards {
        let (card, id) = (told.card, ui.scope_id().with(("probe card", told.index)));
        let response = ui.interact(card, id, Sense::click());
        let name = &scene.probes[told.index].name;
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Probe {name}")));
        let painter = ui.painter().with_clip_rect(rect);
        let foot = card.clamp(told.pin);
        // Over whatever is behind it.
        painter.line_segment([foot, told.pin], Stroke::new(3.0, ui.visuals().panel_fill.gamma_multiply(0.6)));
        painter.line_segment([foot, told.pin], Stroke::new(1.0, strong.gamma_multiply(0.85)));
        painter.circle(told.pin, PIN, told.color, Stroke::new(1.5, Color32::from_gray(20)));
        let selected = look.document.selection == Selection::Probe(told.index);
        painter.rect_filled(card, 6.0, if selected { colors.selected[0] } else { ui.visuals().panel_fill.gamma_multiply(0.94) });
        let tone = if ui.visuals().dark_mode { told.color } else { told.color.lerp_to_gamma(Color32::BLACK, 0.3) };
        painter.text(card.left_center() + vec2(7.0, 0.0), Align2::LEFT_CENTER, icons::PROBE, FontId::proportional(13.0), tone);
        let middle = |galley: &std::sync::Arc<egui::Galley>, x: f32| pos2(x, card.center().y - 0.5 * galley.size().y);
        painter.galley(middle(&told.name, card.left() + 26.0), told.name.clone(), text);
        painter.galley(middle(&told.value, card.right() - 8.0 - told.value.size().x), told.value.clone(), strong);
        let what = field.map_or_else(String::new, |field| field.kind.label.to_owned());
        if response.on_hover_text(format!("{what} at {name}; click for all its numbers")).clicked() {
            look.actions.push(Action::Select(Selection::Probe(told.index)));
        }
    }
}

/// Puts cards into the room so that none lies on another, on a pin or on what is `taken`, each as near to where it would stand as its forerunners leave.
fn arrange(cards: &mut [Told], room: Rect, taken: Rect) {
    for index in 0..cards.len() {
        let size = cards[index].card.size();
        let inside = |at: Pos2| Rect::from_min_size(at.clamp(room.min, (room.max - size).max(room.min)), size);
        let wish = cards[index].card.min;
        let rows = (0..24).flat_map(|step| [step as f32, -(step as f32)]);
        let columns = [0.0, 1.0, -1.0, 2.0];
        let shifts = columns.into_iter().flat_map(|column| rows.clone().map(move |row| vec2(column * 0.5 * size.x, row * (CARD + GAP))));
        let places = shifts.map(|shift| inside(wish + shift));
        let covers = |place: &Rect| taken.intersects(*place) || cards.iter().any(|other| place.expand(PIN).contains(other.pin));
        let is_free = |place: &Rect| !covers(place) && cards[..index].iter().all(|other| !other.card.expand(0.5 * GAP).intersects(*place));
        let found = { places }.find(is_free).unwrap_or(inside(wish));
        cards[index].card = found;
    }
}
