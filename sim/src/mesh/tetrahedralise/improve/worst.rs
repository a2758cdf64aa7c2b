//! Lifting the worst angle: a vertex searches around itself for the place where the worst angle of its tets is best.

use super::angles::Bounds;
use super::smooth::star_angles;
use super::star::Stars;
use super::surface::Surface;
use crate::math::Vec3;

/// Halvings of the step, which begins at a quarter of the edges around.
const HALVINGS: i32 = 5;

/// A place for `v` at which the worst angle around it is better (a compass search: the worst of many angles has kinks,
/// where gradients mislead).
pub fn lift(positions: &[Vec3], stars: &Stars, surface: &Surface, bounds: &Bounds, v: u32) -> Option<Vec3> {
    let x = positions[v as usize];
    let count = stars.around(v).len() as f64;
    let edge = (stars.around(v).iter().map(|f| (positions[f[0] as usize] - x).norm_squared()).sum::<f64>() / count).sqrt();
    let directions = match surface.is_inside(v) {
        true => (0..3).flat_map(|d| [Vec3::ith(d, 1.0), Vec3::ith(d, -1.0)]).chain(diagonals()).collect::<Vec<_>>(),
        false => {
            let [s, t] = surface.tangents(positions, v)?;
            (0..8).map(|i| f64::from(i) * std::f64::consts::FRAC_PI_4).map(|a| a.cos() * s + a.sin() * t).collect()
        }
    };
    let old = star_angles(positions, stars, v, x);
    let (mut best, mut least) = (x, old.worst());
    for halving in 0..HALVINGS {
        let length = 0.25 * edge * 0.5_f64.powi(halving);
        for direction in &directions {
            let step = best + direction * length - x;
            let Some(to) = (if surface.is_inside(v) { Some(x + step) } else { surface.slide(positions, v, &step) }) else { continue };
            let new = star_angles(positions, stars, v, to);
            if new.worst() < least && bounds.allow(old, new) {
                (best, least) = (to, new.worst());
            }
        }
    }
    (least < old.worst()).then_some(best)
}

/// Unit vectors to the corners of a cube.
fn diagonals() -> impl Iterator<Item = Vec3> {
    (0..8).map(|i| Vec3::new(f64::from(i & 1) - 0.5, f64::from(i >> 1 & 1) - 0.5, f64::from(i >> 2) - 0.5).normalize())
}
