//! Why a problem has no balance, and where: unsupported and hinged components, too little friction, a material that is
//! too soft for the force asked of it.

use std::collections::BTreeMap;

use super::global::{GlobalError, GlobalMatrix, GlobalOptions, solve};
use super::local::Unattained;
use super::parts::Parts;
use super::problem::{BalanceProblem, ContactSite, Forces};
use crate::element::Unattainable;
use crate::linear::NodeMatrixPattern;
use crate::math::Vec3;
use crate::stats::report::{Infeasibility, InfeasibilityCode};
use crate::system::{PlacedBody, System};
use crate::watch::Watch;

/// Indices that a report lists at most.
pub const LISTED: usize = 100;

/// Elements joined through faces.
struct Component<'a> {
    body: &'a PlacedBody,
    number: u32,
    /// Nodes of the system, ascending.
    nodes: Vec<usize>,
}

impl Component<'_> {
    fn infeasibility(&self, system: &System, code: InfeasibilityCode, nodes: &[usize], message: String) -> Infeasibility {
        let listed = if nodes.is_empty() { &self.nodes } else { nodes };
        let middle = listed.iter().map(|&n| system.positions[n]).sum::<Vec3>() / listed.len().max(1) as f64;
        Infeasibility {
            code,
            body: self.body.name.clone(),
            component: self.number as usize,
            indices: listed.iter().take(LISTED).map(|n| n - self.body.nodes.start).collect(),
            place: middle.into(),
            message,
        }
    }
}

fn components(system: &System) -> Vec<Component<'_>> {
    let mut all = Vec::new();
    for body in &system.bodies {
        let count = body.mesh.components.iter().max().map_or(0, |&last| last + 1);
        let mut nodes: Vec<Vec<usize>> = vec![Vec::new(); count as usize];
        for (tet, &component) in body.mesh.tets.iter().zip(&body.mesh.components) {
            nodes[component as usize].extend(tet.iter().map(|&n| body.nodes.start + n as usize));
        }
        for (number, mut nodes) in nodes.into_iter().enumerate() {
            nodes.sort_unstable();
            nodes.dedup();
            all.push(Component { body, number: number as u32, nodes });
        }
    }
    all
}

/// Whether some three of the points span a triangle that is not a sliver.
fn pin_a_body(points: &[Vec3], diagonal: f64) -> bool {
    let Some(first) = points.first() else { return false };
    let far = |a: &&Vec3, b: &&Vec3| (*a - first).norm().total_cmp(&(*b - first).norm());
    let Some(second) = points.iter().max_by(far) else { return false };
    let axis = second - first;
    points.iter().any(|p| axis.cross(&(p - first)).norm() > 1e-9 * diagonal * diagonal)
}

/// Names what is wrong with each component that is out of balance by more than `options.tolerance`.
///
/// # Errors
/// Cancelled.
pub fn diagnose(
    system: &System,
    problem: &BalanceProblem,
    pattern: &NodeMatrixPattern,
    matrix: &GlobalMatrix,
    options: &GlobalOptions,
    forces: &Forces,
    watch: &dyn Watch,
) -> Result<Vec<Infeasibility>, GlobalError> {
    let limit = options.tolerance * problem.largest_load();
    let (all, parts) = (components(system), Parts::of(problem));
    let part_of = |component: &Component| component.nodes.first().map_or(0, |&node| parts.of_node(node));
    let mut found = Vec::new();
    let mut known: BTreeMap<u32, Hold> = BTreeMap::new();
    for component in &all {
        let worst = component.nodes.iter().map(|&n| forces.net[n].norm()).fold(0.0, f64::max);
        if worst <= limit {
            continue;
        }
        let part = part_of(component);
        let fixed: Vec<Vec3> = component.nodes.iter().filter(|&&n| system.fixed[n]).map(|&n| system.positions[n]).collect();
        let sliding = component.nodes.iter().any(|&n| problem.projector(n as u32).is_some());
        let touching: Vec<usize> =
            problem.sites.iter().map(|s| s.nodes[0] as usize).filter(|n| component.nodes.binary_search(n).is_ok()).collect();
        let others = component.body.mesh.components.iter().any(|&c| c != component.number);
        let name = &component.body.name;
        let shown = if others { format!("component {} of body '{name}'", component.number) } else { format!("body '{name}'") };
        let out = format!("{:.2} % of the largest load is out of balance", 100.0 * worst / problem.largest_load());
        let hangs_on_others = all.iter().any(|other| !std::ptr::eq(other, component) && part_of(other) == part);
        let (code, message) = if touching.is_empty() && fixed.is_empty() && !sliding && hangs_on_others {
            (
                InfeasibilityCode::Hinged,
                format!("{shown} hangs on the rest by an edge or a vertex only and can turn freely ({out}); join it by faces in the mesh"),
            )
        } else if touching.is_empty() && fixed.is_empty() && !sliding {
            (
                InfeasibilityCode::Unsupported,
                format!(
                    "nothing holds {shown}: no vertex is fixed and none is within the detection distance of an obstacle ({out}); fix some vertices, or move it onto an obstacle"
                ),
            )
        } else if touching.is_empty() && sliding {
            (
                InfeasibilityCode::Unsupported,
                format!("the planes along which {shown} slides do not hold it ({out}); fix some vertices, or add a plane across the load"),
            )
        } else if touching.is_empty() && !pin_a_body(&fixed, system.diagonal) {
            (
                InfeasibilityCode::Hinged,
                format!(
                    "{shown} is fixed along a line or at a point and can turn about it ({out}); fix at least three vertices that are not in a line"
                ),
            )
        } else if touching.is_empty() {
            (
                InfeasibilityCode::Hinged,
                format!("a part of {shown} cannot be balanced ({out}); look for elements that hang by an edge or a vertex"),
            )
        } else {
            let hold = match known.get(&part) {
                Some(hold) => *hold,
                None => {
                    let (loads, sites) = parts.alone(part, problem);
                    hold_of_contacts(&BalanceProblem { loads: &loads, sites: &sites, ..*problem }, pattern, matrix, options, watch)?
                }
            };
            known.insert(part, hold);
            let contacts = touching.len();
            match hold {
                // Another part failed, and the joint solution went astray with it.
                Hold::AsItIs => continue,
                Hold::WithFriction { now, needed } => (
                    InfeasibilityCode::TooLittleFriction,
                    format!(
                        "{shown} slips: its {contacts} contacts cannot hold it with friction {now:.3} ({out}); it takes a friction coefficient of about {needed:.3}"
                    ),
                ),
                Hold::Never => (
                    InfeasibilityCode::Unsupported,
                    format!(
                        "{shown} is not held by its {contacts} contacts, however much friction they have ({out}): it tips or falls; fix some vertices, add an obstacle, or raise the detection distance"
                    ),
                ),
            }
        };
        found.push(component.infeasibility(system, code, &touching, message));
    }
    Ok(found)
}

/// Whether the contacts of a problem can hold it.
#[derive(Clone, Copy)]
enum Hold {
    AsItIs,
    /// The largest friction coefficient that there is, and the one that it takes.
    WithFriction {
        now: f64,
        needed: f64,
    },
    Never,
}

/// Looks for the least factor (to 2 %) on all friction coefficients, up to 1000, with which the problem is feasible.
fn hold_of_contacts(
    problem: &BalanceProblem,
    pattern: &NodeMatrixPattern,
    matrix: &GlobalMatrix,
    options: &GlobalOptions,
    watch: &dyn Watch,
) -> Result<Hold, GlobalError> {
    let now = problem.sites.iter().map(|s| s.friction).fold(0.0, f64::max);
    // Without any friction there is nothing to scale: ask about hundredths.
    let unit = if now > 0.0 { now } else { 0.01 };
    let feasible = |sites: &[ContactSite]| -> Result<bool, GlobalError> {
        Ok(solve(&BalanceProblem { sites, ..*problem }, pattern, matrix, options, watch)?.residual <= options.tolerance)
    };
    let feasible_by = |factor: f64| {
        let scaled = |s: &ContactSite| ContactSite { friction: factor * if now > 0.0 { s.friction } else { unit }, ..*s };
        feasible(&problem.sites.iter().map(scaled).collect::<Vec<_>>())
    };
    if feasible(problem.sites)? {
        return Ok(Hold::AsItIs);
    }
    let (mut low, mut high) = (1.0, 2.0);
    while !feasible_by(high)? {
        (low, high) = (high, high * 4.0);
        if high > 1000.0 {
            return Ok(Hold::Never);
        }
    }
    while high / low > 1.02 {
        let middle = f64::sqrt(low * high);
        if feasible_by(middle)? { high = middle } else { low = middle }
    }
    Ok(Hold::WithFriction { now, needed: high * unit })
}

/// Elements that are too soft, one entry a body.
pub fn too_soft(system: &System, unattained: &[Unattained]) -> Vec<Infeasibility> {
    let mut found = Vec::new();
    for body in &system.bodies {
        let failed: Vec<&Unattained> = unattained.iter().filter(|u| u.family == 0 && body.elements.contains(&u.element)).collect();
        let Some(first) = failed.first() else { continue };
        let elements: Vec<usize> = failed.iter().map(|u| u.element - body.elements.start).collect();
        let centre = |tet: &[u32; 4]| tet.iter().map(|&n| system.positions[body.nodes.start + n as usize]).sum::<Vec3>() / 4.0;
        let middle = elements.iter().map(|&e| centre(&body.mesh.tets[e])).sum::<Vec3>() / elements.len() as f64;
        let cure = failed.iter().filter_map(|u| u.why.cure()).reduce(f64::max).map_or(String::new(), |factor| {
            let factor = (100.0 * factor).ceil() / 100.0;
            format!(
                "; a Young's modulus {factor:.2} times as large would do, or `initialise.stiffen_up_to` of {factor:.2}, which stiffens only the elements that need it"
            )
        });
        found.push(Infeasibility {
            code: InfeasibilityCode::TooSoft,
            body: body.name.clone(),
            component: body.mesh.components.get(elements[0]).map_or(0, |&c| c as usize),
            indices: elements.iter().copied().take(LISTED).collect(),
            place: middle.into(),
            message: format!(
                "{} elements of body '{}' are too soft for the force asked of them (first: element {}, {}){cure}",
                elements.len(),
                body.name,
                elements[0],
                first.why
            ),
        });
    }
    found
}

/// The least factor on the stiffness with which every element could make its force; `None` if none failed for softness.
pub fn stiffness_factor<'a>(unattained: impl IntoIterator<Item = &'a Unattained>) -> Option<f64> {
    let shares = unattained.into_iter().filter_map(|u| match u.why {
        Unattainable::TooSoft { attainable_share } => Some(attainable_share),
        Unattainable::Degenerate => None,
    });
    shares.reduce(f64::min).filter(|share| *share > 0.0).map(|share| 1.0 / share)
}
