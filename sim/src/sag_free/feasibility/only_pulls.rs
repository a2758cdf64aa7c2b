//! Motions that lengthen no element that only pulls, and that nothing else resists: where the load does work on one, no pulls balance it.
//!
//! If pulls T >= 0 balanced the loads, f = -B T, a motion u would take the work f . u = -T . B^T u from them, and -B^T u is how much
//! each element becomes longer: none does, so that the work could not be positive.

use super::component::Component;
use super::mechanism::moved;
use crate::math::Vec3;
use crate::sag_free::problem::{BalanceProblem, Forces};
use crate::sag_free::verdict::{Infeasibility, InfeasibilityCode};
use crate::system::System;

/// A proof stands against pulls that are so many times all loads together.
const LARGEST_PULL: f64 = 1e4;
/// Share of the loads below which a motion proves nothing.
const LEAST: f64 = 1e-6;

/// What is out of balance in a component of elements that only pull and touches nothing, if the net `forces` on it are such a motion.
pub(super) fn only_pulls(
    system: &System,
    problem: &BalanceProblem,
    component: &Component,
    forces: &Forces,
    out: &str,
) -> Option<Infeasibility> {
    let is_here = |nodes: &[(u32, Vec3)]| nodes.iter().any(|(node, _)| component.has(*node));
    let cables: Vec<_> = problem.cables.iter().filter(|cable| is_here(&cable.element.forces)).collect();
    // Elements that resist both ways are not asked.
    let touches = |nodes: &[u32]| nodes.iter().any(|&node| component.has(node));
    let elements = problem.families.iter().map(|family| (0..family.len()).filter(|&e| touches(family.nodes(e))).count());
    if cables.is_empty() || cables.len() != elements.sum::<usize>() {
        return None;
    }
    let mut motion = vec![Vec3::zeros(); forces.net.len()];
    component.nodes.iter().for_each(|&n| motion[n] = forces.net[n]);
    let largest = motion.iter().map(Vec3::norm).fold(0.0, f64::max);
    let work: f64 = problem.loads.iter().zip(&motion).map(|(load, motion)| load.dot(motion)).sum();
    let shorter = |forces: &[(u32, Vec3)]| forces.iter().map(|(node, force)| force.dot(&motion[*node as usize])).sum::<f64>();
    let lengthened: f64 = cables.iter().map(|cable| (-shorter(&cable.element.forces)).max(0.0)).sum();
    let loads: f64 = component.nodes.iter().map(|&n| problem.loads[n].norm()).sum();
    if largest < LEAST * problem.largest_load() || work <= LARGEST_PULL * loads * lengthened {
        return None;
    }
    let (named, way) = moved(component, &motion, largest);
    let message = format!(
        "the springs of {} only pull, and no pulls carry its load at {} of its vertices ({out}): they can move{way} without any spring becoming longer, and the load moves them so; let springs push (\"only_pull\": false), hang the given shape deeper, or hold more vertices",
        component.shown(),
        named.len(),
    );
    Some(component.infeasibility(system, InfeasibilityCode::OnlyPulls, &named, message))
}
