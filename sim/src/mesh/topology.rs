//! Which tets share a face: the boundary and the parts of a mesh, found by sorting the faces.

use rayon::slice::ParallelSliceMut;

/// Corners of the face opposite to each corner of a positive tet, counter-clockwise seen from outside.
pub const FACES: [[usize; 3]; 4] = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];

/// The faces of a mesh, equal ones side by side.
pub struct Faces {
    /// Sorted corners, and 4 tet + face in the lowest 32 bits.
    sorted: Vec<(u128, u32)>,
}

impl Faces {
    /// Sorts the faces of `tets`; there may be at most 2^30 tets.
    pub fn of(tets: &[[u32; 4]]) -> Self {
        let face = |t: usize, f: usize| {
            let mut corners = FACES[f].map(|c| tets[t][c]);
            corners.sort_unstable();
            (corners.iter().fold(0, |key, &c| key << 32 | u128::from(c)), (4 * t + f) as u32)
        };
        let mut sorted: Vec<(u128, u32)> = (0..tets.len()).flat_map(|t| (0..4).map(move |f| (t, f))).map(|(t, f)| face(t, f)).collect();
        sorted.par_sort_unstable();
        Self { sorted }
    }

    /// Boundary triangles, outward oriented, and the tet behind each, ordered by tet and face.
    pub fn boundary(&self, tets: &[[u32; 4]]) -> (Vec<[u32; 3]>, Vec<u32>) {
        let mut faces: Vec<u32> = self.sorted.chunk_by(|a, b| a.0 == b.0).filter(|same| same.len() == 1).map(|same| same[0].1).collect();
        faces.sort_unstable();
        let triangle = |face: &u32| FACES[(face % 4) as usize].map(|c| tets[(face / 4) as usize][c]);
        (faces.iter().map(triangle).collect(), faces.iter().map(|face| face / 4).collect())
    }

    /// Component of each of `count` tets, joined through faces, numbered by their first tets.
    pub fn components(&self, count: usize) -> Vec<u32> {
        let mut sets = DisjointSets::new(count);
        for same in self.sorted.chunk_by(|a, b| a.0 == b.0) {
            for face in &same[1..] {
                sets.join(same[0].1 / 4, face.1 / 4);
            }
        }
        sets.numbered()
    }
}

/// Union-find whose representative is always the smallest member.
#[derive(Clone)]
pub struct DisjointSets {
    parent: Vec<u32>,
}

impl DisjointSets {
    /// `count` sets of one.
    pub fn new(count: usize) -> Self {
        Self { parent: (0..count as u32).collect() }
    }

    /// Smallest member of the set of `i`.
    pub fn find(&mut self, mut i: u32) -> u32 {
        while self.parent[i as usize] != i {
            let above = self.parent[self.parent[i as usize] as usize];
            self.parent[i as usize] = above;
            i = above;
        }
        i
    }

    /// Makes one set of those of `a` and `b`.
    pub fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        self.parent[a.max(b) as usize] = a.min(b);
    }

    /// Number of the set of each member; sets are numbered from 0 by their smallest members.
    pub fn numbered(mut self) -> Vec<u32> {
        let mut number = vec![0; self.parent.len()];
        let mut sets = 0;
        for i in 0..number.len() {
            let smallest = self.find(i as u32) as usize;
            if smallest == i {
                number[i] = sets;
                sets += 1;
            } else {
                number[i] = number[smallest];
            }
        }
        number
    }
}
