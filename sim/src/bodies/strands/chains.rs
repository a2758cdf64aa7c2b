//! [`Chains`]: the lines of a file as strands, each from one end to the other.

use crate::import::RawMesh;

/// Segments of strands, which follow one another.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Chains {
    /// The vertices of each segment in the direction of its strand.
    pub segments: Vec<[u32; 2]>,
    /// Strand of each segment, ascending.
    pub strand_of: Vec<u32>,
}

impl Chains {
    /// Those of the lines of `raw`: lines that share a vertex are one strand. Closed ones begin at their smallest vertex.
    ///
    /// # Errors
    /// The first vertex at which more than two segments meet.
    pub fn of(raw: &RawMesh) -> Result<Self, u32> {
        let ends = raw.strands.iter().flat_map(|line| line.windows(2).map(|ends| [ends[0], ends[1]]));
        let mut edges: Vec<[u32; 2]> = ends.filter(|[a, b]| a != b).map(|[a, b]| [a.min(b), a.max(b)]).collect();
        edges.sort_unstable();
        edges.dedup();
        let mut neighbours: Vec<Vec<u32>> = vec![Vec::new(); raw.positions.len()];
        for &[a, b] in &edges {
            neighbours[a as usize].push(b);
            neighbours[b as usize].push(a);
        }
        if let Some(branch) = neighbours.iter().position(|others| others.len() > 2) {
            return Err(branch as u32);
        }
        let mut chains = Self::default();
        let mut is_done = vec![false; neighbours.len()];
        let vertices = || 0..neighbours.len() as u32;
        // In the direction in which the file has them: from the end with the smaller number.
        let ends = vertices().filter(|&v| neighbours[v as usize].len() == 1);
        for start in ends.chain(vertices().filter(|&v| neighbours[v as usize].len() == 2)) {
            if !is_done[start as usize] {
                chains.follow(start, &neighbours, &mut is_done);
            }
        }
        Ok(chains)
    }

    fn follow(&mut self, start: u32, neighbours: &[Vec<u32>], is_done: &mut [bool]) {
        let strand = self.strand_of.last().map_or(0, |last| last + 1);
        let mut vertex = start;
        is_done[start as usize] = true;
        let mut add = |segment| {
            self.segments.push(segment);
            self.strand_of.push(strand);
        };
        while let Some(&next) = neighbours[vertex as usize].iter().find(|&&next| !is_done[next as usize]) {
            add([vertex, next]);
            is_done[next as usize] = true;
            vertex = next;
        }
        if neighbours[start as usize].len() == 2 && vertex != start {
            add([vertex, start]);
        }
    }
}

/// Of segments in the order of their strands, the pairs that follow one another: joints are between them. A closed strand ends with that of
/// its last segment and its first.
pub fn joints(segments: &[[u32; 2]]) -> Vec<[u32; 2]> {
    let (mut joints, mut first) = (Vec::new(), 0);
    for (index, segment) in segments.iter().enumerate() {
        match segments.get(index + 1) {
            Some(next) if next[0] == segment[1] => joints.push([index as u32, index as u32 + 1]),
            _ => {
                if index > first && segments[first][0] == segment[1] {
                    joints.push([index as u32, first as u32]);
                }
                first = index + 1;
            }
        }
    }
    joints
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::import::Lists;
    use crate::math::Vec3;

    fn chains(lines: &[&[u32]]) -> Result<Chains, u32> {
        let mut strands = Lists::default();
        lines.iter().for_each(|line| strands.push(line));
        Chains::of(&RawMesh { positions: vec![Vec3::zeros(); 9], strands, ..RawMesh::default() })
    }

    #[test]
    fn lines_are_followed_from_end_to_end() {
        // One in three pieces, one of them the other way round, and another strand.
        let found = chains(&[&[0, 4], &[2, 1, 4], &[2, 3], &[5, 6]]).unwrap();
        assert_eq!(found.segments, [[0, 4], [4, 1], [1, 2], [2, 3], [5, 6]]);
        assert_eq!(found.strand_of, [0, 0, 0, 0, 1]);
        assert_eq!(joints(&found.segments), [[0, 1], [1, 2], [2, 3]]);
        assert_eq!(chains(&[]).unwrap(), Chains::default());
    }

    #[test]
    fn rings_are_closed_and_branches_are_refused() {
        let ring = chains(&[&[3, 5, 7, 3], &[1, 2]]).unwrap();
        assert_eq!(ring.segments, [[1, 2], [3, 5], [5, 7], [7, 3]]);
        assert_eq!(joints(&ring.segments), [[1, 2], [2, 3], [3, 1]]);
        assert_eq!(chains(&[&[0, 1, 2], &[1, 3]]), Err(1));
        // The same segment twice is one.
        assert_eq!(chains(&[&[0, 1, 2], &[2, 1]]).unwrap().segments, [[0, 1], [1, 2]]);
    }
}
