//! Motions that no element resists: what is left of the loads where all forces of the elements are used is such a motion, and the proof
//! that no forces of theirs balance the loads.
//!
//! Where s makes |f + B s| least, B^T (f + B s) = 0: moved along the net force r, no element changes what it resists (no spring its length),
//! and the loads do the work f . r = |r|^2.

use super::component::Component;
use crate::math::Vec3;
use crate::sag_free::problem::{BalanceProblem, Forces};
use crate::sag_free::verdict::{Infeasibility, InfeasibilityCode};
use crate::system::System;

/// Resistance of the elements to the net force as a motion, over what they resist at most, below which it is none.
const NO_RESISTANCE: f64 = 1e-7;
/// Share of the largest net force from which on a node is named.
const NAMED: f64 = 0.5;

/// The mechanism of a component that touches nothing, if the net `forces` on it are one.
pub(super) fn mechanism(
    system: &System,
    problem: &BalanceProblem,
    component: &Component,
    forces: &Forces,
    out: &str,
) -> Option<Infeasibility> {
    let mut motion = vec![Vec3::zeros(); forces.net.len()];
    component.nodes.iter().for_each(|&n| motion[n] = forces.net[n]);
    let largest = motion.iter().map(Vec3::norm).fold(0.0, f64::max);
    motion.iter_mut().for_each(|step| *step /= largest);
    let resistance = resistance(problem, &motion);
    if resistance.is_nan() || resistance > NO_RESISTANCE {
        return None;
    }
    let named: Vec<usize> = component.nodes.iter().copied().filter(|&n| motion[n].norm() >= NAMED).collect();
    let way = named.iter().map(|&n| motion[n]).sum::<Vec3>();
    let way = way.try_normalize(1e-6).map_or(String::new(), |way| format!(" along ({:.2}, {:.2}, {:.2})", way.x, way.y, way.z));
    let message = format!(
        "the elements of {} cannot carry its load at {} of its vertices ({out}): they can move{way} without any element resisting, and the load moves them so; give the given shape a sag or a bend there, hold more vertices, or add elements across",
        component.shown(),
        named.len(),
    );
    Some(component.infeasibility(system, InfeasibilityCode::Mechanism, &named, message))
}

/// Largest force that a motion of size 1 makes elements push back with, over the largest that a motion of one of their nodes does.
fn resistance(problem: &BalanceProblem, motion: &[Vec3]) -> f64 {
    let (mut pushed, mut stiffest) = (vec![Vec3::zeros(); motion.len()], 0.0_f64);
    for family in problem.families {
        let mut s = vec![0.0; family.len() * family.coordinates_per_element()];
        family.coordinates_from_dual(problem.positions, motion, &mut s);
        family.add_forces(problem.positions, &s, &mut pushed);
    }
    for (family, blocks) in problem.families.iter().zip(problem.compliance_blocks()) {
        let width = family.nodes_per_element();
        let own = blocks.chunks_exact(width * width).flat_map(|element| element.iter().step_by(width + 1));
        stiffest = own.map(|block| block.amax()).fold(stiffest, f64::max);
    }
    pushed.iter().map(Vec3::amax).fold(0.0, f64::max) / stiffest
}
