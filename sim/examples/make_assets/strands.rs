//! What strands are made of: curls on a head.

use std::f64::consts::{PI, TAU};
use std::fmt::Write;

use aplomb_sim::math::Vec3;

/// Radius of the head, with its middle at the origin [m].
const HEAD: f64 = 0.09;
/// Curls, and segments of each.
const CURLS: usize = 64;
const SEGMENTS: usize = 32;
/// Length along the axis of a curl [m], its radius at the tip, and its turns.
const LENGTH: f64 = 0.12;
const RADIUS: f64 = 0.005;
const TURNS: f64 = 3.0;

/// Curls that leave a head across its surface and hang down: roots around its sides, evenly along the golden angle.
pub fn hair_curls() -> String {
    let mut obj = String::from("# Curls on a head, in metres, y up\no curls\n");
    let golden = PI * (3.0 - 5f64.sqrt());
    for curl in 0..CURLS {
        let height = 0.75 - 0.8 * (curl as f64 + 0.5) / CURLS as f64;
        let around = golden * curl as f64;
        let aside = Vec3::new(around.cos(), 0.0, around.sin());
        let out = height * Vec3::y() + (1.0 - height * height).sqrt() * aside;
        // Writing into a string cannot fail.
        (0..=SEGMENTS).for_each(|k| {
            let point = curled(&out, &aside, k as f64 / SEGMENTS as f64);
            let _ = writeln!(obj, "v {:.9} {:.9} {:.9}", point.x, point.y, point.z);
        });
    }
    for curl in 0..CURLS {
        let numbers: String = (1..=SEGMENTS + 1).map(|k| format!(" {}", curl * (SEGMENTS + 1) + k)).collect();
        let _ = writeln!(obj, "l{numbers}");
    }
    obj
}

/// The point at a share of the length of a curl that leaves the head along `out` and turns over `aside` to hang.
fn curled(out: &Vec3, aside: &Vec3, share: f64) -> Vec3 {
    // Its axis is a cubic curve by its control points; it ends straight down.
    let root = HEAD * out;
    let knee = root + 0.35 * LENGTH * (out + 0.4 * aside);
    let shoulder = root + (0.3 * LENGTH) * out + (1.3 * HEAD - root.dot(aside)).max(0.2 * LENGTH) * aside;
    let tip = shoulder - LENGTH * Vec3::y();
    let rest = 1.0 - share;
    let weights = [rest.powi(3), 3.0 * rest * rest * share, 3.0 * rest * share * share, share.powi(3)];
    let axis: Vec3 = [root, knee, shoulder, tip].iter().zip(weights).map(|(point, weight)| weight * point).sum();
    let across = aside.cross(&Vec3::y());
    let angle = TAU * TURNS * share;
    axis + RADIUS * share * (angle.cos() * aside + angle.sin() * across)
}
