//! Why a problem has no balance, and where: unsupported and hinged components, too little friction, a material that is
//! too soft for the force asked of it.

mod component;
mod hold;
mod mechanism;
mod only_pulls;
mod something_below;
mod stiff_enough;
mod too_soft;

pub use self::stiff_enough::stiff_enough_to_bend;
pub use self::too_soft::{Enough, stiffness_factor, too_soft};

use std::collections::{BTreeMap, BTreeSet};

use self::component::Component;
use self::hold::{Friction, FrictionSearch, Hold};
use self::mechanism::mechanism;
use self::only_pulls::only_pulls;
use self::something_below::something_below;
use super::contacts::{Touching, between};
use super::global::GlobalError;
use super::parts::Parts;
use super::problem::{BalanceProblem, ContactSite, Forces};
use super::rigid::Rigid;
use crate::math::Vec3;
use crate::math::rigid::triangle;
use crate::sag_free::verdict::{Infeasibility, InfeasibilityCode};
use crate::scene::Mend;
use crate::system::System;
use crate::watch::Watch;

/// Indices that a report lists at most.
pub const LISTED: usize = 100;

/// How much more friction is advised than rigid bodies need: at the very least, forces are at the edge of all cones, where they are
/// found only to few digits.
const IN_HAND: f64 = 1.01;

/// Area of a triangle over the square of the diagonal from which on three points hold a body in every way.
const LEAST_TRIANGLE: f64 = 1e-9;

/// Whether some three of the points span a triangle.
fn pin_a_body(points: &[Vec3], diagonal: f64) -> bool {
    let [side, height] = triangle(points);
    side * height > LEAST_TRIANGLE * diagonal * diagonal
}

/// What [`diagnose`] looks at.
pub struct Diagnosis<'a> {
    /// The system.
    pub system: &'a System,
    /// Its problem, with all loads and all friction.
    pub problem: &'a BalanceProblem<'a>,
    /// The parts of the problem.
    pub parts: &'a Parts,
    /// Largest residual that counts as balance.
    pub tolerance: f64,
}

/// A component that is out of balance.
struct Case<'a> {
    component: &'a Component<'a>,
    /// What hangs together and touches.
    group: u32,
    /// How many contacts it has.
    contacts: usize,
    /// Its nodes that touch something, ascending.
    touching: Vec<usize>,
    /// How much is out of balance, in words.
    out: String,
}

impl<'a> Case<'a> {
    fn of(component: &'a Component<'a>, diagnosis: &Diagnosis, forces: &Forces) -> Option<Self> {
        let Diagnosis { problem, parts, tolerance, .. } = *diagnosis;
        let worst = component.nodes.iter().map(|&n| forces.net[n].norm()).fold(0.0, f64::max);
        if worst <= tolerance * problem.largest_load() {
            return None;
        }
        let group = parts.group_of(component.nodes[0]);
        let out = out_of_balance(worst / problem.largest_load());
        let mut case = Self { component, group, contacts: 0, touching: Vec::new(), out };
        case.contacts = case.sites(problem).count();
        case.touching = case.sites(problem).flat_map(|site| nodes_of(site, component)).collect();
        case.touching.sort_unstable();
        case.touching.dedup();
        Some(case)
    }

    fn sites<'p>(&self, problem: &'p BalanceProblem) -> impl Iterator<Item = &'p ContactSite> {
        problem.sites.iter().filter(|site| site.nodes().any(|node| self.component.has(node)))
    }

    /// What is wrong where neither it nor what it touches has a support; `hangs`: whether it hangs on others.
    fn nothing_holds(&self, diagnosis: &Diagnosis, hangs: bool) -> Option<Infeasibility> {
        let Diagnosis { system, problem, parts, tolerance } = *diagnosis;
        let Self { component, contacts, out, .. } = self;
        if parts.is_held(self.group) {
            return None;
        }
        if *contacts > 0 {
            let (shown, others) = (component.shown(), others_at(system, problem, component));
            let message = format!(
                "nothing holds {shown}: it touches {others}, which nothing holds either ({out}); fix some vertices, or move them onto an obstacle"
            );
            return Some(component.infeasibility(system, InfeasibilityCode::Unsupported, &self.touching, message));
        }
        let load: Vec3 = component.nodes.iter().map(|&n| problem.loads[n]).sum();
        (!hangs && load.norm() > tolerance * problem.largest_load()).then(|| {
            let (code, message) = untouched(system, problem, component, hangs, out);
            let mend = (code == InfeasibilityCode::Unsupported).then(|| something_below(system, parts, component, &load)).flatten();
            Infeasibility { mend, ..component.infeasibility(system, code, &self.touching, message) }
        })
    }

    /// What its elements cannot carry to any support.
    fn collapses(&self, diagnosis: &Diagnosis, forces: &Forces) -> Option<Infeasibility> {
        let Diagnosis { system, problem, .. } = *diagnosis;
        let Self { component, out, .. } = self;
        if !component.body.mesh.is_open() {
            return None;
        }
        let pulls = || (self.contacts == 0).then(|| only_pulls(system, problem, component, forces, out)).flatten();
        mechanism(system, problem, component, forces, out).or_else(pulls)
    }
}

/// Names what is wrong with each component that is out of balance.
///
/// # Errors
/// Cancelled.
pub fn diagnose(diagnosis: Diagnosis, forces: &Forces, watch: &dyn Watch) -> Result<Vec<Infeasibility>, GlobalError> {
    let Diagnosis { system, problem, parts, .. } = diagnosis;
    let all = Component::all(system);
    let part_of = |component: &Component| component.nodes.first().map_or(0, |&node| parts.of_node(node));
    let mut found = Vec::new();
    let mut known: BTreeMap<u32, Hold> = BTreeMap::new();
    let mut rigid: Option<Rigid> = None;
    let cases: Vec<Case> = all.iter().filter_map(|component| Case::of(component, &diagnosis, forces)).collect();
    let hangs = |case: &Case| all.iter().any(|other| !std::ptr::eq(other, case.component) && part_of(other) == part_of(case.component));
    let nothing_holds: Vec<Option<Infeasibility>> = cases.iter().map(|case| case.nothing_holds(&diagnosis, hangs(case))).collect();
    // Elements without volume carry some loads and no others, held as they may be.
    let collapses =
        |(case, known): (&Case, &Option<Infeasibility>)| if known.is_none() { case.collapses(&diagnosis, forces) } else { None };
    let collapsing: Vec<Option<Infeasibility>> = cases.iter().zip(&nothing_holds).map(collapses).collect();
    let fallen: BTreeSet<u32> =
        cases.iter().zip(&collapsing).filter(|(_, collapse)| collapse.is_some()).map(|(case, _)| case.group).collect();
    for ((case, nothing_holds), collapsing) in cases.iter().zip(nothing_holds).zip(collapsing) {
        if let Some(shown) = nothing_holds.or(collapsing) {
            found.push(shown);
            continue;
        }
        let Case { component, group, contacts, ref touching, ref out } = *case;
        let shown = component.shown();
        // Contacts and supports were asked for what no element takes to them.
        if fallen.contains(&group) {
            let message = format!(
                "whether {shown} is held was not decided ({out}): something that it touches or is joined to cannot carry its own load; mend that first"
            );
            found.push(component.infeasibility(system, InfeasibilityCode::Undecided, touching, message));
            continue;
        }
        if parts.is_anchored(group) {
            let message = format!("whether {shown} is held was not decided ({out}): elements hold it that are no supports");
            found.push(component.infeasibility(system, InfeasibilityCode::Undecided, touching, message));
            continue;
        }
        let is_first = !known.contains_key(&group);
        if is_first {
            let hold = match rigid.get_or_insert_with(|| Rigid::new(problem, parts)).group(group) {
                Some(group) => FrictionSearch { system, problem, group: &group, watch }.hold()?,
                None => Hold::TooLarge,
            };
            known.insert(group, hold);
        }
        let Some(hold) = known.get(&group) else { continue };
        let (code, message) = match hold {
            Hold::AsItIs => (
                InfeasibilityCode::Undecided,
                format!(
                    "the forces that hold {shown} were not found ({out}), although its supports can hold it: the numbers do not carry that far; look for slivers, and for stiffnesses far apart"
                ),
            ),
            // Of what hangs by a line that it can turn about, next to nothing is out of balance; it is the turning all the same.
            Hold::Open(_) if contacts == 0 && hangs_by_a_line(system, problem, component) => {
                untouched(system, problem, component, hangs(case), out)
            }
            Hold::Open(share) => (
                InfeasibilityCode::Undecided,
                format!(
                    "whether {shown} is held is too close to call ({out}, and {share:.0e} of its load were it rigid); move it off the edge of what holds it, or change the friction a little"
                ),
            ),
            Hold::TooLarge => (
                InfeasibilityCode::Undecided,
                format!("whether {shown} is held was not decided ({out}): it hangs together with more pieces than are looked at"),
            ),
            Hold::Never | Hold::WithFriction(_) if contacts == 0 => untouched(system, problem, component, hangs(case), out),
            // Both sides are out of balance, for one reason.
            Hold::WithFriction(Friction { slipping: Some(_), .. }) if !is_first => continue,
            Hold::WithFriction(Friction { slipping: Some(pair), now, needed }) => {
                found.push(slipping((system, problem), &all, *pair, (*now, *needed), out));
                continue;
            }
            Hold::WithFriction(Friction { slipping: None, now, needed }) => (
                InfeasibilityCode::TooLittleFriction,
                format!(
                    "{shown} slips: its {contacts} contacts cannot hold it with friction {now:.3} ({out}); it takes a friction coefficient of about {:.3}",
                    advised(*needed)
                ),
            ),
            Hold::Never if all.iter().any(|other| parts.group_of(other.nodes[0]) == group && part_of(other) != part_of(component)) => (
                InfeasibilityCode::Unsupported,
                format!(
                    "{shown}, with what it touches or is joined to, is not held by contacts, however much friction they have ({out}): something of it tips or falls; fix some vertices, or add an obstacle"
                ),
            ),
            Hold::Never => (
                InfeasibilityCode::Unsupported,
                format!(
                    "{shown} is not held by its {contacts} contacts, however much friction they have ({out}): it tips or falls; fix some vertices, or add an obstacle"
                ),
            ),
        };
        let mend = match hold {
            Hold::WithFriction(Friction { slipping: None, needed, .. }) if code == InfeasibilityCode::TooLittleFriction => {
                let sides = case.sites(problem).map(|site| between(system, site));
                Some(more_friction(sides, *needed))
            }
            _ => None,
        };
        found.push(Infeasibility { mend, ..component.infeasibility(system, code, touching, message) });
    }
    Ok(found)
}

/// Whether all that holds a component are fixed points in one line.
fn hangs_by_a_line(system: &System, problem: &BalanceProblem, component: &Component) -> bool {
    let fixed: Vec<Vec3> = component.nodes.iter().filter(|&&n| system.fixed[n]).map(|&n| system.positions[n]).collect();
    let sliding = component.nodes.iter().any(|&n| problem.projector(n as u32).is_some());
    !fixed.is_empty() && !sliding && !pin_a_body(&fixed, system.diagonal)
}

/// What is wrong with a component that touches nothing.
fn untouched(
    system: &System,
    problem: &BalanceProblem,
    component: &Component,
    hangs_on_others: bool,
    out: &str,
) -> (InfeasibilityCode, String) {
    let shown = component.shown();
    let fixed: Vec<Vec3> = component.nodes.iter().filter(|&&n| system.fixed[n]).map(|&n| system.positions[n]).collect();
    let sliding = component.nodes.iter().any(|&n| problem.projector(n as u32).is_some());
    if fixed.is_empty() && !sliding && hangs_on_others {
        (
            InfeasibilityCode::Hinged,
            format!("{shown} hangs on the rest by an edge or a vertex only and can turn freely ({out}); join it by faces in the mesh"),
        )
    } else if fixed.is_empty() && !sliding {
        (
            InfeasibilityCode::Unsupported,
            format!(
                "nothing holds {shown}: no vertex is fixed and none is within the detection distance of an obstacle ({out}); fix some vertices, or move it onto an obstacle"
            ),
        )
    } else if sliding {
        (
            InfeasibilityCode::Unsupported,
            format!("the planes along which {shown} slides do not hold it ({out}); fix some vertices, or add a plane across the load"),
        )
    } else if !pin_a_body(&fixed, system.diagonal) {
        (
            InfeasibilityCode::Hinged,
            format!(
                "{shown} is fixed along a line or at a point and can turn about it ({out}); fix at least three vertices that are not in a line"
            ),
        )
    } else {
        (
            InfeasibilityCode::Hinged,
            format!("a part of {shown} cannot be balanced ({out}); look for elements that hang by an edge or a vertex"),
        )
    }
}

/// The friction coefficient that is advised where rigid bodies take `needed`, rounded up to the digits that are told.
pub(super) fn advised(needed: f64) -> f64 {
    (1000.0 * IN_HAND * needed).ceil() / 1000.0
}

/// So much more friction between what touches.
fn more_friction(sides: impl Iterator<Item = [Touching; 2]>, needed: f64) -> Mend {
    let (mut obstacles, mut bodies, mut among_bodies) = (Vec::new(), Vec::new(), false);
    for pair in sides {
        among_bodies |= pair.iter().all(|side| matches!(side, Touching::Body(_)));
        for side in pair {
            match side {
                Touching::Body(body) => bodies.push(body),
                Touching::Obstacle(obstacle) => obstacles.push(obstacle),
            }
        }
    }
    for list in [&mut obstacles, &mut bodies] {
        list.sort_unstable();
        list.dedup();
    }
    Mend::Friction { obstacles, bodies, among_bodies, coefficient: advised(needed) }
}

/// Too little friction between two that touch, reported at the first body's component there: which of the two moves is a matter of how soft
/// they are.
fn slipping(
    (system, problem): (&System, &BalanceProblem),
    all: &[Component],
    [first, second]: [Touching; 2],
    (now, needed): (f64, f64),
    out: &str,
) -> Infeasibility {
    let is_theirs = |site: &&ContactSite| {
        let pair = between(system, site);
        pair == [first, second] || pair == [second, first]
    };
    let sites: Vec<&ContactSite> = problem.sites.iter().filter(is_theirs).collect();
    let place = sites.iter().map(|site| site.point).sum::<Vec3>() / sites.len().max(1) as f64;
    let is_there = |component: &&Component| sites.iter().any(|site| !nodes_of(site, component).is_empty());
    let message = format!(
        "{} slips on {}: the {} contacts between them cannot hold it with friction {now:.3} ({out}); it takes a friction coefficient of about {:.3}",
        first.shown(system),
        second.shown(system),
        sites.len(),
        advised(needed)
    );
    let code = InfeasibilityCode::TooLittleFriction;
    let mend = Some(more_friction(std::iter::once([first, second]), needed));
    match all.iter().find(is_there) {
        Some(component) => {
            let mut nodes: Vec<usize> = sites.iter().flat_map(|site| nodes_of(site, component)).collect();
            nodes.sort_unstable();
            nodes.dedup();
            Infeasibility { place: place.into(), mend, ..component.infeasibility(system, code, &nodes, message) }
        }
        None => Infeasibility { code, body: String::new(), component: 0, indices: Vec::new(), place: place.into(), message, mend },
    }
}

/// The nodes of a site that belong to a component.
fn nodes_of(site: &ContactSite, component: &Component) -> Vec<usize> {
    site.nodes().filter(|&node| component.has(node)).map(|node| node as usize).collect()
}

/// The bodies and obstacles that a component touches, in words.
fn others_at(system: &System, problem: &BalanceProblem, component: &Component) -> String {
    let here = problem.sites.iter().filter(|site| !nodes_of(site, component).is_empty());
    let mut names: Vec<String> = here
        .flat_map(|site| between(system, site))
        .filter(|side| !matches!(side, Touching::Body(body) if std::ptr::eq(&system.bodies[*body], component.body)))
        .map(|side| side.shown(system))
        .collect();
    names.sort_unstable();
    names.dedup();
    if names.is_empty() { "nothing but itself".into() } else { names.join(" and ") }
}

/// This share of the largest load, in words that neither round it to nothing nor speak of thousands of percent.
pub(crate) fn out_of_balance(share: f64) -> String {
    let size = match share {
        share if share >= 1.0 => format!("{share:.1} times the largest load"),
        share if share >= 1e-3 => format!("{:.2} % of the largest load", 100.0 * share),
        share => format!("{share:.1e} of the largest load"),
    };
    format!("{size} is out of balance")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::math::random::Random;

    #[test]
    fn what_is_out_of_balance_is_told_in_numbers_that_say_something() {
        let mut random = Random::new(4);
        for _ in 0..1000 {
            let share = 10f64.powf(random.uniform(-9.0, 4.0));
            let told = out_of_balance(share);
            let number: f64 = told.split(' ').next().unwrap().parse().unwrap();
            let meant = if told.contains('%') { number / 100.0 } else { number };
            assert!((meant / share - 1.0).abs() < 0.06, "{told}: {share}");
            assert!(!told.contains('%') || number < 100.01, "{told}");
        }
    }
}
