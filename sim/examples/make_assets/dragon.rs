//! A dragon on four legs with its wings spread: so thin in most places that nearly every vertex lies on its skin.

use aplomb_sim::math::{Vec3, bounding_box};
use aplomb_sim::mesh::closest::nearest_on_triangle;
use aplomb_sim::mesh::tetrahedralise::implicit::{Ellipsoid, RoundCone, SmoothUnion, Sphere, Tube};
use aplomb_sim::mesh::tetrahedralise::{SignedDistanceField, StuffingError};

use super::curve::{direction, points, tube};
use super::{Asset, standing};

/// Edge of a cell [m].
const CELL: f64 = 0.0140;
/// Straight pieces of neck and tail.
const PIECES: usize = 24;
/// Half the thickness of the skin of the wings [m].
const SAIL: f64 = 0.0095;
/// Radius of the bones of the wings [m].
const BONE: f64 = 0.012;

/// A dragon of 0.7 m from nose to tail and as much from wing to wing, nose towards +x.
pub fn dragon() -> Result<Asset, StuffingError> {
    Ok(standing(&solid(), CELL)?.into())
}

/// A triangle with rounded edges.
struct Sail {
    corners: [Vec3; 3],
}

impl SignedDistanceField for Sail {
    fn distance(&self, p: &Vec3) -> f64 {
        (p - nearest_on_triangle(p, &self.corners)).norm() - SAIL
    }
    fn bounds(&self) -> (Vec3, Vec3) {
        let (low, high) = bounding_box(&self.corners);
        (low.add_scalar(-SAIL), high.add_scalar(SAIL))
    }
}

fn solid() -> SmoothUnion {
    let at = Vec3::new;
    let belly = Ellipsoid { centre: at(0.0, 0.15, 0.0), radii: at(0.095, 0.041, 0.036) };
    let bent = points(at(0.06, 0.165, 0.0), 0.21, PIECES, |s| direction(0.0, 10.0 + 130.0 * s - 125.0 * s.powi(3)));
    let radii: Vec<f64> = (0..=PIECES).map(|i| 0.027 - 0.012 * (i as f64 / PIECES as f64).powf(0.7)).collect();
    let neck = Tube::new(&bent, &radii);
    let tail =
        tube(at(-0.07, 0.15, 0.0), 0.36, PIECES, |s| direction(180.0 + 60.0 * s * s, -26.0 + 60.0 * s), |s| 0.027 - 0.019 * s.powf(0.8));
    let mut body = SmoothUnion { parts: vec![Box::new(belly), Box::new(neck), Box::new(tail)], blend: 0.022 };
    for (x, side) in [(0.058, -1.0), (0.058, 1.0), (-0.062, -1.0), (-0.062, 1.0)] {
        let knee = at(1.25 * x, 0.075, 0.052 * side);
        body.parts.push(Box::new(RoundCone { ends: [at(x, 0.135, 0.03 * side), knee], radii: [0.022, 0.015] }));
        body.parts.push(Box::new(RoundCone { ends: [knee, at(1.1 * x, 0.016, 0.055 * side)], radii: [0.015, 0.012] }));
    }
    let nape = bent[PIECES];
    let head = RoundCone { ends: [nape + at(-0.004, 0.004, 0.0), nape + at(0.055, -0.012, 0.0)], radii: [0.021, 0.012] };
    let mut whole = SmoothUnion { parts: vec![Box::new(body), Box::new(head)], blend: 0.010 };
    for side in [-1.0, 1.0] {
        whole.parts.push(Box::new(Sphere { centre: nape + at(0.016, 0.017, 0.016 * side), radius: 0.009 }));
        let horn = [nape + at(-0.008, 0.02, 0.012 * side), nape + at(-0.052, 0.05, 0.026 * side)];
        whole.parts.push(Box::new(RoundCone { ends: horn, radii: [0.009, 0.0055] }));
        wing(side, &mut whole);
    }
    whole
}

/// A wing: an arm, three fingers, and the skin between them and the flank.
fn wing(side: f64, whole: &mut SmoothUnion) {
    let at = |x: f64, y: f64, z: f64| Vec3::new(x, y, z * side);
    let (shoulder, wrist, flank) = (at(0.035, 0.18, 0.03), at(0.05, 0.28, 0.18), at(-0.06, 0.17, 0.025));
    let tips = [at(0.0, 0.335, 0.41), at(-0.12, 0.275, 0.34), at(-0.15, 0.21, 0.20)];
    let mut bone = |ends: [Vec3; 2], radii: [f64; 2]| whole.parts.push(Box::new(RoundCone { ends, radii }));
    bone([shoulder, wrist], [0.012, 0.009]);
    tips.iter().for_each(|tip| bone([wrist, *tip], [BONE, SAIL]));
    let skins = [[shoulder, wrist, flank], [wrist, tips[0], tips[1]], [wrist, tips[1], tips[2]], [wrist, tips[2], flank]];
    skins.into_iter().for_each(|corners| whole.parts.push(Box::new(Sail { corners })));
}
