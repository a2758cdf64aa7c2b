//! Forces and curvature of the energy in one state, as the steppers see them: elements, contact with friction, loads.

use std::sync::Arc;

use crate::contact::{ContactMemory, StepContact};
use crate::linear::{LinearSystem, NodeMatrix, NodeMatrixPattern, SolverChoice};
use crate::math::{Mat3, Vec3};
use crate::step::State;
use crate::system::System;

/// Net force on each node [N]; zero where a support takes it.
pub fn net_force(system: &System, memory: &mut ContactMemory, state: &State) -> Vec<Vec3> {
    net_force_in(system, &mut memory.freeze(system, &state.positions, state.time), state)
}

/// [`net_force`] with the contacts already frozen.
pub fn net_force_in(system: &System, contact: &mut StepContact, state: &State) -> Vec<Vec3> {
    let x = &state.positions;
    let mut gradient = vec![Vec3::zeros(); x.len()];
    for family in &system.families {
        family.add_gradient(x, &mut gradient);
    }
    contact.add_gradient(x, &mut gradient);
    let mut force = Vec::new();
    system.loads_at(x, &state.velocities, state.time, &mut force);
    for (force, gradient) in force.iter_mut().zip(&gradient) {
        *force -= gradient;
    }
    system.take_supported(&mut force);
    force
}

/// Second derivatives of the energy, inertia left out, in memory that is kept.
#[derive(Default)]
pub struct Curvature(Option<Buffers>);

struct Buffers {
    base: Arc<NodeMatrixPattern>,
    linear: LinearSystem,
    blocks: Vec<Vec<Mat3>>,
    diagonal: Vec<Mat3>,
}

impl Curvature {
    /// The Hessian [N/m] in `state`; `projected`: clamped to positive semidefinite.
    pub fn hessian(
        &mut self,
        system: &System,
        memory: &mut ContactMemory,
        state: &State,
        projected: bool,
    ) -> (&NodeMatrixPattern, &NodeMatrix) {
        let base = system.pattern();
        let buffers = match self.0.take() {
            Some(buffers) if Arc::ptr_eq(&buffers.base, &base) => buffers,
            _ => Buffers {
                linear: LinearSystem::new(Arc::clone(&base), SolverChoice::Direct),
                base,
                blocks: system.block_memory(),
                diagonal: vec![Mat3::zeros(); system.masses.len()],
            },
        };
        let Buffers { linear, blocks, diagonal, .. } = self.0.insert(buffers);
        system.fill_blocks(&state.positions, projected, blocks);
        diagonal.fill(Mat3::zeros());
        let mut contact = memory.freeze(system, &state.positions, state.time);
        contact.add_obstacle_hessian(&state.positions, projected, !projected, diagonal);
        let (stencils, stencil_blocks) = contact.surface_hessian(&state.positions, projected);
        linear.prepare(stencils);
        linear.assemble(blocks, diagonal, stencils, stencil_blocks, &system.slides);
        (linear.pattern(), linear.matrix())
    }
}
