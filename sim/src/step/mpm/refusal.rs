//! What the material point method cannot step.

use super::{bodies, grid_spacing, walls};
use crate::contact::distance;
use crate::math::bounding_box;
use crate::math::splines::Kernel;
use crate::mesh::inside::Inside;
use crate::scene::{GridBodies, Transfer, WallCondition};
use crate::step::Unsupported;
use crate::step::unsupported::no_equalities;
use crate::system::{Attachment, PlacedBody, System};

/// The stepper that takes implicit steps.
pub const IMPLICIT: &str = "mpm_implicit";
/// By so much a cell may be larger than a body and count as equal.
const ROUNDED: f64 = 1e-9;
/// Cells that a wall has to be thick beyond the reach of a point: nodes in one half of it hold off what comes from there.
const HALF: f64 = 0.5;

/// Whether `stepper` can step `system`.
///
/// # Errors
/// [`Unsupported`]: bodies beside material points that do not go one way or have no surface, points that are held or come in later, least squares of linear
/// weights, walls thinner than what nodes see, cells larger than a body.
pub fn needs(stepper: &'static str, system: &System) -> Result<(), Unsupported> {
    let refuse = |what: String, lacks: &'static str| Err(Unsupported { stepper, what, lacks });
    no_equalities(stepper, system)?;
    beside(system).or_else(|(what, lacks)| refuse(what, lacks))?;
    if system.points().is_none() {
        let lacks = "it moves material points, and there are none; give a body \"as\": {\"particles\": {..., \"elastic\": {...}}}, or choose another stepper";
        return refuse("this scene".into(), lacks);
    }
    if system.away().next().is_some() || !system.entrances.is_empty() {
        return refuse("bodies that come in later".into(), "its points are there from the start; leave \"enters_at\" out");
    }
    let of_points = || system.bodies.iter().filter(|body| is_of_points(body));
    if of_points().count() > 1 && !system.contact.between_bodies {
        let lacks =
            "they share one grid, where they push one another; set \"contact.between_bodies\" to true, or give each a scene of its own";
        return refuse("bodies of material points that go through one another".into(), lacks);
    }
    let is_held = |body: &&PlacedBody| {
        let slides = system.slides.iter().any(|(node, _)| body.nodes.contains(&(*node as usize)));
        slides || system.fixed[body.nodes.clone()].contains(&true)
    };
    if let Some(body) = of_points().find(is_held).map(|body| &body.name) {
        let lacks = "points are held by walls at the nodes of the grid, and not by themselves; leave regions of the role \"dirichlet\" out, and put an obstacle there";
        return refuse(format!("the material points of `{body}` in their places"), lacks);
    }
    if system.simulate.grid.kernel == Kernel::Linear && system.simulate.grid.transfer == Transfer::Mls {
        let lacks = "the moment of linear weights is not the same everywhere, and vanishes at the nodes; set \"simulate.grid.transfer\" to \"apic\", \"flip\" or \"pic\", or \"simulate.grid.kernel\" to \"quadratic\"";
        return refuse("the kernel `linear` with the transfer `mls`".into(), lacks);
    }
    at_points(stepper, system).or_else(|(what, lacks)| refuse(what, lacks))?;
    one_friction(system).or_else(|(what, lacks)| refuse(what, lacks))?;
    let spacing = grid_spacing(system);
    thick_enough(system, spacing).or_else(|(what, lacks)| refuse(what, lacks))?;
    for (body, matter) in system.particles() {
        let apart = matter.settings.spacing;
        if is_of_points(body) && apart > spacing * (1.0 + ROUNDED) {
            let what = format!("the points of `{}`, which are {apart:.3e} m apart, on a grid with cells of {spacing:.3e} m", body.name);
            return refuse(
                what,
                "there are cells between them that hold nothing together; set \"simulate.grid.spacing\" to about twice the particles' \"spacing\"",
            );
        }
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

fn is_of_points(body: &PlacedBody) -> bool {
    body.matter.particles().is_some_and(|matter| matter.is_of_points())
}

/// Whether the bodies beside material points can go one way, as they are to.
fn beside(system: &System) -> Result<(), (String, &'static str)> {
    let Some((_, first)) = system.beside_points().next() else { return Ok(()) };
    let is_met = |body: &PlacedBody| body.matter.particles().is_none() && bodies::triangles(body).is_some();
    if let Some((_, body)) = system.beside_points().find(|(_, body)| !is_met(body)) {
        let lacks = "it has no surface, and material points are coupled with no other body; give it tets, cloth or \"as\": {\"particles\": {..., \"elastic\": {...}}}, make it an obstacle, or choose another stepper";
        return Err((format!("the body `{}` beside material points", body.name), lacks));
    }
    if system.simulate.grid.bodies != GridBodies::OneWay {
        let lacks = "it couples material points with no other body; where the body may go its way without feeling the points, set \"simulate.grid.bodies\" to \"one_way\"; else give it \"as\": {\"particles\": {..., \"elastic\": {...}}}, make it an obstacle, or choose another stepper";
        return Err((format!("the body `{}`", first.name), lacks));
    }
    if !system.contact.between_bodies {
        let lacks =
            "\"contact.between_bodies\" is off, and points would go through it; set that to true, or leave \"simulate.grid.bodies\" out";
        return Err((format!("material points off the body `{}`", first.name), lacks));
    }
    if system.touches_at_points() {
        let lacks = "points meet bodies by the nodes of the grid alone; set \"simulate.grid.contact\" to \"grid\"";
        return Err((format!("contact of points with the body `{}`", first.name), lacks));
    }
    let of_points = |node: &u32| system.bodies.iter().any(|body| is_of_points(body) && body.nodes.contains(&(*node as usize)));
    let binds = |attachment: &&Attachment| {
        let span = &attachment.span;
        span.elements.clone().any(|e| system.families[span.family].nodes(e).iter().any(of_points))
    };
    if let Some(attachment) = system.attachments.iter().find(binds) {
        let lacks = "springs would pull at the body, which goes one way; leave regions of the role \"attach\" between the two out";
        return Err((format!("material points at the region `{}`", attachment.region), lacks));
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
    if let Some(binding) = system.obstacles.iter().find(|obstacle| obstacle.wall != WallCondition::default()) {
        let lacks = "barriers only push; leave \"wall\" out there, or set \"simulate.grid.contact\" to \"grid\"";
        return Err((format!("contact at points with `{}`, which they are not to leave", binding.name), lacks));
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
    let cells = system.simulate.grid.kernel.reach() + HALF;
    let seen = |what: String, thick: f64| match thick < cells * spacing * (1.0 - ROUNDED) {
        true => Err((
            format!("{what}, {thick:.3e} m thick, which is less than {cells} cells of {spacing:.3e} m"),
            "points would pass between the nodes that see it; make it thicker, or \"simulate.grid.spacing\" smaller",
        )),
        false => Ok(()),
    };
    // The sides of what is of tets; a sheet of cloth is met on both of its own.
    for (_, body) in system.beside_points().filter(|(_, body)| bodies::triangles(body).is_some_and(|(_, is_sheet)| !is_sheet)) {
        let inside = Inside::new(&body.mesh.positions, &body.mesh.surface);
        seen(format!("the body `{}`", body.name), inside.thickness())?;
    }
    for wall in walls::walls(system) {
        let walls::Of::Obstacle(number) = wall.of else { continue };
        let obstacle = &system.obstacles[number as usize];
        let of_surface = system.mesh_obstacles.iter().filter(|surface| surface.obstacle == number).map(|surface| surface.thickness);
        let thick = of_surface.fold(distance::thickness(&obstacle.shape), f64::min);
        seen(format!("the obstacle `{}`", obstacle.name), thick)?;
    }
    Ok(())
}

/// Whether all points may touch an obstacle or none, with one friction coefficient: nodes of the grid do not know whose points they carry.
fn one_friction(system: &System) -> Result<(), (String, &'static str)> {
    let count = system.points().map_or(0, |points| points.elements.len());
    for wall in walls::walls(system) {
        // Bodies touch bodies alike.
        let walls::Of::Obstacle(number) = wall.of else { continue };
        let of_wall: Vec<f64> = walls::pairs(system).filter(|(_, obstacle, _)| *obstacle == number).map(|(_, _, mu)| mu).collect();
        if of_wall.len() != count || of_wall.iter().any(|friction| *friction != wall.friction) {
            let lacks = "the nodes of its grid do not know whose points they carry; give contact regions to all points and all bodies alike, or to none";
            return Err((format!("points that touch `{}` differently", system.obstacles[number as usize].name), lacks));
        }
    }
    Ok(())
}
