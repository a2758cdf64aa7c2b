//! The scene as data. SI units everywhere: metres, kilograms, seconds, newtons, pascals.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::settings::{ContactSettings, Expectation, InitialiseSettings, SimulateSettings};

/// Version of the scene format that this library writes.
pub const SCENE_VERSION: u32 = 1;

/// A whole scene file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// Where the JSON Schema of this file is, for text editors.
    #[serde(rename = "$schema", default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// Version of the format; 1.
    #[schemars(range(min = 1, max = 1))]
    pub version: u32,
    /// Short name.
    pub name: String,
    /// One line for people.
    #[serde(default)]
    pub description: String,
    /// Acceleration of gravity [m/s^2].
    #[serde(default = "earth_gravity")]
    #[schemars(inner(range(min = -1e4, max = 1e4)))]
    pub gravity: [f64; 3],
    /// Deformable bodies.
    #[schemars(length(min = 1))]
    pub bodies: Vec<Body>,
    /// Rigid obstacles.
    #[serde(default)]
    pub obstacles: Vec<Obstacle>,
    /// How contact is found and simulated.
    #[serde(default)]
    pub contact: ContactSettings,
    /// How the rest state is solved for.
    #[serde(default)]
    pub initialise: InitialiseSettings,
    /// How time is stepped.
    #[serde(default)]
    pub simulate: SimulateSettings,
    /// Numbers that runs of this scene must give; the tests check them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub expect: Vec<Expectation>,
}

/// A deformable body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Body {
    /// Name, unique in the scene.
    pub name: String,
    /// Mesh file; a relative path starts at the scene file's folder.
    pub mesh: String,
    /// Unit of the mesh file's coordinates.
    #[serde(default)]
    pub unit: Unit,
    /// Axis of the mesh file that points up (the scene's is y).
    #[serde(default)]
    pub up: UpAxis,
    /// Where the mesh is put, after unit and up axis.
    #[serde(default)]
    pub transform: Transform,
    /// What it is made of, where no material region says otherwise.
    pub material: MaterialSettings,
    /// Parts of it with a meaning of their own. Of two regions of one kind, the later one wins.
    #[serde(default)]
    pub regions: Vec<Region>,
}

/// Length unit of a mesh file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub enum Unit {
    /// Metres.
    #[default]
    #[serde(rename = "m")]
    Metre,
    /// Centimetres.
    #[serde(rename = "cm")]
    Centimetre,
    /// Millimetres.
    #[serde(rename = "mm")]
    Millimetre,
}

/// Axis that points up in a mesh file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum UpAxis {
    /// y, as in the scene.
    #[default]
    Y,
    /// z: (x, y, z) becomes (x, z, -y).
    Z,
}

/// Scale first, then rotation, then translation.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Transform {
    /// Uniform scale.
    #[schemars(range(max = 1e6), extend("exclusiveMinimum" = 0.0))]
    pub scale: f64,
    /// Rotations about x, then y, then z [degrees].
    #[schemars(inner(range(min = -3600.0, max = 3600.0)))]
    pub rotate_degrees: [f64; 3],
    /// Translation [m].
    #[schemars(inner(range(min = -1e6, max = 1e6)))]
    pub translate: [f64; 3],
}

/// A material by law and numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MaterialSettings {
    /// Name of the law in the registry of materials.
    #[schemars(transform = list_laws)]
    pub law: String,
    /// Young's modulus [Pa].
    #[schemars(range(min = 1e-3, max = 1e13))]
    pub young: f64,
    /// Poisson's ratio.
    #[schemars(extend("exclusiveMinimum" = -1.0, "exclusiveMaximum" = 0.5))]
    pub poisson: f64,
    /// Density [kg/m^3].
    #[schemars(range(min = 1e-3, max = 1e5))]
    pub density: f64,
    /// Stiffness-proportional damping: ratio of damping to stiffness [s].
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 10.0))]
    pub damping: f64,
}

/// A named part of a body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Region {
    /// Name.
    pub name: String,
    /// Colour in the editor, sRGB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<[u8; 3]>,
    /// What the region is for.
    pub role: RegionRole,
    /// What belongs to it: the union of these.
    pub select: Vec<Selector>,
}

/// What a region is for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum RegionRole {
    /// Its vertices do not move.
    Dirichlet {},
    /// Its surface vertices may touch obstacles; with a contact region, the body's other vertices may not.
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
    Material(MaterialSettings),
}

/// A part of a body: by index, by tag or by place. Places are in metres in the placed body's coordinates.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Selector {
    /// Everything.
    All {},
    /// These vertices of the body's mesh.
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

/// A rigid obstacle.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Obstacle {
    /// Name, unique in the scene.
    pub name: String,
    /// Its shape.
    pub shape: Shape,
    /// Friction coefficient against bodies.
    #[serde(default = "default_friction")]
    #[schemars(range(min = 0.0, max = 10.0))]
    pub friction: f64,
    /// Time at which it is taken away [s]; never where this is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1e6))]
    pub removed_at: Option<f64>,
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
}

impl Default for Transform {
    fn default() -> Self {
        Self { scale: 1.0, rotate_degrees: [0.0; 3], translate: [0.0; 3] }
    }
}

fn earth_gravity() -> [f64; 3] {
    [0.0, -9.81, 0.0]
}

fn default_friction() -> f64 {
    0.5
}

/// Puts the names of the registered laws into the schema of [`MaterialSettings::law`].
fn list_laws(schema: &mut schemars::Schema) {
    let names: Vec<_> = crate::material::MATERIALS.iter().map(|law| law.name).collect();
    schema.insert("enum".into(), names.into());
}
