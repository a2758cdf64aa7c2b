//! What is to be seen, as plain data: made by the editor or the command line, drawn by the painter, picked by the mouse.
//!
//! Coordinates are the scene's, metres in f64; the painter moves them to its own origin before it rounds them to f32.

use std::sync::Arc;

use aplomb_sim::element::FieldKind;
use aplomb_sim::math::Vec3;
use aplomb_sim::mesh::Hairs;
use aplomb_sim::scene::Shape;

use super::tone::Tone;
use super::{bounds, painter};

/// Everything in one picture.
#[derive(Debug, Clone)]
pub struct DrawList {
    /// Deformable bodies.
    pub bodies: Vec<BodyDraw>,
    /// Elements that are pointed out; while there are any, the bodies are seen through.
    pub chosen: Vec<BodyDraw>,
    /// Rigid obstacles.
    pub obstacles: Vec<ObstacleDraw>,
    /// Whether all obstacles are seen through; open ones always are.
    pub xray: bool,
    /// Whether bodies are seen through.
    pub clear_bodies: bool,
    /// A plane that obstacles are cut by: its unit normal, which points to what is not seen, and its distance from the origin along it [m].
    pub obstacle_cut: Option<(Vec3, f64)>,
    /// Vertices that are not free.
    pub supports: Vec<SupportDraw>,
    /// Contacts and their forces.
    pub contacts: Vec<ContactDraw>,
    /// Whether the arrows of all contacts are drawn, as opposed to those of the largest forces.
    pub all_forces: bool,
    /// Length of the largest contact force, as a share of the radius of the bodies' bounding box.
    pub force_length: f64,
    /// The largest of the forces that are drawn because nothing balances them [N]; 0 where none is.
    pub unbalanced: f64,
    /// What is authored, as lines and arrows.
    pub arrows: Vec<ArrowDraw>,
    /// Edges and strands.
    pub lines: Vec<LineDraw>,
    /// Places to point at, such as elements at fault [m].
    pub marks: Vec<Vec3>,
    /// Whether what is selected has an outline.
    pub outlined: bool,
    /// The body that is selected, as an index into `bodies`.
    pub selected_body: Option<usize>,
    /// The obstacle that is selected, as an index into `obstacles`.
    pub selected_obstacle: Option<usize>,
    /// Whether shadows fall, and light of the sky is kept off in corners.
    pub soft_shadows: bool,
    /// Bodies and obstacles that are selected along with it.
    pub selected_along: (Vec<usize>, Vec<usize>),
    /// Dark surroundings, as opposed to light ones.
    pub dark: bool,
}

impl Default for DrawList {
    /// Nothing, in light surroundings.
    fn default() -> Self {
        Self {
            bodies: Vec::new(),
            chosen: Vec::new(),
            obstacles: Vec::new(),
            xray: false,
            clear_bodies: false,
            obstacle_cut: None,
            supports: Vec::new(),
            contacts: Vec::new(),
            all_forces: false,
            force_length: 0.33,
            unbalanced: 0.0,
            arrows: Vec::new(),
            lines: Vec::new(),
            marks: Vec::new(),
            outlined: true,
            selected_body: None,
            selected_obstacle: None,
            soft_shadows: true,
            selected_along: Default::default(),
            dark: false,
        }
    }
}

/// What is seen of a body: a surface, lines, or both.
#[derive(Debug, Clone, Default)]
pub struct BodyDraw {
    /// Vertices [m]; those that nothing uses are not seen.
    pub positions: Arc<[Vec3]>,
    /// Triangles, counter-clockwise from outside.
    pub triangles: Arc<[[u32; 3]]>,
    /// Lines, drawn as round bars; a ball where both ends are one vertex.
    pub lines: Arc<[[u32; 2]]>,
    /// Radius of the lines [m]; where they would be thinner than a pixel or two, they are that wide.
    pub radius: f64,
    /// What is seen between the lines, where they guide it.
    pub hairs: Option<Arc<Hairs>>,
    /// How it is coloured.
    pub color: BodyColor,
    /// sRGB tint of each triangle; its alpha is the strength. Where it changes a border of full strength runs inside of it.
    pub face_tint: Option<Arc<[[u8; 4]]>>,
    /// The same of each vertex, for lines.
    pub vertex_tint: Option<Arc<[[u8; 4]]>>,
    /// The same vertices in the shape to compare with, drawn as a faint ghost [m].
    pub ghost: Option<Arc<[Vec3]>>,
    /// Whether it has yet to come in: it is drawn as a ghost.
    pub away: bool,
    /// Whether all edges of its triangles are round, as those of the surface around a cloud.
    pub smooth: bool,
    /// Where vertices and triangles come from, where they are others than those of the body's surface.
    pub origins: Option<Origins>,
}

/// Where what is seen of a body comes from.
#[derive(Debug, Clone)]
pub struct Origins {
    /// The node of the body that each vertex is, or is nearest to.
    pub nodes: Arc<[u32]>,
    /// The cell of the body that each triangle is of; `u32::MAX` where it is of none alone.
    pub cells: Arc<[u32]>,
}

/// How a body is coloured.
#[derive(Debug, Clone)]
pub enum BodyColor {
    /// Plain clay, of a hue for each body by its number.
    Clay(usize),
    /// Water: smooth, with the light of the sky on it.
    Water,
    /// The slate of obstacles.
    Slate,
    /// The accent of what is pointed out.
    Accent,
    /// The red of what is wrong.
    Fault,
    /// A scalar field, against a legend.
    Scalar {
        /// One value a vertex; NaN is drawn grey.
        values: Arc<[f64]>,
        /// Their colours; values beyond the limits take that of the nearer end.
        tone: Tone,
        /// Name in the legend.
        name: String,
        /// Unit in the legend; empty for none.
        unit: String,
        /// Least and largest value of the elements, where the values are their means at the vertices.
        of_elements: Option<(f64, f64)>,
    },
}

impl Default for BodyColor {
    /// That of the first body.
    fn default() -> Self {
        Self::Clay(0)
    }
}

/// An obstacle, there or taken away.
#[derive(Debug, Clone)]
pub struct ObstacleDraw {
    /// What it looks like.
    pub form: ObstacleForm,
    /// Whether it is there; one that was taken away is not drawn.
    pub present: bool,
}

/// What an obstacle looks like.
#[derive(Debug, Clone)]
pub enum ObstacleForm {
    /// A shape with a formula [m].
    Shape(Shape),
    /// Triangles.
    Surface {
        /// Vertices [m].
        positions: Arc<[Vec3]>,
        /// Triangles, counter-clockwise from outside.
        triangles: Arc<[[u32; 3]]>,
        /// Whether it is open, with bodies in it that it would hide: they are seen through it.
        open: bool,
    },
}

impl DrawList {
    /// Distance between the fine lines of the ground under this [m].
    pub fn spacing(&self) -> f64 {
        let radius = bounds::of_bodies(&self.bodies).map_or(1.0, |(low, high)| 0.5 * (high - low).norm());
        painter::spacing(radius.max(1e-6))
    }
}

impl BodyColor {
    /// The colours of a field.
    pub fn scalar(kind: &FieldKind, values: Arc<[f64]>, tone: Tone, of_elements: Option<(f64, f64)>) -> Self {
        Self::Scalar { values, tone, name: kind.name.to_owned(), unit: kind.unit.to_owned(), of_elements }
    }
}

impl BodyDraw {
    /// The vertices that are seen, each once or more.
    pub fn used(&self) -> impl Iterator<Item = Vec3> + '_ {
        let used = self.triangles.as_flattened().iter().chain(self.lines.as_flattened());
        used.filter_map(|&vertex| self.positions.get(vertex as usize).copied())
    }
}

impl ObstacleDraw {
    /// Whether bodies are seen through it.
    pub fn is_clear(&self, xray: bool) -> bool {
        xray || matches!(self.form, ObstacleForm::Surface { open: true, .. })
    }
}

/// A vertex that is not free.
#[derive(Debug, Clone, Copy)]
pub struct SupportDraw {
    /// Place [m].
    pub point: Vec3,
    /// What it may do.
    pub kind: SupportKind,
}

/// What a vertex that is not free may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SupportKind {
    /// Stay.
    Held,
    /// Follow a motion.
    Moved,
    /// Slide along a plane.
    Sliding,
}

/// A line through points, with a head at its end or without.
#[derive(Debug, Clone)]
pub struct ArrowDraw {
    /// The points [m]; two at least.
    pub points: Vec<Vec3>,
    /// What it tells.
    pub kind: ArrowKind,
    /// Whether it has a head.
    pub head: bool,
}

/// What an arrow tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArrowKind {
    /// Where something is moved to.
    Motion,
    /// A plane that vertices slide along.
    Plane,
    /// A traction or a pressure.
    Load,
    /// Moving air.
    Wind,
    /// How a body sets out.
    Velocity,
    /// A force that nothing balances.
    Residual,
}

impl ArrowKind {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::Motion, Self::Plane, Self::Load, Self::Wind, Self::Velocity, Self::Residual];
}

/// Lines of a width in pixels.
#[derive(Debug, Clone)]
pub struct LineDraw {
    /// Both ends of each [m].
    pub ends: Arc<[[Vec3; 2]]>,
    /// What they are.
    pub kind: LineKind,
}

/// What lines are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineKind {
    /// Edges that are wrong.
    Fault,
    /// Edges with a triangle at one side only.
    Border,
    /// Edges of tets.
    Wire,
    /// Hair.
    Strand,
    /// The surface of water.
    Water,
    /// Springs between bodies.
    Attachment,
    /// What cloth is sewn by.
    Seam,
    /// Cells of the grid on which material points move.
    Cell,
}

/// A contact and the force through it.
#[derive(Debug, Clone, Copy)]
pub struct ContactDraw {
    /// Place [m].
    pub point: Vec3,
    /// Unit normal towards the body.
    pub normal: Vec3,
    /// Force on the body [N].
    pub force: Vec3,
}

impl ContactDraw {
    /// The force along the normal, and the rest of it, which is friction [N].
    pub fn parts(&self) -> (Vec3, Vec3) {
        let normal = self.force.dot(&self.normal) * self.normal;
        (normal, self.force - normal)
    }
}
