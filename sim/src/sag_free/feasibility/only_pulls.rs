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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::sync::Arc;

    use super::*;
    use crate::bodies::solid::Solid;
    use crate::element::spring::{Clamp, spring_law};
    use crate::element::{Batch, Family, Spring};
    use crate::mesh::{BodyMesh, Cells};
    use crate::sag_free::tension::Tension;
    use crate::system::PlacedBody;

    /// What is said of two springs below one another, of which the upper end is held and the lower one pulls or resists both ways, where
    /// the two lower vertices have the load `load` [N] each and so much of it is left over.
    fn said(load: f64, lower_only_pulls: bool, left: [Vec3; 2]) -> Option<Infeasibility> {
        let positions = vec![2.0 * Vec3::y(), Vec3::y(), Vec3::zeros()];
        let lines = vec![[0, 1], [1, 2]];
        let mesh = BodyMesh { cells: Cells::Lines(lines.clone()), components: vec![0; 2], ..BodyMesh::default() };
        let body =
            PlacedBody { name: "chain".into(), nodes: 0..3, internal: 0..0, spans: Vec::new(), mesh, matter: Arc::new(Solid::default()) };
        let system = System { positions: positions.clone(), bodies: vec![body], ..System::default() };
        let spring = |ends: &[u32; 2], only_pulls| {
            let x = ends.map(|node| positions[node as usize]);
            Spring::new(spring_law("quadratic").unwrap(), 50.0, Clamp::default(), &x).unwrap().only_pulling(only_pulls)
        };
        let springs = vec![spring(&lines[0], true), spring(&lines[1], lower_only_pulls)];
        let families: Vec<Box<dyn Family>> = vec![Box::new(Batch::new(springs, lines))];
        let problem = BalanceProblem {
            positions: &positions,
            internal: [positions.len(); 2],
            loads: &[Vec3::zeros(), load * Vec3::y(), load * Vec3::y()],
            free: &[false, true, true],
            slides: &[],
            families: &families,
            sites: &[],
            cables: &Tension::new(&families, &positions, 0.0).cables(&families, &positions),
        };
        let forces = Forces { net: vec![Vec3::zeros(), left[0], left[1]], ..Forces::default() };
        only_pulls(&system, &problem, &Component::all(&system)[0], &forces, "out")
    }

    /// Only a motion that makes no spring longer proves something, only as far as it does, and only of springs that only pull.
    #[test]
    fn only_what_becomes_no_longer_is_a_proof() {
        let up = |first: f64, second: f64| [first * Vec3::y(), second * Vec3::y()];
        let proof = said(3.0, true, up(0.7, 0.7)).unwrap();
        assert!(proof.code == InfeasibilityCode::OnlyPulls && proof.indices == [1, 2], "{proof:?}");
        assert!(proof.message.contains("along (0.00, 1.00, 0.00)"), "{}", proof.message);
        // The lower spring becomes longer: by little enough, whatever it may pull, and by too much.
        assert!(said(3.0, true, up(0.7, 0.7 * (1.0 - 1e-5))).is_some() && said(3.0, true, up(0.7, 0.7 * (1.0 - 1e-3))).is_none());
        // What hangs makes the springs longer where it falls, and a motion against the loads is none that they make.
        assert!(said(-3.0, true, up(-0.7, -0.7)).is_none() && said(-3.0, true, up(0.7, 0.7)).is_none());
        assert!(said(3.0, false, up(0.7, 0.7)).is_none(), "the lower spring pushes");
        assert!(said(3.0, true, up(1e-6, 1e-6)).is_none(), "too little is left to tell");
    }
}
