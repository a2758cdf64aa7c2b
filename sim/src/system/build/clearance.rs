//! Surfaces that pass through each other or touch in the given shape: a barrier can only keep apart what is apart.

use std::collections::BTreeMap;

use super::Assembly;
use super::overlap::overlap;
use crate::contact::intersection::{intersections, touching};
use crate::contact::stencil::NO_NODE;
use crate::contact::surface::CollisionSurface;
use crate::math::Vec3;
use crate::mesh::{MeshProblem, ProblemCode};
use crate::scene::{Mend, SceneProblem, Way};
use crate::system::System;

/// Surfaces nearer than this share of the bodies' diagonal touch.
const TOUCHING: f64 = 1e-8;

/// Where two parts meet first, and in how many places.
#[derive(Clone, Copy)]
pub(in crate::system) struct Meeting {
    pub place: Vec3,
    count: usize,
    passes_through: bool,
}

/// Meetings of each pair of parts, the smaller number first.
pub(in crate::system) type Meetings = BTreeMap<(u32, u32), Meeting>;

/// How near surfaces touch [m].
pub(in crate::system) fn touching_distance(system: &System) -> f64 {
    TOUCHING * system.diagonal
}

/// Where at the positions `x` of the nodes [m] the parts that may touch pass through each other, or are nearer than `gap` [m], where
/// their contact points are.
pub(in crate::system) fn meetings(surface: &CollisionSurface, x: &[Vec3], gap: f64) -> Meetings {
    let x = &*surface.points.of(x);
    let mut meetings = Meetings::new();
    for (edge, triangle) in intersections(surface, x) {
        let parts = (surface.edge_parts[edge as usize], surface.triangle_parts[triangle as usize]);
        note(&mut meetings, parts, middle(&surface.triangles[triangle as usize], x), true);
    }
    for pair in touching(surface, x, gap).pairs() {
        let ([a, b], nodes) = (pair.parts(surface), pair.nodes(surface));
        let (first, second) = nodes.split_at(pair.kind.first());
        let second: Vec<u32> = second.iter().copied().filter(|&node| node != NO_NODE).collect();
        // The node of something round is its middle.
        let is_round = first.iter().any(|&node| surface.is_round_at(node));
        note(&mut meetings, (a, b), middle(if is_round { &second } else { first }, x), false);
    }
    meetings
}

impl Assembly<'_> {
    /// Reports every pair of parts that may touch and do so from the start. Of bodies that were filled nobody can mend the tets:
    /// they lose their self-contact, and are told of.
    pub(super) fn check_clearance(&mut self, mut meetings: Meetings) {
        meetings.retain(|&parts, _| self.are_known_to_meet(parts));
        let is_filled = |b: u32| self.scene.bodies.get(b as usize).is_some_and(|body| body.tetrahedralise.is_some());
        let (filled, meetings): (Meetings, Meetings) = meetings.into_iter().partition(|&((a, b), _)| a == b && is_filled(a));
        for (&(b, _), meeting) in &filled {
            self.system.surface.rules.set(b, b, None);
            let [x, y, z] = meeting.place.into();
            let message = format!(
                "the tets' surface meets itself in {} places (first near {x:.4}, {y:.4}, {z:.4}), so the body has no contact with itself; use finer tets",
                meeting.count
            );
            let (code, count) = (ProblemCode::SelfIntersection, meeting.count);
            let problem = MeshProblem { code, count, indices: Vec::new(), fixed: true, message };
            self.system.bodies[b as usize].mesh.problems.push(problem);
        }
        let surface = &self.system.surface;
        let problems: Vec<_> = meetings.iter().map(|(parts, meeting)| self.meeting_problem(surface, *parts, meeting)).collect();
        self.problems.extend(problems);
    }

    /// Whether two parts that meet in the given shape still do when the later one comes in; otherwise that step will tell.
    pub(super) fn are_known_to_meet(&self, (a, b): (u32, u32)) -> bool {
        let bodies = &self.scene.bodies;
        let enters_at = |part: u32| bodies.get(part as usize).map_or(0.0, |body| body.enters_at);
        let moves = |part: u32| {
            let obstacle = (part as usize).checked_sub(bodies.len()).and_then(|o| self.system.mesh_obstacles.get(o));
            obstacle.is_some_and(|obstacle| obstacle.motion.is_some())
        };
        let (first, last) = (enters_at(a).min(enters_at(b)), enters_at(a).max(enters_at(b)));
        first == last || (first == 0.0 && !moves(a) && !moves(b))
    }

    fn meeting_problem(&self, surface: &CollisionSurface, (a, b): (u32, u32), meeting: &Meeting) -> SceneProblem {
        let bodies = self.system.bodies.len() as u32;
        let name = |part: u32| &surface.parts[part as usize].name;
        let does = match (meeting.passes_through, surface.points.are_vertices()) {
            (true, _) => "passes through",
            (false, true) => "touches",
            // Its points inside touch.
            (false, false) => "lies too deep in",
        };
        let mut apart = None;
        let [x, y, z] = meeting.place.into();
        let places = format!("in {} places (first near {x:.4}, {y:.4}, {z:.4})", meeting.count);
        let (path, message) = if a == b {
            let path = format!("bodies[{a}].mesh");
            (path, format!("the surface {does} itself {places}; mend the mesh, or set \"self_contact\" of \"contact\" to false"))
        } else if b < bodies {
            let path = format!("bodies[{b}].transform");
            let cure = "move them apart, let \"separate\" of \"contact\" do it, or set \"between_bodies\" of \"contact\" to false";
            let overlap = overlap(&self.system.bodies[a as usize], &self.system.bodies[b as usize]);
            apart = overlap.as_ref().map(|found| {
                // Of two, the later one, unless it is the one that is held.
                let is_held = |part: u32| self.system.bodies[part as usize].nodes.clone().any(|node| self.system.fixed[node]);
                let by = found.depth * found.way;
                let (body, by) = if is_held(b) && !is_held(a) { (a as usize, -by) } else { (b as usize, by) };
                Mend::Move { body, by: by.into(), way: Way::Apart }
            });
            let deep = overlap.map_or(String::new(), |found| {
                let [x, y, z] = found.place.into();
                format!(", up to {:.3e} m deep (near {x:.4}, {y:.4}, {z:.4})", found.depth)
            });
            (path, format!("the body {does} body `{}` {places}{deep}; {cure}", name(a)))
        } else {
            let path = format!("bodies[{a}].transform");
            (path, format!("the body {does} obstacle `{}` {places}; move one of them", name(b)))
        };
        SceneProblem::at(path, message).seen(meeting.place.into(), apart)
    }
}

fn note(meetings: &mut Meetings, (a, b): (u32, u32), place: Vec3, passes_through: bool) {
    let meeting = meetings.entry((a.min(b), a.max(b))).or_insert(Meeting { place, count: 0, passes_through });
    // What passes through touches as well, and is counted once.
    if meeting.passes_through == passes_through {
        meeting.count += 1;
    }
}

fn middle(nodes: &[u32], x: &[Vec3]) -> Vec3 {
    nodes.iter().map(|&n| x[n as usize]).sum::<Vec3>() / nodes.len() as f64
}
