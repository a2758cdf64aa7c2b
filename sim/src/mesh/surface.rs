//! The surface of a [`TetMesh`]: its vertices, their neighbours, and the vertex nearest to each tet.

use rayon::prelude::*;

use super::TetMesh;
use super::nearest::PointTree;

/// Neighbours of each vertex over edges of the surface.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SurfaceAdjacency {
    /// Where the neighbours of vertex v begin: `starts[v]..starts[v + 1]`.
    starts: Vec<u32>,
    neighbours: Vec<u32>,
}

impl SurfaceAdjacency {
    /// Neighbours of vertex `v`, ascending; none for a vertex inside.
    pub fn of(&self, v: u32) -> &[u32] {
        &self.neighbours[self.starts[v as usize] as usize..self.starts[v as usize + 1] as usize]
    }
}

impl TetMesh {
    /// The vertices of the surface, ascending.
    pub fn surface_vertices(&self) -> Vec<u32> {
        let mut on_surface = vec![false; self.positions.len()];
        for &vertex in self.surface.as_flattened() {
            on_surface[vertex as usize] = true;
        }
        (0..on_surface.len() as u32).filter(|&v| on_surface[v as usize]).collect()
    }

    /// Which vertices of the surface are joined by an edge.
    pub fn surface_adjacency(&self) -> SurfaceAdjacency {
        let edges = |&[a, b, c]: &[u32; 3]| [(a, b), (b, a), (b, c), (c, b), (c, a), (a, c)];
        let mut edges: Vec<(u32, u32)> = self.surface.iter().flat_map(edges).collect();
        edges.par_sort_unstable();
        edges.dedup();
        let mut starts = vec![0; self.positions.len() + 1];
        for &(from, _) in &edges {
            starts[from as usize + 1] += 1;
        }
        for v in 1..starts.len() {
            starts[v] += starts[v - 1];
        }
        SurfaceAdjacency { starts, neighbours: edges.into_iter().map(|(_, to)| to).collect() }
    }

    /// For each tet, the surface vertex nearest to its centroid: how what is painted on the surface reaches inside.
    pub fn nearest_surface_vertices(&self) -> Vec<u32> {
        let tree = PointTree::new(self.surface_vertices().into_iter().map(|v| (self.positions[v as usize], v)).collect());
        let centroid = |t: usize| self.corners(t).iter().sum::<crate::math::Vec3>() / 4.0;
        // A mesh with tets has a surface, so the fallback is the value for no tets only.
        (0..self.tets.len()).into_par_iter().with_min_len(256).map(|t| tree.nearest(&centroid(t)).unwrap_or(0)).collect()
    }
}
