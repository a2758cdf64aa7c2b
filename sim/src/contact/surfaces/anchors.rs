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

/// What one contact adds to the slip of its owner.
#[derive(Debug, Clone, Copy)]
pub struct Slip {
    /// The owner.
    pub key: AnchorKey,
    /// Its weight: the normal force, or a multiple [N].
    pub force: f64,
    /// Displacement from the anchor at the end of the step, of any direction [m].
    pub moved: Vec3,
    /// Unit normal of the contact.
    pub normal: Vec3,
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

    /// The mean of the slips of each key by normal force, in the plane across their mean normal, cut back to `longest`; keys not
    /// in `touching` (ascending) are forgotten.
    ///
    /// Of a primitive with several contacts no plane is the right one: a slip that was projected onto each of theirs would
    /// shrink from step to step, and what it holds would creep.
    pub fn from_slips(mut slips: Vec<Slip>, touching: &[AnchorKey], longest: f64) -> Self {
        // Stable: slips of one key are summed in the order of their stencils.
        slips.sort_by_key(|slip| slip.key);
        let mean = |group: &[Slip]| {
            let force: f64 = group.iter().map(|slip| slip.force).sum();
            let mean = group.iter().map(|slip| slip.force * slip.moved).sum::<Vec3>() / force;
            let normal = group.iter().map(|slip| slip.force * slip.normal).sum::<Vec3>().try_normalize(0.0).unwrap_or_else(Vec3::zeros);
            let slip = mean - normal * normal.dot(&mean);
            (group[0].key, if slip.norm() > longest { slip * (longest / slip.norm()) } else { slip })
        };
        let groups = slips.chunk_by(|a, b| a.key == b.key).filter(|group| touching.binary_search(&group[0].key).is_ok());
        Self { slips: groups.map(mean).collect() }
    }
}
