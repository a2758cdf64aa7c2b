//! A rectangle or a free line on the screen: what lies in it is painted when the button is let go.

use egui::{Color32, Pos2, Rect, Shape, Stroke, Ui, Vec2};

use super::brush::{Reach, Sight};
use super::event::{Area, ViewEvent};

/// Distance between the points of a free line [points].
const FINE: f32 = 3.0;
/// A smaller rectangle or loop is a click that slipped [points].
const SLIP: f32 = 4.0;

/// What is being drawn around something.
#[derive(Debug, Clone)]
pub struct Marquee {
    area: Area,
    erase: bool,
    /// The two corners of a rectangle, or the points of a line.
    points: Vec<Pos2>,
}

impl Marquee {
    /// Begins at a point of the screen.
    pub fn new(area: Area, at: Pos2, erase: bool) -> Self {
        Self { area, erase, points: vec![at] }
    }

    /// Goes on to a point.
    pub fn extend(&mut self, to: Pos2) {
        match self.area {
            Area::Lasso if self.points.last().is_some_and(|last| (to - *last).length() < FINE) => {}
            Area::Lasso => self.points.push(to),
            Area::Box | Area::Round => {
                self.points.truncate(1);
                self.points.push(to);
            }
        }
    }

    /// The smallest rectangle around it.
    fn bounds(&self) -> Rect {
        Rect::from_points(&self.points)
    }

    /// Whether a point of the screen lies in it; of a line that crosses itself, where one would get out of it by an odd number of crossings.
    pub fn contains(&self, at: Pos2) -> bool {
        if self.area != Area::Lasso {
            return self.bounds().contains(at);
        }
        let sides = self.points.iter().zip(self.points.iter().cycle().skip(1));
        let crossings = sides.filter(|(a, b)| (a.y > at.y) != (b.y > at.y) && at.x < a.x + (at.y - a.y) / (b.y - a.y) * (b.x - a.x));
        crossings.count() % 2 == 1
    }

    /// Ends it: what lies in it becomes a stroke.
    pub fn finish(self, sight: &Sight<'_>, reach: Reach, events: &mut Vec<ViewEvent>) {
        let inside = |marquee: &Self| {
            let inside = sight.where_on_screen(reach.body, |at| marquee.contains(at).then_some(()));
            let vertices: Vec<u32> = inside.into_iter().map(|(vertex, ())| vertex).collect();
            if reach.through { vertices } else { sight.picker.seen_from(reach.body, &vertices, sight.camera.eye()) }
        };
        self.finish_with(inside, (reach.body, reach.soft), events);
    }

    /// Ends it: the vertices of the body that lie in it, as `inside` says, become a stroke, of this strength where it has one.
    pub fn finish_with(self, inside: impl FnOnce(&Self) -> Vec<u32>, (body, soft): (usize, Option<f32>), events: &mut Vec<ViewEvent>) {
        if self.bounds().size().max_elem() < SLIP {
            return;
        }
        let vertices = inside(&self);
        let strengths = soft.map_or_else(Vec::new, |soft| vec![soft; vertices.len()]);
        events.extend([
            ViewEvent::StrokeBegan,
            ViewEvent::StrokeOver { body, vertices, strengths, erase: self.erase },
            ViewEvent::StrokeEnded,
        ]);
    }

    /// Draws it; dashed when it erases.
    pub fn show(&self, ui: &Ui, view: Rect, color: [u8; 3]) {
        let painter = ui.painter().with_clip_rect(view);
        let mut outline = self.points.clone();
        if self.area != Area::Lasso {
            let bounds = self.bounds();
            outline = vec![bounds.left_top(), bounds.right_top(), bounds.right_bottom(), bounds.left_bottom()];
            let [r, g, b] = color;
            painter.rect_filled(bounds, 0.0, Color32::from_rgb(r, g, b).gamma_multiply(0.12));
        }
        outline.extend(outline.first().copied());
        painter.add(Shape::line(outline.clone(), Stroke::new(3.5, Color32::from_black_alpha(110))));
        let line = Stroke::new(1.5, Color32::WHITE);
        if self.erase {
            painter.extend(Shape::dashed_line(&outline, line, 6.0, 5.0));
        } else {
            painter.add(Shape::line(outline, line));
        }
    }
}

/// A cross where a corner would be put, in place of the cursor.
pub fn crosshair(ui: &Ui, view: Rect, at: Pos2) {
    let painter = ui.painter().with_clip_rect(view);
    for arm in [Vec2::X, Vec2::Y] {
        let ends = [at - 8.0 * arm, at + 8.0 * arm];
        painter.line_segment(ends, Stroke::new(3.5, Color32::from_black_alpha(110)));
        painter.line_segment(ends, Stroke::new(1.5, Color32::WHITE));
    }
}

#[cfg(test)]
mod tests {
    use egui::pos2;

    use super::*;

    #[test]
    fn a_line_holds_what_it_goes_around_and_a_rectangle_what_lies_between_its_corners() {
        let mut lasso = Marquee::new(Area::Lasso, pos2(0.0, 0.0), false);
        // An L, drawn all around.
        for (x, y) in [(30.0, 0.0), (30.0, 10.0), (10.0, 10.0), (10.0, 40.0), (0.0, 40.0)] {
            lasso.extend(pos2(x, y));
        }
        assert!(lasso.contains(pos2(5.0, 35.0)) && lasso.contains(pos2(25.0, 5.0)));
        assert!(!lasso.contains(pos2(20.0, 20.0)) && !lasso.contains(pos2(-1.0, 5.0)));
        let points = lasso.points.len();
        lasso.extend(pos2(0.0, 41.0));
        assert_eq!(lasso.points.len(), points, "no finer than can be seen");
        let mut rectangle = Marquee::new(Area::Box, pos2(30.0, 40.0), true);
        rectangle.extend(pos2(1.0, 1.0));
        rectangle.extend(pos2(10.0, 20.0));
        assert!(rectangle.contains(pos2(20.0, 30.0)) && !rectangle.contains(pos2(5.0, 30.0)), "from the first corner to the last");
    }
}
