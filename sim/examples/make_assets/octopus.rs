//! An octopus with eight tapering, curling arms, to be held by the top of its head.

use aplomb_sim::math::Vec3;
use aplomb_sim::mesh::tetrahedralise::StuffingError;
use aplomb_sim::mesh::tetrahedralise::implicit::{Ellipsoid, RoundCone, SmoothUnion, Sphere, Tube};

use super::curve::{direction, tube};
use super::{Asset, standing};

/// Cells for about 102 200 tets.
const CELL: f64 = 0.0106;

/// An octopus of 0.8 m from arm to arm, front towards +z.
pub fn octopus() -> Result<Asset, StuffingError> {
    Ok(standing(&solid(), CELL)?.into())
}

fn solid() -> SmoothUnion {
    let at = Vec3::new;
    let head = Ellipsoid { centre: at(0.0, 0.183, 0.008), radii: at(0.06, 0.06, 0.06) };
    let mantle = RoundCone { ends: [at(0.0, 0.262, -0.016), at(0.0, 0.342, -0.064)], radii: [0.062, 0.083] };
    let skirt = Ellipsoid { centre: at(0.0, 0.125, 0.0), radii: at(0.07, 0.034, 0.07) };
    let mut body = SmoothUnion { parts: vec![Box::new(head), Box::new(mantle), Box::new(skirt)], blend: 0.045 };
    let arms = ARMS.iter().map(|arm| Box::new(arm.tube()) as Box<_>).collect();
    body.parts.push(Box::new(SmoothUnion { parts: arms, blend: 0.035 }));
    let mut whole = SmoothUnion { parts: vec![Box::new(body)], blend: 0.014 };
    for side in [-1.0, 1.0] {
        let socket = Sphere { centre: at(0.045 * side, 0.208, 0.042), radius: 0.026 };
        let eye = Sphere { centre: at(0.056 * side, 0.213, 0.057), radius: 0.014 };
        whole.parts.push(Box::new(socket));
        whole.parts.push(Box::new(eye));
    }
    whole
}

/// The pose of an arm: angles in degrees.
struct Arm {
    /// Direction it leaves the body in, seen from above; 0 is +x, 90 the front, +z.
    azimuth: f64,
    /// How far it swings sideways on its way.
    sway: f64,
    /// Its rise where it leaves the body.
    rise: f64,
    /// How much it has turned upwards at its tip; downwards where negative.
    curl: f64,
    /// Its length [m].
    length: f64,
}

const ARMS: [Arm; 8] = [
    Arm { azimuth: 24.0, sway: 30.0, rise: -26.0, curl: 310.0, length: 0.52 },
    Arm { azimuth: 68.0, sway: 26.0, rise: -44.0, curl: 255.0, length: 0.46 },
    Arm { azimuth: 113.0, sway: -18.0, rise: -46.0, curl: 300.0, length: 0.47 },
    Arm { azimuth: 157.0, sway: -30.0, rise: -24.0, curl: 255.0, length: 0.51 },
    Arm { azimuth: 202.0, sway: 20.0, rise: -10.0, curl: 160.0, length: 0.50 },
    Arm { azimuth: 248.0, sway: -22.0, rise: -34.0, curl: 280.0, length: 0.48 },
    Arm { azimuth: 293.0, sway: 24.0, rise: -30.0, curl: 235.0, length: 0.49 },
    Arm { azimuth: 338.0, sway: -16.0, rise: -8.0, curl: 185.0, length: 0.50 },
];

impl Arm {
    fn tube(&self) -> Tube {
        let heading = |s: f64| direction(self.azimuth + self.sway * s * s, self.rise + self.curl * s.powf(2.3));
        let root = direction(self.azimuth, 0.0);
        tube(Vec3::new(0.042 * root.x, 0.128, 0.042 * root.z), self.length, 40, heading, radius)
    }
}

/// Radius [m] of an arm at the share `s` of its length.
fn radius(s: f64) -> f64 {
    0.0295 + (0.0082 - 0.0295) * s.powf(0.7)
}
