//! A body from one side, flat and without perspective: where its regions are.

use aplomb_sim::math::{Vec3, bounding_box};
use egui::{Color32, ColorImage};

use crate::drawing::Held;
use crate::session::ModelBody;

/// Width and height of a picture [pixels]; twice those of what is shown, for screens that are fine.
const SIZE: [usize; 2] = [240, 240];
/// Room around the body [pixels].
const MARGIN: f64 = 10.0;
/// What is in no region.
const PLAIN: [u8; 3] = [0x8C, 0x88, 0x82];
/// How bright is what is seen edge on.
const EDGE_ON: f64 = 0.55;

/// A side to look from: its name, and the axes that point to the right, up and towards the eye.
pub struct Side {
    /// Its name.
    pub name: &'static str,
    axes: [[f64; 3]; 3],
}

/// From the front, from the right, from above.
pub const SIDES: [Side; 3] = [
    Side { name: "front", axes: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] },
    Side { name: "side", axes: [[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]] },
    Side { name: "top", axes: [[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]] },
];

/// The body in the given shape, its regions in their `colors`; transparent where it is not.
pub fn draw(body: &ModelBody, colors: &[[u8; 3]], held: &Held, side: usize) -> ColorImage {
    let positions: &[Vec3] = body.skin.as_ref().map_or(&body.mesh.positions, |skin| &skin.positions);
    let axes = SIDES[side].axes.map(Vec3::from);
    let seen: Vec<Vec3> = positions.iter().map(|x| Vec3::new(axes[0].dot(x), axes[1].dot(x), axes[2].dot(x))).collect();
    let mut sheet = Sheet::around(&seen);
    let at: Vec<Vec3> = seen.iter().map(|x| sheet.place(x)).collect();
    let color = |holder: Option<usize>| holder.map_or(PLAIN, |r| colors[r]);
    for (corners, holder) in body.surface_triangles(false).iter().zip(&held.faces) {
        sheet.triangle(&corners.map(|v| at[v as usize]), color(*holder));
    }
    for ends in body.lines.iter() {
        let [from, to] = ends.map(|v| held.vertices[v as usize]);
        sheet.line(ends.map(|v| at[v as usize]), color(from.filter(|_| from == to)));
    }
    ColorImage::new(SIZE, sheet.pixels)
}

/// Pixels with their distances.
struct Sheet {
    pixels: Vec<Color32>,
    /// How near to the eye they are.
    depth: Vec<f64>,
    middle: Vec3,
    /// Pixels a metre.
    scale: f64,
}

impl Sheet {
    /// One that has room for all that is at `seen`.
    fn around(seen: &[Vec3]) -> Self {
        let (low, high) = bounding_box(seen);
        let extent = high - low;
        let room = |axis: usize| (SIZE[axis] as f64 - 2.0 * MARGIN) / extent[axis].max(f64::MIN_POSITIVE);
        let scale = room(0).min(room(1));
        let count = SIZE[0] * SIZE[1];
        let scale = if scale.is_finite() { scale } else { 1.0 };
        Self { pixels: vec![Color32::TRANSPARENT; count], depth: vec![f64::NEG_INFINITY; count], middle: 0.5 * (low + high), scale }
    }

    /// Where something is [pixels], its depth too.
    fn place(&self, x: &Vec3) -> Vec3 {
        let from = self.scale * (x - self.middle);
        Vec3::new(0.5 * SIZE[0] as f64 + from.x, 0.5 * SIZE[1] as f64 - from.y, from.z)
    }

    fn put(&mut self, (x, y): (usize, usize), depth: f64, color: Color32) {
        let pixel = y * SIZE[0] + x;
        if x < SIZE[0] && y < SIZE[1] && depth > self.depth[pixel] {
            (self.depth[pixel], self.pixels[pixel]) = (depth, color);
        }
    }

    /// A triangle, brighter the more it faces the eye.
    fn triangle(&mut self, corners: &[Vec3; 3], color: [u8; 3]) {
        let [a, b, c] = corners;
        let across = (b - a).cross(&(c - a));
        let facing = across.z.abs() / across.norm();
        if !facing.is_finite() {
            return;
        }
        let color = shaded(color, EDGE_ON + (1.0 - EDGE_ON) * facing);
        let span = |axis: usize| {
            let (low, high) = (a[axis].min(b[axis]).min(c[axis]), a[axis].max(b[axis]).max(c[axis]));
            low.floor().max(0.0) as usize..(high.ceil().max(0.0) as usize + 1).min(SIZE[axis])
        };
        for y in span(1) {
            for x in span(0) {
                let p = Vec3::new(x as f64 + 0.5, y as f64 + 0.5, 0.0);
                let part = |from: &Vec3, to: &Vec3| (to.x - from.x) * (p.y - from.y) - (to.y - from.y) * (p.x - from.x);
                let shares = [part(b, c), part(c, a), part(a, b)].map(|area| area / across.z);
                if shares.iter().all(|share| *share >= 0.0) {
                    self.put((x, y), shares[0] * a.z + shares[1] * b.z + shares[2] * c.z, color);
                }
            }
        }
        // What is smaller than a pixel is seen all the same.
        let middle = (a + b + c) / 3.0;
        if middle.x >= 0.0 && middle.y >= 0.0 {
            self.put((middle.x as usize, middle.y as usize), middle.z, color);
        }
    }

    fn line(&mut self, [from, to]: [Vec3; 2], color: [u8; 3]) {
        let color = shaded(color, 1.0);
        let steps = (to - from).xy().abs().max().ceil().clamp(1.0, (SIZE[0] + SIZE[1]) as f64) as usize;
        for step in 0..=steps {
            let at = from.lerp(&to, step as f64 / steps as f64);
            if at.x >= 0.0 && at.y >= 0.0 {
                self.put((at.x as usize, at.y as usize), at.z, color);
            }
        }
    }
}

fn shaded(color: [u8; 3], light: f64) -> Color32 {
    let [red, green, blue] = color.map(|part| (f64::from(part) * light).round() as u8);
    Color32::from_rgb(red, green, blue)
}
