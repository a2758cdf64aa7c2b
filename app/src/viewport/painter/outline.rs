//! The outline of what is selected, in the image: its silhouette is drawn as a mask, and the pixels just outside of that are tinted.

use std::sync::Arc;

use three_d::{Blend, DepthTest, RenderStates, Vec3, WriteMask, vec2, vec4};

use super::bare::Bare;
use super::mesh::Mesh;
use super::programs::Programs;
use super::target::Target;
use super::tubes::{Style, Tubes};
use super::view::View;
use super::{CLEAR, PainterError};

/// How far the outline reaches outside [pixels of a picture that is 900 high].
const REACH: f32 = 1.5;
/// By how much bars are wider in the mask [pixels of the same]: the gaps of a fine net are closed.
const WIDER: f32 = 2.0;

/// The mask of a silhouette.
pub(super) struct Outline {
    mask: Target,
}

impl Outline {
    /// For pictures of this size [pixels].
    ///
    /// # Errors
    /// The driver refuses the mask.
    pub fn new(gl: &Arc<glow::Context>, size: (u32, u32)) -> Result<Self, PainterError> {
        Ok(Self { mask: Target::new(gl, size, glow::R8, 0, false)? })
    }

    /// Draws the outline of a mesh and of bars over `target`, which is bound again afterwards.
    pub fn draw(&self, programs: &Programs, bare: &Bare, view: &View, target: &Target, tint: Vec3, (mesh, tubes): (&Mesh, Option<&Tubes>)) {
        let (width, height) = target.size;
        let viewport = three_d::Viewport::new_at_origo(width, height);
        let over = RenderStates { write_mask: WriteMask::COLOR, depth_test: DepthTest::Always, blend: Blend::Disabled, ..CLEAR };
        let scale = 1.0_f32.max(height as f32 / 900.0);
        self.mask.begin();
        programs.silhouette.use_uniform("view_projection", view.view_projection);
        mesh.draw(&programs.silhouette, over, viewport);
        if let Some(tubes) = tubes {
            // Whatever light falls on white, it is no darkness.
            let style = Style { least: 0.5 * scale, wider: WIDER * scale, tint: vec4(1.0, 1.0, 1.0, 1.0) };
            tubes.draw(&programs.tube, style, over, viewport);
        }
        target.resume();
        self.mask.bind_texture(&programs.outline, "mask");
        programs.outline.use_uniform("reach", vec2(1.0 / width as f32, 1.0 / height as f32) * (REACH * scale));
        programs.outline.use_uniform("tint", tint);
        bare.strip(&programs.outline, RenderStates { write_mask: WriteMask::COLOR, depth_test: DepthTest::Always, ..CLEAR }, viewport, 3);
    }
}
