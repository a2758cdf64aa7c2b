//! Equalities of the scene -> equalities between nodes.

use super::Assembly;
use crate::math::Vec3;
use crate::scene::{EqualityTerm, SceneProblem};
use crate::system::Equality;
use crate::system::equality::EQUALITY_NODES;

impl Assembly<'_> {
    pub(super) fn add_equalities(&mut self) {
        let (scene, nodes) = (self.scene, self.system.positions.len());
        if !scene.equalities.is_empty() && nodes > EQUALITY_NODES {
            let message = format!(
                "bodies and obstacles of triangles have {nodes} vertices, and equalities are solved densely for {EQUALITY_NODES} at most; use coarser meshes, or fixed regions"
            );
            self.problems.push(SceneProblem::at("equalities", message));
            return;
        }
        for (e, equality) in scene.equalities.iter().enumerate() {
            let path = format!("equalities[{e}].terms");
            let terms: Result<Vec<_>, _> =
                equality.terms.iter().enumerate().map(|(t, term)| self.term(term, &format!("{path}[{t}]"))).collect();
            match terms {
                Err(problem) => self.problems.push(problem),
                Ok(terms) if terms.iter().all(|(node, _)| self.system.fixed[*node as usize]) => {
                    let message = "all of its vertices are held or moved, so there is nothing left to keep equal; leave it out";
                    self.problems.push(SceneProblem::at(path, message));
                }
                Ok(terms) if terms.iter().any(|(node, _)| self.system.driven.iter().any(|driven| driven.node == *node)) => {
                    let message =
                        "one of its vertices follows a prescribed motion, which no equality can give way to; leave that vertex out";
                    self.problems.push(SceneProblem::at(path, message));
                }
                Ok(terms) => self.system.equalities.push(Equality::new(equality.name.clone(), terms, &self.system.positions)),
            }
        }
    }

    fn term(&self, term: &EqualityTerm, path: &str) -> Result<(u32, Vec3), SceneProblem> {
        let body = self.system.bodies.iter().find(|body| body.name == term.body);
        let body = body.ok_or_else(|| SceneProblem::at(format!("{path}.body"), format!("there is no body `{}`", term.body)))?;
        let node = body.nodes.start + term.vertex as usize;
        if !body.nodes.contains(&node) {
            let message = format!("the mesh has {} vertices, so there is no vertex {}", body.nodes.len(), term.vertex);
            return Err(SceneProblem::at(format!("{path}.vertex"), message));
        }
        Ok((node as u32, Vec3::from(term.coefficients)))
    }
}
