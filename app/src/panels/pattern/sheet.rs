//! From the pattern to the screen: v points up, and a metre is as long in all directions.

use egui::{Pos2, Rect, pos2};

use crate::sewing_pattern::Flat;

/// Room that is left around the panels where all are in view, and above them for what is told [points].
const MARGIN: f32 = 14.0;
const ABOVE: f32 = 26.0;
/// How much nearer and farther one may go than all in view.
const NEAR: f64 = 200.0;
const FAR: f64 = 4.0;

/// How a pattern lies on the screen.
#[derive(Debug, Clone, Copy)]
pub struct Sheet {
    /// What is in the middle [m].
    pub middle: [f64; 2],
    /// How large a metre is [points].
    pub scale: f64,
    /// Where it is drawn [points].
    pub room: Rect,
    /// As with all in view.
    fitted: ([f64; 2], f64),
}

impl Sheet {
    /// With this in the middle, in this size; with all in view where that is not said.
    pub fn new(flat: &Flat, room: Rect, look: Option<([f64; 2], f64)>) -> Self {
        let [low, high] = flat.bounds();
        let free = |length: f32, taken: f32| f64::from((length - taken).max(8.0));
        let across = free(room.width(), 2.0 * MARGIN) / (high[0] - low[0]).max(f64::MIN_POSITIVE);
        let up = free(room.height(), MARGIN + ABOVE) / (high[1] - low[1]).max(f64::MIN_POSITIVE);
        let scale = across.min(up).clamp(1e-9, 1e12);
        // What is told above leaves the panels a little lower.
        let lift = 0.5 * f64::from(ABOVE - MARGIN) / scale;
        let fitted = ([0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]) + lift], scale);
        let (middle, scale) = look.unwrap_or(fitted);
        Self { middle, scale, room, fitted }
    }

    /// Where a point (u, v) [m] is on the screen.
    pub fn to_screen(self, [u, v]: [f64; 2]) -> Pos2 {
        let along = |x: f64, middle: f64| (self.scale * (x - middle)) as f32;
        self.room.center() + egui::vec2(along(u, self.middle[0]), -along(v, self.middle[1]))
    }

    /// The point (u, v) [m] at a place on the screen.
    pub fn to_flat(self, at: Pos2) -> [f64; 2] {
        let from = at - self.room.center();
        [self.middle[0] + f64::from(from.x) / self.scale, self.middle[1] - f64::from(from.y) / self.scale]
    }

    /// Moves what is seen by so much on the screen.
    pub fn pan(&mut self, by: egui::Vec2) {
        self.middle = self.to_flat(self.room.center() - by);
    }

    /// Makes it so many times as large; what is at `anchor` stays there.
    pub fn zoom(&mut self, factor: f64, anchor: Pos2) {
        let there = self.to_flat(anchor);
        self.scale = (self.scale * factor).clamp(self.fitted.1 / FAR, self.fitted.1 * NEAR);
        let now = self.to_flat(anchor);
        self.middle = [0, 1].map(|axis| self.middle[axis] + there[axis] - now[axis]);
    }

    /// A length that is easy to tell, between 50 and 125 points on the screen: its size [m], and both ends of a line in the lower left corner.
    pub fn rule(&self) -> (f64, [Pos2; 2]) {
        let longest = 125.0 / self.scale;
        let power = 10.0_f64.powf(longest.log10().floor());
        let length = [5.0, 2.0, 1.0].into_iter().map(|digit| digit * power).find(|length| *length <= longest).unwrap_or(power);
        let from = pos2(self.room.left() + MARGIN, self.room.bottom() - 10.0);
        (length, [from, from + egui::vec2((length * self.scale) as f32, 0.0)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_is_in_view_and_what_one_zooms_at_stays_there() {
        let flat = Flat { panels: vec![[[1.0, 2.0], [1.5, 4.0]], [[2.0, 2.0], [3.0, 3.0]]], ..Flat::default() };
        let room = Rect::from_min_size(pos2(100.0, 50.0), egui::vec2(400.0, 200.0));
        let mut sheet = Sheet::new(&flat, room, None);
        for corner in [[1.0, 2.0], [3.0, 4.0]] {
            assert!(room.shrink(10.0).contains(sheet.to_screen(corner)));
        }
        let at = pos2(180.0, 90.0);
        let there = sheet.to_flat(at);
        sheet.zoom(3.0, at);
        assert!((sheet.to_screen(there) - at).length() < 1e-3);
        sheet.pan(egui::vec2(10.0, -20.0));
        assert!((sheet.to_screen(there) - at - egui::vec2(10.0, -20.0)).length() < 1e-3);
        let (length, [from, to]) = sheet.rule();
        assert!((f64::from(to.x - from.x) / sheet.scale - length).abs() < 1e-6 && (49.0..126.0).contains(&(to.x - from.x)));
    }
}
