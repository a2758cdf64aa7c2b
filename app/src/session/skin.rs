//! The artist's surface of a body that was filled with tets: what is looked at and painted.

use std::sync::Arc;

use aplomb_sim::math::Vec3;
use aplomb_sim::mesh::BodyMesh;
use aplomb_sim::mesh::quality::signed_volume;
use aplomb_sim::mesh::tetrahedralise::fill::FillReport;
use aplomb_sim::mesh::tetrahedralise::size::estimate;

/// The surface in the given shape, and how the tets fill it.
#[derive(Debug, Clone)]
pub struct ModelSkin {
    /// Its vertices [m]: those of its file, in its order.
    pub positions: Arc<[Vec3]>,
    /// Its triangles.
    pub triangles: Arc<[[u32; 3]]>,
    /// Volume of the tets [m^3], and area of the surface [m^2].
    pub measure: (f64, f64),
    /// How the tets were made.
    pub report: FillReport,
}

impl ModelSkin {
    /// That of a mesh, if it was made of a surface.
    pub fn of(mesh: &BodyMesh) -> Option<Self> {
        let skin = mesh.skin.as_ref()?;
        let filled: f64 = mesh.tets().iter().map(|tet| signed_volume(&tet.map(|v| mesh.positions[v as usize]))).sum();
        let (_, area) = estimate(&skin.positions, &skin.triangles);
        Some(Self {
            positions: skin.positions.as_slice().into(),
            triangles: skin.triangles.as_slice().into(),
            measure: (filled, area),
            report: skin.report.clone(),
        })
    }
}

/// Vertices of the surface [m] while the nodes of its body are at `nodes` [m]; as many as there are, in the order of the file.
pub fn follow(mesh: &BodyMesh, nodes: &[Vec3]) -> Arc<[Vec3]> {
    let mut points = Vec::new();
    mesh.skin.iter().for_each(|skin| skin.follow(mesh.tets(), nodes, &mut points));
    points.into()
}

/// A field of the nodes on the surface: at each vertex of it the mean of what the corners of its tet have.
pub fn on_skin(mesh: &BodyMesh, values: &[f64]) -> Arc<[f64]> {
    let mut carried = Vec::new();
    mesh.skin.iter().for_each(|skin| skin.carry(mesh.tets(), values, &mut carried));
    carried.into()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use aplomb_sim::mesh::{Skin, TetMesh};

    #[test]
    fn the_surface_follows_its_tets_and_takes_their_values() {
        let positions = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(Vec3::from).to_vec();
        let mut mesh = BodyMesh::from(TetMesh::from_tets(positions.clone(), vec![[0, 1, 2, 3]]).unwrap());
        assert!(ModelSkin::of(&mesh).is_none() && follow(&mesh, &positions).is_empty());
        let triangles = mesh.surface.clone();
        let corner = |k: usize| std::array::from_fn(|i| if i == k { 1.0 } else { 0.0 });
        mesh.skin = Some(Skin {
            positions: positions.clone(),
            triangles,
            tets: vec![0; 4],
            weights: (0..4).map(corner).collect(),
            ..Skin::default()
        });
        let skin = ModelSkin::of(&mesh).unwrap();
        assert!(
            (skin.measure.0 - 1.0 / 6.0).abs() < 1e-15
                && (skin.measure.1 - 1.5 - 0.75f64.sqrt()).abs() < 1e-12
                && skin.triangles.len() == 4
        );
        let moved: Vec<Vec3> = positions.iter().map(|p| 2.0 * p + Vec3::x()).collect();
        assert_eq!(*follow(&mesh, &moved), *moved);
        mesh.skin.as_mut().unwrap().weights[0] = [0.25; 4];
        assert_eq!(on_skin(&mesh, &[1.0, 2.0, 3.0, 6.0])[0], 3.0);
    }
}
