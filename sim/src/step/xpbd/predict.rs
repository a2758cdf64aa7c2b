//! Where a part of a step begins: the motion goes on under the loads, and under the multipliers of the balance with the gradients of the
//! part's start, all at once. In the given shape at rest these cancel, and nothing is left for the sweeps.

use super::constraints::{Constraints, Projections};
use super::gate::Gate;
use super::mobility::Mobility;
use crate::math::Vec3;

/// Writes how far each node moves [m] in a part of `part` [s] that starts at `start` with these velocities and loads [N]. With a `gate`, sets the
/// multipliers that the sweeps go on from: share h^2 f*; without one they go on from 0, and nothing is set.
#[allow(clippy::too_many_arguments, reason = "all that a part of a step begins with")]
pub fn moves(
    families: &Projections,
    constraints: &mut Constraints,
    mobility: &Mobility,
    gate: Option<&Gate>,
    start: &[Vec3],
    velocities: &[Vec3],
    loads: &[Vec3],
    part: f64,
    moves: &mut Vec<Vec3>,
) {
    let square = part * part;
    moves.clear();
    moves.extend((0..).zip(loads).map(|(n, load)| square * mobility.moved(n, load)));
    if let Some(gate) = gate {
        add_balance(families, constraints, mobility, gate, start, square, moves);
    }
    // Last, so that what cancels has done so among its equals.
    moves.iter_mut().zip(velocities).for_each(|(way, velocity)| *way += part * velocity);
}

/// Sets the multipliers of the balance, for parts of `square` [s^2], and adds what they move.
fn add_balance(
    families: &Projections,
    constraints: &mut Constraints,
    mobility: &Mobility,
    gate: &Gate,
    start: &[Vec3],
    square: f64,
    moves: &mut [Vec3],
) {
    let mut gradients = constraints.room();
    for c in 0..constraints.len() {
        let share = if constraints.is_visited(c) { gate.share(c) } else { 0.0 };
        let multiplier = share * square * constraints.carried[c];
        (constraints.rows[c].multiplier, constraints.rows[c].pull) = (multiplier, Vec3::zeros());
        if multiplier == 0.0 {
            continue;
        }
        constraints.places[c].constraint(families, start, &mut gradients);
        for (&n, by) in constraints.nodes(c).iter().zip(&gradients) {
            moves[n as usize] += mobility.moved(n, &(multiplier * by));
        }
        // For lines alone; what it is of others is not asked.
        constraints.rows[c].pull = multiplier * gradients[0];
    }
    for projection in families.iter().flatten() {
        for e in 0..projection.len() {
            let share = projection.nodes(e).first().map_or(0.0, |&n| gate.share_of_node(n));
            if share > 0.0 {
                projection.add_beside(e, start, &mut |n, force| moves[n as usize] += mobility.moved(n, &(share * square * force)));
            }
        }
    }
}
