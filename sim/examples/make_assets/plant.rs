//! A plant: a woody stem that grows out of a mound of soil, and broad fleshy leaves on woody stalks.

use aplomb_sim::contact::primitive::point_triangle;
use aplomb_sim::math::{Vec3, bounding_box};
use aplomb_sim::mesh::tetrahedralise::implicit::{Ellipsoid, SmoothUnion, Tube};
use aplomb_sim::mesh::tetrahedralise::{SignedDistanceField, StuffingError};

use super::curve::{direction, points, tube};
use super::{Asset, standing};

/// Cells for about 47 077 tets.
const CELL: f64 = 0.0075;
/// Tags of the tets: soil and wood, veins, and the rest of the leaves.
const WOOD: i32 = 1;
const VEIN: i32 = 2;
const LEAF: i32 = 3;

/// A plant of 0.4 m, rooted in a mound of soil of 11 cm.
pub fn plant() -> Result<Asset, StuffingError> {
    let (wood, veins) = (wood(), veins());
    let (positions, tets) = standing(&solid(), CELL)?;
    let tag = |tet: &[u32; 4]| {
        let middle = tet.iter().map(|&v| positions[v as usize]).sum::<Vec3>() / 4.0;
        if wood.distance(&middle) < 0.0 {
            WOOD
        } else if veins.distance(&middle) < 0.0 {
            VEIN
        } else {
            LEAF
        }
    };
    let tags = tets.iter().map(tag).collect();
    Ok(Asset { positions, tets, tags })
}

/// Everything, with smooth joints.
fn solid() -> SmoothUnion {
    let mut plant = SmoothUnion { parts: vec![Box::new(wood())], blend: 0.012 };
    for leaf in &LEAVES {
        plant.parts.push(Box::new(leaf.blade()));
    }
    plant
}

/// Soil, stem and stalks.
fn wood() -> SmoothUnion {
    let soil = Ellipsoid { centre: Vec3::new(0.0, SOIL.y, 0.0), radii: SOIL };
    let radii: Vec<f64> = (0..=JOINTS).map(|joint| 0.0135 - 0.005 * joint as f64 / JOINTS as f64).collect();
    let mut wood = SmoothUnion { parts: vec![Box::new(soil), Box::new(Tube::new(&stem(), &radii))], blend: 0.01 };
    for leaf in &LEAVES {
        wood.parts.push(Box::new(leaf.stalk()));
    }
    wood
}

/// The midribs of the leaves, which begin in the wood.
fn veins() -> SmoothUnion {
    SmoothUnion { parts: LEAVES.iter().map(|leaf| Box::new(leaf.vein()) as Box<_>).collect(), blend: 0.0 }
}

/// Half axes of the mound of soil [m], which rests on y = 0.
const SOIL: Vec3 = Vec3::new(0.055, 0.016, 0.055);
/// Straight pieces of the stem.
const JOINTS: usize = 20;

/// The axis of the stem.
fn stem() -> Vec<Vec3> {
    points(Vec3::new(0.0, SOIL.y, 0.0), 0.29, JOINTS, |s| direction(200.0 - 160.0 * s, 80.0 + 6.0 * s))
}

/// A leaf on its stalk: angles in degrees.
struct Leaf {
    /// Joint of the stem at which it grows.
    joint: usize,
    /// How many golden angles around the stem.
    turns: f64,
    /// Rise of the stalk.
    rise: f64,
    /// How far the blade has bent down at its tip.
    arch: f64,
    /// Length of the stalk and of the blade [m].
    lengths: [f64; 2],
    /// Half the width of the blade [m].
    width: f64,
}

const LEAVES: [Leaf; 8] = [
    Leaf { joint: 6, turns: 0.0, rise: 30.0, arch: 70.0, lengths: [0.085, 0.145], width: 0.047 },
    Leaf { joint: 8, turns: 1.0, rise: 34.0, arch: 68.0, lengths: [0.08, 0.145], width: 0.047 },
    Leaf { joint: 11, turns: 2.0, rise: 38.0, arch: 70.0, lengths: [0.075, 0.14], width: 0.046 },
    Leaf { joint: 13, turns: 3.0, rise: 42.0, arch: 70.0, lengths: [0.07, 0.135], width: 0.044 },
    Leaf { joint: 15, turns: 4.0, rise: 46.0, arch: 70.0, lengths: [0.065, 0.13], width: 0.042 },
    Leaf { joint: 17, turns: 5.0, rise: 50.0, arch: 70.0, lengths: [0.06, 0.12], width: 0.039 },
    Leaf { joint: 19, turns: 6.0, rise: 56.0, arch: 64.0, lengths: [0.05, 0.11], width: 0.035 },
    Leaf { joint: 20, turns: 7.0, rise: 72.0, arch: 50.0, lengths: [0.035, 0.10], width: 0.032 },
];

/// Straight pieces of a stalk, and rows of triangles along a blade.
const PIECES: usize = 12;

impl Leaf {
    /// The golden angle away from the leaf before.
    fn azimuth(&self) -> f64 {
        30.0 + 137.508 * self.turns
    }

    fn along_stalk(&self, s: f64) -> Vec3 {
        direction(self.azimuth(), self.rise * (1.0 - 0.25 * s))
    }

    fn along_blade(&self, s: f64) -> Vec3 {
        direction(self.azimuth(), 0.75 * self.rise - self.arch * s)
    }

    /// Where the blade begins.
    fn neck(&self) -> Vec3 {
        points(stem()[self.joint], self.lengths[0], PIECES, |s| self.along_stalk(s))[PIECES]
    }

    fn stalk(&self) -> Tube {
        // It ends in the blade.
        tube(stem()[self.joint], 1.15 * self.lengths[0], PIECES, |s| self.along_stalk(1.15 * s), |s| 0.0095 - 0.002 * s)
    }

    fn vein(&self) -> Tube {
        tube(self.neck(), 0.75 * self.lengths[1], PIECES, |s| self.along_blade(0.75 * s), |s| 0.0135 - 0.0085 * s)
    }

    fn blade(&self) -> Blade {
        let midrib = points(self.neck(), self.lengths[1], PIECES, |s| self.along_blade(s));
        Blade::new(&midrib, direction(self.azimuth() + 90.0, 0.0), self.width)
    }
}

/// The points near two rows of triangles beside a midrib; how near, is given at the corners.
struct Blade {
    /// Corners [m], and half the thickness at each [m].
    triangles: Vec<[(Vec3, f64); 3]>,
    bounds: (Vec3, Vec3),
}

impl Blade {
    /// Along a midrib [m]; `across` is the unit vector to one side.
    fn new(midrib: &[Vec3], across: Vec3, width: f64) -> Self {
        let last = midrib.len() - 1;
        let half_thickness = |i: usize| 0.0092 - 0.003 * i as f64 / last as f64;
        let mut triangles = Vec::new();
        for side in [-1.0, 1.0] {
            let rim = |i: usize| {
                // Ovate, with a pointed tip; never so narrow that the triangles have no area.
                let reach = width * (std::f64::consts::PI * (i as f64 / last as f64).powf(0.7)).sin().max(0.04);
                (midrib[i] + side * reach * across, 0.8 * half_thickness(i))
            };
            let rib = |i: usize| (midrib[i], half_thickness(i));
            for i in 1..=last {
                triangles.push([rib(i - 1), rib(i), rim(i)]);
                triangles.push([rib(i - 1), rim(i), rim(i - 1)]);
            }
        }
        let corners: Vec<Vec3> = triangles.iter().flatten().map(|(corner, _)| *corner).collect();
        let (low, high) = bounding_box(&corners);
        Self { triangles, bounds: (low.add_scalar(-half_thickness(0)), high.add_scalar(half_thickness(0))) }
    }
}

impl SignedDistanceField for Blade {
    fn distance(&self, p: &Vec3) -> f64 {
        let mut least = f64::INFINITY;
        for [a, b, c] in &self.triangles {
            // A triangle is no nearer than the ball around a corner that holds it.
            let size = (b.0 - a.0).norm().max((c.0 - a.0).norm());
            if (p - a.0).norm() - size - a.1.max(b.1).max(c.1) < least {
                let nearest = point_triangle(p, &a.0, &b.0, &c.0);
                // The weights of the corners are negative.
                let reach = -nearest.weights[1] * a.1 - nearest.weights[2] * b.1 - nearest.weights[3] * c.1;
                least = least.min(nearest.distance() - reach);
            }
        }
        least
    }
    fn bounds(&self) -> (Vec3, Vec3) {
        self.bounds
    }
    fn lipschitz(&self) -> f64 {
        // The thickness changes by less than a third of the way.
        4.0 / 3.0
    }
}
