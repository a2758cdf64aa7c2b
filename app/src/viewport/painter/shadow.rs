//! The soft shadow of bodies and obstacles on a plane: everything flattened into a small mask, and the mask blurred.

use std::sync::Arc;

use nalgebra::{Matrix4, RowVector4};
use three_d::{Blend, BlendEquationType, BlendMultiplierType, RenderStates, WriteMask, vec2};

use super::PainterError;
use super::bare::Bare;
use super::mesh::Mesh;
use super::plane::Plane;
use super::programs::Programs;
use super::target::Target;
use super::view::matrix;

/// Side of the mask [pixels].
const SIDE: u32 = 256;

/// Blends by the maximum: layers do not add up.
const MAXIMUM: Blend = Blend::Enabled {
    source_rgb_multiplier: BlendMultiplierType::One,
    source_alpha_multiplier: BlendMultiplierType::One,
    destination_rgb_multiplier: BlendMultiplierType::One,
    destination_alpha_multiplier: BlendMultiplierType::One,
    rgb_equation: BlendEquationType::Max,
    alpha_equation: BlendEquationType::Max,
};

/// Two masks, blurred from one to the other and back.
pub(super) struct Shadow {
    masks: [Target; 2],
}

impl Shadow {
    /// # Errors
    /// The driver refuses the masks.
    pub fn new(gl: &Arc<glow::Context>) -> Result<Self, PainterError> {
        let mask = || Target::new(gl, (SIDE, SIDE), glow::R8, 0, false);
        Ok(Self { masks: [mask()?, mask()?] })
    }

    /// Draws the shadow of `meshes`, whose coordinates are relative to `origin`, on a square of the plane with this half
    /// side [m], and gives the mask. Binds other framebuffers.
    pub fn draw<'a>(
        &self,
        programs: &Programs,
        bare: &Bare,
        plane: &Plane,
        origin: &aplomb_sim::math::Vec3,
        extent: f64,
        meshes: impl Iterator<Item = &'a Mesh>,
    ) -> &Target {
        let [u, v] = plane.axes;
        let row =
            |axis: aplomb_sim::math::Vec3, scale: f64| RowVector4::new(axis.x, axis.y, axis.z, -axis.dot(&(plane.middle - origin))) / scale;
        let last = RowVector4::new(0.0, 0.0, 0.0, 1.0);
        let to_plane = Matrix4::from_rows(&[row(u, extent), row(v, extent), row(plane.normal, 1.0), last]);
        let viewport = three_d::Viewport::new_at_origo(SIDE, SIDE);
        let states =
            RenderStates { write_mask: WriteMask::COLOR, depth_test: three_d::DepthTest::Always, blend: MAXIMUM, ..Default::default() };
        programs.shadow.use_uniform("to_plane", matrix(&to_plane));
        programs.shadow.use_uniform("reach", (0.16 * extent) as f32);
        self.masks[0].begin();
        meshes.for_each(|mesh| mesh.draw(&programs.shadow, states, viewport));
        let states = RenderStates { blend: Blend::Disabled, ..states };
        for (from, to, stride) in [(0, 1, vec2(1.0, 0.0)), (1, 0, vec2(0.0, 1.0))] {
            self.masks[to].begin();
            self.masks[from].bind_texture(&programs.blur, "mask");
            programs.blur.use_uniform("stride", stride * (1.0 / SIDE as f32));
            bare.strip(&programs.blur, states, viewport, 3);
        }
        &self.masks[0]
    }
}
