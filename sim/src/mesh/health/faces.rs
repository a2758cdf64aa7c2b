//! Faces that are none: without an area, or given before.

use rayon::prelude::*;

use crate::math::Vec3;

/// Twice the area over the square of the longest edge below which a triangle has no direction: rounding of coordinates in
/// single precision reaches so far.
const FLAT: f64 = 1e-7;

/// Whether a triangle names a vertex twice, or has no area by the size of its longest edge.
pub fn is_degenerate(positions: &[Vec3], triangle: &[u32; 3]) -> bool {
    let [a, b, c] = *triangle;
    if a == b || b == c || c == a {
        return true;
    }
    has_no_area(&triangle.map(|v| positions[v as usize]), FLAT)
}

/// Whether twice the area of a triangle with these corners [m] is no more than the share `least` of its longest edge's square.
pub fn has_no_area([a, b, c]: &[Vec3; 3], least: f64) -> bool {
    let longest = [b - a, c - b, a - c].iter().map(Vec3::norm_squared).fold(0.0, f64::max);
    let double_area = (b - a).cross(&(c - a)).norm();
    // NaN, from coordinates without end, is no area either.
    double_area.is_nan() || double_area <= least * longest
}

/// Triangles that have the same corners as an earlier one, whatever their direction.
pub fn duplicates(triangles: &[[u32; 3]]) -> Vec<u32> {
    later(&first_with_corners(triangles))
}

/// For each triangle the first with the same corners, whatever their direction: itself where there is none before it.
pub fn first_with_corners(triangles: &[[u32; 3]]) -> Vec<u32> {
    let sorted = |triangle: &[u32; 3]| {
        let mut corners = *triangle;
        corners.sort_unstable();
        corners
    };
    firsts(triangles.iter().map(sorted).zip(0..).collect())
}

/// Faces with any number of corners that have the same ones as an earlier one.
pub fn same_corners<'a>(faces: impl Iterator<Item = &'a [u32]>) -> Vec<u32> {
    let sorted = |face: &[u32]| {
        let mut corners = face.to_vec();
        corners.sort_unstable();
        corners
    };
    later(&firsts(faces.map(sorted).zip(0..).collect()))
}

/// For each number the first one with an equal key.
fn firsts<K: Ord + Send>(mut keys: Vec<(K, u32)>) -> Vec<u32> {
    keys.par_sort_unstable();
    let mut first = vec![0; keys.len()];
    for same in keys.chunk_by(|a, b| a.0 == b.0) {
        same.iter().for_each(|(_, number)| first[*number as usize] = same[0].1);
    }
    first
}

/// Those that are not the first.
fn later(first: &[u32]) -> Vec<u32> {
    (0..first.len() as u32).filter(|&number| first[number as usize] != number).collect()
}
