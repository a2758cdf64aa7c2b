//! The legend of a scalar field: bar, clean numbers, and how the values are spread.

use egui::{Align2, Color32, FontId, Mesh, Rect, Stroke, Ui, pos2, vec2};

use super::draw_list::{BodyColor, DrawList};
use super::ticks::Ticks;
use crate::theme::meaning;
use crate::widgets::significant;
use crate::widgets::unit::Shown;

/// Bins of the histogram.
const BINS: usize = 32;
/// Largest height of the bar [points].
const TALL: f32 = 176.0;
/// Width of the histogram [points].
const SPREAD: f32 = 44.0;
/// Width of the bar [points].
const BAR: f32 = 12.0;
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

/// Draws the legend at the bottom left of `rect` where a body is coloured by a field.
pub fn show(ui: &Ui, rect: Rect, list: &DrawList) {
    let fields = || {
        list.bodies.iter().filter_map(|body| match &body.color {
            BodyColor::Scalar { values, range, map, name, unit, of_elements } => Some((values, *range, *map, (name, unit, *of_elements))),
            BodyColor::Clay | BodyColor::Slate | BodyColor::Accent | BodyColor::Fault => None,
        })
    };
    let Some((_, range, map, (name, unit, of_elements))) = fields().next() else { return };
    let shown = Shown::of(range.0.abs().max(range.1.abs()), unit);
    let tall = TALL.min(rect.height() - 6.0 * MARGIN);
    if tall < 48.0 || rect.width() < 160.0 {
        return;
    }
    let colors = meaning(ui);
    let (font, small) = (FontId::proportional(13.0), FontId::proportional(11.0));
    let ticks = Ticks::new((range.0 / shown.size, range.1 / shown.size), (tall / 32.0) as usize);
    let unit = match (ticks.power, shown.name) {
        (0, unit) => unit.to_owned(),
        (power, unit) => format!("× 1e{power} {unit}"),
    };
    let painter = ui.painter();
    let write = |text: &str, font: &FontId, color: Color32| painter.layout_no_wrap(text.to_owned(), font.clone(), color);
    let strong = ui.visuals().strong_text_color();
    let title = painter.layout(name.clone(), font, strong, rect.width() - 4.0 * MARGIN);
    let unit = (!unit.trim().is_empty()).then(|| write(unit.trim(), &small, colors.dim));
    let notes: Vec<_> =
        of_elements.map(|ends| means(ends, shown)).into_iter().flatten().map(|note| write(&note, &small, colors.dim)).collect();
    let labels: Vec<_> = ticks.labels.iter().map(|label| write(label, &small, strong)).collect();
    let widest = labels.iter().map(|label| label.size().x).fold(0.0, f32::max);
    let lines: Vec<_> = std::iter::once(title).chain(unit).chain(notes).collect();
    let head = lines.iter().map(|line| line.size().y).sum::<f32>() + 10.0;
    let wide = lines.iter().map(|line| line.size().x).fold(SPREAD + BAR + 14.0 + widest, f32::max);
    let size = vec2(wide + 2.0 * MARGIN, head + tall + 2.0 * MARGIN);
    let card = Rect::from_min_size(pos2(rect.left() + MARGIN, rect.bottom() - MARGIN - size.y), size);
    painter.rect_filled(card, 6.0, colors.card.gamma_multiply(0.86));
    let inner = card.shrink(MARGIN);
    let mut at = inner.left_top();
    for line in lines {
        let below = line.size().y;
        painter.galley(at, line, strong);
        at.y += below;
    }
    let bar = Rect::from_min_size(pos2(inner.left() + SPREAD + 2.0, inner.top() + head), vec2(BAR, tall));
    let height = |value: f64| {
        let share = if range.1 > range.0 { (value - range.0) / (range.1 - range.0) } else { 0.5 };
        bar.bottom() - share.clamp(0.0, 1.0) as f32 * bar.height()
    };
    let paint = |share: f64| {
        let [r, g, b] = map.color(share);
        Color32::from_rgb(r, g, b)
    };
    painter.add(gradient(bar, 64, paint));
    let spread = Spread::of(fields().flat_map(|(values, ..)| values.iter().copied()), range);
    let most = spread.bins.iter().copied().max().unwrap_or(0).max(1) as f32;
    let thick = bar.height() / BINS as f32;
    for (bin, &count) in spread.bins.iter().enumerate().filter(|(_, count)| **count > 0) {
        // Few values still show: outliers are what one looks for.
        let long = (count as f32 / most * SPREAD).max(1.5);
        let bottom = bar.bottom() - bin as f32 * thick;
        let tint = colors.dim.gamma_multiply(0.8);
        painter.rect_filled(
            Rect::from_min_max(pos2(bar.left() - 2.0 - long, bottom - thick + 0.5), pos2(bar.left() - 2.0, bottom - 0.5)),
            0.0,
            tint,
        );
    }
    for (label, value) in labels.into_iter().zip(&ticks.values) {
        let y = height(*value * shown.size);
        painter.hline(bar.right()..=bar.right() + 4.0, y, Stroke::new(1.0, colors.dim));
        let up = 0.5 * label.size().y;
        painter.galley(pos2(bar.right() + 8.0, y - up), label, strong);
    }
    for (clipped, y, sign) in [(spread.below, bar.bottom() + 1.0, 1.0), (spread.above, bar.top() - 1.0, -1.0)] {
        if clipped > 0 {
            let tip = vec![pos2(bar.left(), y), pos2(bar.right(), y), pos2(bar.center().x, y + 6.0 * sign)];
            painter.add(egui::Shape::convex_polygon(tip, colors.warning, Stroke::NONE));
        }
    }
}

/// Why the colours may reach less far than the numbers of a certificate: they are means, and those are of elements.
fn means((low, high): (f64, f64), shown: Shown<'_>) -> [String; 2] {
    let [low, high] = [low, high].map(|value| significant(value / shown.size, 4));
    ["means at the nodes;".to_owned(), format!("elements {low} to {high}")]
}

/// A note beside the cursor, kept within `rect`.
pub fn note(ui: &Ui, rect: Rect, cursor: egui::Pos2, text: &str) {
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

/// A rectangle coloured from its bottom (0) to its top (1).
pub fn gradient(rect: Rect, steps: u32, color: impl Fn(f64) -> Color32) -> Mesh {
    let mut mesh = Mesh::default();
    for step in 0..=steps {
        let share = f64::from(step) / f64::from(steps);
        let y = rect.bottom() - share as f32 * rect.height();
        mesh.colored_vertex(pos2(rect.left(), y), color(share));
        mesh.colored_vertex(pos2(rect.right(), y), color(share));
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
        let mesh = gradient(rect, 8, |share| Color32::from_gray((255.0 * share) as u8));
        assert!(mesh.is_valid());
        assert_eq!(mesh.calc_bounds(), rect);
        assert_eq!(mesh.vertices[0].pos.y, rect.bottom());
        assert_eq!(mesh.vertices[0].color, Color32::from_gray(0));
    }
}
