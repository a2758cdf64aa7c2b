//! What fills closed cloth: one element for each closed part, of all its vertices.

use super::Filling;
use super::sheet::triangles_of;
use super::told::places;
use crate::bodies::{Degenerate, Families};
use crate::element::{Corners, Enclosed, EnclosedVolumes};
use crate::math::Vec3;
use crate::mesh::BodyMesh;
use crate::mesh::health::Mates;

/// Vertices of a closed part at most: what fills it couples them all with one another.
const MOST_VERTICES: usize = 1500;

/// A closed part: its vertices, and its triangles by their places among these.
struct Part {
    vertices: Vec<u32>,
    triangles: Vec<[u32; 3]>,
    /// Its first triangle in the mesh.
    first: usize,
}

/// # Errors
/// In words, with the places: parts with a border, and such as have too many vertices or enclose nothing.
pub fn check(mesh: &BodyMesh) -> Result<(), String> {
    let triangles = triangles_of(mesh);
    let open: Vec<usize> = Mates::of(triangles).open().map(|side| side as usize / 3).collect();
    if !open.is_empty() {
        let middle = |t: usize| triangles[t].iter().map(|&v| mesh.positions[v as usize]).sum::<Vec3>() / 3.0;
        return Err(format!(
            "only a closed surface can be filled, and {} edges have one triangle ({}); close the holes, or leave \"filling\" out",
            open.len(),
            places(open.iter().map(|&t| (format!("triangle {t}"), middle(t))))
        ));
    }
    for part in parts(mesh) {
        let count = part.vertices.len();
        if count > MOST_VERTICES {
            return Err(format!(
                "the part with triangle {} has {count} vertices, and what fills it couples all of them: {MOST_VERTICES} are the most; make the \
                 surface coarser, or push it by a region with a pressure",
                part.first
            ));
        }
        Enclosed::new(facing_out(&part, &mesh.positions), 1.0, 1.0, &Corners::new(&mesh.positions, &part.vertices))
            .map_err(|_| format!("the part with triangle {} encloses no volume", part.first))?;
    }
    Ok(())
}

/// The fillings of all closed parts, in families by their numbers of vertices.
pub fn families(filling: &Filling, mesh: &BodyMesh, rest: &[Vec3], given: &[Vec3]) -> Result<Families, Degenerate> {
    let mut widths: Vec<(usize, Vec<Enclosed>, Vec<u32>)> = Vec::new();
    for part in parts(mesh) {
        let triangles = facing_out(&part, rest);
        let mut filled = Enclosed::new(triangles, filling.bulk_modulus, filling.volume, &Corners::new(rest, &part.vertices))
            .map_err(|why| vec![(part.first, why)])?;
        filled.given_at(&Corners::new(given, &part.vertices));
        let width = part.vertices.len();
        match widths.iter_mut().find(|known| known.0 == width) {
            Some((_, elements, nodes)) => {
                elements.push(filled);
                nodes.extend(part.vertices);
            }
            None => widths.push((width, vec![filled], part.vertices)),
        }
    }
    Ok(widths.into_iter().map(|(width, elements, nodes)| Box::new(EnclosedVolumes::new(width, elements, nodes)) as _).collect())
}

/// Its triangles, turned round where they look inwards at `x` [m].
fn facing_out(part: &Part, x: &[Vec3]) -> Vec<[u32; 3]> {
    let turned: Vec<[u32; 3]> = part.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
    match Enclosed::new(turned.clone(), 1.0, 1.0, &Corners::new(x, &part.vertices)) {
        Ok(_) => turned,
        Err(_) => part.triangles.clone(),
    }
}

/// The parts of a surface, by the components of its triangles.
fn parts(mesh: &BodyMesh) -> Vec<Part> {
    let count = mesh.components.iter().max().map_or(0, |&last| last as usize + 1);
    let mut parts: Vec<Part> = (0..count).map(|_| Part { vertices: Vec::new(), triangles: Vec::new(), first: 0 }).collect();
    let mut place = vec![u32::MAX; mesh.positions.len()];
    for (t, (triangle, &component)) in triangles_of(mesh).iter().zip(&mesh.components).enumerate() {
        let part = &mut parts[component as usize];
        if part.triangles.is_empty() {
            part.first = t;
        }
        let corners = triangle.map(|v| {
            let place = &mut place[v as usize];
            if *place == u32::MAX {
                *place = part.vertices.len() as u32;
                part.vertices.push(v);
            }
            *place
        });
        part.triangles.push(corners);
    }
    parts
}
