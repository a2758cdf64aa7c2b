//! Broad phase: which pairs of features are near enough to be looked at.

/// Pairs of features that may be near, ascending: a superset of the pairs within the distance that was asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Candidates {
    /// (vertex, triangle), as indices into the lists of the [`CollisionSurface`](super::surface::CollisionSurface).
    pub vertex_triangle: Vec<(u32, u32)>,
    /// (edge, edge), the smaller index first.
    pub edge_edge: Vec<(u32, u32)>,
}

impl Candidates {
    /// Number of pairs.
    pub fn len(&self) -> usize {
        self.vertex_triangle.len() + self.edge_edge.len()
    }

    /// Whether there is no pair.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
