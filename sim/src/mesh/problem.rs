//! What can be wrong with a mesh that is read: told to the user, or a reason to refuse it.

/// The kinds of problems that do not stop a mesh from being used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ProblemCode {
    /// A coordinate that is not a finite number.
    NonFinite,
    /// A tet with negative volume (its tet mesh swaps two vertices).
    InvertedTet,
    /// A tet of quality below 1e-3.
    Sliver,
    /// A tet given twice (its tet mesh drops it).
    DuplicateTet,
    /// A part of the mesh that hangs on the rest by an edge or a vertex only.
    HingedComponent,
    /// A triangle listed beside tets that is not on their boundary.
    ListedNotBoundary,
    /// A triangle that passes through another one.
    SelfIntersection,
    /// An edge with more than two triangles.
    NonManifoldEdge,
    /// An edge with one triangle.
    OpenEdge,
    /// A vertex whose triangles are not joined by edges all around.
    NonManifoldVertex,
    /// A triangle that looks the other way than its neighbours.
    Flipped,
    /// A closed part whose triangles look inward.
    InsideOut,
    /// A triangle given twice.
    DuplicateFace,
    /// An element without extent or with a repeated vertex (a tet mesh drops it).
    Degenerate,
    /// A vertex at exactly the same point as an earlier one.
    DuplicateVertex,
    /// A vertex that no element uses (a tet mesh drops it).
    LooseVertex,
    /// The file holds vertices and nothing between them.
    NoElement,
    /// Elements with nodes on their edges, which are straightened or left out.
    SecondOrder,
    /// A body so far from the origin that coordinates lose digits.
    FarFromOrigin,
    /// A hole that was closed by a repair.
    Hole,
    /// A separate part of a surface that its filling leaves out.
    DroppedPart,
    /// A part of a surface that is thinner than the tets of its filling.
    Thin,
    /// Cloth that is nearer to itself or to something else than its thickness.
    Thick,
    /// Something odd about a sewing pattern.
    Pattern,
    /// Something odd about stitches.
    Seam,
    /// A section or an element type of the file that is not used.
    UnusedSection,
    /// What the reader dropped or changed.
    Note,
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
    pub(crate) fn found(code: ProblemCode, indices: &[usize], fixed: bool, message: impl FnOnce(usize) -> String) -> Option<Self> {
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
