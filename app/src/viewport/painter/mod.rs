//! Draws a [`DrawList`] with OpenGL 3.3 or OpenGL ES 3, into a framebuffer of its own that is copied where it is wanted.

mod arrows;
mod bare;
mod body;
mod borders;
mod bound;
mod contents;
mod effort;
mod glyphs;
mod layer;
mod lines;
mod mesh;
mod normals;
mod outline;
mod palette;
mod passes;
mod plane;
mod programs;
mod shadow;
mod shapes;
mod sheet;
mod soft;
mod target;
#[cfg(test)]
mod tests;
mod tinted;
mod tubes;
mod view;
mod within;

use std::sync::Arc;

use glow::HasContext;
use three_d::{Blend, Context, Cull, DepthTest, RenderStates, WriteMask};

use super::{Camera, DrawList};
use bare::Bare;
use bound::Bound;
use contents::Contents;
use effort::{Effort, FULL, QUICK};
use outline::Outline;
pub use palette::{force_colors, legend};
pub use plane::spacing;
use programs::Programs;
use shadow::Shadow;
pub use sheet::Sheet;
use soft::Soft;
use target::Target;

/// Opaque things.
const OPAQUE: RenderStates =
    RenderStates { write_mask: WriteMask::COLOR_AND_DEPTH, depth_test: DepthTest::Less, blend: Blend::Disabled, cull: Cull::None };
/// Things that one sees through.
const CLEAR: RenderStates =
    RenderStates { write_mask: WriteMask::COLOR, depth_test: DepthTest::LessOrEqual, blend: Blend::TRANSPARENCY, ..OPAQUE };
/// Least radius of the lines of bodies [points].
const LEAST_RADIUS: f32 = 1.0;
/// Samples a pixel where multisampling costs little.
const SAMPLES: i32 = 4;

/// Pixels of a picture that is drawn once more for smooth edges at most: in software, a larger one takes too long even when it rests.
const SMOOTHED: u32 = 1_600_000;

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
    /// Samples a pixel of pictures that stay.
    most: i32,
    effort: Effort,
    target: Option<Target>,
    /// As `target`, with smooth edges, where those take too long for pictures that move.
    still: Option<Target>,
    /// Whether `still` holds the last picture.
    is_still: bool,
    /// Light and shadow, for pictures of the target's size.
    soft: Option<Soft>,
    /// Of silhouettes, for pictures of the target's size.
    outline: Option<Outline>,
    still_outline: Option<Outline>,
    /// Pixels a point in the last picture.
    scale: f32,
    /// Revision of the list that `contents` shows.
    uploaded: Option<u64>,
    /// What the last picture shows, and at how many pixels a point.
    drawn: Option<(u64, Camera, f32)>,
    /// A plain background without ground, in place of the backdrop.
    plain: Option<[f32; 3]>,
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
        if software { Self::with_effort(gl, 0, QUICK) } else { Self::with_effort(gl, SAMPLES, FULL) }
    }

    /// As [`Painter::new`], always with smooth edges: for single pictures.
    ///
    /// # Errors
    /// The driver is too old for the shaders.
    pub fn smooth(gl: Arc<glow::Context>) -> Result<Self, PainterError> {
        Self::with_effort(gl, SAMPLES, FULL)
    }

    fn with_effort(gl: Arc<glow::Context>, samples: i32, effort: Effort) -> Result<Self, PainterError> {
        let context = Context::from_gl_context(Arc::clone(&gl)).map_err(|error| PainterError::Context(error.to_string()))?;
        let bound = Bound::now(&gl);
        // SAFETY: asks the current context for a limit.
        let most = unsafe { gl.get_parameter_i32(glow::MAX_SAMPLES) };
        let painter = Self {
            programs: Programs::new(&context)?,
            bare: Bare::new(&gl)?,
            shadow: Shadow::new(&gl, effort.mask)?,
            contents: Contents::new(&context),
            samples: samples.min(most),
            most: SAMPLES.min(most),
            effort,
            target: None,
            still: None,
            is_still: false,
            soft: None,
            outline: None,
            still_outline: None,
            scale: 1.0,
            uploaded: None,
            drawn: None,
            plain: None,
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
            self.soft.as_mut().into_iter().for_each(Soft::forget);
            self.shadow.forget();
        }
    }

    /// Draws `list` at `size_pixels` (width, height), of which `scale` are a point, unless the last picture shows the same `revision`
    /// from the same camera at the same size. Framebuffer, viewport and scissor are as before afterwards.
    ///
    /// # Errors
    /// The driver refuses a picture of this size.
    pub fn draw(
        &mut self,
        list: &DrawList,
        camera: &Camera,
        size_pixels: (u32, u32),
        scale: f32,
        revision: u64,
    ) -> Result<(), PainterError> {
        let size = (size_pixels.0.max(1), size_pixels.1.max(1));
        let resized = self.target.as_ref().is_none_or(|target| target.size != size);
        if !resized && self.drawn == Some((revision, *camera, scale)) {
            return Ok(());
        }
        let bound = Bound::now(&self.gl);
        if resized {
            (self.target, self.still, self.soft) = (None, None, None);
            (self.outline, self.still_outline) = (None, None);
            self.target = Some(Target::new(&self.gl, size, glow::RGBA8, self.samples, true)?);
        }
        self.upload(list, revision);
        self.scale = scale;
        if self.outline.is_none() && self.contents.has_outlines() {
            self.outline = Some(Outline::new(&self.gl, size, self.samples)?);
        }
        if self.soft.is_none() && self.contents.soft_shadows {
            self.soft = Some(Soft::new(&self.gl, size, self.effort)?);
        }
        if let Some(target) = self.target.take() {
            let painted = self.paint(&target, camera);
            self.target = Some(target);
            painted?;
        }
        self.drawn = Some((revision, *camera, scale));
        self.is_still = false;
        bound.restore(&self.gl);
        Ok(())
    }

    /// Whether the last picture has rough edges for the sake of speed.
    pub fn is_rough(&self) -> bool {
        let small = self.target.as_ref().is_some_and(|target| target.size.0 * target.size.1 <= SMOOTHED);
        self.samples < 2 && self.most > 1 && !self.is_still && self.drawn.is_some() && small
    }

    /// Draws the last picture once more, with smooth edges, if it has rough ones.
    ///
    /// # Errors
    /// The driver refuses it.
    pub fn smooth_out(&mut self) -> Result<(), PainterError> {
        let (Some((_, camera, _)), Some(target)) = (self.drawn.filter(|_| self.is_rough()), &self.target) else { return Ok(()) };
        let size = target.size;
        let bound = Bound::now(&self.gl);
        let still = match self.still.take() {
            Some(still) => still,
            None => Target::new(&self.gl, size, glow::RGBA8, self.most, true)?,
        };
        if self.still_outline.is_none() && self.contents.has_outlines() {
            self.still_outline = Some(Outline::new(&self.gl, size, self.most)?);
        }
        std::mem::swap(&mut self.outline, &mut self.still_outline);
        let painted = self.paint(&still, &camera);
        std::mem::swap(&mut self.outline, &mut self.still_outline);
        self.still = Some(still);
        self.is_still = true;
        bound.restore(&self.gl);
        painted
    }

    fn shown(&self) -> Option<&Target> {
        if self.is_still { self.still.as_ref() } else { self.target.as_ref() }
    }

    /// Draws what follows before a plain colour (sRGB in [0, 1]), without ground; before the backdrop for `None`.
    pub fn set_background(&mut self, plain: Option<[f32; 3]>) {
        (self.plain, self.drawn) = (plain, None);
    }

    /// Copies the last picture into a rectangle `[left, bottom, width, height]` [pixels] of a framebuffer (`None`: the
    /// window), which stays bound. The scissor in force applies.
    pub fn blit(&self, to: Option<glow::Framebuffer>, rectangle: [i32; 4]) {
        if let Some(target) = self.shown() {
            target.blit(to, rectangle);
        }
    }

    /// Distance between the fine lines of the grid in the last picture [m].
    pub fn spacing(&self) -> f64 {
        self.contents.spacing
    }

    /// The last picture; empty before the first.
    pub fn read_pixels(&self) -> image::RgbaImage {
        let Some(target) = self.shown() else { return image::RgbaImage::default() };
        let bound = Bound::now(&self.gl);
        let pixels = target.read();
        bound.restore(&self.gl);
        image::RgbaImage::from_raw(target.size.0, target.size.1, pixels).unwrap_or_default()
    }
}
