//! The brush: its ring on the surface, its size, and the strokes.

use egui::{Color32, Key, Pos2, Rect, Shape, Stroke, Ui};

use super::camera::{Camera, Ray};
use super::event::{Hit, ViewEvent};
use super::navigate::{aspect, to_ndc, to_screen};
use super::picking::{Picker, Sweep};
use crate::widgets::quantity;

/// Smallest and largest radius [points].
const RADIUS: std::ops::RangeInclusive<f32> = 2.0..=400.0;
/// Motion of the mouse from no strength to all of it [points].
const STRONG: f32 = 200.0;
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
    swept: Sweep,
}

/// How far the brush reaches.
#[derive(Debug, Clone, Copy)]
pub struct Reach {
    /// Around the cursor [points].
    pub radius: f32,
    /// Whether what is hidden counts.
    pub through: bool,
    /// The body that is painted.
    pub body: usize,
    /// How strongly, in the middle; none: fully, and all alike.
    pub soft: Option<f32>,
}

/// How much of its strength a brush has so far from its middle, as a share of its radius.
pub fn falloff(away: f32) -> f32 {
    let left = 1.0 - away.clamp(0.0, 1.0);
    left * left * (3.0 - 2.0 * left)
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

    /// Vertices of the surface of a body within `radius` of a line on the screen [points], whatever hides them, increasing; and how near
    /// they are to the line, as a share of the radius.
    fn under(&self, body: usize, [from, to]: [Pos2; 2], radius: f32) -> Vec<(u32, f32)> {
        let along = to - from;
        let near = |at: Pos2| {
            let share = ((at - from).dot(along) / along.length_sq().max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
            let away = (at - (from + share * along)).length() / radius;
            (away <= 1.0).then_some(away)
        };
        self.where_on_screen(body, near)
    }

    /// Vertices of the surface of a body, whatever hides them, whose places on the screen are such; with what is said of each.
    pub fn where_on_screen<T: Send>(&self, body: usize, is_such: impl Fn(Pos2) -> Option<T> + Sync) -> Vec<(u32, T)> {
        let projected = self.camera.projector(aspect(self.rect));
        self.picker.vertices_where(body, |point| is_such(to_screen(self.rect, projected(point)?)))
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
    pub fn paint(&mut self, sight: &Sight<'_>, to: Pos2, reach: Reach, events: &mut Vec<ViewEvent>) {
        let Some((erase, from)) = self.stroke else { return };
        self.stroke = Some((erase, to));
        let Reach { radius, through, body, soft } = reach;
        let eye = sight.camera.eye();
        let steps = ((to - from).length() / (0.5 * radius).max(1.0)).ceil().clamp(1.0, 64.0);
        let mut touched = false;
        for step in 1..=steps as usize {
            let Some(hit) = sight.hit(from.lerp(to, step as f32 / steps)).filter(|hit| hit.body == body) else { continue };
            touched = true;
            if !through {
                sight.picker.sweep(&hit, eye, sight.radius_at(&hit, radius), &mut self.swept);
            }
        }
        let reached: Vec<(u32, f32)> = match through {
            true if touched => sight.under(body, [from, to], radius),
            true => Vec::new(),
            false => self.swept.take().collect(),
        };
        if touched {
            let strengths = soft.map_or_else(Vec::new, |soft| reached.iter().map(|(_, away)| soft * falloff(*away)).collect());
            let vertices = reached.into_iter().map(|(vertex, _)| vertex).collect();
            events.push(ViewEvent::StrokeOver { body, vertices, strengths, erase });
        }
    }

    /// Ends a stroke, if one is in hand.
    pub fn end(&mut self, events: &mut Vec<ViewEvent>) {
        if self.stroke.take().is_some() {
            events.push(ViewEvent::StrokeEnded);
        }
    }

    /// Changes the size by brackets, and by moving sideways with F held; with Shift and F, the strength. Gives the place where the ring
    /// stays meanwhile.
    pub fn resize(&mut self, ui: &Ui, cursor: Pos2, Reach { radius, soft, .. }: Reach, events: &mut Vec<ViewEvent>) -> Option<Pos2> {
        let (smaller, larger, held, stronger, motion) = ui.input(|input| {
            let held = input.key_down(Key::F);
            let (sizes, strengthens) = (held && input.modifiers.is_none(), held && input.modifiers.shift_only());
            let pressed = |key| input.key_pressed(key);
            (pressed(Key::OpenBracket), pressed(Key::CloseBracket), sizes, strengthens, input.pointer.delta().x)
        });
        let mut wanted = radius;
        if smaller {
            wanted /= STEP;
        }
        if larger {
            wanted *= STEP;
        }
        self.anchor = (held || stronger && soft.is_some()).then(|| self.anchor.unwrap_or(cursor));
        if held {
            wanted += motion;
        }
        wanted = wanted.clamp(*RADIUS.start(), *RADIUS.end());
        if wanted != radius {
            events.push(ViewEvent::BrushRadius(wanted));
        }
        if let Some(soft) = soft.filter(|_| stronger && motion != 0.0) {
            events.push(ViewEvent::BrushStrength((soft + motion / STRONG).clamp(0.0, 1.0)));
        }
        self.anchor
    }
}

/// Draws the ring: on the surface where there is one, flat on the screen where not; dashed when it erases. Beside it stand its size in the
/// scene and its strength.
pub fn ring(ui: &Ui, sight: &Sight<'_>, at: Pos2, reach: Reach, erase: bool) {
    let radius = reach.radius;
    let hit = sight.hit(at);
    let color = Color32::WHITE.gamma_multiply(if hit.is_some() { 1.0 } else { 0.6 });
    let round = |radius: f32| {
        let points = hit.and_then(|hit| on_surface(sight, &hit, radius)).unwrap_or_else(|| circle(at, radius));
        points.iter().chain(points.first()).copied().collect::<Vec<_>>()
    };
    let painter = ui.painter().with_clip_rect(sight.rect);
    let closed = round(radius);
    // A dark line beneath keeps it in sight on any colour.
    painter.add(Shape::line(closed.clone(), Stroke::new(4.0, Color32::from_black_alpha(110))));
    if erase {
        painter.extend(Shape::dashed_line(&closed, Stroke::new(2.0, color), 6.0, 5.0));
    } else {
        painter.add(Shape::line(closed, Stroke::new(2.0, color)));
    }
    if reach.soft.is_some() {
        painter.extend(Shape::dashed_line(&round(0.5 * radius), Stroke::new(1.0, color), 4.0, 4.0));
    }
    painter.circle_filled(at, 2.0, color);
    if let Some(hit) = hit {
        let size = quantity(two_digits(sight.radius_at(&hit, radius)), "m");
        let strength = reach.soft.map_or_else(String::new, |soft| format!("  {:.0} %", 100.0 * soft));
        super::legend::note(ui, sight.rect, at + egui::vec2(radius, -radius), &format!("{size}{strength}"));
    }
}

/// Two digits: what is under a cursor needs no more.
fn two_digits(value: f64) -> f64 {
    let scale = 10f64.powi(1 - value.abs().max(f64::MIN_POSITIVE).log10().floor() as i32);
    (value * scale).round() / scale
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
