//! Two creatures.

use aplomb_sim::math::Vec3;
use aplomb_sim::mesh::tetrahedralise::implicit::{Above, Ellipsoid, RoundCone, SmoothUnion, Sphere, Tube};
use aplomb_sim::mesh::tetrahedralise::{Options, StuffingError, tetrahedralise};
use aplomb_sim::watch::Unwatched;

use super::Asset;
use super::curve::{direction, tube};

/// A coarse chubby creature with four limbs, two ears and a tail below, 0.4 m tall; its lowest point is at y = 0.
pub fn little_creature() -> Result<Asset, StuffingError> {
    let mesh = tetrahedralise(&little_solid(), &Options { cell: 0.032, ..Options::default() }, &Unwatched)?;
    let lowest = mesh.positions.iter().map(|p| p.y).fold(f64::INFINITY, f64::min);
    Ok((mesh.positions.into_iter().map(|p| Vec3::new(p.x, p.y - lowest, p.z)).collect(), mesh.tets).into())
}

fn little_solid() -> SmoothUnion {
    let at = Vec3::new;
    let belly = Ellipsoid { centre: at(0.0, 0.15, 0.0), radii: at(0.095, 0.1, 0.085) };
    let head = Ellipsoid { centre: at(0.0, 0.29, 0.01), radii: at(0.075, 0.068, 0.07) };
    let mut whole = SmoothUnion { parts: vec![Box::new(belly), Box::new(head)], blend: 0.03 };
    let mut limb = |ends: [Vec3; 2], radii: [f64; 2]| whole.parts.push(Box::new(RoundCone { ends, radii }));
    limb([at(0.0, 0.1, -0.02), at(0.0, 0.03, -0.03)], [0.04, 0.03]);
    for side in [-1.0, 1.0] {
        limb([at(0.06 * side, 0.2, 0.02), at(0.185 * side, 0.225, 0.05)], [0.034, 0.032]);
        limb([at(0.05 * side, 0.09, 0.02), at(0.14 * side, 0.045, 0.06)], [0.042, 0.036]);
        limb([at(0.045 * side, 0.33, 0.0), at(0.075 * side, 0.385, 0.0)], [0.03, 0.024]);
    }
    whole
}

/// An eight-limbed creature on a flat base, half a metre across, whose limbs reach out and curl up into the air.
pub fn creature() -> Result<Asset, StuffingError> {
    let mesh = tetrahedralise(&creature_solid(), &Options { cell: 0.0145, ..Options::default() }, &Unwatched)?;
    let lowest = mesh.positions.iter().map(|p| p.y).fold(f64::INFINITY, f64::min);
    // The base is cut at y = 0 to within the tolerance of the cuts; it shall touch it exactly.
    let stand = |p: Vec3| Vec3::new(p.x, if p.y < lowest + 1e-6 { 0.0 } else { p.y }, p.z);
    Ok((mesh.positions.into_iter().map(stand).collect(), mesh.tets).into())
}

fn creature_solid() -> Above<SmoothUnion> {
    let at = Vec3::new;
    let mantle = Ellipsoid { centre: at(0.0, 0.178, -0.012), radii: at(0.073, 0.082, 0.076) };
    let neck = RoundCone { ends: [at(0.0, 0.05, 0.0), at(0.0, 0.12, 0.0)], radii: [0.044, 0.045] };
    let foot = Ellipsoid { centre: at(0.0, 0.03, 0.0), radii: at(0.06, 0.045, 0.06) };
    let mut body = SmoothUnion { parts: vec![Box::new(mantle), Box::new(neck), Box::new(foot)], blend: 0.03 };
    for limb in &LIMBS {
        body.parts.push(Box::new(limb.tube()));
    }
    let eye = |side: f64| Sphere { centre: at(0.04 * side, 0.158, 0.054), radius: 0.025 };
    let whole = SmoothUnion { parts: vec![Box::new(body), Box::new(eye(-1.0)), Box::new(eye(1.0))], blend: 0.008 };
    Above { solid: whole, height: 0.0 }
}

/// The pose of a limb: angles in degrees.
struct Limb {
    /// Direction it leaves the body in, seen from above; 0 is +x, 90 the front, +z.
    azimuth: f64,
    /// How far it swings sideways on its way.
    sway: f64,
    /// Its rise where it leaves the body.
    rise: f64,
    /// How much it has turned upwards, and then back, at its tip.
    curl: f64,
    /// Its length [m].
    length: f64,
}

const LIMBS: [Limb; 8] = [
    Limb { azimuth: 18.0, sway: 30.0, rise: -4.0, curl: 195.0, length: 0.315 },
    Limb { azimuth: 64.0, sway: -24.0, rise: -9.0, curl: 150.0, length: 0.27 },
    Limb { azimuth: 114.0, sway: 30.0, rise: -9.0, curl: 175.0, length: 0.285 },
    Limb { azimuth: 162.0, sway: -20.0, rise: -2.0, curl: 200.0, length: 0.325 },
    Limb { azimuth: 205.0, sway: 26.0, rise: 4.0, curl: 120.0, length: 0.30 },
    Limb { azimuth: 249.0, sway: -34.0, rise: -4.0, curl: 180.0, length: 0.31 },
    Limb { azimuth: 293.0, sway: 28.0, rise: 2.0, curl: 140.0, length: 0.29 },
    Limb { azimuth: 338.0, sway: -30.0, rise: 8.0, curl: 110.0, length: 0.31 },
];

impl Limb {
    /// Round cones along a curve that bends ever more towards its tip.
    fn tube(&self) -> Tube {
        let heading = |s: f64| direction(self.azimuth + self.sway * s * s, self.rise + self.curl * s.powf(2.2));
        let root = heading(0.0);
        tube(Vec3::new(0.034 * root.x, 0.056, 0.034 * root.z), self.length, 28, heading, radius)
    }
}

/// Radius [m] of a limb at the share `s` of its length.
fn radius(s: f64) -> f64 {
    0.0245 + (0.0155 - 0.0245) * s.powf(0.8)
}
