//! [`Clusters`]: sets of vertices, each of which is one element.

/// Sets of vertices with the volume that each stands for.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Clusters {
    /// The vertices of all, ascending in each.
    members: Vec<u32>,
    /// Where each ends.
    ends: Vec<usize>,
    /// Volume of each [m^3].
    pub volumes: Vec<f64>,
}

impl Clusters {
    /// Adds one.
    pub fn push(&mut self, vertices: &[u32], volume: f64) {
        self.members.extend_from_slice(vertices);
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
        let start = if c == 0 { 0 } else { self.ends[c - 1] };
        &self.members[start..self.ends[c]]
    }

    /// The vertices of each.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.len()).map(|c| self.get(c))
    }
}
