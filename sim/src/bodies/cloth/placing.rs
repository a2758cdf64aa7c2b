//! The triangles of cloth where the scene puts it.

use std::path::Path;

use super::told::sound;
use super::{RestShape, filling, pattern, seams};
use crate::bodies::placed::{differs, read, rest_vertices};
use crate::bodies::{Misplaced, PlacedMesh};
use crate::import::RawMesh;
use crate::math::Vec3;
use crate::mesh::health::{Mates, sides};
use crate::mesh::topology::DisjointSets;
use crate::mesh::{BodyMesh, Cells, MeshProblem, ProblemCode, to_scene};
use crate::scene::Body;
use crate::watch::Watch;

/// The cloth of `body` where the scene puts it; vertices that no triangle uses are left out, and told.
pub fn place(body: &Body, folder: &Path, watch: &dyn Watch) -> Result<PlacedMesh, Misplaced> {
    let settings = super::settings_of(body).map_err(|message| Misplaced::at("as", message))?;
    let raw = read(&body.mesh, "mesh", folder, watch)?;
    let named = |message: String| Misplaced::at("mesh", format!("{}: {message}", body.mesh));
    super::accepts(&raw).map_err(named)?;
    let mut mesh = BodyMesh { thickness: settings.thickness, ..mesh_of(body, &raw).map_err(named)? };
    body.transform.apply(&mut mesh.positions);
    if settings.rest == RestShape::Uv {
        let scale = settings.uv_scale.unwrap_or(body.unit.metres() * body.transform.scale);
        pattern::add(&mut mesh, &raw, scale, watch)
            .map_err(|why| Misplaced::at("as", format!("\"rest\": \"uv\" with {}: {why}", body.mesh)))?;
    }
    if let Some(seams) = &settings.seams {
        seams::add(&mut mesh, &raw, seams).map_err(|why| Misplaced::at("as", format!("\"seams\": {why}")))?;
    }
    if settings.filling.is_some() {
        filling::check(&mesh).map_err(|why| Misplaced::at("as", format!("\"filling\": {}: {why}", body.mesh)))?;
    }
    let rest = body.rest_mesh.as_ref().map(|file| {
        let rest = read(file, "rest_mesh", folder, watch)?;
        rest_positions(body, &raw, &mesh, &rest).map_err(|why| Misplaced::at("rest_mesh", format!("{file}: {why}")))
    });
    Ok(PlacedMesh { rest: rest.transpose()?, mesh })
}

/// The surface in metres, before its transform.
fn mesh_of(body: &Body, raw: &RawMesh) -> Result<BodyMesh, String> {
    let in_scene = |p: &Vec3| to_scene(p, body.unit.metres(), body.up);
    let positions: Vec<Vec3> = raw.positions.iter().map(in_scene).collect();
    if let Some(v) = positions.iter().position(|x| x.iter().any(|entry| !entry.is_finite())) {
        return Err(format!("vertex {v} has a coordinate that is no finite number"));
    }
    let (kept, mut problems) = sound(&positions, &raw.triangles)?;
    let triangles: Vec<[u32; 3]> = kept.iter().map(|&t| raw.triangles[t]).collect();
    // Pressure knows a front and a back.
    let against = sides(&positions, &triangles, &Mates::of(&triangles)).against;
    let turned: Vec<usize> = kept.iter().zip(&against).filter(|(_, against)| **against).map(|(t, _)| *t).collect();
    let told = |n: usize| format!("{n} triangles that looked the other way than their neighbours were turned round");
    problems.extend(MeshProblem::found(ProblemCode::Flipped, &turned, true, told));
    let mut number = vec![u32::MAX; positions.len()];
    triangles.as_flattened().iter().for_each(|&v| number[v as usize] = 0);
    let source_vertices: Vec<u32> = (0..positions.len() as u32).filter(|&v| number[v as usize] == 0).collect();
    (0..).zip(&source_vertices).for_each(|(index, &v)| number[v as usize] = index);
    let loose: Vec<usize> = (0..positions.len()).filter(|&v| number[v] == u32::MAX).collect();
    let told =
        |n: usize| format!("{n} vertices that no triangle uses were left out; numbers of vertices in the scene count those that are left");
    problems.extend(MeshProblem::found(ProblemCode::LooseVertex, &loose, true, told));
    let facing = |(corners, against): (&[u32; 3], &bool)| {
        let [a, b, c] = corners.map(|v| number[v as usize]);
        if *against { [a, c, b] } else { [a, b, c] }
    };
    let triangles: Vec<[u32; 3]> = triangles.iter().zip(&against).map(facing).collect();
    let mut sets = DisjointSets::new(source_vertices.len());
    triangles.iter().for_each(|&[a, b, c]| {
        sets.join(a, b);
        sets.join(b, c);
    });
    let component_of = sets.numbered();
    Ok(BodyMesh {
        positions: source_vertices.iter().map(|&v| positions[v as usize]).collect(),
        components: triangles.iter().map(|corners| component_of[corners[0] as usize]).collect(),
        tags: vec![0; triangles.len()],
        surface: triangles.clone(),
        cells: Cells::Triangles(triangles),
        source_vertices,
        source_cells: kept.iter().map(|&t| t as u32).collect(),
        problems,
        ..BodyMesh::default()
    })
}

/// The vertices of the rest shape `rest`, which must have the triangles of the given shape's file.
fn rest_positions(body: &Body, raw: &RawMesh, mesh: &BodyMesh, rest: &RawMesh) -> Result<Vec<Vec3>, String> {
    let differs = |what, found, expected| differs(body, what, "triangles", found, expected);
    if rest.positions.len() != raw.positions.len() {
        return Err(differs("vertices", rest.positions.len(), raw.positions.len()));
    }
    if rest.triangles.len() != raw.triangles.len() {
        return Err(differs("triangles", rest.triangles.len(), raw.triangles.len()));
    }
    let corners = |mut triangle: [u32; 3]| {
        triangle.sort_unstable();
        triangle
    };
    if let Some(t) = raw.triangles.iter().zip(&rest.triangles).position(|(a, b)| corners(*a) != corners(*b)) {
        let name = &body.mesh;
        return Err(format!(
            "its triangle {t} has other corners than that of {name}; a rest mesh must have the same triangles in the same order"
        ));
    }
    let positions = rest_vertices(body, mesh, rest);
    sound(&positions, &mesh.surface).map_err(|why| format!("where it is at rest, {why}"))?;
    Ok(positions)
}
