//! Pushing and pulling at bodies: how strongly, in a menu beside Play, and what is drawn of it over a view.

use aplomb_sim::math::{Vec3, bounding_box};
use egui::{Align2, Color32, FontId, Pos2, Rect, Role, Shape, Stroke, Ui, WidgetInfo, vec2};

use super::Look;
use crate::document::Action;
use crate::session::Track;
use crate::theme::{icons, meaning};
use crate::viewport::navigate::{aspect, to_screen};
use crate::viewport::{Camera, DrawList};
use crate::widgets::{Quantity, direction_row, heading, quantity, value_row};

/// How long a nudge is shown [s].
const SHOWN: f64 = 1.2;

/// How bodies are pushed and pulled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Push {
    /// Speed that a nudge adds [m/s].
    pub nudge: f64,
    /// Where to.
    pub nudge_along: [f64; 3],
    /// Speed of the air in a gust [m/s].
    pub gust: f64,
    /// Where to.
    pub gust_along: [f64; 3],
    /// How long it blows [s].
    pub gust_length: f64,
    /// The hand pulls no stronger than so many times the weight of the body.
    pub strength: f64,
    /// What is held.
    pub held: Option<Held>,
    /// The nudge or gust that is shown.
    pub flash: Option<Flash>,
}

/// What the hand holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Held {
    /// The body, as an index into the draw list.
    pub body: usize,
    /// The vertex of what is seen of it that is held.
    pub vertex: u32,
    /// Where the hand is from that vertex [m].
    pub from: Vec3,
    /// Where it was taken [m].
    pub taken: Vec3,
    /// How far it is pulled from there [m].
    pub way: Vec3,
}

/// A push that is shown for a moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Flash {
    /// Unit direction.
    pub along: Vec3,
    /// How much, and its unit.
    pub amount: (f64, &'static str),
    /// When it began [s].
    pub since: f64,
}

impl Default for Push {
    /// A nudge of 1 mm/s and a breeze, both along x; a hand that can lift a body.
    fn default() -> Self {
        let along = [1.0, 0.0, 0.0];
        Self { nudge: 1e-3, nudge_along: along, gust: 8.0, gust_along: along, gust_length: 0.5, strength: 5.0, held: None, flash: None }
    }
}

/// Draws the buttons.
pub fn menu(ui: &mut Ui, look: &mut Look<'_>) {
    let usable = look.main.model.is_some() && !look.main.activity.is_busy();
    ui.add_enabled_ui(usable, |ui| {
        let menu = ui.menu_button(egui::RichText::new(icons::WIND).size(16.0), |ui| {
            ui.set_width(264.0);
            let push = &mut look.desk.push;
            heading(ui, "Nudge");
            let how = Quantity { unit: "m/s", range: 0.0..=100.0, hint: "Speed that is added to every free mass" };
            value_row(ui, "Nudge speed", &mut push.nudge, &how);
            direction_row(ui, "Nudge to", &mut push.nudge_along, "Direction of the nudge");
            if ui.button(format!("{}  Nudge", icons::NUDGE)).on_hover_text("Push the bodies once (N)").clicked() {
                look.actions.push(Action::Nudge);
            }
            ui.separator();
            heading(ui, "Gust");
            let how = Quantity { unit: "m/s", range: 0.0..=200.0, hint: "Speed of the air where it blows most" };
            value_row(ui, "Gust speed", &mut push.gust, &how);
            let how = Quantity { unit: "s", range: 1e-3..=60.0, hint: "How long it blows, from still air to still air" };
            value_row(ui, "Gust length", &mut push.gust_length, &how);
            direction_row(ui, "Gust to", &mut push.gust_along, "Where the air goes");
            if ui.button(format!("{}  Blow", icons::WIND)).on_hover_text("Let a gust blow over the bodies as they run on (W)").clicked() {
                look.actions.push(Action::Gust);
            }
            ui.separator();
            heading(ui, "Hand");
            let how = Quantity {
                unit: "×",
                range: 0.1..=1000.0,
                hint: "The hand pulls no stronger than so many times the weight of the body (D)",
            };
            value_row(ui, "Hand strength", &mut push.strength, &how);
        });
        menu.response.widget_info(|| WidgetInfo::labeled(Role::Button, usable, "Push"));
        menu.response.on_hover_text("Nudge (N), gust of wind (W), and the hand that pulls (D)");
    });
}

/// An arrow on the screen, with what it stands for at its end.
fn arrow(ui: &Ui, [from, to]: [Pos2; 2], color: Color32, text: &str, rect: Rect) {
    let painter = ui.painter().with_clip_rect(rect);
    let way = to - from;
    if way.length() > 6.0 {
        let (along, side) = (way.normalized(), way.normalized().rot90());
        painter.line_segment([from, to - 6.0 * along], Stroke::new(2.5, color));
        painter.add(Shape::convex_polygon(vec![to, to - 10.0 * along + 5.0 * side, to - 10.0 * along - 5.0 * side], color, Stroke::NONE));
    }
    if text.is_empty() {
        return;
    }
    let line = painter.layout_no_wrap(text.to_owned(), FontId::proportional(13.0), ui.visuals().strong_text_color());
    let size = line.size() + vec2(16.0, 8.0);
    let mut card = Align2::LEFT_CENTER.anchor_size(to + vec2(12.0, 0.0), size);
    if card.right() > rect.right() - 4.0 {
        card = Align2::RIGHT_CENTER.anchor_size(to - vec2(12.0, 0.0), size);
    }
    painter.rect_filled(card, 4.0, ui.visuals().panel_fill.gamma_multiply(0.94));
    painter.galley(card.min + vec2(8.0, 4.0), line, Color32::PLACEHOLDER);
}

/// Draws the line from what is held to the cursor, with the force through it.
pub fn draw_hand(ui: &Ui, rect: Rect, camera: &Camera, push: &Push, list: &DrawList, track: Option<&Track>) {
    let (Some(held), Some(track)) = (push.held, track) else { return };
    let Some(at) = list.bodies.get(held.body).and_then(|body| body.positions.get(held.vertex as usize)) else { return };
    let on_screen = |point: Vec3| camera.project(point, aspect(rect)).map(|ndc| to_screen(rect, ndc));
    let (Some(from), Some(to)) = (on_screen(at + held.from), on_screen(held.taken + held.way)) else { return };
    let color = meaning(ui).accent;
    let text =
        if track.activity == crate::session::Activity::Running { quantity(track.pulled.norm(), "N") } else { "Play to pull".to_owned() };
    arrow(ui, [from, to], color, &text, rect);
    ui.painter().with_clip_rect(rect).circle(from, 4.5, color, Stroke::new(1.5, meaning(ui).card));
}

/// Draws the last nudge or gust for a moment.
pub fn draw_flash(ui: &Ui, rect: Rect, camera: &Camera, push: &mut Push, list: &DrawList) {
    let Some(flash) = push.flash else { return };
    let age = ui.input(|input| input.time) - flash.since;
    if age > SHOWN {
        push.flash = None;
        return;
    }
    ui.ctx().request_repaint();
    let used: Vec<Vec3> = list.bodies.iter().filter(|body| !body.away).flat_map(|body| body.used()).collect();
    if used.is_empty() {
        return;
    }
    let (low, high) = bounding_box(&used);
    let (middle, reach) = (0.5 * (low + high), 0.5 * (high - low).norm());
    let on_screen = |point: Vec3| camera.project(point, aspect(rect)).map(|ndc| to_screen(rect, ndc));
    // Towards the bodies, and into them.
    let (Some(from), Some(to)) = (on_screen(middle - 1.1 * reach * flash.along), on_screen(middle - 0.3 * reach * flash.along)) else {
        return;
    };
    let faded = (1.0 - age / SHOWN).clamp(0.0, 1.0).sqrt() as f32;
    arrow(ui, [from, to], meaning(ui).warning.gamma_multiply(faded), &quantity(flash.amount.0, flash.amount.1), rect);
}
