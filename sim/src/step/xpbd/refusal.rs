//! What position-based steppers cannot step.

use crate::scene::{ProjectionMethod, ProjectionSettings};
use crate::step::unsupported::no_equalities;
use crate::step::{StepError, Unsupported};
use crate::system::System;

/// Whether `stepper` can step `system`.
///
/// # Errors
/// [`Unsupported`]: equalities, masses that couple nodes, elements that are no constraint; without compliances, damping.
pub fn needs(stepper: &'static str, system: &System) -> Result<(), Unsupported> {
    no_equalities(stepper, system)?;
    let refuse = |what: String, lacks: &'static str| Err(Unsupported { stepper, what, lacks });
    if !system.mass_couplings.is_empty() {
        return refuse("the consistent mass matrix".into(), "it moves each node by its own mass; take \"mass_matrix\": \"lumped\"");
    }
    if let Some(family) = system.families.iter().find(|family| family.projection().is_none()) {
        return refuse(format!("`{}`", family.kind().name), family.without_projection());
    }
    let is_damped = system.families.iter().any(|family| (0..family.len()).any(|e| family.damping(e) > 0.0));
    if stepper == "pbd" && is_damped {
        return refuse(
            "damping".into(),
            "its constraints have no stiffness that damping is proportional to; leave damping out, or take `xpbd`",
        );
    }
    if stepper != "pbd" && system.simulate.projection.levels > 0 {
        let lacks = "what its copies move has no multipliers, and would push the bodies; leave \"levels\" out, or take `pbd`";
        return refuse("coarser copies".into(), lacks);
    }
    particles(stepper, system)?;
    Ok(())
}

/// Whether `stepper` can step the particles of `system`.
fn particles(stepper: &'static str, system: &System) -> Result<(), Unsupported> {
    let refuse = |what: String, lacks: &'static str| Err(Unsupported { stepper, what, lacks });
    let mut bodies = system.fluids();
    let Some((first, of_first)) = bodies.next() else { return Ok(()) };
    for (other, of_other) in bodies {
        let (own, its) = (of_first.settings.matter(), of_other.settings.matter());
        let is_same = of_first.settings.spacing == of_other.settings.spacing;
        if !is_same || own.radius != its.radius || own.kernel != its.kernel || own.mirror != its.mirror || own.tensile != its.tensile {
            let lacks = "all particles of a scene see one another with one kernel; give both the same \"spacing\", \"radius\", \"kernel\", \"mirror\" and \"tensile\"";
            return refuse(format!("the particles of `{}` beside those of `{}`", other.name, first.name), lacks);
        }
    }
    if let Some(surface) = system.mesh_obstacles.first() {
        let name = &system.obstacles[surface.obstacle as usize].name;
        let lacks = "walls that mirror a fluid are planes, balls, boxes and capsules that stand still; take one of these";
        return refuse(format!("the particles of `{}` out of the obstacle `{name}`, which is a surface of triangles", first.name), lacks);
    }
    Ok(())
}

/// Where the forces of the balance that are explicit in the turning of their constraints are no longer stable: the bound of symplectic
/// Euler's method is 4 for one mode, and a chain of opposite turns reaches it at half of that.
pub const MOST_TURN: f64 = 2.0;

/// Where those of lines, whose multipliers are vectors, are lost: measured on hanging chains in all orders, with as many sweeps. All at once, no
/// line sees how the others turn.
fn most_of_lines(settings: &ProjectionSettings) -> f64 {
    match settings.method {
        ProjectionMethod::GaussSeidel => {
            let sweeps = f64::from(settings.sweeps);
            (0.8 + 1.2 * sweeps * sweeps).min(5.8 * sweeps)
        }
        ProjectionMethod::Jacobi => MOST_TURN,
    }
}

/// Whether the forces of the balance are stable in parts of a step [s] whose constraints turn by S / h^2: of lines, and of others [1/s^2]. Where
/// lines turn further than others may, what they share of the two limits adds up: cloth whose folds and threads turn together is lost before
/// either is.
///
/// # Errors
/// [`StepError::TurnsTooFar`], with how many parts would do.
pub fn turns([lines, others]: [f64; 2], settings: &ProjectionSettings, step_size: f64) -> Result<(), StepError> {
    let part = step_size / f64::from(settings.substeps);
    let [lines, others] = [lines, others].map(|turning| part * part * turning);
    let shares = [lines / most_of_lines(settings), others / MOST_TURN];
    let share: f64 = if lines < MOST_TURN { shares.into_iter().fold(0.0, f64::max) } else { shares.iter().sum() };
    if share < 1.0 {
        return Ok(());
    }
    let turn = if shares[1] > shares[0] { others } else { lines };
    let substeps = (f64::from(settings.substeps) * (2.0 * share).sqrt()).ceil() as u32;
    Err(StepError::TurnsTooFar { turn, most: turn / share, substeps })
}
