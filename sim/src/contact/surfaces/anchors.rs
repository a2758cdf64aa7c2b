//! [`Anchors`]: the tangential slip that contacts remember between steps.
//!
//! A slip belongs to a vertex or an edge and the part that it touches, and not to one pair of primitives: a
//! sliding vertex passes from triangle to triangle, and its friction must not start anew on each.

use crate::contact::stencil::{Stencil, StencilKind};
use crate::contact::surface::CollisionSurface;
use crate::math::Vec3;

/// What owns a slip. Orders vertices before edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Owner {
    /// A node of the surface.
    Vertex(u32),
    /// An edge of the surface, its smaller node first.
    Edge(u32, u32),
}

/// A primitive and the part that it touches.
pub type AnchorKey = (Owner, u32);

/// Slips in world coordinates [m], ascending by key.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Anchors {
    slips: Vec<(AnchorKey, Vec3)>,
}

/// Who remembers the slip of a stencil: its first primitive, which is the same whichever pair the stencil came from.
pub fn owner(stencil: &Stencil, surface: &CollisionSurface) -> AnchorKey {
    let [a, b, c, _] = stencil.nodes;
    let (owner, other) = if stencil.kind == StencilKind::EdgeEdge { (Owner::Edge(a, b), c) } else { (Owner::Vertex(a), b) };
    (owner, surface.part_of_node(other).unwrap_or(u32::MAX))
}

impl Anchors {
    /// The remembered slip; zero for a new contact.
    pub fn slip(&self, key: AnchorKey) -> Vec3 {
        self.slips.binary_search_by_key(&key, |(known, _)| *known).map_or(Vec3::zeros(), |index| self.slips[index].1)
    }

    /// The mean of the slips of each key by normal force, cut back to `longest`; keys not in `touching` (ascending) are forgotten.
    pub fn from_slips(mut slips: Vec<(AnchorKey, f64, Vec3)>, touching: &[AnchorKey], longest: f64) -> Self {
        // Stable: slips of one key are summed in the order of their stencils.
        slips.sort_by_key(|(key, ..)| *key);
        let mean = |group: &[(AnchorKey, f64, Vec3)]| {
            let force: f64 = group.iter().map(|(_, force, _)| force).sum();
            let slip = group.iter().map(|(_, force, slip)| *force * slip).sum::<Vec3>() / force;
            (group[0].0, if slip.norm() > longest { slip * (longest / slip.norm()) } else { slip })
        };
        let groups = slips.chunk_by(|a, b| a.0 == b.0).filter(|group| touching.binary_search(&group[0].0).is_ok());
        Self { slips: groups.map(mean).collect() }
    }
}
