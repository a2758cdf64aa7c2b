//! The coloured bar of a legend: where values lie along it, its marks, and what is drawn on it.

use egui::{Color32, FontId, Pos2, Rect, Shape, Stroke, Ui, Vec2, pos2, vec2};

use super::gradient;
use super::spread::Spread;
use crate::theme::meaning;
use crate::viewport::ticks::Ticks;
use crate::viewport::tone::Tone;
use crate::widgets::significant;
use crate::widgets::unit::Shown;

/// Length of a mark [points].
const TICK: f32 = 4.0;
/// The bar, from the low end of `axis` to the high one: upwards, or to the right.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rail {
    /// The coloured rectangle.
    pub rect: Rect,
    /// Whether it stands upright.
    pub upright: bool,
    /// What lies where along it: while a handle is dragged, the limits before that.
    pub axis: Tone,
}

impl Rail {
    /// Length [points].
    pub fn length(&self) -> f32 {
        if self.upright { self.rect.height() } else { self.rect.width() }
    }

    /// The point of the middle line at a share of the axis.
    pub fn at(&self, share: f64) -> Pos2 {
        let along = share as f32 * self.length();
        let middle = self.rect.center();
        if self.upright { pos2(middle.x, self.rect.bottom() - along) } else { pos2(self.rect.left() + along, middle.y) }
    }

    /// The share of the axis nearest to a point.
    pub fn share_at(&self, at: Pos2) -> f64 {
        let along = if self.upright { self.rect.bottom() - at.y } else { at.x - self.rect.left() };
        f64::from(along / self.length().max(1.0))
    }

    /// A step along the bar and a step across, away from its numbers [points].
    fn step(&self, along: f32, across: f32) -> Vec2 {
        if self.upright { vec2(across, -along) } else { vec2(along, -across) }
    }

    /// Its colours.
    pub fn paint(&self, ui: &Ui, tone: &Tone) {
        let r = self.rect;
        let (from, to) = if self.upright {
            ([r.left_bottom(), r.right_bottom()], [r.left_top(), r.right_top()])
        } else {
            ([r.left_bottom(), r.left_top()], [r.right_bottom(), r.right_top()])
        };
        ui.painter().add(gradient(from, to, 96, |share| paint(tone, self.axis.value(share))));
    }

    /// Bars beside it, in the colours of their values; those of values beyond the limits are marked by triangles in amber.
    pub fn paint_spread(&self, ui: &Ui, spread: &Spread, tall: f32) {
        let bins = spread.bins.len();
        let thick = self.length() / bins as f32;
        let dim = meaning(ui).dim.gamma_multiply(0.8);
        for (bin, height) in spread.heights().into_iter().enumerate().filter(|(_, height)| *height > 0.0) {
            let from = self.at(bin as f64 / bins as f64) + self.step(0.5, 0.5 * super::THICK + 2.0);
            let to = from + self.step(thick - 1.0, (height * tall).max(1.5));
            ui.painter().rect_filled(Rect::from_two_pos(from, to), 0.0, dim);
        }
    }

    /// Triangles in amber at the ends beyond which values lie.
    pub fn paint_beyond(&self, ui: &Ui, spread: &Spread) {
        for (count, share, outward) in [(spread.below, 0.0, -1.0), (spread.above, 1.0, 1.0)] {
            if count > 0 {
                let base = self.at(share) + self.step(if self.upright { 3.0 } else { 6.0 } * outward, 0.0);
                let corners = [self.step(0.0, 5.0), self.step(6.0 * outward, 0.0), self.step(0.0, -5.0)].map(|corner| base + corner);
                ui.painter().add(Shape::convex_polygon(corners.into(), meaning(ui).warning, Stroke::NONE));
            }
        }
    }

    /// Numbers beside it, where they keep clear of those at the `ends`.
    pub fn paint_marks(&self, ui: &Ui, shown: Shown<'_>, ends: [f64; 2]) {
        let painter = ui.painter();
        let (dim, font) = (meaning(ui).dim, FontId::proportional(11.0));
        let clear: f32 = if self.upright { 14.0 } else { 40.0 };
        let wanted = (self.length() / 40.0) as usize;
        let mut last = f32::NEG_INFINITY;
        for (value, label) in marks(&self.axis, shown, wanted) {
            let share = self.axis.share(value);
            let away = |end: f64| (share - end).abs() as f32 * self.length() >= clear;
            let at = self.at(share) - self.step(0.0, 0.5 * super::THICK);
            if !(ends.into_iter().all(away) && (-0.001..=1.001).contains(&share)) {
                continue;
            }
            painter.line_segment([at, at - self.step(0.0, TICK)], Stroke::new(1.0, dim));
            let label = painter.layout_no_wrap(label, font.clone(), dim);
            let size = label.size();
            let beside = at - self.step(0.0, TICK + 2.0);
            let place = if self.upright { beside - vec2(size.x + 2.0, 0.5 * size.y) } else { beside - vec2(0.5 * size.x, 0.0) };
            let (from, long) = if self.upright { (-place.y, size.y) } else { (place.x, size.x) };
            // Long numbers leave out those that they would run into.
            if from > last {
                last = from + long + if self.upright { 0.0 } else { 4.0 };
                painter.galley(place, label, dim);
            }
        }
    }

    /// The handle of an end, its tip at a share of the axis: beside an upright bar, on top of a lying one.
    pub fn handle(&self, share: f64) -> (Vec<Pos2>, Rect) {
        let tip = self.at(share);
        if self.upright {
            let tip = pos2(self.rect.left(), tip.y);
            let corners = vec![tip, tip + vec2(-8.0, 5.0), tip + vec2(-8.0, -5.0)];
            return (corners, Rect::from_center_size(tip - vec2(2.0, 0.0), vec2(16.0, 14.0)));
        }
        let top = self.rect.top() - 5.0;
        let x = tip.x;
        let corners = [(-4.0, 0.0), (4.0, 0.0), (4.0, 8.0), (0.0, 13.0), (-4.0, 8.0)];
        let corners = corners.map(|(dx, dy)| pos2(x + dx, top + dy)).into();
        (corners, Rect::from_min_max(pos2(x - 8.0, top - 2.0), pos2(x + 8.0, self.rect.bottom() + 2.0)))
    }
}

/// Values along an axis with what stands beside them, about as many as `wanted`.
fn marks(axis: &Tone, shown: Shown<'_>, wanted: usize) -> Vec<(f64, String)> {
    let scaled = (axis.range.0 / shown.size, axis.range.1 / shown.size);
    let ticks = if axis.log { Ticks::logarithmic(scaled, wanted) } else { Ticks::new(scaled, wanted) };
    let label = |value: f64, label: String| if ticks.power == 0 { label } else { significant(value, 3) };
    let pairs = ticks.values.iter().zip(&ticks.labels);
    pairs.map(|(&value, text)| (value * shown.size, label(value, text.clone()))).collect()
}

/// The colour of a value.
pub(super) fn paint(tone: &Tone, value: f64) -> Color32 {
    let [r, g, b] = tone.color(value);
    Color32::from_rgb(r, g, b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::viewport::ColorMap;

    #[test]
    fn places_and_shares_agree_both_ways_round() {
        let axis = Tone { range: (0.0, 1.0), map: ColorMap::Viridis, log: false };
        for (rect, upright) in [
            (Rect::from_min_size(pos2(9.0, 7.0), vec2(10.0, 200.0)), true),
            (Rect::from_min_size(pos2(9.0, 7.0), vec2(264.0, 10.0)), false),
        ] {
            let rail = Rail { rect, upright, axis };
            for share in [-0.2, 0.0, 0.5, 1.0] {
                assert!((rail.share_at(rail.at(share)) - share).abs() < 1e-6);
            }
            assert!(if upright { rail.at(1.0).y < rail.at(0.0).y } else { rail.at(1.0).x > rail.at(0.0).x });
        }
    }

    #[test]
    fn marks_are_within_the_limits_in_the_unit_that_is_shown() {
        let axis = Tone { range: (0.0, 5.2e6), map: ColorMap::Viridis, log: false };
        let found = marks(&axis, Shown::of(5.2e6, "Pa"), 5);
        assert_eq!(found.iter().map(|mark| mark.1.as_str()).collect::<Vec<_>>(), ["0", "1", "2", "3", "4", "5"]);
        assert_eq!(found[2].0, 2e6);
        let axis = Tone { range: (3e-12, 2e-4), map: ColorMap::Viridis, log: true };
        let found = marks(&axis, Shown::of(2e-4, ""), 5);
        assert!(found.iter().all(|mark| (3e-12..=2e-4).contains(&mark.0)) && (3..=9).contains(&found.len()), "{found:?}");
        assert!(found.iter().any(|mark| mark.1 == "1e-6"), "{found:?}");
    }
}
