//! The curve through rest on which the stress keeps its direction.
//!
//! The stress t(x) / J has the direction d where t has no part across it: two equations in the three x = ln stretch, and the load
//! |t| / J is a function on their solution. So the curve goes on smoothly where the load turns.

use super::{kirchhoff, regular};
use crate::material::Material;
use crate::math::{Mat3, Vec3, across};

/// Distance from the curve at which one more correction is round-off: its square.
const ON_CURVE: f64 = 1e-7;
/// Largest first correction, as a share of the step: more means that the step leaves the part of the curve that is known.
const LARGEST_CORRECTION: f64 = 0.3;
/// Least cosine between the tangents at both ends of a step.
const LEAST_COSINE: f64 = 0.8;

/// A point of the curve.
#[derive(Clone, Copy)]
pub(super) struct Point {
    pub x: Vec3,
    /// Size of the stress [Pa].
    pub load: f64,
    /// Unit tangent, the way that the load grows at rest.
    pub tangent: Vec3,
    /// Derivative of the load along the tangent [Pa], of the sign of det(dt/dx - J s (x) 1).
    pub slope: f64,
    /// Whether the stress determines the stretch nearby, as at rest: [`regular`].
    pub regular: bool,
}

/// Stretches whose stress has one direction.
pub(super) struct Curve<'a> {
    material: &'a dyn Material,
    direction: Vec3,
    /// With the direction a right-handed frame.
    across: [Vec3; 2],
}

impl<'a> Curve<'a> {
    /// `direction`: of length 1.
    pub(super) fn new(material: &'a dyn Material, direction: Vec3) -> Self {
        let first = across(&direction);
        Self { material, direction, across: [first, direction.cross(&first)] }
    }

    /// Rest, where the curve starts.
    pub(super) fn rest(&self) -> Option<Point> {
        self.evaluate(Vec3::zeros()).map(|(point, _)| point)
    }

    /// The point a step along the tangent (backwards if negative), brought back to the curve; `None` where that is in doubt.
    pub(super) fn advance(&self, here: &Point, step: f64) -> Option<Point> {
        let mut x = here.x + step * here.tangent;
        let mut limit = LARGEST_CORRECTION * step.abs();
        loop {
            let (point, correction) = self.evaluate(x)?;
            let size = correction.amax();
            if size <= ON_CURVE {
                return Some(point).filter(|point| point.tangent.dot(&here.tangent) > LEAST_COSINE);
            }
            if size > limit {
                return None;
            }
            // Newton's method squares the error; halving it is the least that leads anywhere.
            limit = 0.5 * size;
            x += correction;
        }
    }

    /// What a point near the curve would be on it, and the way there across the tangent; `None` where the curve has no tangent.
    fn evaluate(&self, x: Vec3) -> Option<(Point, Vec3)> {
        let (t, derivative, volume) = kirchhoff(self.material, &x);
        let [g, h] = self.across.map(|across| derivative * across);
        // The derivative is symmetric: g x h = adj(dt/dx) d.
        let normal = g.cross(&h);
        let size = normal.norm();
        let tangent = normal / size;
        let load = self.direction.dot(&t) / volume;
        let slope = self.direction.dot(&(derivative * tangent)) / volume - load * tangent.sum();
        let correction = -(self.across[0].dot(&t) * h.cross(&tangent) + self.across[1].dot(&t) * tangent.cross(&g)) / size;
        let force = volume * load * self.direction;
        let regular = regular(&(derivative - Mat3::from_columns(&[force, force, force])));
        // Where the load is no number the slope is none.
        let finite = slope.is_finite() && correction.iter().all(|c| c.is_finite());
        finite.then_some((Point { x, load, tangent, slope, regular }, correction))
    }
}
