//! Textures behind a framebuffer, drawn in one pass and read in another.

use std::sync::Arc;

use glow::HasContext;
use three_d::Program;

use super::PainterError;

/// Depths of a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Depth {
    /// None are kept.
    None,
    /// Read as they are.
    Read,
    /// Compared with those of the reader, between neighbours smoothly.
    Compared,
}

/// A texture of colours, of depths, or both.
pub(super) struct Layer {
    gl: Arc<glow::Context>,
    /// Width and height [pixels].
    pub size: (u32, u32),
    color: Option<glow::Texture>,
    depth: Option<glow::Texture>,
    framebuffer: glow::Framebuffer,
}

impl Layer {
    /// `color`: the filter for reading eight bits of four channels, `glow::LINEAR` or `glow::NEAREST`; `None` for depths alone.
    ///
    /// # Errors
    /// The driver refuses textures of this size.
    pub fn new(gl: &Arc<glow::Context>, size: (u32, u32), color: Option<u32>, depth: Depth) -> Result<Self, PainterError> {
        let refused = |message: String| PainterError::Framebuffer { width: size.0, height: size.1, message };
        // SAFETY: the context is current on this thread, and every object is made by it.
        unsafe {
            let framebuffer = gl.create_framebuffer().map_err(refused)?;
            let mut layer = Self { gl: Arc::clone(gl), size, color: None, depth: None, framebuffer };
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
            if let Some(filter) = color {
                layer.color = Some(layer.attach(glow::COLOR_ATTACHMENT0, glow::RGBA8, filter, false)?);
            } else {
                gl.draw_buffers(&[glow::NONE]);
                gl.read_buffer(glow::NONE);
            }
            if depth != Depth::None {
                let compared = depth == Depth::Compared;
                let filter = if compared { glow::LINEAR } else { glow::NEAREST };
                layer.depth = Some(layer.attach(glow::DEPTH_ATTACHMENT, glow::DEPTH_COMPONENT24, filter, compared)?);
            }
            match gl.check_framebuffer_status(glow::FRAMEBUFFER) {
                glow::FRAMEBUFFER_COMPLETE => Ok(layer),
                status => Err(refused(format!("incomplete, status {status:#x}"))),
            }
        }
    }

    /// Gives the bound framebuffer a texture.
    unsafe fn attach(&self, place: u32, format: u32, filter: u32, compared: bool) -> Result<glow::Texture, PainterError> {
        let (gl, (width, height)) = (&self.gl, self.size);
        // SAFETY: as in `new`.
        unsafe {
            let texture = gl.create_texture().map_err(|message| PainterError::Framebuffer { width, height, message })?;
            gl.bind_texture(glow::TEXTURE_2D, Some(texture));
            gl.tex_storage_2d(glow::TEXTURE_2D, 1, format, width as i32, height as i32);
            for (parameter, value) in [
                (glow::TEXTURE_MIN_FILTER, filter),
                (glow::TEXTURE_MAG_FILTER, filter),
                (glow::TEXTURE_WRAP_S, glow::CLAMP_TO_EDGE),
                (glow::TEXTURE_WRAP_T, glow::CLAMP_TO_EDGE),
                (glow::TEXTURE_COMPARE_MODE, if compared { glow::COMPARE_REF_TO_TEXTURE } else { glow::NONE }),
                (glow::TEXTURE_COMPARE_FUNC, glow::LEQUAL),
            ] {
                gl.tex_parameter_i32(glow::TEXTURE_2D, parameter, value as i32);
            }
            gl.bind_texture(glow::TEXTURE_2D, None);
            gl.framebuffer_texture_2d(glow::FRAMEBUFFER, place, glow::TEXTURE_2D, Some(texture), 0);
            Ok(texture)
        }
    }

    /// Makes everything that follows draw here, with colour zero and the depth far away.
    pub fn begin(&self) {
        // SAFETY: as in `new`.
        unsafe {
            self.gl.bind_framebuffer(glow::FRAMEBUFFER, Some(self.framebuffer));
            self.gl.disable(glow::SCISSOR_TEST);
            self.gl.color_mask(true, true, true, true);
            self.gl.depth_mask(true);
            self.gl.clear_color(0.0, 0.0, 0.0, 0.0);
            self.gl.clear_depth_f32(1.0);
            let bits = |there: bool, bit| if there { bit } else { 0 };
            self.gl.clear(bits(self.color.is_some(), glow::COLOR_BUFFER_BIT) | bits(self.depth.is_some(), glow::DEPTH_BUFFER_BIT));
        }
    }

    /// Lets the sampler `name` of a program read the colours, through texture unit `unit`.
    pub fn bind_color(&self, program: &Program, name: &str, unit: u32) {
        self.bind(self.color, program, name, unit);
    }

    /// As [`Layer::bind_color`], for the depths.
    pub fn bind_depth(&self, program: &Program, name: &str, unit: u32) {
        self.bind(self.depth, program, name, unit);
    }

    fn bind(&self, texture: Option<glow::Texture>, program: &Program, name: &str, unit: u32) {
        program.use_uniform_if_required(name, unit as i32);
        // SAFETY: as in `new`.
        unsafe {
            self.gl.active_texture(glow::TEXTURE0 + unit);
            self.gl.bind_texture(glow::TEXTURE_2D, texture);
        }
    }
}

impl Drop for Layer {
    fn drop(&mut self) {
        // SAFETY: as in `new`.
        unsafe {
            self.gl.delete_framebuffer(self.framebuffer);
            self.color.into_iter().chain(self.depth).for_each(|texture| self.gl.delete_texture(texture));
        }
    }
}
