//! The plane that bodies are cut by: where it lies, its handle in the view, and its card.

use aplomb_sim::math::{Vec3, across};
use egui::{
    Align, Button, CursorIcon, Frame, Layout, Margin, Pos2, Rect, RichText, Role, Sense, Shape, Stroke, Ui, UiBuilder, WidgetInfo, vec2,
};

use crate::drawing::dissect::Plane;
use crate::theme::{icons, meaning};
use crate::viewport::Camera;
use crate::viewport::navigate::{aspect, to_screen};
use crate::widgets::unit::Shown;
use crate::widgets::{Quantity, heading, slider_row};

/// Width of the card, and its place in the view [points].
const WIDTH: f32 = 252.0;
const HEIGHT: f32 = 164.0;
const INSET: egui::Vec2 = vec2(12.0, 52.0);
/// Radius of the handle [points].
const HANDLE: f32 = 8.0;
/// Length of the arrow at the handle [points].
const ARROW: f32 = 30.0;
/// How far the frame of the plane reaches beyond the bodies [shares of their size].
const BEYOND: f64 = 0.08;

/// What a plane lies across.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SliceAxis {
    /// The x axis.
    X,
    /// The y axis.
    Y,
    /// The z axis.
    Z,
    /// The direction that was looked in when it was chosen.
    View,
}

impl SliceAxis {
    const ALL: [(Self, &'static str, &'static str); 4] = [
        (Self::X, "X", "Across x"),
        (Self::Y, "Y", "Across y"),
        (Self::Z, "Z", "Across z"),
        (Self::View, "View", "Across the direction that one looks in now"),
    ];

    fn direction(self, camera: &Camera) -> Vec3 {
        match self {
            Self::X => Vec3::x(),
            Self::Y => Vec3::y(),
            Self::Z => Vec3::z(),
            Self::View => camera.axes()[2],
        }
    }
}

/// The plane, and what is cut by it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slice {
    /// Whether bodies are cut.
    pub on: bool,
    /// What it lies across.
    pub axis: SliceAxis,
    /// The unit direction of that.
    pub direction: Vec3,
    /// Where it lies along the direction, from the origin [m].
    pub offset: f64,
    /// Whether the side behind the plane is cut away, instead of the one that the direction points to.
    pub flipped: bool,
    /// Whether elements are left whole.
    pub whole: bool,
    /// Whether obstacles are cut too.
    pub obstacles: bool,
}

impl Default for Slice {
    /// None; once there is one, across x.
    fn default() -> Self {
        Self { on: false, axis: SliceAxis::X, direction: Vec3::x(), offset: 0.0, flipped: false, whole: false, obstacles: false }
    }
}

impl Slice {
    /// The plane as it cuts.
    pub fn plane(&self) -> Plane {
        let sign = if self.flipped { -1.0 } else { 1.0 };
        Plane { normal: sign * self.direction, offset: sign * self.offset }
    }

    /// Puts it through the middle of `points` [m], across the axis that one looks along most, so that one looks at the section.
    pub fn face(&mut self, camera: &Camera, points: &[Vec3]) {
        let back = camera.axes()[2];
        let axes = [SliceAxis::X, SliceAxis::Y, SliceAxis::Z];
        let along = |axis: SliceAxis| axis.direction(camera).dot(&back);
        if let Some(axis) = axes.into_iter().max_by(|a, b| along(*a).abs().total_cmp(&along(*b).abs())) {
            self.lie_across(axis, camera, points);
        }
    }

    /// Puts it through the middle of `points` [m], and cuts away what is nearer to the eye.
    pub fn lie_across(&mut self, axis: SliceAxis, camera: &Camera, points: &[Vec3]) {
        (self.axis, self.direction) = (axis, axis.direction(camera));
        self.flipped = self.direction.dot(&camera.axes()[2]) < 0.0;
        let (low, high) = extent(&self.direction, points);
        self.offset = 0.5 * (low + high);
    }
}

/// Between where points [m] lie along a unit direction.
fn extent(direction: &Vec3, points: &[Vec3]) -> (f64, f64) {
    let along = points.iter().map(|p| direction.dot(p)).filter(|x| x.is_finite());
    let (low, high) = along.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
    if low <= high { (low, high) } else { (0.0, 0.0) }
}

/// Draws the frame of the plane, and a handle that moves it along its direction.
pub fn handle(ui: &mut Ui, rect: Rect, slice: &mut Slice, camera: &Camera, points: &[Vec3]) {
    let normal = slice.direction;
    let u = across(&normal);
    let v = normal.cross(&u);
    let [(u0, u1), (v0, v1), (n0, n1)] = [u, v, normal].map(|axis| extent(&axis, points));
    let room = BEYOND * (u1 - u0).max(v1 - v0).max(n1 - n0);
    let middle = slice.offset * normal + 0.5 * (u0 + u1) * u + 0.5 * (v0 + v1) * v;
    let on_screen = |point: Vec3| camera.project(point, aspect(rect)).map(|ndc| to_screen(rect, ndc));
    let accent = meaning(ui).accent;
    let corners = [(u0 - room, v0 - room), (u1 + room, v0 - room), (u1 + room, v1 + room), (u0 - room, v1 + room)];
    let corners: Vec<Pos2> = corners.iter().filter_map(|(a, b)| on_screen(slice.offset * normal + *a * u + *b * v)).collect();
    let painter = ui.painter().with_clip_rect(rect);
    if corners.len() == 4 {
        painter.add(Shape::closed_line(corners.clone(), Stroke::new(1.0, accent.gamma_multiply(0.7))));
        // At a corner, where nothing of a body is behind it.
        let Some(at) = corners.iter().copied().min_by(|a, b| (b.y - b.x).total_cmp(&(a.y - a.x))) else { return };
        let at = at.clamp(rect.min + vec2(24.0, 24.0), rect.max - vec2(24.0, 24.0));
        let size = (n1 - n0).max(room).max(1e-9);
        let per_metre = match (on_screen(middle), on_screen(middle + 0.01 * size * normal)) {
            (Some(from), Some(to)) => (to - from) / (0.01 * size) as f32,
            _ => return,
        };
        let id = ui.scope_id().with("slice handle");
        let response = ui.interact(Rect::from_center_size(at, vec2(2.0 * HANDLE + 8.0, 2.0 * HANDLE + 8.0)), id, Sense::click_and_drag());
        response.widget_info(|| WidgetInfo::labeled(Role::Slider, true, "Slice handle"));
        // Seen along its direction, the plane is moved by going up and down.
        let steep = per_metre.length() > 0.15 * rect.height() / size as f32;
        let along = if steep { per_metre } else { vec2(0.0, -0.5 * rect.height() / size as f32) };
        if response.dragged() {
            let moved = f64::from(response.drag_delta().dot(along) / along.length_sq());
            slice.offset = (slice.offset + moved).clamp(n0 - room, n1 + room);
        }
        let color = if response.hovered() || response.dragged() { ui.visuals().strong_text_color() } else { accent };
        let way = along.normalized();
        for sign in [-1.0, 1.0] {
            let tip = at + sign * ARROW * way;
            painter.line_segment([at + sign * HANDLE * way, tip], Stroke::new(1.5, color));
            let side = way.rot90();
            let head = [tip, tip - sign * 7.0 * way + 4.0 * side, tip - sign * 7.0 * way - 4.0 * side];
            painter.add(Shape::convex_polygon(head.into(), color, Stroke::NONE));
        }
        painter.circle(at, HANDLE, meaning(ui).card, Stroke::new(2.0, color));
        if response.hovered() || response.dragged() {
            ui.ctx().set_cursor_icon(if way.x.abs() > way.y.abs() { CursorIcon::ResizeHorizontal } else { CursorIcon::ResizeVertical });
        }
        response.on_hover_text("Drag: moves the plane that the bodies are cut by");
    }
}

/// Where the card stands in a view, while bodies are cut.
pub fn place(view: Rect, slice: &Slice) -> Rect {
    if slice.on { Rect::from_min_size(view.min + INSET, vec2(WIDTH, HEIGHT)) } else { Rect::NOTHING }
}

/// Draws the card over the view.
pub fn slice_card(ui: &mut Ui, view: Rect, slice: &mut Slice, camera: &Camera, points: &[Vec3]) {
    let room = view.shrink(12.0);
    if room.width() < WIDTH || room.height() < 220.0 {
        return;
    }
    let colors = meaning(ui);
    let top = view.min + INSET;
    ui.scope_builder(UiBuilder::new().max_rect(Rect::from_min_size(top, vec2(WIDTH, HEIGHT))).id_salt("slice card"), |ui| {
        let fill = ui.visuals().panel_fill.gamma_multiply(0.94);
        // What lies on the card is no part of the view below it.
        let before = ui.ctx().data(|data| data.get_temp::<Rect>(ui.scope_id())).unwrap_or(Rect::NOTHING);
        ui.interact(before, ui.scope_id().with("ground"), Sense::click_and_drag());
        let drawn = Frame::new().fill(fill).corner_radius(6).inner_margin(Margin::symmetric(12, 8)).show(ui, |ui| {
            ui.set_width(WIDTH - 24.0);
            ui.spacing_mut().item_spacing.y = 6.0;
            ui.horizontal(|ui| {
                heading(ui, "Slice");
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    let close = ui.add(Button::new(RichText::new(icons::CLOSE).color(colors.dim)).frame(false));
                    close.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Close slice"));
                    if close.on_hover_text("Leave the bodies whole (V)").clicked() {
                        slice.on = false;
                    }
                });
            });
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 4.0;
                for (axis, name, hint) in SliceAxis::ALL {
                    let chosen = slice.axis == axis;
                    let button = ui.add(Button::selectable(chosen, name).min_size(vec2(28.0, 24.0)));
                    button.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, chosen, format!("Slice across {name}")));
                    if button.on_hover_text(hint).clicked() {
                        slice.lie_across(axis, camera, points);
                    }
                }
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    if ui.button("Flip").on_hover_text("Cut away the other side").clicked() {
                        slice.flipped = !slice.flipped;
                    }
                });
            });
            let (low, high) = extent(&slice.direction, points);
            let margin = BEYOND * (high - low).max(1e-6);
            let how = Quantity { unit: "m", range: low - margin..=high + margin, hint: "Where the plane lies along its direction" };
            let shown = Shown::of(high - low, "m");
            slider_row(ui, "At", &mut slice.offset, &how, shown, false);
            ui.checkbox(&mut slice.whole, "Whole elements")
                .on_hover_text("Elements are there or not; otherwise the plane goes through them");
            ui.checkbox(&mut slice.obstacles, "Obstacles too").on_hover_text("Obstacles are cut by the same plane; grounds stay");
        });
        ui.ctx().data_mut(|data| data.insert_temp(ui.scope_id(), drawn.response.rect));
    });
}
