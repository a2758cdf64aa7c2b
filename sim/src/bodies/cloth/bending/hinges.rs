//! Hinges whose moment goes by their angle, one law of [`crate::element::hinge::HINGE_LAWS`] each.

use super::{BendingLaw, InnerEdge, Lever, family_of};
use crate::bodies::Degenerate;
use crate::element::hinge::HingeLaw;
use crate::element::{Family, Hinge};
use crate::math::Vec3;

impl BendingLaw for HingeLaw {
    fn name(&self) -> &'static str {
        self.name
    }
    fn label(&self) -> &'static str {
        self.label
    }
    fn doc(&self) -> &'static str {
        self.doc
    }
    fn formula(&self) -> &'static str {
        self.formula
    }
    fn knows_patterns(&self) -> bool {
        true
    }
    fn family(&'static self, edges: &[InnerEdge], rest: &[Vec3], given: &[Vec3]) -> Result<Box<dyn Family>, Degenerate> {
        family_of(
            edges,
            (rest, given),
            |nodes| nodes,
            |edge, x| match edge.cut {
                Some(Lever { length, areas }) => Hinge::flat(self, edge.rigidity, length, areas, x),
                None => Hinge::new(self, edge.rigidity, x),
            },
        )
    }
}
