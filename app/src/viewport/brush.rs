//! The brush: its ring on the surface, its size, and the strokes.

use std::collections::{BTreeMap, BTreeSet};

use egui::{Color32, Key, Pos2, Rect, Shape, Stroke, Ui};

use super::camera::{Camera, Ray};
use super::event::{Hit, ViewEvent};
use super::navigate::{aspect, to_ndc, to_screen};
use super::picking::Picker;
use aplomb_sim::math::Vec3;

/// Smallest and largest radius [points].
const RADIUS: std::ops::RangeInclusive<f32> = 2.0..=400.0;
/// Factor of one press of a bracket.
const STEP: f32 = 1.15;
/// Points of the ring.
const RING: usize = 48;

/// A stroke in hand, and a size that is being dragged.
#[derive(Debug, Clone, Default)]
pub struct Brush {
    /// Whether the stroke erases, and where the cursor was; `None` between strokes.
    stroke: Option<(bool, Pos2)>,
    /// Where the ring stays while F is held.
    anchor: Option<Pos2>,
}

/// How far the brush reaches.
#[derive(Debug, Clone, Copy)]
pub struct Reach {
    /// Around the cursor [points].
    pub radius: f32,
    /// Whether what is hidden counts.
    pub through: bool,
}

/// What the brush looks at.
pub struct Sight<'a> {
    /// Bodies.
    pub picker: &'a Picker,
    /// Camera.
    pub camera: &'a Camera,
    /// The view on the screen [points].
    pub rect: Rect,
}

impl Sight<'_> {
    /// The ray through a point on the screen.
    pub fn ray(&self, at: Pos2) -> Ray {
        self.camera.ray(to_ndc(self.rect, at), aspect(self.rect))
    }

    /// What lies under a point on the screen.
    pub fn hit(&self, at: Pos2) -> Option<Hit> {
        let ray = self.ray(at);
        if self.camera.orthographic { self.picker.hit_parallel(&ray, self.camera.distance) } else { self.picker.hit(&ray) }
    }

    /// Vertices of the surface of a body that are seen, or would be through all else, within `radius` of a line on the screen [points].
    fn under(&self, body: usize, [from, to]: [Pos2; 2], radius: f32) -> Vec<u32> {
        let aspect = aspect(self.rect);
        let is_near = |point: Vec3| {
            let Some(ndc) = self.camera.project(point, aspect) else { return false };
            let at = to_screen(self.rect, ndc);
            let along = to - from;
            let share = ((at - from).dot(along) / along.length_sq().max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
            (at - (from + share * along)).length() <= radius
        };
        self.picker.vertices_where(body, is_near)
    }

    /// A radius [points] at the depth of a hit [m].
    fn radius_at(&self, hit: &Hit, radius: f32) -> f64 {
        let depth = (self.camera.eye() - hit.point).dot(&self.camera.axes()[2]);
        f64::from(radius / self.rect.height().max(1.0)) * self.camera.height_at(depth)
    }
}

impl Brush {
    /// Whether a stroke is in hand.
    pub fn is_painting(&self) -> bool {
        self.stroke.is_some()
    }

    /// Begins a stroke.
    pub fn begin(&mut self, at: Pos2, erase: bool, events: &mut Vec<ViewEvent>) {
        self.stroke = Some((erase, at));
        events.push(ViewEvent::StrokeBegan);
    }

    /// Moves the stroke on to `to`; places passed between two frames are painted too.
    pub fn paint(&mut self, sight: &Sight<'_>, to: Pos2, Reach { radius, through }: Reach, events: &mut Vec<ViewEvent>) {
        let Some((erase, from)) = self.stroke else { return };
        self.stroke = Some((erase, to));
        let eye = sight.camera.eye();
        let steps = ((to - from).length() / (0.5 * radius).max(1.0)).ceil().clamp(1.0, 64.0);
        let mut reached: BTreeMap<usize, BTreeSet<u32>> = BTreeMap::new();
        for step in 1..=steps as usize {
            let Some(hit) = sight.hit(from.lerp(to, step as f32 / steps)) else { continue };
            let reached = reached.entry(hit.body).or_default();
            if !through {
                reached.extend(sight.picker.reach(&hit, eye, sight.radius_at(&hit, radius)));
            }
        }
        if through {
            reached.iter_mut().for_each(|(body, reached)| reached.extend(sight.under(*body, [from, to], radius)));
        }
        events.extend(reached.into_iter().map(|(body, vertices)| ViewEvent::StrokeOver {
            body,
            vertices: vertices.into_iter().collect(),
            erase,
        }));
    }

    /// Ends a stroke, if one is in hand.
    pub fn end(&mut self, events: &mut Vec<ViewEvent>) {
        if self.stroke.take().is_some() {
            events.push(ViewEvent::StrokeEnded);
        }
    }

    /// Changes the size by brackets, and by moving sideways with F held. Gives the place where the ring stays meanwhile.
    pub fn resize(&mut self, ui: &Ui, cursor: Pos2, radius: f32, events: &mut Vec<ViewEvent>) -> Option<Pos2> {
        let (smaller, larger, held, motion) = ui.input(|input| {
            let held = input.key_down(Key::F) && input.modifiers.is_none();
            (input.key_pressed(Key::OpenBracket), input.key_pressed(Key::CloseBracket), held, input.pointer.delta().x)
        });
        let mut wanted = radius;
        if smaller {
            wanted /= STEP;
        }
        if larger {
            wanted *= STEP;
        }
        self.anchor = held.then(|| self.anchor.unwrap_or(cursor));
        if held {
            wanted += motion;
        }
        wanted = wanted.clamp(*RADIUS.start(), *RADIUS.end());
        if wanted != radius {
            events.push(ViewEvent::BrushRadius(wanted));
        }
        self.anchor
    }
}

/// Draws the ring: on the surface where there is one, flat on the screen where not; dashed when it erases.
pub fn ring(ui: &Ui, sight: &Sight<'_>, at: Pos2, radius: f32, erase: bool, color: [u8; 3]) {
    let [r, g, b] = color;
    let hit = sight.hit(at);
    let color = Color32::from_rgb(r, g, b).gamma_multiply(if hit.is_some() { 1.0 } else { 0.5 });
    let points = hit.and_then(|hit| on_surface(sight, &hit, radius)).unwrap_or_else(|| circle(at, radius));
    let painter = ui.painter().with_clip_rect(sight.rect);
    let closed: Vec<_> = points.iter().chain(points.first()).copied().collect();
    // A dark line beneath keeps it in sight on any colour.
    painter.add(Shape::line(closed.clone(), Stroke::new(3.5, Color32::from_black_alpha(110))));
    if erase {
        painter.extend(Shape::dashed_line(&closed, Stroke::new(2.0, color), 6.0, 5.0));
    } else {
        painter.add(Shape::line(closed, Stroke::new(2.0, color)));
    }
    painter.circle_filled(at, 1.5, color);
}

fn circle(at: Pos2, radius: f32) -> Vec<Pos2> {
    (0..RING).map(|k| at + radius * egui::Vec2::angled(k as f32 * std::f32::consts::TAU / RING as f32)).collect()
}

/// A circle in the tangent plane, let down onto the surface; `None` where part of it is out of sight.
fn on_surface(sight: &Sight<'_>, hit: &Hit, radius: f32) -> Option<Vec<Pos2>> {
    let normal = sight.picker.normal(hit, sight.camera.eye())?;
    let radius = sight.radius_at(hit, radius);
    let across = normal.cross(&sight.camera.axes()[1]).try_normalize(1e-6).unwrap_or_else(|| sight.camera.axes()[0]);
    let along = normal.cross(&across);
    let point = |k: usize| {
        let (sin, cos) = (k as f64 * std::f64::consts::TAU / RING as f64).sin_cos();
        let flat = hit.point + radius * (cos * across + sin * along);
        let down = Ray { origin: flat + radius * normal, direction: -normal };
        let near = |found: &Hit| found.body == hit.body && (found.point - flat).norm() <= radius;
        let on = sight.picker.hit(&down).filter(near).map_or(flat, |found| found.point);
        sight.camera.project(on, aspect(sight.rect)).map(|ndc| to_screen(sight.rect, ndc))
    };
    (0..RING).map(point).collect()
}

#[cfg(test)]
#[path = "brush_tests.rs"]
mod tests;
