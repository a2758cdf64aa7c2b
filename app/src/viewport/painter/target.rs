//! Where the picture is drawn: a framebuffer with depth, smoothed by multisampling where asked, and resolved to a texture.

use std::sync::Arc;

use glow::HasContext;

use super::PainterError;

/// A colour texture behind a framebuffer, and the multisampled buffers drawn to before it.
pub(super) struct Target {
    gl: Arc<glow::Context>,
    /// Width and height [pixels].
    pub size: (u32, u32),
    texture: glow::Texture,
    resolved: glow::Framebuffer,
    drawn: glow::Framebuffer,
    buffers: Vec<glow::Renderbuffer>,
}

impl Target {
    /// `samples` 0 or 1 is no multisampling. `format`: `glow::RGBA8` or `glow::R8`. `depth`: with a buffer of depths, and of marks.
    ///
    /// # Errors
    /// The driver refuses buffers of this size.
    pub fn new(gl: &Arc<glow::Context>, size: (u32, u32), format: u32, samples: i32, depth: bool) -> Result<Self, PainterError> {
        let (width, height) = (size.0 as i32, size.1 as i32);
        let refused = |message: String| PainterError::Framebuffer { width: size.0, height: size.1, message };
        // SAFETY: the context is current on this thread, and every object is made by it.
        unsafe {
            let texture = gl.create_texture().map_err(refused)?;
            gl.bind_texture(glow::TEXTURE_2D, Some(texture));
            gl.tex_storage_2d(glow::TEXTURE_2D, 1, format, width, height);
            for (parameter, value) in [
                (glow::TEXTURE_MIN_FILTER, glow::LINEAR),
                (glow::TEXTURE_MAG_FILTER, glow::LINEAR),
                (glow::TEXTURE_WRAP_S, glow::CLAMP_TO_EDGE),
                (glow::TEXTURE_WRAP_T, glow::CLAMP_TO_EDGE),
            ] {
                gl.tex_parameter_i32(glow::TEXTURE_2D, parameter, value as i32);
            }
            gl.bind_texture(glow::TEXTURE_2D, None);
            let resolved = gl.create_framebuffer().map_err(refused)?;
            let mut target = Self { gl: Arc::clone(gl), size, texture, resolved, drawn: resolved, buffers: Vec::new() };
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(resolved));
            gl.framebuffer_texture_2d(glow::FRAMEBUFFER, glow::COLOR_ATTACHMENT0, glow::TEXTURE_2D, Some(texture), 0);
            if samples > 1 {
                target.drawn = gl.create_framebuffer().map_err(refused)?;
                gl.bind_framebuffer(glow::FRAMEBUFFER, Some(target.drawn));
                target.attach(glow::COLOR_ATTACHMENT0, format, samples)?;
            }
            if depth {
                target.attach(glow::DEPTH_STENCIL_ATTACHMENT, glow::DEPTH24_STENCIL8, if samples > 1 { samples } else { 0 })?;
            }
            match gl.check_framebuffer_status(glow::FRAMEBUFFER) {
                glow::FRAMEBUFFER_COMPLETE => Ok(target),
                status => Err(refused(format!("incomplete, status {status:#x}"))),
            }
        }
    }

    /// Gives the bound framebuffer a renderbuffer.
    unsafe fn attach(&mut self, place: u32, format: u32, samples: i32) -> Result<(), PainterError> {
        let gl = &self.gl;
        let (width, height) = self.size;
        // SAFETY: as in `new`.
        unsafe {
            let buffer = gl.create_renderbuffer().map_err(|message| PainterError::Framebuffer { width, height, message })?;
            gl.bind_renderbuffer(glow::RENDERBUFFER, Some(buffer));
            gl.renderbuffer_storage_multisample(glow::RENDERBUFFER, samples, format, width as i32, height as i32);
            gl.framebuffer_renderbuffer(glow::FRAMEBUFFER, place, glow::RENDERBUFFER, Some(buffer));
            gl.bind_renderbuffer(glow::RENDERBUFFER, None);
            self.buffers.push(buffer);
        }
        Ok(())
    }

    /// Makes everything that follows draw here, with colour zero, the depth far away, and no marks.
    pub fn begin(&self) {
        // SAFETY: as in `new`.
        unsafe {
            self.gl.bind_framebuffer(glow::FRAMEBUFFER, Some(self.drawn));
            self.gl.disable(glow::SCISSOR_TEST);
            self.gl.color_mask(true, true, true, true);
            self.gl.depth_mask(true);
            self.gl.clear_color(0.0, 0.0, 0.0, 0.0);
            self.gl.clear_depth_f32(1.0);
            self.gl.stencil_mask(0xff);
            self.gl.clear_stencil(0);
            self.gl.clear(glow::COLOR_BUFFER_BIT | glow::DEPTH_BUFFER_BIT | glow::STENCIL_BUFFER_BIT);
        }
    }

    /// Makes everything that follows draw here again, over what is there.
    pub fn resume(&self) {
        // SAFETY: as in `new`.
        unsafe { self.gl.bind_framebuffer(glow::FRAMEBUFFER, Some(self.drawn)) };
    }

    /// Where the resolved picture is.
    pub fn framebuffer(&self) -> glow::Framebuffer {
        self.resolved
    }

    /// Averages the samples into the texture.
    pub fn resolve(&self) {
        if self.drawn != self.resolved {
            self.copy(self.drawn, Some(self.resolved), [0, 0, self.size.0 as i32, self.size.1 as i32]);
        }
    }

    /// Copies the texture into the rectangle `[left, bottom, width, height]` of another framebuffer (`None`: the window),
    /// which stays bound. The scissor in force applies.
    pub fn blit(&self, to: Option<glow::Framebuffer>, rectangle: [i32; 4]) {
        self.copy(self.resolved, to, rectangle);
        // SAFETY: as in `new`.
        unsafe { self.gl.bind_framebuffer(glow::FRAMEBUFFER, to) };
    }

    fn copy(&self, from: glow::Framebuffer, to: Option<glow::Framebuffer>, [left, bottom, width, height]: [i32; 4]) {
        let (right, top) = (self.size.0 as i32, self.size.1 as i32);
        let filter = if (width, height) == (right, top) { glow::NEAREST } else { glow::LINEAR };
        // SAFETY: as in `new`.
        unsafe {
            self.gl.bind_framebuffer(glow::READ_FRAMEBUFFER, Some(from));
            self.gl.bind_framebuffer(glow::DRAW_FRAMEBUFFER, to);
            self.gl.blit_framebuffer(0, 0, right, top, left, bottom, left + width, bottom + height, glow::COLOR_BUFFER_BIT, filter);
        }
    }

    /// Lets the sampler `name` of a program read the resolved texture.
    pub fn bind_texture(&self, program: &three_d::Program, name: &str) {
        program.use_uniform(name, 0_i32);
        // SAFETY: as in `new`.
        unsafe {
            self.gl.active_texture(glow::TEXTURE0);
            self.gl.bind_texture(glow::TEXTURE_2D, Some(self.texture));
        }
    }

    /// The resolved pixels, RGBA, the top row first.
    pub fn read(&self) -> Vec<u8> {
        let (width, height) = (self.size.0 as usize, self.size.1 as usize);
        let mut pixels = vec![0; 4 * width * height];
        // SAFETY: as in `new`; the buffer holds four bytes a pixel.
        unsafe {
            self.gl.bind_framebuffer(glow::FRAMEBUFFER, Some(self.resolved));
            let data = glow::PixelPackData::Slice(Some(&mut pixels));
            self.gl.read_pixels(0, 0, width as i32, height as i32, glow::RGBA, glow::UNSIGNED_BYTE, data);
        }
        pixels.chunks_exact(4 * width).rev().flatten().copied().collect()
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        // SAFETY: as in `new`.
        unsafe {
            self.gl.delete_framebuffer(self.resolved);
            if self.drawn != self.resolved {
                self.gl.delete_framebuffer(self.drawn);
            }
            self.gl.delete_texture(self.texture);
            self.buffers.iter().for_each(|&buffer| self.gl.delete_renderbuffer(buffer));
        }
    }
}
