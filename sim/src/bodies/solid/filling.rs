//! Bodies that name a surface: mended as the scene says, filled with tets, and the surface embedded in them.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

use crate::import::RawMesh;
use crate::math::Vec3;
use crate::mesh::closest::ClosestPoint;
use crate::mesh::embedding::embed;
use crate::mesh::mend::mend;
use crate::mesh::tetrahedralise::fill::{FillOptions, Size, fill};
use crate::mesh::to_scene;
use crate::mesh::{Skin, TetMesh};
use crate::scene::{Body, TetrahedraliseSettings};
use crate::watch::Watch;

/// How many tets where the scene does not say.
const TETS: u32 = 20_000;
/// Edges inside over those at the surface, where the scene does not say.
const GRADING: f64 = 2.0;
/// How much is remembered of filled bodies [bytes]: an edit of the scene builds it anew, and most edits leave the meshes alone.
const REMEMBERED: usize = 256 << 20;

/// What a filled body is made from.
type Source = u64;

/// The bodies that were asked for last, the latest at the end. Filling depends on nothing but the source, so that what is
/// remembered is what would be made again.
static FILLED: Mutex<VecDeque<(Source, Arc<TetMesh>)>> = Mutex::new(VecDeque::new());

/// The surface of `raw` filled with tets as `settings` say, in metres and the scene's axes, before the body's transform.
///
/// # Errors
/// In words: no surface, nothing inside, or cancelled.
pub fn filled(body: &Body, raw: &RawMesh, settings: &TetrahedraliseSettings, watch: &dyn Watch) -> Result<TetMesh, String> {
    let triangles = surface_of(body, raw)?;
    let points: Vec<Vec3> = raw.positions.iter().map(|p| to_scene(p, body.unit.metres(), body.up)).collect();
    let source = source(body, &points, &triangles, settings);
    let mut mesh = match recall(source) {
        Some(known) => TetMesh::clone(&known),
        None => {
            let mesh = make(body, points, triangles, settings, watch)?;
            remember(source, &mesh);
            mesh
        }
    };
    // What the tets do not depend on. The boundary of tets has no faces of its own.
    if let Some(skin) = mesh.skin.as_mut().filter(|_| raw.tets.is_empty()) {
        skin.polygons = raw.polygons.clone();
        skin.texture = raw.texture.clone();
    }
    Ok(mesh)
}

fn remember(source: Source, mesh: &TetMesh) {
    let mut filled = FILLED.lock().unwrap_or_else(PoisonError::into_inner);
    filled.push_back((source, Arc::new(mesh.clone())));
    while filled.len() > 1 && filled.iter().map(|(_, mesh)| bytes(mesh)).sum::<usize>() > REMEMBERED {
        filled.pop_front();
    }
}

fn recall(source: Source) -> Option<Arc<TetMesh>> {
    let mut filled = FILLED.lock().unwrap_or_else(PoisonError::into_inner);
    let at = filled.iter().position(|(of, _)| *of == source)?;
    let found = filled.remove(at)?;
    let mesh = Arc::clone(&found.1);
    filled.push_back(found);
    Some(mesh)
}

/// About what a mesh takes: positions and sources of its vertices; corners, components and sources of its tets; its surface; its skin.
fn bytes(mesh: &TetMesh) -> usize {
    let skin = mesh.skin.as_ref().map_or(0, |skin| 60 * skin.positions.len() + 12 * skin.triangles.len());
    32 * mesh.positions.len() + 28 * mesh.tets.len() + 16 * mesh.surface.len() + skin
}

/// The triangles of a file; the boundary of its tets, where it has some.
fn surface_of(body: &Body, raw: &RawMesh) -> Result<Vec<[u32; 3]>, String> {
    if raw.tets.is_empty() {
        return Ok(raw.triangles.clone());
    }
    let tets = TetMesh::from_raw(raw, body.unit.metres(), body.up).map_err(|error| error.to_string())?;
    Ok(tets.surface.iter().map(|triangle| triangle.map(|v| tets.source_vertices[v as usize])).collect())
}

fn make(
    body: &Body,
    points: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    settings: &TetrahedraliseSettings,
    watch: &dyn Watch,
) -> Result<TetMesh, String> {
    let mended = mend(&points, &triangles, &settings.repair, watch).map_err(|cancelled| cancelled.to_string())?;
    let size = match settings.edge_length {
        // As placed: the transform comes after.
        Some(length) => Size::EdgeLength(length / body.transform.scale),
        None => Size::Tets(settings.tets.unwrap_or(TETS) as usize),
    };
    let options = FillOptions { size, grading: settings.grading.unwrap_or(GRADING) };
    let made = fill(&mended.positions, &mended.triangles, &options, watch).map_err(|error| error.to_string())?;
    let mut mesh = TetMesh::from_tets(made.positions, made.tets).map_err(|error| error.to_string())?;
    let (tets, weights) = embed(&points, &mesh.positions, &mesh.tets, watch).map_err(|cancelled| cancelled.to_string())?;
    let nearest = ClosestPoint::new(&points, &triangles);
    let mut depths = vec![f64::INFINITY; mesh.positions.len()];
    for vertex in mesh.surface_vertices() {
        watch.check().map_err(|cancelled| cancelled.to_string())?;
        depths[vertex as usize] = nearest.query(&mesh.positions[vertex as usize]).distance;
    }
    mesh.problems.extend(mended.done);
    mesh.problems.extend(made.report.losses());
    mesh.skin = Some(Skin { positions: points, triangles, tets, weights, depths, report: made.report, ..Skin::default() });
    Ok(mesh)
}

/// All that a filled body depends on.
fn source(body: &Body, points: &[Vec3], triangles: &[[u32; 3]], settings: &TetrahedraliseSettings) -> Source {
    let mut hasher = DefaultHasher::new();
    points.iter().flat_map(|p| [p.x, p.y, p.z]).for_each(|x| x.to_bits().hash(&mut hasher));
    triangles.hash(&mut hasher);
    // Only lengths are of the placed body.
    settings.edge_length.map(|_| body.transform.scale.to_bits()).hash(&mut hasher);
    // Every key of the settings, whatever is added.
    format!("{settings:?}").hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::mesh::structured::{CubeCut, box_mesh};

    /// What is remembered is counted for at least its numbers, and not for many times as much.
    #[test]
    fn meshes_are_counted_for_what_they_take() {
        for cells in [1, 4, 9] {
            let (positions, tets) = box_mesh(Vec3::repeat(1.0), [cells; 3], CubeCut::Five);
            let mesh = TetMesh::from_tets(positions, tets).unwrap();
            let numbers = size_of_val(&mesh.positions[..]) + size_of_val(&mesh.tets[..]) + size_of_val(&mesh.surface[..]);
            assert!((numbers..3 * numbers).contains(&bytes(&mesh)), "{} of {numbers}", bytes(&mesh));
        }
    }
}
