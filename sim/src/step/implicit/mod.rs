//! [`Newton`]: implicit Euler by projected Newton. Each step minimises the incremental potential over positions,
//! with barrier contact, friction that sticks, and a line search that refuses inversion and penetration.

mod damping;
mod line_search;
mod objective;
mod solve;
#[cfg(test)]
mod tests;
mod workspace;

use std::time::Instant;

use self::objective::Objective;
use self::workspace::Workspace;
use super::measure;
use super::{State, StepError, StepStats, Stepper};
use crate::contact::Contacts;
use crate::linear::{NodeMatrix, NodeMatrixPattern};
use crate::math::{Mat3, Vec3, largest_norm};
use crate::sag_free::Balance;
use crate::system::System;
use crate::watch::Watch;

/// The stepper: what its contacts remember, and a sparse system that is ordered once.
#[derive(Default)]
pub struct Newton {
    contacts: Option<Contacts>,
    workspace: Option<Workspace>,
}

impl Newton {
    /// Net force on each node [N] in `state`: elements, contacts with friction, loads. Zero on fixed nodes.
    pub fn residual(&self, system: &System, state: &State) -> Vec<Vec3> {
        let unsolved;
        let contacts = match &self.contacts {
            Some(contacts) => contacts,
            None => {
                unsolved = Contacts::new(system, &Balance::default());
                &unsolved
            }
        };
        let x = &state.positions;
        let mut gradient = vec![Vec3::zeros(); x.len()];
        for family in &system.families {
            family.add_gradient(x, &mut gradient);
        }
        contacts.freeze(system, x, state.time).add_gradient(x, &mut gradient);
        let force = |n: usize| if system.fixed[n] { Vec3::zeros() } else { system.masses[n] * system.gravity - gradient[n] };
        (0..x.len()).map(force).collect()
    }

    /// Second derivatives of the energy in `state` [N/m], contact and friction included, inertia left out.
    pub fn hessian(&mut self, system: &System, state: &State, projected: bool) -> (&NodeMatrixPattern, &NodeMatrix) {
        let workspace = self.workspace.get_or_insert_with(|| Workspace::new(system));
        let contacts = self.contacts.get_or_insert_with(|| Contacts::new(system, &Balance::default()));
        let buffers = &mut workspace.buffers;
        buffers.fill_blocks(system, &state.positions, projected);
        buffers.diagonal.fill(Mat3::zeros());
        contacts.freeze(system, &state.positions, state.time).add_hessian(&state.positions, projected, &mut buffers.diagonal);
        buffers.matrix.assemble(&workspace.pattern, &buffers.blocks, 1.0, &buffers.diagonal);
        (&workspace.pattern, &buffers.matrix)
    }

    /// Contacts that push in `state`: (node, obstacle, force on the node [N]).
    pub fn contact_forces(&self, system: &System, state: &State) -> Vec<(u32, u32, Vec3)> {
        self.contacts
            .as_ref()
            .map_or_else(Vec::new, |contacts| contacts.freeze(system, &state.positions, state.time).forces(&state.positions))
    }

    /// What the contacts remember, one slot for each of [`System::pairs`]; nothing before the first warm start or step.
    pub fn contacts(&self) -> Option<&Contacts> {
        self.contacts.as_ref()
    }
}

impl Stepper for Newton {
    fn warm_start(&mut self, system: &System, balance: &Balance) {
        self.workspace = Some(Workspace::renewed(self.workspace.take(), system));
        self.contacts = Some(Contacts::new(system, balance));
    }

    fn step(&mut self, system: &System, state: &mut State, step_size: f64, watch: &dyn Watch) -> Result<StepStats, StepError> {
        let clock = Instant::now();
        let workspace = self.workspace.get_or_insert_with(|| Workspace::new(system));
        let contacts = self.contacts.get_or_insert_with(|| Contacts::new(system, &Balance::default()));
        let Workspace { pattern, damping, buffers, .. } = workspace;

        buffers.fill_blocks(system, &state.positions, true);
        if let Some(damping) = damping {
            damping.update(system, pattern, &buffers.blocks);
        }
        let mut objective = Objective {
            system,
            pattern,
            // An obstacle that goes at the end of a step within round-off is there to the end.
            contact: contacts.freeze(system, &state.positions, state.time + 0.5 * step_size),
            damping: damping.as_ref(),
            origin: &state.positions,
            velocities: &state.velocities,
            step_size,
        };
        let mut x = state.positions.clone();
        let mut iterations = solve::minimise(&objective, buffers, state.time, &mut x, true, watch)?;
        // Friction of a contact that was not there at the step's start has no force to go by until now.
        if objective.contact.include_new_contacts(&x) {
            iterations += solve::minimise(&objective, buffers, state.time, &mut x, false, watch)?;
        }

        let velocities: Vec<Vec3> = x.iter().zip(&state.positions).map(|(x, origin)| (x - origin) / step_size).collect();
        let touching = objective.contact.summary(&x);
        let stats = StepStats {
            time: state.time + step_size,
            residual: largest_norm(&buffers.gradient) / system.largest_load(),
            iterations,
            substeps: 1,
            min_gap: touching.min_gap,
            min_effective_gap: touching.min_effective_gap,
            contacts: touching.count,
            seconds: clock.elapsed().as_secs_f64(),
            ..measure::state(system, &x, &velocities, touching.energy)
        };
        let slots = objective.contact.finish(&x);
        contacts.slots = slots;
        *state = State { time: stats.time, positions: x, velocities };
        Ok(stats)
    }
}
