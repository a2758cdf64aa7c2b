//! The legend of a scalar field: bar, clean numbers, and how the values are spread. It stands in a strip below the views that it
//! belongs to, so that nothing of a body is covered by it.

use egui::text::{LayoutJob, TextFormat};
use egui::{Align2, Color32, FontId, Mesh, Pos2, Rect, Role, Sense, Shape, Stroke, Ui, WidgetInfo, pos2, vec2};

use super::draw_list::{BodyColor, DrawList};
use super::ticks::{Ticks, power};
use crate::theme::meaning;
use crate::widgets::significant;
use crate::widgets::unit::Shown;

/// Height of the strip [points].
pub const STRIP: f32 = 56.0;
/// Bins of the histogram.
const BINS: usize = 64;
/// Largest length of the bar [points].
const LONG: f32 = 420.0;
/// Shortest bar that can be read [points].
const SHORT: f32 = 80.0;
/// Height of the histogram [points].
const SPREAD: f32 = 16.0;
/// Height of the bar [points].
const BAR: f32 = 10.0;
/// Room that a number takes along the bar [points].
const NUMBER: f32 = 44.0;
/// Space around [points].
const MARGIN: f32 = 12.0;

/// Counts of values from the low end of a range to the high one.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Spread {
    bins: [usize; BINS],
    below: usize,
    above: usize,
}

impl Spread {
    fn of(values: impl Iterator<Item = f64>, (low, high): (f64, f64)) -> Self {
        let mut spread = Self { bins: [0; BINS], below: 0, above: 0 };
        let scale = BINS as f64 / (high - low).max(f64::MIN_POSITIVE);
        for value in values.filter(|value| value.is_finite()) {
            if value < low {
                spread.below += 1;
            } else if value > high {
                spread.above += 1;
            } else {
                spread.bins[(((value - low) * scale) as usize).min(BINS - 1)] += 1;
            }
        }
        spread
    }
}

/// Draws the legend of what is seen in `lists`, views side by side, into the strip `rect`.
pub fn show(ui: &Ui, rect: Rect, lists: &[DrawList]) {
    ui.painter().rect_filled(rect, 0.0, ui.visuals().panel_fill);
    let inner = rect.shrink2(vec2(MARGIN, 6.0));
    let fields = || {
        lists.iter().flat_map(|list| &list.bodies).filter_map(|body| match &body.color {
            BodyColor::Scalar { values, range, map, name, unit, of_elements } => Some((values, *range, *map, (name, unit, *of_elements))),
            BodyColor::Clay(_) | BodyColor::Slate | BodyColor::Accent | BodyColor::Fault => None,
        })
    };
    let colors = meaning(ui);
    let painter = ui.painter().with_clip_rect(rect);
    let small = FontId::proportional(11.0);
    let Some((_, range, map, (name, unit, _))) = fields().next() else {
        painter.text(inner.left_center(), Align2::LEFT_CENTER, "No values of this kind yet.", small, colors.dim);
        return;
    };
    let ends = fields().filter_map(|(.., (_, _, ends))| ends).reduce(|(a, b), (c, d)| (a.min(c), b.max(d)));
    let shown = Shown::of(range.0.abs().max(range.1.abs()), unit);
    let scaled = (range.0 / shown.size, range.1 / shown.size);
    let strong = ui.visuals().strong_text_color();
    let unit = match (power(scaled.0.abs().max(scaled.1.abs())), shown.name) {
        (0, unit) => unit.to_owned(),
        (power, unit) => format!("× 1e{power} {unit}"),
    };
    let mut job = LayoutJob::default();
    job.append(name, 0.0, TextFormat::simple(FontId::proportional(13.0), strong));
    job.append(unit.trim_end(), 6.0, TextFormat::simple(small.clone(), colors.dim));
    for note in ends.map(|ends| means(ends, shown)).into_iter().flatten() {
        job.append(&format!("\n{note}"), 0.0, TextFormat::simple(small.clone(), colors.dim));
    }
    job.wrap.max_width = (inner.width() - SHORT - 2.0 * MARGIN).max(SHORT);
    let words = painter.layout_job(job);
    painter.galley(pos2(inner.left(), inner.center().y - 0.5 * words.size().y), words.clone(), strong);
    // Half a number stands out at each end.
    let left = inner.left() + words.size().x + MARGIN + 0.4 * NUMBER;
    let long = (inner.right() - 0.4 * NUMBER - left).min(LONG);
    if long < SHORT {
        return;
    }
    let bar = Rect::from_min_size(pos2(left, inner.top() + SPREAD + 2.0), vec2(long, BAR));
    let along = |value: f64| {
        let share = if range.1 > range.0 { (value - range.0) / (range.1 - range.0) } else { 0.5 };
        bar.left() + share.clamp(0.0, 1.0) as f32 * bar.width()
    };
    let paint = |share: f64| {
        let [r, g, b] = map.color(share);
        Color32::from_rgb(r, g, b)
    };
    painter.add(gradient([bar.left_bottom(), bar.left_top()], [bar.right_bottom(), bar.right_top()], 64, paint));
    let spread = Spread::of(fields().flat_map(|(values, ..)| values.iter().copied()), range);
    let most = spread.bins.iter().copied().max().unwrap_or(0).max(1) as f32;
    let thick = bar.width() / BINS as f32;
    let floor = bar.top() - 2.0;
    for (bin, &count) in spread.bins.iter().enumerate().filter(|(_, count)| **count > 0) {
        // Few values still show: outliers are what one looks for.
        let tall = (count as f32 / most * SPREAD).max(1.5);
        let from = bar.left() + bin as f32 * thick;
        let column = Rect::from_min_max(pos2(from + 0.5, floor - tall), pos2(from + thick - 0.5, floor));
        painter.rect_filled(column, 0.0, colors.dim.gamma_multiply(0.8));
    }
    let ticks = Ticks::new(scaled, (long / NUMBER) as usize);
    let mut written = f32::NEG_INFINITY;
    for (label, value) in ticks.labels.iter().zip(&ticks.values) {
        let x = along(*value * shown.size);
        painter.vline(x, bar.bottom()..=bar.bottom() + 3.0, Stroke::new(1.0, colors.dim));
        let label = painter.layout_no_wrap(label.clone(), small.clone(), strong);
        // Long numbers leave out those that they would run into.
        let from = x - 0.5 * label.size().x;
        if from > written + 4.0 {
            written = from + label.size().x;
            painter.galley(pos2(from, bar.bottom() + 3.0), label, strong);
        }
    }
    for (clipped, x, sign) in [(spread.below, bar.left() - 1.0, -1.0), (spread.above, bar.right() + 1.0, 1.0)] {
        if clipped > 0 {
            let tip = vec![pos2(x, bar.top()), pos2(x, bar.bottom()), pos2(x + 6.0 * sign, bar.center().y)];
            painter.add(Shape::convex_polygon(tip, colors.warning, Stroke::NONE));
        }
    }
    let told = format!("Legend: {}", words.text().replace('\n', " "));
    ui.interact(rect, ui.scope_id().with("legend"), Sense::hover()).widget_info(|| WidgetInfo::labeled(Role::Image, true, &told));
}

/// Why the colours may reach less far than the numbers of a certificate: they are means, and those are of elements.
fn means((low, high): (f64, f64), shown: Shown<'_>) -> [String; 2] {
    let [low, high] = [low, high].map(|value| significant(value / shown.size, 4));
    ["means at the nodes;".to_owned(), format!("elements {low} to {high}")]
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
        assert_eq!(means((1.25e5, 2.5e6), shown), ["means at the nodes;", "elements 0.125 to 2.5"]);
    }

    #[test]
    fn every_finite_value_is_counted_once() {
        let values = [0.0, 0.5, 1.0, -0.1, 1.1, 9.0, f64::NAN];
        let spread = Spread::of(values.into_iter(), (0.0, 1.0));
        assert_eq!((spread.below, spread.above), (1, 2));
        assert_eq!((spread.bins[0], spread.bins[BINS / 2], spread.bins[BINS - 1]), (1, 1, 1));
        assert_eq!(spread.bins.iter().sum::<usize>(), 3);
        assert_eq!(Spread::of([2.0, 2.0].into_iter(), (2.0, 2.0)).bins[0], 2);
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
