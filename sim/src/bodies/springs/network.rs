//! [`Network`]: which vertices of a file springs join. Edges of tets, faces and lines; diagonals of quadrilaterals; corners opposite
//! across an edge; every other vertex of a line.

use std::collections::BTreeMap;

use super::SpringSettings;
use crate::import::RawMesh;

/// Tag of a spring along an edge of the file.
pub const EDGE: i32 = 0;
/// Tag of a spring along a diagonal of a quadrilateral.
pub const DIAGONAL: i32 = 1;
/// Tag of a spring between the corners opposite to an edge of two triangles.
pub const OPPOSITE: i32 = 2;
/// Tag of a spring from a vertex of a line to the one after the next.
pub const SKIP_ONE: i32 = 3;

/// Springs by the vertices of a file, no two of them alike: ascending within a tag, tags in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Network {
    /// The ends of each.
    pub lines: Vec<[u32; 2]>,
    /// What it is.
    pub tags: Vec<i32>,
}

impl Network {
    /// The springs that `settings` ask for on the cells of `raw`.
    pub fn of(raw: &RawMesh, settings: &SpringSettings) -> Self {
        let mut tag_of: BTreeMap<[u32; 2], i32> = BTreeMap::new();
        let mut add = |a: u32, b: u32, tag: i32| {
            if a != b {
                tag_of.entry([a.min(b), a.max(b)]).or_insert(tag);
            }
        };
        for &[a, b, c, d] in &raw.tets {
            [[a, b], [a, c], [a, d], [b, c], [b, d], [c, d]].into_iter().for_each(|[a, b]| add(a, b, EDGE));
        }
        // The faces of tets are none of their own.
        if raw.tets.is_empty() {
            faces(raw).for_each(|face| around(face).for_each(|[a, b]| add(a, b, EDGE)));
        }
        raw.strands.iter().for_each(|line| line.windows(2).for_each(|ends| add(ends[0], ends[1], EDGE)));
        if settings.diagonals {
            let quads = raw.polygons.iter().filter_map(|face| <&[u32; 4]>::try_from(face).ok());
            quads.for_each(|&[a, b, c, d]| [[a, c], [b, d]].into_iter().for_each(|[a, b]| add(a, b, DIAGONAL)));
        }
        if settings.opposite {
            opposite(&raw.triangles).into_iter().for_each(|[a, b]| add(a, b, OPPOSITE));
        }
        if settings.skip_one {
            raw.strands.iter().for_each(|line| line.windows(3).for_each(|ends| add(ends[0], ends[2], SKIP_ONE)));
        }
        let mut springs: Vec<(i32, [u32; 2])> = tag_of.into_iter().map(|(line, tag)| (tag, line)).collect();
        springs.sort_unstable();
        let (tags, lines) = springs.into_iter().unzip();
        Self { lines, tags }
    }
}

/// The faces as the file has them.
fn faces(raw: &RawMesh) -> Box<dyn Iterator<Item = &[u32]> + '_> {
    if raw.polygons.is_empty() { Box::new(raw.triangles.iter().map(|t| t.as_slice())) } else { Box::new(raw.polygons.iter()) }
}

/// The edges around a face.
fn around(face: &[u32]) -> impl Iterator<Item = [u32; 2]> + '_ {
    (0..face.len()).map(|k| [face[k], face[(k + 1) % face.len()]])
}

/// For each edge between two triangles the two corners that are not on it: edges sorted with their triangles, and neighbours compared.
fn opposite(triangles: &[[u32; 3]]) -> Vec<[u32; 2]> {
    let sides = |&[a, b, c]: &[u32; 3]| [([a.min(b), a.max(b)], c), ([b.min(c), b.max(c)], a), ([c.min(a), c.max(a)], b)];
    let mut sides: Vec<([u32; 2], u32)> = triangles.iter().flat_map(sides).collect();
    sides.sort_unstable();
    sides.chunk_by(|a, b| a.0 == b.0).filter(|shared| shared.len() == 2).map(|shared| [shared[0].1, shared[1].1]).collect()
}

#[cfg(test)]
mod tests {
    use super::super::SpringMass;
    use super::*;
    use crate::import::Lists;

    fn all() -> SpringSettings {
        SpringSettings { diagonals: true, opposite: true, skip_one: true, ..SpringSettings::new(1.0, SpringMass::PerNode(1.0)) }
    }

    fn lists(lists: &[&[u32]]) -> Lists {
        let mut made = Lists::default();
        lists.iter().for_each(|list| made.push(list));
        made
    }

    /// Two triangles over a common edge: five edges and one opposite spring, whichever way the triangles are listed.
    #[test]
    fn edges_are_counted_once() {
        for triangles in [vec![[0, 1, 2], [1, 3, 2]], vec![[2, 1, 0], [2, 1, 3]]] {
            let raw = RawMesh { triangles, ..RawMesh::default() };
            let network = Network::of(&raw, &all());
            assert_eq!(network.lines, [[0, 1], [0, 2], [1, 2], [1, 3], [2, 3], [0, 3]]);
            assert_eq!(network.tags, [EDGE, EDGE, EDGE, EDGE, EDGE, OPPOSITE]);
            let plain = Network::of(&raw, &SpringSettings { opposite: false, ..all() });
            assert_eq!(plain.lines.len(), 5);
        }
    }

    /// A quadrilateral that is cut into triangles has its own four edges; the cut is one of the diagonals, if they are asked for.
    #[test]
    fn quadrilaterals_keep_their_edges() {
        let raw = RawMesh { triangles: vec![[0, 1, 2], [0, 2, 3]], polygons: lists(&[&[0, 1, 2, 3]]), ..RawMesh::default() };
        let plain = Network::of(&raw, &SpringSettings { diagonals: false, opposite: false, ..all() });
        assert_eq!(plain.lines, [[0, 1], [0, 3], [1, 2], [2, 3]]);
        let braced = Network::of(&raw, &SpringSettings { opposite: false, ..all() });
        assert_eq!((&braced.lines[4..], &braced.tags[4..]), (&[[0, 2], [1, 3]][..], &[DIAGONAL; 2][..]));
    }

    #[test]
    fn lines_and_tets() {
        let raw = RawMesh { strands: lists(&[&[0, 1, 2, 3], &[3, 4]]), ..RawMesh::default() };
        let network = Network::of(&raw, &all());
        assert_eq!(network.lines, [[0, 1], [1, 2], [2, 3], [3, 4], [0, 2], [1, 3]]);
        assert_eq!(network.tags, [EDGE, EDGE, EDGE, EDGE, SKIP_ONE, SKIP_ONE]);
        // The boundary of tets that a file lists as well adds nothing.
        let raw = RawMesh { tets: vec![[0, 1, 2, 3], [1, 2, 3, 4]], triangles: vec![[0, 4, 1]], ..RawMesh::default() };
        assert_eq!(Network::of(&raw, &SpringSettings { opposite: false, ..all() }).lines.len(), 9);
    }
}
