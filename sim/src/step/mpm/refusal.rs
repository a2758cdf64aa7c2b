//! What the material point method cannot step.

use super::{grid_spacing, walls};
use crate::contact::distance;
use crate::math::bounding_box;
use crate::step::Unsupported;
use crate::step::unsupported::no_equalities;
use crate::system::System;

/// The stepper that takes implicit steps.
pub const IMPLICIT: &str = "mpm_implicit";
/// By so much a cell may be larger than a body and count as equal.
const ROUNDED: f64 = 1e-9;
/// Cells that a wall has to be thick: nodes in one half of it hold off what comes from there.
const THICK: f64 = 2.0;

/// Whether `stepper` can step `system`.
///
/// # Errors
/// [`Unsupported`]: anything but material points, points that are held or come in later, walls that move, cells larger than a body.
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
    at_points(stepper, system).or_else(|(what, lacks)| refuse(what, lacks))?;
    one_friction(system).or_else(|(what, lacks)| refuse(what, lacks))?;
    let spacing = grid_spacing(system);
    thick_enough(system, spacing).or_else(|(what, lacks)| refuse(what, lacks))?;
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

/// Whether nodes of a grid with cells of `spacing` [m] see all walls.
fn thick_enough(system: &System, spacing: f64) -> Result<(), (String, &'static str)> {
    for wall in walls::walls(system) {
        let obstacle = &system.obstacles[wall.obstacle as usize];
        let of_surface = system.mesh_obstacles.iter().filter(|surface| surface.obstacle == wall.obstacle).map(|surface| surface.thickness);
        let thick = of_surface.fold(distance::thickness(&obstacle.shape), f64::min);
        if thick < THICK * spacing * (1.0 - ROUNDED) {
            let what = format!("the obstacle `{}`, {thick:.3e} m thick, in a grid with cells of {spacing:.3e} m", obstacle.name);
            let lacks = "points pass through what is thinner than two cells; make it thicker, or \"simulate.grid.spacing\" smaller";
            return Err((what, lacks));
        }
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
