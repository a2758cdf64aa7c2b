//! [`TetMesh`]: tetrahedra that a simulation can trust.

use crate::math::Vec3;

use super::lumped;
use super::problem::MeshProblem;
use super::quality;
use super::skin::Skin;

/// A checked tetrahedral mesh: every index is valid, every coordinate finite, every tet positively oriented
/// (det(x1-x0, x2-x0, x3-x0) > 0), every vertex used.
#[derive(Debug, Clone, Default)]
pub struct TetMesh {
    /// Vertex positions [m].
    pub positions: Vec<Vec3>,
    /// Four vertex indices a tet.
    pub tets: Vec<[u32; 4]>,
    /// Physical tag of each tet as the file gave it; 0 where it gave none.
    pub tags: Vec<i32>,
    /// Boundary triangles, outward oriented, as vertex indices; ordered by tet, then by face.
    pub surface: Vec<[u32; 3]>,
    /// The tet behind each boundary triangle.
    pub surface_tets: Vec<u32>,
    /// Component of each tet: tets joined through faces have the same number; numbered from 0 by their first tet.
    pub components: Vec<u32>,
    /// Index in the source of each vertex.
    pub source_vertices: Vec<u32>,
    /// Index in the source of each tet.
    pub source_tets: Vec<u32>,
    /// The surface that it was made of, where it was made of one.
    pub skin: Option<Skin>,
    /// What was found in the source, fixed or not.
    pub problems: Vec<MeshProblem>,
}

impl TetMesh {
    /// The corners of tet `t` [m].
    pub fn corners(&self, t: usize) -> [Vec3; 4] {
        self.tets[t].map(|v| self.positions[v as usize])
    }

    /// Volume of each tet [m^3]; all are positive.
    pub fn volumes(&self) -> Vec<f64> {
        (0..self.tets.len()).map(|t| quality::signed_volume(&self.corners(t))).collect()
    }

    /// Quality of each tet: 1 for a regular one, 0 for a flat one.
    pub fn qualities(&self) -> Vec<f64> {
        (0..self.tets.len()).map(|t| quality::quality(&self.corners(t))).collect()
    }

    /// Number of parts joined through faces.
    pub fn component_count(&self) -> usize {
        self.components.iter().max().map_or(0, |&c| c as usize + 1)
    }

    /// Lumped mass of each vertex [kg]: a quarter of the mass of each tet around it. `density`: one value a tet [kg/m^3].
    pub fn lumped_masses(&self, density: &[f64]) -> Vec<f64> {
        lumped::of_tets(&self.tets, &self.positions, density)
    }
}
