//! Surfaces that cloth is made of.

use std::f64::consts::{PI, TAU};
use std::fmt::Write;

use aplomb_sim::math::Vec3;

/// Vertices [m] and triangles, as a file.
pub fn obj(name: &str, what: &str, positions: &[Vec3], triangles: &[[usize; 3]]) -> String {
    let mut obj = format!("# {what}, in metres, y up\no {name}\n");
    // Writing into a string cannot fail.
    for p in positions {
        let _ = writeln!(obj, "v {:.7} {:.7} {:.7}", p.x, p.y, p.z);
    }
    for [a, b, c] in triangles {
        let _ = writeln!(obj, "f {} {} {}", a + 1, b + 1, c + 1);
    }
    obj
}

/// Squares along u and v, cut along their two diagonals in turn, the vertex (u, v) of the unit square at `place` [m].
fn grid(cells: [usize; 2], place: impl Fn(f64, f64) -> Vec3) -> (Vec<Vec3>, Vec<[usize; 3]>) {
    cut_grid(cells, |i, j| (i + j).is_multiple_of(2), place)
}

/// The same, where `rises` tells of the square in this column and row whether it is cut along the diagonal on which u and v grow together.
fn cut_grid(
    [columns, rows]: [usize; 2],
    rises: impl Fn(usize, usize) -> bool,
    place: impl Fn(f64, f64) -> Vec3,
) -> (Vec<Vec3>, Vec<[usize; 3]>) {
    let vertices = (0..=rows).flat_map(|j| (0..=columns).map(move |i| (i, j)));
    let positions = vertices.map(|(i, j)| place(i as f64 / columns as f64, j as f64 / rows as f64)).collect();
    let cut = |(i, j): (usize, usize)| {
        let a = j * (columns + 1) + i;
        let [b, c, d] = [a + 1, a + columns + 2, a + columns + 1];
        if rises(i, j) { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] }
    };
    (positions, (0..rows).flat_map(|j| (0..columns).map(move |i| (i, j))).flat_map(cut).collect())
}

/// A level sheet of 1 m around the origin.
pub fn sheet() -> String {
    let (positions, triangles) = grid([28, 28], |u, v| Vec3::new(u - 0.5, 0.0, v - 0.5));
    obj("sheet", "A level sheet", &positions, &triangles)
}

/// A curtain of 1 m that hangs in two waves, the deeper the lower.
pub fn curtain() -> String {
    let wave = |u: f64, v: f64| 0.05 * (4.0 * PI * u).sin() * (0.5 + 0.5 * v);
    let (positions, triangles) = grid([24, 24], |u, v| Vec3::new(u - 0.5, 1.0 - v, wave(u, v)));
    obj("curtain", "A curtain", &positions, &triangles)
}

/// A level sheet of 0.5 m that lies on its corner, its other diagonal along z = 0: cut along that diagonal, across it, or along both in turn.
pub fn fold(along: bool, across: bool) -> String {
    let turned = |u: f64, v: f64| 0.5 * Vec3::new(u + v - 1.0, 0.0, v - u) / 2.0_f64.sqrt();
    let rises = |i: usize, j: usize| if along && across { (i + j).is_multiple_of(2) } else { across };
    let (positions, triangles) = cut_grid([8, 8], rises, turned);
    obj("fold", "A sheet that is to fold along the line x = 0", &positions, &triangles)
}

/// Half of the width of the level floor of a trough of cloth, how far beyond it rises on either side, and how steeply [m, rad].
const FLOOR: f64 = 0.06;
const RISING: f64 = 0.3;
const STEEP: f64 = 0.6;

/// A cloth that hangs between two bars along z, its floor level at y = 0.
pub fn trough() -> String {
    let place = |u: f64, v: f64| {
        let along = 2.0 * (u - 0.5) * (FLOOR + RISING);
        let up = (along.abs() - FLOOR).max(0.0);
        Vec3::new(along.signum() * (along.abs().min(FLOOR) + up * STEEP.cos()), up * STEEP.sin(), 0.3 * (v - 0.5))
    };
    let (positions, triangles) = grid([24, 10], place);
    obj("trough", "A cloth that hangs between two bars", &positions, &triangles)
}

/// The page of a book, bent and standing on its edge, leaning over to the side that it is open to.
pub fn page() -> String {
    let place = |u: f64, v: f64| {
        let angle = 150f64.to_radians() * (u - 0.5);
        Vec3::new(0.09 * angle.sin(), 0.24 * v, 0.09 * angle.cos() + 0.035 * v * v)
    };
    let (positions, triangles) = grid([14, 11], place);
    obj("page", "A page that stands on its edge", &positions, &triangles)
}

/// A sail between two masts, filled by the wind.
pub fn sail() -> String {
    let place = |u: f64, v: f64| {
        let bulge = 0.15 * (PI * u).sin() * (PI * v).sin() + 0.05 * (PI * u).sin();
        Vec3::new(0.8 * u, 1.7 - 1.6 * v, bulge)
    };
    let (positions, triangles) = grid([7, 16], place);
    obj("sail", "A sail between two masts", &positions, &triangles)
}

/// Radius of the ball under a blanket, and how far over it the middle of the blanket's thickness lies [m].
const BALL: f64 = 0.3;
const OVER: f64 = 0.0011;
/// Side of the blanket, how much of it, from its middle, lies on the ball, and how quickly it turns down beyond [m].
const SIDE: f64 = 1.6;
const LYING: f64 = 0.3;
const TURNING: f64 = 0.45;
/// Steepest slope [rad], folds, and how deep these are where they are grown, so far beyond what lies on the ball [m].
const STEEPEST: f64 = 0.5 * PI - 0.06;
const FOLDS: f64 = 10.0;
const DEEP: f64 = 0.055;
const GROWN: f64 = 0.35;

/// Distance from the axis and height of what is so far from the middle of a blanket without folds [m].
fn draped(far: f64) -> [f64; 2] {
    let steps = 400;
    let step = far / f64::from(steps);
    let mut place = [0.0, 0.0];
    for k in 0..steps {
        let at = step * (f64::from(k) + 0.5);
        let slope = if at < LYING { at / BALL } else { (LYING / BALL + (at - LYING) / TURNING).min(STEEPEST) };
        place = [place[0] + slope.cos() * step, place[1] - slope.sin() * step];
    }
    place
}

/// A blanket that lies on a ball around the origin and hangs down in folds around it.
pub fn blanket() -> String {
    let scale = (BALL + OVER) / BALL;
    let place = |u: f64, v: f64| {
        let (x, y) = (SIDE * (u - 0.5), SIDE * (v - 0.5));
        let (far, angle) = (x.hypot(y), y.atan2(x));
        let [out, down] = draped(far);
        let grown = ((far - LYING) / GROWN).clamp(0.0, 1.0);
        let fold = DEEP * grown * grown * (3.0 - 2.0 * grown) * (1.02 + (FOLDS * angle).cos());
        let out = scale * out + fold;
        Vec3::new(out * angle.cos(), BALL + OVER + scale * down, out * angle.sin())
    };
    let (positions, triangles) = grid([52, 51], place);
    obj("blanket", "A blanket that lies on a ball", &positions, &triangles)
}

/// Rings of a hat's crown and of its brim, and vertices of a ring of the brim.
const CROWN: usize = 9;
const BRIM: usize = 5;
const AROUND: usize = 6 * CROWN;
/// Height of the crown over the middle of a ball of 0.1 m that it lies on by its top, radius of the crown, and of the brim [m].
const TOP: f64 = 0.1011;
const CROWN_RADIUS: f64 = 0.108;
const BRIM_RADIUS: f64 = 0.2;

/// A hat whose crown is half of a ball, and whose brim is level: the crease is where they meet.
pub fn hat() -> String {
    let mut positions = vec![Vec3::new(0.0, TOP, 0.0)];
    let middle = Vec3::new(0.0, TOP - CROWN_RADIUS, 0.0);
    for ring in 1..=CROWN {
        let (down, count) = (0.5 * PI * ring as f64 / CROWN as f64, 6 * ring);
        positions.extend((0..count).map(|k| {
            let angle = TAU * k as f64 / count as f64;
            middle + CROWN_RADIUS * Vec3::new(down.sin() * angle.cos(), down.cos(), -down.sin() * angle.sin())
        }));
    }
    for ring in 1..=BRIM {
        let radius = CROWN_RADIUS + (BRIM_RADIUS - CROWN_RADIUS) * ring as f64 / BRIM as f64;
        positions.extend((0..AROUND).map(|k| {
            // Half a cell further on each ring: triangles of nearly equal sides.
            let angle = TAU * (k as f64 + 0.5 * (ring % 2) as f64) / AROUND as f64;
            middle + radius * Vec3::new(angle.cos(), 0.0, -angle.sin())
        }));
    }
    let start = |ring: usize| if ring == 0 { 0 } else { 1 + 3 * ring * (ring - 1) };
    let mut triangles = Vec::new();
    for ring in 1..=CROWN {
        for side in 0..6 {
            for k in 0..ring {
                let outer = |k: usize| start(ring) + (side * ring + k) % (6 * ring);
                let inner = |k: usize| if ring == 1 { 0 } else { start(ring - 1) + (side * (ring - 1) + k) % (6 * (ring - 1)) };
                triangles.push([inner(k), outer(k), outer(k + 1)]);
                if k + 1 < ring {
                    triangles.push([inner(k), outer(k + 1), inner(k + 1)]);
                }
            }
        }
    }
    let rim = start(CROWN);
    for ring in 0..BRIM {
        let vertex = |ring: usize, k: usize| rim + AROUND * ring + k % AROUND;
        for k in 0..AROUND {
            let (a, b, c, d) = (vertex(ring, k), vertex(ring + 1, k), vertex(ring + 1, k + 1), vertex(ring, k + 1));
            triangles.extend(if ring % 2 == 0 { [[a, b, d], [b, c, d]] } else { [[a, b, c], [a, c, d]] });
        }
    }
    obj("hat", "A hat with a round crown and a level brim", &positions, &triangles)
}
