//! Backtracking that still works where the energy is all round-off.

use crate::math::Vec3;

/// Sufficient decrease (Nocedal and Wright 2006, eq. 3.4).
const DECREASE: f64 = 1e-4;
/// Where the energy cannot tell, the slope must fall to this share.
const SLOPE_SHARE: f64 = 0.9;
/// Energy differences below this many times the estimated round-off mean nothing.
pub const NOISE_MARGIN: f64 = 100.0;
/// Steps shorter than this share of the diagonal move nothing.
pub const SHORTEST: f64 = 1e-14;

/// What is minimised.
pub trait Landscape {
    /// Energy at `x` [J]; infinite where nothing may be.
    fn energy(&mut self, x: &[Vec3]) -> f64;
    /// Writes its gradient [N].
    fn gradient(&mut self, x: &[Vec3], gradient: &mut [Vec3]);
    /// A length by which displacements are measured [m].
    fn size(&self) -> f64;
}

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
    pub fn search(&self, objective: &mut impl Landscape, largest: f64, trial: &mut [Vec3], gradient: &mut [Vec3]) -> Option<Found> {
        let (mut step, mut halvings) = (largest, 0);
        while step * self.length >= SHORTEST * objective.size() {
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
    fn is_lost_in_noise(&self, objective: &mut impl Landscape, step: f64, energy: f64, trial: &[Vec3], gradient: &mut [Vec3]) -> bool {
        if -step * self.slope > NOISE_MARGIN * self.noise || (energy - self.energy).abs() > NOISE_MARGIN * self.noise {
            return false;
        }
        objective.gradient(trial, gradient);
        let slope: f64 = gradient.iter().zip(self.direction).map(|(g, d)| g.dot(d)).sum();
        slope.abs() <= SLOPE_SHARE * self.slope.abs()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ln(e^x + e^-x), on which Newton's method overshoots (Li et al. 2024, 3.1).
    struct Trough;

    impl Landscape for Trough {
        fn energy(&mut self, x: &[Vec3]) -> f64 {
            (x[0].x.exp() + (-x[0].x).exp()).ln()
        }
        fn gradient(&mut self, x: &[Vec3], gradient: &mut [Vec3]) {
            gradient[0] = Vec3::new(x[0].x.tanh(), 0.0, 0.0);
        }
        fn size(&self) -> f64 {
            1.0
        }
    }

    fn newton_direction(x: f64) -> f64 {
        -x.tanh() * x.cosh().powi(2)
    }

    #[test]
    fn newton_alone_jumps_away_and_with_the_search_it_arrives_downhill_all_the_way() {
        assert!((2.0 + newton_direction(2.0) + 11.645).abs() < 1e-3);
        let (mut x, mut halvings) = ([Vec3::new(2.0, 0.0, 0.0)], 0);
        for _ in 0..20 {
            let energy = Trough.energy(&x);
            let direction = [Vec3::new(newton_direction(x[0].x), 0.0, 0.0)];
            let (slope, length) = (direction[0].x * x[0].x.tanh(), direction[0].x.abs());
            let line = Line { x: &x, direction: &direction, energy, slope, noise: f64::EPSILON, length };
            let (mut trial, mut gradient) = ([Vec3::zeros()], [Vec3::zeros()]);
            let Some(found) = line.search(&mut Trough, 1.0, &mut trial, &mut gradient) else { break };
            assert!(found.energy <= energy + f64::EPSILON);
            halvings += found.halvings;
            x = trial;
        }
        assert!(halvings > 0 && x[0].x.abs() < 1e-7, "{}", x[0].x);
    }
}
