//! The vertices and groups of a body where the scene puts them.

use std::path::Path;

use super::{GroupSettings, Sort, rings};
use crate::bodies::placed::read;
use crate::bodies::{Misplaced, PlacedMesh};
use crate::import::RawMesh;
use crate::mesh::cut_cells::{CutCells, Uncut, cut};
use crate::mesh::topology::DisjointSets;
use crate::mesh::{BodyMesh, Cells, MeshProblem, ProblemCode, TetMesh, to_scene};
use crate::scene::Body;
use crate::watch::Watch;

/// The body where the scene puts it.
pub fn place(body: &Body, folder: &Path, watch: &dyn Watch) -> Result<PlacedMesh, Misplaced> {
    let settings = super::settings_of(body).map_err(|message| Misplaced::at("as", message))?;
    if body.rest_mesh.is_some() {
        return Err(Misplaced::at("rest_mesh", "groups are undeformed in the given shape before they are initialised; leave this out"));
    }
    let raw = read(&body.mesh, "mesh", folder, watch)?;
    let named = |message: String| Misplaced::at("mesh", format!("{}: {message}", body.mesh));
    let mesh = match settings.of {
        Sort::Cells => of_cells(body, &raw, &settings, watch)?,
        _ if raw.tets.is_empty() => return Err(named(format!("it has no tets, of which these groups are; {OTHERWISE}"))),
        sort => {
            let mut mesh = TetMesh::from_raw(&raw, body.unit.metres(), body.up).map_err(|error| named(error.to_string()))?;
            body.transform.apply(&mut mesh.positions);
            let mut mesh = BodyMesh::from(mesh);
            let size = settings.size.unwrap_or(0.0);
            match sort {
                Sort::Rings => mesh.clusters = rings::rings(&mesh),
                Sort::Spheres => mesh.clusters = rings::spheres(&mesh, size).map_err(|message| Misplaced::at("as", message))?,
                _ => {}
            }
            mesh
        }
    };
    Ok(PlacedMesh { mesh, rest: None })
}

const OTHERWISE: &str = "take \"of\": \"cells\" with a \"size\" for a closed surface";

/// The surface of the file, cut in place: cells are of the scene's lengths and axes.
fn of_cells(body: &Body, raw: &RawMesh, settings: &GroupSettings, watch: &dyn Watch) -> Result<BodyMesh, Misplaced> {
    let named = |message: String| Misplaced::at("mesh", format!("{}: {message}", body.mesh));
    if raw.triangles.is_empty() {
        return Err(named("it has no surface of triangles, out of which cells could be cut".into()));
    }
    let mut used = vec![u32::MAX; raw.positions.len()];
    raw.triangles.as_flattened().iter().for_each(|&v| used[v as usize] = 0);
    let source_vertices: Vec<u32> = (0..used.len() as u32).filter(|&v| used[v as usize] == 0).collect();
    (0..).zip(&source_vertices).for_each(|(index, &v)| used[v as usize] = index);
    let mut positions: Vec<_> =
        source_vertices.iter().map(|&v| to_scene(&raw.positions[v as usize], body.unit.metres(), body.up)).collect();
    body.transform.apply(&mut positions);
    let triangles: Vec<[u32; 3]> = raw.triangles.iter().map(|triangle| triangle.map(|v| used[v as usize])).collect();
    let cut = cut(&positions, &triangles, settings.size.unwrap_or(f64::NAN), watch).map_err(|why| match why {
        Uncut::Cancelled => Misplaced::at("mesh", "cancelled"),
        Uncut::Fault(message) => named(message),
    })?;
    let loose: Vec<usize> = (0..used.len()).filter(|&v| used[v] == u32::MAX).collect();
    let told = |n: usize| format!("{n} vertices of no triangle were left out; numbers of vertices in the scene count those that are left");
    Ok(BodyMesh {
        components: components(&cut),
        tags: vec![0; cut.surface.len()],
        cells: Cells::Triangles(cut.surface.clone()),
        positions: cut.positions,
        surface: cut.surface,
        clusters: cut.pieces,
        source_vertices,
        problems: MeshProblem::found(ProblemCode::LooseVertex, &loose, true, told).into_iter().collect(),
        ..BodyMesh::default()
    })
}

/// The component of each triangle, by the pieces that join them.
fn components(cut: &CutCells) -> Vec<u32> {
    let mut sets = DisjointSets::new(cut.positions.len());
    cut.pieces.iter().for_each(|vertices| vertices.iter().for_each(|&v| sets.join(vertices[0], v)));
    let mut numbers = vec![u32::MAX; cut.positions.len()];
    let mut count = 0;
    let component = |triangle: &[u32; 3]| {
        let number = &mut numbers[sets.find(triangle[0]) as usize];
        if *number == u32::MAX {
            *number = count;
            count += 1;
        }
        *number
    };
    cut.surface.iter().map(component).collect()
}
