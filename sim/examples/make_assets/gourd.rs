//! A ribbed gourd with a bent neck, as a modelling program would save it: quads, two faces with many corners, texture coordinates.

use std::f64::consts::{PI, TAU};
use std::fmt::Write;

/// Corners of a ring.
const AROUND: usize = 40;
/// Rings of the belly and of the neck.
const BELLY: usize = 18;
const NECK: usize = 14;

/// A ring of the surface: where its middle is [m], its radius [m], and how deep its ribs are.
struct Ring {
    middle: [f64; 2],
    radius: f64,
    ribs: f64,
}

/// The OBJ file, in metres, y up, standing on y = 0.
pub fn gourd() -> String {
    let rings = rings();
    let mut obj = String::from("# A gourd, made by a formula\no gourd\n");
    // Writing into a string cannot fail.
    for Ring { middle: [x, y], radius, ribs } in &rings {
        for k in 0..AROUND {
            let angle = TAU * k as f64 / AROUND as f64;
            let radius = radius * (1.0 + ribs * (8.0 * angle).cos());
            let _ = writeln!(obj, "v {:.6} {:.6} {:.6}", x + radius * angle.cos(), y, -radius * angle.sin());
        }
    }
    for i in 0..rings.len() {
        for k in 0..=AROUND {
            let _ = writeln!(obj, "vt {:.6} {:.6}", k as f64 / AROUND as f64, i as f64 / (rings.len() - 1) as f64);
        }
    }
    let corner = |i: usize, k: usize| format!(" {}/{}", i * AROUND + k % AROUND + 1, i * (AROUND + 1) + k + 1);
    for (i, k) in (0..rings.len() - 1).flat_map(|i| (0..AROUND).map(move |k| (i, k))) {
        let _ = writeln!(obj, "f{}{}{}{}", corner(i, k), corner(i, k + 1), corner(i + 1, k + 1), corner(i + 1, k));
    }
    let base: String = (0..AROUND).rev().map(|k| corner(0, k)).collect();
    let tip: String = (0..AROUND).map(|k| corner(rings.len() - 1, k)).collect();
    let _ = writeln!(obj, "f{base}\nf{tip}");
    obj
}

fn rings() -> Vec<Ring> {
    let belly = (0..=BELLY).map(|k| {
        let angle = PI * (0.16 + 0.70 * k as f64 / BELLY as f64);
        let height = 0.10 * ((0.16 * PI).cos() - angle.cos());
        Ring { middle: [0.0, height], radius: 0.12 * angle.sin(), ribs: 0.06 * angle.sin() }
    });
    let belly: Vec<Ring> = belly.collect();
    let (height, radius) = belly.last().map_or((0.0, 0.0), |ring| (ring.middle[1], ring.radius));
    let neck = (1..=NECK).map(|k| {
        let share = k as f64 / NECK as f64;
        let middle = [0.13 * share * share, height + 0.17 * share - 0.02 * share * share];
        Ring { middle, radius: radius + (0.024 - radius) * share.sqrt(), ribs: 0.026 * (1.0 - share) }
    });
    let neck: Vec<Ring> = neck.collect();
    belly.into_iter().chain(neck).collect()
}
