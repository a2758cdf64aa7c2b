//! Outlines in the image: a silhouette is drawn as a mask, and the pixels just outside of it are tinted.

use std::sync::Arc;

use three_d::{DepthTest, RenderStates, Vec3, WriteMask, vec2, vec4};

use super::mesh::Mesh;
use super::passes::OVER;
use super::target::Target;
use super::tubes::{Style, Tubes};
use super::view::View;
use super::{CLEAR, Painter, PainterError};

/// By how much bars are wider in the mask [points]: the gaps of a fine net are closed.
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

    /// Draws the outline of meshes and bars, of a colour and a width [points], over `target`, which is bound again afterwards.
    pub fn draw<'a>(
        &self,
        painter: &Painter,
        target: &Target,
        view: &View,
        (tint, width): (Vec3, f32),
        things: impl Iterator<Item = (&'a Mesh, Option<&'a Tubes>)>,
    ) {
        let (programs, scale) = (&painter.programs, painter.scale);
        let size = vec2(target.size.0 as f32, target.size.1 as f32);
        let viewport = three_d::Viewport::new_at_origo(target.size.0, target.size.1);
        self.mask.begin();
        programs.silhouette.use_uniform("view_projection", view.view_projection);
        for (mesh, tubes) in things {
            mesh.draw(&programs.silhouette, OVER, viewport);
            // Whatever light falls on white, it is no darkness.
            let style = Style { least: 0.5 * scale, wider: WIDER * scale, tint: vec4(1.0, 1.0, 1.0, 1.0) };
            tubes.iter().for_each(|tubes| tubes.draw(&programs.tube, style, OVER, viewport));
        }
        target.resume();
        self.mask.bind_texture(&programs.outline, "mask");
        programs.outline.use_uniform("pixel", vec2(1.0 / size.x, 1.0 / size.y));
        programs.outline.use_uniform("width", width * scale);
        programs.outline.use_uniform("tint", tint);
        let states = RenderStates { write_mask: WriteMask::COLOR, depth_test: DepthTest::Always, ..CLEAR };
        painter.bare.strip(&programs.outline, states, viewport, 3);
    }
}
