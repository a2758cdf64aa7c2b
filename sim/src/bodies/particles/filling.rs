//! [`Enclosed`]: what a closed surface encloses, and a cubic lattice inside of it.

use rayon::prelude::*;

use crate::math::random::Random;
use crate::math::{Vec3, bounding_box};
use crate::mesh::inside::{Inside, NotClosed};
use crate::watch::{Cancelled, Watch};

/// Particles of a body at most.
pub const MOST: f64 = 1e6;
/// Places of a lattice that are looked at for each particle at most, of which most are outside of what is thin and slanting.
const MOST_OUTSIDE: f64 = 1e3;
/// Rows of a lattice between two looks at whether somebody has cancelled.
const ROWS: usize = 4096;

/// Why nothing was filled.
#[derive(Debug, Clone, PartialEq)]
pub enum Unfilled {
    /// Somebody cancelled.
    Cancelled,
    /// The surface is not closed, or encloses nothing; in words.
    Surface(String),
    /// The spacing does not suit it; in words.
    Spacing(String),
}

impl From<Cancelled> for Unfilled {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

/// What a closed surface encloses, to be filled with particles of one volume.
pub struct Enclosed {
    inside: Inside,
    low: Vec3,
    sides: Vec3,
    /// Volume inside [m^3].
    pub volume: f64,
}

impl Enclosed {
    /// Of `triangles` between `positions` [m], for particles `spacing` [m] apart.
    ///
    /// # Errors
    /// [`Unfilled`]; the number of particles is foretold before one is made.
    pub fn of(positions: &[Vec3], triangles: &[[u32; 3]], spacing: f64, watch: &dyn Watch) -> Result<Self, Unfilled> {
        let (inside, triangles) = Inside::of_soup(positions, triangles, watch).map_err(|problem| match problem {
            NotClosed::Cancelled => Unfilled::Cancelled,
            NotClosed::Open(0) => Unfilled::Surface(
                "its surface encloses nothing: its triangles lie on one another, or have no area; give one with an inside, or a file of points".into(),
            ),
            NotClosed::Open(edges) => Unfilled::Surface(format!(
                "its surface is open at {edges} edges, so that nothing is inside; close the holes, or give a file of points"
            )),
        })?;
        let corners: Vec<Vec3> = triangles.as_flattened().iter().map(|&v| positions[v as usize]).collect();
        let (low, high) = bounding_box(&corners);
        let sides = high - low;
        let of_triangle = |[a, b, c]: [Vec3; 3]| a.dot(&b.cross(&c)) / 6.0;
        let volume = triangles.iter().map(|t| of_triangle(t.map(|v| positions[v as usize] - low))).sum::<f64>().abs();
        let foretold = volume / spacing.powi(3);
        let places = sides.map(|side| (side / spacing).ceil()).product();
        if foretold > MOST || places > MOST_OUTSIDE * MOST {
            let finest = spacing * (foretold / MOST).max(places / (MOST_OUTSIDE * MOST)).cbrt();
            let message = format!(
                "a spacing of {spacing} m would make about {foretold:.2e} particles, more than the {MOST:.0e} that a body may have; take at least {finest:.2e} m"
            );
            return Err(Unfilled::Spacing(message));
        }
        if spacing > sides.min() {
            return Err(larger(spacing, "the body", &sides));
        }
        Ok(Self { inside, low, sides, volume })
    }

    /// Whether a point is inside.
    pub fn has(&self, x: &Vec3) -> bool {
        self.inside.has(x)
    }

    /// A point of the bounding box, anywhere with the same chance.
    pub fn anywhere(&self, random: &mut Random) -> Vec3 {
        self.low + random.vector(0.0, 1.0).component_mul(&self.sides)
    }

    /// The middles of the cubes with edges of `spacing` [m] that are inside. The cubes begin at the lowest corner of the bounding box, so that a box
    /// whose sides are multiples of the spacing is filled to the brim.
    ///
    /// # Errors
    /// Cancelled, or no cube whose middle is inside.
    pub fn lattice(&self, spacing: f64, watch: &dyn Watch) -> Result<Vec<Vec3>, Unfilled> {
        let [across, up, deep]: [usize; 3] = self.sides.map(|side| (side / spacing).ceil() as usize).into();
        let mut found = Vec::new();
        let rows: Vec<usize> = (0..across * up).collect();
        for some in rows.chunks(ROWS) {
            watch.check()?;
            let row = |&row: &usize| {
                let at = |k: usize| self.low + spacing * (Vec3::new((row / up) as f64, (row % up) as f64, k as f64) + Vec3::repeat(0.5));
                (0..deep).map(at).filter(|x| self.has(x)).collect::<Vec<_>>()
            };
            found.extend(some.par_iter().map(row).collect::<Vec<_>>().into_iter().flatten());
        }
        if found.is_empty() {
            return Err(self.larger(spacing, "what is inside the surface"));
        }
        Ok(found)
    }

    /// Share of the bounding box that is inside.
    pub fn share(&self) -> f64 {
        self.volume / self.sides.product()
    }

    /// A spacing that is larger than `what` is to be filled.
    pub fn larger(&self, spacing: f64, what: &str) -> Unfilled {
        larger(spacing, what, &self.sides)
    }
}

/// A spacing that is larger than what is to be filled.
fn larger(spacing: f64, what: &str, sides: &Vec3) -> Unfilled {
    let least = sides.min();
    Unfilled::Spacing(format!("the spacing of {spacing} m is larger than {what}, whose smallest side is {least:.3e} m; take a smaller one"))
}
