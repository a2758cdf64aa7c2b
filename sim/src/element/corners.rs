//! [`Corners`]: the nodes of one element, of however many there are.

use crate::math::Vec3;

/// Positions of the nodes of one element [m].
#[derive(Clone, Copy)]
pub struct Corners<'a> {
    positions: &'a [Vec3],
    nodes: &'a [u32],
}

impl<'a> Corners<'a> {
    /// Of these nodes.
    pub fn new(positions: &'a [Vec3], nodes: &'a [u32]) -> Self {
        Self { positions, nodes }
    }

    /// That of corner `i`.
    pub fn at(&self, i: usize) -> Vec3 {
        self.positions[self.nodes[i] as usize]
    }

    /// From the first corner to corner `i`.
    pub fn edge(&self, i: usize) -> Vec3 {
        self.at(i) - self.at(0)
    }

    /// How many there are.
    #[allow(clippy::len_without_is_empty, reason = "an element has nodes")]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }
}
