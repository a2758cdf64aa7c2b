//! Checked meshes: what an importer read, made fit for simulation, with every change reported.

pub mod structured;
pub mod tet_mesh;
pub mod tetrahedralise;

pub use tet_mesh::{MeshError, MeshProblem, ProblemCode, TetMesh};
