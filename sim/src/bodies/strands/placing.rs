//! The strands of a body where the scene puts them.

use std::path::Path;
use std::sync::Arc;

use super::chains::Chains;
use crate::bodies::placed::read;
use crate::bodies::{Misplaced, PlacedMesh};
use crate::import::RawMesh;
use crate::mesh::{BodyMesh, Cells, Hairs, MeshProblem, ProblemCode, to_scene};
use crate::scene::Body;
use crate::watch::Watch;

/// Points of hairs at most.
const MOST_POINTS: u64 = 20_000_000;

/// The strands of `body` where the scene puts them; what is of no strand is left out, and told.
pub fn place(body: &Body, folder: &Path, watch: &dyn Watch) -> Result<PlacedMesh, Misplaced> {
    let settings = super::settings_of(body).map_err(|message| Misplaced::at("as", message))?;
    let raw = read(&body.mesh, "mesh", folder, watch)?;
    let named = |message: String| Misplaced::at("mesh", format!("{}: {message}", body.mesh));
    super::accepts(&raw).map_err(named)?;
    if body.rest_mesh.is_some() {
        return Err(Misplaced::at("rest_mesh", "strands are undeformed in the given shape before they are initialised; leave this out"));
    }
    let chains = Chains::of(&raw).map_err(|vertex| named(branches(vertex)))?;
    let mut mesh = BodyMesh { radius: settings.radius, thickness: 2.0 * settings.radius, ..mesh_of(&raw, &chains) };
    let in_scene = |&v: &u32| to_scene(&raw.positions[v as usize], body.unit.metres(), body.up);
    mesh.positions = mesh.source_vertices.iter().map(in_scene).collect();
    body.transform.apply(&mut mesh.positions);
    if let Some(hairs) = settings.hairs {
        let points = u64::from(hairs.per_guide) * mesh.positions.len() as u64;
        if points > MOST_POINTS {
            let message =
                format!("{points} points of hairs are more than {MOST_POINTS}, which can be drawn; take fewer hairs for each guide");
            return Err(Misplaced::at("as.strands.hairs.per_guide", message));
        }
        let found = Hairs::between(&strands(mesh.lines(), &mesh.components), &mesh.positions, hairs.per_guide, hairs.seed);
        mesh.hairs = Some(Arc::new(found)).filter(|hairs| !hairs.is_empty());
    }
    Ok(PlacedMesh { mesh, rest: None })
}

/// The vertices of each strand from its first; of one that is closed, the first comes again as the last.
fn strands(segments: &[[u32; 2]], strand_of: &[u32]) -> Vec<Vec<u32>> {
    let mut strands: Vec<Vec<u32>> = Vec::new();
    for (&[a, b], &strand) in segments.iter().zip(strand_of) {
        if strands.len() <= strand as usize {
            strands.push(vec![a]);
        }
        if let Some(last) = strands.last_mut() {
            last.push(b);
        }
    }
    strands
}

/// That more than two segments meet at a vertex of the file.
pub(super) fn branches(vertex: u32) -> String {
    format!("more than two segments of lines meet at vertex {vertex}, and strands do not branch; take the lines apart there")
}

/// The segments over the vertices that they use; without positions.
fn mesh_of(raw: &RawMesh, chains: &Chains) -> BodyMesh {
    let count = raw.positions.len();
    let mut number = vec![u32::MAX; count];
    chains.segments.as_flattened().iter().for_each(|&v| number[v as usize] = 0);
    let source_vertices: Vec<u32> = (0..count as u32).filter(|&v| number[v as usize] == 0).collect();
    (0..).zip(&source_vertices).for_each(|(index, &v)| number[v as usize] = index);
    let segments: Vec<[u32; 2]> = chains.segments.iter().map(|segment| segment.map(|v| number[v as usize])).collect();
    let loose: Vec<usize> = (0..count).filter(|&v| number[v] == u32::MAX).collect();
    let told = |n: usize| format!("{n} vertices of no strand were left out; numbers of vertices in the scene count those that are left");
    BodyMesh {
        components: chains.strand_of.clone(),
        tags: vec![0; segments.len()],
        free_edges: segments.clone(),
        cells: Cells::Lines(segments),
        source_vertices,
        problems: MeshProblem::found(ProblemCode::LooseVertex, &loose, true, told).into_iter().collect(),
        ..BodyMesh::default()
    }
}
