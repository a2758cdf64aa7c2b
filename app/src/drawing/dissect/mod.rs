//! Bodies taken apart to look into them: cut by a plane, whole elements left out, or every element moved away from the middle.

mod cells;
mod cut;
mod pieces;

use std::sync::Arc;

use aplomb_sim::math::Vec3;

pub use cells::{exploded, kept_cells};
pub use cut::{Plane, cut};
pub use pieces::{Blend, NO_CELL, Pieces};

use crate::session::ModelBody;

/// How bodies are taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Dissection {
    /// The plane that they are cut by, and whether elements stay whole.
    pub cut: Option<(Plane, bool)>,
    /// How far elements are moved from the middle of their body, as a share of their distance from it.
    pub apart: f64,
}

impl Dissection {
    /// Whether bodies are left as they are.
    pub fn is_nothing(&self) -> bool {
        self.cut.is_none() && self.apart == 0.0
    }

    /// What is left to be seen of `body`, whose nodes are at `positions` [m], counted from its first.
    pub fn of(&self, body: &ModelBody, positions: &[Vec3]) -> Pieces {
        let cells = &body.mesh.cells;
        match self.cut {
            _ if self.apart > 0.0 => {
                let kept = self.cut.map(|(plane, _)| kept_cells(cells, positions, &plane));
                exploded(cells, positions, self.apart, kept.as_deref())
            }
            Some((plane, true)) => cells::whole(cells, positions, &kept_cells(cells, positions, &plane)),
            Some((plane, false)) => cut(body.mesh.tets(), (&body.triangles, &body.lines), positions, &plane),
            None => Pieces::untouched(&body.triangles, &body.lines, positions),
        }
    }
}

/// The pieces of one body, remembered while its nodes and the way it is taken apart stay the same.
#[derive(Debug, Default)]
pub struct Dissected {
    of: Option<(Arc<[Vec3]>, Dissection)>,
    pieces: Option<Pieces>,
    /// Values of the field that was last put on them, and what they were made of.
    values: Option<Put>,
}

/// Values of nodes, and the same at the pieces.
type Put = (Arc<[f64]>, Arc<[f64]>);

impl Dissected {
    /// The pieces of `body` when the nodes of all bodies are at `positions` [m].
    pub fn follow(&mut self, body: &ModelBody, positions: &Arc<[Vec3]>, how: &Dissection) -> &Pieces {
        let known = self.of.as_ref().is_some_and(|(known, was)| Arc::ptr_eq(known, positions) && was == how);
        if !known {
            self.of = Some((Arc::clone(positions), *how));
            self.pieces = None;
            self.values = None;
        }
        self.pieces.get_or_insert_with(|| how.of(body, &positions[body.nodes.clone()]))
    }

    /// A field on the pieces of [`Dissected::follow`]: one value of each node of all bodies, and one of each element.
    pub fn field(&mut self, body: &ModelBody, nodes: &Arc<[f64]>, elements: &[f64]) -> Arc<[f64]> {
        if let Some((known, values)) = &self.values
            && Arc::ptr_eq(known, nodes)
        {
            return Arc::clone(values);
        }
        let cells = elements.get(body.elements.clone()).unwrap_or(&[]);
        let of_nodes = nodes.get(body.nodes.clone()).unwrap_or(&[]);
        let values: Arc<[f64]> = self.pieces.as_ref().map_or_else(Default::default, |pieces| pieces.values(of_nodes, cells));
        self.values = Some((Arc::clone(nodes), Arc::clone(&values)));
        values
    }
}
