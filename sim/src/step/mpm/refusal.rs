//! What the material point method cannot step.

use super::{grid_spacing, walls};
use crate::math::bounding_box;
use crate::math::splines::Kernel;
use crate::scene::Transfer;
use crate::step::Unsupported;
use crate::step::unsupported::no_equalities;
use crate::system::System;

/// The stepper that takes implicit steps.
pub const IMPLICIT: &str = "mpm_implicit";
/// By so much a cell may be larger than a body and count as equal.
const ROUNDED: f64 = 1e-9;

/// Whether `stepper` can step `system`.
///
/// # Errors
/// [`Unsupported`]: anything but material points, points that are held or come in later, least squares of linear weights, cells larger than a body.
pub fn needs(stepper: &'static str, system: &System) -> Result<(), Unsupported> {
    let refuse = |what: String, lacks: &'static str| Err(Unsupported { stepper, what, lacks });
    no_equalities(stepper, system)?;
    let is_of_points = |matter: &dyn crate::bodies::Matter| matter.particles().is_some_and(|matter| matter.is_of_points());
    if let Some(body) = system.bodies.iter().find(|body| !is_of_points(body.matter.as_ref())) {
        let lacks = "it moves material points alone, and couples them with no other body; give the body \"as\": {\"particles\": {..., \"elastic\": {...}}}, make it an obstacle, or choose another stepper";
        return refuse(format!("the body `{}`", body.name), lacks);
    }
    if system.points().is_none() {
        let lacks = "it moves material points, and there are none; give a body \"as\": {\"particles\": {..., \"elastic\": {...}}}, or choose another stepper";
        return refuse("this scene".into(), lacks);
    }
    if system.away().next().is_some() || !system.entrances.is_empty() {
        return refuse("bodies that come in later".into(), "its points are there from the start; leave \"enters_at\" out");
    }
    let held = (0..system.body_nodes()).find(|&node| system.fixed[node]);
    if let Some(node) = held.or_else(|| system.slides.first().map(|(node, _)| *node as usize)) {
        let body = system.bodies.iter().find(|body| body.nodes.contains(&node)).map_or("", |body| &body.name);
        let lacks = "points are held by walls at the nodes of the grid, and not by themselves; leave regions of the role \"dirichlet\" out, and put an obstacle there";
        return refuse(format!("the material points of `{body}` in their places"), lacks);
    }
    if !crate::math::splines::mutant(12) && system.simulate.grid.kernel == Kernel::Linear && system.simulate.grid.transfer == Transfer::Mls {
        let lacks = "the moment of linear weights is not the same everywhere, and vanishes at the nodes; set \"simulate.grid.transfer\" to \"apic\", \"flip\" or \"pic\", or \"simulate.grid.kernel\" to \"quadratic\"";
        return refuse("the kernel `linear` with the transfer `mls`".into(), lacks);
    }
    at_points(stepper, system).or_else(|(what, lacks)| refuse(what, lacks))?;
    one_friction(system).or_else(|(what, lacks)| refuse(what, lacks))?;
    let spacing = grid_spacing(system);
    for (body, matter) in system.particles() {
        let (low, high) = bounding_box(&system.positions[body.nodes.clone()]);
        let side = (high - low).min() + matter.settings.spacing;
        if spacing > side * (1.0 + ROUNDED) {
            let what = format!("`{}`, whose smallest side is {side:.3e} m, on a grid with cells of {spacing:.3e} m", body.name);
            return refuse(
                what,
                "a body thinner than a cell has no shape there; set \"simulate.grid.spacing\" to about twice the particles' \"spacing\"",
            );
        }
    }
    Ok(())
}

/// Whether points can meet obstacles by themselves, where they are to: by an implicit step, and where no limit of what their matter bears is balanced
/// beside what they touch.
fn at_points(stepper: &'static str, system: &System) -> Result<(), (String, &'static str)> {
    if !system.touches_at_points() {
        return Ok(());
    }
    if stepper != IMPLICIT {
        let lacks = "its walls are at the nodes of the grid; take the stepper `mpm_implicit`, or set \"simulate.grid.contact\" to \"grid\"";
        return Err(("contact at the points".into(), lacks));
    }
    let points = system.points().map_or(&[][..], |points| &points.elements[..]);
    if points.iter().any(|point| point.yields.is_some() || point.material.liquid().is_some()) {
        let lacks = "elastic matter alone touches so; set \"simulate.grid.contact\" to \"grid\" for sand, metal and liquids";
        return Err(("contact at points that yield or flow".into(), lacks));
    }
    Ok(())
}

/// Whether all points may touch an obstacle or none, with one friction coefficient: nodes of the grid do not know whose points they carry.
fn one_friction(system: &System) -> Result<(), (String, &'static str)> {
    let count = system.body_nodes();
    for wall in walls::walls(system) {
        let of_wall: Vec<f64> = walls::pairs(system).filter(|(_, obstacle, _)| *obstacle == wall.obstacle).map(|(_, _, mu)| mu).collect();
        if of_wall.len() != count || of_wall.iter().any(|friction| *friction != wall.friction) {
            let lacks = "the nodes of its grid do not know whose points they carry; give contact regions to all points and all bodies alike, or to none";
            return Err((format!("points that touch `{}` differently", system.obstacles[wall.obstacle as usize].name), lacks));
        }
    }
    Ok(())
}
