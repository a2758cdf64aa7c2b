//! The rest state of material points: stresses in balance on the grid, then the deformation of each point that makes its stress.

mod case;
mod hydrostatic;
mod setting;
mod strength;
mod verdict;

use std::time::Instant;

use self::case::Case;
use self::setting::Setting;
use self::verdict::{Unbalanced, flowing, held_like_a_solid};
use super::contacts::balanced;
use super::feasibility;
use super::global::GlobalError;
use super::grid::{Held, Wall};
use super::initialise::{Account, InitSeconds, RestState, WallForce};
use super::local;
use super::problem::{ContactSite, Forces};
use crate::element::Family;
use crate::element::tet::STRESS_ENTRIES;
use crate::math::{Mat3, Vec3};
use crate::scene::Method;
use crate::step::mpm::points::Points;
use crate::system::System;
use crate::watch::Watch;

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
    let started = Instant::now();
    let Some(setting) = Setting::new(system, loads, method) else { return Ok(None) };
    let mut families = naive();
    watch.progress("global stage", 0.2);
    let Some(case) = Case::of(&setting)? else { return Ok(None) };
    let assemble = started.elapsed().as_secs_f64();
    let (share, found) = case.with_some_in_hand(watch)?;
    let balances = found.largest <= system.initialise.tolerance;
    let mut infeasible = Vec::new();
    match balances {
        true => infeasible.extend(held_like_a_solid(system, &setting.points, &found)),
        false => infeasible.push(Unbalanced::new(&case, share, &found, watch).diagnosed()?),
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
    // Some without the others would be further out of balance than the given shape is without stresses.
    if !balances && !unattained.is_empty() {
        local::reset(&mut families, system);
    }
    // What flows, or is too soft, under stresses that do not balance need not do so under others; and what flows is not held by more stiffness.
    if infeasible.is_empty()
        && let Some(fitted) = families.iter().find_map(|family| family.points())
    {
        infeasible.extend(flowing(system, &setting.points, &fitted.elements));
    }
    // Neither does more stiffness hold what falls; but for single points of what never yields it is as in balance.
    let may_stiffen = infeasible.is_empty() || !balances && !case.yields() && found.rms <= FALLS && case.strays(&found);
    let stiffness_factor = feasibility::stiffness_factor(&unattained).filter(|_| may_stiffen);
    if may_stiffen {
        let enough = feasibility::Enough { all: stiffness_factor, bending: None, within_reach: None };
        infeasible.extend(feasibility::too_soft(system, &unattained, enough));
    }
    let account = Account {
        gives_way: if balances { Vec::new() } else { at_all_nodes(system, &setting.points, &found.accelerations) },
        unattained,
        stiffness_factor,
        infeasible,
        friction_used: (case.yields() || !case.walls.is_empty()).then_some(share.min(1.0)),
        walls: found.forces.iter().zip(&case.walls).filter(|(_, wall)| matches!(wall.at, Held::Node(_))).map(WallForce::of).collect(),
        unknowns: case.space.unknowns(),
        iterations: found.iterations,
        gap: found.gap,
        gap_reached: found.gap_reached,
        factorisations: found.factorisations,
        nonzeros_in_factor: case.space.factor_entries(),
        seconds: InitSeconds { assemble, global, local: fitting.elapsed().as_secs_f64(), total: 0.0 },
        ..Account::default()
    };
    drop(case);
    let sites: Vec<ContactSite> = setting.sites.into_iter().map(|(_, site)| site).collect();
    // Walls are at nodes or at points, and not at both.
    let site_forces = if sites.is_empty() { Vec::new() } else { found.forces };
    let balance = balanced(&sites, &site_forces);
    Ok(Some(RestState { families, balance, coordinates: forces.coordinates, sites, site_forces, account }))
}

/// Vectors of points as those of all nodes of `system`.
fn at_all_nodes(system: &System, points: &Points, of_points: &[Vec3]) -> Vec<Vec3> {
    let mut of_nodes = vec![Vec3::zeros(); system.positions.len()];
    points.nodes.iter().zip(of_points).for_each(|([node], of_point)| of_nodes[*node as usize] = *of_point);
    of_nodes
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
