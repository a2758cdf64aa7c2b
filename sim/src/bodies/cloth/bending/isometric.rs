//! Isometric bending: quadratic in the nodes.

use super::{BendingLaw, InnerEdge, family_of};
use crate::bodies::Degenerate;
use crate::element::{Family, IsometricHinge};
use crate::math::Vec3;

/// One [`IsometricHinge`] an edge.
#[derive(Debug)]
pub struct Isometric;

impl BendingLaw for Isometric {
    fn name(&self) -> &'static str {
        "isometric"
    }
    fn label(&self) -> &'static str {
        "Isometric"
    }
    fn doc(&self) -> &'static str {
        "quadratic in the vertices, with a curvature that never changes where the cloth is flat at rest (Bergou et al. 2006); for cloth that \
         hardly stretches"
    }
    fn formula(&self) -> &'static str {
        "k/2 |u - 2 sin(Theta/2) n|^2"
    }
    fn family(&'static self, edges: &[InnerEdge], rest: &[Vec3], given: &[Vec3]) -> Result<Box<dyn Family>, Degenerate> {
        family_of(edges, (rest, given), |nodes| nodes, |edge, x| IsometricHinge::new(edge.rigidity, x))
    }
}
