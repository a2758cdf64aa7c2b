//! The passes that make a picture, one after the other.

use glow::HasContext;
use three_d::{Blend, Cull, DepthTest, InnerSpace, Program, RenderStates, Vec2, Viewport, WriteMask, vec2, vec4};

use super::body::Body;
use super::normals::to_f32;
use super::outline::Pen;
use super::palette::{ACCENT, Palette, palette};
use super::soft::Soft;
use super::target::Target;
use super::tubes::Style;
use super::view::View;
use super::{CLEAR, LEAST_RADIUS, OPAQUE, Painter, PainterError};
use crate::viewport::Camera;

/// Opacity of bodies while elements are pointed out in them, and of obstacles that are seen through.
const FADED: f32 = 0.16;
const CLEAR_OBSTACLE: f32 = 0.3;
/// How much of an arrow shows through what is before it.
const BEHIND: f32 = 0.45;
/// Width of the borders of regions, of the outline of what is selected, and of ghosts [points].
const BORDER: f32 = 1.5;
const OUTLINE: f32 = 1.5;
const GHOST_LINE: f32 = 1.0;
/// The distance from the bodies at which the ground has faded to exp(-5) [radii], and how far it is drawn [radii].
const FADE: f64 = 7.0;
/// How much of the backdrop the ground covers.
const GROUND: f32 = 0.42;
const EXTENT: f64 = 12.0;

/// Where and how a picture is drawn.
struct Stage<'a> {
    target: &'a Target,
    view: View,
    palette: &'a Palette,
    viewport: Viewport,
    /// The size of a point, in the coordinates of the picture.
    point: Vec2,
}

impl Painter {
    /// # Errors
    /// The driver refuses the mask of a shadow.
    pub(super) fn paint(&mut self, target: &Target, camera: &Camera) -> Result<(), PainterError> {
        self.shadow.follow(self.contents.soft_shadows, &self.programs, &self.bare, &self.contents)?;
        let contents = &self.contents;
        let (width, height) = target.size;
        let stage = Stage {
            target,
            view: View::new(camera, f64::from(width) / f64::from(height), &contents.origin, contents.radius),
            palette: palette(contents.dark),
            viewport: Viewport::new_at_origo(width, height),
            point: vec2(2.0 / width as f32, 2.0 / height as f32) * self.scale,
        };
        if let Some(soft) = self.soft.as_mut().filter(|_| contents.soft_shadows) {
            soft.draw(&self.programs, &self.bare, contents, &stage.view);
        }
        let soft = self.soft.as_ref().filter(|_| contents.soft_shadows);
        target.begin();
        self.backdrop(&stage);
        let [surface, tube] = [&self.programs.surface, &self.programs.tube].map(|program| self.lit(program, &stage, soft));
        tube.use_uniform("pixel", vec2(2.0 / width as f32, 2.0 / height as f32));
        let style = Style { least: LEAST_RADIUS * self.scale, wider: 0.0, tint: vec4(0.0, 0.0, 0.0, 0.0) };
        contents.solid().for_each(|(mesh, tubes)| {
            mesh.draw(surface, OPAQUE, stage.viewport);
            tubes.iter().for_each(|tubes| tubes.draw(tube, style, OPAQUE, stage.viewport));
        });
        if self.plain.is_none() {
            self.planes(&stage);
        }
        self.borders(&stage);
        self.clear(surface, stage.viewport);
        tube.use_uniform("opacity", FADED);
        let faded = contents.present().filter(|_| contents.clear_bodies);
        faded.for_each(|body| body.tubes.draw(tube, style, CLEAR, stage.viewport));
        contents.bodies.iter().filter_map(|body| body.ghost.as_ref()).for_each(|(_, tubes)| {
            tube.use_uniform("opacity", CLEAR_OBSTACLE);
            tubes.draw(tube, Style { tint: stage.palette.ghost.extend(1.0), ..style }, CLEAR, stage.viewport);
        });
        self.ghosts(&stage, surface);
        self.arrows(&stage);
        self.glyphs(&stage);
        self.lines(&stage);
        self.outline_selected(&stage);
        target.resolve();
        Ok(())
    }

    fn backdrop(&self, stage: &Stage<'_>) {
        let behind = RenderStates { write_mask: WriteMask::COLOR, depth_test: DepthTest::Always, ..OPAQUE };
        let [top, bottom] = self.plain.map_or([stage.palette.top, stage.palette.bottom], |plain| [plain.into(), plain.into()]);
        self.programs.backdrop.use_uniform("top", top);
        self.programs.backdrop.use_uniform("bottom", bottom);
        self.bare.strip(&self.programs.backdrop, behind, stage.viewport, 3);
    }

    /// A program for what is lit, with its lights set.
    fn lit<'a>(&self, program: &'a Program, stage: &Stage<'_>, soft: Option<&Soft>) -> &'a Program {
        let (view, palette) = (&stage.view, stage.palette);
        program.use_uniform("view_projection", view.view_projection);
        program.use_uniform("eye", view.eye);
        program.use_uniform("key", view.key);
        program.use_uniform("sky", palette.sky_light);
        program.use_uniform("ground", palette.ground_light);
        program.use_uniform("key_light", palette.key_light);
        program.use_uniform("rim_light", palette.rim_light);
        program.use_uniform("field_rim", palette.field_rim);
        program.use_uniform("opacity", 1.0_f32);
        match soft {
            Some(soft) => soft.bind(program, view, self.contents.radius),
            None => Soft::unbind(program),
        }
        program
    }

    /// What one sees through: its far side first, so that both show whatever the order of triangles is.
    fn clear(&self, surface: &Program, viewport: Viewport) {
        let contents = &self.contents;
        let bodies = contents.present().filter(|_| contents.clear_bodies).map(|body| (&body.mesh, FADED));
        let surfaces = contents.surfaces.iter().zip(&contents.open).filter(|(_, open)| **open || contents.xray);
        let shapes = contents.xray.then_some((&contents.obstacles, CLEAR_OBSTACLE));
        for (mesh, opacity) in bodies.chain(surfaces.map(|(body, _)| (&body.mesh, CLEAR_OBSTACLE))).chain(shapes) {
            surface.use_uniform("opacity", opacity);
            for cull in [Cull::Front, Cull::Back] {
                mesh.draw(surface, RenderStates { cull, ..CLEAR }, viewport);
            }
        }
    }

    fn planes(&self, stage: &Stage<'_>) {
        let contents = &self.contents;
        let program = &self.programs.plane;
        for (index, plane) in contents.planes.iter().enumerate() {
            let nowhere = vec4(0.0, 0.0, 1.0, 1.0);
            let (mut places, mut shade) = ([nowhere; 2], vec2(0.0, 0.0));
            // From behind, what stands before a wall is seen through it.
            let middle = to_f32(&(plane.middle - contents.origin));
            let is_before = (stage.view.eye - middle).dot(to_f32(&plane.normal)) > 0.0;
            if let Some(cast) = self.shadow.of_plane(index).filter(|_| is_before) {
                cast.mask.bind_color(program, "mask", 0);
                places = [cast.key.uniform(), cast.contact.uniform()];
                shade = vec2(stage.palette.key_shade * cast.lit, stage.palette.contact_shade);
            }
            program.use_uniform("key_place", places[0]);
            program.use_uniform("contact_place", places[1]);
            program.use_uniform("shade", shade);
            program.use_uniform("view_projection", stage.view.view_projection);
            program.use_uniform("eye", stage.view.eye);
            program.use_uniform("middle", middle);
            program.use_uniform("axis_u", to_f32(&plane.axes[0]));
            program.use_uniform("axis_v", to_f32(&plane.axes[1]));
            program.use_uniform("plane_normal", to_f32(&plane.normal));
            program.use_uniform("phase", vec2(plane.phase.x as f32, plane.phase.y as f32));
            program.use_uniform("spacing", contents.spacing as f32);
            program.use_uniform("extent", (EXTENT * contents.radius) as f32);
            program.use_uniform("fade_radius", (FADE * contents.radius) as f32);
            program.use_uniform("solidity", if plane.solid && is_before { 1.0_f32 } else { 0.0 });
            program.use_uniform("opacity", GROUND);
            program.use_uniform("fill", stage.palette.ground);
            program.use_uniform("line", stage.palette.line);
            self.bare.strip(program, CLEAR, stage.viewport, 4);
        }
    }

    /// Borders of regions, a little before the faces that they lie on.
    fn borders(&self, stage: &Stage<'_>) {
        let program = &self.programs.border;
        program.use_uniform("view_projection", stage.view.view_projection);
        program.use_uniform("eye", stage.view.eye);
        program.use_uniform("pixel", stage.point / self.scale);
        program.use_uniform("width", BORDER * self.scale);
        program.use_uniform("pull", 0.001 * stage.view.pull);
        let bodies = self.contents.present().filter(|_| !self.contents.clear_bodies);
        bodies.for_each(|body| body.borders.draw(program, CLEAR, stage.viewport));
    }

    /// Ghosts beside the bodies, and the sheen of a selected obstacle that is seen through.
    fn ghosts(&self, stage: &Stage<'_>, surface: &Program) {
        let (program, contents, viewport) = (&self.programs.ghost, &self.contents, stage.viewport);
        program.use_uniform("view_projection", stage.view.view_projection);
        program.use_uniform("eye", stage.view.eye);
        if contents.selected_obstacle == Some(true) {
            program.use_uniform("tint", ACCENT);
            program.use_uniform("body", 0.06_f32);
            contents.outlined.draw(program, CLEAR, viewport);
        }
        program.use_uniform("tint", stage.palette.ghost);
        program.use_uniform("body", 0.1_f32);
        self.beside_bodies(surface, viewport);
        for ghost in contents.ghosts() {
            // First the depth alone, so that a ghost does not shine through itself.
            ghost.draw(program, RenderStates { write_mask: WriteMask::DEPTH, ..OPAQUE }, viewport);
            ghost.draw(program, RenderStates { depth_test: DepthTest::Equal, ..CLEAR }, viewport);
        }
        if let Some(outline) = self.outline.as_ref().filter(|_| contents.ghosts().next().is_some()) {
            // Inside: where a ghost lies on its body, nothing of it is seen.
            let pen = Pen { tint: stage.palette.ghost, width: GHOST_LINE, within: true };
            outline.draw(self, stage.target, &stage.view, pen, contents.ghosts().map(|mesh| (mesh, None)));
        }
        // SAFETY: the context is current while a painter draws.
        unsafe { self.gl.disable(glow::STENCIL_TEST) };
    }

    /// Keeps everything that follows, until the test is switched off, from where a body is seen: two surfaces that nearly coincide
    /// would cut each other in patches.
    fn beside_bodies(&self, surface: &Program, viewport: Viewport) {
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

    /// Arrows, dark about their edges; faintly through what is before them.
    fn arrows(&self, stage: &Stage<'_>) {
        let program = &self.programs.arrow;
        program.use_uniform("view_projection", stage.view.view_projection);
        program.use_uniform("eye", stage.view.eye);
        program.use_uniform("pixel", stage.point);
        program.use_uniform("pull", 0.002 * stage.view.pull);
        let behind = RenderStates { depth_test: DepthTest::Greater, ..CLEAR };
        for (color, arrows) in &self.contents.arrows {
            let edge = vec4(0.05, 0.06, 0.08, 0.45);
            for (tint, wider, states) in [(edge, 0.6, CLEAR), (*color, 0.0, CLEAR), (color.truncate().extend(BEHIND), 0.0, behind)] {
                program.use_uniform("tint", tint);
                program.use_uniform("wider", wider);
                arrows.draw(program, states, stage.viewport);
            }
        }
    }

    fn glyphs(&self, stage: &Stage<'_>) {
        let (glyph, contents) = (&self.programs.glyph, &self.contents);
        glyph.use_uniform("view_projection", stage.view.view_projection);
        glyph.use_uniform("eye", stage.view.eye);
        glyph.use_uniform("pixel", stage.point);
        glyph.use_uniform("pull", 0.006 * stage.view.pull);
        contents.glyphs.draw(glyph, CLEAR, stage.viewport);
        let depth_test = if contents.marks_through { DepthTest::Always } else { CLEAR.depth_test };
        contents.marks.draw(glyph, RenderStates { depth_test, ..CLEAR }, stage.viewport);
    }

    /// Lines, a little before the surfaces that they lie on; some are seen through what is before them.
    fn lines(&self, stage: &Stage<'_>) {
        let program = &self.programs.line;
        for lines in &self.contents.lines {
            program.use_uniform("view_projection", stage.view.view_projection);
            program.use_uniform("eye", stage.view.eye);
            program.use_uniform("pixel", stage.point * lines.half_width);
            program.use_uniform("pull", 0.003 * stage.view.pull);
            program.use_uniform("tint", lines.color);
            lines.draw(program, CLEAR, stage.viewport);
            if lines.through {
                program.use_uniform("tint", lines.color.truncate().extend(0.65 * lines.color.w));
                lines.draw(program, RenderStates { depth_test: DepthTest::Greater, ..CLEAR }, stage.viewport);
            }
        }
    }

    fn outline_selected(&self, stage: &Stage<'_>) {
        let contents = &self.contents;
        let is_there = |index: &&usize| !contents.clear_bodies && contents.away.get(**index) == Some(&false);
        let bodies = contents.selected.iter().filter(is_there).filter_map(|&index| contents.bodies.get(index));
        let obstacle = (contents.selected_obstacle == Some(false)).then_some(&contents.outlined);
        let obstacles = obstacle.into_iter().chain(&contents.outlined_along).map(|mesh| (mesh, None));
        let mut selected = bodies.map(|Body { mesh, tubes, .. }| (mesh, Some(tubes))).chain(obstacles).peekable();
        if let (Some(_), Some(outline)) = (selected.peek(), &self.outline) {
            let pen = Pen { tint: stage.palette.accent, width: OUTLINE, within: false };
            outline.draw(self, stage.target, &stage.view, pen, selected);
        }
    }
}

/// Draws over everything.
pub(super) const OVER: RenderStates =
    RenderStates { write_mask: WriteMask::COLOR, depth_test: DepthTest::Always, blend: Blend::Disabled, ..CLEAR };
