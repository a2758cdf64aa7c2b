//! [`Scheme`]: implicit integrators, each written as one minimisation over the positions y at the step's end,
//!
//! ```text
//! i m |y - x~|^2 / 2 + P(x + a (y - x)) / a + C(y),    x~ = c + s w,    velocity at y = (y - c) / s,
//! ```
//!
//! with a base c, a span s, a carried velocity w and the inertia i (Li et al. 2024, ch. 2, for backward Euler). What elements and
//! damping do (P) is taken at the share a of the way; contact and friction (C) always at the end, where convexity of the barrier
//! makes their work at least the energy that they lose: no contact gains.
//!
//! Under the midpoint rule a stiff contact at the end would turn the velocity of a node that stays on it from step to step, for ever.
//! So nodes that touch are calmed: their velocity is that of their way, (y - x) / h, as in backward Euler. With the change of velocity
//! dv of a step, M dv = -h (grad P(middle) + grad C(y)), and a way of h (v + v') / 2 or, where calmed, h v', the change of energy is that
//! of the free rule less |dv|^2_M / 2 over the calmed nodes less what convexity takes: never more, whichever nodes are calmed. Where M
//! couples nodes, that holds if it couples none that is calmed with one that is not: so all of such a part is calmed together.

use crate::math::Vec3;
use crate::step::State;
use crate::system::System;

/// An implicit integrator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    /// c = x, s = h, w = v. First order; takes energy out of whatever moves.
    BackwardEuler,
    /// c = (4 x - x') / 3, s = 2 h / 3, w = (4 v - v') / 3 with the state before (x', v'). Second order.
    Bdf2,
    /// c = x + h v / 2, s = h / 2, w = v, a = 1 / 2, and nodes in contact are calmed. Second order, and keeps angular momentum, between
    /// contacts.
    Midpoint,
    /// No inertia: each step is an equilibrium under the loads of its end.
    QuasiStatic,
    /// Backward Euler with forces that are linear about the step's start, so that one linear system is the step: that for the change of
    /// velocity dv, (M + h D + h^2 K) dv = h (f - h K v) with the projected Hessian K (Baraff and Witkin 1998, "Large Steps in Cloth
    /// Simulation", eq. 6). First order; for linear forces it is backward Euler.
    BaraffWitkin,
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
    /// i: 1 / (s h) for the midpoint rule, else 1 / s^2; 0 where inertia plays no part [1/s^2].
    inertia: f64,
    /// a: the share of the way at which elements and damping are looked at: 1, or 1 / 2 for the midpoint rule.
    pub inside: f64,
    /// h [s].
    step_size: f64,
    /// Nodes of the midpoint rule that go by backward Euler; empty for none.
    calmed: Vec<bool>,
}

impl Scheme {
    /// The step of `step_size` [s] from `state`. Without a fitting history, BDF2 begins with backward Euler, whose one step
    /// costs no order.
    pub fn stage(self, state: &State, history: Option<&History>, step_size: f64) -> Stage {
        let (x, v) = (&state.positions, &state.velocities);
        let history = history.filter(|history| history.leads_to(state, step_size));
        let euler = Stage {
            base: x.clone(),
            predictor: going_on(x, step_size, v),
            span: step_size,
            inertia: 1.0 / (step_size * step_size),
            inside: 1.0,
            step_size,
            calmed: Vec::new(),
        };
        match (self, history) {
            (Self::Bdf2, Some(History { before, .. })) => {
                let (base, span) = (extrapolated(x, &before.positions), 2.0 / 3.0 * step_size);
                let predictor = going_on(&base, span, &extrapolated(v, &before.velocities));
                Stage { base, predictor, span, inertia: 1.0 / (span * span), ..euler }
            }
            (Self::Midpoint, _) => {
                let span = 0.5 * step_size;
                Stage { base: going_on(x, span, v), span, inertia: 1.0 / (span * step_size), inside: 0.5, ..euler }
            }
            (Self::QuasiStatic, _) => Stage { inertia: 0.0, ..euler },
            _ => euler,
        }
    }

    /// Whether one linear system is the whole step.
    pub fn is_linear(self) -> bool {
        self == Self::BaraffWitkin
    }

    /// Whether the loads grow with time until they are whole, as in statics.
    pub fn is_static(self) -> bool {
        self == Self::QuasiStatic
    }
}

impl Stage {
    /// Whether masses resist.
    pub fn is_dynamic(&self) -> bool {
        self.inertia > 0.0
    }

    /// Lets nodes that are no unknowns count by the change of their velocity, which is that of their way: (y - x~) / h^2 with x~ = x + h v,
    /// whatever the scheme.
    pub fn drive(&mut self, fixed: &[bool], state: &State) {
        for (node, predictor) in self.predictor.iter_mut().enumerate().filter(|(node, _)| fixed[*node]) {
            *predictor = state.positions[node] + self.step_size * state.velocities[node];
        }
    }

    /// What inertia resists of a node that ends at `y` [m]: i (y - x~) [m/s^2].
    pub fn acceleration(&self, node: usize, y: &Vec3, is_fixed: bool) -> Vec3 {
        let off_path = y - self.predictor[node];
        if is_fixed { self.inertia_of_fixed() * off_path } else { self.inertia(node) * off_path }
    }

    /// i of nodes that are no unknowns [1/s^2].
    pub fn inertia_of_fixed(&self) -> f64 {
        if self.is_dynamic() { 1.0 / (self.step_size * self.step_size) } else { 0.0 }
    }

    /// i of a node [1/s^2].
    pub fn inertia(&self, node: usize) -> f64 {
        if self.is_calmed(node) { 1.0 / (self.step_size * self.step_size) } else { self.inertia }
    }

    /// Calms the nodes that `touching` names and keeps those that are; true if there are new ones.
    pub fn calm(&mut self, touching: impl Iterator<Item = bool>) -> bool {
        if self.inside == 1.0 {
            return false;
        }
        self.calmed.resize(self.base.len(), false);
        let mut changed = false;
        for (calmed, touches) in self.calmed.iter_mut().zip(touching) {
            changed |= touches && !*calmed;
            *calmed |= touches;
        }
        changed
    }

    /// Where elements and damping are looked at when the step goes from `origin` to `y` [m].
    pub fn look_inside(&self, origin: &[Vec3], y: &[Vec3], inside: &mut Vec<Vec3>) {
        inside.clear();
        inside.extend(y.iter().zip(origin).map(|(y, origin)| origin + self.inside * (y - origin)));
    }

    /// What damping measures velocities by: over s, the way to where it is looked at, `inside` or the end `y`, from where [m].
    pub fn way<'a>(&'a self, inside: &'a [Vec3], origin: &'a [Vec3], y: &'a [Vec3]) -> (&'a [Vec3], &'a [Vec3]) {
        if self.inside == 1.0 { (y, &self.base) } else { (inside, origin) }
    }

    /// Velocities at the end [m/s].
    pub fn end_velocities(&self, origin: &[Vec3], y: &[Vec3]) -> Vec<Vec3> {
        let velocity = |n: usize| {
            if !self.is_dynamic() {
                Vec3::zeros()
            } else if self.is_calmed(n) {
                (y[n] - origin[n]) / self.step_size
            } else {
                (y[n] - self.base[n]) / self.span
            }
        };
        (0..y.len()).map(velocity).collect()
    }

    /// What the scheme itself takes out of a motion whose velocities change from `before` to `after` [J]: |dv|^2_M / 2 under backward
    /// Euler, a quarter of the second differences under BDF2 (its potential is that of G-stability; Hairer and Wanner 1996, V.6), only
    /// at calmed nodes under the midpoint rule; without bound in statics.
    pub fn dissipation(&self, system: &System, before: &[Vec3], after: &[Vec3]) -> f64 {
        if !self.is_dynamic() {
            return f64::INFINITY;
        }
        let is_bdf2 = self.inside == 1.0 && self.span != self.step_size;
        let lost = |n: usize| {
            let change = after[n] - before[n];
            if system.fixed[n] || (self.inside != 1.0 && !self.is_calmed(n)) {
                Vec3::zeros()
            } else if is_bdf2 {
                // w = (4 v - v') / 3.
                let carried = (self.predictor[n] - self.base[n]) / self.span;
                change + 3.0 * (before[n] - carried)
            } else {
                change
            }
        };
        let lost: Vec<Vec3> = (0..after.len()).map(lost).collect();
        let share = if is_bdf2 { 0.25 } else { 0.5 };
        share * system.mass().dot(&lost, &lost)
    }

    fn is_calmed(&self, node: usize) -> bool {
        self.calmed.get(node).is_some_and(|&calmed| calmed)
    }
}

/// x + t v.
fn going_on(x: &[Vec3], t: f64, v: &[Vec3]) -> Vec<Vec3> {
    x.iter().zip(v).map(|(x, v)| x + t * v).collect()
}

/// (4 a - b) / 3.
fn extrapolated(now: &[Vec3], before: &[Vec3]) -> Vec<Vec3> {
    now.iter().zip(before).map(|(a, b)| (4.0 * a - b) / 3.0).collect()
}
