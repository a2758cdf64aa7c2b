//! Rigid obstacles and their shapes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::model::{Unit, UpAxis};
use super::motion::MotionSettings;
use super::transform::Transform;

/// A rigid obstacle.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Obstacle {
    /// Name, unique in the scene.
    #[schemars(extend("x-affects" = "looks"))]
    pub name: String,
    /// Its shape.
    #[schemars(extend("x-affects" = "contacts"))]
    pub shape: Shape,
    /// Friction coefficient against bodies.
    #[serde(default = "default_friction")]
    #[schemars(range(min = 0.0, max = 10.0), extend("x-affects" = "contacts"))]
    pub friction: f64,
    /// How it holds the nodes of the grid that material points move with. Everything else it holds off, as `separating` says.
    #[serde(default, skip_serializing_if = "is_separating")]
    #[schemars(extend("x-affects" = "contacts"))]
    pub wall: WallCondition,
    /// Time at which it is taken away [s]; never where this is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1e6), extend("x-affects" = "contacts"))]
    pub removed_at: Option<f64>,
    /// How it moves; it stays where this is missing. A half-space that moves is a large
    /// square in contact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-affects" = "contacts"))]
    pub motion: Option<MotionSettings>,
}

/// How a wall holds nodes of a grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WallCondition {
    /// They may leave it, and rub along it.
    #[default]
    Separating,
    /// They go along it, without friction, and do not leave it.
    Slip,
    /// They stay where they are on it.
    Sticky,
}

fn is_separating(wall: &WallCondition) -> bool {
    *wall == WallCondition::Separating
}

/// Shape of an obstacle [m].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Shape {
    /// Everything behind a plane; the normal points out of the obstacle.
    HalfSpace {
        /// A point of the plane.
        #[schemars(inner(range(min = -1e6, max = 1e6)))]
        point: [f64; 3],
        /// Outward normal.
        #[schemars(inner(range(min = -1e6, max = 1e6)))]
        normal: [f64; 3],
    },
    /// A ball.
    Sphere {
        /// Centre.
        #[schemars(inner(range(min = -1e6, max = 1e6)))]
        center: [f64; 3],
        /// Radius.
        #[schemars(range(max = 1e6), extend("exclusiveMinimum" = 0.0))]
        radius: f64,
    },
    /// A box.
    Box {
        /// Centre.
        #[schemars(inner(range(min = -1e6, max = 1e6)))]
        center: [f64; 3],
        /// Edge lengths.
        #[schemars(inner(range(min = 1e-9, max = 1e6)))]
        size: [f64; 3],
        /// Rotations about x, then y, then z [degrees].
        #[serde(default)]
        rotate_degrees: [f64; 3],
    },
    /// All points within a radius of a segment.
    Capsule {
        /// One end of the segment.
        #[schemars(inner(range(min = -1e6, max = 1e6)))]
        from: [f64; 3],
        /// The other end.
        #[schemars(inner(range(min = -1e6, max = 1e6)))]
        to: [f64; 3],
        /// Radius.
        #[schemars(range(max = 1e6), extend("exclusiveMinimum" = 0.0))]
        radius: f64,
    },
    /// A ring with a round section, as triangles.
    Torus {
        /// Centre.
        #[schemars(inner(range(min = -1e6, max = 1e6)))]
        center: [f64; 3],
        /// Axis around which the ring runs.
        #[schemars(inner(range(min = -1e6, max = 1e6)))]
        axis: [f64; 3],
        /// Radius of the ring's middle line.
        #[schemars(range(max = 1e6), extend("exclusiveMinimum" = 0.0))]
        ring_radius: f64,
        /// Radius of the section; smaller than the ring's.
        #[schemars(range(max = 1e6), extend("exclusiveMinimum" = 0.0))]
        tube_radius: f64,
        /// Straight pieces around the ring; around the section, in proportion.
        #[serde(default = "default_segments")]
        #[schemars(range(min = 3, max = 1000))]
        segments: u32,
    },
    /// A line turned around an axis, as triangles: a funnel, a bowl, a bottle. It is a thin wall that may be touched from
    /// both sides.
    Revolution {
        /// Point of the axis from which heights count.
        #[schemars(inner(range(min = -1e6, max = 1e6)))]
        center: [f64; 3],
        /// Direction in which heights grow.
        #[schemars(inner(range(min = -1e6, max = 1e6)))]
        axis: [f64; 3],
        /// The line, as points [radius, height]; a radius of 0 closes the surface at a pole.
        #[schemars(length(min = 2), inner(inner(range(min = -1e6, max = 1e6))))]
        profile: Vec<[f64; 2]>,
        /// Straight pieces around the axis.
        #[serde(default = "default_segments")]
        #[schemars(range(min = 3, max = 1000))]
        segments: u32,
    },
    /// The triangles of a mesh file: the surface of its tets, or the triangles that it lists where it has no tets.
    #[schemars(extend("x-affects" = "geometry"))]
    Mesh {
        /// Mesh file; a relative path starts at the scene file's folder.
        mesh: String,
        /// Unit of the mesh file's coordinates.
        #[serde(default)]
        unit: Unit,
        /// Axis of the mesh file that points up (the scene's is y).
        #[serde(default)]
        up: UpAxis,
        /// Where the mesh is put, after unit and up axis.
        #[serde(default)]
        transform: Transform,
    },
}

impl Obstacle {
    /// Whether it touches bodies as a surface of triangles, and not as a signed distance.
    pub fn is_surface(&self) -> bool {
        self.motion.is_some() || matches!(self.shape, Shape::Torus { .. } | Shape::Revolution { .. } | Shape::Mesh { .. })
    }
}

fn default_friction() -> f64 {
    0.5
}

fn default_segments() -> u32 {
    48
}
