//! Backtracking that still works where the energy is all round-off.

use super::objective::Objective;
use crate::math::Vec3;

/// Sufficient decrease (Nocedal and Wright 2006, eq. 3.4).
const DECREASE: f64 = 1e-4;
/// Where the energy cannot tell, the slope must fall to this share.
const SLOPE_SHARE: f64 = 0.9;
/// Energy differences below this many times the estimated round-off mean nothing.
pub const NOISE_MARGIN: f64 = 100.0;
/// Steps shorter than this share of the diagonal move nothing.
pub const SHORTEST: f64 = 1e-14;

/// A line through `x` along a direction of descent.
pub struct Line<'a> {
    pub x: &'a [Vec3],
    pub direction: &'a [Vec3],
    /// E at `x`.
    pub energy: f64,
    /// Derivative of E along the direction, negative.
    pub slope: f64,
    /// Round-off of E.
    pub noise: f64,
    /// Largest norm in the direction [m].
    pub length: f64,
}

/// What a line search accepted.
pub struct Found {
    pub step: f64,
    /// E there.
    pub energy: f64,
    pub halvings: u32,
}

impl Line<'_> {
    /// Puts the accepted point into `trial`; nothing if no step is left that could be told from round-off.
    pub fn search(&self, objective: &mut Objective, largest: f64, trial: &mut [Vec3], gradient: &mut [Vec3]) -> Option<Found> {
        let (mut step, mut halvings) = (largest, 0);
        while step * self.length >= SHORTEST * objective.system.diagonal {
            self.point(step, trial);
            let energy = objective.energy(trial);
            if energy <= self.energy + DECREASE * step * self.slope || self.is_lost_in_noise(objective, step, energy, trial, gradient) {
                return Some(Found { step, energy, halvings });
            }
            step *= 0.5;
            halvings += 1;
        }
        None
    }

    /// x + step direction.
    pub fn point(&self, step: f64, out: &mut [Vec3]) {
        for ((out, x), direction) in out.iter_mut().zip(self.x).zip(self.direction) {
            *out = x + step * direction;
        }
    }

    /// Whether the promised decrease drowns in round-off, while the slope says that the minimum is nearer.
    fn is_lost_in_noise(&self, objective: &mut Objective, step: f64, energy: f64, trial: &[Vec3], gradient: &mut [Vec3]) -> bool {
        if -step * self.slope > NOISE_MARGIN * self.noise || (energy - self.energy).abs() > NOISE_MARGIN * self.noise {
            return false;
        }
        objective.gradient(trial, gradient);
        let slope: f64 = gradient.iter().zip(self.direction).map(|(g, d)| g.dot(d)).sum();
        slope.abs() <= SLOPE_SHARE * self.slope.abs()
    }
}
