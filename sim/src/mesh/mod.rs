//! Checked meshes: what an importer read, made fit for simulation, with every change reported.

pub mod body_mesh;
pub(crate) mod check;
pub mod closest;
pub mod clusters;
pub mod cut_cells;
pub mod embedding;
pub mod hairs;
pub mod health;
pub mod inside;
pub mod lumped;
pub mod mass_couplings;
pub mod mend;
pub mod nearest;
pub mod net;
pub mod problem;
pub mod quality;
pub mod sewing;
pub mod skin;
pub mod structured;
pub mod surface;
pub mod tet_mesh;
pub mod tetrahedralise;
pub mod topology;
pub mod triangle_tree;
pub mod triangles;
pub mod winding;

pub use body_mesh::{BodyMesh, Cells};
pub use check::to_scene;
pub use clusters::Clusters;
pub use hairs::Hairs;
pub use mass_couplings::MassCouplings;
pub use problem::{MeshError, MeshProblem, ProblemCode};
pub use sewing::{Pattern, Seam};
pub use skin::Skin;
pub use tet_mesh::TetMesh;
pub use triangles::TriangleMesh;
