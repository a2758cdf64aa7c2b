//! Newton's method itself.

use super::line_search::{Line, NOISE_MARGIN, SHORTEST};
use super::objective::Objective;
use super::workspace::Buffers;
use crate::math::{Vec3, largest_norm};
use crate::step::StepError;
use crate::system::System;
use crate::watch::Watch;

/// Where inversion leaves less of a step than this, the energy alone decides.
const LEAST_STEP: f64 = 0.05;

/// Minimises `objective` from `x`, by one linear solve at least, and gives the number of iterations. `blocks_known`: the
/// element Hessians at `x` are in the buffers already. Leaves the final gradient in the buffers.
pub fn minimise(
    objective: &Objective,
    buffers: &mut Buffers,
    time: f64,
    x: &mut Vec<Vec3>,
    mut blocks_known: bool,
    watch: &dyn Watch,
) -> Result<u32, StepError> {
    let system = objective.system;
    let singular = |node: usize, what: String| StepError::Singular { time, node, what };
    if let Some((node, obstacle)) = objective.contact.jammed() {
        let name = &system.obstacles[obstacle].name;
        return Err(singular(node, format!("it is inside the obstacle `{name}`; move one of them")));
    }
    let mut energy = objective.energy(x);
    if !energy.is_finite() {
        return Err(singular(inverted_node(system, x), "an element is inverted where its law forbids it".into()));
    }
    objective.gradient(x, &mut buffers.gradient);
    let mut elastic_noise = None;
    let mut iterations = 0;
    let mut last_was_whole = false;
    let mut was_indefinite = false;
    loop {
        watch.check()?;
        if let Some(node) = buffers.gradient.iter().position(|g| !g.iter().all(|c| c.is_finite())) {
            return Err(singular(node, "the force is not a finite number".into()));
        }
        // Projection makes every direction one of descent, but convergence linear: near the minimum the exact Hessian
        // is tried first (Longva et al. 2023), but not right after it was indefinite.
        let try_exact = last_was_whole && !was_indefinite;
        let exact = try_exact && {
            buffers.fill_blocks(system, x, false);
            find_direction(objective, buffers, x, false).is_ok()
        };
        if !exact {
            if !std::mem::take(&mut blocks_known) {
                buffers.fill_blocks(system, x, true);
            }
            elastic_noise.get_or_insert_with(|| buffers.energy_noise(system, x));
            find_direction(objective, buffers, x, true).map_err(|node| singular(node, "the Hessian is not positive definite".into()))?;
        }
        was_indefinite = try_exact && !exact;
        iterations += 1;

        let noise = elastic_noise.unwrap_or(0.0) + objective.noise(x);
        let length = largest_norm(&buffers.direction);
        let speed = length / objective.step_size;
        let slope = keep_gaps_open(objective, buffers, x);
        let without_inversion = objective.max_step(x, &buffers.direction);
        // A law that survives inversion may have its minimum behind it; one that does not makes the energy infinite.
        let largest = if without_inversion < LEAST_STEP { 1.0 } else { without_inversion };
        let line = Line { x, direction: &buffers.direction, energy, slope, noise, length };
        let vanishing = length <= SHORTEST * system.diagonal;
        if vanishing {
            line.point(without_inversion, &mut buffers.trial);
        } else if let Some((step, found)) = line.search(objective, largest, &mut buffers.trial, &mut buffers.gradient) {
            energy = found;
            last_was_whole = step == 1.0;
        } else if -slope <= NOISE_MARGIN * noise {
            // Every step looks as good as none, and the promised decrease is round-off: this is the minimum.
            objective.gradient(x, &mut buffers.gradient);
            return Ok(iterations);
        } else {
            return Err(StepError::NotConverged { iterations, time, speed });
        }
        std::mem::swap(x, &mut buffers.trial);
        objective.gradient(x, &mut buffers.gradient);
        if vanishing || speed <= system.simulate.tolerance {
            return Ok(iterations);
        }
        if iterations >= system.simulate.max_iterations.max(1) {
            return Err(StepError::NotConverged { iterations, time, speed });
        }
    }
}

/// Shortens the direction so that a whole step closes no gap, and gives the slope of E along it. Where that promises more,
/// each node is stopped by its own contacts alone: else one node that is about to touch holds up the whole body.
fn keep_gaps_open(objective: &Objective, buffers: &mut Buffers, x: &[Vec3]) -> f64 {
    buffers.steps.fill(1.0);
    objective.contact.limit_steps(x, &buffers.direction, &mut buffers.steps);
    let common = buffers.steps.iter().copied().fold(1.0, f64::min);
    let (mut slope, mut own_slope) = (0.0, 0.0);
    for ((gradient, direction), step) in buffers.gradient.iter().zip(&buffers.direction).zip(&buffers.steps) {
        let part = gradient.dot(direction);
        slope += common * part;
        own_slope += step * part;
    }
    let own = own_slope < slope;
    for (direction, step) in buffers.direction.iter_mut().zip(&buffers.steps) {
        *direction *= if own { *step } else { common };
    }
    own_slope.min(slope)
}

/// Solves for the Newton direction; the error is the node at which the factorisation failed.
fn find_direction(objective: &Objective, buffers: &mut Buffers, x: &[Vec3], projected: bool) -> Result<(), usize> {
    if let Some(damping) = objective.damping {
        damping.add_blocks(objective.step_size, &mut buffers.blocks);
    }
    objective.diagonal(x, projected, &mut buffers.diagonal);
    buffers.matrix.assemble(objective.pattern, &buffers.blocks, 1.0, &buffers.diagonal);
    buffers.factor.factorize(objective.pattern, &buffers.matrix).map_err(|failure| failure.node)?;
    for (direction, gradient) in buffers.direction.iter_mut().zip(&buffers.gradient) {
        *direction = -gradient;
    }
    buffers.factor.solve(objective.pattern, &mut buffers.direction);
    Ok(())
}

/// A node of the first inverted element, or the first node.
fn inverted_node(system: &System, x: &[Vec3]) -> usize {
    let inverted = system.families.iter().find_map(|family| {
        let element = family.compression(x).iter().position(|&j| j.is_nan() || j <= 0.0)?;
        family.nodes(element).first().map(|&n| n as usize)
    });
    inverted.unwrap_or(0)
}
