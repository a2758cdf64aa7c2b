//! Whether one closed part lies within another.

use std::f64::consts::PI;

use super::orientation::Shell;
use crate::math::{Vec3, bounding_box};

/// Whether the first vertex of closed shell `s` is inside of another closed shell.
pub fn is_nested(positions: &[Vec3], triangles: &[[u32; 3]], shells: &[Shell], s: usize) -> bool {
    let corners = |t: &u32| triangles[*t as usize].map(|v| positions[v as usize]);
    let [point, ..] = corners(&shells[s].triangles[0]);
    let holds = |shell: &Shell| {
        let (low, high) = bounding_box(&shell.triangles.iter().flat_map(corners).collect::<Vec<_>>());
        let around = (0..3).all(|i| low[i] < point[i] && point[i] < high[i]);
        around && winding_number(&point, shell.triangles.iter().map(corners)).abs() > 0.5
    };
    shells.iter().enumerate().any(|(other, shell)| other != s && shell.closed && holds(shell))
}

/// How often a surface goes round a point: the sum of the solid angles of its triangles by 4 pi (Van Oosterom and Strackee 1983).
fn winding_number(point: &Vec3, triangles: impl Iterator<Item = [Vec3; 3]>) -> f64 {
    let solid_angle = |triangle: [Vec3; 3]| {
        let [a, b, c] = triangle.map(|p| p - point);
        let (la, lb, lc) = (a.norm(), b.norm(), c.norm());
        let below = la * lb * lc + a.dot(&b) * lc + b.dot(&c) * la + c.dot(&a) * lb;
        2.0 * a.cross(&b).dot(&c).atan2(below)
    };
    triangles.map(solid_angle).sum::<f64>() / (4.0 * PI)
}
