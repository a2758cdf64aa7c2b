//! Drawing without vertex buffers: the shader makes the corners from their numbers.

use std::sync::Arc;

use glow::HasContext;
use three_d::{Program, RenderStates, Viewport};

use super::PainterError;

/// An empty vertex array, which OpenGL's core profile asks for even where nothing is read from it.
pub(super) struct Bare {
    gl: Arc<glow::Context>,
    array: glow::VertexArray,
}

impl Bare {
    /// # Errors
    /// The driver refuses.
    pub fn new(gl: &Arc<glow::Context>) -> Result<Self, PainterError> {
        // SAFETY: the context is current on this thread.
        let array = unsafe { gl.create_vertex_array().map_err(PainterError::Context)? };
        Ok(Self { gl: Arc::clone(gl), array })
    }

    /// Draws `count` corners of a strip of triangles; the program's uniforms are set.
    pub fn strip(&self, program: &Program, states: RenderStates, viewport: Viewport, count: i32) {
        program.draw_with(states, viewport, || {
            // SAFETY: as in `new`; no buffer is read.
            unsafe {
                self.gl.bind_vertex_array(Some(self.array));
                self.gl.draw_arrays(glow::TRIANGLE_STRIP, 0, count);
            }
        });
    }
}

impl Drop for Bare {
    fn drop(&mut self) {
        // SAFETY: as in `new`.
        unsafe { self.gl.delete_vertex_array(self.array) };
    }
}
