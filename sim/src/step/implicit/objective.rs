//! [`Objective`]: the incremental potential of one step, whose minimum is the step (Li et al. 2020, "Incremental Potential
//! Contact", eq. 2), here over the span squared so that its gradient is a force.

use std::time::Instant;

use super::line_search::Landscape;
use super::scheme::Stage;
use super::ties::Ties;
use crate::contact::StepContact;
use crate::math::{Mat3, Vec3, symmetric_eigen};
use crate::step::damping::Damping;
use crate::step::measure::elastic_energy;
use crate::system::System;
use crate::system::pressure::Pressing;

/// Share of a node's inertia that no curved obstacle takes away from its projected Hessian block.
const LEAST_INERTIA: f64 = 0.1;

/// E(y) = |y - x~|^2_M / (2 s^2) + elastic + contact + damping + pressure - loads . (y - x^n).
pub struct Objective<'a> {
    pub system: &'a System,
    pub stage: &'a Stage,
    pub contact: StepContact<'a>,
    pub damping: Option<&'a mut Damping>,
    /// What ties nodes together.
    pub ties: Option<&'a mut Ties>,
    /// x^n.
    pub origin: &'a [Vec3],
    /// Pressure on faces.
    pub pressing: &'a mut Pressing,
    /// External force on each node within the step, pressure left out [N].
    pub loads: &'a [Vec3],
    /// h [s].
    pub step_size: f64,
    /// Wall seconds spent on energies and on forces of contacts.
    pub contact_seconds: [f64; 2],
}

impl Landscape for Objective<'_> {
    /// E [J]; infinite where an element inverts that must not, or a gap closes.
    fn energy(&mut self, y: &[Vec3]) -> f64 {
        let clock = Instant::now();
        let mut sum = self.contact.energy(y);
        self.contact_seconds[0] += clock.elapsed().as_secs_f64();
        if !sum.is_finite() {
            return f64::INFINITY;
        }
        for n in self.free() {
            let off_path = (y[n] - self.stage.predictor[n]).norm_squared();
            sum += 0.5 * self.system.masses[n] * self.stage.inertia * off_path - self.loads[n].dot(&(y[n] - self.origin[n]));
        }
        if let Some(damping) = &mut self.damping {
            sum += damping.energy(self.system, y, &self.stage.base, self.stage.span);
        }
        sum + self.pressing.energy(y) + elastic_energy(self.system, y)
    }

    /// Gradient of E [N] without what the supports hold.
    fn gradient(&mut self, y: &[Vec3], gradient: &mut [Vec3]) {
        gradient.fill(Vec3::zeros());
        for family in &self.system.families {
            family.add_gradient(y, gradient);
        }
        let clock = Instant::now();
        self.contact.add_gradient(y, gradient);
        self.contact_seconds[1] += clock.elapsed().as_secs_f64();
        if let Some(damping) = &mut self.damping {
            damping.add_gradient(self.system, y, &self.stage.base, self.stage.span, gradient);
        }
        self.pressing.add_gradient(y, gradient);
        for n in self.free() {
            gradient[n] += self.system.masses[n] * self.stage.inertia * (y[n] - self.stage.predictor[n]) - self.loads[n];
        }
        self.system.take_supported(gradient);
        if let Some(ties) = &self.ties {
            ties.project(gradient);
        }
    }

    fn size(&self) -> f64 {
        self.system.diagonal
    }
}

impl Objective<'_> {
    /// Round-off of E at `y` [J], but for what cancels inside elements: forces act on positions that are themselves rounded.
    pub fn noise(&self, y: &[Vec3]) -> f64 {
        let of_node = |n: usize| {
            let off_path = (y[n] - self.stage.predictor[n]).norm();
            let force = self.system.masses[n] * off_path * self.stage.inertia + self.loads[n].norm();
            force * (y[n].norm() + off_path)
        };
        f64::EPSILON * self.free().map(of_node).sum::<f64>() + self.pressing.noise(y)
    }

    /// The diagonal blocks of the Hessian that no element and no pair of surfaces makes: inertia and contact with obstacles
    /// [N/m]; `projected`: clamped to positive definite, so that the curvature of an obstacle counts as far as inertia allows.
    pub fn diagonal(&self, y: &[Vec3], projected: bool, diagonal: &mut [Mat3]) {
        let inertia = |mass: f64| mass * self.stage.inertia;
        for (block, mass) in diagonal.iter_mut().zip(&self.system.masses) {
            *block = Mat3::from_diagonal_element(inertia(*mass));
        }
        self.contact.add_obstacle_hessian(y, projected, !projected || self.stage.inertia > 0.0, diagonal);
        if !projected {
            return;
        }
        for (block, mass) in diagonal.iter_mut().zip(&self.system.masses) {
            let inertia = inertia(*mass);
            if *block != Mat3::from_diagonal_element(inertia) {
                let eigen = symmetric_eigen(block);
                let values = eigen.values.map(|v| v.max(LEAST_INERTIA * inertia));
                *block = eigen.vectors * Mat3::from_diagonal(&values) * eigen.vectors.transpose();
            }
        }
    }

    /// The largest step in [0, `limit`] that inverts no element.
    pub fn non_inverting(&self, y: &[Vec3], direction: &[Vec3], limit: f64) -> f64 {
        self.system.families.iter().map(|family| family.max_step(y, direction)).fold(limit, f64::min)
    }

    fn free(&self) -> impl Iterator<Item = usize> + use<'_> {
        let fixed = &self.system.fixed;
        (0..fixed.len()).filter(|&n| !fixed[n])
    }
}
