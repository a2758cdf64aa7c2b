//! Where the faces under one pressure end, and the points about which their volumes are measured.

use super::System;
use crate::math::{Mat3, Vec3, symmetric_eigen};
use crate::mesh::topology::DisjointSets;

/// An edge whose forces no neighbour cancels and no support takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rim {
    /// Its ends, in the orientation of the face.
    pub nodes: [u32; 2],
    /// The face that it belongs to.
    pub face: u32,
}

/// Faces under pressure that hang together.
#[derive(Debug, Default)]
pub struct Group {
    nodes: Vec<u32>,
    /// Planes in which its rim slides, as unit normal and offset: measured about a point in them all, the rim does no work.
    planes: Vec<(Vec3, f64)>,
}

impl Group {
    /// The point in its planes, or nearest to them, that is nearest to its middle at `x` [m].
    pub fn origin(&self, x: &[Vec3]) -> Vec3 {
        let middle = self.nodes.iter().map(|&n| x[n as usize]).sum::<Vec3>() / self.nodes.len() as f64;
        let (mut matrix, mut side) = (Mat3::zeros(), Vec3::zeros());
        for (normal, offset) in &self.planes {
            matrix += normal * normal.transpose();
            side += (offset - normal.dot(&middle)) * normal;
        }
        let eigen = symmetric_eigen(&matrix);
        let largest = eigen.values.max();
        let inverse = eigen.values.map(|value| if value > 1e-9 * largest && value > 0.0 { 1.0 / value } else { 0.0 });
        middle + eigen.vectors * inverse.component_mul(&(eigen.vectors.transpose() * side))
    }
}

/// Number of the group of each face: those that share a node are one.
pub fn groups_of(faces: &[[u32; 3]], nodes: usize) -> Vec<u32> {
    let mut joined = DisjointSets::new(nodes);
    for [a, b, c] in faces {
        joined.join(*a, *b);
        joined.join(*b, *c);
    }
    let set_of = joined.numbered();
    let mut numbers: Vec<u32> = Vec::new();
    let mut count = 0;
    let mut number_of_set = vec![u32::MAX; nodes];
    for face in faces {
        let number = &mut number_of_set[set_of[face[0] as usize] as usize];
        if *number == u32::MAX {
            *number = count;
            count += 1;
        }
        numbers.push(*number);
    }
    numbers
}

/// The rim of the pressed faces of `system`, in the order of faces.
pub fn of(system: &System, group_of: &[u32]) -> Vec<Rim> {
    let loads = &system.loads.pressures;
    let mut edges: Vec<Rim> = Vec::new();
    for (face, load) in (0..).zip(loads) {
        let [a, b, c] = load.face;
        edges.extend([[a, b], [b, c], [c, a]].map(|nodes| Rim { nodes, face }));
    }
    let key = |edge: &Rim| (edge.nodes[0].min(edge.nodes[1]), edge.nodes[0].max(edge.nodes[1]), edge.face);
    edges.sort_unstable_by_key(key);
    let mut left: Vec<Rim> = Vec::new();
    for edge in edges {
        let cancels = |other: &Rim| {
            let (one, two) = (&loads[edge.face as usize], &loads[other.face as usize]);
            other.nodes == [edge.nodes[1], edge.nodes[0]] && one.push == two.push && one.ramp == two.ramp
        };
        // Edges between the same nodes follow each other.
        let same = left.iter().rev().take_while(|other| key(other).0 == key(&edge).0 && key(other).1 == key(&edge).1);
        match same.clone().position(cancels) {
            Some(back) => {
                left.remove(left.len() - 1 - back);
            }
            None => left.push(edge),
        }
    }
    left.retain(|edge| edge.nodes.iter().any(|&n| !system.fixed[n as usize]));
    left.sort_unstable_by_key(|edge| (group_of[edge.face as usize], edge.face, edge.nodes));
    left
}

/// The groups, with the planes in which their rims slide.
pub fn groups(system: &System, group_of: &[u32], rim: &[Rim]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    groups.resize_with(group_of.iter().max().map_or(0, |&last| last as usize + 1), Group::default);
    for (load, &group) in system.loads.pressures.iter().zip(group_of) {
        groups[group as usize].nodes.extend(load.face);
    }
    for group in &mut groups {
        group.nodes.sort_unstable();
        group.nodes.dedup();
    }
    for edge in rim {
        let planes = &mut groups[group_of[edge.face as usize] as usize].planes;
        let along = system.positions[edge.nodes[1] as usize] - system.positions[edge.nodes[0] as usize];
        for node in edge.nodes {
            let Ok(slide) = system.slides.binary_search_by_key(&node, |(node, _)| *node) else { continue };
            if let Some(normal) = plane_of(&system.slides[slide].1, &along) {
                planes.push((normal, normal.dot(&system.positions[node as usize])));
            }
        }
    }
    groups
}

/// Normal of the plane in which a node that slides by this projector and the other end of an edge move.
fn plane_of(allowed: &Mat3, along: &Vec3) -> Option<Vec3> {
    let eigen = symmetric_eigen(allowed);
    let free = eigen.values.iter().filter(|value| **value > 0.5).count();
    let pick = |wanted: fn(f64) -> bool| (0..3).find(|&k| wanted(eigen.values[k])).map(|k| eigen.vectors.column(k).into_owned());
    match free {
        2 => pick(|value| value < 0.5),
        1 => pick(|value| value > 0.5).and_then(|line| along.cross(&line).try_normalize(1e-9 * along.norm())),
        _ => None,
    }
}
