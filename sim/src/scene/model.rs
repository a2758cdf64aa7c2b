//! The scene as data. SI units everywhere: metres, kilograms, seconds, newtons, pascals.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::field::StiffnessField;
use super::kind::KindSettings;
use super::obstacle::{Obstacle, Shape};
use super::probe::Probe;
use super::region::Region;
use super::settings::{ContactSettings, Expectation, InitialiseSettings, SimulateSettings};
use super::transform::Transform;
use super::wind::WindSettings;
pub use crate::import::{Unit, UpAxis};
pub use crate::mesh::mend::SurfaceRepair;

/// Version of the scene format that this library writes.
pub const SCENE_VERSION: u32 = 1;

/// A whole scene file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// Where the JSON Schema of this file is, for text editors.
    #[serde(rename = "$schema", default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-affects" = "looks"))]
    pub schema: Option<String>,
    /// Version of the format; 1.
    #[schemars(range(min = 1, max = 1), extend("x-affects" = "looks"))]
    pub version: u32,
    /// Short name.
    #[schemars(extend("x-affects" = "looks"))]
    pub name: String,
    /// One line for people.
    #[serde(default)]
    #[schemars(extend("x-affects" = "looks"))]
    pub description: String,
    /// Acceleration of gravity [m/s^2].
    #[serde(default = "earth_gravity")]
    #[schemars(inner(range(min = -1e4, max = 1e4)), extend("x-affects" = "physics"))]
    pub gravity: [f64; 3],
    /// Moving air that pushes on the bodies' surfaces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-affects" = "physics"))]
    pub wind: Option<WindSettings>,
    /// Deformable bodies; a scene in the making may have none yet.
    pub bodies: Vec<Body>,
    /// Rigid obstacles.
    #[serde(default)]
    pub obstacles: Vec<Obstacle>,
    /// Linear equalities between vertices; for systems of at most 300 vertices.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub equalities: Vec<EqualitySettings>,
    /// How contact is found and simulated.
    #[serde(default)]
    pub contact: ContactSettings,
    /// How the rest state is solved for.
    #[serde(default)]
    pub initialise: InitialiseSettings,
    /// How time is stepped.
    #[serde(default)]
    pub simulate: SimulateSettings,
    /// Places of bodies whose numbers are looked at.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-affects" = "looks"))]
    pub probes: Vec<Probe>,
    /// Numbers that runs of this scene must give; the tests check them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-affects" = "looks"))]
    pub expect: Vec<Expectation>,
}

impl Scene {
    /// A scene of that name on earth, with nothing in it.
    pub fn empty(name: impl Into<String>) -> Self {
        Self {
            schema: None,
            version: SCENE_VERSION,
            name: name.into(),
            description: String::new(),
            gravity: earth_gravity(),
            wind: None,
            bodies: Vec::new(),
            obstacles: Vec::new(),
            equalities: Vec::new(),
            contact: ContactSettings::default(),
            initialise: InitialiseSettings::default(),
            simulate: SimulateSettings::default(),
            probes: Vec::new(),
            expect: Vec::new(),
        }
    }

    /// Every mesh file that it names, with its path in the scene: of bodies, then of obstacles.
    pub fn mesh_files(&self) -> impl Iterator<Item = (String, &str)> {
        let bodies = self.bodies.iter().enumerate().flat_map(|(b, body)| {
            let rest = body.rest_mesh.as_deref().map(|file| (format!("bodies[{b}].rest_mesh"), file));
            [(format!("bodies[{b}].mesh"), body.mesh.as_str())].into_iter().chain(rest)
        });
        let obstacles = self.obstacles.iter().enumerate().filter_map(|(o, obstacle)| match &obstacle.shape {
            Shape::Mesh { mesh, .. } => Some((format!("obstacles[{o}].shape.mesh.mesh"), mesh.as_str())),
            _ => None,
        });
        bodies.chain(obstacles)
    }

    /// The same mesh files, to be changed.
    pub fn mesh_files_mut(&mut self) -> impl Iterator<Item = &mut String> {
        let obstacles = self.obstacles.iter_mut().filter_map(|obstacle| match &mut obstacle.shape {
            Shape::Mesh { mesh, .. } => Some(mesh),
            _ => None,
        });
        self.bodies.iter_mut().flat_map(|body| [&mut body.mesh].into_iter().chain(&mut body.rest_mesh)).chain(obstacles)
    }
}

/// A deformable body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Body {
    /// Name, unique in the scene.
    #[schemars(extend("x-affects" = "looks"))]
    pub name: String,
    /// Mesh file; a relative path starts at the scene file's folder.
    #[schemars(extend("x-affects" = "geometry"))]
    pub mesh: String,
    /// How a mesh file that is a surface is filled with tets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-affects" = "geometry"))]
    pub tetrahedralise: Option<TetrahedraliseSettings>,
    /// Mesh file of its naive rest shape, if that is not the shape of `mesh`: the same tets, and placed the same way. Masses are
    /// those of the rest shape. Other methods than the naive one choose rest states of their own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-affects" = "physics"))]
    pub rest_mesh: Option<String>,
    /// Unit of the mesh file's coordinates.
    #[serde(default)]
    #[schemars(extend("x-affects" = "geometry"))]
    pub unit: Unit,
    /// Axis of the mesh file that points up (the scene's is y).
    #[serde(default)]
    #[schemars(extend("x-affects" = "geometry"))]
    pub up: UpAxis,
    /// Where the mesh is put, after unit and up axis.
    #[serde(default)]
    #[schemars(extend("x-affects" = "geometry"))]
    pub transform: Transform,
    /// Velocity of its centre of mass at time zero [m/s].
    #[serde(default, skip_serializing_if = "is_zero")]
    #[schemars(inner(range(min = -1e4, max = 1e4)), extend("x-affects" = "run"))]
    pub velocity: [f64; 3],
    /// Angular velocity about its centre of mass at time zero [rad/s].
    #[serde(default, skip_serializing_if = "is_zero")]
    #[schemars(inner(range(min = -1e4, max = 1e4)), extend("x-affects" = "run"))]
    pub spin: [f64; 3],
    /// When it comes in [s]: until then it is not there, then it is, undeformed and with its velocity. 0: there from the start.
    #[serde(default, skip_serializing_if = "super::wind::is_from_the_start")]
    #[schemars(range(min = 0.0, max = 1e6), extend("x-affects" = "contacts"))]
    pub enters_at: f64,
    /// What kind of body it is, with the settings of that kind; a solid where this is missing.
    #[serde(rename = "as", default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-affects" = "geometry"))]
    pub kind: Option<KindSettings>,
    /// What a solid is made of, where no material region says otherwise. Other kinds have their own settings under `as`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-affects" = "physics"))]
    pub material: Option<MaterialSettings>,
    /// How its mass is spread over its vertices. Weight and balance are the same; motion is not.
    #[serde(default, skip_serializing_if = "MassMatrix::is_lumped")]
    #[schemars(extend("x-affects" = "physics"))]
    pub mass_matrix: MassMatrix,
    /// Factors on the stiffness of its elements, painted vertex by vertex, over what material and regions say. 1 where this is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-affects" = "physics"))]
    pub stiffness_field: Option<StiffnessField>,
    /// Mark of the mesh on which the indices in `regions` and `stiffness_field` were painted; with another mesh they mean something else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-affects" = "contacts"))]
    pub painted_on: Option<String>,
    /// Parts of it with a meaning of their own. Of two regions of one kind, the later one wins.
    #[serde(default)]
    pub regions: Vec<Region>,
}

/// How the mass of a body of tets or cloth is spread over its vertices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MassMatrix {
    /// Each vertex has the same share of every element about it: bodies swing a little too slowly.
    #[default]
    Lumped,
    /// As the elements move in between, so that vertices of an element are coupled: bodies swing a little too fast. Not for springs.
    Consistent,
}

impl MassMatrix {
    /// Whether it is the one that scenes need not name.
    pub fn is_lumped(&self) -> bool {
        *self == Self::Lumped
    }
}

/// How a surface is mended and filled with tets. Of `tets` and `edge_length` one is given; 20,000 tets where neither is.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct TetrahedraliseSettings {
    /// About how many tets.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 12, max = 5_000_000))]
    pub tets: Option<u32>,
    /// Length of edges at the surface [m], as placed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1e-9, max = 1e6))]
    pub edge_length: Option<f64>,
    /// How much longer edges may be inside than at the surface; 1: all alike.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1.0, max = 16.0))]
    pub grading: Option<f64>,
    /// What is mended before.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub repair: Vec<SurfaceRepair>,
}

/// A material by law and numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MaterialSettings {
    /// Name of the law. The letters of the energy densities are those of `docs/laws.md`.
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
    #[schemars(range(min = 0.0, max = 10.0), extend("x-affects" = "run"))]
    pub damping: f64,
}

impl Default for MaterialSettings {
    fn default() -> Self {
        Self { law: "stable_neo_hookean".into(), young: 1e5, poisson: 0.45, density: 1000.0, damping: 0.0 }
    }
}

/// A sum over vertices that keeps its initial value: sum of coefficients . position.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EqualitySettings {
    /// Name, unique in the scene.
    #[schemars(extend("x-affects" = "looks"))]
    pub name: String,
    /// What is added up.
    #[schemars(length(min = 1), extend("x-affects" = "physics"))]
    pub terms: Vec<EqualityTerm>,
}

/// One vertex's share in an equality.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EqualityTerm {
    /// Name of the body.
    pub body: String,
    /// Vertex of the body's mesh.
    pub vertex: u32,
    /// Coefficients of its x, y and z.
    #[schemars(inner(range(min = -1e6, max = 1e6)))]
    pub coefficients: [f64; 3],
}

fn earth_gravity() -> [f64; 3] {
    [0.0, -9.81, 0.0]
}

/// Whether a vector can be left out of the file.
pub(super) fn is_zero(vector: &[f64; 3]) -> bool {
    *vector == [0.0; 3]
}

/// Puts the names of the registered laws into the schema of [`MaterialSettings::law`].
pub fn list_laws(schema: &mut schemars::Schema) {
    let laws = crate::material::MATERIALS;
    schema.insert("enum".into(), laws.iter().map(|law| law.name).collect::<Vec<_>>().into());
    let told: Vec<_> = laws.iter().map(|law| format!("{}: {}. {}", law.label, law.doc, law.energy)).collect();
    schema.insert("enumDescriptions".into(), told.into());
    schema.insert("x-labels".into(), laws.iter().map(|law| law.label).collect::<Vec<_>>().into());
}
