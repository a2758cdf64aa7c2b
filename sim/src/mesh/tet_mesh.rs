//! [`TetMesh`]: tetrahedra that a simulation can trust.

use crate::math::Vec3;

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
    /// Boundary triangles, outward oriented, as vertex indices.
    pub surface: Vec<[u32; 3]>,
    /// The tet behind each boundary triangle.
    pub surface_tets: Vec<u32>,
    /// Component of each tet: tets joined through faces have the same number.
    pub components: Vec<u32>,
    /// What was found in the source, fixed or not.
    pub problems: Vec<MeshProblem>,
}

/// What can be wrong with a mesh that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ProblemCode {
    /// A vertex that no tet uses (dropped).
    LooseVertex,
    /// A tet of zero volume or with a repeated vertex (dropped).
    Degenerate,
    /// A tet given twice (dropped).
    DuplicateTet,
    /// A tet with negative volume (two vertices swapped).
    InvertedTet,
    /// A tet of quality below 1e-3 (kept).
    Sliver,
    /// A part of the mesh that hangs on the rest by an edge or a vertex only (kept).
    HingedComponent,
    /// A section or an element type of the file that is not used (skipped).
    UnusedSection,
}

/// One kind of problem, and where it was found.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct MeshProblem {
    /// The kind.
    pub code: ProblemCode,
    /// How many.
    pub count: usize,
    /// Indices in the source, up to 100.
    pub indices: Vec<usize>,
    /// Whether the checked mesh is free of it.
    pub fixed: bool,
    /// In words.
    pub message: String,
}

/// The mesh cannot be simulated.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum MeshError {
    /// No tets in the source.
    #[error("the mesh holds no tetrahedra{hint}")]
    NoTets {
        /// What it holds instead, and what to do.
        hint: String,
    },
    /// An index past the vertices.
    #[error("tet {tet} refers to vertex {vertex}, but there are {count}")]
    IndexOutOfRange {
        /// The tet.
        tet: usize,
        /// The index it names.
        vertex: i64,
        /// How many vertices there are.
        count: usize,
    },
    /// NaN or infinity.
    #[error("vertex {vertex} has a coordinate that is not a finite number")]
    NonFinite {
        /// The vertex.
        vertex: usize,
    },
}
