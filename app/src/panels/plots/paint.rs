//! Draws a chart into a rectangle: the same in the window and in a picture.

use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Shape, Stroke, pos2, vec2};

use super::lines::{Chart, Key, Line};
use super::scale::{self, Mark};
use crate::theme::{self, Meaning};
use crate::widgets::significant;

/// Room of the head above the ground, of the axes below it and at its left, and at its right [points].
const HEAD: f32 = 26.0;
const FOOT: f32 = 18.0;
const LEFT: f32 = 44.0;
const RIGHT: f32 = 8.0;
/// Length of the line beside a key, and room around it [points].
const SAMPLE: f32 = 14.0;
const BESIDE: f32 = 5.0;
const BETWEEN: f32 = 12.0;
/// Dashes of A, and the gaps between them [points].
const DASH: [f32; 2] = [4.0, 3.0];

/// The colours of a theme.
#[derive(Clone, Copy)]
pub struct Look {
    /// Whether the ground is dark.
    pub dark: bool,
    /// Colours with a meaning.
    pub meaning: Meaning,
    /// Ground of plots, and of what stands around them.
    pub grounds: [Color32; 2],
    /// Text, and strong text.
    pub text: [Color32; 2],
}

impl Look {
    /// Those of `visuals`.
    pub fn of(visuals: &egui::Visuals) -> Self {
        let dark = visuals.dark_mode;
        Self {
            dark,
            meaning: theme::of(dark),
            grounds: [visuals.extreme_bg_color, visuals.panel_fill],
            text: [visuals.text_color(), visuals.strong_text_color()],
        }
    }

    fn shade(&self, colors: [Color32; 2]) -> Color32 {
        if self.dark { colors[0] } else { colors[1] }
    }
}

/// Where the parts of a chart are.
#[derive(Debug, Clone, Copy)]
pub struct Places {
    /// The ground of the lines.
    pub ground: Rect,
    /// The axis of time below it.
    pub below: Rect,
    /// The axis of numbers at its left.
    pub left: Rect,
}

impl Places {
    /// Those of a chart in `rect`.
    pub fn of(rect: Rect) -> Self {
        let ground = Rect::from_min_max(rect.min + vec2(LEFT, HEAD), rect.max - vec2(RIGHT, FOOT));
        let below = Rect::from_min_max(pos2(ground.left(), ground.bottom()), pos2(ground.right(), rect.bottom()));
        let left = Rect::from_min_max(pos2(rect.left(), ground.top()), pos2(ground.left(), ground.bottom()));
        Self { ground, below, left }
    }

    /// The time at a place [s].
    pub fn time(&self, chart: &Chart, x: f32) -> f64 {
        let share = f64::from((x - self.ground.left()) / self.ground.width());
        chart.span[0] + share * (chart.span[1] - chart.span[0])
    }

    /// The number at a place, as it is drawn.
    pub fn value(&self, chart: &Chart, y: f32) -> f64 {
        let share = f64::from((self.ground.bottom() - y) / self.ground.height());
        chart.range[0] + share * (chart.range[1] - chart.range[0])
    }

    fn x(&self, chart: &Chart, time: f64) -> f32 {
        let share = (time - chart.span[0]) / (chart.span[1] - chart.span[0]);
        self.ground.left() + share.clamp(-10.0, 10.0) as f32 * self.ground.width()
    }

    fn y(&self, chart: &Chart, value: f64) -> f32 {
        let share = (value - chart.range[0]) / (chart.range[1] - chart.range[0]);
        self.ground.bottom() - share.clamp(-10.0, 10.0) as f32 * self.ground.height()
    }
}

/// Draws the chart without title and keys. `pointed`: the time that is pointed at [s].
pub fn chart(painter: &Painter, chart: &Chart, rect: Rect, look: &Look, pointed: Option<f64>) {
    let places = Places::of(rect);
    let ground = places.ground;
    if ground.width() < LEFT || ground.height() < HEAD {
        return;
    }
    painter.rect_filled(ground, 3.0, look.grounds[0]);
    axes(painter, chart, &places, look);
    let inside = painter.with_clip_rect(painter.clip_rect().intersect(ground));
    for line in &chart.lines {
        let stroke = Stroke::new(1.5, look.shade(line.colors));
        let points: Vec<Pos2> = line.points.iter().map(|point| pos2(places.x(chart, point[0]), places.y(chart, point[1]))).collect();
        match points.as_slice() {
            [one] => inside.extend([Shape::circle_filled(*one, 2.0, stroke.color)]),
            _ if line.dashed => inside.extend(Shape::dashed_line(&points, stroke, DASH[0], DASH[1])),
            _ => inside.extend([Shape::line(points, stroke)]),
        }
    }
    if let Some(time) = pointed.filter(|time| *time != chart.now) {
        cursor(painter, chart, &places, look, chart.now, false);
        cursor(painter, chart, &places, look, time, true);
    } else {
        cursor(painter, chart, &places, look, chart.now, true);
    }
}

/// Marks with their lines and numbers, the unit beside the last of time.
fn axes(painter: &Painter, chart: &Chart, places: &Places, look: &Look) {
    let (ground, dim) = (places.ground, look.meaning.dim);
    let small = FontId::proportional(11.0);
    let grid = Stroke::new(1.0, look.meaning.line.gamma_multiply(0.7));
    let rows = (ground.height() / 18.0).clamp(2.0, 8.0) as usize;
    for Mark { value, label } in
        scale::marks(chart.range, rows.min(if ground.height() < 140.0 { 5 } else { 8 }), chart.logarithmic, chart.power)
    {
        let y = places.y(chart, value).round();
        painter.hline(ground.x_range(), y, grid);
        painter.text(pos2(ground.left() - 6.0, y), Align2::RIGHT_CENTER, label, small.clone(), dim);
    }
    let columns = (ground.width() / 48.0).clamp(2.0, 10.0) as usize;
    let marks = scale::marks(chart.span, columns, false, 0);
    let count = marks.len();
    for (index, Mark { value, label }) in marks.into_iter().enumerate() {
        let x = places.x(chart, value).round();
        if index > 0 && index + 1 < count {
            painter.vline(x, ground.y_range(), grid);
        }
        let label = if index + 1 == count { format!("{label} s") } else { label };
        let line = painter.layout_no_wrap(label, small.clone(), dim);
        // The outermost numbers stay below the ground.
        let width = line.size().x;
        let left = (x - 0.5 * width).clamp(ground.left(), (ground.right() - width).max(ground.left()));
        painter.galley(pos2(left, ground.bottom() + 3.0), line, dim);
    }
}

/// A line at a time, with a dot on each line of the chart, and the numbers there.
fn cursor(painter: &Painter, chart: &Chart, places: &Places, look: &Look, time: f64, numbers: bool) {
    if !(chart.span[0]..=chart.span[1]).contains(&time) {
        return;
    }
    let x = places.x(chart, time);
    let ground = places.ground;
    painter.vline(x, ground.y_range(), Stroke::new(1.0, if numbers { look.text[1] } else { look.meaning.dim }));
    let mut dots: Vec<(f32, String, Color32)> = Vec::new();
    for line in &chart.lines {
        let Some(value) = value_at(line, time) else { continue };
        let (y, color) = (places.y(chart, value), look.shade(line.colors));
        if !ground.y_range().expand(1.0).contains(y) {
            continue;
        }
        painter.circle(pos2(x, y), 3.0, color, Stroke::new(1.0, look.grounds[0]));
        dots.push((y, significant(chart.number(value), 4).replace('-', "−"), color));
    }
    if numbers && time > 0.0 {
        values(painter, places, look, x, dots);
    }
}

/// Numbers beside a line, none over another.
fn values(painter: &Painter, places: &Places, look: &Look, x: f32, mut dots: Vec<(f32, String, Color32)>) {
    const LINE: f32 = 13.0;
    let ground = places.ground;
    dots.sort_by(|a, b| a.0.total_cmp(&b.0));
    let room = ((ground.height() - 2.0) / LINE) as usize;
    dots.truncate(room);
    let mut tops: Vec<f32> = dots.iter().map(|dot| dot.0 - 0.5 * LINE).collect();
    // Down where they would overlap, and up again from the bottom.
    let mut free = ground.top() + 1.0;
    for top in &mut tops {
        *top = top.max(free);
        free = *top + LINE;
    }
    let mut free = ground.bottom() - 1.0;
    for top in tops.iter_mut().rev() {
        *top = top.min(free - LINE);
        free = *top;
    }
    let lines: Vec<_> =
        dots.iter().map(|(_, text, color)| painter.layout_no_wrap(text.clone(), FontId::proportional(11.0), *color)).collect();
    let widest = lines.iter().map(|line| line.size().x).fold(0.0, f32::max);
    let left_of = x + 7.0 + widest > ground.right();
    for (line, top) in lines.into_iter().zip(tops) {
        let at = pos2(if left_of { x - 7.0 - line.size().x } else { x + 7.0 }, top);
        painter.rect_filled(Rect::from_min_size(at, line.size()).expand2(vec2(2.0, 0.0)), 2.0, look.grounds[0].gamma_multiply(0.8));
        painter.galley(at, line, look.text[0]);
    }
}

/// The number of a line at a time, as it is drawn: that of the nearest step.
fn value_at(line: &Line, time: f64) -> Option<f64> {
    let after = line.points.partition_point(|point| point[0] < time);
    let near = [after.checked_sub(1), Some(after)].into_iter().flatten().filter_map(|index| line.points.get(index));
    let nearest = near.min_by(|a, b| (a[0] - time).abs().total_cmp(&(b[0] - time).abs()))?;
    // Before the first step nothing is known.
    let gap = line.points.get(1).map_or(0.0, |next| next[0] - line.points[0][0]);
    ((nearest[0] - time).abs() <= gap.max(1e-12) * 1.01).then_some(nearest[1])
}

/// Draws title and unit; gives where they are.
pub fn title(painter: &Painter, chart: &Chart, rect: Rect, look: &Look) -> Rect {
    let middle = rect.top() + 0.5 * HEAD;
    let font = FontId::new(13.0, theme::strong());
    let title = painter.text(pos2(rect.left(), middle), Align2::LEFT_CENTER, chart.title, font, look.text[1]);
    // Where there is little room, the unit is left out before the title is.
    let unit = painter.layout_no_wrap(chart.unit.clone(), FontId::proportional(11.0), look.meaning.dim);
    let place = Rect::from_min_size(pos2(title.right() + 6.0, middle - 0.5 * unit.size().y), unit.size());
    if place.right() > rect.right() - 60.0 {
        return title;
    }
    painter.galley(place.min, unit, look.meaning.dim);
    title.union(place)
}

/// Where keys stand from the right end of the head on, as far as there is room from `from` on; the others have none.
pub fn key_places(painter: &Painter, chart: &Chart, rect: Rect, from: f32) -> Vec<Rect> {
    let widths: Vec<f32> = chart.keys.iter().map(|key| SAMPLE + BESIDE + words(painter, key, Color32::PLACEHOLDER).size().x).collect();
    let line = rect.with_max_y(rect.top() + HEAD).shrink2(vec2(0.0, 3.0));
    let right = rect.right() - RIGHT;
    let fits = |count: usize| widths[..count].iter().sum::<f32>() + BETWEEN * count.saturating_sub(1) as f32 <= right - from;
    let count = (0..=widths.len()).rev().find(|count| fits(*count)).unwrap_or(0);
    let mut x = right - widths[..count].iter().sum::<f32>() - BETWEEN * count.saturating_sub(1) as f32;
    let place = |width: &f32| {
        let place = Rect::from_x_y_ranges(x..=x + width, line.y_range());
        x += width + BETWEEN;
        place
    };
    widths[..count].iter().map(place).collect()
}

fn words(painter: &Painter, key: &Key, color: Color32) -> std::sync::Arc<egui::Galley> {
    painter.layout_no_wrap(key.label.clone(), FontId::proportional(11.0), color)
}

/// Draws a key.
pub fn key(painter: &Painter, key: &Key, place: Rect, look: &Look) {
    let color = if key.on { look.shade(key.colors) } else { look.meaning.off };
    let y = place.center().y;
    let ends = [pos2(place.left(), y), pos2(place.left() + SAMPLE, y)];
    match key.dashed {
        true => painter.extend(Shape::dashed_line(&ends, Stroke::new(2.0, color), DASH[0], DASH[1])),
        false => painter.extend([Shape::line_segment(ends, Stroke::new(2.0, color))]),
    }
    let text = if key.on { look.text[0] } else { look.meaning.off };
    let words = words(painter, key, text);
    painter.galley(pos2(place.left() + SAMPLE + BESIDE, y - 0.5 * words.size().y), words, text);
}
