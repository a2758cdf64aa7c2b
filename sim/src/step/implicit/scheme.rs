//! [`Scheme`]: implicit integrators, each written as one minimisation over positions y,
//!
//! ```text
//! m |y - x~|^2 / (2 s^2) + P(y),    x~ = c + s w,    velocity at y = (y - c) / s,
//! ```
//!
//! with a base c, a span s and a carried velocity w (Li et al. 2024, ch. 2, for backward Euler). Damping follows from the velocity at y.

use crate::math::Vec3;
use crate::step::State;

/// An implicit integrator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    /// c = x, s = h, w = v. First order; takes energy out of whatever moves.
    BackwardEuler,
    /// c = (4 x - x') / 3, s = 2 h / 3, w = (4 v - v') / 3 with the state before (x', v'). Second order.
    Bdf2,
    /// c = x, s = h / 2, w = v, and the end is mirrored: x + 2 (y - x). Second order; keeps angular momentum.
    Midpoint,
    /// No inertia: each step is an equilibrium under the loads of its end.
    QuasiStatic,
}

/// The state before the present one, and the present one as the step left it.
#[derive(Debug, Clone)]
pub struct History {
    before: State,
    after: State,
    step_size: f64,
}

impl History {
    /// Remembers a whole step.
    pub fn new(before: State, after: State, step_size: f64) -> Self {
        Self { before, after, step_size }
    }

    /// Whether the next step continues this one: nobody changed the state or the step size.
    fn leads_to(&self, state: &State, step_size: f64) -> bool {
        self.step_size == step_size
            && self.after.time == state.time
            && self.after.velocities == state.velocities
            && self.after.positions == state.positions
    }
}

/// One step as a minimisation.
#[derive(Debug, Clone)]
pub struct Stage {
    /// c [m].
    pub base: Vec<Vec3>,
    /// x~ [m].
    pub predictor: Vec<Vec3>,
    /// s [s].
    pub span: f64,
    /// 1 / s^2, or 0 where inertia plays no part [1/s^2].
    pub inertia: f64,
    /// The end lies at `reach` times y's way from the step's start: 1, or 2 for the midpoint rule.
    pub reach: f64,
}

impl Scheme {
    /// The step of `step_size` [s] from `state`. Without a fitting history, BDF2 begins with backward Euler, whose one step
    /// costs no order.
    pub fn stage(self, state: &State, history: Option<&History>, step_size: f64) -> Stage {
        let (x, v) = (&state.positions, &state.velocities);
        let history = history.filter(|history| history.leads_to(state, step_size));
        let (span, reach) = match self {
            Self::Midpoint => (0.5 * step_size, 2.0),
            Self::Bdf2 if history.is_some() => (2.0 / 3.0 * step_size, 1.0),
            _ => (step_size, 1.0),
        };
        let (base, carried) = match history {
            Some(History { before, .. }) if self == Self::Bdf2 => (extrapolated(x, &before.positions), extrapolated(v, &before.velocities)),
            _ => (x.clone(), v.clone()),
        };
        let predictor = base.iter().zip(&carried).map(|(c, w)| c + span * w).collect();
        let inertia = if self == Self::QuasiStatic { 0.0 } else { 1.0 / (span * span) };
        Stage { base, predictor, span, inertia, reach }
    }

    /// Whether the loads grow with time until they are whole, as in statics.
    pub fn is_static(self) -> bool {
        self == Self::QuasiStatic
    }
}

impl Stage {
    /// Where the step ends if the minimum is at `y` [m].
    pub fn end(&self, origin: &[Vec3], y: &[Vec3], end: &mut Vec<Vec3>) {
        end.clear();
        end.extend(y.iter().zip(origin).map(|(y, origin)| if self.reach == 1.0 { *y } else { origin + self.reach * (y - origin) }));
    }

    /// Where the minimum must be for the step to end at `end` [m].
    pub fn point_for_end(&self, origin: &Vec3, end: &Vec3) -> Vec3 {
        if self.reach == 1.0 { *end } else { origin + (end - origin) / self.reach }
    }

    /// Velocities at the end [m/s].
    pub fn end_velocities(&self, before: &[Vec3], y: &[Vec3]) -> Vec<Vec3> {
        if self.inertia == 0.0 {
            return vec![Vec3::zeros(); y.len()];
        }
        let at_minimum = |n: usize| (y[n] - self.base[n]) / self.span;
        if self.reach == 1.0 {
            return (0..y.len()).map(at_minimum).collect();
        }
        // What the midpoint has above the start is there once more at the end.
        (0..y.len()).map(|n| before[n] + self.reach * (at_minimum(n) - before[n])).collect()
    }
}

/// (4 a - b) / 3.
fn extrapolated(now: &[Vec3], before: &[Vec3]) -> Vec<Vec3> {
    now.iter().zip(before).map(|(a, b)| (4.0 * a - b) / 3.0).collect()
}
