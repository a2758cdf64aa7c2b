//! What a file looks like: triangles, and strands.

use std::sync::Arc;

use aplomb_sim::import::RawMesh;
use aplomb_sim::math::{Vec3, bounding_box};
use aplomb_sim::mesh::tetrahedralise::size::estimate;
use aplomb_sim::mesh::topology::Faces;

/// The outside of a file's tets, or its triangles where it has none, and its strands.
#[derive(Debug, Clone)]
pub struct Surface {
    /// Vertices, in the file's unit and axes.
    pub positions: Arc<[Vec3]>,
    /// Triangles between them.
    pub triangles: Arc<[[u32; 3]]>,
    /// Pieces of strands between them.
    pub strands: Arc<[[u32; 2]]>,
    /// Volume that it encloses, about, and its area [cubes and squares of the file's unit].
    pub measure: (f64, f64),
    /// The eight corners of the box around what is seen.
    pub corners: [Vec3; 8],
}

impl Surface {
    /// Of what a reader gave.
    pub fn of(raw: &RawMesh) -> Self {
        let triangles = if raw.tets.is_empty() { raw.triangles.clone() } else { Faces::of(&raw.tets).boundary(&raw.tets).0 };
        let strands = raw.strands.iter().flat_map(|strand| strand.windows(2).map(|pair| [pair[0], pair[1]])).collect();
        Self::new(&raw.positions, &triangles, strands)
    }

    /// Of triangles alone.
    pub fn of_triangles(positions: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        Self::new(positions, triangles, Vec::new())
    }

    fn new(positions: &[Vec3], triangles: &[[u32; 3]], strands: Vec<[u32; 2]>) -> Self {
        let seen: Vec<Vec3> =
            triangles.as_flattened().iter().chain(strands.as_flattened()).filter_map(|&v| positions.get(v as usize).copied()).collect();
        let (low, high) = if seen.is_empty() { (Vec3::zeros(), Vec3::zeros()) } else { bounding_box(&seen) };
        let ends = [low, high];
        Self {
            measure: estimate(positions, triangles),
            positions: positions.into(),
            triangles: triangles.into(),
            strands: strands.into(),
            corners: std::array::from_fn(|i| Vec3::new(ends[i & 1].x, ends[i >> 1 & 1].y, ends[i >> 2].z)),
        }
    }
}
