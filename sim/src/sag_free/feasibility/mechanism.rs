//! Motions that no element resists: what is left of the loads where all forces of the elements are used is such a motion, and the proof
//! that no forces of theirs balance the loads.
//!
//! Where s makes |f + B s| least, B^T (f + B s) = 0: moved along the net force r, no element changes what it resists (no spring its length),
//! and the loads do the work f . r = |r|^2. What touches something is held fast in this, more than any contact can do: the proof does not
//! depend on what contacts bear.

use super::component::Component;
use crate::math::{Mat3, Vec3};
use crate::mesh::Cells;
use crate::sag_free::problem::{BalanceProblem, ContactSite, Forces};
use crate::sag_free::verdict::{Infeasibility, InfeasibilityCode};
use crate::system::System;

/// Resistance of the elements to a motion, over what they resist at most, from which on it is asked whether it is none.
const LITTLE_RESISTANCE: f64 = 1e-7;
/// A motion is one that no element resists if elements would need forces so many times all loads together to take its work from them.
const LARGEST_FORCE: f64 = 1e4;
/// Iterations from one such question to the next.
const ASKED_EVERY: usize = 8;
/// Share of the largest net force from which on a node is named.
const NAMED: f64 = 0.5;

/// Cosine of the angle to a sheet's normal from which on what moves so moves across it.
const ACROSS: f64 = 0.9;

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
    let (named, mut way) = moved(component, &motion, largest);
    if is_across(component, system, &motion, &named) {
        way.push_str(", across its plane,");
    }
    let message = format!(
        "the elements of {} cannot carry its load at {} of its vertices ({out}): they can move{way} without any element resisting, and the load moves them so; give the given shape a sag or a bend there, hold more vertices, or add elements across",
        component.shown(),
        named.len(),
    );
    Some(component.infeasibility(system, InfeasibilityCode::Mechanism, &named, message))
}

/// Whether a sheet's nodes move across it: along the normals of its triangles.
fn is_across(component: &Component, system: &System, motion: &[Vec3], nodes: &[usize]) -> bool {
    let body = component.body;
    let Cells::Triangles(triangles) = &body.mesh.cells else { return false };
    let mut normals = vec![Vec3::zeros(); body.nodes.len()];
    for corners in triangles {
        let [a, b, c] = corners.map(|v| system.positions[body.nodes.start + v as usize]);
        corners.iter().for_each(|&v| normals[v as usize] += (b - a).cross(&(c - a)));
    }
    let cosine = |&n: &usize| motion[n].normalize().dot(&normals[n - body.nodes.start].normalize()).abs();
    !nodes.is_empty() && nodes.iter().all(|n| cosine(n) > ACROSS)
}

/// The nodes of a component that move most, and which way, in words.
pub(super) fn moved(component: &Component, motion: &[Vec3], largest: f64) -> (Vec<usize>, String) {
    let named: Vec<usize> = component.nodes.iter().copied().filter(|&n| motion[n].norm() >= NAMED * largest).collect();
    let way = named.iter().map(|&n| motion[n] / largest).sum::<Vec3>();
    let way = way.try_normalize(1e-6).map_or(String::new(), |way| format!(" along ({:.2}, {:.2}, {:.2})", way.x, way.y, way.z));
    (named, way)
}

/// The part of `net` that no forces of the elements take: conjugate residuals (Stiefel 1955) on what the elements push back with,
/// K = B W^-1 B^T, whose residual tends to the part of `net` that K maps to nothing. `None` if it is not found, or if some element, however
/// soft beside the others, could take the work with a force that is not beyond all measure.
fn unresisted(problem: &BalanceProblem, net: Vec<Vec3>) -> Option<Vec<Vec3>> {
    let dot = |a: &[Vec3], b: &[Vec3]| a.iter().zip(b).map(|(a, b)| a.dot(b)).sum::<f64>();
    let largest = |of: &[Vec3]| of.iter().map(Vec3::amax).fold(0.0, f64::max);
    let blocks = problem.compliance_blocks();
    let stiffest = stiffest(problem, &blocks);
    let mut rest = net;
    let mut pushed = push_back(problem, &rest);
    let (mut along, mut pushed_along) = (rest.clone(), pushed.clone());
    for iteration in 0..MOST_ITERATIONS {
        let is_asked = iteration % ASKED_EVERY == 0 && largest(&pushed) <= LITTLE_RESISTANCE * stiffest * largest(&rest);
        if is_asked && is_proof(problem, &blocks, &rest) {
            return Some(rest);
        }
        let (before, squared) = (dot(&rest, &pushed), dot(&pushed_along, &pushed_along));
        if !(before > 0.0 && squared > 0.0) {
            // There is no further step: nothing but rounding is pushed back with.
            return is_proof(problem, &blocks, &rest).then_some(rest);
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

/// Whether the loads do more work on a motion than elements with forces up to [`LARGEST_FORCE`] times all loads could take from it: each
/// takes at most its force times how far it is strained, which is what it would push back with over its stiffness.
fn is_proof(problem: &BalanceProblem, blocks: &[Vec<Mat3>], motion: &[Vec3]) -> bool {
    let moves = |node: &u32| motion[*node as usize] != Vec3::zeros();
    let loads = problem.loads.iter().zip(motion).filter(|(_, motion)| **motion != Vec3::zeros());
    let (work, all) = loads.fold((0.0, 0.0), |(work, all), (load, motion)| (work + load.dot(motion), all + load.norm()));
    let mut strained = 0.0;
    for (family, blocks) in problem.families.iter().zip(blocks) {
        let width = family.nodes_per_element();
        for (e, element) in blocks.chunks_exact(width * width).enumerate().filter(|(e, _)| family.nodes(*e).iter().any(moves)) {
            let nodes = family.nodes(e);
            let pushed = element.chunks_exact(width).map(|row| {
                let push = row.iter().zip(nodes).map(|(block, &node)| block * motion[node as usize]).sum::<Vec3>();
                push.norm()
            });
            let stiffness = element.iter().step_by(width + 1).map(Mat3::amax).fold(0.0, f64::max);
            strained += pushed.fold(0.0, f64::max) / stiffness.max(f64::MIN_POSITIVE);
        }
    }
    work > LARGEST_FORCE * all * strained
}

/// Largest entry of what one node's motion makes an element push back with.
fn stiffest(problem: &BalanceProblem, blocks: &[Vec<Mat3>]) -> f64 {
    let mut stiffest = 0.0;
    for (family, blocks) in problem.families.iter().zip(blocks) {
        let width = family.nodes_per_element();
        let own = blocks.chunks_exact(width * width).flat_map(|element| element.iter().step_by(width + 1));
        stiffest = own.map(|block| block.amax()).fold(stiffest, f64::max);
    }
    stiffest
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
    use crate::system::PlacedBody;

    /// Whether it is said that nothing carries a load across two springs in line between held ends, where a third is above the middle with a
    /// stiffness so many times theirs, or none is.
    fn is_said(above: Option<f64>) -> bool {
        let positions = vec![Vec3::zeros(), Vec3::x(), 2.0 * Vec3::x(), Vec3::x() + Vec3::y()];
        let mut lines = vec![[0, 1], [1, 2]];
        lines.extend(above.map(|_| [1, 3]));
        let mesh = BodyMesh { cells: Cells::Lines(lines.clone()), components: vec![0; lines.len()], ..BodyMesh::default() };
        let body =
            PlacedBody { name: "line".into(), nodes: 0..4, internal: 0..0, spans: Vec::new(), mesh, matter: Arc::new(Solid::default()) };
        let system = System { positions: positions.clone(), bodies: vec![body], ..System::default() };
        let spring = |(index, ends): (usize, &[u32; 2])| {
            let x = ends.map(|node| positions[node as usize]);
            let stiffness = if index == 2 { 1e6 * above.unwrap_or(1.0) } else { 1e6 };
            Spring::new(spring_law("hooke").unwrap(), stiffness, Clamp::default(), &x).unwrap()
        };
        let springs = lines.iter().enumerate().map(spring).collect();
        let families: Vec<Box<dyn Family>> = vec![Box::new(Batch::new(springs, lines))];
        let down = -3.0 * Vec3::y();
        let problem = BalanceProblem {
            positions: &positions,
            internal: [positions.len(); 2],
            loads: &[Vec3::zeros(), down, Vec3::zeros(), Vec3::zeros()],
            free: &[false, true, false, false],
            slides: &[],
            families: &families,
            sites: &[],
            cables: &[],
        };
        let forces = Forces { net: vec![Vec3::zeros(), down, Vec3::zeros(), Vec3::zeros()], ..Forces::default() };
        mechanism(&system, &problem, &Component::all(&system)[0], &forces, "out").is_some()
    }

    /// A spring carries a load however soft it is beside others; only what would have to pull beyond all measure counts for nothing.
    #[test]
    fn soft_elements_are_no_missing_ones() {
        assert!(is_said(None));
        for softer in [1.0, 1e-4, 1e-8, 1e-12] {
            assert!(!is_said(Some(softer)), "{softer}");
        }
    }
}
