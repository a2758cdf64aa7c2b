//! A rabbit that sits on a flat base.

use aplomb_sim::math::Vec3;
use aplomb_sim::mesh::tetrahedralise::implicit::{Above, Ellipsoid, RoundCone, SmoothUnion, Sphere};
use aplomb_sim::mesh::tetrahedralise::{Options, StuffingError, tetrahedralise};
use aplomb_sim::watch::Unwatched;

use super::Asset;

/// A sitting rabbit, a metre tall to the tips of its ears, front towards +z: belly, feet and front paws are cut off flat at y = 0.
pub fn rabbit() -> Result<Asset, StuffingError> {
    let mesh = tetrahedralise(&Above { solid: solid(), height: 0.0 }, &Options { cell: 0.04, ..Options::default() }, &Unwatched)?;
    // The base is cut at y = 0 to within the tolerance of the cuts; it shall touch it exactly.
    let place = |p: Vec3| Vec3::new(p.x, if p.y < 1e-5 { 0.0 } else { p.y }, p.z).map(|x| (1e6 * x).round() / 1e6);
    Ok((mesh.positions.into_iter().map(place).collect(), mesh.tets).into())
}

fn solid() -> SmoothUnion {
    let at = Vec3::new;
    let belly = Ellipsoid { centre: at(0.0, 0.26, 0.0), radii: at(0.21, 0.27, 0.23) };
    let head = Ellipsoid { centre: at(0.0, 0.58, 0.06), radii: at(0.135, 0.125, 0.15) };
    let tail = Sphere { centre: at(0.0, 0.1, -0.25), radius: 0.065 };
    let mut whole = SmoothUnion { parts: vec![Box::new(belly), Box::new(head), Box::new(tail)], blend: 0.05 };
    let mut limb = |ends: [Vec3; 2], radii: [f64; 2]| whole.parts.push(Box::new(RoundCone { ends, radii }));
    for side in [-1.0, 1.0] {
        limb([at(0.11 * side, 0.035, 0.05), at(0.13 * side, 0.03, 0.26)], [0.065, 0.055]);
        limb([at(0.1 * side, 0.36, 0.15), at(0.1 * side, 0.04, 0.2)], [0.06, 0.048]);
        limb([at(0.05 * side, 0.67, 0.03), at(0.11 * side, 0.95, -0.02)], [0.042, 0.05]);
    }
    whole
}
