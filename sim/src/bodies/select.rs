//! Regions -> vertices, cells and faces of a placed body.

use crate::files::fnv;
use crate::math::{Vec3, bounding_box};
use crate::mesh::BodyMesh;
use crate::scene::{Axis, Region, SceneProblem, Selector};

/// Vertices of the region, ascending: those selected by index or place, and all corners of the cells selected by
/// index or tag.
pub fn region_vertices(mesh: &BodyMesh, region: &Region) -> Vec<u32> {
    let mut selected = vec![false; mesh.positions.len()];
    for selector in &region.select {
        match selector {
            Selector::Elements(_) | Selector::Tag(_) => {
                for (cell, _) in mesh.cells.iter().zip(cells_named(mesh, selector)).filter(|(_, named)| *named) {
                    cell.iter().for_each(|&vertex| selected[vertex as usize] = true);
                }
            }
            Selector::Vertices(painted) => {
                selected.iter_mut().zip(painted_on_cells(mesh, painted)).for_each(|(selected, painted)| *selected |= painted);
            }
            place => {
                let inside = inside(place, &mesh.positions);
                selected.iter_mut().zip(&mesh.positions).for_each(|(selected, x)| *selected |= inside(x));
            }
        }
    }
    indices(&selected)
}

/// Cells of the region, ascending: those selected by index or tag, those whose middle lies in a selected place, and
/// those whose middle is nearest to a selected surface vertex.
pub fn region_cells(mesh: &BodyMesh, region: &Region) -> Vec<u32> {
    let centroids = mesh.centroids();
    let mut selected = vec![false; mesh.cells.len()];
    for selector in &region.select {
        match selector {
            Selector::Elements(_) | Selector::Tag(_) => {
                selected.iter_mut().zip(cells_named(mesh, selector)).for_each(|(selected, named)| *selected |= named);
            }
            Selector::Vertices(painted) => {
                let of_region = painted_on_cells(mesh, painted);
                for (selected, vertex) in selected.iter_mut().zip(mesh.nearest_surface_vertices()) {
                    *selected |= of_region[vertex as usize];
                }
            }
            place => {
                let inside = inside(place, &mesh.positions);
                selected.iter_mut().zip(&centroids).for_each(|(selected, x)| *selected |= inside(x));
            }
        }
    }
    indices(&selected)
}

/// Faces of the mesh's surface whose three corners belong to the region.
pub fn region_faces(mesh: &BodyMesh, region: &Region) -> Vec<usize> {
    let mut selected = vec![false; mesh.positions.len()];
    region_vertices(mesh, region).iter().for_each(|&vertex| selected[vertex as usize] = true);
    let inside = |face: &[u32; 3]| face.iter().all(|&vertex| selected[vertex as usize]);
    mesh.surface.iter().enumerate().filter(|(_, face)| inside(face)).map(|(index, _)| index).collect()
}

/// Vertices of the mesh's skin in the region, ascending; none where it has no skin. Painted vertices are the skin's own; of
/// tets, those that they carry.
pub fn region_skin_vertices(mesh: &BodyMesh, region: &Region) -> Vec<u32> {
    let Some(skin) = &mesh.skin else { return Vec::new() };
    let mut selected = vec![false; skin.positions.len()];
    for selector in &region.select {
        match selector {
            Selector::Elements(_) | Selector::Tag(_) => {
                let named = cells_named(mesh, selector);
                selected.iter_mut().zip(&skin.tets).for_each(|(selected, &tet)| *selected |= named[tet as usize]);
            }
            Selector::Vertices(painted) => mark(&mut selected, painted),
            place => {
                let inside = inside(place, &mesh.positions);
                selected.iter_mut().zip(&skin.positions).for_each(|(selected, x)| *selected |= inside(x));
            }
        }
    }
    indices(&selected)
}

/// How many vertices [`Selector::Vertices`] chooses from: those of the file that the artist brought.
pub fn paintable_vertices(mesh: &BodyMesh) -> usize {
    mesh.skin.as_ref().map_or(mesh.positions.len(), |skin| skin.positions.len())
}

/// Mark of what indices in regions mean: another one with other triangles of the artist's surface or, without it, other cells.
/// Where vertices are does not matter: a body that was moved or deformed keeps its regions.
pub fn fingerprint(mesh: &BodyMesh) -> String {
    let lists = mesh.skin.as_ref().map_or(mesh.cells.vertices(), |skin| skin.triangles.as_flattened());
    let hash = fnv::of_bytes(std::iter::once(paintable_vertices(mesh) as u32).chain(lists.iter().copied()));
    format!("{hash:016x}")
}

/// For each vertex of the cells, whether it belongs to what is painted.
fn painted_on_cells(mesh: &BodyMesh, painted: &[u32]) -> Vec<bool> {
    let mut marks = vec![false; paintable_vertices(mesh)];
    mark(&mut marks, painted);
    match &mesh.skin {
        Some(skin) => skin.on_tets(&marks, &mesh.positions),
        None => marks,
    }
}

/// Indices that the mesh does not have; `path` is the region's.
pub fn check_region(mesh: &BodyMesh, region: &Region, path: &str) -> Vec<SceneProblem> {
    let mut problems = Vec::new();
    for (i, selector) in region.select.iter().enumerate() {
        let (kind, indices, count) = match selector {
            Selector::Vertices(indices) => ("vertices", indices, paintable_vertices(mesh)),
            Selector::Elements(indices) => ("elements", indices, mesh.cells.len()),
            _ => continue,
        };
        let outside = || indices.iter().enumerate().filter(|(_, index)| **index as usize >= count);
        if let Some((at, index)) = outside().next() {
            let message = format!(
                "the mesh has {count} {kind}, so there is no index {index} ({} such in this list); was the mesh changed? Select again",
                outside().count()
            );
            problems.push(SceneProblem::at(format!("{path}.select[{i}].{kind}[{at}]"), message));
        }
    }
    problems
}

/// For each cell, whether the selector names it by index or tag.
fn cells_named(mesh: &BodyMesh, selector: &Selector) -> Vec<bool> {
    match selector {
        Selector::Tag(tag) => mesh.tags.iter().map(|of_cell| of_cell == tag).collect(),
        Selector::Elements(indices) => {
            let mut named = vec![false; mesh.cells.len()];
            mark(&mut named, indices);
            named
        }
        _ => vec![false; mesh.cells.len()],
    }
}

/// Whether a point lies in a selected place; `body` gives the extent that heights are fractions of.
fn inside(selector: &Selector, body: &[Vec3]) -> impl Fn(&Vec3) -> bool {
    let (low, high) = bounding_box(body);
    // A vertex exactly on a boundary belongs to the region, whatever rounding did to it.
    let slack = 1e-9 * (high - low).norm();
    move |x| match selector {
        Selector::All {} => true,
        Selector::Box { min, max } => (0..3).all(|k| min[k] - slack <= x[k] && x[k] <= max[k] + slack),
        Selector::PlaneSide { point, normal } => (x - Vec3::from(*point)).dot(&Vec3::from(*normal).normalize()) >= -slack,
        Selector::Sphere { center, radius } => (x - Vec3::from(*center)).norm() <= radius + slack,
        Selector::Height { axis, from, to } => {
            let axis = match axis {
                Axis::X => 0,
                Axis::Y => 1,
                Axis::Z => 2,
            };
            let at = |fraction: f64| low[axis] + fraction * (high[axis] - low[axis]);
            at(*from) - slack <= x[axis] && x[axis] <= at(*to) + slack
        }
        Selector::Vertices(_) | Selector::Elements(_) | Selector::Tag(_) => false,
    }
}

/// Marks the indices that exist; [`check_region`] reports the others.
fn mark(marks: &mut [bool], indices: &[u32]) {
    for &index in indices {
        if let Some(mark) = marks.get_mut(index as usize) {
            *mark = true;
        }
    }
}

fn indices(marks: &[bool]) -> Vec<u32> {
    (0..).zip(marks).filter(|(_, mark)| **mark).map(|(index, _)| index).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::Cells;
    use crate::scene::RegionRole;

    /// Three tets in a row along x, glued at faces, by hand: vertices at x = 0, 1, 2, 3 and two more to the sides.
    fn mesh() -> BodyMesh {
        let positions = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [2.0, 2.0, 2.0]].map(Vec3::from).to_vec();
        let tets = vec![[0, 1, 2, 3], [1, 2, 3, 4]];
        let surface = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 4], [2, 3, 4], [3, 1, 4]];
        BodyMesh { positions, cells: Cells::Tets(tets), tags: vec![7, 9], surface, ..BodyMesh::default() }
    }

    fn region(select: Vec<Selector>) -> Region {
        Region { name: "r".into(), color: None, locked: false, role: RegionRole::FIXED, select }
    }

    #[test]
    fn vertices_by_index_place_and_tag() {
        let mesh = mesh();
        let of = |selector| region_vertices(&mesh, &region(vec![selector]));
        assert_eq!(of(Selector::All {}), [0, 1, 2, 3, 4]);
        assert_eq!(of(Selector::Vertices(vec![4, 0, 99])), [0, 4]);
        assert_eq!(of(Selector::Tag(9)), [1, 2, 3, 4]);
        assert_eq!(of(Selector::Elements(vec![0])), [0, 1, 2, 3]);
        assert_eq!(of(Selector::Height { axis: Axis::X, from: 0.0, to: 0.5 }), [0, 1, 2, 3]);
        assert_eq!(of(Selector::Sphere { center: [2.0; 3], radius: 0.1 }), [4]);
        assert_eq!(of(Selector::Box { min: [0.0; 3], max: [1.0, 0.0, 0.0] }), [0, 1]);
        assert_eq!(of(Selector::PlaneSide { point: [1.0, 0.0, 0.0], normal: [5.0, 0.0, 0.0] }), [1, 4]);
        assert_eq!(region_vertices(&mesh, &region(vec![Selector::Vertices(vec![0]), Selector::Vertices(vec![3])])), [0, 3]);
    }

    #[test]
    fn elements_by_index_tag_place_and_painted_surface() {
        let mesh = mesh();
        let of = |selector| region_cells(&mesh, &region(vec![selector]));
        assert_eq!(of(Selector::Tag(9)), [1]);
        assert_eq!(of(Selector::Elements(vec![0])), [0]);
        assert_eq!(of(Selector::Sphere { center: [0.25; 3], radius: 0.1 }), [0]);
        assert_eq!(of(Selector::Vertices(vec![0])), [0]);
        assert_eq!(of(Selector::Vertices(vec![1, 2, 3, 4])), [1]);
    }

    #[test]
    fn indices_past_the_mesh_are_named() {
        let problems = check_region(&mesh(), &region(vec![Selector::All {}, Selector::Vertices(vec![1, 5, 6])]), "bodies[0].regions[2]");
        assert_eq!(problems.len(), 1);
        assert_eq!(problems[0].path, "bodies[0].regions[2].select[1].vertices[1]");
        assert!(problems[0].message.contains("2 such"), "{}", problems[0].message);
    }
}
