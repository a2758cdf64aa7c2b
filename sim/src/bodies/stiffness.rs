//! The stiffness field of a body: from factors at the vertices that are painted to factors of its cells.

use rayon::prelude::*;

use super::select::paintable_vertices;
use crate::math::Vec3;
use crate::mesh::BodyMesh;
use crate::mesh::closest::{ClosestPoint, shares};
use crate::scene::{SceneProblem, StiffnessField};

/// The factor on the stiffness of each cell: the geometric mean of those of its vertices.
pub fn cell_factors(field: &StiffnessField, mesh: &BodyMesh) -> Vec<f64> {
    let logarithms: Vec<f64> = vertex_factors(field, mesh).into_iter().map(f64::ln).collect();
    let mean = |cell: &[u32]| cell.iter().map(|&v| logarithms[v as usize]).sum::<f64>() / cell.len() as f64;
    mesh.cells.iter().map(|cell| mean(cell).exp()).collect()
}

/// The factor of each vertex of the mesh. Where the body was filled, that of the nearest point of the artist's surface; else its own, and
/// of a vertex inside that has none that of the nearest point of the surface.
fn vertex_factors(field: &StiffnessField, mesh: &BodyMesh) -> Vec<f64> {
    let named = field.named(paintable_vertices(mesh));
    let at = |vertex: u32| named[vertex as usize].unwrap_or(1.0).ln();
    let nearest = |positions: &[Vec3], triangles: &[[u32; 3]], places: &[(usize, Vec3)]| -> Vec<(usize, f64)> {
        let surface = ClosestPoint::new(positions, triangles);
        let factor = |&(v, x): &(usize, Vec3)| {
            let hit = surface.query(&x);
            let corners = triangles.get(hit.triangle as usize)?;
            let shares = shares(&hit.point, &corners.map(|corner| positions[corner as usize]));
            Some((v, corners.iter().zip(shares).map(|(&corner, share)| share * at(corner)).sum::<f64>().exp()))
        };
        places.par_iter().with_min_len(256).filter_map(factor).collect()
    };
    let mut factors = vec![1.0; mesh.positions.len()];
    let all = mesh.positions.iter().copied().enumerate();
    let found = match &mesh.skin {
        Some(skin) => nearest(&skin.positions, &skin.triangles, &all.collect::<Vec<_>>()),
        None => {
            let mut own = vec![false; mesh.positions.len()];
            mesh.surface_vertices().iter().for_each(|&vertex| own[vertex as usize] = true);
            factors.iter_mut().zip(&named).for_each(|(factor, named)| *factor = named.unwrap_or(1.0));
            let inside: Vec<_> = all.filter(|&(v, _)| !own[v] && named[v].is_none()).collect();
            nearest(&mesh.positions, &mesh.surface, &inside)
        }
    };
    found.into_iter().for_each(|(v, factor)| factors[v] = factor);
    factors
}

/// What is wrong with a field by the mesh that it is on; `path` is the field's.
pub fn check_field(mesh: &BodyMesh, field: &StiffnessField, path: &str) -> Option<SceneProblem> {
    let count = paintable_vertices(mesh);
    let (at, vertex) = field.vertices.iter().enumerate().find(|(_, vertex)| **vertex as usize >= count)?;
    let message = format!("the mesh has {count} vertices, so there is no index {vertex}; was the mesh changed? Paint again");
    Some(SceneProblem::at(format!("{path}.vertices[{at}]"), message))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::math::random::Random;
    use crate::mesh::TetMesh;
    use crate::mesh::structured::{CubeCut, box_mesh};

    fn cube() -> BodyMesh {
        let (nodes, tets) = box_mesh(Vec3::repeat(1.0), [4; 3], CubeCut::Five);
        TetMesh::from_tets(nodes, tets).unwrap().into()
    }

    #[test]
    fn a_cell_has_the_geometric_mean_of_its_vertices_and_one_factor_everywhere_is_that_factor() {
        let mesh = cube();
        let everywhere = StiffnessField { vertices: mesh.surface_vertices(), factors: vec![8.0; mesh.surface_vertices().len()] };
        assert!(cell_factors(&everywhere, &mesh).iter().all(|factor| (factor - 8.0).abs() < 1e-12), "inside as well");
        let ones = StiffnessField { factors: vec![1.0; everywhere.factors.len()], ..everywhere };
        assert!(cell_factors(&ones, &mesh).iter().all(|factor| *factor == 1.0), "to the bit");
        // Any factors, named at every vertex: the mean of the logarithms.
        let mut random = Random::new(5);
        let factors: Vec<f64> = mesh.positions.iter().map(|_| random.uniform(-2.0, 2.0).exp()).collect();
        let field = StiffnessField::of(&factors).unwrap();
        for (tet, found) in mesh.tets().iter().zip(cell_factors(&field, &mesh)) {
            let expected = tet.iter().map(|&v| factors[v as usize]).product::<f64>().powf(0.25);
            assert!((found / expected - 1.0).abs() < 1e-12, "{found} {expected}");
        }
    }

    #[test]
    fn what_is_painted_outside_reaches_inside_from_the_nearest_point() {
        let mesh = cube();
        let top: Vec<u32> = mesh.surface_vertices().into_iter().filter(|&v| mesh.positions[v as usize].y > 0.49).collect();
        let high = top.iter().map(|&v| mesh.positions[v as usize].y).fold(0.0, f64::max);
        let field = StiffnessField { factors: vec![4.0; top.len()], vertices: top };
        let factors = vertex_factors(&field, &mesh);
        for (x, factor) in mesh.positions.iter().zip(&factors) {
            assert!((1.0..=4.0 + 1e-9).contains(factor), "{factor} at {x:?}");
        }
        let under = |depth: f64| {
            let at = |x: &Vec3| (x.xz() - mesh.positions[0].xz() - nalgebra::Vector2::repeat(0.5)).norm() + (high - depth - x.y).abs();
            let nearest = (0..factors.len()).min_by(|&a, &b| at(&mesh.positions[a]).total_cmp(&at(&mesh.positions[b]))).unwrap();
            factors[nearest]
        };
        assert!(under(0.25) > 3.9 && under(0.75) < 1.1, "{} {}", under(0.25), under(0.75));
    }

    #[test]
    fn a_vertex_that_the_mesh_has_not_is_named() {
        let mesh = cube();
        let field = StiffnessField { vertices: vec![0, 9999], factors: vec![2.0, 2.0] };
        assert_eq!(check_field(&mesh, &field, "bodies[0].stiffness_field").unwrap().path, "bodies[0].stiffness_field.vertices[1]");
        assert!(check_field(&mesh, &StiffnessField { vertices: vec![0], factors: vec![2.0] }, "").is_none());
    }
}
