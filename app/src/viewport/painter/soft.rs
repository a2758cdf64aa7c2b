//! How much of the light arrives where: the key light past what stands before it, light of the sky past what lies around. Found at a part
//! of the size of the picture from depths and normals, softened, and read by the shaders of what is lit.

use std::sync::Arc;

use aplomb_sim::math::Vec3;
use nalgebra::{Matrix4, RowVector4};
use three_d::{Blend, DepthTest, Mat4, Program, RenderStates, WriteMask, vec2, vec3, vec4};

use super::bare::Bare;
use super::contents::Contents;
use super::effort::Effort;
use super::layer::{Depth, Layer};
use super::normals::to_f32;
use super::programs::Programs;
use super::shapes::beside;
use super::tubes::Style;
use super::view::{View, matrix};
use super::within::Within;
use super::{LEAST_RADIUS, OPAQUE, PainterError};

/// How far light of the sky is kept off, and how far the edge of a key shadow reaches [radii of the bodies].
const AROUND: f32 = 0.14;
const SPREAD: f32 = 0.009;
/// Depths that differ by more are of different things [radii of the bodies].
const APART: f32 = 0.04;
/// The texture unit that what is lit reads from.
pub(super) const UNIT: u32 = 2;

/// Layers for pictures of one size.
pub(super) struct Soft {
    gl: Arc<glow::Context>,
    /// Depths from the key light.
    map: Layer,
    /// Depths and normals from the eye.
    geometry: Layer,
    /// What arrives: of the sky, of the key, and the depth that it is of in two bytes; softened from one to the other and back.
    arrival: [Layer; 2],
    effort: Effort,
    /// Size of the picture [pixels].
    full: (u32, u32),
    /// The way to the depths from the key light, and the length of a pixel there [m]; none before they are drawn.
    lit: Option<(Mat4, f32)>,
}

impl Soft {
    /// For pictures of this size [pixels].
    ///
    /// # Errors
    /// The driver refuses one of the layers.
    pub fn new(gl: &Arc<glow::Context>, full: (u32, u32), effort: Effort) -> Result<Self, PainterError> {
        let half = (full.0.div_ceil(effort.smaller), full.1.div_ceil(effort.smaller));
        let arrival = || Layer::new(gl, half, Some(glow::NEAREST), Depth::None);
        Ok(Self {
            gl: Arc::clone(gl),
            map: Layer::new(gl, (effort.map, effort.map), None, Depth::Compared)?,
            geometry: Layer::new(gl, half, Some(glow::NEAREST), Depth::Read)?,
            arrival: [arrival()?, arrival()?],
            effort,
            full,
            lit: None,
        })
    }

    /// Forgets what the key light sees: something was moved.
    pub fn forget(&mut self) {
        self.lit = None;
    }

    /// Finds what arrives where in `view`. Binds other framebuffers.
    pub fn draw(&mut self, programs: &Programs, bare: &Bare, contents: &Contents, view: &View) {
        let (to_light, texel) = match self.lit {
            Some(lit) => lit,
            None => *self.lit.insert(self.see_from_light(programs, contents, view)),
        };
        let gl = &self.gl;
        let (width, height) = self.geometry.size;
        let viewport = three_d::Viewport::new_at_origo(width, height);
        self.geometry.begin();
        for program in [&programs.normals, &programs.tube_normals] {
            program.use_uniform("view_projection", view.view_projection);
            program.use_uniform_if_required("eye", view.eye);
        }
        programs.tube_normals.use_uniform("pixel", vec2(2.0 / width as f32, 2.0 / height as f32));
        let style = Style { least: LEAST_RADIUS / self.effort.smaller as f32, wider: 0.0, tint: vec4(0.0, 0.0, 0.0, 0.0) };
        contents.solid().for_each(|(mesh, tubes)| {
            mesh.draw(&programs.normals, OPAQUE, viewport);
            tubes.iter().for_each(|tubes| tubes.draw(&programs.tube_normals, style, OPAQUE, viewport));
        });

        let over = RenderStates { write_mask: WriteMask::COLOR, depth_test: DepthTest::Always, blend: Blend::Disabled, ..OPAQUE };
        let radius = contents.radius as f32;
        let program = &programs.arrival;
        self.geometry.bind_color(program, "normals", 0);
        self.geometry.bind_depth(program, "depths", 1);
        self.map.bind_depth(program, "map", 3);
        program.use_uniform("view_projection", view.view_projection);
        program.use_uniform("to_light", to_light);
        program.use_uniform("eye", view.eye);
        program.use_uniform("key", view.key);
        for (name, ray) in ["ahead", "rightward", "upward"].into_iter().zip(view.rays) {
            program.use_uniform(name, ray);
        }
        program.use_uniform("depth_form", view.depth_form);
        program.use_uniform("far", view.far);
        program.use_uniform("around", AROUND * radius);
        program.use_uniform("spread", SPREAD * radius);
        program.use_uniform("texel", texel);
        program.use_uniform("samples", self.effort.samples);
        program.use_uniform("taps", self.effort.taps);
        let within = contents.casters_on_screen(view, (width, height), 4);
        self.arrival[0].begin();
        within.apply(gl);
        bare.strip(program, over, viewport, 3);

        let program = &programs.soften;
        for (from, to, stride) in [(0, 1, vec2(1.0, 0.0)), (1, 0, vec2(0.0, 1.0))] {
            self.arrival[to].begin();
            within.apply(gl);
            self.arrival[from].bind_color(program, "arrival", 0);
            program.use_uniform("stride", stride);
            program.use_uniform("apart", APART * radius / view.far);
            bare.strip(program, over, viewport, 3);
        }
        Within::lift(gl);
    }

    /// Draws the depths from the key light; gives the way to them, into [0, 1], and the length of a pixel there [m].
    fn see_from_light(&self, programs: &Programs, contents: &Contents, view: &View) -> (Mat4, f32) {
        let key = Vec3::new(view.key.x.into(), view.key.y.into(), view.key.z.into());
        let (u, v) = beside(view.key);
        let axes = [u, v].map(|axis| Vec3::new(axis.x.into(), axis.y.into(), axis.z.into()));
        let corners = contents.caster_corners();
        let range = |axis: &Vec3| {
            let along = corners.iter().map(|corner| corner.dot(axis));
            let (low, high) = along.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
            (0.5 * (low + high), (0.52 * (high - low)).max(1e-9))
        };
        let row = |axis: &Vec3, sign: f64| {
            let (middle, half) = range(axis);
            RowVector4::new(axis.x, axis.y, axis.z, -middle) * (sign / half)
        };
        let last = RowVector4::new(0.0, 0.0, 0.0, 1.0);
        let to_clip = Matrix4::from_rows(&[row(&axes[0], 1.0), row(&axes[1], 1.0), row(&key, -1.0), last]);
        let viewport = three_d::Viewport::new_at_origo(self.effort.map, self.effort.map);
        let states = RenderStates { write_mask: WriteMask::DEPTH, ..OPAQUE };
        let wide = range(&axes[0]).1.max(range(&axes[1]).1);
        self.map.begin();
        programs.silhouette.use_uniform("view_projection", matrix(&to_clip));
        let tube = &programs.tube_normals;
        tube.use_uniform("view_projection", matrix(&to_clip));
        tube.use_uniform("eye", to_f32(&(200.0 * wide * key)));
        tube.use_uniform("pixel", vec2(1.0, 1.0) * (2.0 / self.effort.map as f32));
        let style = Style { least: 0.5, wider: 0.0, tint: vec4(0.0, 0.0, 0.0, 0.0) };
        contents.solid().for_each(|(mesh, tubes)| {
            mesh.draw(&programs.silhouette, states, viewport);
            tubes.iter().for_each(|tubes| tubes.draw(tube, style, states, viewport));
        });
        let into_unit = Matrix4::new_translation(&Vec3::repeat(0.5)) * Matrix4::new_scaling(0.5);
        (matrix(&(into_unit * to_clip)), (2.0 * wide / f64::from(self.effort.map)) as f32)
    }

    /// Lets a program that lights read what arrives.
    pub fn bind(&self, program: &Program, view: &View, radius: f64) {
        self.arrival[0].bind_color(program, "arrival", UNIT);
        let share = |half: u32, full: u32| half as f32 / full as f32;
        let (half, full) = (self.geometry.size, self.full);
        program.use_uniform_if_required("arrival_scale", vec2(share(half.0, full.0), share(half.1, full.1)));
        program.use_uniform_if_required("arrival_depth", vec3(view.far, APART * radius as f32, 1.0));
    }

    /// Tells a program that lights that all of it arrives.
    pub fn unbind(program: &Program) {
        program.use_uniform_if_required("arrival", UNIT as i32);
        program.use_uniform_if_required("arrival_scale", vec2(1.0, 1.0));
        program.use_uniform_if_required("arrival_depth", vec3(1.0, 1.0, 0.0));
    }
}
