//! The shaders, compiled.

use three_d::{Context, Program};

use super::PainterError;

/// Every program of the painter.
pub(super) struct Programs {
    /// Gradient behind everything.
    pub backdrop: Program,
    /// Bodies, obstacles, arrows.
    pub surface: Program,
    /// Shapes to compare with.
    pub ghost: Program,
    /// The mask of what is selected.
    pub silhouette: Program,
    /// The same of bars.
    pub tube_silhouette: Program,
    /// The outline around that mask.
    pub outline: Program,
    /// Flattens on a plane, and the same of bars.
    pub flat: Program,
    pub flat_tube: Program,
    /// One direction of a blur.
    pub blur: Program,
    /// Normals, and those of bars.
    pub normals: Program,
    pub tube_normals: Program,
    /// How much light arrives.
    pub arrival: Program,
    /// One direction of a blur of that.
    pub soften: Program,
    /// Ground.
    pub plane: Program,
    /// Discs and rings.
    pub glyph: Program,
    /// Lines of a width in pixels.
    pub line: Program,
    /// Lines and arrows of a width in pixels.
    pub arrow: Program,
    /// Borders of regions.
    pub border: Program,
    /// Lines and points of bodies.
    pub tube: Program,
}

impl Programs {
    /// # Errors
    /// The driver cannot compile one of them.
    pub fn new(context: &Context) -> Result<Self, PainterError> {
        let program = |name: &'static str, vertex: &str, fragment: &str| {
            Program::from_source(context, vertex, fragment).map_err(|error| PainterError::Shader { name, message: error.to_string() })
        };
        let (backdrop, surface) = (include_str!("shaders/backdrop.vert"), include_str!("shaders/surface.vert"));
        let (silhouette, tube) = (include_str!("shaders/silhouette.vert"), include_str!("shaders/tube.vert"));
        Ok(Self {
            backdrop: program("backdrop", backdrop, include_str!("shaders/backdrop.frag"))?,
            surface: program("surface", surface, concat!(include_str!("shaders/light.glsl"), include_str!("shaders/surface.frag")))?,
            ghost: program("ghost", surface, include_str!("shaders/ghost.frag"))?,
            silhouette: program("silhouette", silhouette, include_str!("shaders/silhouette.frag"))?,
            tube_silhouette: program(
                "tube_silhouette",
                tube,
                concat!(include_str!("shaders/bar.glsl"), include_str!("shaders/tube_silhouette.frag")),
            )?,
            outline: program("outline", backdrop, include_str!("shaders/outline.frag"))?,
            flat: program("flat", silhouette, concat!(include_str!("shaders/flat.glsl"), include_str!("shaders/flat.frag")))?,
            flat_tube: program(
                "flat_tube",
                tube,
                concat!(include_str!("shaders/bar.glsl"), include_str!("shaders/flat.glsl"), include_str!("shaders/flat_tube.frag")),
            )?,
            blur: program("blur", backdrop, include_str!("shaders/blur.frag"))?,
            normals: program("normals", surface, include_str!("shaders/normals.frag"))?,
            tube_normals: program(
                "tube_normals",
                tube,
                concat!(include_str!("shaders/bar.glsl"), include_str!("shaders/tube_normals.frag")),
            )?,
            arrival: program("arrival", backdrop, include_str!("shaders/arrival.frag"))?,
            soften: program("soften", backdrop, include_str!("shaders/soften.frag"))?,
            plane: program("plane", include_str!("shaders/plane.vert"), include_str!("shaders/plane.frag"))?,
            glyph: program("glyph", include_str!("shaders/glyph.vert"), include_str!("shaders/glyph.frag"))?,
            tube: program(
                "tube",
                tube,
                concat!(include_str!("shaders/light.glsl"), include_str!("shaders/bar.glsl"), include_str!("shaders/tube.frag")),
            )?,
            arrow: program("arrow", include_str!("shaders/arrow.vert"), include_str!("shaders/arrow.frag"))?,
            border: program("border", include_str!("shaders/border.vert"), include_str!("shaders/border.frag"))?,
            line: program("line", include_str!("shaders/line.vert"), include_str!("shaders/line.frag"))?,
        })
    }
}
