//! The springs of a body where the scene puts them.

use std::path::Path;

use super::{EDGE, Network, SpringSettings};
use crate::bodies::placed::{differs, read, rest_vertices};
use crate::bodies::{Misplaced, PlacedMesh};
use crate::import::RawMesh;
use crate::math::Vec3;
use crate::mesh::topology::{DisjointSets, Faces};
use crate::mesh::{BodyMesh, Cells, MeshProblem, ProblemCode, to_scene};
use crate::scene::Body;
use crate::watch::Watch;

/// The springs of `body` where the scene puts them; what no spring holds is left out, and told.
pub fn place(body: &Body, folder: &Path, watch: &dyn Watch) -> Result<PlacedMesh, Misplaced> {
    let settings = super::settings_of(body).map_err(|message| Misplaced::at("as", message))?;
    let raw = read(&body.mesh, "mesh", folder, watch)?;
    super::accepts(&raw).map_err(|message| Misplaced::at("mesh", format!("{}: {message}", body.mesh)))?;
    let network = Network::of(&raw, &settings);
    let mut mesh = BodyMesh { radius: settings.radius.unwrap_or(0.0), ..mesh_of(&raw, &network) };
    let in_scene = |&v: &u32| to_scene(&raw.positions[v as usize], body.unit.metres(), body.up);
    mesh.positions = mesh.source_vertices.iter().map(in_scene).collect();
    body.transform.apply(&mut mesh.positions);
    let rest = body.rest_mesh.as_ref().map(|file| {
        let rest = read(file, "rest_mesh", folder, watch)?;
        rest_positions(body, &settings, (&raw, &network), &mesh, &rest).map_err(|why| Misplaced::at("rest_mesh", format!("{file}: {why}")))
    });
    Ok(PlacedMesh { rest: rest.transpose()?, mesh })
}

/// The springs over the vertices that they use; without positions.
fn mesh_of(raw: &RawMesh, network: &Network) -> BodyMesh {
    let count = raw.positions.len();
    let mut number = vec![u32::MAX; count];
    network.lines.as_flattened().iter().for_each(|&v| number[v as usize] = 0);
    let source_vertices: Vec<u32> = (0..count as u32).filter(|&v| number[v as usize] == 0).collect();
    (0..).zip(&source_vertices).for_each(|(index, &v)| number[v as usize] = index);
    let numbered = |v: u32| number[v as usize];
    let lines: Vec<[u32; 2]> = network.lines.iter().map(|line| line.map(numbered)).collect();
    // The corners of faces are those of springs along their edges.
    let surface: Vec<[u32; 3]> = match raw.tets.is_empty() {
        true => raw.triangles.iter().map(|triangle| triangle.map(numbered)).collect(),
        false => Faces::of(&raw.tets).boundary(&raw.tets).0.iter().map(|triangle| triangle.map(numbered)).collect(),
    };
    let mut sets = DisjointSets::new(source_vertices.len());
    lines.iter().for_each(|&[a, b]| sets.join(a, b));
    let component_of = sets.numbered();
    let loose: Vec<usize> = (0..count).filter(|&v| number[v] == u32::MAX).collect();
    let told =
        |n: usize| format!("{n} vertices that no spring holds were left out; numbers of vertices in the scene count those that are left");
    BodyMesh {
        components: lines.iter().map(|line| component_of[line[0] as usize]).collect(),
        // Inside of tets nothing can touch; springs that skip vertices or cross others pass through them.
        free_edges: match raw.tets.is_empty() {
            true => lines.iter().zip(&network.tags).filter(|(_, tag)| **tag == EDGE).map(|(line, _)| *line).collect(),
            false => Vec::new(),
        },
        tags: network.tags.clone(),
        cells: Cells::Lines(lines),
        surface,
        spanned_tets: raw.tets.iter().map(|tet| tet.map(numbered)).collect(),
        source_vertices,
        problems: MeshProblem::found(ProblemCode::LooseVertex, &loose, true, told).into_iter().collect(),
        ..BodyMesh::default()
    }
}

/// The vertices of the rest shape `rest`, which must have the springs of the given shape's file.
fn rest_positions(
    body: &Body,
    settings: &SpringSettings,
    (raw, network): (&RawMesh, &Network),
    mesh: &BodyMesh,
    rest: &RawMesh,
) -> Result<Vec<Vec3>, String> {
    let rest_network = Network::of(rest, settings);
    let differs = |what, found, expected| differs(body, what, "edges", found, expected);
    if rest.positions.len() != raw.positions.len() {
        return Err(differs("vertices", rest.positions.len(), raw.positions.len()));
    }
    if rest_network.lines.len() != network.lines.len() {
        return Err(differs("springs", rest_network.lines.len(), network.lines.len()));
    }
    if rest_network != *network {
        return Err(format!("its springs join other vertices than those of {}; a rest mesh must have the same edges", body.mesh));
    }
    Ok(rest_vertices(body, mesh, rest))
}
