//! Smoothing: a vertex goes where the tets around it have the best mean shape.

use super::super::quality::mean_ratio;
use super::angles::{self, Angles, Bounds};
use super::star::Stars;
use super::surface::Surface;
use crate::math::{Mat3, Vec3};

/// Tets with a greater mean ratio are left alone: those of the lattice have 0.95.
const GOOD: f64 = 0.93;
/// A move shorter than this share of the edges around is none.
const LEAST_MOVE: f64 = 0.01;

/// Whether a tet is worth smoothing.
pub fn is_uneven(positions: &[Vec3], tet: &[u32; 4]) -> bool {
    mean_ratio(positions, tet) < GOOD
}

/// A better place for `v`: one Newton step on the sum of S^3 / W^2 over its tets, where S is the sum of squared edges and
/// W six times the volume. That is the cube of the inverse mean ratio up to a factor, convex in the vertex's place
/// (Munson 2007), and free of roots.
pub fn relax(positions: &[Vec3], stars: &Stars, surface: &Surface, bounds: &Bounds, v: u32) -> Option<Vec3> {
    let x = positions[v as usize];
    let mut energy = 0.0;
    let mut gradient = Vec3::zeros();
    let mut hessian = Mat3::zeros();
    for face in stars.around(v) {
        let [f0, f1, f2] = face.map(|w| positions[w as usize]);
        let normal = (f1 - f0).cross(&(f2 - f0));
        let w = normal.dot(&(f0 - x));
        let s = squares(x, [f0, f1, f2]);
        let e = s * s * s / (w * w);
        let ds = 2.0 * (3.0 * x - (f0 + f1 + f2)) / s;
        let dw = normal / w;
        let g = 3.0 * ds + 2.0 * dw;
        energy += e;
        gradient += e * g;
        hessian += e * (g * g.transpose() - 3.0 * ds * ds.transpose() + 2.0 * dw * dw.transpose());
        hessian += Mat3::from_diagonal_element(18.0 * e / s);
    }
    let edge =
        (stars.around(v).iter().map(|f| (positions[f[0] as usize] - x).norm_squared()).sum::<f64>() / stars.around(v).len() as f64).sqrt();
    let tangents = if surface.is_inside(v) { None } else { Some(surface.tangents(positions, v)?) };
    let step = match tangents {
        None => hessian.cholesky()?.solve(&-gradient),
        Some([s, t]) => {
            let (hs, ht) = (hessian * s, hessian * t);
            let (a, b, c) = (s.dot(&hs), s.dot(&ht), t.dot(&ht));
            let (p, q) = (-gradient.dot(&s), -gradient.dot(&t));
            let det = a * c - b * b;
            (s * (c * p - b * q) + t * (a * q - b * p)) / det
        }
    };
    // False for NaN, too.
    let worthwhile = step.norm() >= LEAST_MOVE * edge;
    if !worthwhile {
        return None;
    }
    let old = star_angles(positions, stars, v, x);
    let mut share = 1.0;
    for _ in 0..3 {
        let to = if tangents.is_none() { Some(x + share * step) } else { surface.slide(positions, v, &(share * step)) };
        if let Some(to) = to
            && star_energy(positions, stars, v, to) < energy
            && bounds.allow(old, star_angles(positions, stars, v, to))
        {
            return Some(to);
        }
        share *= 0.4;
    }
    None
}

/// Sum of the squared edges of a tet.
fn squares(x: Vec3, [f0, f1, f2]: [Vec3; 3]) -> f64 {
    let spokes = (f0 - x).norm_squared() + (f1 - x).norm_squared() + (f2 - x).norm_squared();
    spokes + (f1 - f0).norm_squared() + (f2 - f1).norm_squared() + (f0 - f2).norm_squared()
}

/// The energy around `v` if it lay at `x`: infinite where a tet is inverted.
fn star_energy(positions: &[Vec3], stars: &Stars, v: u32, x: Vec3) -> f64 {
    let mut energy = 0.0;
    for face in stars.around(v) {
        let [f0, f1, f2] = face.map(|w| positions[w as usize]);
        let w = (f1 - f0).cross(&(f2 - f0)).dot(&(f0 - x));
        if w <= 0.0 {
            return f64::INFINITY;
        }
        let s = squares(x, [f0, f1, f2]);
        energy += s * s * s / (w * w);
    }
    energy
}

/// The extreme angles of the tets around `v` if it lay at `x`.
pub fn star_angles(positions: &[Vec3], stars: &Stars, v: u32, x: Vec3) -> Angles {
    stars.around(v).iter().fold(Angles::NONE, |angles, face| {
        let [f0, f1, f2] = face.map(|w| positions[w as usize]);
        // The face looks away from x, so x sees it clockwise.
        angles.and(angles::of_corners([x, f0, f1, f2]))
    })
}
