//! [`BODY_KINDS`]: the kinds of bodies, one line each, and what the rest of the library asks of each.

use std::any::Any;
use std::fmt::Debug;
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

pub use schemars::Schema;
use serde_json::Value;

use super::{Misplaced, PlacedMesh, cloth, groups, particles, solid, springs, strands};
use crate::element::{Family, Unattainable};
use crate::import::RawMesh;
use crate::math::Vec3;
use crate::mesh::{BodyMesh, MassCouplings};
use crate::scene::{Body, SceneProblem};
use crate::watch::Watch;

/// A kind of body by name.
#[derive(Debug)]
pub struct BodyKind {
    /// Name in scenes: the key under `as`.
    pub name: &'static str,
    /// Name for people.
    pub label: &'static str,
    /// One line for people.
    pub doc: &'static str,
    /// Schema of its settings under `as`, without references; none of the kind that bodies without `as` are of.
    pub settings: Option<fn() -> Schema>,
    /// Schema of what a region of the role `as` says of its cells.
    pub region_settings: Option<fn() -> Schema>,
    /// What keys, types and limits of its settings cannot say: everything wrong with `body`, which has this path.
    pub check: fn(&Body, &str) -> Vec<SceneProblem>,
    /// Settings to begin with for a file with coordinates in this unit [m]; none of the kind that has no settings.
    pub imported: fn(&RawMesh, f64) -> Option<Value>,
    /// Whether a file has what it is made of; if not, why.
    pub accepts: fn(&RawMesh) -> Result<(), String>,
    /// The mesh of `body` where the scene puts it; relative paths start at the folder.
    pub place: fn(&Body, &Path, &dyn Watch) -> Result<PlacedMesh, Misplaced>,
    /// What the cells of `body`, which has this path and mesh, are made of; what is wrong with that is added to the problems.
    pub matter: fn(&Body, &BodyMesh, &str, &mut Vec<SceneProblem>) -> Arc<dyn Matter>,
}

/// Families over the vertices of one body.
pub type Families = Vec<Box<dyn Family>>;
/// Cells that no element can be made on, and why.
pub type Degenerate = Vec<(usize, Unattainable)>;

/// A node of a body that is no place of it but how something of it is turned: an orientation as modified Rodrigues parameters sigma,
/// tan(angle / 4) along the axis (Schaub, Junkins 2003, 3.5), against that of the given shape, times four arms. So it is 0 there, a length to
/// first order like those of all nodes, its force is a torque over the arm, and its mass a moment of inertia over the square of the arm.
#[derive(Debug, Clone, PartialEq)]
pub struct InternalNode {
    /// Length for which a radian stands [m].
    pub arm: f64,
    /// Moment of inertia over the square of the arm [kg].
    pub mass: f64,
    /// How much of the mass of the body turns with it [kg]; the vertices carry it.
    pub of_body: f64,
    /// The vertices of what turns; of the body, and in a system nodes of it.
    pub vertices: [u32; 2],
    /// Whether it is held or driven with each of them.
    pub held_with: [bool; 2],
}

impl InternalNode {
    /// Angular velocity [rad/s] of what is turned by `x` [m] and goes on with `velocity` [m/s] (Schaub, Junkins 2003, eq. 3.153).
    pub fn angular_velocity(&self, x: &Vec3, velocity: &Vec3) -> Vec3 {
        let (sigma, rate) = (x / (4.0 * self.arm), velocity / self.arm);
        let squared = sigma.norm_squared();
        let turned = (1.0 - squared) * rate + 2.0 * sigma.cross(&rate) + 2.0 * sigma.dot(&rate) * sigma;
        turned / (1.0 + squared).powi(2)
    }
}

/// What the cells of a body are made of: masses, and elements.
pub trait Matter: Any + Debug + Send + Sync {
    /// Lumped mass of each vertex of `mesh` with its vertices at `rest` [m], in kg.
    fn masses(&self, mesh: &BodyMesh, rest: &[Vec3]) -> Vec<f64>;
    /// What couples vertices in the consistent mass matrix of the same; `None` where masses are points, and there is no other matrix.
    fn mass_couplings(&self, _mesh: &BodyMesh, _rest: &[Vec3]) -> Option<MassCouplings> {
        None
    }
    /// The internal nodes of the body with its vertices at `rest` [m]; its elements count them after the vertices.
    fn internal_nodes(&self, _mesh: &BodyMesh, _rest: &[Vec3]) -> Vec<InternalNode> {
        Vec::new()
    }
    /// Elements over the vertices of `mesh`, undeformed at `rest` [m], whose given shape is `given` [m]: one family for each sort, the
    /// first of them one element a cell, in order, if it [has such](Matter::has_cell_elements).
    ///
    /// # Errors
    /// The cells that no element can be made on, and why.
    fn elements(&self, mesh: &BodyMesh, rest: &[Vec3], given: &[Vec3]) -> Result<Families, Degenerate>;
    /// Whether each cell is an element. Where none is, what elements tell is seen on the nodes alone.
    fn has_cell_elements(&self) -> bool {
        true
    }
    /// What of a scene makes its elements so many times as stiff, in words; `bending`: only those that resist bending.
    fn stiffer(&self, factor: f64, _bending: bool) -> String {
        format!("a stiffness {factor:.2} times as large")
    }
    /// The factor on the authored stiffness of each cell, as its field says; none where it has no field.
    fn stiffness_factors(&self) -> &[f64] {
        &[]
    }
}

impl dyn Matter {
    /// The materials of a solid, of which alone there are rest shapes for other programs.
    pub fn solid(&self) -> Option<&solid::Solid> {
        (self as &dyn Any).downcast_ref()
    }

    /// What particles are, which have no elements.
    pub fn particles(&self) -> Option<&particles::ParticleMatter> {
        (self as &dyn Any).downcast_ref()
    }
}

/// The kinds that come with the library; a body that names none is of the first.
pub static BODY_KINDS: &[BodyKind] = &[solid::KIND, springs::KIND, cloth::KIND, strands::KIND, groups::KIND, particles::KIND];

/// Those that programs have added.
static ADDED: RwLock<Vec<&'static BodyKind>> = RwLock::new(Vec::new());

/// Every kind: [`BODY_KINDS`], then those that were added.
pub fn body_kinds() -> Vec<&'static BodyKind> {
    let added = ADDED.read().unwrap_or_else(PoisonError::into_inner);
    BODY_KINDS.iter().chain(added.iter().copied()).collect()
}

/// Adds a kind of a program's own, for as long as the program runs. To be called before the first scene is read, for the schema of scenes
/// is made once. False if one of this name is there already; then nothing is added.
pub fn add_body_kind(kind: BodyKind) -> bool {
    let mut added = ADDED.write().unwrap_or_else(PoisonError::into_inner);
    let is_new = BODY_KINDS.iter().chain(added.iter().copied()).all(|known| known.name != kind.name);
    if is_new {
        added.push(Box::leak(Box::new(kind)));
    }
    is_new
}

/// The kind of this name; `None` if there is none.
pub fn kind_named(name: &str) -> Option<&'static BodyKind> {
    body_kinds().into_iter().find(|kind| kind.name == name)
}

/// The kind of `body`; `None` if there is none of that name.
pub fn body_kind(body: &Body) -> Option<&'static BodyKind> {
    match &body.kind {
        None => BODY_KINDS.first(),
        Some(settings) => kind_named(&settings.kind),
    }
}
