//! The surface of a [`TetMesh`]: its vertices, and the vertex nearest to each cell.

use rayon::prelude::*;

use super::TetMesh;
use super::nearest::PointTree;
use crate::math::Vec3;

/// The vertices of triangles over `count` vertices, ascending.
pub(super) fn vertices_of(triangles: &[[u32; 3]], count: usize) -> Vec<u32> {
    let mut on_surface = vec![false; count];
    for &vertex in triangles.as_flattened() {
        on_surface[vertex as usize] = true;
    }
    (0..count as u32).filter(|&v| on_surface[v as usize]).collect()
}

/// For each of `places` [m], the nearest of `vertices`.
pub(super) fn nearest_of(vertices: &[u32], positions: &[Vec3], places: &[Vec3]) -> Vec<u32> {
    let tree = PointTree::new(vertices.iter().map(|&v| (positions[v as usize], v)).collect());
    // What has cells has a vertex, so the fallback is the value for no cells only.
    places.par_iter().with_min_len(256).map(|place| tree.nearest(place).unwrap_or(0)).collect()
}

impl TetMesh {
    /// The vertices of the surface, ascending.
    pub fn surface_vertices(&self) -> Vec<u32> {
        vertices_of(&self.surface, self.positions.len())
    }
}
