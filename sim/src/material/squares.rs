//! Laws that are a sum of squares, psi = sum of modulus C^2 / 2, with their [`Measure`]s C of the deformation: what position-based steppers
//! project is each C, with the compliance 1 / (modulus V).
//!
//! The split is the law's own, so that each C vanishes where the law has no stress, and no two of them hold one another at rest, as J - gamma
//! and sqrt(tr F^T F) of Macklin and Müller 2021 do. All are measured from G = F - I, accurate relative to themselves however small the strain.

use std::f64::consts::{FRAC_1_SQRT_2, SQRT_2};

use super::invariants::{Strain, cofactor, green_of_gradient, lean};
use super::principal::Principal;
use crate::math::{Mat3, Vec3};

/// What the energy of a law is the squares of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Squares {
    /// C of each.
    pub measures: &'static [Measure],
    /// Moduli of the first and of all others [Pa], none negative.
    pub moduli: [f64; 2],
}

impl Squares {
    /// Squares at most.
    pub const MOST: usize = 7;

    /// Modulus of the square `k` [Pa]; 0 where the law has fewer.
    pub fn modulus(&self, k: usize) -> f64 {
        if k < self.measures.len() { self.moduli[k.min(1)] } else { 0.0 }
    }
}

/// What a square is of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Measure {
    /// J - 1.
    Growth,
    /// sqrt(tr C + J^2 - 4 J): zero at rotations, and nowhere else where J > 0.
    Shape,
    /// A sum of the entries xx, yy, zz, yz, zx, xy of Green's strain with these factors, whose matrix has no larger norm than tr E.
    Green([f64; 6]),
    /// tr(S - I) of the stretch S that is left of F when its rotation is taken off.
    StretchTrace,
    /// sqrt2 |S - I|.
    Stretch,
    /// tr e of the small strain e = sym(F - I).
    SmallTrace,
    /// sqrt2 |e|.
    Small,
}

/// sqrt 6.
const SQRT_6: f64 = 2.449_489_742_783_178;
const YZ: Measure = Measure::Green([0.0, 0.0, 0.0, SQRT_2, 0.0, 0.0]);
const ZX: Measure = Measure::Green([0.0, 0.0, 0.0, 0.0, SQRT_2, 0.0]);
const XY: Measure = Measure::Green([0.0, 0.0, 0.0, 0.0, 0.0, SQRT_2]);

/// tr E, and what of E has no trace: |E|^2 = tr^2 E / 3 + the squares of the others.
pub(super) static TRACE_AND_REST: [Measure; 6] = [
    Measure::Green([1.0, 1.0, 1.0, 0.0, 0.0, 0.0]),
    Measure::Green([FRAC_1_SQRT_2, -FRAC_1_SQRT_2, 0.0, 0.0, 0.0, 0.0]),
    Measure::Green([1.0 / SQRT_6, 1.0 / SQRT_6, -2.0 / SQRT_6, 0.0, 0.0, 0.0]),
    YZ,
    ZX,
    XY,
];
/// J - 1, and what |E|^2 is the squares of.
pub(super) static GROWTH_AND_GREEN: [Measure; 7] = [
    Measure::Growth,
    Measure::Green([1.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
    Measure::Green([0.0, 1.0, 0.0, 0.0, 0.0, 0.0]),
    Measure::Green([0.0, 0.0, 1.0, 0.0, 0.0, 0.0]),
    YZ,
    ZX,
    XY,
];
/// J - 1 and the root that vanishes with it.
pub(super) static GROWTH_AND_SHAPE: [Measure; 2] = [Measure::Growth, Measure::Shape];
/// Of the stretch.
pub(super) static STRETCH: [Measure; 2] = [Measure::StretchTrace, Measure::Stretch];
/// Of the small strain.
pub(super) static SMALL: [Measure; 2] = [Measure::SmallTrace, Measure::Small];

/// Below it a measure that is a root has no direction: as much strain is in the round-off of positions. Steel has more under 1 Pa.
const NO_DIRECTION: f64 = 1e-14;

impl Measure {
    /// C of G = F - I, and its derivative by F; none of a root next to zero.
    pub fn of(self, g: &Mat3) -> (f64, Mat3) {
        let f = g + Mat3::identity();
        match self {
            Self::Growth => (Strain::of_gradient(g).0.growth, cofactor(&f)),
            Self::Shape => {
                let strain = Strain::of_gradient(g).0;
                let root = (2.0 * strain.excess + strain.growth * strain.growth).max(0.0).sqrt();
                let (cofactor, lean) = lean(g, &strain);
                along(root, &(lean + strain.growth * cofactor))
            }
            Self::Green(factors) => {
                let value = green_of_gradient(g).into_iter().zip(factors).map(|(entry, factor)| entry * factor).sum();
                let [xx, yy, zz, yz, zx, xy] = factors;
                (value, f * Mat3::new(xx, 0.5 * xy, 0.5 * zx, 0.5 * xy, yy, 0.5 * yz, 0.5 * zx, 0.5 * yz, zz))
            }
            Self::StretchTrace => {
                let frame = Principal::of(g);
                (frame.strain.sum(), frame.compose(&Vec3::repeat(1.0)))
            }
            Self::Stretch => {
                let frame = Principal::of(g);
                along(SQRT_2 * frame.strain.norm(), &(2.0 * frame.compose(&frame.strain)))
            }
            Self::SmallTrace => (g.trace(), Mat3::identity()),
            Self::Small => {
                let small = 0.5 * (g + g.transpose());
                along(SQRT_2 * small.norm(), &(2.0 * small))
            }
        }
    }

    /// No less than the second derivative of C by y in F = I + `g` + y a^T, for a of length 1.
    pub fn curvature(self, g: &Mat3) -> f64 {
        let of_root = |square: f64| square / self.of(g).0.max(NO_DIRECTION);
        match self {
            Self::Growth | Self::SmallTrace => 0.0,
            Self::Green(_) => 1.0,
            // No square of a stretch is more than 1 + 2 |E|.
            Self::Shape => of_root(1.0 + (1.0 + 2.0 * Strain::of_gradient(g).1.norm()).powi(2)),
            // Two turns of at most 1 / (s_a + s_b) each.
            Self::StretchTrace => {
                let s = Principal::of(g).strain;
                let least = (2.0 + (s.x + s.y).min(s.y + s.z).min(s.z + s.x)).max(NO_DIRECTION);
                2.0 / least
            }
            Self::Stretch | Self::Small => of_root(2.0),
        }
    }
}

/// A root C, and its derivative from half of that of C^2.
fn along(root: f64, half: &Mat3) -> (f64, Mat3) {
    if root > NO_DIRECTION { (root, half / root) } else { (root, Mat3::zeros()) }
}
