//! The tets of a solid: those of its file, or those that its surface is filled with.

use std::path::Path;

use super::filling::filled;
use crate::bodies::placed::{differs, read, rest_vertices};
use crate::bodies::{Misplaced, PlacedMesh};
use crate::import::RawMesh;
use crate::math::Vec3;
use crate::mesh::quality::signed_volume;
use crate::mesh::{BodyMesh, TetMesh};
use crate::scene::Body;
use crate::watch::Watch;

/// The tets of `body` where the scene puts them.
pub fn place(body: &Body, folder: &Path, watch: &dyn Watch) -> Result<PlacedMesh, Misplaced> {
    let raw = read(&body.mesh, "mesh", folder, watch)?;
    let named = |key, error: String| Misplaced::at(key, format!("{}: {error}", body.mesh));
    let mut mesh = match &body.tetrahedralise {
        Some(settings) => filled(body, &raw, settings, watch).map_err(|error| named("tetrahedralise", error))?,
        None => TetMesh::from_raw(&raw, body.unit.metres(), body.up).map_err(|error| named("mesh", error.to_string()))?,
    };
    body.transform.apply(&mut mesh.positions);
    if let Some(skin) = &mut mesh.skin {
        body.transform.apply(&mut skin.positions);
        skin.depths.iter_mut().for_each(|depth| *depth *= body.transform.scale);
        skin.measure_arms(&mesh.tets, &mesh.positions);
    }
    let mesh = BodyMesh::from(mesh);
    let rest = body.rest_mesh.as_ref().map(|file| {
        let rest = read(file, "rest_mesh", folder, watch)?;
        rest_positions(body, &raw, &mesh, &rest).map_err(|why| Misplaced::at("rest_mesh", format!("{file}: {why}")))
    });
    Ok(PlacedMesh { rest: rest.transpose()?, mesh })
}

/// The vertices of the rest shape `rest`, which must have the tets of `raw`, the file of the given shape, vertex by vertex and tet by tet.
fn rest_positions(body: &Body, raw: &RawMesh, mesh: &BodyMesh, rest: &RawMesh) -> Result<Vec<Vec3>, String> {
    let differs = |what, found, expected| differs(body, what, "tets", found, expected);
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
    let positions = rest_vertices(body, mesh, rest);
    let volume = |tet: &[u32; 4]| signed_volume(&tet.map(|v| positions[v as usize]));
    let flat: Vec<u32> = (0..)
        .zip(mesh.tets())
        .filter(|(_, tet)| volume(tet).is_nan() || volume(tet) <= 0.0)
        .map(|(t, _): (u32, _)| mesh.source_cells[t as usize])
        .collect();
    match flat.first() {
        None => Ok(positions),
        Some(first) => {
            Err(format!("{} tets have no volume or are inverted, the first of them tet {first}; mend the rest mesh", flat.len()))
        }
    }
}
