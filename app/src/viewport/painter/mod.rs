//! Draws a [`DrawList`] with OpenGL 3.3 or OpenGL ES 3, into a framebuffer of its own that is copied where it is wanted.

mod bare;
mod body;
mod contents;
mod glyphs;
mod lines;
mod mesh;
mod normals;
mod outline;
mod palette;
mod plane;
mod programs;
mod shadow;
mod shapes;
mod target;
#[cfg(test)]
mod tests;
mod tubes;
mod view;

use std::sync::Arc;

use glow::HasContext;
use three_d::{Blend, Context, Cull, DepthTest, Program, RenderStates, WriteMask, vec2, vec4};

use super::{Camera, DrawList};
use bare::Bare;
use contents::Contents;
use outline::Outline;
use palette::{ACCENT, Palette, palette};
pub use palette::{force_colors, legend};
use programs::Programs;
use shadow::Shadow;
use target::Target;
use tubes::Style;
use view::View;

/// Opaque things.
const OPAQUE: RenderStates =
    RenderStates { write_mask: WriteMask::COLOR_AND_DEPTH, depth_test: DepthTest::Less, blend: Blend::Disabled, cull: Cull::None };
/// Things that one sees through.
const CLEAR: RenderStates =
    RenderStates { write_mask: WriteMask::COLOR, depth_test: DepthTest::LessOrEqual, blend: Blend::TRANSPARENCY, ..OPAQUE };
/// Opacity of bodies while elements are pointed out in them, and of obstacles that are seen through.
const FADED: f32 = 0.16;
const CLEAR_OBSTACLE: f32 = 0.3;
/// Least radius of the lines of bodies [pixels].
const LEAST_RADIUS: f32 = 1.0;
/// Samples a pixel where multisampling costs little.
const SAMPLES: i32 = 4;

/// Why nothing can be drawn.
#[derive(Debug, thiserror::Error)]
pub enum PainterError {
    /// No context to draw with.
    #[error("OpenGL cannot be used: {0}; update the graphics driver, or install Mesa")]
    Context(String),
    /// A program that the driver does not compile.
    #[error("the graphics driver cannot compile the shader `{name}`: {message}; OpenGL 3.3 or OpenGL ES 3 is needed")]
    Shader {
        /// The program.
        name: &'static str,
        /// What the driver says.
        message: String,
    },
    /// A framebuffer that the driver does not make.
    #[error("the graphics driver cannot make a picture of {width}x{height} pixels: {message}; try a smaller one")]
    Framebuffer {
        /// Width [pixels].
        width: u32,
        /// Height [pixels].
        height: u32,
        /// What the driver says.
        message: String,
    },
}

/// Draws pictures, and keeps the last one.
pub struct Painter {
    gl: Arc<glow::Context>,
    context: Context,
    programs: Programs,
    bare: Bare,
    shadow: Shadow,
    contents: Contents,
    samples: i32,
    target: Option<Target>,
    /// Of what is selected, for pictures of the target's size.
    outline: Option<Outline>,
    /// Revision of the list that `contents` shows.
    uploaded: Option<u64>,
    /// What the last picture shows.
    drawn: Option<(u64, Camera)>,
}

impl Painter {
    /// A painter that draws through `gl`, which must be current on this thread whenever the painter is used or dropped.
    /// Edges are smoothed where a graphics card does it; drawing in software stays quick instead.
    ///
    /// # Errors
    /// The driver is too old for the shaders.
    pub fn new(gl: Arc<glow::Context>) -> Result<Self, PainterError> {
        // SAFETY: asks the current context for its name.
        let renderer = unsafe { gl.get_parameter_string(glow::RENDERER) }.to_lowercase();
        let software = ["llvmpipe", "softpipe", "swiftshader"].iter().any(|name| renderer.contains(name));
        Self::with_samples(gl, if software { 0 } else { SAMPLES })
    }

    /// As [`Painter::new`], always with smooth edges: for single pictures.
    ///
    /// # Errors
    /// The driver is too old for the shaders.
    pub fn smooth(gl: Arc<glow::Context>) -> Result<Self, PainterError> {
        Self::with_samples(gl, SAMPLES)
    }

    fn with_samples(gl: Arc<glow::Context>, samples: i32) -> Result<Self, PainterError> {
        let context = Context::from_gl_context(Arc::clone(&gl)).map_err(|error| PainterError::Context(error.to_string()))?;
        let bound = Bound::now(&gl);
        // SAFETY: asks the current context for a limit.
        let most = unsafe { gl.get_parameter_i32(glow::MAX_SAMPLES) };
        let painter = Self {
            programs: Programs::new(&context)?,
            bare: Bare::new(&gl)?,
            shadow: Shadow::new(&gl)?,
            contents: Contents::new(&context),
            samples: samples.min(most),
            target: None,
            outline: None,
            uploaded: None,
            drawn: None,
            context,
            gl,
        };
        bound.restore(&painter.gl);
        Ok(painter)
    }

    /// Fills the driver's buffers with `list`, unless they hold it already.
    pub fn upload(&mut self, list: &DrawList, revision: u64) {
        if self.uploaded != Some(revision) {
            self.contents.update(&self.context, list);
            self.uploaded = Some(revision);
        }
    }

    /// Draws `list` at `size_pixels` (width, height), unless the last picture shows the same `revision` from the same
    /// camera at the same size. Framebuffer, viewport and scissor are as before afterwards.
    ///
    /// # Errors
    /// The driver refuses a picture of this size.
    pub fn draw(&mut self, list: &DrawList, camera: &Camera, size_pixels: (u32, u32), revision: u64) -> Result<(), PainterError> {
        let size = (size_pixels.0.max(1), size_pixels.1.max(1));
        let resized = self.target.as_ref().is_none_or(|target| target.size != size);
        if !resized && self.drawn == Some((revision, *camera)) {
            return Ok(());
        }
        let bound = Bound::now(&self.gl);
        if resized {
            self.target = None;
            self.outline = None;
            self.target = Some(Target::new(&self.gl, size, glow::RGBA8, self.samples, true)?);
        }
        self.upload(list, revision);
        let is_selected = self.contents.selected.is_some() || self.contents.selected_obstacle.is_some();
        if is_selected && self.outline.is_none() {
            self.outline = Some(Outline::new(&self.gl, size)?);
        }
        if let Some(target) = &self.target {
            self.paint(target, camera);
        }
        self.drawn = Some((revision, *camera));
        bound.restore(&self.gl);
        Ok(())
    }

    /// Copies the last picture into a rectangle `[left, bottom, width, height]` [pixels] of a framebuffer (`None`: the
    /// window), which stays bound. The scissor in force applies.
    pub fn blit(&self, to: Option<glow::Framebuffer>, rectangle: [i32; 4]) {
        if let Some(target) = &self.target {
            target.blit(to, rectangle);
        }
    }

    /// Distance between the fine lines of the grid in the last picture [m].
    pub fn spacing(&self) -> f64 {
        self.contents.spacing
    }

    /// The last picture; empty before the first.
    pub fn read_pixels(&self) -> image::RgbaImage {
        let Some(target) = &self.target else { return image::RgbaImage::default() };
        let bound = Bound::now(&self.gl);
        let pixels = target.read();
        bound.restore(&self.gl);
        image::RgbaImage::from_raw(target.size.0, target.size.1, pixels).unwrap_or_default()
    }

    fn paint(&self, target: &Target, camera: &Camera) {
        let contents = &self.contents;
        let palette = palette(contents.dark);
        let (width, height) = target.size;
        let viewport = three_d::Viewport::new_at_origo(width, height);
        let view = View::new(camera, f64::from(width) / f64::from(height), &contents.origin, contents.radius);
        target.begin();
        let behind = RenderStates { write_mask: WriteMask::COLOR, depth_test: DepthTest::Always, ..OPAQUE };
        self.programs.backdrop.use_uniform("top", palette.top);
        self.programs.backdrop.use_uniform("bottom", palette.bottom);
        self.bare.strip(&self.programs.backdrop, behind, viewport, 3);
        let pixel = vec2(2.0 / width as f32, 2.0 / height as f32);
        let (surface, tube) = (self.lit(&self.programs.surface, &view, palette), self.lit(&self.programs.tube, &view, palette));
        tube.use_uniform("pixel", pixel);
        let style = Style { least: LEAST_RADIUS.max(height as f32 / 900.0), wider: 0.0, tint: vec4(0.0, 0.0, 0.0, 0.0) };
        let opaque = |body: &body::Body| {
            body.mesh.draw(surface, OPAQUE, viewport);
            body.tubes.draw(tube, style, OPAQUE, viewport);
        };
        contents.chosen.iter().for_each(opaque);
        contents.present().filter(|_| contents.chosen.is_empty()).for_each(opaque);
        contents.surfaces.iter().zip(&contents.open).filter(|(_, open)| !**open && !contents.xray).for_each(|(body, _)| opaque(body));
        if !contents.xray {
            contents.obstacles.draw(surface, OPAQUE, viewport);
        }
        contents.arrows.iter().for_each(|(_, arrows)| arrows.draw(surface, OPAQUE, viewport));
        let body = contents.selected.and_then(|index| contents.bodies.get(index)).filter(|_| contents.chosen.is_empty());
        let body = body.filter(|_| contents.selected.is_some_and(|index| !contents.away[index]));
        let obstacle = (contents.selected_obstacle == Some(false)).then_some((&contents.outlined, None));
        let outlined = body.map(|body| (&body.mesh, Some(&body.tubes))).or(obstacle);
        self.planes(target, &view, palette, viewport);
        self.clear(surface, viewport);
        tube.use_uniform("opacity", FADED);
        let faded = contents.present().filter(|_| !contents.chosen.is_empty());
        faded.for_each(|body| body.tubes.draw(tube, style, CLEAR, viewport));
        contents.bodies.iter().filter_map(|body| body.ghost.as_ref()).for_each(|(_, tubes)| {
            tube.use_uniform("opacity", CLEAR_OBSTACLE);
            tubes.draw(tube, Style { tint: palette.ghost.extend(1.0), ..style }, CLEAR, viewport);
        });
        self.ghosts(&view, palette, surface, viewport);
        let glyph = &self.programs.glyph;
        glyph.use_uniform("view_projection", view.view_projection);
        glyph.use_uniform("eye", view.eye);
        // In small pictures, glyphs stay large enough to be seen.
        let unit = 0.002_f32.max(1.4 / height as f32);
        glyph.use_uniform("pixel", vec2(unit * height as f32 / width as f32, unit));
        glyph.use_uniform("pull", 0.006_f32);
        contents.glyphs.draw(glyph, CLEAR, viewport);
        let depth_test = if contents.marks_through { DepthTest::Always } else { CLEAR.depth_test };
        contents.marks.draw(glyph, RenderStates { depth_test, ..CLEAR }, viewport);
        self.lines(&view, (width, height), viewport);
        if let (Some(outlined), Some(outline)) = (outlined, &self.outline) {
            outline.draw(&self.programs, &self.bare, &view, target, palette.accent, outlined);
        }
        target.resolve();
    }

    /// A program for what is lit, with its lights set.
    fn lit<'a>(&self, surface: &'a Program, view: &View, palette: &Palette) -> &'a Program {
        surface.use_uniform("view_projection", view.view_projection);
        surface.use_uniform("eye", view.eye);
        surface.use_uniform("key", view.key);
        surface.use_uniform("sky", palette.sky_light);
        surface.use_uniform("ground", palette.ground_light);
        surface.use_uniform("key_light", palette.key_light);
        surface.use_uniform("rim_light", palette.rim_light);
        surface.use_uniform("opacity", 1.0_f32);
        surface
    }

    /// What one sees through: its far side first, so that both show whatever the order of triangles is.
    fn clear(&self, surface: &Program, viewport: three_d::Viewport) {
        let contents = &self.contents;
        let bodies = contents.present().filter(|_| !contents.chosen.is_empty()).map(|body| (&body.mesh, FADED));
        let surfaces = contents.surfaces.iter().zip(&contents.open).filter(|(_, open)| **open || contents.xray);
        let shapes = contents.xray.then_some((&contents.obstacles, CLEAR_OBSTACLE));
        for (mesh, opacity) in bodies.chain(surfaces.map(|(body, _)| (&body.mesh, CLEAR_OBSTACLE))).chain(shapes) {
            surface.use_uniform("opacity", opacity);
            for cull in [Cull::Front, Cull::Back] {
                mesh.draw(surface, RenderStates { cull, ..CLEAR }, viewport);
            }
        }
    }

    fn planes(&self, target: &Target, view: &View, palette: &Palette, viewport: three_d::Viewport) {
        let contents = &self.contents;
        let program = &self.programs.plane;
        let mask_extent = 2.0 * contents.radius;
        for plane in &contents.planes {
            let drawn = contents.present().chain(&contents.surfaces).map(|body| &body.mesh);
            let casting = drawn.chain([&contents.obstacles]).filter(|_| plane.solid);
            let mask = self.shadow.draw(&self.programs, &self.bare, plane, &contents.origin, mask_extent, casting);
            target.resume();
            mask.bind_texture(program, "mask");
            program.use_uniform("view_projection", view.view_projection);
            program.use_uniform("eye", view.eye);
            program.use_uniform("middle", normals::to_f32(&(plane.middle - contents.origin)));
            program.use_uniform("axis_u", normals::to_f32(&plane.axes[0]));
            program.use_uniform("axis_v", normals::to_f32(&plane.axes[1]));
            program.use_uniform("plane_normal", normals::to_f32(&plane.normal));
            program.use_uniform("phase", vec2(plane.phase.x as f32, plane.phase.y as f32));
            program.use_uniform("spacing", contents.spacing as f32);
            program.use_uniform("extent", (12.0 * contents.radius) as f32);
            program.use_uniform("mask_extent", mask_extent as f32);
            program.use_uniform("solidity", if plane.solid { 0.85_f32 } else { 0.0 });
            program.use_uniform("shade", palette.shade);
            program.use_uniform("fill", palette.ground);
            program.use_uniform("line", palette.line);
            self.bare.strip(program, CLEAR, viewport, 4);
        }
    }

    /// Ghosts beside the bodies, the arrows inside of bodies, and the sheen of a selected obstacle that is seen through.
    fn ghosts(&self, view: &View, palette: &Palette, surface: &Program, viewport: three_d::Viewport) {
        let program = &self.programs.ghost;
        program.use_uniform("view_projection", view.view_projection);
        program.use_uniform("eye", view.eye);
        program.use_uniform("body", 1.0_f32);
        for (color, arrows) in &self.contents.arrows {
            program.use_uniform("tint", color.truncate());
            arrows.draw(program, RenderStates { depth_test: DepthTest::Greater, ..CLEAR }, viewport);
        }
        if self.contents.selected_obstacle == Some(true) {
            program.use_uniform("tint", ACCENT);
            program.use_uniform("body", 0.06_f32);
            self.contents.outlined.draw(program, CLEAR, viewport);
        }
        program.use_uniform("tint", palette.ghost);
        program.use_uniform("body", 0.1_f32);
        self.beside_bodies(surface, viewport);
        let away = self.contents.bodies.iter().zip(&self.contents.away).filter(|(_, away)| **away).map(|(body, _)| &body.mesh);
        for ghost in self.contents.bodies.iter().filter_map(|body| Some(&body.ghost.as_ref()?.0)).chain(away) {
            // First the depth alone, so that a ghost does not shine through itself.
            ghost.draw(program, RenderStates { write_mask: WriteMask::DEPTH, ..OPAQUE }, viewport);
            ghost.draw(program, RenderStates { depth_test: DepthTest::Equal, ..CLEAR }, viewport);
        }
        // SAFETY: the context is current while a painter draws.
        unsafe { self.gl.disable(glow::STENCIL_TEST) };
    }

    /// Lines, a little before the surfaces that they lie on; some are seen through what is before them.
    fn lines(&self, view: &View, (width, height): (u32, u32), viewport: three_d::Viewport) {
        let program = &self.programs.line;
        for lines in &self.contents.lines {
            let pixels = lines.half_width * 1.0_f32.max(height as f32 / 900.0);
            program.use_uniform("view_projection", view.view_projection);
            program.use_uniform("eye", view.eye);
            program.use_uniform("pixel", vec2(2.0 * pixels / width as f32, 2.0 * pixels / height as f32));
            program.use_uniform("pull", 0.003_f32);
            program.use_uniform("tint", lines.color);
            lines.draw(program, CLEAR, viewport);
            if lines.through {
                program.use_uniform("tint", lines.color.truncate().extend(0.65 * lines.color.w));
                lines.draw(program, RenderStates { depth_test: DepthTest::Greater, ..CLEAR }, viewport);
            }
        }
    }

    /// Keeps everything that follows, until the test is switched off, from where a body is seen: two surfaces that nearly coincide
    /// would cut each other in patches.
    fn beside_bodies(&self, surface: &Program, viewport: three_d::Viewport) {
        // SAFETY: the context is current while a painter draws.
        unsafe {
            self.gl.enable(glow::STENCIL_TEST);
            self.gl.stencil_func(glow::ALWAYS, 1, 0xff);
            self.gl.stencil_op(glow::KEEP, glow::KEEP, glow::REPLACE);
        }
        let nothing = RenderStates { write_mask: WriteMask::NONE, ..CLEAR };
        self.contents.present().for_each(|body| body.mesh.draw(surface, nothing, viewport));
        // SAFETY: as above.
        unsafe {
            self.gl.stencil_func(glow::EQUAL, 0, 0xff);
            self.gl.stencil_op(glow::KEEP, glow::KEEP, glow::KEEP);
        }
    }
}

/// The state that whoever called had, and egui does not set again by itself.
struct Bound {
    framebuffer: Option<glow::Framebuffer>,
    scissor: bool,
    viewport: [i32; 4],
}

impl Bound {
    fn now(gl: &glow::Context) -> Self {
        let mut viewport = [0; 4];
        // SAFETY: asks the current context; a viewport is four numbers.
        unsafe {
            gl.get_parameter_i32_slice(glow::VIEWPORT, &mut viewport);
            Self {
                framebuffer: gl.get_parameter_framebuffer(glow::DRAW_FRAMEBUFFER_BINDING),
                scissor: gl.is_enabled(glow::SCISSOR_TEST),
                viewport,
            }
        }
    }

    fn restore(self, gl: &glow::Context) {
        let [x, y, width, height] = self.viewport;
        // SAFETY: sets what was in force before, and the defaults of what every drawer sets for itself.
        unsafe {
            gl.bind_framebuffer(glow::FRAMEBUFFER, self.framebuffer);
            gl.viewport(x, y, width, height);
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
