//! A hand that pulls at a patch of a body: what an editor does with the mouse, while time goes on.
//!
//! A spring with a damper pulls the middle of the patch towards a point, with a force of limited size. Within one step from x^n of
//! size h its nodes i, of shares w_i that add up to 1, are carried the same way:
//!
//! ```text
//! E(y) = sum_i w_i H(|y_i - x_i^n - d|),   d = k / (k + c / h) (target - sum_j w_j x_j^n)
//! H(r) = (k + c / h) r^2 / 2 where that pulls less than the limit F, else F r - F^2 / (2 (k + c / h))
//! ```
//!
//! which is convex, has its curvature on the nodes alone, and pulls with F at most. Implicit steppers take it where the step ends: they
//! are stable at any stiffness. Explicit ones take it where the step starts, with no more stiffness and damping on a node than its
//! mass bears over a step ([`EXPLICIT_SHARE`]).

use super::System;
use crate::math::{Mat3, Vec3};

/// Of m / h^2, and m / h, the stiffness and the damping that an explicit stepper gives a node at most: it is stable below 1.
pub const EXPLICIT_SHARE: f64 = 0.25;

/// Gravity on Earth [m/s^2].
const EARTH: f64 = 9.81;

/// A hand on a body.
#[derive(Debug, Clone, PartialEq)]
pub struct Hand {
    /// Nodes that it holds, with their shares, which add up to 1.
    pub grip: Vec<(u32, f64)>,
    /// Where it pulls the middle of the grip to [m].
    pub target: Vec3,
    /// Stiffness of the spring [N/m].
    pub stiffness: f64,
    /// Damping beside it [N s/m].
    pub damping: f64,
    /// The force that it pulls with at most [N].
    pub limit: f64,
}

/// A hand over one step.
#[derive(Debug, Clone)]
pub struct Pull<'a> {
    grip: &'a [(u32, f64)],
    /// k + c / h [N/m].
    stiffness: f64,
    /// d [m].
    way: Vec3,
    limit: f64,
    /// Whether the step is one linear solve: what pulls with the limit at its start then does so to its end.
    is_linear: bool,
}

impl Hand {
    /// The middle of the grip when nodes are at `x` [m].
    pub fn middle(&self, x: &[Vec3]) -> Vec3 {
        self.grip.iter().map(|&(node, share)| share * x[node as usize]).sum()
    }

    /// What it does in a step of `step_size` [s] from `x` [m]; where there is no motion, nothing damps it. `is_linear`: for a step that is
    /// one linear solve.
    pub fn pull(&self, x: &[Vec3], step_size: f64, is_dynamic: bool, is_linear: bool) -> Pull<'_> {
        let damping = if is_dynamic { self.damping / step_size } else { 0.0 };
        let stiffness = self.stiffness + damping;
        let way = if stiffness > 0.0 { self.stiffness / stiffness * (self.target - self.middle(x)) } else { Vec3::zeros() };
        Pull { grip: &self.grip, stiffness, way, limit: self.limit, is_linear }
    }

    /// Adds its forces [N] on nodes of these masses [kg] at `x` [m] with velocities `v` [m/s], as an explicit stepper takes them; their sum.
    pub fn add_explicit(&self, x: &[Vec3], v: &[Vec3], masses: &[f64], step_size: f64, out: &mut [Vec3]) -> Vec3 {
        let way = self.target - self.middle(x);
        let mut sum = Vec3::zeros();
        for &(node, share) in &self.grip {
            let n = node as usize;
            let stiffness = (share * self.stiffness).min(EXPLICIT_SHARE * masses[n] / (step_size * step_size));
            let damping = (share * self.damping).min(EXPLICIT_SHARE * masses[n] / step_size);
            let force = limited(stiffness * way - damping * v[n], share * self.limit);
            out[n] += force;
            sum += force;
        }
        sum
    }
}

fn limited(force: Vec3, limit: f64) -> Vec3 {
    let size = force.norm();
    if size > limit { limit / size * force } else { force }
}

impl Pull<'_> {
    /// Where each node is from where it is pulled to [m], with its share; `origin`: where the step starts.
    fn ways<'s>(&'s self, origin: &'s [Vec3], y: &'s [Vec3]) -> impl Iterator<Item = (usize, f64, Vec3)> + 's {
        self.grip.iter().map(|&(node, share)| (node as usize, share, y[node as usize] - origin[node as usize] - self.way))
    }

    /// E [J] for a step from `origin` to `y` [m].
    pub fn energy(&self, origin: &[Vec3], y: &[Vec3]) -> f64 {
        let of = |(_, share, away): (usize, f64, Vec3)| {
            let r = away.norm();
            let slack = self.limit / self.stiffness;
            share * if r <= slack { 0.5 * self.stiffness * r * r } else { self.limit * (r - 0.5 * slack) }
        };
        if self.stiffness > 0.0 { self.ways(origin, y).map(of).sum() } else { 0.0 }
    }

    /// Adds the gradient of E [N], minus the forces.
    pub fn add_gradient(&self, origin: &[Vec3], y: &[Vec3], gradient: &mut [Vec3]) {
        for (node, share, away) in self.ways(origin, y) {
            gradient[node] += share * limited(self.stiffness * away, self.limit);
        }
    }

    /// Adds the second derivatives of E [N/m], which are on nodes alone.
    pub fn add_hessian(&self, origin: &[Vec3], y: &[Vec3], diagonal: &mut [Mat3]) {
        for (node, share, away) in self.ways(origin, y) {
            let r = away.norm();
            diagonal[node] += if self.stiffness * r <= self.limit {
                Mat3::from_diagonal_element(share * self.stiffness)
            } else if self.is_linear {
                Mat3::zeros()
            } else {
                share * self.limit / r * (Mat3::identity() - away * away.transpose() / (r * r))
            };
        }
    }

    /// The force on the body [N] in a step from `origin` to `y` [m].
    pub fn force(&self, origin: &[Vec3], y: &[Vec3]) -> Vec3 {
        let at_start = self.stiffness * self.way;
        if self.is_linear && at_start.norm() > self.limit {
            return limited(at_start, self.limit);
        }
        let limit = if self.is_linear { f64::INFINITY } else { self.limit };
        -self.ways(origin, y).map(|(_, share, away)| share * limited(self.stiffness * away, limit)).sum::<Vec3>()
    }

    /// Round-off of E [J] where coordinates are as large as those of `y` [m].
    pub fn noise(&self, y: &[Vec3]) -> f64 {
        f64::EPSILON * self.grip.iter().map(|&(node, share)| share * self.limit * y[node as usize].norm()).sum::<f64>()
    }
}

impl System {
    /// A grip of a hand about a node of a body: its free nodes within `radius` [m] of it at `x` [m] that hang together with it there, with
    /// shares that fade towards the rim and go by mass. Empty where none of them is free.
    pub fn grip(&self, node: usize, radius: f64, x: &[Vec3]) -> Vec<(u32, f64)> {
        let Some(body) = self.bodies.iter().find(|body| body.nodes.contains(&node)) else { return Vec::new() };
        let first = body.nodes.start;
        let is_near = |vertex: &u32| (x[first + *vertex as usize] - x[node]).norm() < radius;
        let mut held = vec![false; body.nodes.len()];
        held[node - first] = true;
        // Cells that are near hang together where they share a node; each pass goes one cell farther.
        let near: Vec<Vec<u32>> = body
            .mesh
            .cells
            .iter()
            .map(|cell| cell.iter().copied().filter(is_near).collect::<Vec<u32>>())
            .filter(|cell| cell.len() > 1)
            .collect();
        loop {
            let mut grew = false;
            for cell in &near {
                if cell.iter().any(|&vertex| held[vertex as usize]) {
                    cell.iter().for_each(|&vertex| grew |= !std::mem::replace(&mut held[vertex as usize], true));
                }
            }
            if !grew {
                break;
            }
        }
        let share = |n: usize| {
            let from = (x[n] - x[node]).norm() / radius;
            self.masses[n] * (1.0 - from * from).max(0.0).powi(2)
        };
        let nodes = (0..held.len()).filter(|&vertex| held[vertex]).map(|vertex| first + vertex);
        let mut grip: Vec<(u32, f64)> = nodes.filter(|&n| !self.fixed[n]).map(|n| (n as u32, share(n))).collect();
        let sum: f64 = grip.iter().map(|(_, share)| share).sum();
        if sum.is_nan() || sum <= 0.0 {
            return Vec::new();
        }
        grip.iter_mut().for_each(|(_, share)| *share /= sum);
        grip
    }

    /// A hand on a body at `node`, when nodes are at `x` [m], that pulls it nowhere yet: so stiff that it would swing the whole body
    /// `rate` times a second, critically damped, and no stronger than `strength` times the body's weight on Earth. `None` where nothing
    /// is free.
    pub fn hand_at(&self, node: usize, x: &[Vec3], rate: f64, strength: f64) -> Option<Hand> {
        let body = self.bodies.iter().find(|body| body.nodes.contains(&node))?;
        let mass: f64 = self.masses[body.nodes.clone()].iter().sum();
        let grip = self.grip(node, 0.04 * self.diagonal, x);
        if grip.is_empty() {
            return None;
        }
        let frequency = std::f64::consts::TAU * rate;
        let (stiffness, damping) = (mass * frequency * frequency, 2.0 * mass * frequency);
        let mut hand = Hand { grip, target: Vec3::zeros(), stiffness, damping, limit: strength * mass * EARTH };
        hand.target = hand.middle(x);
        Some(hand)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hand(limit: f64) -> Hand {
        Hand { grip: vec![(0, 0.25), (2, 0.75)], target: Vec3::new(1.0, 2.0, 0.5), stiffness: 40.0, damping: 3.0, limit }
    }

    #[test]
    fn forces_and_curvature_are_derivatives_of_the_energy() {
        let origin = [Vec3::new(0.1, 0.0, 0.2), Vec3::zeros(), Vec3::new(-0.3, 0.4, 0.0)];
        for limit in [1e9, 20.0, 1e-3] {
            let hand = hand(limit);
            let pull = hand.pull(&origin, 0.02, true, false);
            let y = [Vec3::new(0.4, -0.3, 0.1), Vec3::x(), Vec3::new(0.2, 0.5, -0.6)];
            let gradient = |y: &[Vec3]| {
                let mut gradient = [Vec3::zeros(); 3];
                pull.add_gradient(&origin, y, &mut gradient);
                gradient
            };
            let mut diagonal = [Mat3::zeros(); 3];
            pull.add_hessian(&origin, &y, &mut diagonal);
            for node in 0..3 {
                for axis in 0..3 {
                    let step = 1e-6;
                    let moved = |by: f64| {
                        let mut y = y;
                        y[node][axis] += by;
                        y
                    };
                    let slope = (pull.energy(&origin, &moved(step)) - pull.energy(&origin, &moved(-step))) / (2.0 * step);
                    assert!(
                        (slope - gradient(&y)[node][axis]).abs() < 1e-6 * (1.0 + slope.abs()),
                        "limit {limit}, node {node}, axis {axis}"
                    );
                    let curved = (gradient(&moved(step))[node] - gradient(&moved(-step))[node]) / (2.0 * step);
                    let column = diagonal[node].column(axis).into_owned();
                    assert!((curved - column).norm() < 1e-5 * (1.0 + curved.norm()), "limit {limit}, node {node}, axis {axis}");
                }
            }
            let force: Vec3 = -gradient(&y).iter().sum::<Vec3>();
            assert!((force - pull.force(&origin, &y)).norm() <= 1e-12 * force.norm() && force.norm() <= limit * (1.0 + 1e-12));
        }
    }

    #[test]
    fn a_stiff_hand_without_damping_pulls_its_middle_onto_the_target() {
        let origin = [Vec3::new(0.1, 0.0, 0.2), Vec3::zeros(), Vec3::new(-0.3, 0.4, 0.0)];
        let hand = Hand { damping: 0.0, ..hand(1e9) };
        let pull = hand.pull(&origin, 0.02, true, false);
        let arrived: Vec<Vec3> = origin.iter().map(|x| x + pull.way).collect();
        assert!((hand.middle(&arrived) - hand.target).norm() < 1e-15 && pull.force(&origin, &arrived).norm() < 1e-12);
    }
}
