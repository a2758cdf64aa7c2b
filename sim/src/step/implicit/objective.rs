//! [`Objective`]: the incremental potential, whose minimum is the implicit Euler step
//! (Li et al. 2020, "Incremental Potential Contact", eq. 2), here over the step size squared so that its gradient is a force.

use super::damping::Damping;
use crate::contact::ContactPotential;
use crate::linear::NodeMatrixPattern;
use crate::math::{Mat3, Vec3, symmetric_eigen};
use crate::step::measure::elastic_energy;
use crate::system::System;

/// Share of a node's inertia that no curved obstacle takes away from its projected Hessian block.
const LEAST_INERTIA: f64 = 0.1;

/// E(x) = |u - h v|^2_M / (2 h^2) + elastic + contact + damping - loads . u, with u = x - x^n.
pub struct Objective<'a> {
    pub system: &'a System,
    pub pattern: &'a NodeMatrixPattern,
    pub contact: ContactPotential<'a>,
    pub damping: Option<&'a Damping>,
    /// x^n.
    pub origin: &'a [Vec3],
    /// v^n.
    pub velocities: &'a [Vec3],
    /// h [s].
    pub step_size: f64,
}

impl Objective<'_> {
    /// E [J]; infinite where an element inverts that must not, or a gap closes.
    pub fn energy(&self, x: &[Vec3]) -> f64 {
        let h = self.step_size;
        let mut sum = 0.0;
        for (n, &mass) in self.system.masses.iter().enumerate() {
            let moved = x[n] - self.origin[n];
            let off_path = moved - h * self.velocities[n];
            sum += mass * (off_path.norm_squared() / (2.0 * h * h) - self.system.gravity.dot(&moved));
        }
        let damping = self.damping.map_or(0.0, |d| d.energy(self.pattern, &self.moved(x), h));
        sum + damping + elastic_energy(self.system, x) + self.contact.energy(x)
    }

    /// Round-off of E at `x` [J], but for what cancels inside elements: forces act on positions that are themselves rounded.
    pub fn noise(&self, x: &[Vec3]) -> f64 {
        let inertia = 1.0 / (self.step_size * self.step_size);
        let weight = self.system.gravity.norm();
        let of_node = |n: usize| {
            let off_path = (x[n] - self.origin[n] - self.step_size * self.velocities[n]).norm();
            (self.system.masses[n], off_path * inertia + weight, x[n].norm() + off_path)
        };
        f64::EPSILON * (0..x.len()).map(of_node).map(|(mass, acceleration, size)| mass * acceleration * size).sum::<f64>()
    }

    /// Gradient of E [N]; zero on fixed nodes.
    pub fn gradient(&self, x: &[Vec3], gradient: &mut [Vec3]) {
        gradient.fill(Vec3::zeros());
        for family in &self.system.families {
            family.add_gradient(x, gradient);
        }
        self.contact.add_gradient(x, gradient);
        if let Some(damping) = self.damping {
            damping.add_gradient(self.pattern, &self.moved(x), self.step_size, gradient);
        }
        let h = self.step_size;
        for (n, &mass) in self.system.masses.iter().enumerate() {
            let off_path = x[n] - self.origin[n] - h * self.velocities[n];
            gradient[n] += mass * (off_path / (h * h) - self.system.gravity);
            if self.system.fixed[n] {
                gradient[n] = Vec3::zeros();
            }
        }
    }

    /// The diagonal blocks of the Hessian that no element makes: inertia and contact [N/m]; `projected`:
    /// clamped to positive definite, so that the curvature of an obstacle counts as far as inertia allows.
    pub fn diagonal(&self, x: &[Vec3], projected: bool, diagonal: &mut [Mat3]) {
        let inertia = 1.0 / (self.step_size * self.step_size);
        for (block, mass) in diagonal.iter_mut().zip(&self.system.masses) {
            *block = Mat3::from_diagonal_element(mass * inertia);
        }
        self.contact.add_hessian(x, false, diagonal);
        if !projected {
            return;
        }
        for (block, mass) in diagonal.iter_mut().zip(&self.system.masses) {
            let inertia = mass * inertia;
            if *block != Mat3::from_diagonal_element(inertia) {
                let eigen = symmetric_eigen(block);
                let values = eigen.values.map(|v| v.max(LEAST_INERTIA * inertia));
                *block = eigen.vectors * Mat3::from_diagonal(&values) * eigen.vectors.transpose();
            }
        }
    }

    /// The largest step in [0, 1] that inverts no element.
    pub fn max_step(&self, x: &[Vec3], direction: &[Vec3]) -> f64 {
        self.system.families.iter().map(|family| family.max_step(x, direction)).fold(1.0, f64::min)
    }

    fn moved(&self, x: &[Vec3]) -> Vec<Vec3> {
        x.iter().zip(self.origin).map(|(x, origin)| x - origin).collect()
    }
}
