//! The rest state of material points: stresses in balance on the grid, then the deformation of each point that makes its stress.

use std::cmp::Ordering;
use std::time::Instant;

use super::feasibility::{self, advised};
use super::global::GlobalError;
use super::grid::{Shares, Solved, Space, Tikhonov, Wall};
use super::initialise::{Account, InitSeconds, RestState, WallForce};
use super::local;
use super::problem::Forces;
use super::verdict::{Infeasibility, InfeasibilityCode};
use crate::contact::Balance;
use crate::element::Family;
use crate::element::tet::STRESS_ENTRIES;
use crate::math::{Mat3, Vec3};
use crate::scene::{Mend, Method};
use crate::step::mpm::{grid_spacing, points::Points, walls};
use crate::system::System;
use crate::watch::Watch;

/// Shares of friction beyond the usual one that are tried where all of it helps, of the way to that.
const MORE: [f64; 2] = [0.5, 0.75];
/// More of the friction that is there is taken where all of it leaves less than this share.
const HELPS: f64 = 0.1;
/// What is left is a matter of friction where any amount of it would leave less than this share.
const MATTERS: f64 = 0.5;
/// A friction that holds whatever friction can hold.
const ROUGH: f64 = 10.0;
/// So many times the strength of a material that yields is as good as no limit; so many times more is tried at a time, and what is enough sought
/// by so many halvings.
const STRONG: f64 = 100.0;
const STRONGER: f64 = 1.3;
const FEW_HALVINGS: usize = 3;
/// So many times the friction is tried at a time, from so little on, and what is enough sought by so many halvings.
const ROUGHER: f64 = 1.5;
const LEAST_ROUGH: f64 = 0.02;
const HALVINGS: usize = 5;
/// Acceleration that is left over that of the loads, as a root mean square, from which on a body has no balance. Below that, and above the
/// tolerance, there are single points that no stress holds.
const FALLS: f64 = 1e-3;

/// Of liquids nothing but changes of volume costs anything: with less regularisation pressures would follow every disorder of the points.
const WET: Tikhonov = Tikhonov { rho: 1e-6, falls: 1.0, rounds: 3 };

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
    let mut touched: Vec<u32> = space.nodes().flat_map(|(node, x)| touching(node, &x)).map(|touch| touch.wall).collect();
    touched.sort_unstable();
    touched.dedup();
    let touched: Vec<usize> = touched.iter().map(|wall| obstacles[*wall as usize].obstacle as usize).collect();
    let assemble = started.elapsed().as_secs_f64();
    let given = hydrostatic(system, &points, &x, spacing);
    let tikhonov = if is_wet(&points) { WET } else { Tikhonov::default() };
    let balance = |walls: &[Wall], shares: Shares| space.balance(&loads, walls, shares, tikhonov, &given, watch);

    let tolerance = system.initialise.tolerance;
    let usual = system.initialise.friction_fraction;
    let (mut share, mut found) = (usual, balance(&walls, Shares::of_all(usual))?);
    let yields = points.elements.iter().any(|point| point.yields.is_some());
    let rubs = (yields || walls.iter().any(|wall| wall.friction > 0.0)) && usual < 1.0;
    // Of what yields there are single points that nothing presses, and no strength holds them.
    let is_wanting = if yields { found.rms > FALLS } else { found.largest > tolerance };
    if rubs && !found.is_held && is_wanting {
        let full = balance(&walls, Shares::of_all(1.0))?;
        let helps = full.largest <= tolerance || full.rms < HELPS * found.rms;
        (share, found) = (1.0, full);
        for more in MORE.into_iter().filter(|_| helps) {
            let between = balance(&walls, Shares::of_all(usual + (1.0 - usual) * more))?;
            if between.largest <= tolerance {
                (share, found) = (usual + (1.0 - usual) * more, between);
                break;
            }
        }
    }
    let infeasible =
        if found.largest <= tolerance { Vec::new() } else { vec![diagnosed(system, &points, &found, (&walls, &touched), &balance)?] };
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
        friction_used: (yields || !walls.is_empty()).then_some(share),
        walls: found.forces.iter().zip(&walls).map(|(force, wall)| WallForce::of(force, wall)).collect(),
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

/// Whether there is a liquid.
fn is_wet(points: &Points) -> bool {
    points.elements.iter().any(|point| point.material.liquid().is_some())
}

/// Stresses of liquids under what stands above them in their bodies [Pa], by the numbers of the points; empty without liquids.
fn hydrostatic(system: &System, points: &Points, x: &[Vec3], spacing: f64) -> Vec<Mat3> {
    let is_liquid = |p: usize| points.elements[p].material.liquid().is_some();
    if !(0..x.len()).any(is_liquid) {
        return Vec::new();
    }
    let mut stresses = vec![Mat3::zeros(); x.len()];
    for body in &system.bodies {
        let own = |p: &usize| body.nodes.contains(&(points.nodes[*p][0] as usize)) && is_liquid(*p);
        let down = |p: usize| system.gravity.dot(&x[p]);
        let top = (0..x.len()).filter(own).map(down).fold(f64::INFINITY, f64::min) - 0.25 * spacing * system.gravity.norm();
        for p in (0..x.len()).filter(own) {
            let density = points.masses[p] / points.elements[p].volume;
            stresses[p] = Mat3::from_diagonal_element(-density * (down(p) - top));
        }
    }
    stresses
}

impl WallForce {
    /// Of this force [N].
    fn of(force: &Vec3, wall: &Wall) -> Self {
        let normal_force = wall.normal.dot(force);
        Self { normal_force, friction_force: force - normal_force * wall.normal, friction: wall.friction }
    }
}

/// The six numbers of a symmetric stress [Pa].
fn entries(stress: &Mat3) -> [f64; 6] {
    STRESS_ENTRIES.map(|(row, column)| stress[(row, column)])
}

/// Solves for the stresses with these walls and shares.
type Balancing<'a> = dyn Fn(&[Wall], Shares) -> Result<Solved, GlobalError> + 'a;

/// Why the forces `found` are out of balance, with walls of the obstacles `touched`. `balance` solves for others.
fn diagnosed(
    system: &System,
    points: &Points,
    found: &Solved,
    (walls, touched): (&[Wall], &[usize]),
    balance: &Balancing,
) -> Result<Infeasibility, GlobalError> {
    let yields = points.elements.iter().any(|point| point.yields.is_some());
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
    if is_wet(points) {
        let message = format!(
            "no balance: no pressures hold `{name}` as it is given; the best leave up to {:.2e} of the acceleration of the loads, and {:.2e} as a root mean square. A liquid is in balance as a lattice of half a cell's spacing, with a level surface, between walls along the grid",
            found.largest, found.rms
        );
        return Ok(tell(InfeasibilityCode::Disordered, message));
    }
    let full = Shares::of_all(1.0);
    let stronger = |factor: f64| Shares { strength: factor, ..full };
    let stands = |factor: f64| Ok::<bool, GlobalError>(balance(walls, stronger(factor))?.rms <= FALLS);
    if yields && !found.is_held && found.rms > FALLS && stands(STRONG)? {
        let (mut low, mut high) = (1.0, STRONGER);
        while high < STRONG && !stands(high)? {
            (low, high) = (high, STRONGER * high);
        }
        for _ in 0..FEW_HALVINGS {
            let middle = 0.5 * (low + high);
            if stands(middle)? { high = middle } else { low = middle }
        }
        let message = format!(
            "no balance: `{name}` flows under the loads, and {:.2e} of their acceleration is left; it would stand with {}",
            found.rms,
            enough(points, high)
        );
        return Ok(tell(InfeasibilityCode::Yields, message));
    }
    let rougher = |least: f64| -> Vec<Wall> { walls.iter().map(|wall| Wall { friction: wall.friction.max(least), ..*wall }).collect() };
    if !found.is_held && (!yields || found.rms > FALLS) {
        let rough = balance(&rougher(ROUGH), full)?;
        if rough.rms < MATTERS * found.rms {
            // As much as leaves no more than all friction does, but for what is as good as nothing.
            let enough = (1.2 * rough.rms).max(system.initialise.tolerance);
            let holds = |least: f64| Ok::<bool, GlobalError>(balance(&rougher(least), full)?.rms <= enough);
            let mut low = walls.iter().map(|wall| wall.friction).fold(f64::INFINITY, f64::min);
            let mut high = (ROUGHER * low).max(LEAST_ROUGH);
            while high < ROUGH && !holds(high)? {
                (low, high) = (high, ROUGHER * high);
            }
            for _ in 0..HALVINGS {
                let middle = 0.5 * (low + high);
                if holds(middle)? { high = middle } else { low = middle }
            }
            let coefficient = advised(high.min(ROUGH));
            let message = format!(
                "no balance: walls hold `{name}`, but not with this little friction, which leaves {:.2e} of the acceleration of the loads; a friction coefficient of about {coefficient} would do",
                found.rms
            );
            let bodies = system.bodies.iter().enumerate().filter(|(_, body)| body.matter.particles().is_some());
            let mend = Mend::Friction {
                obstacles: touched.to_vec(),
                bodies: bodies.map(|(place, _)| place).collect(),
                among_bodies: false,
                coefficient,
            };
            return Ok(Infeasibility { mend: Some(mend), ..tell(InfeasibilityCode::TooLittleFriction, message) });
        }
    }
    if found.rms > FALLS && yields && !found.is_held {
        let message = format!(
            "no balance: neither more strength of `{name}` nor more friction of the walls would hold it alone; {:.2e} of the acceleration of the loads is left",
            found.rms
        );
        return Ok(tell(InfeasibilityCode::Unsupported, message));
    }
    if found.rms > FALLS {
        let message = format!(
            "no balance: walls cannot carry `{name}` as it stands: forces that only push leave {:.2e} of the acceleration of the loads; see that walls are under it, and on the sides to which it falls",
            found.rms
        );
        return Ok(tell(InfeasibilityCode::Unsupported, message));
    }
    let message = if yields {
        format!(
            "no stress holds all points: those that nothing presses, at the surface, keep up to {:.2e} of the acceleration of the loads, and all together {:.2e} as a root mean square; they will trickle",
            found.largest, found.rms
        )
    } else {
        // A point with two nodes of its own at different heights would need sigma d_1 = sigma d_2 along gravity, which no symmetric stress has.
        format!(
            "no stress holds all points: those that have nodes of the grid to themselves keep up to {:.2e} of the acceleration of the loads, and all together {:.2e} as a root mean square; leave out points that stick out, or take a coarser grid",
            found.largest, found.rms
        )
    };
    Ok(tell(InfeasibilityCode::Undecided, message))
}

/// What makes the points that yield so many times as strong, in words.
fn enough(points: &Points, factor: f64) -> String {
    let surfaces = points.elements.iter().filter_map(|point| point.yields);
    let weakest = surfaces.min_by(|a, b| (a.slope, a.size).partial_cmp(&(b.slope, b.size)).unwrap_or(Ordering::Equal));
    match weakest {
        Some(surface) if surface.slope > 0.0 && surface.size == 0.0 => match surface.shared(factor).friction_angle() {
            Some(angle) => format!("an angle of friction of about {angle:.1} degrees"),
            None => "some cohesion alone".into(),
        },
        Some(surface) if surface.slope == 0.0 => format!("a yield stress of about {:.3e} Pa", surface.shared(factor).yield_stress()),
        _ => format!("about {factor:.2} times the strength"),
    }
}
