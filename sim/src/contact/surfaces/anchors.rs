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

/// All slips, ascending by key.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Anchors {
    anchors: Vec<Anchor>,
}

/// The slip that a primitive remembers.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Anchor {
    key: AnchorKey,
    /// In world coordinates [m].
    slip: Vec3,
    /// Unit normal of the plane in which it lies.
    normal: Vec3,
}

/// What one contact adds to the slip of its owner in a step.
#[derive(Debug, Clone, Copy)]
pub struct Motion {
    /// The owner.
    pub key: AnchorKey,
    /// Its weight: the normal force, or a multiple [N].
    pub force: f64,
    /// Relative displacement within the step, of any direction [m].
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
    /// The slip that `key` remembers, in the plane with this unit normal; zero for a new contact.
    pub fn slip(&self, key: AnchorKey, normal: &Vec3) -> Vec3 {
        let known = self.anchors.binary_search_by_key(&key, |anchor| anchor.key);
        known.map_or(Vec3::zeros(), |index| self.anchors[index].turned(normal))
    }

    /// The slips after a step in which contacts made the motions `motions`: to each the mean motion of its contacts by normal
    /// force is added, in the plane across their mean normal, and the sum is cut back to `longest`. Keys not in `touching`
    /// (ascending) are forgotten.
    pub fn after(&self, mut motions: Vec<Motion>, touching: &[AnchorKey], longest: f64) -> Self {
        // Stable: motions of one key are summed in the order of their stencils.
        motions.sort_by_key(|motion| motion.key);
        let anchor = |group: &[Motion]| {
            let key = group[0].key;
            let force: f64 = group.iter().map(|motion| motion.force).sum();
            let moved = group.iter().map(|motion| motion.force * motion.moved).sum::<Vec3>() / force;
            let normal =
                group.iter().map(|motion| motion.force * motion.normal).sum::<Vec3>().try_normalize(0.0).unwrap_or(group[0].normal);
            let slip = self.slip(key, &normal) + in_plane(&moved, &normal);
            Anchor { key, slip: if slip.norm() > longest { slip * (longest / slip.norm()) } else { slip }, normal }
        };
        let groups = motions.chunk_by(|a, b| a.key == b.key).filter(|group| touching.binary_search(&group[0].key).is_ok());
        Self { anchors: groups.map(anchor).collect() }
    }
}

impl Anchor {
    /// The slip, turned into the plane with the unit normal `normal` by the least rotation: it keeps its length, and comes back
    /// when the plane does. Projected onto the planes of a primitive's several contacts it would shrink from step to step, and
    /// what it holds would creep.
    fn turned(&self, normal: &Vec3) -> Vec3 {
        let cosine = self.normal.dot(normal);
        // To the other side there is no least rotation, and nothing that slides from one side to the other.
        if cosine > 0.0 { self.slip - (self.normal + normal) * (normal.dot(&self.slip) / (1.0 + cosine)) } else { Vec3::zeros() }
    }
}

/// The part of `vector` across the unit vector `normal`.
pub fn in_plane(vector: &Vec3, normal: &Vec3) -> Vec3 {
    vector - normal * normal.dot(vector)
}
