//! Motions that no element resists: what is left of the loads where all forces of the elements are used is such a motion, and the proof
//! that no forces of theirs balance the loads.
//!
//! Where s makes |f + B s| least, B^T (f + B s) = 0: moved along the net force r, no element changes what it resists (no spring its length),
//! and the loads do the work f . r = |r|^2. What touches something is held fast in this, more than any contact can do: the proof does not
//! depend on what contacts bear.

use super::component::Component;
use crate::math::Vec3;
use crate::sag_free::problem::{BalanceProblem, ContactSite, Forces};
use crate::sag_free::verdict::{Infeasibility, InfeasibilityCode};
use crate::system::System;

/// Resistance of the elements to a motion, over what they resist at most, below which it is none.
const NO_RESISTANCE: f64 = 1e-7;
/// Share of the largest net force from which on a node is named.
const NAMED: f64 = 0.5;

/// Iterations at most, and the share of the loads below which a motion proves nothing.
const MOST_ITERATIONS: usize = 3000;
const LEAST: f64 = 1e-6;

/// The mechanism of a component, if what of the net `forces` on it no element can take is one, wherever contacts might push.
pub(super) fn mechanism(
    system: &System,
    problem: &BalanceProblem,
    component: &Component,
    forces: &Forces,
    out: &str,
) -> Option<Infeasibility> {
    let mut net = vec![Vec3::zeros(); forces.net.len()];
    component.nodes.iter().for_each(|&n| net[n] = forces.net[n]);
    take_touching(problem, &mut net);
    let motion = unresisted(problem, net)?;
    let largest = motion.iter().map(Vec3::norm).fold(0.0, f64::max);
    if largest < LEAST * problem.largest_load() {
        return None;
    }
    let (named, way) = moved(component, &motion, largest);
    let message = format!(
        "the elements of {} cannot carry its load at {} of its vertices ({out}): they can move{way} without any element resisting, and the load moves them so; give the given shape a sag or a bend there, hold more vertices, or add elements across",
        component.shown(),
        named.len(),
    );
    Some(component.infeasibility(system, InfeasibilityCode::Mechanism, &named, message))
}

/// The nodes of a component that move most, and which way, in words.
pub(super) fn moved(component: &Component, motion: &[Vec3], largest: f64) -> (Vec<usize>, String) {
    let named: Vec<usize> = component.nodes.iter().copied().filter(|&n| motion[n].norm() >= NAMED * largest).collect();
    let way = named.iter().map(|&n| motion[n] / largest).sum::<Vec3>();
    let way = way.try_normalize(1e-6).map_or(String::new(), |way| format!(" along ({:.2}, {:.2}, {:.2})", way.x, way.y, way.z));
    (named, way)
}

/// The part of `net` that no forces of the elements take: conjugate residuals (Stiefel 1955) on what the elements push back with,
/// K = B W^-1 B^T, whose residual tends to the part of `net` that K maps to nothing. `None` if it is not found.
fn unresisted(problem: &BalanceProblem, net: Vec<Vec3>) -> Option<Vec<Vec3>> {
    let dot = |a: &[Vec3], b: &[Vec3]| a.iter().zip(b).map(|(a, b)| a.dot(b)).sum::<f64>();
    let largest = |of: &[Vec3]| of.iter().map(Vec3::amax).fold(0.0, f64::max);
    let stiffest = stiffest(problem);
    let mut rest = net;
    let mut pushed = push_back(problem, &rest);
    let (mut along, mut pushed_along) = (rest.clone(), pushed.clone());
    for _ in 0..MOST_ITERATIONS {
        if largest(&pushed) <= NO_RESISTANCE * stiffest * largest(&rest) {
            return Some(rest);
        }
        let (before, squared) = (dot(&rest, &pushed), dot(&pushed_along, &pushed_along));
        if !(before > 0.0 && squared > 0.0) {
            return None;
        }
        let step = before / squared;
        rest.iter_mut().zip(&pushed_along).for_each(|(rest, pushed)| *rest -= step * pushed);
        pushed = push_back(problem, &rest);
        let turn = dot(&rest, &pushed) / before;
        along.iter_mut().zip(&rest).for_each(|(along, rest)| *along = rest + turn * *along);
        pushed_along.iter_mut().zip(&pushed).for_each(|(along, pushed)| *along = pushed + turn * *along);
    }
    None
}

/// The forces that elements push back with when their nodes move so, on the nodes that can move.
fn push_back(problem: &BalanceProblem, motion: &[Vec3]) -> Vec<Vec3> {
    let mut pushed = vec![Vec3::zeros(); motion.len()];
    for family in problem.families {
        let mut s = vec![0.0; family.len() * family.coordinates_per_element()];
        family.coordinates_from_dual(problem.positions, motion, &mut s);
        family.add_forces(problem.positions, &s, &mut pushed);
    }
    problem.take_supported(&mut pushed);
    take_touching(problem, &mut pushed);
    pushed
}

/// Leaves nothing at the nodes that touch something.
fn take_touching(problem: &BalanceProblem, nodes: &mut [Vec3]) {
    problem.sites.iter().flat_map(ContactSite::nodes).for_each(|node| nodes[node as usize] = Vec3::zeros());
}

/// Largest entry of what one node's motion makes an element push back with.
fn stiffest(problem: &BalanceProblem) -> f64 {
    let mut stiffest = 0.0;
    for (family, blocks) in problem.families.iter().zip(problem.compliance_blocks()) {
        let width = family.nodes_per_element();
        let own = blocks.chunks_exact(width * width).flat_map(|element| element.iter().step_by(width + 1));
        stiffest = own.map(|block| block.amax()).fold(stiffest, f64::max);
    }
    stiffest
}
