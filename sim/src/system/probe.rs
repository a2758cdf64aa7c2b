//! Where probes of a scene are in its system.

use std::ops::Range;

use super::System;
use crate::bodies::select::paintable_vertices;
use crate::math::Vec3;
use crate::mesh::BodyMesh;
use crate::scene::{Probe, ProbePlace, Scene, SceneProblem};

/// A place in a system: what it is made of, by nodes and elements that are counted over all bodies.
#[derive(Debug, Clone, PartialEq)]
pub struct Located {
    /// Nodes, and the share of each, which add up to 1.
    pub nodes: Vec<(u32, f64)>,
    /// The element, where it is one.
    pub element: Option<u32>,
}

impl Located {
    /// A place of a body of a system, if the body has it.
    pub fn of(system: &System, body: usize, place: ProbePlace) -> Option<Self> {
        let placed = system.bodies.get(body)?;
        let elements = placed.cell_span().map_or(0..0, |span| system.element_numbers(span));
        Self::on(&placed.mesh, placed.nodes.start, elements, place)
    }

    /// A place of a body with this mesh, whose nodes count from `first_node`, and with these elements of its cells.
    pub fn on(mesh: &BodyMesh, first_node: usize, elements: Range<usize>, place: ProbePlace) -> Option<Self> {
        match place {
            ProbePlace::Vertex(vertex) => Some(Self { nodes: nodes_of_vertex(mesh, first_node as u32, vertex)?, element: None }),
            ProbePlace::Element(cell) => {
                let nodes = mesh.cells.get(cell as usize)?;
                let share = 1.0 / nodes.len() as f64;
                let nodes = nodes.iter().map(|&vertex| (first_node as u32 + vertex, share)).collect();
                let element = Some(elements.start + cell as usize).filter(|element| elements.contains(element));
                Some(Self { nodes, element: element.map(|element| element as u32) })
            }
        }
    }

    /// Where it is [m] when nodes are at `x` [m].
    pub fn position(&self, x: &[Vec3]) -> Vec3 {
        self.nodes.iter().filter_map(|&(node, share)| Some(share * x.get(node as usize)?)).sum()
    }

    /// Its value of a field with one value a node, and where it has them one an element.
    pub fn value(&self, of_nodes: &[f64], of_elements: &[f64]) -> f64 {
        let of_element = self.element.and_then(|element| of_elements.get(element as usize));
        of_element.copied().unwrap_or_else(|| {
            // A node without a share has no say, even where it has no value.
            let shares = self.nodes.iter().filter(|(_, share)| *share != 0.0);
            shares.map(|&(node, share)| share * of_nodes.get(node as usize).copied().unwrap_or(f64::NAN)).sum()
        })
    }
}

fn nodes_of_vertex(mesh: &BodyMesh, first: u32, vertex: u32) -> Option<Vec<(u32, f64)>> {
    match &mesh.skin {
        Some(skin) => {
            let (tet, weights) = (*skin.tets.get(vertex as usize)?, skin.weights.get(vertex as usize)?);
            let corners = mesh.tets().get(tet as usize)?;
            Some(corners.iter().zip(weights).map(|(&node, &share)| (first + node, share)).collect())
        }
        None => ((vertex as usize) < mesh.positions.len()).then(|| vec![(first + vertex, 1.0)]),
    }
}

/// How many places of a kind a mesh has.
fn count(mesh: &BodyMesh, place: ProbePlace) -> usize {
    match place {
        ProbePlace::Vertex(_) => paintable_vertices(mesh),
        ProbePlace::Element(_) => mesh.cells.len(),
    }
}

/// The place of each probe of a scene in the system that was made of it; `None` where there is no such place.
pub fn locate(scene: &Scene, system: &System) -> Vec<Option<Located>> {
    let body = |probe: &Probe| system.bodies.iter().position(|body| body.name == probe.body);
    scene.probes.iter().map(|probe| Located::of(system, body(probe)?, probe.at)).collect()
}

/// Probes on vertices and elements that a body does not have.
pub(super) fn check(scene: &Scene, system: &System) -> Vec<SceneProblem> {
    let problem = |(p, probe): (usize, &Probe)| {
        let body = system.bodies.iter().find(|body| body.name == probe.body)?;
        let (count, index, noun) = (count(&body.mesh, probe.at), probe.at.index(), probe.at.noun());
        (index as usize >= count).then(|| {
            let message = format!(
                "the body `{}` has {count} places of this kind, so there is no {noun} {index}; was its mesh changed? Put the probe elsewhere, or remove it",
                probe.body
            );
            SceneProblem::at(format!("probes[{p}].at.{noun}"), message)
        })
    };
    scene.probes.iter().enumerate().filter_map(problem).collect()
}
