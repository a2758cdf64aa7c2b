//! [`Clusters`]: sets of vertices, each of which is one element.

use std::ops::Range;

use crate::math::Vec3;

/// Sets of vertices with the volume that each stands for.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Clusters {
    /// The vertices of all, ascending in each.
    members: Vec<u32>,
    /// Where each ends.
    ends: Vec<usize>,
    /// Of sets that have faces, what these give to each member: the integral of its share over them times the outward normal [m^2]. With places x,
    /// the sum of x a^T is the volume times the unit matrix. Empty otherwise.
    faces: Vec<Vec3>,
    /// Volume of each [m^3].
    pub volumes: Vec<f64>,
}

impl Clusters {
    /// Adds one, with what its faces give to each vertex if it has any.
    pub fn push(&mut self, vertices: &[u32], faces: &[Vec3], volume: f64) {
        self.members.extend_from_slice(vertices);
        self.faces.extend_from_slice(faces);
        self.ends.push(self.members.len());
        self.volumes.push(volume);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The vertices of one.
    pub fn get(&self, c: usize) -> &[u32] {
        &self.members[self.range(c)]
    }

    /// What its faces give to each of its vertices [m^2]; nothing where it has none.
    pub fn faces(&self, c: usize) -> &[Vec3] {
        self.faces.get(self.range(c)).unwrap_or_default()
    }

    fn range(&self, c: usize) -> Range<usize> {
        let start = if c == 0 { 0 } else { self.ends[c - 1] };
        start..self.ends[c]
    }

    /// The vertices of each.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.len()).map(|c| self.get(c))
    }
}
