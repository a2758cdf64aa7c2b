//! The rest state of material points: stresses in balance on the grid, then the deformation of each point that makes its stress.

use std::time::Instant;

use super::feasibility;
use super::global::GlobalError;
use super::grid::{Solved, Space, Tikhonov, Wall};
use super::initialise::{Account, InitSeconds, RestState};
use super::local;
use super::problem::Forces;
use super::verdict::{Infeasibility, InfeasibilityCode};
use crate::contact::Balance;
use crate::element::Family;
use crate::element::tet::STRESS_ENTRIES;
use crate::math::{Mat3, Vec3};
use crate::scene::Method;
use crate::step::mpm::{grid_spacing, points::Points, walls};
use crate::system::System;
use crate::watch::Watch;

/// Shares of friction beyond the usual one that are tried where all of it helps, of the way to that.
const MORE: [f64; 2] = [0.5, 0.75];
/// What is left is a matter of friction where more of it leaves less than this share of it.
const HELPS: f64 = 0.1;
/// A friction that holds whatever friction can hold.
const ROUGH: f64 = 10.0;
/// Halvings of the range in which the least friction is sought.
const HALVINGS: usize = 9;
/// Acceleration that is left over that of the loads, as a root mean square, from which on a body has no balance. Below that, and above the
/// tolerance, there are single points that no stress holds.
const FALLS: f64 = 1e-3;

/// Solves for the rest state of the material points of `system` under `loads` on its nodes [N] by `method`; `naive` are its elements in their
/// naive rest states. `None` where it has no material points.
///
/// # Errors
/// As for [`super::initialise::rest_state`].
pub(super) fn rest_state(
    system: &System,
    loads: &[Vec3],
    method: Method,
    naive: impl FnOnce() -> Vec<Box<dyn Family>>,
    watch: &dyn Watch,
) -> Result<Option<RestState>, GlobalError> {
    let Some(points) = Points::of(system) else { return Ok(None) };
    let started = Instant::now();
    watch.progress("global stage", 0.2);
    let of_nodes = |vectors: &[Vec3]| -> Vec<Vec3> { points.nodes.iter().map(|[node]| vectors[*node as usize]).collect() };
    let (x, loads) = (of_nodes(&system.positions), of_nodes(loads));
    let spacing = grid_spacing(system);
    let obstacles = walls::walls(system);
    let present = walls::present(system, &obstacles, 0.0);
    let touching = |node: u32, x: &Vec3| walls::touches(&obstacles, &present, std::iter::once((node, *x)), spacing);
    let held = |x: &Vec3| method == Method::PinnedContacts && !touching(0, x).is_empty();
    let mut families = naive();
    let Some(space) = Space::new(points.elements, &x, &points.masses, spacing, held)? else { return Ok(None) };
    let of_touch = |touch: walls::Touch| Wall { node: touch.node, normal: touch.normal, friction: touch.friction };
    let walls: Vec<Wall> = match method {
        Method::NoContact | Method::PinnedContacts => Vec::new(),
        _ => space.nodes().flat_map(|(node, x)| touching(node, &x)).map(of_touch).collect(),
    };
    let assemble = started.elapsed().as_secs_f64();
    let balance = |walls: &[Wall], share: f64| space.balance(&loads, walls, share, Tikhonov::default(), watch);

    let tolerance = system.initialise.tolerance;
    let usual = system.initialise.friction_fraction;
    let (mut share, mut found) = (usual, balance(&walls, usual)?);
    let rubs = walls.iter().any(|wall| wall.friction > 0.0) && usual < 1.0;
    if rubs && !found.is_held && found.largest > tolerance {
        let full = balance(&walls, 1.0)?;
        let helps = full.largest <= tolerance || full.rms < HELPS * found.rms;
        (share, found) = (1.0, full);
        for more in MORE.into_iter().filter(|_| helps) {
            let between = balance(&walls, usual + (1.0 - usual) * more)?;
            if between.largest <= tolerance {
                (share, found) = (usual + (1.0 - usual) * more, between);
                break;
            }
        }
    }
    let infeasible = if found.largest <= tolerance { Vec::new() } else { vec![diagnosed(system, &points, &found, &walls, &balance)?] };
    watch.check()?;

    watch.progress("local stage", 0.8);
    let fitting = Instant::now();
    let global = (fitting - started).as_secs_f64() - assemble;
    let coordinates = |family: &dyn Family| match family.points() {
        Some(_) => found.stresses.iter().flat_map(entries).collect(),
        None => vec![0.0; family.len() * family.coordinates_per_element()],
    };
    let forces = Forces { coordinates: families.iter().map(|family| coordinates(family.as_ref())).collect(), ..Forces::default() };
    let unattained = local::fit(&mut families, &system.positions, &forces, system.initialise.stiffen_up_to);
    let stiffness_factor = feasibility::stiffness_factor(&unattained).filter(|_| infeasible.is_empty());
    let enough = feasibility::Enough { all: stiffness_factor, bending: None, within_reach: None };
    let too_soft = feasibility::too_soft(system, &unattained, enough);
    let account = Account {
        unattained,
        stiffness_factor,
        infeasible: infeasible.into_iter().chain(too_soft).collect(),
        friction_used: (!walls.is_empty()).then_some(share),
        unknowns: space.unknowns(),
        iterations: found.iterations,
        gap: found.gap,
        gap_reached: found.gap_reached,
        factorisations: found.factorisations,
        nonzeros_in_factor: space.factor_entries(),
        seconds: InitSeconds { assemble, global, local: fitting.elapsed().as_secs_f64(), total: 0.0 },
        ..Account::default()
    };
    let balance = Balance::default();
    Ok(Some(RestState { families, balance, coordinates: forces.coordinates, sites: Vec::new(), site_forces: Vec::new(), account }))
}

/// The six numbers of a symmetric stress [Pa].
fn entries(stress: &Mat3) -> [f64; 6] {
    STRESS_ENTRIES.map(|(row, column)| stress[(row, column)])
}

/// Solves for the stresses with these walls and this share of their friction.
type Balancing<'a> = dyn Fn(&[Wall], f64) -> Result<Solved, GlobalError> + 'a;

/// Why the forces `found` are out of balance. `balance` solves for others.
fn diagnosed(system: &System, points: &Points, found: &Solved, walls: &[Wall], balance: &Balancing) -> Result<Infeasibility, GlobalError> {
    let node = points.nodes.get(found.worst).map_or(0, |[node]| *node as usize);
    let body = system.bodies.iter().find(|body| body.nodes.contains(&node));
    let (name, first) = body.map_or((String::new(), 0), |body| (body.name.clone(), body.nodes.start));
    let tell = |code, message| Infeasibility {
        code,
        body: name.clone(),
        component: 0,
        indices: vec![node - first],
        place: system.positions.get(node).copied().unwrap_or_default().into(),
        message,
        mend: None,
    };
    if walls.is_empty() {
        let message = format!(
            "no balance: no wall reaches a node of the grid at `{name}`, so that nothing carries it; put an obstacle under it, within a cell of its points"
        );
        return Ok(tell(InfeasibilityCode::Unsupported, message));
    }
    let rougher = |least: f64| -> Vec<Wall> { walls.iter().map(|wall| Wall { friction: wall.friction.max(least), ..*wall }).collect() };
    let helps = |solved: &Solved| solved.rms < HELPS * found.rms;
    if !found.is_held && helps(&balance(&rougher(ROUGH), 1.0)?) {
        let (mut low, mut high) = (walls.iter().map(|wall| wall.friction).fold(f64::INFINITY, f64::min), ROUGH);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            if helps(&balance(&rougher(middle), 1.0)?) { high = middle } else { low = middle }
        }
        let message = format!(
            "no balance: walls hold `{name}`, but not with this little friction, which leaves {:.2e} of the acceleration of the loads; a friction coefficient of about {high:.2} would do",
            found.rms
        );
        return Ok(tell(InfeasibilityCode::TooLittleFriction, message));
    }
    if found.rms > FALLS {
        let message = format!(
            "no balance: walls cannot carry `{name}` as it stands: forces that only push leave {:.2e} of the acceleration of the loads; see that walls are under it, and on the sides to which it falls",
            found.rms
        );
        return Ok(tell(InfeasibilityCode::Unsupported, message));
    }
    // A point with two nodes of its own at different heights would need sigma d_1 = sigma d_2 along gravity, which no symmetric stress has.
    let message = format!(
        "no stress holds all points: those that have nodes of the grid to themselves keep up to {:.2e} of the acceleration of the loads, and all together {:.2e} as a root mean square; leave out points that stick out, or take a coarser grid",
        found.largest, found.rms
    );
    Ok(tell(InfeasibilityCode::Undecided, message))
}
