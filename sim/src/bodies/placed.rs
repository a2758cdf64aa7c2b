//! The mesh of a body where the scene puts it: read, placed, and brought back into its file.

use std::path::Path;

use super::body_kind;
use crate::import::{self, RawMesh};
use crate::math::Vec3;
use crate::mesh::{BodyMesh, to_scene};
use crate::scene::{Body, UpAxis};
use crate::watch::Watch;

/// A body's mesh where the scene puts it.
#[derive(Clone)]
pub struct PlacedMesh {
    /// The given shape [m].
    pub mesh: BodyMesh,
    /// Vertices of the rest shape [m], where it has a file of its own.
    pub rest: Option<Vec<Vec3>>,
}

/// Why a mesh cannot be placed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Misplaced {
    /// The key of the body that is at fault.
    pub key: &'static str,
    /// What is wrong, in words.
    pub message: String,
}

impl Misplaced {
    pub(super) fn at(key: &'static str, message: impl ToString) -> Self {
        Self { key, message: message.to_string() }
    }
}

/// The mesh of `body` where the scene puts it: unit, up axis, then the transform. Relative paths start at `folder`.
///
/// # Errors
/// [`Misplaced`]: what is wrong with the kind, or with a file that it names.
pub fn place(body: &Body, folder: &Path, watch: &dyn Watch) -> Result<PlacedMesh, Misplaced> {
    let Some(kind) = body_kind(body) else {
        let name = body.kind.as_ref().map_or("", |settings| &settings.kind);
        return Err(Misplaced::at("as", format!("there is no kind of body `{name}`")));
    };
    (kind.place)(body, folder, watch)
}

/// Reads a file of `body` that its `key` names.
pub(super) fn read(file: &str, key: &'static str, folder: &Path, watch: &dyn Watch) -> Result<RawMesh, Misplaced> {
    import::read(&folder.join(file), watch).map_err(|error| Misplaced::at(key, error))
}

/// Vertices of the rest shape that `rest` says: `mesh`, the given shape, was made of the vertices of a file that `rest` corresponds to.
pub(super) fn rest_vertices(body: &Body, mesh: &BodyMesh, rest: &RawMesh) -> Vec<Vec3> {
    let in_scene = |&v: &u32| to_scene(&rest.positions[v as usize], body.unit.metres(), body.up);
    let mut positions: Vec<Vec3> = mesh.source_vertices.iter().map(in_scene).collect();
    body.transform.apply(&mut positions);
    positions
}

/// That a rest mesh has another count of something than the given shape's file.
pub(super) fn differs(body: &Body, what: &str, cells: &str, found: usize, expected: usize) -> String {
    format!(
        "it has {found} {what}, but {} has {expected}; a rest mesh must have the same vertices and {cells}, in the same order",
        body.mesh
    )
}

/// Vertices of the file `raw` of `body`, of which `mesh` was made, with those in use moved to `positions` [m]: in the file's
/// unit and axes, so that the file says `positions` when it is placed like `raw`.
pub fn to_file(body: &Body, raw: &RawMesh, mesh: &BodyMesh, positions: &[Vec3]) -> Vec<Vec3> {
    let mut in_file = raw.positions.clone();
    let mut moved = positions.to_vec();
    body.transform.undo(&mut moved);
    for (&vertex, position) in mesh.source_vertices.iter().zip(&moved) {
        let p = position / body.unit.metres();
        in_file[vertex as usize] = match body.up {
            UpAxis::Y => p,
            UpAxis::Z => Vec3::new(p.x, -p.z, p.y),
        };
    }
    in_file
}
