//! What is on the screen.

use std::path::Path;

use image::{Rgb, RgbImage};

/// Difference of a channel below which two colours look alike.
const ALIKE: u8 = 12;

/// A part of the screen [pixels].
#[derive(Debug, Clone, Copy)]
pub struct Area {
    /// Left and upper edge.
    pub from: (u32, u32),
    /// Right and lower edge, not part of it.
    pub to: (u32, u32),
}

impl Area {
    /// A square about a point.
    pub fn around((x, y): (u32, u32), reach: u32) -> Self {
        Self { from: (x.saturating_sub(reach), y.saturating_sub(reach)), to: (x + reach, y + reach) }
    }

    /// The point at these shares of its width and height.
    pub fn at(self, across: f64, down: f64) -> (u32, u32) {
        let between = |from: u32, to: u32, share: f64| from + (share * f64::from(to - from)) as u32;
        (between(self.from.0, self.to.0, across), between(self.from.1, self.to.1, down))
    }

    fn pixels(self) -> impl Iterator<Item = (u32, u32)> {
        (self.from.1..self.to.1).flat_map(move |y| (self.from.0..self.to.0).map(move |x| (x, y)))
    }
}

/// A picture of the screen.
pub struct Picture(RgbImage);

impl Picture {
    /// Decodes a PNG.
    pub fn read(png: &[u8]) -> Self {
        Self(image::load_from_memory(png).unwrap().to_rgb8())
    }

    /// Pixels of `area` that `chosen` picks.
    pub fn count(&self, area: Area, chosen: impl Fn([u8; 3]) -> bool) -> usize {
        area.pixels().filter(|&(x, y)| chosen(self.0.get_pixel(x, y).0)).count()
    }

    /// The smallest part of `area` around the pixels that `chosen` picks; all of it where there are none.
    pub fn around(&self, area: Area, chosen: impl Fn([u8; 3]) -> bool) -> Area {
        let picked = area.pixels().filter(|&(x, y)| chosen(self.0.get_pixel(x, y).0)).map(|at| Area { from: at, to: (at.0 + 1, at.1 + 1) });
        let whole = picked
            .reduce(|a, b| Area { from: (a.from.0.min(b.from.0), a.from.1.min(b.from.1)), to: (a.to.0.max(b.to.0), a.to.1.max(b.to.1)) });
        whole.unwrap_or(area)
    }

    /// Pixels of `area` in about this colour.
    pub fn count_of(&self, area: Area, color: [u8; 3]) -> usize {
        self.count(area, |pixel| alike(Rgb(pixel), Rgb(color)))
    }

    /// Pixels of `area` that look different in `other`.
    pub fn differences(&self, other: &Self, area: Area) -> usize {
        area.pixels().filter(|&(x, y)| !alike(*self.0.get_pixel(x, y), *other.0.get_pixel(x, y))).count()
    }

    /// Writes a PNG, for people to see what went wrong.
    pub fn save(&self, path: &Path) {
        self.0.save(path).unwrap();
    }
}

fn alike(a: Rgb<u8>, b: Rgb<u8>) -> bool {
    a.0.iter().zip(b.0).all(|(a, b)| a.abs_diff(b) <= ALIKE)
}
