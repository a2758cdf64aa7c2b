//! Faces of raw tets: which are shared, which make up the surface.

/// Faces of a positively oriented tet, outward.
const FACES: [[usize; 3]; 4] = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];

/// All faces as (sorted vertices, number of tet * 4 + face), in order of their vertices.
fn all_faces(tets: &[[u32; 4]]) -> Vec<([u32; 3], usize)> {
    let mut faces: Vec<_> = (0..4 * tets.len())
        .map(|i| {
            let mut face = FACES[i % 4].map(|v| tets[i / 4][v]);
            face.sort_unstable();
            (face, i)
        })
        .collect();
    faces.sort_unstable();
    faces
}

/// Triangles that belong to one tet only, outward oriented, in order of their tets.
pub fn faces(tets: &[[u32; 4]]) -> Vec<[u32; 3]> {
    let mut single: Vec<usize> = all_faces(tets).chunk_by(|a, b| a.0 == b.0).filter(|c| c.len() == 1).map(|c| c[0].1).collect();
    single.sort_unstable();
    single.into_iter().map(|i| FACES[i % 4].map(|v| tets[i / 4][v])).collect()
}

/// Component of each tet, numbered by first appearance, where tets that share a face belong together; and how many.
pub fn components(tets: &[[u32; 4]]) -> (Vec<u32>, usize) {
    let mut parent: Vec<usize> = (0..tets.len()).collect();
    for pair in all_faces(tets).windows(2).filter(|w| w[0].0 == w[1].0) {
        join(&mut parent, pair[0].1 / 4, pair[1].1 / 4);
    }
    number(&mut parent)
}

/// Root of `i` in a forest of disjoint sets, halving the path on the way.
pub fn root(parent: &mut [usize], mut i: usize) -> usize {
    while parent[i] != i {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    i
}

/// Joins two sets under the smaller root, so that the result does not depend on the order of joining.
pub fn join(parent: &mut [usize], a: usize, b: usize) {
    let (a, b) = (root(parent, a), root(parent, b));
    parent[a.max(b)] = a.min(b);
}

/// Numbers the sets by their first members.
pub fn number(parent: &mut [usize]) -> (Vec<u32>, usize) {
    let mut numbers = vec![0; parent.len()];
    let mut count = 0;
    for i in 0..parent.len() {
        let r = root(parent, i);
        if r == i {
            numbers[i] = count;
            count += 1;
        } else {
            numbers[i] = numbers[r];
        }
    }
    (numbers, count as usize)
}
