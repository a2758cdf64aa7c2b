//! [`Inertia`]: what masses add to the objective of a step, i |y - x~|^2_M / 2, in energy, force and curvature.
//!
//! Nodes that move as they are driven to are no unknowns, but a mass matrix that couples nodes lets them push on their free neighbours:
//! by M_ij a_j, with the change a_j of their velocity over the step. Those are the rows of M a = f of free nodes.

use super::scheme::Stage;
use crate::linear::{LinearSystem, NodeMatrix, NodeMatrixPattern};
use crate::math::Vec3;
use crate::system::{Mass, System};

/// Inertia within one step.
pub struct Inertia<'a> {
    system: &'a System,
    stage: &'a Stage,
    mass: Mass<'a>,
}

impl<'a> Inertia<'a> {
    /// That of a step by `stage`.
    pub fn new(system: &'a System, stage: &'a Stage) -> Self {
        Self { system, stage, mass: system.mass() }
    }

    /// The energy of what couples nodes [J], beside that of lumped masses.
    pub fn coupled_energy(&self, y: &[Vec3]) -> f64 {
        // Half of - i w |d_a - d_b|^2 each where both are free; that of a driven neighbour is given.
        let of_end = |own: usize, other: usize| {
            let (own_acceleration, others) = (self.acceleration(own, y), self.acceleration(other, y));
            let others = if self.system.fixed[other] { others } else { 0.5 * others };
            if self.system.fixed[own] { 0.0 } else { (y[own] - self.stage.predictor[own]).dot(&(others - 0.5 * own_acceleration)) }
        };
        self.mass.couplings().iter().map(|(a, b, weight)| weight * (of_end(a, b) + of_end(b, a))).sum()
    }

    /// Adds the force of what couples nodes [N]; on fixed nodes something of no meaning.
    pub fn add_coupled_gradient(&self, y: &[Vec3], gradient: &mut [Vec3]) {
        self.mass.couple(|n| self.acceleration(n, y), gradient);
    }

    /// Round-off of the coupled energy at `y` [J].
    pub fn coupled_noise(&self, y: &[Vec3]) -> f64 {
        let of_pair = |(a, b, weight): (usize, usize, f64)| {
            weight * (self.acceleration(a, y) - self.acceleration(b, y)).norm() * y[a].norm().max(y[b].norm())
        };
        f64::EPSILON * self.mass.couplings().iter().map(of_pair).sum::<f64>()
    }

    /// i M_nn [N/m].
    pub fn diagonal(&self, node: usize) -> f64 {
        self.mass.diagonal(node) * self.stage.inertia(node)
    }

    /// Of a diagonal matrix that i M is nowhere below [N/m].
    pub fn least(&self, node: usize) -> f64 {
        self.mass.least(node) * self.stage.inertia(node)
    }

    /// Adds i M_ij to what was assembled.
    pub fn couple(&self, linear: &mut LinearSystem) {
        if !self.mass.couplings().is_empty() {
            let (pattern, matrix): (&NodeMatrixPattern, &mut NodeMatrix) = linear.matrix_mut();
            self.mass.add_beside_diagonal(matrix, pattern, |n| self.stage.inertia(n), &self.system.slides);
        }
    }

    /// Subtracts from the forces in `target` what `moved` of driven nodes [m] makes of them.
    pub fn subtract_driven(&self, moved: &[Vec3], target: &mut [Vec3]) {
        let by_way = self.stage.inertia_of_fixed();
        let fixed = &self.system.fixed;
        for (a, b, weight) in self.mass.couplings().iter().filter(|(a, b, _)| fixed[*a] != fixed[*b]) {
            let (free, driven) = if fixed[a] { (b, a) } else { (a, b) };
            target[free] -= by_way * weight * moved[driven];
        }
    }

    fn acceleration(&self, node: usize, y: &[Vec3]) -> Vec3 {
        self.stage.acceleration(node, &y[node], self.system.fixed[node])
    }
}
