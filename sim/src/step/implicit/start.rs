//! Where Newton's method begins: the motion goes on as it was.

use super::line_search::Landscape;
use super::objective::Objective;
use super::solve::{filter, node_steps};
use super::workspace::Buffers;
use crate::math::Vec3;
use crate::step::State;

/// Change of velocity in the last step, over its size [m/s^2].
#[derive(Debug, Clone, Default)]
pub struct Acceleration(Vec<Vec3>);

impl Acceleration {
    /// That of the step between these states.
    pub fn between(before: &State, after: &State, step_size: f64) -> Self {
        Self(after.velocities.iter().zip(&before.velocities).map(|(after, before)| (after - before) / step_size).collect())
    }

    /// Moves `y`, the step's start, to where the same acceleration leads, as far as nothing inverts or touches; if the energy
    /// is lower there. True if it did. Free fall ends there at once, and other smooth motion needs an iteration less.
    pub fn carry_on(&self, objective: &mut Objective, buffers: &mut Buffers, velocities: &[Vec3], y: &mut Vec<Vec3>) -> bool {
        let stage = &objective.stage;
        if self.0.len() != y.len() || !stage.is_dynamic() {
            return false;
        }
        let ahead = objective.step_size;
        for (n, direction) in buffers.direction.iter_mut().enumerate() {
            *direction = stage.base[n] + stage.span * (velocities[n] + ahead * self.0[n]) - y[n];
        }
        objective.system.take_supported(&mut buffers.direction);
        node_steps(objective, buffers, y);
        for (direction, step) in buffers.direction.iter_mut().zip(&buffers.steps) {
            *direction *= *step;
        }
        let step = filter(objective, buffers, y);
        for ((trial, y), direction) in buffers.trial.iter_mut().zip(y.iter()).zip(&buffers.direction) {
            *trial = y + step * direction;
        }
        let is_lower = objective.energy(&buffers.trial) < objective.energy(y);
        if is_lower {
            std::mem::swap(y, &mut buffers.trial);
        }
        is_lower
    }
}
