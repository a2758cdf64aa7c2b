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

/// A kind of outline.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pen {
    /// Its colour, sRGB.
    pub tint: Vec3,
    /// Its width [points].
    pub width: f32,
    /// Whether it runs inside of the silhouette, as opposed to around it.
    pub within: bool,
}

/// The mask of a silhouette.
pub(super) struct Outline {
    mask: Target,
}

impl Outline {
    /// For pictures of this size [pixels], of so many samples a pixel.
    ///
    /// # Errors
    /// The driver refuses the mask.
    pub fn new(gl: &Arc<glow::Context>, size: (u32, u32), samples: i32) -> Result<Self, PainterError> {
        Ok(Self { mask: Target::new(gl, size, glow::R8, samples, false)? })
    }

    /// Draws the outline of meshes and bars over `target`, which is bound again afterwards.
    pub fn draw<'a>(
        &self,
        painter: &Painter,
        target: &Target,
        view: &View,
        pen: Pen,
        things: impl Iterator<Item = (&'a Mesh, Option<&'a Tubes>)>,
    ) {
        let (programs, scale) = (&painter.programs, painter.scale);
        let size = vec2(target.size.0 as f32, target.size.1 as f32);
        let viewport = three_d::Viewport::new_at_origo(target.size.0, target.size.1);
        self.mask.begin();
        programs.silhouette.use_uniform("view_projection", view.view_projection);
        programs.tube_silhouette.use_uniform("view_projection", view.view_projection);
        programs.tube_silhouette.use_uniform("eye", view.eye);
        programs.tube_silhouette.use_uniform("pixel", vec2(2.0 / size.x, 2.0 / size.y));
        for (mesh, tubes) in things {
            mesh.draw(&programs.silhouette, OVER, viewport);
            let style = Style { least: 0.5 * scale, wider: WIDER * scale, tint: vec4(0.0, 0.0, 0.0, 0.0) };
            tubes.iter().for_each(|tubes| tubes.draw(&programs.tube_silhouette, style, OVER, viewport));
        }
        self.mask.resolve();
        target.resume();
        self.mask.bind_texture(&programs.outline, "mask");
        programs.outline.use_uniform("pixel", vec2(1.0 / size.x, 1.0 / size.y));
        programs.outline.use_uniform("width", pen.width * scale);
        programs.outline.use_uniform("tint", pen.tint);
        programs.outline.use_uniform("within", i32::from(pen.within));
        let states = RenderStates { write_mask: WriteMask::COLOR, depth_test: DepthTest::Always, ..CLEAR };
        painter.bare.strip(&programs.outline, states, viewport, 3);
    }
}
