//! What a pressure does on one face: energy, forces on its corners, and how they change.
//!
//! A pressure p has the potential U = integral of p over the volume swept, which by the divergence theorem is the flux of a field G
//! with div G = p through the surface, U = sum of U_f over the faces:
//!
//! ```text
//! uniform:  G = p (x - o) / 3               U_f = p / 6 (a - o) . (b - o) x (c - o)
//! water:    G = -w d^2 / 2 up  (depth d)    U_f = -w / 2 (up . A) mean of d^2 over the wet part
//! ```
//!
//! The force on a corner is the pressure against the corner's linear function, f_i = -integral of p phi_i dA. Over a closed surface
//! it is the exact -dU/dx_i; of a single face they differ by what its three edges make ([`Push::rim`]), which neighbours cancel.

use super::wet::{wet, wet_edge};
use crate::math::{Mat3, Vec3};

/// A pressure that follows its face.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Push {
    /// The same everywhere [Pa]; positive pushes inward.
    Uniform(f64),
    /// That of water at rest.
    Water(Water),
}

/// Water, or another liquid at rest: its pressure is its weight times the depth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Water {
    /// Away from gravity; of length 1.
    pub up: Vec3,
    /// Where its surface is along `up`, from the origin [m].
    pub level: f64,
    /// Density times gravity [N/m^3].
    pub weight: f64,
}

impl Water {
    /// Depth of a point under the surface [m]; negative above.
    pub fn depth(&self, x: &Vec3) -> f64 {
        self.level - self.up.dot(x)
    }
}

/// A pressure over a face by corners: p phi_i, and how it changes as a corner j goes deeper, each as a mean over the face.
struct Spread {
    /// [Pa]
    first: [f64; 3],
    /// [Pa/m]
    second: [[f64; 3]; 3],
    up: Vec3,
}

impl Push {
    /// A share of it.
    pub fn scaled(self, share: f64) -> Self {
        match self {
            Self::Uniform(pressure) => Self::Uniform(share * pressure),
            Self::Water(water) => Self::Water(Water { weight: share * water.weight, ..water }),
        }
    }

    /// Forces on the corners of an outward oriented face [N].
    pub fn forces(&self, corners: &[Vec3; 3]) -> [Vec3; 3] {
        let area = area_of(corners);
        self.spread(corners).first.map(|share| -share * area)
    }

    /// U_f [J]; that of a uniform pressure about `origin` [m].
    pub fn energy(&self, corners: &[Vec3; 3], origin: &Vec3) -> f64 {
        match self {
            Self::Uniform(pressure) => {
                let [a, b, c] = corners.map(|corner| corner - origin);
                pressure / 6.0 * a.dot(&b.cross(&c))
            }
            Self::Water(water) => {
                let depths = corners.map(|corner| water.depth(&corner));
                -0.5 * water.weight * water.up.dot(&area_of(corners)) * wet(depths).square
            }
        }
    }

    /// d(-f_i)/dx_j [N/m], which is not symmetric for a face by itself.
    pub fn stiffness(&self, corners: &[Vec3; 3]) -> [[Mat3; 3]; 3] {
        let (area, spread) = (area_of(corners), self.spread(corners));
        let across = edges_across(corners).map(|edge| 0.5 * edge.cross_matrix());
        let drop = area * spread.up.transpose();
        [0, 1, 2].map(|i| [0, 1, 2].map(|j| spread.first[i] * across[j] - spread.second[i][j] * drop))
    }

    /// What dU_f/dx_i has beside -f_i from the edge between two corners, in the orientation of its face: forces on the two [N].
    pub fn rim(&self, ends: &[Vec3; 2], origin: &Vec3) -> [Vec3; 2] {
        match self {
            Self::Uniform(pressure) => [-pressure / 6.0 * (ends[0] - origin).cross(&(ends[1] - origin)); 2],
            Self::Water(water) => {
                let across = (ends[1] - ends[0]).cross(&water.up);
                wet_edge(ends.map(|end| water.depth(&end))).map(|mean| -0.5 * water.weight * mean * across)
            }
        }
    }

    fn spread(&self, corners: &[Vec3; 3]) -> Spread {
        match self {
            Self::Uniform(pressure) => Spread { first: [pressure / 3.0; 3], second: [[0.0; 3]; 3], up: Vec3::zeros() },
            Self::Water(water) => {
                let of = wet(corners.map(|corner| water.depth(&corner)));
                let weighed = |means: [f64; 3]| means.map(|mean| water.weight * mean);
                Spread { first: weighed(of.first), second: of.second.map(weighed), up: water.up }
            }
        }
    }
}

/// Outward normal times area [m^2].
pub fn area_of([a, b, c]: &[Vec3; 3]) -> Vec3 {
    0.5 * (b - a).cross(&(c - a))
}

/// The edge across from each corner, in the orientation of the face [m].
fn edges_across([a, b, c]: &[Vec3; 3]) -> [Vec3; 3] {
    [c - b, a - c, b - a]
}
