//! Regions of a body: what they are for, and what belongs to them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::attach::AttachSettings;
use super::kind::{KindSettings, of_region};
use super::model::MaterialSettings;
use super::motion::MotionSettings;

/// A named part of a body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Region {
    /// Name.
    #[schemars(extend("x-affects" = "looks"))]
    pub name: String,
    /// Colour in the editor, sRGB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-affects" = "looks"))]
    pub color: Option<[u8; 3]>,
    /// Whether the editor leaves it alone: it is not painted, reshaped or deleted.
    #[serde(default, skip_serializing_if = "is_open")]
    #[schemars(extend("x-affects" = "looks"))]
    pub locked: bool,
    /// What the region is for.
    pub role: RegionRole,
    /// What belongs to it: the union of these.
    #[schemars(extend("x-affects" = "contacts"))]
    pub select: Vec<Selector>,
}

/// What a region is for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum RegionRole {
    /// Its vertices do not move, or only as is said here. Holding and moving go
    /// before sliding; a vertex that slides in two planes keeps their line.
    #[schemars(extend("x-affects" = "contacts"))]
    Dirichlet {
        /// Normal of the plane in which each vertex may slide; all directions are held where this is missing.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(inner(range(min = -1e6, max = 1e6)))]
        slip: Option<[f64; 3]>,
        /// Motion that the vertices are made to follow.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        motion: Option<MotionSettings>,
        /// Name of an obstacle that the vertices go along with, as if they were sewn to it: they stay where it stays.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        follows: Option<String>,
    },
    /// Surface triangles with three selected corners are pushed by a force of constant direction.
    #[schemars(extend("x-affects" = "physics"))]
    Traction {
        /// Force per area of the given shape [N/m^2].
        #[schemars(inner(range(min = -1e12, max = 1e12)))]
        force: [f64; 3],
        /// Time over which it grows from zero [s]; 0: there from the start.
        #[serde(default, skip_serializing_if = "is_immediate")]
        #[schemars(range(min = 0.0, max = 1e6))]
        ramp: f64,
    },
    /// Surface triangles with three selected corners are pushed along their normal, which the push follows: by a `pressure`,
    /// or as by water at rest up to a `surface`.
    #[schemars(extend("x-affects" = "physics"))]
    Pressure(PressureSettings),
    /// Its surface vertices may touch obstacles; with a contact region, the body's other vertices may not. An obstacle of
    /// triangles may be touched by the whole body or not at all.
    #[schemars(extend("x-affects" = "contacts"))]
    Contact {
        /// Friction coefficient against the obstacles named here, in place of the obstacle's own.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(range(min = 0.0, max = 10.0))]
        friction: Option<f64>,
        /// Names of the obstacles it may touch; all of them where this is missing.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        obstacles: Option<Vec<String>>,
    },
    /// Its elements have another material. Selected vertices reach into the volume: an element belongs to
    /// the region if the surface vertex nearest to its centroid does.
    #[schemars(extend("x-affects" = "physics"))]
    Material(MaterialSettings),
    /// Of a body of another kind than solid: its cells have these settings in place of what the body says under `as`.
    #[schemars(extend("x-affects" = "physics"))]
    As(#[schemars(schema_with = "of_region")] KindSettings),
    /// Its surface vertices are joined to another body by springs; every such region adds its own.
    #[schemars(extend("x-affects" = "geometry"))]
    Attach(AttachSettings),
    /// Nothing by itself: a place that other parts of the scene call by its name.
    #[schemars(extend("x-affects" = "looks"))]
    Named {},
}

/// A pressure, or the water that makes one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PressureSettings {
    /// Pressure [Pa]; positive pushes inward.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = -1e12, max = 1e12))]
    pub pressure: Option<f64>,
    /// In place of a pressure: height of the water's surface over the origin, against gravity [m]. Below it the pressure is density
    /// x gravity x depth, above it nothing pushes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = -1e6, max = 1e6))]
    pub surface: Option<f64>,
    /// Density of the water [kg/m^3]; 1000 where it is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1e-3, max = 1e6))]
    pub density: Option<f64>,
    /// Time over which it grows from zero [s]; 0: there from the start.
    #[serde(default, skip_serializing_if = "is_immediate")]
    #[schemars(range(min = 0.0, max = 1e6))]
    pub ramp: f64,
}

impl PressureSettings {
    /// Density of water [kg/m^3].
    pub const WATER: f64 = 1000.0;

    /// The same pressure everywhere [Pa].
    pub fn uniform(pressure: f64) -> Self {
        Self { pressure: Some(pressure), ..Self::default() }
    }

    /// That of water up to a height [m].
    pub fn water(surface: f64) -> Self {
        Self { surface: Some(surface), density: Some(Self::WATER), ..Self::default() }
    }
}

/// A part of a body: by index, by tag or by place. Places are in metres in the placed body's coordinates.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Selector {
    /// Everything.
    All {},
    /// These vertices of the body's mesh. Of a surface that is filled with tets: vertices of the file; what lies under the triangles
    /// between them belongs to the region.
    Vertices(Vec<u32>),
    /// These tets of the body's mesh.
    Elements(Vec<u32>),
    /// Inside an axis-aligned box [m].
    Box {
        /// Smallest corner.
        #[schemars(inner(range(min = -1e6, max = 1e6)))]
        min: [f64; 3],
        /// Largest corner.
        #[schemars(inner(range(min = -1e6, max = 1e6)))]
        max: [f64; 3],
    },
    /// On the side of a plane that its normal points to.
    PlaneSide {
        /// A point of the plane [m].
        #[schemars(inner(range(min = -1e6, max = 1e6)))]
        point: [f64; 3],
        /// Normal.
        #[schemars(inner(range(min = -1e6, max = 1e6)))]
        normal: [f64; 3],
    },
    /// Inside a sphere [m].
    Sphere {
        /// Centre.
        #[schemars(inner(range(min = -1e6, max = 1e6)))]
        center: [f64; 3],
        /// Radius.
        #[schemars(range(max = 1e6), extend("exclusiveMinimum" = 0.0))]
        radius: f64,
    },
    /// Between two fractions (0 to 1) of the body's extent along an axis.
    Height {
        /// The axis.
        axis: Axis,
        /// Lower fraction.
        #[schemars(range(min = 0.0, max = 1.0))]
        from: f64,
        /// Upper fraction.
        #[schemars(range(min = 0.0, max = 1.0))]
        to: f64,
    },
    /// Tets with this physical tag in the mesh file.
    Tag(i32),
}

/// A coordinate axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Axis {
    /// x.
    X,
    /// y.
    Y,
    /// z.
    Z,
}

impl RegionRole {
    /// Vertices that do not move at all.
    pub const FIXED: Self = Self::Dirichlet { slip: None, motion: None, follows: None };
}

fn is_open(locked: &bool) -> bool {
    !locked
}

fn is_immediate(ramp: &f64) -> bool {
    *ramp == 0.0
}
