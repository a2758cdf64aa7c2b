//! [`Mates`]: which triangles meet at each edge.

use rayon::prelude::*;

/// What is on the other side of a side of a triangle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mate {
    /// Nothing.
    Open,
    /// One side of another triangle: 3 triangle + corner.
    Side(u32),
    /// More than one triangle.
    Many,
    /// The side has no length: the triangle names a vertex twice.
    Void,
}

/// The sides of triangles by their edges. Side 3 t + k runs from corner k of triangle t to the next one.
#[derive(Debug, Clone)]
pub struct Mates {
    /// What is across each side.
    pub mates: Vec<Mate>,
    /// The sides of each edge with other than two: their number tells of an open edge (1) or a non-manifold one (3 and more).
    /// Ascending by the ends of the edges.
    odd: Vec<Vec<u32>>,
}

impl Mates {
    /// Of triangles; those that name a vertex twice have no sides.
    pub fn of(triangles: &[[u32; 3]]) -> Self {
        Self::within(triangles, |_| 0)
    }

    /// The same for triangles that larger faces are cut into. `cut` is 0 for a side of a face, and another number for each face whose
    /// diagonal a side is: what runs along a diagonal outside of the face is no neighbour.
    pub fn within(triangles: &[[u32; 3]], cut: impl Fn(u32) -> u32) -> Self {
        let side = |(s, _): (usize, &u32)| {
            let [from, to] = ends(triangles, s as u32);
            ((from.min(to), from.max(to), cut(s as u32)), s as u32)
        };
        let proper = |t: &u32| {
            let [a, b, c] = triangles[*t as usize / 3];
            a != b && b != c && c != a
        };
        let mut sorted: Vec<((u32, u32, u32), u32)> =
            triangles.as_flattened().iter().enumerate().map(side).filter(|(_, side)| proper(side)).collect();
        sorted.par_sort_unstable();
        let mut mates = vec![Mate::Void; 3 * triangles.len()];
        let mut odd = Vec::new();
        for same in sorted.chunk_by(|a, b| a.0 == b.0) {
            match same {
                [(_, a), (_, b)] => (mates[*a as usize], mates[*b as usize]) = (Mate::Side(*b), Mate::Side(*a)),
                [(_, a)] => {
                    mates[*a as usize] = Mate::Open;
                    odd.push(vec![*a]);
                }
                many => {
                    many.iter().for_each(|&(_, s)| mates[s as usize] = Mate::Many);
                    odd.push(many.iter().map(|&(_, s)| s).collect());
                }
            }
        }
        Self { mates, odd }
    }

    /// Sides of open edges.
    pub fn open(&self) -> impl Iterator<Item = u32> {
        self.odd.iter().filter(|sides| sides.len() == 1).map(|sides| sides[0])
    }

    /// Sides of each edge with more than two triangles.
    pub fn non_manifold(&self) -> impl Iterator<Item = &[u32]> {
        self.odd.iter().filter(|sides| sides.len() > 2).map(Vec::as_slice)
    }
}

/// The vertices from and to which side `s` runs.
pub fn ends(triangles: &[[u32; 3]], s: u32) -> [u32; 2] {
    let (t, k) = (s as usize / 3, s as usize % 3);
    [triangles[t][k], triangles[t][(k + 1) % 3]]
}
