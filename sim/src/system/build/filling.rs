//! Bodies that name a surface: mended as the scene says, filled with tets, and the surface embedded in them.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

use super::metres;
use crate::import::RawMesh;
use crate::math::Vec3;
use crate::mesh::check::to_scene;
use crate::mesh::closest::ClosestPoint;
use crate::mesh::embedding::embed;
use crate::mesh::mend::mend;
use crate::mesh::tetrahedralise::fill::{FillOptions, Size, fill};
use crate::mesh::{Skin, TetMesh};
use crate::scene::{Body, TetrahedraliseSettings};
use crate::watch::Watch;

/// How many tets where the scene does not say.
const TETS: u32 = 20_000;
/// Edges inside over those at the surface, where the scene does not say.
const GRADING: f64 = 2.0;
/// How many filled bodies are remembered: an edit of the scene builds it anew, and most edits leave the meshes alone.
const REMEMBERED: usize = 8;

/// What a filled body is made from.
type Source = u64;

/// The bodies that were filled last, the latest at the end. Filling depends on nothing but the source, so that what is
/// remembered is what would be made again.
static FILLED: Mutex<VecDeque<(Source, Arc<TetMesh>)>> = Mutex::new(VecDeque::new());

/// The surface of `raw` filled with tets as `settings` say, in metres and the scene's axes, before the body's transform.
///
/// # Errors
/// In words: no surface, nothing inside, or cancelled.
pub fn filled(body: &Body, raw: &RawMesh, settings: &TetrahedraliseSettings, watch: &dyn Watch) -> Result<TetMesh, String> {
    let triangles = surface_of(body, raw)?;
    let points: Vec<Vec3> = raw.positions.iter().map(|p| to_scene(p, metres(body.unit), body.up)).collect();
    let source = source(body, &points, &triangles, settings);
    if let Some(known) = recall(source) {
        return Ok(TetMesh::clone(&known));
    }
    let mesh = make(body, points, triangles, settings, watch)?;
    let mut filled = FILLED.lock().unwrap_or_else(PoisonError::into_inner);
    filled.push_back((source, Arc::new(mesh.clone())));
    if filled.len() > REMEMBERED {
        filled.pop_front();
    }
    Ok(mesh)
}

fn recall(source: Source) -> Option<Arc<TetMesh>> {
    let filled = FILLED.lock().unwrap_or_else(PoisonError::into_inner);
    filled.iter().find(|(of, _)| *of == source).map(|(_, mesh)| Arc::clone(mesh))
}

/// The triangles of a file; the boundary of its tets, where it has some.
fn surface_of(body: &Body, raw: &RawMesh) -> Result<Vec<[u32; 3]>, String> {
    if raw.tets.is_empty() {
        return Ok(raw.triangles.clone());
    }
    let tets = TetMesh::from_raw(raw, metres(body.unit), body.up).map_err(|error| error.to_string())?;
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
    let (tets, weights) = embed(&points, &mesh.positions, &mesh.tets);
    let nearest = ClosestPoint::new(&points, &triangles);
    let mut under = vec![u32::MAX; mesh.positions.len()];
    for vertex in mesh.surface_vertices() {
        under[vertex as usize] = nearest.query(&mesh.positions[vertex as usize]).triangle;
    }
    mesh.problems.extend(mended.done);
    mesh.skin = Some(Skin { positions: points, triangles, tets, weights, under, report: made.report });
    Ok(mesh)
}

/// All that a filled body depends on.
fn source(body: &Body, points: &[Vec3], triangles: &[[u32; 3]], settings: &TetrahedraliseSettings) -> Source {
    let mut hasher = DefaultHasher::new();
    points.iter().flat_map(|p| [p.x, p.y, p.z]).for_each(|x| x.to_bits().hash(&mut hasher));
    triangles.hash(&mut hasher);
    body.transform.scale.to_bits().hash(&mut hasher);
    // Every key of the settings, whatever is added.
    format!("{settings:?}").hash(&mut hasher);
    hasher.finish()
}
