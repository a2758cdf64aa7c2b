//! [`Explicit`]: symplectic and forward Euler (Li et al. 2024, 1.4), to compare the implicit integrators with. Stable only for small
//! steps, and contact is a stiff spring to them.

use std::sync::Arc;
use std::time::Instant;

use super::damping::Damping;
use super::{Dissipation, Phases, State, StepError, StepStats, Stepper, instant, measure};
use crate::contact::Balance;
use crate::contact::ContactMemory;
use crate::linear::{CholeskyFactor, NodeMatrix, NodeMatrixPattern};
use crate::math::{Mat3, Vec3, largest_norm};
use crate::system::System;
use crate::system::pressure::Pressing;
use crate::watch::Watch;

/// The stepper.
pub struct Explicit {
    /// Whether positions move with the new velocity (symplectic) or the old one (forward).
    symplectic: bool,
    memory: Option<ContactMemory>,
    damping: Option<Resistance>,
    pressing: Option<Pressing>,
    /// The factor of a mass matrix that couples nodes, made by the first step.
    coupled: Option<Coupled>,
    dissipated: Dissipation,
}

/// Damping, and the element Hessians that it is taken from.
struct Resistance {
    damping: Damping,
    blocks: Vec<Vec<Mat3>>,
    force: Vec<Vec3>,
}

impl Resistance {
    fn of(system: &System) -> Option<Self> {
        let blocks = system.block_memory();
        Damping::new(system, &blocks).map(|damping| Self { damping, blocks, force: Vec::new() })
    }

    /// D v [N].
    fn at(&mut self, system: &System, state: &State) -> &[Vec3] {
        system.fill_blocks(&state.positions, true, &mut self.blocks);
        self.damping.update(system, &self.blocks);
        let still = vec![Vec3::zeros(); state.velocities.len()];
        self.force.clone_from(&still);
        self.damping.add_gradient(system, &state.velocities, &still, 1.0, &mut self.force);
        &self.force
    }
}

/// A mass matrix that couples nodes, factorised on the free ones: from impulses to changes of velocity.
struct Coupled {
    pattern: Arc<NodeMatrixPattern>,
    factor: CholeskyFactor,
}

impl Coupled {
    /// That of `system`, or in words why there is none.
    fn of(system: &System) -> Result<Self, String> {
        let pattern = system.pattern();
        let remedy = "take \"mass_matrix\": \"lumped\", or an implicit stepper";
        let room = system.ensure_room("the factorisation of the mass matrix", &pattern, pattern.factor_bytes());
        room.map_err(|too_large| format!("{too_large}; {remedy}"))?;
        let mut matrix = NodeMatrix::new(&pattern);
        system.mass().add_to(&mut matrix, &pattern, 1.0, &system.slides);
        let mut factor = CholeskyFactor::new(&pattern);
        factor.factorize(&pattern, &matrix).map_err(|_| format!("the mass matrix is not positive definite; {remedy}"))?;
        Ok(Self { pattern, factor })
    }

    /// Makes the changes of velocity of free nodes [m/s] out of the impulses in `change` [N s] and of what driven nodes, which go on to
    /// the end of the step, give them.
    fn solve(&mut self, system: &System, state: &State, step_size: f64, change: &mut [Vec3]) {
        let mut driven = vec![Vec3::zeros(); change.len()];
        for node in &system.driven {
            let n = node.node as usize;
            let way = system.target(node, state.time + step_size) - state.positions[n];
            driven[n] = way / step_size - state.velocities[n];
        }
        change.iter_mut().zip(system.mass().product(&driven)).for_each(|(change, given)| *change -= given);
        system.take_supported(change);
        self.factor.solve(&self.pattern, change);
        system.take_supported(change);
    }
}

impl Explicit {
    /// Velocity first, then position with the new velocity.
    pub fn symplectic() -> Self {
        Self { symplectic: true, memory: None, damping: None, pressing: None, coupled: None, dissipated: Dissipation::default() }
    }

    /// Position with the old velocity.
    pub fn forward() -> Self {
        Self { symplectic: false, ..Self::symplectic() }
    }
}

impl Stepper for Explicit {
    fn warm_start(&mut self, system: &System, balance: &Balance) {
        self.memory = Some(ContactMemory::new(system, balance));
        self.damping = Resistance::of(system);
        (self.pressing, self.coupled) = (None, None);
        self.dissipated = Dissipation::default();
    }

    fn adapt(&mut self, _: &System) {
        (self.pressing, self.coupled) = (None, None);
        self.memory.iter_mut().for_each(ContactMemory::adapt);
    }

    fn step(&mut self, system: &mut System, state: &mut State, step_size: f64, watch: &dyn Watch) -> Result<StepStats, StepError> {
        watch.check()?;
        system.lag(&state.positions);
        let system = &*system;
        let clock = Instant::now();
        let memory = self.memory.get_or_insert_with(|| ContactMemory::new(system, &Balance::default()));
        let (x, end_time) = (&state.positions, state.time + step_size);
        let mut contact = memory.freeze(system, x, state.time + 0.5 * step_size);
        let singular = |node: usize, what: &str| StepError::Singular { time: state.time, node, what: what.into() };
        if let Some((node, what)) = contact.jammed() {
            return Err(singular(node, &what));
        }
        let couple = contact.couple(x) / system.torque_unit();
        let mut force = instant::net_force_in(system, &mut contact, state);
        if let Some(resistance) = &mut self.damping {
            let resisting = resistance.at(system, state);
            self.dissipated.damping += step_size * resisting.iter().zip(&state.velocities).map(|(f, v)| f.dot(v)).sum::<f64>();
            force.iter_mut().zip(resisting).for_each(|(force, resisting)| *force -= resisting);
            system.take_supported(&mut force);
        }
        let mut pulled = Vec3::zeros();
        if let Some(hand) = &system.hand {
            pulled = hand.add_explicit(x, &state.velocities, &system.mass().least_of_nodes(), step_size, &mut force);
            system.take_supported(&mut force);
        }
        if let Some(node) = force.iter().position(|f| !f.iter().all(|c| c.is_finite())) {
            return Err(singular(node, "the force is not a finite number; take smaller steps, or an implicit stepper"));
        }
        let mut velocities = state.velocities.clone();
        if system.mass_couplings.is_empty() {
            for n in (0..x.len()).filter(|&n| !system.fixed[n]) {
                velocities[n] += step_size / system.masses[n] * force[n];
            }
        } else {
            let mut change: Vec<Vec3> = force.iter().map(|force| step_size * force).collect();
            let coupled = match &mut self.coupled {
                Some(coupled) => coupled,
                none => none.insert(Coupled::of(system).map_err(|what| singular(0, &what))?),
            };
            coupled.solve(system, state, step_size, &mut change);
            velocities.iter_mut().zip(&change).for_each(|(velocity, change)| *velocity += change);
        }
        let carrying = if self.symplectic { &velocities } else { &state.velocities };
        let mut positions: Vec<Vec3> = x.iter().zip(carrying).map(|(x, v)| x + step_size * v).collect();
        for driven in &system.driven {
            let node = driven.node as usize;
            positions[node] = system.target(driven, end_time);
            velocities[node] = (positions[node] - x[node]) / step_size;
        }
        let way: Vec<Vec3> = positions.iter().zip(x).map(|(end, x)| end - x).collect();
        if contact.max_step(x, &way, 1.0) < 1.0 || !contact.energy(&positions).is_finite() {
            return Err(singular(0, "surfaces would go through each other; take smaller steps, or an implicit stepper"));
        }
        let touching = contact.summary(&positions);
        self.dissipated.friction += contact.friction_work(&positions);
        let finished = contact.finish(&positions);
        memory.remember(finished);
        let pressure = self.pressing.get_or_insert_with(|| Pressing::of(system)).potential(system, &positions, end_time);
        let seconds = clock.elapsed().as_secs_f64();
        let stats = StepStats {
            time: end_time,
            friction: self.dissipated.friction,
            damping: self.dissipated.damping,
            residual: largest_norm(&force) / system.largest_load(),
            substeps: 1,
            contacts: touching.count,
            contact_pairs: touching.pairs,
            couple,
            hand: pulled,
            min_gap: touching.min_gap,
            min_effective_gap: touching.min_effective_gap,
            seconds,
            phases: Phases { total: seconds, ..Phases::default() },
            ..measure::state(system, &positions, &velocities, touching.energy, pressure)
        };
        *state = State { time: end_time, positions, velocities, points: std::mem::take(&mut state.points) };
        Ok(stats)
    }

    fn contacts(&mut self, system: &System) -> &mut ContactMemory {
        self.memory.get_or_insert_with(|| ContactMemory::new(system, &Balance::default()))
    }
}
