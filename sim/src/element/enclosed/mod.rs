//! [`Enclosed`]: what fills a closed surface, as one element of all its vertices: it resists changes of the volume that they enclose (Muller et
//! al. 2007, "Position Based Dynamics", eq. 12, with a stiffness).
//!
//! ```text
//! E = K/2 (V - V0)^2 / V0,    V = 1/6 sum of a . (b x c) over the triangles,    p = -dE/dV = K (V0 - V) / V0
//! ```
//!
//! Its force on a vertex is the pressure p times a third of the areas of the triangles there. Whatever the rest state, that is all it can make:
//! one number. The rest volume that makes p is V / (1 - p/K), which there is where p < K.

mod family;
#[cfg(test)]
mod tests;

pub use family::EnclosedVolumes;

use super::{Corners, Unattainable};
use crate::math::{Mat3, Vec3};

/// What fills a closed surface.
#[derive(Debug, Clone)]
pub struct Enclosed {
    /// Corners of the triangles, by the numbers of its own vertices, seen counter-clockwise from without.
    triangles: Vec<[u32; 3]>,
    /// K [Pa].
    bulk_modulus: f64,
    /// Enclosed volume at rest over that of the shape it is reset to, as its author says.
    filling: f64,
    rest: Rest,
    /// Factor on the authored stiffness.
    stiffening: f64,
    /// Stiffness-proportional damping [s].
    damping: f64,
}

/// A rest state, and the given shape that it belongs to.
#[derive(Debug, Clone, Copy)]
struct Rest {
    /// V0 [m^3].
    volume: f64,
    /// V in the given shape [m^3].
    given: f64,
    /// V - V0 there [m^3], as exact as it was solved.
    excess: f64,
}

impl Enclosed {
    /// What rests with `filling` times the volume that these triangles enclose at `x` [m], of bulk modulus `bulk_modulus` [Pa].
    ///
    /// # Errors
    /// [`Unattainable::Degenerate`] where they enclose nothing, or stiffness or volume is not positive.
    pub fn new(triangles: Vec<[u32; 3]>, bulk_modulus: f64, filling: f64, x: &Corners) -> Result<Self, Unattainable> {
        if ![bulk_modulus, filling].iter().all(|value| *value > 0.0 && value.is_finite()) {
            return Err(Unattainable::Degenerate);
        }
        let rest = Rest { volume: 0.0, given: 0.0, excess: 0.0 };
        let mut filled = Self { triangles, bulk_modulus, filling, rest, stiffening: 1.0, damping: 0.0 };
        filled.reset(x)?;
        Ok(filled)
    }

    /// Its naive rest state, of the volume at `x`; where there is none, it stays as it is.
    fn reset(&mut self, x: &Corners) -> Result<(), Unattainable> {
        let given = self.volume(x);
        if !(given > 0.0 && given.is_finite()) {
            return Err(Unattainable::Degenerate);
        }
        self.rest = Rest { volume: self.filling * given, given, excess: (1.0 - self.filling) * given };
        Ok(())
    }

    /// Makes `x` the given shape; the rest state stays as it is.
    pub fn given_at(&mut self, x: &Corners) {
        let given = self.volume(x);
        self.rest = Rest { given, excess: given - self.rest.volume, ..self.rest };
    }

    /// Gives it another stiffness-proportional damping [s].
    pub fn set_damping(&mut self, damping: f64) {
        self.damping = damping;
    }

    /// V at `x` [m^3].
    pub fn volume(&self, x: &Corners) -> f64 {
        volume(&self.triangles, x)
    }

    /// V - V0 at `x` [m^3]; in the given shape as it was solved.
    fn excess(&self, x: &Corners) -> f64 {
        self.rest.excess + (self.volume(x) - self.rest.given)
    }

    /// p of its naive rest state, wherever that is made [Pa]; `None` where it is none.
    fn authored_pressure(&self) -> Option<f64> {
        (self.filling != 1.0).then(|| self.stiffening * self.bulk_modulus * (1.0 - 1.0 / self.filling))
    }

    /// dp / dV with the other sign [Pa/m^3].
    fn resistance(&self) -> f64 {
        self.stiffening * self.bulk_modulus / self.rest.volume
    }

    /// p at `x` [Pa]: positive where it pushes outwards.
    pub fn pressure(&self, x: &Corners) -> f64 {
        -self.resistance() * self.excess(x)
    }

    fn energy(&self, x: &Corners) -> f64 {
        0.5 * self.resistance() * self.excess(x).powi(2)
    }

    /// dV by each vertex [m^2]: a third of the areas of its triangles.
    fn areas(&self, x: &Corners, areas: &mut [Vec3]) {
        areas.fill(Vec3::zeros());
        for triangle in &self.triangles {
            let [a, b, c] = triangle.map(|v| x.at(v as usize));
            let third = (b - a).cross(&(c - a)) / 6.0;
            triangle.iter().for_each(|&v| areas[v as usize] += third);
        }
    }

    /// Second derivatives of V [m], handed over by pairs of vertices: [right - left]x / 6 of an edge with these corners across it, from its middle
    /// and from one triangle at a time.
    fn turns(&self, x: &Corners, mut add: impl FnMut(usize, usize, Mat3)) {
        for triangle in &self.triangles {
            for k in 0..3 {
                let [a, b, c] = [k, (k + 1) % 3, (k + 2) % 3].map(|k| triangle[k] as usize);
                let turn = (0.5 * (x.at(a) + x.at(b)) - x.at(c)).cross_matrix() / 6.0;
                add(a, b, turn);
                add(b, a, turn.transpose());
            }
        }
    }

    /// Second derivatives of the energy [N/m], row by row. `projected`: without the turning of areas under pressure, which has both signs.
    fn hessian(&self, x: &Corners, projected: bool, blocks: &mut [Mat3]) {
        self.outer(x, self.resistance(), blocks);
        if !projected {
            let (pressure, width) = (self.pressure(x), x.len());
            self.turns(x, |i, j, turn| blocks[i * width + j] -= pressure * turn);
        }
    }

    /// The outer product of the areas with themselves, times `factor`.
    fn outer(&self, x: &Corners, factor: f64, blocks: &mut [Mat3]) {
        let mut areas = vec![Vec3::zeros(); x.len()];
        self.areas(x, &mut areas);
        for (row, a) in blocks.chunks_exact_mut(x.len()).zip(&areas) {
            row.iter_mut().zip(&areas).for_each(|(block, b)| *block = factor * (a * b.transpose()));
        }
    }

    /// W^-1 of its one coordinate, the pressure [Pa/m^3]: the stiffness with the volume of the given shape.
    fn inverse_weight(&self, x: &Corners) -> f64 {
        self.bulk_modulus / self.volume(x)
    }

    /// How fast the area at each vertex turns at most with what moves about it [m]: sums of |second derivatives|.
    fn curvatures(&self, x: &Corners, curvatures: &mut [f64]) {
        curvatures.fill(0.0);
        // |[v]x| = |v|.
        self.turns(x, |i, _, turn| curvatures[i] += turn.norm() / std::f64::consts::SQRT_2);
    }

    /// The rest volume with which its pressure at `x` is `pressure` [Pa].
    fn fit(&mut self, x: &Corners, pressure: f64) -> Result<(), Unattainable> {
        let share = pressure / (self.stiffening * self.bulk_modulus);
        let given = self.volume(x);
        if !(given > 0.0 && share.is_finite()) {
            return Err(Unattainable::Degenerate);
        }
        if share >= 1.0 {
            return Err(Unattainable::TooSoft { attainable_share: 1.0 / share });
        }
        let volume = given / (1.0 - share);
        self.rest = Rest { volume, given, excess: -share * volume };
        Ok(())
    }
}

/// The volume inside of these triangles [m^3], measured from the first vertex.
fn volume(triangles: &[[u32; 3]], x: &Corners) -> f64 {
    let of = |triangle: &[u32; 3]| {
        let [a, b, c] = triangle.map(|v| x.edge(v as usize));
        a.dot(&b.cross(&c))
    };
    triangles.iter().map(of).sum::<f64>() / 6.0
}
