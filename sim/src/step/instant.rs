//! Forces and curvature of the energy in one state, as the steppers see them: elements, contact with friction, loads.

use std::sync::Arc;

use crate::contact::{ContactMemory, StepContact};
use crate::element::Family;
use crate::linear::{LinearSystem, NodeMatrix, NodeMatrixPattern, SolverChoice};
use crate::math::{Mat3, Vec3, largest_norm};
use crate::step::xpbd::fluid::carried_forces;
use crate::step::{Residual, State, mpm};
use crate::system::System;
use crate::system::pressure::Pressing;

/// Net force on each node [N]; zero where a support takes it.
pub fn net_force(system: &System, memory: &mut ContactMemory, state: &State) -> Vec<Vec3> {
    net_force_in(system, &mut memory.freeze(system, &state.positions, state.time), state)
}

/// [`net_force`] where contacts, and what presses in a fluid, push with the forces `touching` on each node [N].
pub fn net_force_under(system: &System, mut touching: Vec<Vec3>, state: &State) -> Vec<Vec3> {
    touching.iter_mut().for_each(|force| *force = -*force);
    system.families.iter().for_each(|family| family.add_gradient(&state.positions, &mut touching));
    net_force_down(system, &touching, state)
}

/// [`net_force`] with the contacts already frozen.
pub fn net_force_in(system: &System, contact: &mut StepContact, state: &State) -> Vec<Vec3> {
    net_force_of(system, &system.families, contact, state)
}

/// [`net_force_in`] with other elements than the system's, on the same nodes.
pub fn net_force_of(system: &System, families: &[Box<dyn Family>], contact: &mut StepContact, state: &State) -> Vec<Vec3> {
    let mut gradient = vec![Vec3::zeros(); state.positions.len()];
    families.iter().for_each(|family| family.add_gradient(&state.positions, &mut gradient));
    net_force_beside(system, gradient, contact, state)
}

/// The net force where the elements' part of the energy has this `gradient` [N].
fn net_force_beside(system: &System, mut gradient: Vec<Vec3>, contact: &mut StepContact, state: &State) -> Vec<Vec3> {
    contact.add_gradient(&state.positions, &mut gradient);
    gradient.iter_mut().zip(carried_forces(system, &state.positions)).for_each(|(gradient, carried)| *gradient -= carried);
    net_force_down(system, &gradient, state)
}

/// The net force where all forces but the loads have this `gradient` together [N].
fn net_force_down(system: &System, gradient: &[Vec3], state: &State) -> Vec<Vec3> {
    let x = &state.positions;
    let mut force = Vec::new();
    system.loads_at(x, &state.velocities, state.time, &mut force);
    for (force, gradient) in force.iter_mut().zip(gradient) {
        *force -= gradient;
    }
    // Elements of points make no force on them: what pushes these are contacts.
    let touching: Vec<Vec3> = gradient.iter().map(|gradient| -gradient).collect();
    mpm::set_net_forces(system, state, &touching, &mut force);
    system.take_supported(&mut force);
    force
}

/// Round-off of the arithmetic of one element's force, in units of its size: of its own law, its shape and its sum with others.
const ROUNDINGS: f64 = 16.0;

/// A bound of the round-off of [`net_force_of`] on any free node [N]: that of each force that meets there, by its own size; those of elements
/// have these sums of `sizes`.
fn round_off(system: &System, sizes: &[f64], contact: &mut StepContact, state: &State) -> f64 {
    let x = &state.positions;
    let mut touching = vec![Vec3::zeros(); x.len()];
    contact.add_gradient(x, &mut touching);
    let mut loads = Vec::new();
    system.loads_at(x, &state.velocities, state.time, &mut loads);
    let of_node = |n: usize| sizes[n] + touching[n].norm() + loads[n].norm();
    let largest = (0..x.len()).filter(|&n| !system.fixed[n]).map(of_node).fold(0.0, f64::max);
    ROUNDINGS * f64::EPSILON * largest
}

/// What is out of balance at rest in the given shape where the elements are `families` (the system's own, or others on the same
/// nodes); `before` is what was so without them, as a share of the largest load.
pub fn residual(system: &System, families: &[Box<dyn Family>], memory: &mut ContactMemory, before: f64) -> Residual {
    let state = State::at_rest(system);
    let mut contact = memory.freeze(system, &state.positions, state.time);
    let largest = system.largest_load();
    let (mut gradient, mut sizes) = (vec![Vec3::zeros(); state.positions.len()], vec![0.0; state.positions.len()]);
    families.iter().for_each(|family| family.add_gradient_and_sizes(&state.positions, &mut gradient, &mut sizes));
    let after = largest_norm(&net_force_beside(system, gradient, &mut contact, &state)) / largest;
    let round_off = round_off(system, &sizes, &mut contact, &state) / largest;
    Residual::of(before, after, round_off, system.initialise.tolerance)
}

/// Second derivatives of the energy, inertia left out; of a pressure without energy, the symmetric part of its stiffness. Between two calls only the matrix is kept, not the far larger
/// Hessians of the elements.
#[derive(Default)]
pub struct Curvature(Option<(Arc<NodeMatrixPattern>, LinearSystem)>);

impl Curvature {
    /// The pattern of the last Hessian.
    pub fn pattern(&self) -> Option<&NodeMatrixPattern> {
        self.0.as_ref().map(|(_, linear)| &**linear.pattern())
    }

    /// The Hessian [N/m] in `state` of a system whose elements are `families` (its own, or others on the same nodes);
    /// `projected`: clamped to positive semidefinite.
    pub fn hessian(
        &mut self,
        system: &System,
        families: &[Box<dyn Family>],
        memory: &mut ContactMemory,
        state: &State,
        projected: bool,
    ) -> (&NodeMatrixPattern, &NodeMatrix) {
        let base = system.pattern();
        let kept = self.0.take().filter(|(pattern, _)| Arc::ptr_eq(pattern, &base));
        let (_, linear) = self.0.insert(kept.unwrap_or_else(|| (Arc::clone(&base), LinearSystem::new(base, SolverChoice::Direct))));
        let mut blocks = system.block_memory();
        for (family, blocks) in families.iter().zip(&mut blocks) {
            family.hessian_blocks(&state.positions, projected, blocks);
        }
        Pressing::at(system, &state.positions, state.time, 1.0).add_blocks(system, &state.positions, projected, &mut blocks);
        let mut diagonal = vec![Mat3::zeros(); system.masses.len()];
        let mut contact = memory.freeze(system, &state.positions, state.time);
        contact.add_obstacle_hessian(&state.positions, projected, !projected, &mut diagonal);
        contact.surface_hessian(&state.positions, projected).assemble(linear, &blocks, &diagonal, &system.slides);
        (linear.pattern(), linear.matrix())
    }
}
