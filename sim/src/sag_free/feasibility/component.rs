//! [`Component`]: elements joined through faces, as a report names them.

use super::LISTED;
use crate::math::Vec3;
use crate::sag_free::verdict::{Infeasibility, InfeasibilityCode};
use crate::system::{PlacedBody, System};

/// Elements joined through faces.
pub(super) struct Component<'a> {
    pub body: &'a PlacedBody,
    pub number: u32,
    /// Nodes of the system, ascending.
    pub nodes: Vec<usize>,
}

impl<'a> Component<'a> {
    /// The components of all bodies.
    pub fn all(system: &'a System) -> Vec<Self> {
        let mut all = Vec::new();
        for body in &system.bodies {
            let count = body.mesh.components.iter().max().map_or(0, |&last| last + 1);
            let mut nodes: Vec<Vec<usize>> = vec![Vec::new(); count as usize];
            for (cell, &component) in body.mesh.cells.iter().zip(&body.mesh.components) {
                nodes[component as usize].extend(cell.iter().map(|&n| body.nodes.start + n as usize));
            }
            for (number, mut nodes) in nodes.into_iter().enumerate() {
                nodes.sort_unstable();
                nodes.dedup();
                all.push(Component { body, number: number as u32, nodes });
            }
        }
        all
    }

    pub fn has(&self, node: u32) -> bool {
        self.nodes.binary_search(&(node as usize)).is_ok()
    }

    /// In words, with its name.
    pub fn shown(&self) -> String {
        let name = &self.body.name;
        let others = self.body.mesh.components.iter().any(|&c| c != self.number);
        if others { format!("component {} of body '{name}'", self.number) } else { format!("body '{name}'") }
    }

    /// What is wrong with it, around `nodes` or as a whole.
    pub fn infeasibility(&self, system: &System, code: InfeasibilityCode, nodes: &[usize], message: String) -> Infeasibility {
        let listed = if nodes.is_empty() { &self.nodes } else { nodes };
        let middle = listed.iter().map(|&n| system.positions[n]).sum::<Vec3>() / listed.len().max(1) as f64;
        Infeasibility {
            code,
            body: self.body.name.clone(),
            component: self.number as usize,
            indices: listed.iter().take(LISTED).map(|n| n - self.body.nodes.start).collect(),
            place: middle.into(),
            message,
            mend: None,
        }
    }
}
