//! The legend of a scalar field: a slim bar at the right edge of the one view, or a strip below two that share it. Its ends are handles.

mod bar;
mod ends;
mod options;
mod rail;
mod spread;
mod strip;

use aplomb_sim::element::FieldKind;
use egui::text::{LayoutJob, TextFormat};
use egui::{Align2, Color32, FontId, Mesh, Pos2, Rect, Ui, pos2, vec2};

use super::camera::Room;
use super::draw_list::{BodyColor, DrawList};
use super::navigate;
use super::tone::{Extent, LegendChoice, Tone};
use crate::theme::{self, meaning};
use crate::widgets::significant;
use crate::widgets::unit::Shown;

/// Height of the strip [points].
pub const STRIP: f32 = 44.0;
/// What the bar takes of the right edge of a view: label 32, tick 4, bar 10, histogram 22, margin 12 [points].
const ROOM: f32 = 80.0;
/// How far the middle of the picture moves to the left beside a bar [points].
const SHIFT: f32 = 28.0;
/// Space to the edges [points].
const MARGIN: f32 = 12.0;
/// Thickness of the bar [points].
const THICK: f32 = 10.0;
/// The least view that a bar stands in; in smaller ones the strip takes less away [points].
const LEAST: egui::Vec2 = vec2(420.0, 340.0);

/// What a legend tells of.
#[derive(Debug, Clone, Copy)]
pub struct Subject {
    /// The field.
    pub kind: &'static FieldKind,
    /// Its colours.
    pub tone: Tone,
    /// How far its values reach.
    pub extent: Extent,
}

/// Where a legend stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// At the right edge, in the view.
    Bar,
    /// Below the views.
    Strip,
}

impl Place {
    /// That of views side by side, or of one, which fill `room`.
    pub fn of(room: Rect, compared: bool) -> Self {
        if !compared && room.width() >= LEAST.x && room.height() >= LEAST.y { Self::Bar } else { Self::Strip }
    }

    /// What is left of `room` to the views, and what the legend has.
    pub fn split(self, room: Rect) -> (Rect, Rect) {
        match self {
            Self::Bar => (room, room),
            Self::Strip => room.split_top_bottom_at_y(room.bottom() - STRIP),
        }
    }

    /// What may be filled of a view: a bar moves the middle of what is framed to the left.
    pub fn room(self, view: Rect) -> Room {
        let right = match self {
            Self::Bar => (2.0 * SHIFT / view.width().max(1.0)).min(0.3),
            Self::Strip => 0.0,
        };
        Room { aspect: navigate::aspect(view), right: f64::from(right) }
    }
}

/// Draws the legend of what is seen in `lists`, views side by side, into `rect`. With a `choice` it has handles and buttons, which
/// change that; a picture has none. Without a subject it tells `why`.
pub fn show(ui: &mut Ui, place: Place, rect: Rect, subject: Result<&Subject, &str>, lists: &[DrawList], choice: Option<&mut LegendChoice>) {
    if place == Place::Strip {
        ui.painter().rect_filled(rect, 0.0, ui.visuals().panel_fill);
    }
    match (subject, place) {
        (Ok(subject), Place::Bar) => bar::show(ui, rect, subject, lists, choice),
        (Ok(subject), Place::Strip) => strip::show(ui, rect, subject, lists, choice),
        (Err(why), _) => {
            let at = rect.right_center() - vec2(MARGIN, 0.0);
            ui.painter().text(at, Align2::RIGHT_CENTER, why, FontId::proportional(11.0), meaning(ui).dim);
        }
    }
}

/// The values that are seen, and the least and largest of the elements where those are means of these.
fn values(lists: &[DrawList]) -> impl Iterator<Item = (&[f64], Option<(f64, f64)>)> {
    lists.iter().flat_map(|list| &list.bodies).filter_map(|body| match &body.color {
        BodyColor::Scalar { values, of_elements, .. } => Some((&**values, *of_elements)),
        BodyColor::Clay(_) | BodyColor::Water | BodyColor::Slate | BodyColor::Accent | BodyColor::Fault => None,
    })
}

impl Subject {
    /// The unit in which its limits read well.
    fn shown(&self) -> Shown<'static> {
        let (low, high) = self.tone.range;
        Shown::of(low.abs().max(high.abs()), self.kind.unit)
    }

    /// Name and unit.
    fn title(&self, ui: &Ui, size: f32) -> LayoutJob {
        let mut job = LayoutJob::default();
        job.append(self.kind.label, 0.0, TextFormat::simple(FontId::new(size, theme::strong()), ui.visuals().strong_text_color()));
        let unit = self.shown().name;
        if !unit.is_empty() {
            job.append(unit, 6.0, TextFormat::simple(FontId::proportional(11.0), meaning(ui).dim));
        }
        job
    }

    /// What it is, for those who do not see it.
    fn words(&self, lists: &[DrawList]) -> String {
        let (low, high) = self.tone.range;
        let shown = self.shown();
        let [low, high] = [low, high].map(|limit| significant(limit / shown.size, 4));
        let logarithmic = if self.tone.log { ", logarithmic" } else { "" };
        let note = self.means(lists).map_or_else(String::new, |note| format!("; {note}"));
        let unit = if shown.name.is_empty() { String::new() } else { format!(" {}", shown.name) };
        format!("Legend: {} {low} to {high}{unit}{logarithmic}{note}", self.kind.name)
    }

    /// Why the colours may reach less far than the numbers of a certificate: they are means, and those are of elements.
    fn means(&self, lists: &[DrawList]) -> Option<String> {
        let ends = values(lists).filter_map(|(_, ends)| ends).reduce(|(a, b), (c, d)| (a.min(c), b.max(d)))?;
        Some(means(ends, self.shown()))
    }

    /// What is told beside the cursor over the colours.
    fn hint(&self, lists: &[DrawList]) -> String {
        let doc = self.kind.doc;
        let note = self.means(lists).map_or_else(String::new, |note| format!("\n{note}"));
        format!("{doc}{note}\nDouble-click: automatic limits")
    }
}

fn means((low, high): (f64, f64), shown: Shown<'_>) -> String {
    let [low, high] = [low, high].map(|value| significant(value / shown.size, 4));
    format!("means at the nodes; elements {low} to {high} {}", shown.name).trim_end().to_owned()
}

/// A note beside the cursor, kept within `rect`.
pub fn note(ui: &Ui, rect: Rect, cursor: Pos2, text: &str) {
    let painter = ui.painter();
    let line = painter.layout_no_wrap(text.to_owned(), FontId::proportional(13.0), ui.visuals().strong_text_color());
    let size = line.size() + vec2(16.0, 10.0);
    let mut place = Rect::from_min_size(cursor + vec2(16.0, 16.0), size);
    if place.right() > rect.right() {
        place = Align2::RIGHT_TOP.anchor_size(pos2(rect.right().min(cursor.x - 8.0), place.top()), size);
    }
    if place.bottom() > rect.bottom() {
        place = place.translate(vec2(0.0, cursor.y - 8.0 - place.bottom()));
    }
    painter.rect_filled(place, 4.0, meaning(ui).card.gamma_multiply(0.94));
    painter.galley(place.min + vec2(8.0, 5.0), line, Color32::PLACEHOLDER);
}

/// A band coloured from one edge (0) to the opposite one (1).
pub fn gradient(from: [Pos2; 2], to: [Pos2; 2], steps: u32, color: impl Fn(f64) -> Color32) -> Mesh {
    let mut mesh = Mesh::default();
    for step in 0..=steps {
        let share = f64::from(step) / f64::from(steps);
        for side in 0..2 {
            mesh.colored_vertex(from[side].lerp(to[side], share as f32), color(share));
        }
        if step > 0 {
            let first = 2 * step - 2;
            mesh.add_triangle(first, first + 1, first + 2);
            mesh.add_triangle(first + 1, first + 3, first + 2);
        }
    }
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_told_as_such_with_the_values_of_the_elements_in_the_unit_of_the_legend() {
        let shown = Shown::of(3e6, "Pa");
        assert_eq!(means((1.25e5, 2.5e6), shown), "means at the nodes; elements 0.125 to 2.5 MPa");
    }

    #[test]
    fn a_small_view_and_two_of_them_have_a_strip_that_covers_nothing() {
        let room = |width, height| Rect::from_min_size(pos2(10.0, 20.0), vec2(width, height));
        assert_eq!(Place::of(room(760.0, 500.0), false), Place::Bar);
        assert_eq!(Place::of(room(760.0, 500.0), true), Place::Strip);
        assert_eq!(Place::of(room(760.0, 200.0), false), Place::Strip);
        assert_eq!(Place::of(room(352.0, 500.0), false), Place::Strip);
        let (views, strip) = Place::Strip.split(room(760.0, 500.0));
        assert_eq!((views.bottom(), strip.height(), strip.bottom()), (strip.top(), STRIP, 520.0));
        assert!((Place::Bar.room(room(700.0, 350.0)).right - 0.08).abs() < 1e-6);
    }

    #[test]
    fn the_gradient_spans_the_bar() {
        let rect = Rect::from_min_size(pos2(3.0, 4.0), vec2(10.0, 100.0));
        let [from, to] = [[rect.left_bottom(), rect.right_bottom()], [rect.left_top(), rect.right_top()]];
        let mesh = gradient(from, to, 8, |share| Color32::from_gray((255.0 * share) as u8));
        assert!(mesh.is_valid());
        assert_eq!(mesh.calc_bounds(), rect);
        assert_eq!(mesh.vertices[0].pos.y, rect.bottom());
        assert_eq!(mesh.vertices[0].color, Color32::from_gray(0));
    }
}
