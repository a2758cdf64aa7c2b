//! Which axis of a file points up.

use super::{Certainty, Guess};
use crate::import::RawMesh;
use crate::import::UpAxis;
use crate::math::{Vec3, bounding_box};

/// A base is looked for in so much of the height.
const BASE: f64 = 0.02;
/// A face belongs to a base if its normal is so near to the axis (cosine).
const LEVEL: f64 = 0.9;
/// A base covers at least this share of the box's floor ...
const LEAST: f64 = 0.05;
/// ... and so many times the share that it would along the other axis.
const CLEARLY: f64 = 3.0;

/// The axis: as the format says; otherwise along which the body has a flat base; otherwise as is usual for the format.
pub fn guess(raw: &RawMesh, positions: &[Vec3], triangles: &[[u32; 3]]) -> Guess<UpAxis> {
    if let Some(value) = raw.up {
        return Guess { value, certainty: Certainty::Stated, reason: format!("{} files have {} up", raw.format, name(value)) };
    }
    let [y, z] = [1, 2].map(|axis| base(positions, triangles, axis));
    let told = |value, share: f64| {
        let reason = format!("it has a flat base across {}: {:.0} % of its floor", name(value), 100.0 * share);
        Guess { value, certainty: Certainty::Likely, reason }
    };
    if y > LEAST && y > CLEARLY * z {
        return told(UpAxis::Y, y);
    }
    if z > LEAST && z > CLEARLY * y {
        return told(UpAxis::Z, z);
    }
    let usual = if raw.format.starts_with("STL") { UpAxis::Z } else { UpAxis::Y };
    let reason = format!("it has no flat base that would tell; {} files mostly have {} up", raw.format, name(usual));
    Guess { value: usual, certainty: Certainty::Unsure, reason }
}

fn name(axis: UpAxis) -> &'static str {
    match axis {
        UpAxis::Y => "y",
        UpAxis::Z => "z",
    }
}

/// Area of level faces at the low end of an axis over that of the box's floor.
fn base(positions: &[Vec3], triangles: &[[u32; 3]], axis: usize) -> f64 {
    let corners = |t: &[u32; 3]| t.map(|v| positions[v as usize]);
    let used: Vec<Vec3> = triangles.iter().flat_map(corners).collect();
    let (low, high) = bounding_box(&used);
    let size = high - low;
    let ceiling = low[axis] + BASE * size[axis];
    let level = |[a, b, c]: [Vec3; 3]| {
        let double_area = (b - a).cross(&(c - a));
        let flat = double_area[axis].abs() >= LEVEL * double_area.norm() && a[axis].max(b[axis]).max(c[axis]) <= ceiling;
        if flat { 0.5 * double_area[axis].abs() } else { 0.0 }
    };
    let floor = size[(axis + 1) % 3] * size[(axis + 2) % 3];
    triangles.iter().map(|t| level(corners(t))).sum::<f64>() / floor.max(f64::MIN_POSITIVE)
}
