//! Which vertices are at exactly the same point.

use rayon::prelude::*;

use crate::math::Vec3;

/// For each vertex the first one at exactly the same point: itself where there is none before it.
pub fn equal_vertices(positions: &[Vec3]) -> Vec<u32> {
    // Adding zero makes one of the two zeros.
    let key = |p: &Vec3| [p.x, p.y, p.z].map(|c| (c + 0.0).to_bits());
    let mut sorted: Vec<([u64; 3], u32)> = positions.iter().map(key).zip(0..).collect();
    sorted.par_sort_unstable();
    let mut first = vec![0; positions.len()];
    for same in sorted.chunk_by(|a, b| a.0 == b.0) {
        for &(_, vertex) in same {
            first[vertex as usize] = same[0].1;
        }
    }
    first
}
