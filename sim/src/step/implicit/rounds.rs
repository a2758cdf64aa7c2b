//! The minimum of one step in rounds: what a minimisation takes as given is renewed at its end, as far as that changes anything.

use super::line_search::Landscape;
use super::objective::Objective;
use super::scheme::Scheme;
use super::solve::{self, Beginning, Task};
use super::start::Acceleration;
use super::workspace::Buffers;
use crate::math::Vec3;
use crate::step::StepError;

/// Rounds in which the forces of a free rim under pressure are taken from the last iterate at most.
const PRESSURE_ROUNDS: u32 = 20;

/// Minimises `objective` from the step's start, which is in `y`, or from where the motion goes on, and adds to `iterations`. What another
/// round would change of friction [N], where that is known. Leaves the final gradient in the buffers.
pub fn minimise(
    scheme: Scheme,
    acceleration: &Acceleration,
    objective: &mut Objective,
    buffers: &mut Buffers,
    task: &Task<'_>,
    y: &mut Vec<Vec3>,
    iterations: &mut u32,
) -> Result<Option<Vec<Vec3>>, StepError> {
    let is_free = task.targets.is_empty() && objective.ties.is_none();
    let went_on = is_free && acceleration.carry_on(objective, buffers, &task.state.velocities, y);
    let rounds = objective.system.contact.friction_iterations;
    let beginning = Beginning { blocks_known: task.blocks_known && !went_on, renews_friction: rounds > 1 };
    let first = solve::minimise(objective, buffers, task, y, beginning)?;
    *iterations += first.iterations;
    // Friction goes by normal forces and tangent planes that are only known at the end: a few rounds (Li et al. 2020, 5.5), of
    // which the second began on the way. So does pressure where its rim is free.
    let begun = u32::from(first.has_renewed);
    // That of the forces which were solved with: a last renewal that changes next to nothing is not followed by a solve.
    let mut lag = None;
    for round in 1..rounds.max(PRESSURE_ROUNDS) {
        let slides = if round + begun < rounds {
            lag = Some(objective.contact.friction_lag(y));
            objective.contact.relag(y)
        } else {
            round == begun && objective.contact.repick(y)
        };
        let presses = objective.relag_pressure(y);
        if !slides && !presses {
            break;
        }
        *iterations += solve::minimise(objective, buffers, task, y, Beginning::default())?.iterations;
        lag = None;
    }
    // Rounds that were not enough are to show in the residual.
    if objective.relag_pressure(y) {
        objective.gradient(y, &mut buffers.gradient);
    }
    // Nodes that touch only now are calmed too.
    if scheme == Scheme::Midpoint && objective.calm_touching(y, &mut buffers.trial) {
        *iterations += solve::minimise(objective, buffers, task, y, Beginning::default())?.iterations;
        lag = None;
    }
    Ok(lag)
}
