//! The state of OpenGL that whoever called had.

use glow::HasContext;

/// What egui does not set again by itself.
pub(super) struct Bound {
    framebuffer: Option<glow::Framebuffer>,
    scissor: bool,
    scissored: [i32; 4],
    viewport: [i32; 4],
}

impl Bound {
    /// Asks for it.
    pub fn now(gl: &glow::Context) -> Self {
        let (mut viewport, mut scissored) = ([0; 4], [0; 4]);
        // SAFETY: asks the current context; a viewport is four numbers.
        unsafe {
            gl.get_parameter_i32_slice(glow::VIEWPORT, &mut viewport);
            gl.get_parameter_i32_slice(glow::SCISSOR_BOX, &mut scissored);
            Self {
                framebuffer: gl.get_parameter_framebuffer(glow::DRAW_FRAMEBUFFER_BINDING),
                scissor: gl.is_enabled(glow::SCISSOR_TEST),
                scissored,
                viewport,
            }
        }
    }

    /// Sets it again.
    pub fn restore(self, gl: &glow::Context) {
        let [x, y, width, height] = self.viewport;
        let [left, bottom, wide, high] = self.scissored;
        // SAFETY: sets what was in force before, and the defaults of what every drawer sets for itself.
        unsafe {
            gl.bind_framebuffer(glow::FRAMEBUFFER, self.framebuffer);
            gl.viewport(x, y, width, height);
            gl.scissor(left, bottom, wide, high);
            if self.scissor {
                gl.enable(glow::SCISSOR_TEST);
            }
            gl.active_texture(glow::TEXTURE0);
            gl.disable(glow::DEPTH_TEST);
            gl.disable(glow::STENCIL_TEST);
            gl.disable(glow::CULL_FACE);
            gl.blend_equation(glow::FUNC_ADD);
            gl.color_mask(true, true, true, true);
            gl.depth_mask(true);
        }
    }
}
