//! What is to be seen, as plain data: made by the editor or the command line, drawn by the painter, picked by the mouse.
//!
//! Coordinates are the scene's, metres in f64; the painter moves them to its own origin before it rounds them to f32.

use std::sync::Arc;

use aplomb_sim::math::Vec3;
use aplomb_sim::scene::Shape;

use super::color_map::ColorMap;

/// Everything in one picture.
#[derive(Debug, Clone, Default)]
pub struct DrawList {
    /// Deformable bodies.
    pub bodies: Vec<BodyDraw>,
    /// Rigid obstacles.
    pub obstacles: Vec<ObstacleDraw>,
    /// Fixed vertices [m].
    pub pins: Vec<Vec3>,
    /// Contacts and their forces.
    pub contacts: Vec<ContactDraw>,
    /// Places to point at, such as elements at fault [m].
    pub marks: Vec<Vec3>,
    /// The body that is outlined, as an index into `bodies`.
    pub selected_body: Option<usize>,
    /// Dark surroundings, as opposed to light ones.
    pub dark: bool,
}

/// The surface of a body.
#[derive(Debug, Clone)]
pub struct BodyDraw {
    /// Vertices [m]; those that no triangle uses are not seen.
    pub positions: Arc<[Vec3]>,
    /// Triangles, counter-clockwise from outside.
    pub triangles: Arc<[[u32; 3]]>,
    /// How it is coloured.
    pub color: BodyColor,
    /// sRGB tint of each vertex; its alpha is the strength.
    pub region_tint: Option<Arc<[[u8; 4]]>>,
    /// The same vertices in the shape to compare with, drawn as a faint ghost [m].
    pub ghost: Option<Arc<[Vec3]>>,
}

/// How a body is coloured.
#[derive(Debug, Clone)]
pub enum BodyColor {
    /// Plain clay.
    Clay,
    /// A scalar field, against a legend.
    Scalar {
        /// One value a vertex; NaN is drawn grey.
        values: Arc<[f64]>,
        /// Limits of the legend; values outside take the colour of the nearer end.
        range: (f64, f64),
        /// Colours.
        map: ColorMap,
        /// Name in the legend.
        name: String,
        /// Unit in the legend; empty for none.
        unit: String,
    },
}

/// An obstacle, there or taken away.
#[derive(Debug, Clone)]
pub struct ObstacleDraw {
    /// Shape [m].
    pub shape: Shape,
    /// Whether it is there; one that was taken away is not drawn.
    pub present: bool,
}

/// A contact and the force through it.
#[derive(Debug, Clone, Copy)]
pub struct ContactDraw {
    /// Place [m].
    pub point: Vec3,
    /// Unit normal out of the obstacle.
    pub normal: Vec3,
    /// Force on the body [N].
    pub force: Vec3,
}
