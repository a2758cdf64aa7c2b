//! The boundary and the parts of raw tets.

use crate::mesh::topology::Faces;

/// Triangles that belong to one tet only, outward oriented, in order of their tets.
pub fn faces(tets: &[[u32; 4]]) -> Vec<[u32; 3]> {
    Faces::of(tets).boundary(tets).0
}

/// Component of each tet, numbered by first appearance, where tets that share a face belong together; and how many.
pub fn components(tets: &[[u32; 4]]) -> (Vec<u32>, usize) {
    let of = Faces::of(tets).components(tets.len());
    let count = of.iter().max().map_or(0, |&last| last as usize + 1);
    (of, count)
}
