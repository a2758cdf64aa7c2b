//! Pictures one after the other: bodies side by side, a legend over them, before a backdrop or before nothing.

use std::sync::Arc;

use egui::{Rect, pos2, vec2};
use image::{Rgba, RgbaImage};

use super::words::Words;
use super::{Offscreen, OffscreenError};
use crate::viewport::legend::{self, Place, Subject};
use crate::viewport::painter::{Painter, Sheet};
use crate::viewport::{Camera, DrawList};

/// Between two views [points].
const GAP: f32 = 4.0;

/// A picture to be drawn.
#[derive(Debug, Clone)]
pub struct Shot {
    /// What is seen and from where, side by side from the left.
    pub panes: Vec<(DrawList, Camera)>,
    /// Width and height [pixels].
    pub size: (u32, u32),
    /// Pixels a point, of lines, discs and the legend.
    pub scale: f32,
    /// Without backdrop and ground: what nothing covers is seen through.
    pub transparent: bool,
    /// The legend that is drawn over it.
    pub legend: Option<LegendDraw>,
    /// Changes whenever what is seen does, whatever the cameras do.
    pub revision: u64,
}

/// A legend in a picture.
#[derive(Debug, Clone, Copy)]
pub struct LegendDraw {
    /// What it tells.
    pub subject: Subject,
    /// Where it stands.
    pub place: Place,
}

/// Draws pictures without a window. Not to be sent to another thread: the context belongs to the one that made it.
pub struct Studio {
    painters: Vec<Painter>,
    sheet: Option<Sheet>,
    words: Option<Words>,
    // Dropped last: everything above is on its graphics card.
    offscreen: Offscreen,
}

impl Studio {
    /// A studio on this thread.
    ///
    /// # Errors
    /// There is no OpenGL without a window.
    pub fn new() -> Result<Self, OffscreenError> {
        Ok(Self { painters: Vec::new(), sheet: None, words: None, offscreen: Offscreen::new()? })
    }

    /// Draws a picture.
    ///
    /// # Errors
    /// The driver cannot draw one of this size, or no words.
    pub fn shoot(&mut self, shot: &Shot) -> Result<RgbaImage, OffscreenError> {
        if !shot.transparent {
            return self.pass(shot, None);
        }
        // What shows of a black ground and of a white one tells how much of it is covered, whatever is drawn and however it is blended.
        let before_black = self.pass(shot, Some([0.0; 3]))?;
        let before_white = self.pass(shot, Some([1.0; 3]))?;
        Ok(uncovered(before_black, &before_white))
    }

    fn pass(&mut self, shot: &Shot, plain: Option<[f32; 3]>) -> Result<RgbaImage, OffscreenError> {
        let gl = &self.offscreen.gl;
        if self.sheet.as_ref().is_none_or(|sheet| sheet.size() != shot.size) {
            self.sheet = None;
        }
        let sheet = match self.sheet.take() {
            Some(sheet) => sheet,
            None => Sheet::new(gl, shot.size)?,
        };
        while self.painters.len() < shot.panes.len() {
            self.painters.push(Painter::smooth(Arc::clone(gl))?);
        }
        sheet.fill(plain.unwrap_or([0.5; 3]));
        let places = places(shot);
        for ((painter, (list, camera)), place) in self.painters.iter_mut().zip(&shot.panes).zip(&places.panes) {
            let [_, _, width, height] = *place;
            painter.set_background(plain);
            painter.draw(list, camera, (width.max(1) as u32, height.max(1) as u32), shot.scale, shot.revision)?;
            sheet.put(painter, *place);
        }
        if let Some(LegendDraw { subject, place }) = shot.legend {
            let words = match self.words.take() {
                Some(words) => words,
                None => Words::new(gl)?,
            };
            let words = self.words.insert(words);
            let lists: Vec<DrawList> = shot.panes.iter().map(|(list, _)| list.clone()).collect();
            let dark = lists.first().is_none_or(|list| list.dark);
            words.write(&sheet, shot.scale, dark, |ui| legend::show(ui, place, places.legend, Ok(&subject), &lists, None));
        }
        Ok(self.sheet.insert(sheet).read())
    }
}

/// Where the parts of a picture are.
struct Places {
    /// Views, each `[left, bottom, width, height]` [pixels].
    panes: Vec<[i32; 4]>,
    /// The legend [points].
    legend: Rect,
}

fn places(shot: &Shot) -> Places {
    let (width, height) = (shot.size.0 as f32, shot.size.1 as f32);
    let whole = Rect::from_min_size(pos2(0.0, 0.0), vec2(width, height) / shot.scale);
    let (views, legend) = shot.legend.map_or((whole, whole), |legend| legend.place.split(whole));
    let count = shot.panes.len().max(1);
    let one = (views.width() - GAP * (count - 1) as f32) / count as f32;
    // Whole pixels, so that nothing is left between the edge and the last view.
    let pixel = |points: f32| (points * shot.scale).round() as i32;
    let bottom = height as i32 - pixel(views.bottom());
    let pane = |k: usize| {
        let left = pixel(k as f32 * (one + GAP));
        let right = if k + 1 == count { width as i32 } else { pixel(k as f32 * (one + GAP) + one) };
        [left, bottom, right - left, height as i32 - bottom]
    };
    Places { panes: (0..shot.panes.len()).map(pane).collect(), legend }
}

/// What covers a black ground as `on_black` shows, and a white one as `on_white` does: its colour, and how much of the ground it covers.
fn uncovered(mut on_black: RgbaImage, on_white: &RgbaImage) -> RgbaImage {
    for (pixel, white) in on_black.pixels_mut().zip(on_white.pixels()) {
        let [dark, light] = [pixel.0, white.0].map(|channels| [channels[0], channels[1], channels[2]].map(f32::from));
        let shows = (0..3).map(|c| light[c] - dark[c]).fold(0.0, f32::max).min(255.0);
        let cover = 1.0 - shows / 255.0;
        let color = |c: usize| if cover > 0.0 { (dark[c] / cover).round().min(255.0) as u8 } else { 0 };
        *pixel = Rgba([color(0), color(1), color(2), (255.0 * cover).round() as u8]);
    }
    on_black
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_covers_half_of_the_ground_is_half_there() {
        let image = |pixels: [[u8; 4]; 3]| RgbaImage::from_fn(3, 1, |x, _| Rgba(pixels[x as usize]));
        let on_black = image([[0, 0, 0, 255], [100, 50, 0, 255], [10, 20, 30, 255]]);
        let on_white = image([[255, 255, 255, 255], [227, 177, 127, 255], [10, 20, 30, 255]]);
        let found = uncovered(on_black, &on_white);
        assert_eq!(found.get_pixel(0, 0).0, [0, 0, 0, 0]);
        let [red, green, blue, alpha] = found.get_pixel(1, 0).0;
        assert!(red.abs_diff(199) <= 1 && green.abs_diff(100) <= 1 && blue == 0 && alpha.abs_diff(128) <= 1, "{:?}", found.get_pixel(1, 0));
        assert_eq!(found.get_pixel(2, 0).0, [10, 20, 30, 255]);
    }

    #[test]
    fn views_and_legend_fill_the_picture() {
        let camera = Camera::default();
        for (count, scale) in [(1, 1.0), (2, 1.0), (2, 1.5), (2, 4.0)] {
            let panes = vec![(DrawList::default(), camera); count];
            let shot = Shot { panes, size: (1001, 601), scale, transparent: false, legend: None, revision: 0 };
            let panes = places(&shot).panes;
            assert_eq!((panes[0][0], panes[0][1], panes[0][3]), (0, 0, 601));
            let [left, _, width, _] = panes[count - 1];
            assert_eq!(left + width, 1001, "{count} views at {scale}");
            assert!(count == 1 || panes[0][2].abs_diff(width) <= 1, "both are as wide");
        }
    }
}
