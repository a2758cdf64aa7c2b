//! [`Objective`]: the incremental potential of one step, whose minimum is the step (Li et al. 2020, "Incremental Potential
//! Contact", eq. 2), here over the span squared so that its gradient is a force.

use std::time::Instant;

use super::inertia::Inertia;
use super::line_search::Landscape;
use super::scheme::Stage;
use super::ties::Ties;
use super::workspace::Buffers;
use crate::contact::StepContact;
use crate::math::{Mat3, Vec3, symmetric_eigen};
use crate::step::damping::Damping;
use crate::step::measure::elastic_energy;
use crate::system::System;
use crate::system::hand::Pull;
use crate::system::pressure::Pressing;

/// Share of a node's inertia that no curved obstacle takes away from its projected Hessian block.
const LEAST_INERTIA: f64 = 0.1;

/// E(y) = i |y - x~|^2_M / 2 + (elastic + damping + pressure) / a + contact - loads . (y - x^n), elements, damping and pressure at the share a of the way
/// ([`Stage`]).
pub struct Objective<'a> {
    pub system: &'a System,
    pub stage: Stage,
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
    /// A hand that pulls.
    pub hand: Option<Pull<'a>>,
    /// h [s].
    pub step_size: f64,
    /// Wall seconds spent on energies and on forces of contacts.
    pub contact_seconds: [f64; 2],
    /// Memory for where elements are looked at.
    pub inside: Inside,
}

/// Memory for what is looked at within a step.
#[derive(Default)]
pub struct Inside {
    positions: Vec<Vec3>,
    direction: Vec<Vec3>,
}

impl Inside {
    /// What [`Objective::look_inside`] found for a step that ends at `y` [m].
    fn of<'s>(&'s self, stage: &Stage, y: &'s [Vec3]) -> &'s [Vec3] {
        if stage.inside == 1.0 { y } else { &self.positions }
    }
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
            sum += 0.5 * self.system.masses[n] * self.stage.inertia(n) * off_path - self.loads[n].dot(&(y[n] - self.origin[n]));
        }
        sum += Inertia::new(self.system, &self.stage).coupled_energy(y);
        if let Some(hand) = &self.hand {
            sum += hand.energy(self.origin, y);
        }
        self.look_inside(y);
        let pressed = self.pressing.energy(self.inside.of(&self.stage, y));
        sum + (self.damping_energy(y) + pressed + elastic_energy(self.system, self.look_inside(y))) / self.stage.inside
    }

    /// Gradient of E [N] without what the supports hold.
    fn gradient(&mut self, y: &[Vec3], gradient: &mut [Vec3]) {
        gradient.fill(Vec3::zeros());
        let system = self.system;
        let inside = self.look_inside(y);
        for family in &system.families {
            family.add_gradient(inside, gradient);
        }
        let clock = Instant::now();
        self.contact.add_gradient(y, gradient);
        self.contact_seconds[1] += clock.elapsed().as_secs_f64();
        if let Some(damping) = &mut self.damping {
            let (inside, base) = self.stage.way(&self.inside.positions, self.origin, y);
            damping.add_gradient(self.system, inside, base, self.stage.span, gradient);
        }
        self.pressing.add_gradient(self.inside.of(&self.stage, y), gradient);
        for n in self.free() {
            gradient[n] += self.system.masses[n] * self.stage.inertia(n) * (y[n] - self.stage.predictor[n]) - self.loads[n];
        }
        Inertia::new(self.system, &self.stage).add_coupled_gradient(y, gradient);
        if let Some(hand) = &self.hand {
            hand.add_gradient(self.origin, y, gradient);
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
            let force = self.system.masses[n] * off_path * self.stage.inertia(n) + self.loads[n].norm();
            force * (y[n].norm() + off_path)
        };
        f64::EPSILON * self.free().map(of_node).sum::<f64>()
            + self.inertia().coupled_noise(y)
            + self.pressing.noise(y) / self.stage.inside
            + self.hand.as_ref().map_or(0.0, |hand| hand.noise(y))
    }

    /// The diagonal blocks of the Hessian that no element and no pair of surfaces makes: inertia and contact with obstacles
    /// [N/m]; `projected`: clamped to positive definite, so that the curvature of an obstacle counts as far as inertia allows.
    pub fn diagonal(&self, y: &[Vec3], projected: bool, diagonal: &mut [Mat3]) {
        let of_masses = self.inertia();
        let inertia = |n: usize| of_masses.diagonal(n);
        for (n, block) in diagonal.iter_mut().enumerate() {
            *block = Mat3::from_diagonal_element(inertia(n));
        }
        self.contact.add_obstacle_hessian(y, projected, !projected || self.stage.is_dynamic(), diagonal);
        for (n, block) in diagonal.iter_mut().enumerate().filter(|_| projected) {
            let inertia = inertia(n);
            if *block != Mat3::from_diagonal_element(inertia) {
                let eigen = symmetric_eigen(block);
                // What other nodes leave of the mass of one is not taken away either.
                let least = of_masses.least(n);
                let values = eigen.values.map(|v| v.max(inertia - least + LEAST_INERTIA * least));
                *block = eigen.vectors * Mat3::from_diagonal(&values) * eigen.vectors.transpose();
            }
        }
        if let Some(hand) = &self.hand {
            hand.add_hessian(self.origin, y, diagonal);
        }
    }

    /// What masses do in the step.
    pub fn inertia(&self) -> Inertia<'_> {
        Inertia::new(self.system, &self.stage)
    }

    /// Where elements are looked at when the step ends at `y` [m].
    pub fn look_inside<'s>(&'s mut self, y: &'s [Vec3]) -> &'s [Vec3] {
        if self.stage.inside == 1.0 {
            return y;
        }
        self.stage.look_inside(self.origin, y, &mut self.inside.positions);
        &self.inside.positions
    }

    /// Takes a pressure without energy from where it is looked at; true if that changes it.
    pub fn relag_pressure(&mut self, y: &[Vec3]) -> bool {
        self.look_inside(y);
        let inside = self.inside.of(&self.stage, y);
        self.pressing.relag(self.system, inside)
    }

    /// Calms the nodes that contacts push or rub at `y`, with all that masses couple to them, if the scheme does; true if some were not
    /// before. `forces` is memory.
    pub fn calm_touching(&mut self, y: &[Vec3], forces: &mut [Vec3]) -> bool {
        self.contact_forces(y, forces);
        let couplings = &self.system.mass_couplings;
        let mut touched = vec![false; if couplings.is_empty() { 0 } else { forces.len() }];
        for part in self.free().filter(|&n| forces[n] != Vec3::zeros()).filter_map(|n| couplings.part(n)) {
            touched[part] = true;
        }
        let is_in_touched = |n: usize| couplings.part(n).is_some_and(|part| touched[part]);
        self.stage.calm(forces.iter().enumerate().map(|(n, force)| *force != Vec3::zeros() || is_in_touched(n)))
    }

    /// Whether contacts push or rub other nodes at `y` than at `x`.
    pub fn touches_others(&mut self, x: &[Vec3], y: &[Vec3], buffers: &mut Buffers) -> bool {
        self.contact_forces(x, &mut buffers.trial);
        self.contact_forces(y, &mut buffers.direction);
        let touches = |force: &Vec3| *force != Vec3::zeros();
        buffers.trial.iter().zip(&buffers.direction).any(|(before, after)| touches(before) != touches(after))
    }

    fn contact_forces(&mut self, y: &[Vec3], forces: &mut [Vec3]) {
        forces.fill(Vec3::zeros());
        self.contact.add_gradient(y, forces);
    }

    /// The energy of damping [J]: half of what it takes out of the motion in the time s.
    pub fn damping_energy(&mut self, y: &[Vec3]) -> f64 {
        self.look_inside(y);
        let Some(damping) = &mut self.damping else { return 0.0 };
        let (inside, base) = self.stage.way(&self.inside.positions, self.origin, y);
        damping.energy(self.system, inside, base, self.stage.span)
    }

    /// Second derivatives of the elements' energy where they are looked at [N/m]; `projected`: clamped to positive semidefinite.
    pub fn fill_blocks(&mut self, y: &[Vec3], projected: bool, blocks: &mut [Vec<Mat3>]) {
        let system = self.system;
        system.fill_blocks(self.look_inside(y), projected, blocks);
    }

    /// Makes the second derivatives of the elements at `y` those of E by the step's end, with damping and pressure.
    pub fn complete_blocks(&mut self, y: &[Vec3], projected: bool, blocks: &mut [Vec<Mat3>]) {
        self.look_inside(y);
        let inside = self.inside.of(&self.stage, y);
        self.pressing.add_blocks(self.system, inside, projected, blocks);
        if let Some(damping) = &self.damping {
            damping.add_blocks(self.stage.span, blocks);
        }
        let share = self.stage.inside;
        if share != 1.0 {
            blocks.iter_mut().for_each(|family| family.iter_mut().for_each(|block| *block *= share));
        }
    }

    /// The largest step in [0, `limit`] that inverts no element, neither where it is looked at nor at the end.
    pub fn non_inverting(&mut self, y: &[Vec3], direction: &[Vec3], limit: f64) -> f64 {
        let families = &self.system.families;
        let at_end = families.iter().map(|family| family.max_step(y, direction)).fold(limit, f64::min);
        let share = self.stage.inside;
        if share == 1.0 {
            return at_end;
        }
        self.look_inside(y);
        let Inside { positions, direction: slower } = &mut self.inside;
        slower.clear();
        slower.extend(direction.iter().map(|d| share * d));
        families.iter().map(|family| family.max_step(positions, slower)).fold(at_end, f64::min)
    }

    fn free(&self) -> impl Iterator<Item = usize> + use<'_> {
        let fixed = &self.system.fixed;
        (0..fixed.len()).filter(|&n| !fixed[n])
    }
}
