//! Structured tetrahedral meshes of boxes: beams, columns, blocks, and the ground truth of tests.

use crate::math::Vec3;

/// The six tets of a unit cube around its diagonal 0-7 (Kuhn 1960). Corner `c` lies at (c & 1, c >> 1 & 1, c >> 2 & 1).
/// Every cube is cut alike, so neighbours agree on the diagonals of the faces they share.
const KUHN: [[usize; 4]; 6] = [[0, 1, 3, 7], [0, 3, 2, 7], [0, 2, 6, 7], [0, 6, 4, 7], [0, 4, 5, 7], [0, 5, 1, 7]];

/// The five tets of a cube whose even corners (0, 3, 5, 6) span the middle one.
const FIVE_EVEN: [[usize; 4]; 5] = [[0, 5, 3, 6], [1, 3, 0, 5], [2, 0, 3, 6], [4, 5, 0, 6], [7, 3, 5, 6]];

/// How each cube of the grid is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CubeCut {
    /// Five tets, mirrored from one cube to the next, so that no direction is preferred.
    #[default]
    Five,
    /// Six congruent tets around one diagonal, the same in every cube.
    Kuhn,
}

/// A box of tetrahedra with one corner at the origin and the opposite one at `size` [m].
///
/// `cells` is the number of cubes along x, y and z (at least 1 each; 0 counts as 1). The vertices are the
/// `(cells.x + 1)(cells.y + 1)(cells.z + 1)` grid points, x fastest, then y, then z; every tet is positively oriented.
pub fn box_mesh(size: Vec3, cells: [usize; 3], cut: CubeCut) -> (Vec<Vec3>, Vec<[u32; 4]>) {
    let cells = cells.map(|n| n.max(1));
    let [nx, ny, nz] = cells.map(|n| n + 1);
    let index = |i: usize, j: usize, k: usize| (i + nx * (j + ny * k)) as u32;
    let share = |i: usize, axis: usize| size[axis] * i as f64 / cells[axis] as f64;

    let mut positions = Vec::with_capacity(nx * ny * nz);
    for k in 0..nz {
        for j in 0..ny {
            positions.extend((0..nx).map(|i| Vec3::new(share(i, 0), share(j, 1), share(k, 2))));
        }
    }

    let pattern: &[[usize; 4]] = match cut {
        CubeCut::Five => &FIVE_EVEN,
        CubeCut::Kuhn => &KUHN,
    };
    let mut tets = Vec::with_capacity(pattern.len() * cells.iter().product::<usize>());
    for k in 0..cells[2] {
        for j in 0..cells[1] {
            for i in 0..cells[0] {
                let mirrored = cut == CubeCut::Five && (i + j + k) % 2 == 1;
                let corner = |c: usize| {
                    let x = if mirrored { 1 - (c & 1) } else { c & 1 };
                    index(i + x, j + (c >> 1 & 1), k + (c >> 2 & 1))
                };
                for &[a, b, c, d] in pattern {
                    // A mirrored tet is turned back to positive orientation by swapping two vertices.
                    let (c, d) = if mirrored { (d, c) } else { (c, d) };
                    tets.push([corner(a), corner(b), corner(c), corner(d)]);
                }
            }
        }
    }
    (positions, tets)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use crate::mesh::tetrahedralise::{boundary, quality};

    #[test]
    fn box_is_filled_once_and_conforming() {
        for cut in [CubeCut::Five, CubeCut::Kuhn] {
            let size = Vec3::new(2.0, 0.6, 0.9);
            let (positions, tets) = box_mesh(size, [5, 2, 3], cut);
            assert_eq!(positions.len(), 6 * 3 * 4);
            let volumes: Vec<f64> = tets.iter().map(|t| quality::volume(&positions, t)).collect();
            assert!(volumes.iter().all(|v| *v > 0.0), "{cut:?} holds an inverted tet");
            assert!((volumes.iter().sum::<f64>() - size.x * size.y * size.z).abs() < 1e-12);
            // Two triangles a cube face on the hull, and nowhere else: the diagonals agree inside.
            assert_eq!(boundary::faces(&tets).len(), 4 * (5 * 2 + 2 * 3 + 3 * 5));
        }
    }
}
