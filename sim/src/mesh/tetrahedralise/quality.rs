//! How good the tets are: volume, dihedral angles, and shape.

use crate::math::Vec3;

/// Signed volume [m^3], positive for a positively oriented tet.
pub fn volume(positions: &[Vec3], tet: &[u32; 4]) -> f64 {
    let [a, b, c, d] = tet.map(|i| positions[i as usize]);
    (b - a).dot(&(c - a).cross(&(d - a))) / 6.0
}

/// Smallest and largest dihedral angle [degrees] of one tet.
pub fn dihedral_range(positions: &[Vec3], tet: &[u32; 4]) -> (f64, f64) {
    let p = tet.map(|i| positions[i as usize]);
    // Outward or inward alike for all four faces; the angle between two faces is pi minus that of their normals.
    let normals = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]].map(|[a, b, c]: [usize; 3]| (p[b] - p[a]).cross(&(p[c] - p[a])));
    let mut range = (f64::INFINITY, f64::NEG_INFINITY);
    for i in 0..4 {
        for j in i + 1..4 {
            let angle = normals[i].cross(&normals[j]).norm().atan2(-normals[i].dot(&normals[j]));
            range = (range.0.min(angle.to_degrees()), range.1.max(angle.to_degrees()));
        }
    }
    range
}

/// Smallest and largest dihedral angle [degrees] of a mesh.
pub fn dihedral_extremes(positions: &[Vec3], tets: &[[u32; 4]]) -> (f64, f64) {
    tets.iter().map(|t| dihedral_range(positions, t)).fold((f64::INFINITY, f64::NEG_INFINITY), |a, b| (a.0.min(b.0), a.1.max(b.1)))
}

/// Mean ratio of a tet: 12 (3 V)^(2/3) over the sum of squared edges; 1 for the regular tet, 0 for a flat one, negative
/// for an inverted one (Liu & Joe 1994).
pub fn mean_ratio(positions: &[Vec3], tet: &[u32; 4]) -> f64 {
    let p = tet.map(|i| positions[i as usize]);
    let edges: f64 = (0..4).flat_map(|i| (i + 1..4).map(move |j| (i, j))).map(|(i, j)| (p[i] - p[j]).norm_squared()).sum();
    let v = volume(positions, tet);
    if edges > 0.0 { 12.0 * v.signum() * (3.0 * v.abs()).powf(2.0 / 3.0) / edges } else { 0.0 }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn regular_and_corner_tets() {
        let regular = [Vec3::new(1., 1., 1.), Vec3::new(-1., 1., -1.), Vec3::new(1., -1., -1.), Vec3::new(-1., -1., 1.)];
        let tet = if volume(&regular, &[0, 1, 2, 3]) > 0.0 { [0, 1, 2, 3] } else { [0, 1, 3, 2] };
        let (low, high) = dihedral_range(&regular, &tet);
        assert!((low - 70.528779365509).abs() < 1e-9 && (high - 70.528779365509).abs() < 1e-9, "{low} {high}");
        assert!((mean_ratio(&regular, &tet) - 1.0).abs() < 1e-12);
        let corner = [Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()];
        let (low, high) = dihedral_range(&corner, &[0, 1, 2, 3]);
        assert!((low - 54.735610317245).abs() < 1e-9 && (high - 90.0).abs() < 1e-9, "{low} {high}");
        assert!((volume(&corner, &[0, 1, 2, 3]) - 1.0 / 6.0).abs() < 1e-15);
    }
}
