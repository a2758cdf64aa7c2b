//! What position-based steppers cannot step.

use crate::step::Unsupported;
use crate::step::unsupported::no_equalities;
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
    Ok(())
}
