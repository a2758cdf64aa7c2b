//! Mesh files of bodies <-> the scene: unit, up axis and transform, and a rest shape from a file of its own.

use std::path::Path;

use super::filling::filled;
use crate::import::{self, RawMesh};
use crate::math::Vec3;
use crate::mesh::TetMesh;
use crate::mesh::check::to_scene;
use crate::mesh::quality::signed_volume;
use crate::scene::{Body, UpAxis};
use crate::watch::Watch;

/// A body's mesh where the scene puts it.
pub struct PlacedMesh {
    /// The given shape [m].
    pub mesh: TetMesh,
    /// Vertices of the rest shape [m], where it has a file of its own.
    pub rest: Option<Vec<Vec3>>,
}

/// The meshes of `body` where the scene puts them: unit, up axis, then the transform.
///
/// # Errors
/// The key of the body, and what is wrong with the file that it names, in words.
pub fn place(body: &Body, folder: &Path, watch: &dyn Watch) -> Result<PlacedMesh, (&'static str, String)> {
    let read = |file: &str| import::read(&folder.join(file), watch).map_err(|error| error.to_string());
    let raw = read(&body.mesh).map_err(|message| ("mesh", message))?;
    let mut mesh = match &body.tetrahedralise {
        Some(settings) => filled(body, &raw, settings, watch).map_err(|error| ("tetrahedralise", format!("{}: {error}", body.mesh)))?,
        None => TetMesh::from_raw(&raw, body.unit.metres(), body.up).map_err(|error| ("mesh", format!("{}: {error}", body.mesh)))?,
    };
    body.transform.apply(&mut mesh.positions);
    if let Some(skin) = &mut mesh.skin {
        body.transform.apply(&mut skin.positions);
        skin.depths.iter_mut().for_each(|depth| *depth *= body.transform.scale);
        skin.measure_arms(&mesh.tets, &mesh.positions);
    }
    let rest = body.rest_mesh.as_ref().map(|file| {
        let rest = read(file)?;
        rest_positions(body, &raw, &mesh, &rest).map_err(|why| format!("{file}: {why}"))
    });
    let rest = rest.transpose().map_err(|message| ("rest_mesh", message))?;
    Ok(PlacedMesh { mesh, rest })
}

/// The vertices of the rest shape `rest`, which must have the tets of `raw`, the file of the given shape, vertex by vertex and tet by tet.
fn rest_positions(body: &Body, raw: &RawMesh, mesh: &TetMesh, rest: &RawMesh) -> Result<Vec<Vec3>, String> {
    let differs = |what: &str, found: usize, expected: usize| {
        format!(
            "it has {found} {what}, but {} has {expected}; a rest mesh must have the same vertices and tets, in the same order",
            body.mesh
        )
    };
    if rest.positions.len() != raw.positions.len() {
        return Err(differs("vertices", rest.positions.len(), raw.positions.len()));
    }
    if rest.tets.len() != raw.tets.len() {
        return Err(differs("tets", rest.tets.len(), raw.tets.len()));
    }
    let corners = |mut tet: [u32; 4]| {
        tet.sort_unstable();
        tet
    };
    if let Some(t) = raw.tets.iter().zip(&rest.tets).position(|(a, b)| corners(*a) != corners(*b)) {
        let name = &body.mesh;
        return Err(format!("its tet {t} has other corners than that of {name}; a rest mesh must have the same tets in the same order"));
    }
    let mut positions: Vec<Vec3> =
        mesh.source_vertices.iter().map(|&v| to_scene(&rest.positions[v as usize], body.unit.metres(), body.up)).collect();
    body.transform.apply(&mut positions);
    let volume = |tet: &[u32; 4]| signed_volume(&tet.map(|v| positions[v as usize]));
    let flat: Vec<u32> = (0..)
        .zip(&mesh.tets)
        .filter(|(_, tet)| volume(tet).is_nan() || volume(tet) <= 0.0)
        .map(|(t, _)| mesh.source_tets[t as usize])
        .collect();
    match flat.first() {
        None => Ok(positions),
        Some(first) => {
            Err(format!("{} tets have no volume or are inverted, the first of them tet {first}; mend the rest mesh", flat.len()))
        }
    }
}

/// Vertices of the file `raw` of `body`, of which `mesh` was made, with those in use moved to `positions` [m]: in the file's
/// unit and axes, so that the file says `positions` when it is placed like `raw`.
pub fn to_file(body: &Body, raw: &RawMesh, mesh: &TetMesh, positions: &[Vec3]) -> Vec<Vec3> {
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
