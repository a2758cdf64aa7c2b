//! What strands are made of: curls on a head, and a head of hair.

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

/// Strands of a head of hair, and points of each.
const STRANDS: usize = 1900;
const POINTS: usize = 100;
/// How far hair lies above the head, where it is that far from its root [m].
const ABOVE: [f64; 2] = [0.012, 0.03];
/// Radius of its waves, and how long they are [m].
const WAVE: [f64; 2] = [0.003, 0.05];

/// Wavy hair that lies around a head and hangs down from there, combed out of the face: TressFX 4, with the roots held.
pub fn head_of_hair() -> Vec<u8> {
    let mut bytes = vec![0; 160];
    let words = [4f32.to_bits(), STRANDS as u32, POINTS as u32, 160];
    bytes.chunks_exact_mut(4).zip(words).for_each(|(bytes, word)| bytes.copy_from_slice(&word.to_le_bytes()));
    for (strand, (height, front)) in roots().take(STRANDS).enumerate() {
        let chance = (0.754_877_666 * strand as f64).fract();
        let length = 0.26 + 0.08 * chance;
        for k in 0..POINTS {
            let point = combed(height, front, TAU * (0.569_840_291 * strand as f64).fract(), length * k as f64 / (POINTS - 1) as f64);
            let inverse_mass = if k == 0 { 0.0 } else { 1.0 };
            [point.x, point.y, point.z, inverse_mass].iter().for_each(|number| bytes.extend((*number as f32).to_le_bytes()));
        }
    }
    bytes
}

/// Roots from the crown down: heights over the radius of the head, and angles from the front [rad]. None in the face.
fn roots() -> impl Iterator<Item = (f64, f64)> {
    let golden = PI * (3.0 - 5f64.sqrt());
    let at = move |n: u32| {
        let around = golden * f64::from(n);
        (0.995 - f64::from(n) * 4.9e-4, around.sin().atan2(around.cos()))
    };
    (0..).map(at).filter(|(height, front)| front.abs() > 1.1 || *height > 0.6)
}

/// The point at a length along a strand from its root: along the head as far as to its widest, then down.
fn combed(height: f64, front: f64, phase: f64, along: f64) -> Vec3 {
    let ease = |reach: f64| (along / reach).min(1.0).powi(2) * (3.0 - 2.0 * (along / reach).min(1.0));
    let aside = if front.abs() < 1.3 { (1.3 - front.abs()).copysign(front) } else { 0.0 };
    let around = front + aside * ease(0.12);
    let (wave, turn) = (WAVE[0] * ease(0.08), TAU * along / WAVE[1] + phase);
    let above = ABOVE[0] * (along / ABOVE[1]).min(1.0) + wave * (1.0 + turn.cos());
    let (out, across) = (Vec3::new(around.sin(), 0.0, around.cos()), Vec3::new(around.cos(), 0.0, -around.sin()));
    let (start, radius) = (height.acos(), HEAD + above);
    let bent = start + along / (HEAD + ABOVE[0]);
    let axis = if start < 0.5 * PI {
        let bend = bent.min(0.5 * PI);
        radius * (bend.cos() * Vec3::y() + bend.sin() * out) - ((bent - bend) * (HEAD + ABOVE[0])) * Vec3::y()
    } else {
        (HEAD * start.sin() + above) * out + (HEAD * height - along) * Vec3::y()
    };
    axis + wave * turn.sin() * across
}
