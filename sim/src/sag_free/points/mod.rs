//! The rest state of material points: stresses in balance on the grid, then the deformation of each point that makes its stress.

mod verdict;

use std::collections::BTreeSet;
use std::ops::Range;
use std::time::Instant;

use self::verdict::{Case, KEPT_UNTIL, diagnosed, flowing, held_like_a_solid};
use super::contacts::{self, Touching, balanced};
use super::feasibility;
use super::global::GlobalError;
use super::grid::{Held, Shares, Space, Tikhonov, Wall};
use super::initialise::{Account, InitSeconds, RestState, WallForce};
use super::local;
use super::problem::{ContactSite, Forces};
use super::verdict::{Infeasibility, InfeasibilityCode};
use crate::element::tet::STRESS_ENTRIES;
use crate::element::{Family, MaterialPoint};
use crate::math::{Mat3, Vec3};
use crate::scene::Method;
use crate::step::mpm::blocks::Blocks;
use crate::step::mpm::{interpolation, points::Points, walls};
use crate::system::System;
use crate::watch::Watch;

/// Shares of friction beyond the usual one that are tried where all of it helps, of the way to that.
const MORE: [f64; 2] = [0.5, 0.75];
/// More of the friction that is there is taken where all of it leaves less than this share.
const HELPS: f64 = 0.1;
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
    let nodes_by = interpolation(system);
    let obstacles = walls::walls(system);
    let touching =
        |nodes: &[(u32, Vec3)], of: (&[Vec3], &[f64])| -> Vec<walls::Touch> { walls::standing(system, &obstacles, of, nodes, &nodes_by) };
    let cell = |x: &Vec3| [0, 1, 2].map(|axis| (x[axis] / nodes_by.spacing).round() as i32);
    let pinned: BTreeSet<[i32; 3]> = match (method, Blocks::of(&x, nodes_by)) {
        (Method::PinnedContacts, Ok(blocks)) => {
            let nodes: Vec<(u32, Vec3)> = (0..blocks.nodes()).map(|node| (node as u32, blocks.place_of(node))).collect();
            touching(&nodes, (&x, &points.masses)).iter().map(|touch| blocks.cell_of(touch.node as usize)).collect()
        }
        _ => BTreeSet::new(),
    };
    let held = |x: &Vec3| pinned.contains(&cell(x));
    let mut families = naive();
    let body_of = |[node]: &[u32; 1]| system.bodies.iter().position(|body| body.nodes.contains(&(*node as usize))).unwrap_or(0) as u32;
    let bodies: Vec<u32> = points.nodes.iter().map(body_of).collect();
    // What meets points themselves is at many nodes at once, which conjugate gradients do not hold.
    let direct = if system.touches_at_points() { usize::MAX } else { system.initialise.direct_up_to as usize };
    let Some(space) = Space::new(points.elements, (&x, &points.masses), &bodies, nodes_by, held, direct)? else { return Ok(None) };
    let pins = method == Method::PinnedContacts;
    let of_point = |site: ContactSite| {
        let number = site.nodes().find_map(|node| points.nodes.binary_search(&[node]).ok())?;
        Some((number, site))
    };
    // Where points meet obstacles by themselves: sites, each of one point, and its number.
    let sites: Vec<(usize, ContactSite)> = match method {
        _ if !system.touches_at_points() || loads.iter().all(|load| *load == Vec3::zeros()) => Vec::new(),
        Method::NoContact => Vec::new(),
        _ => contacts::find(system).sites.into_iter().filter_map(of_point).collect(),
    };
    // What is pinned is held along the obstacle, too.
    let of_site = |number: usize, site: &ContactSite| Wall {
        at: Held::Point(number as u32),
        normal: site.normal,
        friction: if pins { 1.0 } else { site.friction },
    };
    let touches_of = |space: &Space, of: (&[Vec3], &[f64])| -> Vec<walls::Touch> {
        match method {
            Method::NoContact | Method::PinnedContacts => Vec::new(),
            _ => touching(&space.nodes().collect::<Vec<_>>(), of),
        }
    };
    let of_touch = |touch: &walls::Touch| Wall { at: Held::Node(touch.node), normal: touch.normal, friction: touch.friction };
    let touches = touches_of(&space, (&x, &points.masses));
    let walls: Vec<Wall> = touches.iter().map(of_touch).chain(sites.iter().map(|(number, site)| of_site(*number, site))).collect();
    let by_nodes = touches.iter().filter_map(|touch| match obstacles[touch.wall as usize].of {
        walls::Of::Obstacle(obstacle) => Some(obstacle as usize),
        walls::Of::Body(_) => None,
    });
    let touches_body = touches.iter().any(|touch| matches!(obstacles[touch.wall as usize].of, walls::Of::Body(_)));
    let by_points = sites.iter().filter_map(|(_, site)| match contacts::between(system, site) {
        [_, Touching::Obstacle(obstacle)] | [Touching::Obstacle(obstacle), _] => Some(obstacle),
        _ => None,
    });
    let mut touched: Vec<usize> = by_nodes.chain(by_points).collect();
    touched.sort_unstable();
    touched.dedup();
    let assemble = started.elapsed().as_secs_f64();
    let given = hydrostatic(system, &points, &x, nodes_by.spacing);
    let tolerance = system.initialise.tolerance;
    let is_wet = !given.is_empty();
    let by = |tikhonov| {
        let (space, loads, given) = (&space, &loads, &given);
        move |walls: &[Wall], shares: Shares| space.balance(loads, walls, shares, tikhonov, given, watch)
    };
    let iterated = space.iterated_nodes();
    let yields = points.elements.iter().any(|point| point.yields.is_some());
    let is_iterated = iterated.is_some();
    let (tikhonov, dry) = (regularised(points.elements, is_iterated), of_solids(yields));
    let (balance, sharp) = (by(tikhonov), by(dry));
    let usual = if pins && system.touches_at_points() { f64::INFINITY } else { system.initialise.friction_fraction };
    let (mut share, mut found) = (usual, balance(&walls, Shares::of_all(usual))?);
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
    let mut infeasible = Vec::new();
    if found.largest > tolerance {
        let least = if is_wet && iterated.is_none() { sharp(&walls, Shares::of_all(share))?.rms } else { found.rms };
        let of_some = |some: &[usize]| {
            let elements: Vec<MaterialPoint> = some.iter().map(|&p| points.elements[p].clone()).collect();
            let of = |vectors: &[Vec3]| -> Vec<Vec3> { some.iter().map(|&p| vectors[p]).collect() };
            let (masses, bodies): (Vec<f64>, Vec<u32>) = some.iter().map(|&p| (points.masses[p], bodies[p])).unzip();
            let Some(space) = Space::new(&elements, (&of(&x), &masses), &bodies, nodes_by, held, direct)? else { return Ok(None) };
            let of_these = sites.iter().filter_map(|(number, site)| Some(of_site(some.binary_search(number).ok()?, site)));
            let walls: Vec<Wall> = touches_of(&space, (&of(&x), &masses)).iter().map(of_touch).chain(of_these).collect();
            space.balance(&of(&loads), &walls, Shares::of_all(share), dry, &[], watch).map(Some)
        };
        let keeping = |of: &Range<usize>| {
            let kept = |(point, [node]): (&MaterialPoint, &[u32; 1])| match of.contains(&(*node as usize)) {
                true => point.keeping(KEPT_UNTIL),
                false => point.clone(),
            };
            let elements: Vec<MaterialPoint> = points.elements.iter().zip(points.nodes).map(kept).collect();
            let Some(space) = Space::new(&elements, (&x, &points.masses), &bodies, nodes_by, held, direct)? else { return Ok(None) };
            space.balance(&loads, &walls, Shares::of_all(share), regularised(&elements, is_iterated), &given, watch).map(Some)
        };
        let case = Case {
            of_some: &of_some,
            keeping: &keeping,
            system,
            points: &points,
            walls: &walls,
            touched: &touched,
            touches_body,
            balance: &balance,
            least,
            iterated,
        };
        infeasible.push(diagnosed(&case, &found)?);
    } else {
        infeasible.extend(held_like_a_solid(system, &points, &found));
    }
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
    // What is too soft for stresses that hold nothing need not be so for others.
    // Nor for those that iterations ended with.
    let is_known = |why: &Infeasibility| why.code == InfeasibilityCode::Undecided && iterated.is_none();
    if infeasible.iter().all(is_known) {
        infeasible.extend(feasibility::too_soft(system, &unattained, enough));
    }
    if infeasible.is_empty()
        && unattained.is_empty()
        && let Some(fitted) = families.iter().find_map(|family| family.points())
    {
        infeasible.extend(flowing(system, &points, &fitted.elements));
    }
    let account = Account {
        gives_way: if found.largest > tolerance { at_all_nodes(system, &points, &found.accelerations) } else { Vec::new() },
        unattained,
        stiffness_factor,
        infeasible,
        friction_used: (yields || !walls.is_empty()).then_some(share.min(1.0)),
        walls: found.forces.iter().zip(&walls).filter(|(_, wall)| matches!(wall.at, Held::Node(_))).map(WallForce::of).collect(),
        unknowns: space.unknowns(),
        iterations: found.iterations,
        gap: found.gap,
        gap_reached: found.gap_reached,
        factorisations: found.factorisations,
        nonzeros_in_factor: space.factor_entries(),
        seconds: InitSeconds { assemble, global, local: fitting.elapsed().as_secs_f64(), total: 0.0 },
        ..Account::default()
    };
    let sites: Vec<ContactSite> = sites.into_iter().map(|(_, site)| site).collect();
    // Walls are at nodes or at points, and not at both.
    let site_forces = if sites.is_empty() { Vec::new() } else { found.forces };
    let balance = balanced(&sites, &site_forces);
    Ok(Some(RestState { families, balance, coordinates: forces.coordinates, sites, site_forces, account }))
}

fn of_solids(yields: bool) -> Tikhonov {
    if yields { Tikhonov::YIELDING } else { Tikhonov::ELASTIC }
}

/// How the balance of such points is regularised.
fn regularised(elements: &[MaterialPoint], is_iterated: bool) -> Tikhonov {
    let liquids = || elements.iter().filter(|point| point.material.liquid().is_some());
    match (is_iterated, liquids().next().is_some()) {
        (true, true) => Tikhonov::ITERATED_WET,
        (true, false) => Tikhonov::ITERATED,
        (false, true) if liquids().all(|point| point.kept.is_some()) => Tikhonov::KEPT,
        (false, true) => Tikhonov::WET,
        (false, false) => of_solids(elements.iter().any(|point| point.yields.is_some())),
    }
}

/// Vectors of points as those of all nodes of `system`.
fn at_all_nodes(system: &System, points: &Points, of_points: &[Vec3]) -> Vec<Vec3> {
    let mut of_nodes = vec![Vec3::zeros(); system.positions.len()];
    points.nodes.iter().zip(of_points).for_each(|([node], of_point)| of_nodes[*node as usize] = *of_point);
    of_nodes
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
    fn of((force, wall): (&Vec3, &Wall)) -> Self {
        let normal_force = wall.normal.dot(force);
        Self { normal_force, friction_force: force - normal_force * wall.normal, friction: wall.friction }
    }
}

/// The six numbers of a symmetric stress [Pa].
fn entries(stress: &Mat3) -> [f64; 6] {
    STRESS_ENTRIES.map(|(row, column)| stress[(row, column)])
}
