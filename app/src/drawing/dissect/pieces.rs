//! What is left of a body that was taken apart, with where each part of it comes from.

use std::sync::Arc;

use aplomb_sim::math::Vec3;

/// Stands for no cell.
pub const NO_CELL: u32 = u32::MAX;

/// A point between two nodes of a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Blend {
    /// The nodes; the same twice for a node itself.
    pub nodes: [u32; 2],
    /// Share of the way from the first to the second.
    pub share: f64,
}

impl Blend {
    /// A node itself.
    pub fn node(node: u32) -> Self {
        Self { nodes: [node; 2], share: 0.0 }
    }

    /// The nearer one of the nodes.
    pub fn nearest(&self) -> u32 {
        self.nodes[usize::from(self.share > 0.5)]
    }

    /// What lies between the values of the nodes.
    pub fn of(&self, values: &[f64]) -> f64 {
        let [a, b] = self.nodes.map(|node| values.get(node as usize).copied().unwrap_or(f64::NAN));
        if self.share == 0.0 { a } else { a + self.share * (b - a) }
    }
}

/// Triangles and lines of a body, between points of their own.
#[derive(Debug, Clone, Default)]
pub struct Pieces {
    /// Points [m].
    pub positions: Arc<[Vec3]>,
    /// Where each of them lies between the nodes.
    pub blends: Arc<[Blend]>,
    /// The cell that each of them belongs to alone; none where cells share points.
    pub owners: Arc<[u32]>,
    /// Triangles, counter-clockwise from outside.
    pub triangles: Arc<[[u32; 3]]>,
    /// The cell that each of them is a part of; [`NO_CELL`] on the surface, which is more than one.
    pub cells: Arc<[u32]>,
    /// Lines.
    pub lines: Arc<[[u32; 2]]>,
}

impl Pieces {
    /// A body as it is.
    pub fn untouched(triangles: &Arc<[[u32; 3]]>, lines: &Arc<[[u32; 2]]>, positions: &[Vec3]) -> Self {
        Self {
            positions: positions.into(),
            blends: (0..positions.len() as u32).map(Blend::node).collect(),
            triangles: Arc::clone(triangles),
            lines: Arc::clone(lines),
            ..Self::default()
        }
    }

    /// A field at the points: of each cell where a point belongs to one alone and the field has values of cells, else of the nodes.
    pub fn values(&self, nodes: &[f64], cells: &[f64]) -> Arc<[f64]> {
        if cells.is_empty() || self.owners.is_empty() {
            return self.blends.iter().map(|blend| blend.of(nodes)).collect();
        }
        self.owners.iter().map(|&cell| cells.get(cell as usize).copied().unwrap_or(f64::NAN)).collect()
    }
}
