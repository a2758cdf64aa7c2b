//! A sheet that pictures are put on side by side, and words over them.

use std::sync::Arc;

use glow::HasContext;

use super::target::Target;
use super::{Bound, Painter, PainterError};

/// Pixels that several painters share.
pub struct Sheet {
    gl: Arc<glow::Context>,
    target: Target,
}

impl Sheet {
    /// An empty sheet of `size` (width, height) [pixels].
    ///
    /// # Errors
    /// The driver refuses a sheet of this size.
    pub fn new(gl: &Arc<glow::Context>, size: (u32, u32)) -> Result<Self, PainterError> {
        let bound = Bound::now(gl);
        let target = Target::new(gl, size, glow::RGBA8, 0, false);
        bound.restore(gl);
        Ok(Self { gl: Arc::clone(gl), target: target? })
    }

    /// Width and height [pixels].
    pub fn size(&self) -> (u32, u32) {
        self.target.size
    }

    /// Covers all of it with a colour (sRGB in [0, 1]).
    pub fn fill(&self, [red, green, blue]: [f32; 3]) {
        self.target.begin();
        // SAFETY: the context is current on this thread while pictures are drawn.
        unsafe {
            self.gl.clear_color(red, green, blue, 1.0);
            self.gl.clear(glow::COLOR_BUFFER_BIT);
        }
    }

    /// Puts the last picture of `painter` into a rectangle `[left, bottom, width, height]` [pixels].
    pub fn put(&self, painter: &Painter, rectangle: [i32; 4]) {
        painter.blit(Some(self.target.framebuffer()), rectangle);
    }

    /// Lets `draw` draw over what is there.
    pub fn draw_over(&self, draw: impl FnOnce()) {
        self.target.resume();
        draw();
    }

    /// The pixels, RGBA, the top row first.
    pub fn read(&self) -> image::RgbaImage {
        let (width, height) = self.target.size;
        image::RgbaImage::from_raw(width, height, self.target.read()).unwrap_or_default()
    }
}
