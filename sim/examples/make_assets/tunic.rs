//! A tunic of six panels that hangs from the shoulders of a body of revolution, with its sewing pattern and stitches.

use std::f64::consts::{PI, TAU};
use std::fmt::Write;

use aplomb_sim::math::Vec3;

/// Panels around the axis, and their cells across and along.
const PANELS: usize = 6;
const ACROSS: usize = 12;
const ALONG: usize = 22;
/// Rows of cells that lie on the shoulders: the body has the same, so that both are as far apart everywhere.
const LYING: usize = 6;
/// The shoulders: an ellipse of revolution, and how far over it the tunic lies where it does, along the normal [m].
const SHOULDER: [f64; 2] = [0.2, 0.15];
const OVER: f64 = 6e-4;
/// Angles from the axis on that ellipse: of the neck, and where the tunic leaves the shoulders.
const NECK: f64 = 0.5;
const LEFT: f64 = 1.15;
/// How far the tunic hangs down from there, its slope outwards at the end, folds, and how deep these are at the hem [m].
const HANGING: f64 = 0.62;
const FLARE: f64 = 0.16;
const FOLDS: f64 = 12.0;
const DEEP: f64 = 0.035;
/// Share of what hangs over which they grow.
const GROWN: f64 = 0.9;
/// Points by which a parallel's length is measured, for each cell.
const FINE: usize = 40;

/// Distance from the axis and height of the body's shoulders at an angle from the axis, `over` them along the normal [m].
fn shoulder(angle: f64, over: f64) -> [f64; 2] {
    let [a, b] = SHOULDER;
    let normal = Vec3::new(angle.sin() / a, angle.cos() / b, 0.0).normalize();
    [a * angle.sin() + over * normal.x, b * angle.cos() + over * normal.y]
}

/// Angles from the axis of the rows that lie on the shoulders.
fn lying() -> impl Iterator<Item = f64> {
    (0..=LYING).map(|j| NECK + (LEFT - NECK) * j as f64 / LYING as f64)
}

/// The meridian without folds: a point at each row, and how much of the folds has grown there.
fn meridian() -> Vec<([f64; 2], f64)> {
    let mut rows: Vec<([f64; 2], f64)> = lying().map(|angle| (shoulder(angle, OVER), 0.0)).collect();
    let (hanging, fine) = (ALONG - LYING, 100);
    let [before, mut at] = [LEFT - 1e-6, LEFT].map(|angle| shoulder(angle, OVER));
    let slope = (at[0] - before[0]).atan2(before[1] - at[1]);
    let step = HANGING / (hanging * fine) as f64;
    for k in 0..hanging * fine {
        // From the slope of the shoulders to that of the flare, more slowly than the shoulders turn.
        let share = (k as f64 + 0.5) / (hanging * fine) as f64;
        let turned = slope + (FLARE - slope) * share * (2.0 - share);
        at = [at[0] + step * turned.sin(), at[1] - step * turned.cos()];
        if (k + 1) % fine == 0 {
            let grown = ((k + 1) as f64 / (hanging * fine) as f64 / GROWN).min(1.0);
            rows.push((at, grown * grown * (3.0 - 2.0 * grown)));
        }
    }
    rows
}

/// A place of the tunic, at an angle around the axis.
fn place(([out, height], grown): ([f64; 2], f64), angle: f64) -> Vec3 {
    let out = out + DEEP * grown * (FOLDS * angle).cos();
    Vec3::new(out * angle.cos(), height, -out * angle.sin())
}

/// The tunic as an OBJ file: panels with vertices of their own, texture points in metres, and stitches.
///
/// A panel is cut so that its middle line and its lines across keep their lengths, these as arcs around the tip of the cone that they are on
/// (a polyconic map): where the tunic is a cone that is how it is flattened, elsewhere nearly.
pub fn tunic() -> String {
    let rows = meridian();
    let columns = ACROSS + 1;
    let width = TAU / PANELS as f64;
    let angle = |panel: usize, i: f64| width * (panel as f64 + i / ACROSS as f64) + PI / 7.0;
    let (mut vertices, mut points, mut faces, mut stitches) = (String::new(), String::new(), String::new(), String::new());
    let write = |text: &mut String, line: std::fmt::Arguments| {
        // Writing to a string does not fail.
        let _ = text.write_fmt(line);
    };
    let mut down = 0.0;
    let mut lengths = vec![0.0];
    for pair in rows.windows(2) {
        let ([a, b], [c, d]) = (pair[0].0, pair[1].0);
        down += (c - a).hypot(d - b);
        lengths.push(down);
    }
    for panel in 0..PANELS {
        write(&mut faces, format_args!("g panel{panel}\n"));
        for (j, &row) in rows.iter().enumerate() {
            // Length of the line across from the middle to each column.
            let at = |k: usize| place(row, angle(panel, k as f64 / FINE as f64));
            let mut along = vec![0.0];
            (1..=ACROSS * FINE).for_each(|k| along.push(along[k - 1] + (at(k) - at(k - 1)).norm()));
            let middle = along[ACROSS * FINE / 2];
            let (before, after) = (j.saturating_sub(1), (j + 1).min(ALONG));
            let grows = (along[ACROSS * FINE], lengths[after] - lengths[before]);
            let across = |row: ([f64; 2], f64)| {
                let at = |k: usize| place(row, angle(panel, k as f64 / FINE as f64));
                (1..=ACROSS * FINE).map(|k| (at(k) - at(k - 1)).norm()).sum::<f64>()
            };
            // Angle over half of which a panel opens here, for each metre across.
            let opening = (across(rows[after]) - across(rows[before])) / (grows.1 * grows.0);
            for i in 0..columns {
                let x = place(row, angle(panel, i as f64));
                write(&mut vertices, format_args!("v {:.6} {:.6} {:.6}\n", x.x, x.y, x.z));
                let w = along[i * FINE] - middle;
                let turned = opening * w;
                let [u, v] = if opening.abs() < 1e-6 {
                    [w, -lengths[j]]
                } else {
                    [turned.sin() / opening, -lengths[j] + (1.0 - turned.cos()) / opening]
                };
                write(&mut points, format_args!("vt {:.6} {:.6}\n", u + 0.6 * panel as f64, v));
            }
        }
        let vertex = |i: usize, j: usize| columns * (rows.len() * panel + j) + i;
        for (i, j) in (0..ALONG).flat_map(|j| (0..ACROSS).map(move |i| (i, j))) {
            let [a, b, c, d] = [vertex(i, j), vertex(i, j + 1), vertex(i + 1, j + 1), vertex(i + 1, j)].map(|v| v + 1);
            let halves = if (i + j) % 2 == 0 { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] };
            for [a, b, c] in halves {
                write(&mut faces, format_args!("f {a}/{a} {b}/{b} {c}/{c}\n"));
            }
        }
        // The last column to the first one of the next panel; stitches count from 0.
        let next = columns * rows.len() * ((panel + 1) % PANELS);
        for j in 0..rows.len() {
            let (edge, along) = if j < ALONG { ([j, j + 1], 0) } else { ([j - 1, j], 1) };
            let [a, b] = edge.map(|j| next + columns * j);
            write(&mut stitches, format_args!("stitch {} {a} {b} {along}\n", vertex(ACROSS, j)));
        }
    }
    format!("# A tunic of {PANELS} panels with their sewing pattern; stitches count from 0\n{vertices}{points}{faces}{stitches}")
}

/// The body that wears it, as an OBJ file: shoulders, and a trunk below them.
pub fn wearer() -> String {
    let (segments, trunk) = (PANELS * ACROSS, 12);
    let top = (0..4).map(|k| NECK * f64::from(k) / 4.0);
    let below = (1..=5).map(|k| LEFT + (0.5 * PI - LEFT) * f64::from(k) / 5.0);
    let mut profile: Vec<[f64; 2]> = top.chain(lying()).chain(below).map(|angle| shoulder(angle, 0.0)).collect();
    let bottom = -0.75;
    let lower = |k: i32| {
        let t = f64::from(k) / f64::from(trunk);
        [(SHOULDER[0] * (1.0 - 0.35 * t)) * (1.0 - t.powi(8)).max(0.0).sqrt(), bottom * t]
    };
    profile.extend((1..=trunk).map(lower));
    let mut text = String::from("# The body that wears the tunic\n");
    let rings = &profile[1..profile.len() - 1];
    let mut write = |line: std::fmt::Arguments| {
        let _ = text.write_fmt(line);
    };
    write(format_args!("v 0.000000 {:.6} 0.000000\n", profile[0][1]));
    for [out, height] in rings {
        for k in 0..segments {
            let angle = TAU * k as f64 / segments as f64 + PI / 7.0;
            write(format_args!("v {:.6} {height:.6} {:.6}\n", out * angle.cos(), -out * angle.sin()));
        }
    }
    write(format_args!("v 0.000000 {:.6} 0.000000\n", profile[profile.len() - 1][1]));
    let vertex = |ring: usize, k: usize| 2 + segments * ring + k % segments;
    let last = 2 + segments * rings.len();
    for k in 0..segments {
        write(format_args!("f 1 {} {}\n", vertex(0, k), vertex(0, k + 1)));
        for ring in 0..rings.len() - 1 {
            let [a, b, c, d] = [vertex(ring, k), vertex(ring + 1, k), vertex(ring + 1, k + 1), vertex(ring, k + 1)];
            write(format_args!("f {a} {b} {c}\nf {a} {c} {d}\n"));
        }
        write(format_args!("f {last} {} {}\n", vertex(rings.len() - 1, k + 1), vertex(rings.len() - 1, k)));
    }
    text
}
