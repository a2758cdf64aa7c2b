//! Faces that are none: without an area, or given before.

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
    let [a, b, c] = triangle.map(|v| positions[v as usize]);
    let longest = [b - a, c - b, a - c].iter().map(Vec3::norm_squared).fold(0.0, f64::max);
    let double_area = (b - a).cross(&(c - a)).norm();
    // NaN, from coordinates without end, is no area either.
    double_area.is_nan() || double_area <= FLAT * longest
}

/// Triangles that have the same corners as an earlier one, whatever their direction.
pub fn duplicates(triangles: &[[u32; 3]]) -> Vec<u32> {
    let sorted = |triangle: &[u32; 3]| {
        let mut corners = *triangle;
        corners.sort_unstable();
        corners
    };
    later_equals(triangles.iter().map(sorted).zip(0..).collect())
}

/// Faces with any number of corners that have the same ones as an earlier one.
pub fn same_corners<'a>(faces: impl Iterator<Item = &'a [u32]>) -> Vec<u32> {
    let sorted = |face: &[u32]| {
        let mut corners = face.to_vec();
        corners.sort_unstable();
        corners
    };
    later_equals(faces.map(sorted).zip(0..).collect())
}

/// All but the first of those with equal keys, ascending.
fn later_equals<K: Ord>(mut keys: Vec<(K, u32)>) -> Vec<u32> {
    keys.sort_unstable();
    let mut again: Vec<u32> = keys.windows(2).filter(|pair| pair[0].0 == pair[1].0).map(|pair| pair[1].1).collect();
    again.sort_unstable();
    again
}
