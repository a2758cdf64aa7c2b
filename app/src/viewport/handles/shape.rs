//! What handles look like, and which of them is under the mouse.

use std::f32::consts::PI;

use aplomb_sim::math::Vec3;
use egui::{Color32, Pos2, Rect, Role, Sense, Shape, Stroke, Ui, Vec2, WidgetInfo, pos2, vec2};

use super::drag::{is_edge_on, is_end_on};
use super::{Amount, Frame, HandleTool, Handles, Held, Part, Sight};
use crate::viewport::navigate::{aspect, to_screen};

/// From the middle to the tips [points].
pub const REACH: f32 = 84.0;
/// Where the shafts of arrows begin, and radius of the ring that faces the eye [reaches].
const START: f64 = 0.17;
const VIEW_RING: f64 = 1.16;
/// Inner and outer side of the squares between axes [reaches].
const SQUARE: (f64, f64) = (0.26, 0.44);
/// Radius of the middle, and of a ring for scaling [points].
const MIDDLE: f32 = 7.0;
/// How near the mouse has to be [points].
const NEAR: f32 = 8.0;
/// Pieces of a ring.
const ROUND: usize = 72;

const NAMES: [&str; 3] = ["x", "y", "z"];

/// Colours of the axes, and of what goes by the view.
fn color(part: Part, dark: bool) -> Color32 {
    let axes = [Color32::from_rgb(0xe0, 0x56, 0x5b), Color32::from_rgb(0x6f, 0xb0, 0x4a), Color32::from_rgb(0x4c, 0x86, 0xe8)];
    match part {
        Part::Axis(k) | Part::Plane(k) => {
            if dark {
                axes[k]
            } else {
                axes[k].lerp_to_gamma(Color32::BLACK, 0.12)
            }
        }
        Part::View if dark => Color32::from_gray(214),
        Part::View => Color32::from_gray(70),
    }
}

/// The name of a handle.
pub fn name(tool: HandleTool, part: Part) -> String {
    match (tool, part) {
        (HandleTool::Move, Part::Axis(k)) => format!("Move along {}", NAMES[k]),
        (HandleTool::Move, Part::Plane(k)) => format!("Move in the plane across {}", NAMES[k]),
        (HandleTool::Move, Part::View) => "Move in the plane of the view".to_owned(),
        (HandleTool::Rotate, Part::Axis(k) | Part::Plane(k)) => format!("Rotate about {}", NAMES[k]),
        (HandleTool::Rotate, Part::View) => "Rotate in the plane of the view".to_owned(),
        (HandleTool::Scale, Part::Axis(k)) => format!("Scale along {}", NAMES[k]),
        (HandleTool::Scale, Part::Plane(k)) => format!("Scale across {}", NAMES[k]),
        (HandleTool::Scale, Part::View) => "Scale in all directions".to_owned(),
    }
}

/// A handle on the screen.
struct Drawn {
    part: Part,
    /// Its lines.
    lines: Vec<Vec<Pos2>>,
    /// Its filled parts, each convex.
    fills: Vec<Vec<Pos2>>,
    /// Where it is best taken hold of.
    grip: Pos2,
    /// How near its grip is to the eye: those in front are drawn last.
    depth: f64,
}

/// The parts of some handles.
fn parts(handles: &Handles) -> Vec<Part> {
    let axes = (0..3).map(Part::Axis);
    let planes = (0..3).map(Part::Plane);
    match handles.tool {
        HandleTool::Move => planes.chain(axes).chain([Part::View]).collect(),
        HandleTool::Rotate => [Part::View].into_iter().chain(axes).collect(),
        HandleTool::Scale if handles.uniform => vec![Part::View],
        HandleTool::Scale => axes.chain([Part::View]).collect(),
    }
}

impl Sight<'_> {
    fn on_screen(&self, point: Vec3) -> Option<Pos2> {
        Some(to_screen(self.rect, self.camera.project(point, aspect(self.rect))?)).filter(|at| at.x.is_finite() && at.y.is_finite())
    }

    fn drawn(&self, handles: &Handles, part: Part) -> Option<Drawn> {
        let Frame { pivot, axes } = handles.frame;
        let middle = self.on_screen(pivot)?;
        let size = f64::from(REACH) * self.point(pivot);
        let to_eye = self.gaze(pivot).to_eye(pivot);
        let axis = |k: usize| -> Vec3 { axes.column(k).into() };
        match (handles.tool, part) {
            (HandleTool::Rotate, Part::Axis(k) | Part::Plane(k)) => Some(self.ring(part, pivot, axis(k), size, to_eye)),
            (HandleTool::Rotate, Part::View) => {
                let radius = VIEW_RING as f32 * REACH;
                let grip = middle + radius * Vec2::angled(-0.25 * PI);
                Some(Drawn { part, lines: vec![circle(middle, radius)], fills: Vec::new(), grip, depth: f64::NEG_INFINITY })
            }
            (tool, Part::Axis(k)) => {
                let along = axis(k);
                if is_end_on(&along, &to_eye) {
                    return None;
                }
                let (from, tip) = (self.on_screen(pivot + START * size * along)?, self.on_screen(pivot + size * along)?);
                let way = (tip - from).normalized();
                let head = if tool == HandleTool::Move { arrow(tip, way) } else { square(tip, 5.5) };
                let depth = along.dot(&to_eye);
                Some(Drawn { part, lines: vec![vec![from, tip]], fills: vec![head], grip: tip, depth })
            }
            (_, Part::Plane(k)) => {
                if is_edge_on(&axis(k), &to_eye) {
                    return None;
                }
                // On the side that is seen best.
                let [u, v] = [(k + 1) % 3, (k + 2) % 3].map(|other| {
                    let along = axis(other);
                    if along.dot(&to_eye) < -1e-9 { -along } else { along }
                });
                let corner = |a: f64, b: f64| self.on_screen(pivot + size * (a * u + b * v));
                let (inner, outer) = SQUARE;
                let corners = [corner(inner, inner)?, corner(outer, inner)?, corner(outer, outer)?, corner(inner, outer)?];
                let grip = corner(0.5 * (inner + outer), 0.5 * (inner + outer))?;
                let mut outline = corners.to_vec();
                outline.push(corners[0]);
                Some(Drawn { part, lines: vec![outline], fills: vec![corners.to_vec()], grip, depth: 0.5 * (u + v).dot(&to_eye) })
            }
            (HandleTool::Scale, Part::View) => {
                Some(Drawn { part, lines: Vec::new(), fills: vec![square(middle, MIDDLE)], grip: middle, depth: f64::INFINITY })
            }
            (_, Part::View) => {
                Some(Drawn { part, lines: vec![circle(middle, MIDDLE + 1.0)], fills: Vec::new(), grip: middle, depth: f64::INFINITY })
            }
        }
    }

    /// The half of a ring that faces the eye; the whole where it is seen from in front.
    fn ring(&self, part: Part, pivot: Vec3, axis: Vec3, size: f64, to_eye: Vec3) -> Drawn {
        let u = aplomb_sim::math::across(&axis);
        let v = axis.cross(&u);
        let at = |k: usize| {
            let (sin, cos) = (std::f64::consts::TAU * k as f64 / ROUND as f64).sin_cos();
            cos * u + sin * v
        };
        let is_flat = axis.dot(&to_eye).abs() > 0.97;
        let mut lines: Vec<Vec<Pos2>> = vec![Vec::new()];
        for k in 0..=2 * ROUND {
            let way = at(k);
            let seen = is_flat && k <= ROUND || !is_flat && way.dot(&to_eye) > -0.02;
            match self.on_screen(pivot + size * way).filter(|_| seen) {
                Some(point) => lines.last_mut().into_iter().for_each(|line| line.push(point)),
                None if lines.last().is_some_and(|line| !line.is_empty()) => lines.push(Vec::new()),
                None => {}
            }
        }
        // Twice around, the longest run has no seam.
        let longest = lines.into_iter().max_by_key(Vec::len).unwrap_or_default();
        let nearest = (0..ROUND).map(at).max_by(|a, b| a.dot(&to_eye).total_cmp(&b.dot(&to_eye))).unwrap_or(u);
        let grip = self.on_screen(pivot + size * nearest).unwrap_or_default();
        Drawn { part, lines: vec![longest], fills: Vec::new(), grip, depth: -axis.dot(&to_eye).abs() }
    }
}

/// The handle under the mouse.
pub fn under(sight: &Sight<'_>, handles: &Handles, cursor: Pos2) -> Option<Part> {
    let near = |part: Part| {
        let drawn = sight.drawn(handles, part)?;
        let to_lines = drawn.lines.iter().flat_map(|line| line.windows(2)).map(|pair| from_segment(cursor, pair[0], pair[1]));
        let away = to_lines.fold(f32::INFINITY, f32::min);
        let away = if drawn.fills.iter().any(|fill| is_inside(cursor, fill)) { away.min(0.5) } else { away };
        // The middle goes first: everything begins there.
        let middle = part == Part::View && handles.tool != HandleTool::Rotate && (cursor - drawn.grip).length() <= MIDDLE + 3.0;
        Some((part, if middle { -1.0 } else { away }))
    };
    let nearest = parts(handles).into_iter().filter_map(near).min_by(|a, b| a.1.total_cmp(&b.1));
    nearest.filter(|(_, away)| *away <= NEAR).map(|(part, _)| part)
}

/// Draws handles, the one under the mouse brighter, each with its name for those who do not see it.
pub fn draw(ui: &Ui, sight: &Sight<'_>, handles: &Handles, hot: Option<Part>) {
    let mut drawn: Vec<Drawn> = parts(handles).into_iter().filter_map(|part| sight.drawn(handles, part)).collect();
    drawn.sort_by(|a, b| a.depth.total_cmp(&b.depth));
    for drawn in drawn {
        paint(ui, sight.rect, &drawn, hot == Some(drawn.part), 1.0);
        let name = name(handles.tool, drawn.part);
        let response = ui.interact(Rect::from_center_size(drawn.grip, vec2(14.0, 14.0)), ui.scope_id().with(&name), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
    }
}

/// Draws the handle in hand where it has got to, and what it was taken along.
pub fn draw_held(ui: &Ui, sight: &Sight<'_>, held: &Held) {
    let part = held.part();
    let Handles { tool, frame, .. } = held.handles;
    let mut now = held.handles;
    now.frame.pivot += held.change.translate;
    let strong = color(part, ui.visuals().dark_mode);
    let painter = ui.painter().with_clip_rect(sight.rect);
    if let Part::Axis(k) = part
        && tool != HandleTool::Rotate
    {
        let axis: Vec3 = frame.axes.column(k).into();
        let far = 40.0 * f64::from(REACH) * sight.point(frame.pivot);
        let ends =
            [-1.0, 1.0].map(|side| (1..=64).rev().find_map(|n| sight.on_screen(frame.pivot + side * far * f64::from(n) / 64.0 * axis)));
        if let [Some(a), Some(b)] = ends {
            painter.line_segment([a, b], Stroke::new(1.0, strong.gamma_multiply(0.55)));
        }
    }
    if let (Amount::About(angle), Some(middle)) = (held.amount, sight.on_screen(frame.pivot)) {
        sector(&painter, sight, held, middle, angle, strong);
    }
    for other in parts(&now) {
        if let Some(drawn) = sight.drawn(&now, other) {
            let is_it = other == part;
            paint(ui, sight.rect, &drawn, is_it, if is_it { 1.0 } else { 0.25 });
        }
    }
}

/// The part of the disc that was turned through.
fn sector(painter: &egui::Painter, sight: &Sight<'_>, held: &Held, middle: Pos2, angle: f64, color: Color32) {
    let frame = held.handles.frame;
    let gaze = sight.gaze(frame.pivot);
    let axis = gaze.axis(held.part(), &frame);
    let reach = gaze.size * if held.part() == Part::View { VIEW_RING } else { 1.0 };
    let u = aplomb_sim::math::across(&axis);
    let v = axis.cross(&u);
    // From where the hand took hold.
    let start = {
        let ray = gaze.camera.ray(crate::viewport::navigate::to_ndc(sight.rect, held.from), gaze.aspect);
        let away = (frame.pivot - ray.origin).dot(&axis) / ray.direction.dot(&axis);
        let at = ray.origin + away * ray.direction - frame.pivot;
        if at.iter().all(|x| x.is_finite()) { at.dot(&v).atan2(at.dot(&u)) } else { 0.0 }
    };
    let shown = angle.clamp(-std::f64::consts::TAU, std::f64::consts::TAU);
    let pieces = (shown.abs() * 20.0).ceil().max(1.0) as usize;
    let rim = (0..=pieces).filter_map(|k| {
        let (sin, cos) = (start + shown * k as f64 / pieces as f64).sin_cos();
        sight.on_screen(frame.pivot + reach * (cos * u + sin * v))
    });
    let rim: Vec<Pos2> = rim.collect();
    for pair in rim.windows(2) {
        painter.add(Shape::convex_polygon(vec![middle, pair[0], pair[1]], color.gamma_multiply(0.22), Stroke::NONE));
    }
    for end in rim.first().into_iter().chain(rim.last()) {
        painter.line_segment([middle, *end], Stroke::new(1.5, color));
    }
}

fn paint(ui: &Ui, rect: Rect, drawn: &Drawn, hot: bool, opacity: f32) {
    let dark = ui.visuals().dark_mode;
    let own = color(drawn.part, dark);
    let bright = own.lerp_to_gamma(if dark { Color32::WHITE } else { Color32::BLACK }, if hot { 0.4 } else { 0.0 }).gamma_multiply(opacity);
    let width = if hot { 3.5 } else { 2.2 };
    let painter = ui.painter().with_clip_rect(rect);
    let under = Color32::from_black_alpha((if dark { 110.0 } else { 50.0 } * opacity) as u8);
    for line in drawn.lines.iter().filter(|line| line.len() > 1) {
        if !matches!(drawn.part, Part::Plane(_)) {
            painter.add(Shape::line(line.clone(), Stroke::new(width + 1.6, under)));
        }
        let width = if matches!(drawn.part, Part::Plane(_)) { 1.5 } else { width };
        painter.add(Shape::line(line.clone(), Stroke::new(width, bright)));
    }
    for fill in &drawn.fills {
        let shade = if matches!(drawn.part, Part::Plane(_)) { bright.gamma_multiply(if hot { 0.7 } else { 0.35 }) } else { bright };
        painter.add(Shape::convex_polygon(fill.clone(), shade, Stroke::NONE));
    }
}

fn circle(at: Pos2, radius: f32) -> Vec<Pos2> {
    (0..=ROUND).map(|k| at + radius * Vec2::angled(k as f32 * 2.0 * PI / ROUND as f32)).collect()
}

fn square(at: Pos2, half: f32) -> Vec<Pos2> {
    [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(x, y): (f32, f32)| pos2(at.x + x * half, at.y + y * half)).to_vec()
}

fn arrow(tip: Pos2, way: Vec2) -> Vec<Pos2> {
    let side = 5.5 * way.rot90();
    let foot = tip - 5.0 * way;
    vec![tip + 9.0 * way, foot + side, foot - side]
}

fn from_segment(at: Pos2, from: Pos2, to: Pos2) -> f32 {
    let along = to - from;
    let share = ((at - from).dot(along) / along.length_sq().max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
    (at - (from + share * along)).length()
}

fn is_inside(at: Pos2, convex: &[Pos2]) -> bool {
    let next = convex.iter().cycle().skip(1);
    let mut sides = convex.iter().zip(next).map(|(a, b)| (b.x - a.x) * (at.y - a.y) - (b.y - a.y) * (at.x - a.x));
    let first = sides.next().unwrap_or(0.0);
    sides.all(|side| side * first > 0.0)
}
