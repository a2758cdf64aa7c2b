//! A fish with spiny fins, as one closed surface: to be cut into cells.

use std::f64::consts::{PI, TAU};
use std::fmt::Write;

/// Corners of a ring, and rings between the two poles: 2 AROUND RINGS triangles.
const AROUND: usize = 96;
const RINGS: usize = 104;
/// From mouth to tail [m].
const LENGTH: f64 = 0.6;

/// The OBJ file, in metres, y up, swimming along -x with its middle at the origin.
pub fn fish() -> String {
    let mut obj = String::from("# A fish, made by a formula, in metres\no fish\n");
    // Writing into a string cannot fail.
    let mut vertex = |x: f64, y: f64, z: f64| {
        let _ = writeln!(obj, "v {x:.6} {y:.6} {z:.6}");
    };
    vertex(-0.5 * LENGTH, 0.0, 0.0);
    for ring in 0..RINGS {
        // Closer where it is blunt.
        let share = 0.5 - 0.5 * (PI * (ring as f64 + 0.5) / RINGS as f64).cos();
        let share = 0.35 * share + 0.65 * (ring as f64 + 0.5) / RINGS as f64;
        for k in 0..AROUND {
            let [y, z] = outline(share, TAU * k as f64 / AROUND as f64);
            vertex(LENGTH * (share - 0.5), y, z);
        }
    }
    vertex(0.5 * LENGTH, 0.0, 0.0);
    let corner = |ring: usize, k: usize| 2 + ring * AROUND + k % AROUND;
    let mut face = |a: usize, b: usize, c: usize| {
        let _ = writeln!(obj, "f {a} {b} {c}");
    };
    for k in 0..AROUND {
        face(1, corner(0, k + 1), corner(0, k));
        face(2 + RINGS * AROUND, corner(RINGS - 1, k), corner(RINGS - 1, k + 1));
    }
    for (ring, k) in (0..RINGS - 1).flat_map(|ring| (0..AROUND).map(move |k| (ring, k))) {
        let [a, b, c, d] = [corner(ring, k), corner(ring, k + 1), corner(ring + 1, k + 1), corner(ring + 1, k)];
        face(a, b, c);
        face(a, c, d);
    }
    obj
}

/// y and z [m] of the outline at a share of the length, at an angle from the top.
fn outline(share: f64, angle: f64) -> [f64; 2] {
    // A body that is thickest at a third, a narrow stem, and a tail that is high and thin.
    let closing = (1.0 - (2.0 * share - 1.0).powi(8)).max(0.0).sqrt();
    let body = (PI * share.powf(0.72)).sin().max(0.0).powf(1.1);
    let tail = bump(share, 0.92, 0.07);
    let high = closing * (0.012 + 0.085 * body + 0.085 * tail);
    let wide = closing * (0.010 + 0.055 * body);
    // Fins with spines: on the back, under the belly, and two at the sides, which point back and down.
    let spines = |from: f64, count: f64| 0.75 + 0.25 * (TAU * count * (share - from)).cos();
    let back = 0.075 * bump(share, 0.45, 0.2) * spines(0.45, 16.0) * near(angle, 0.0, 0.1);
    let belly = 0.05 * bump(share, 0.6, 0.1) * spines(0.6, 16.0) * near(angle, PI, 0.1);
    let sides: f64 = [0.6 * PI, 1.4 * PI].iter().map(|&at| 0.09 * bump(share, 0.4, 0.09) * spines(0.4, 18.0) * near(angle, at, 0.13)).sum();
    let out = back + belly + sides;
    [(high + out) * angle.cos(), (wide + out) * angle.sin()]
}

/// 1 in the middle, 0 from `width` on, smooth.
fn bump(at: f64, middle: f64, width: f64) -> f64 {
    let t = ((at - middle) / width).abs().min(1.0);
    (1.0 - t * t).powi(2)
}

/// The same around a circle.
fn near(angle: f64, middle: f64, width: f64) -> f64 {
    let apart = (angle - middle + PI).rem_euclid(TAU) - PI;
    (-(apart / width).powi(2)).exp()
}
