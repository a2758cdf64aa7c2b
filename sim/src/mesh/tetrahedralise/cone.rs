//! Where two cones of air meet tip to tip in a vertex of the solid: the solid is cut open between them.

use super::boundary::faces;
use super::sound::pinched_vertices;
use crate::mesh::topology::DisjointSets;

/// Tets to remove so that at every vertex which the surface passes more than once, though the tets around it hang together,
/// two of its cones of air become one. Ascending; none once all is well. No edge may be pinched.
pub fn between_cones(tets: &[[u32; 4]]) -> Vec<usize> {
    let pinched = pinched_vertices(&faces(tets));
    let mut stars: Vec<(u32, usize)> = Vec::new();
    for (t, tet) in tets.iter().enumerate() {
        stars.extend(tet.iter().filter(|v| pinched.binary_search(v).is_ok()).map(|&v| (v, t)));
    }
    stars.sort_unstable();
    let mut doomed: Vec<usize> = Vec::new();
    for star in stars.chunk_by(|a, b| a.0 == b.0) {
        let members: Vec<[u32; 4]> = star.iter().map(|s| tets[s.1]).collect();
        doomed.extend(Star::new(star[0].0, &members).shortest_cut().into_iter().map(|i| star[i].1));
    }
    doomed.sort_unstable();
    doomed.dedup();
    doomed
}

/// The tets around a vertex.
struct Star {
    /// Tets of the star behind each face that contains the vertex.
    neighbours: Vec<Vec<usize>>,
    /// Cones of air that each tet borders.
    cones: Vec<Vec<u32>>,
    count: usize,
}

impl Star {
    fn new(centre: u32, tets: &[[u32; 4]]) -> Self {
        let mut sides: Vec<([u32; 2], usize)> = Vec::new();
        for (t, tet) in tets.iter().enumerate() {
            let mut rim: Vec<u32> = tet.iter().copied().filter(|v| *v != centre).collect();
            rim.sort_unstable();
            sides.extend([[rim[0], rim[1]], [rim[0], rim[2]], [rim[1], rim[2]]].map(|side| (side, t)));
        }
        sides.sort_unstable();
        let mut neighbours = vec![Vec::new(); tets.len()];
        let mut open: Vec<([u32; 2], usize)> = Vec::new();
        for same in sides.chunk_by(|a, b| a.0 == b.0) {
            match same {
                [one] => open.push(*one),
                [one, other, ..] => {
                    neighbours[one.1].push(other.1);
                    neighbours[other.1].push(one.1);
                }
                [] => {}
            }
        }
        // Triangles of the surface that share a spoke belong to one cone.
        let mut spokes: Vec<(u32, u32)> = (0..).zip(&open).flat_map(|(i, (side, _))| side.map(|v| (v, i))).collect();
        spokes.sort_unstable();
        let mut sets = DisjointSets::new(open.len());
        for pair in spokes.windows(2).filter(|w| w[0].0 == w[1].0) {
            sets.join(pair[0].1, pair[1].1);
        }
        let of = sets.numbered();
        let mut cones = vec![Vec::new(); tets.len()];
        for ((_, t), &cone) in open.iter().zip(&of) {
            cones[*t].push(cone);
        }
        Self { neighbours, cones, count: of.iter().max().map_or(0, |&last| last as usize + 1) }
    }

    /// The fewest tets between the first cone that can be joined to another and that one.
    fn shortest_cut(&self) -> Vec<usize> {
        (0..self.count as u32).map(|cone| self.cut_from(cone)).find(|cut| !cut.is_empty()).unwrap_or_default()
    }

    /// The fewest tets between `cone` and any other, breadth first; none if they are not joined by faces.
    fn cut_from(&self, cone: u32) -> Vec<usize> {
        let mut from = vec![usize::MAX; self.cones.len()];
        let mut queue: Vec<usize> = (0..from.len()).filter(|&t| self.cones[t].contains(&cone)).collect();
        queue.iter().for_each(|&t| from[t] = t);
        let mut next = 0;
        while let Some(&t) = queue.get(next) {
            if self.cones[t].iter().any(|&c| c != cone) {
                let mut cut = vec![t];
                let mut at = t;
                while from[at] != at {
                    at = from[at];
                    cut.push(at);
                }
                return cut;
            }
            for &n in &self.neighbours[t] {
                if from[n] == usize::MAX {
                    from[n] = t;
                    queue.push(n);
                }
            }
            next += 1;
        }
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn a_ring_of_tets_around_a_vertex_is_opened() {
        // Eight octants around vertex 0, without the two that hold (+,+,+) and (-,-,-): a ring of six.
        let octant = |o: u32| {
            let [x, y, z] = [1 + (o & 1), 3 + (o >> 1 & 1), 5 + (o >> 2)];
            if o.count_ones().is_multiple_of(2) { [0, x, y, z] } else { [0, y, x, z] }
        };
        let tets: Vec<[u32; 4]> = (1..7).map(octant).collect();
        let cut = between_cones(&tets);
        assert_eq!(cut.len(), 2, "the missing octants are three steps apart");
        let left: Vec<[u32; 4]> = (0..6).filter(|t| !cut.contains(t)).map(|t| tets[t]).collect();
        assert!(between_cones(&left).is_empty() && pinched_vertices(&faces(&left)).is_empty());
    }
}
