//! A little dinosaur on four sturdy legs, with a long neck and a long tail that gravity pulls down.

use aplomb_sim::math::Vec3;
use aplomb_sim::mesh::tetrahedralise::StuffingError;
use aplomb_sim::mesh::tetrahedralise::implicit::{Ellipsoid, RoundCone, SmoothUnion, Sphere, Tube};

use super::curve::{direction, points, tube};
use super::{Asset, standing};

/// Edge of a cell [m].
const CELL: f64 = 0.014;
/// Straight pieces of neck and tail.
const PIECES: usize = 24;

/// A dinosaur of 0.6 m from nose to tail, nose towards +x.
pub fn dinosaur() -> Result<Asset, StuffingError> {
    Ok(standing(&solid(), CELL)?.into())
}

fn solid() -> SmoothUnion {
    let at = Vec3::new;
    let belly = Ellipsoid { centre: at(0.0, 0.15, 0.0), radii: at(0.105, 0.066, 0.066) };
    let bent = points(at(0.06, 0.165, 0.0), 0.24, PIECES, |s| direction(0.0, 24.0 + 90.0 * s - 84.0 * s.powi(3)));
    let radii: Vec<f64> = (0..=PIECES).map(|i| 0.046 - 0.021 * (i as f64 / PIECES as f64).powf(0.7)).collect();
    let neck = Tube::new(&bent, &radii);
    let upwards = |s: f64| direction(180.0 + 28.0 * s * s, -24.0 + 62.0 * s);
    let tail = tube(at(-0.07, 0.15, 0.0), 0.30, PIECES, upwards, |s| 0.045 - 0.033 * s.powf(0.8));
    let mut body = SmoothUnion { parts: vec![Box::new(belly), Box::new(neck), Box::new(tail)], blend: 0.03 };
    for (x, side) in [(0.058, -1.0), (0.058, 1.0), (-0.062, -1.0), (-0.062, 1.0)] {
        body.parts.push(Box::new(RoundCone { ends: [at(x, 0.12, 0.036 * side), at(1.1 * x, 0.03, 0.046 * side)], radii: [0.034, 0.03] }));
    }
    let nape = bent[PIECES];
    let head = RoundCone { ends: [nape + at(-0.004, 0.006, 0.0), nape + at(0.052, -0.008, 0.0)], radii: [0.033, 0.023] };
    let mut whole = SmoothUnion { parts: vec![Box::new(body), Box::new(head)], blend: 0.018 };
    for side in [-1.0, 1.0] {
        whole.parts.push(Box::new(Sphere { centre: nape + at(0.014, 0.024, 0.022 * side), radius: 0.013 }));
    }
    whole
}
