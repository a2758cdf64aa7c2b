//! What can be wrong with a mesh that is read: told to the user, or a reason to refuse it.

/// The kinds of problems that do not stop a mesh from being used.
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

/// Indices named in one problem at most.
const SHOWN_INDICES: usize = 100;

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

impl MeshProblem {
    /// A problem with the things of `indices` (in the source); `None` if there are none.
    pub(super) fn found(code: ProblemCode, indices: &[usize], fixed: bool, message: impl FnOnce(usize) -> String) -> Option<Self> {
        let count = indices.len();
        let shown = indices[..count.min(SHOWN_INDICES)].to_vec();
        (count > 0).then(|| Self { code, count, indices: shown, fixed, message: message(count) })
    }
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
