//! Size and shape of one tetrahedron.

use crate::math::Vec3;

/// Below this quality a tet is called a sliver.
pub const SLIVER: f64 = 1e-3;

/// Below this quality a tet is flat to rounding: its volume has no reliable sign.
pub const DEGENERATE: f64 = 1e-12;

/// Volume, negative if the tet is inverted: det(x1-x0, x2-x0, x3-x0) / 6.
pub fn signed_volume(x: &[Vec3; 4]) -> f64 {
    (x[1] - x[0]).cross(&(x[2] - x[0])).dot(&(x[3] - x[0])) / 6.0
}

/// 6 sqrt(2) V / l^3 with the root mean square l of the edge lengths (Parthasarathy et al. 1994): 1 for a regular tet, 0 for
/// a flat one, negative for an inverted one, NaN if all corners coincide.
pub fn quality(x: &[Vec3; 4]) -> f64 {
    let edges = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
    let mean_square = edges.iter().map(|&(i, j)| (x[i] - x[j]).norm_squared()).sum::<f64>() / 6.0;
    6.0 * std::f64::consts::SQRT_2 * signed_volume(x) / (mean_square * mean_square.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regular_tet_has_quality_one_and_its_mirror_minus_one() {
        let x = [(1., 1., 1.), (1., -1., -1.), (-1., 1., -1.), (-1., -1., 1.)].map(|(x, y, z)| Vec3::new(x, y, z));
        let q = quality(&x);
        assert!((q.abs() - 1.0).abs() < 1e-14, "{q}");
        assert!((q + quality(&[x[1], x[0], x[2], x[3]])).abs() < 1e-14);
        assert!((signed_volume(&x).abs() - 8.0 / 3.0).abs() < 1e-14);
    }
}
