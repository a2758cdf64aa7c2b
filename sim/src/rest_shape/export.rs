//! A rest shape as a mesh file beside the one that the body was made of.

use std::path::Path;

use super::RestShapeError;
use crate::export::medit;
use crate::import;
use crate::math::Vec3;
use crate::scene::Body;
use crate::system::{PlacedBody, build};
use crate::watch::Watch;

/// The MEDIT mesh of `body` with the rest shape `positions` of its system's nodes [m]: all vertices and tets of the body's own
/// file, in its order, unit and axes, so that it can be named as the body's `rest_mesh` or put in the place of its `mesh`.
///
/// # Errors
/// [`RestShapeError::File`] if the body's own file cannot be read again, or is no longer what it was.
pub fn mesh_file(
    body: &Body,
    placed: &PlacedBody,
    positions: &[Vec3],
    folder: &Path,
    watch: &dyn Watch,
) -> Result<Vec<u8>, RestShapeError> {
    let raw = import::read(&folder.join(&body.mesh), watch).map_err(|error| RestShapeError::File(error.to_string()))?;
    let mesh = &placed.mesh;
    let is_there = |index: &Vec<u32>, count: usize| index.iter().all(|&i| (i as usize) < count);
    if !is_there(&mesh.source_vertices, raw.positions.len()) || !is_there(&mesh.source_tets, raw.tets.len()) {
        return Err(RestShapeError::File(format!("{} changed while the rest shape was sought; try again", body.mesh)));
    }
    let in_file = build::to_file(body, &raw, mesh, &positions[placed.nodes.clone()]);
    let mut bytes = Vec::new();
    medit::write_exact(&mut bytes, &in_file, &raw.tets, &raw.tags).map_err(|error| RestShapeError::File(error.to_string()))?;
    Ok(bytes)
}
