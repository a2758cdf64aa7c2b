//! Seams of cloth, as lines: along the borders that are sewn, and from the one to the other where they are open.

use std::collections::HashSet;

use aplomb_sim::math::Vec3;
use aplomb_sim::mesh::health::{Mates, side_ends};
use aplomb_sim::mesh::{BodyMesh, Cells};

use crate::viewport::{LineDraw, LineKind};

/// The seams of some bodies, by their nodes.
#[derive(Debug, Default)]
pub struct Seams {
    /// Sides of borders between sewn vertices.
    sides: Vec<[u32; 2]>,
    /// A vertex, the corners of the triangle that it is sewn to, and their shares.
    stitches: Vec<(u32, [u32; 3], [f64; 3])>,
}

impl Seams {
    /// Those of bodies with these first nodes.
    pub fn of<'a>(bodies: impl Iterator<Item = (usize, &'a BodyMesh)>) -> Self {
        let mut seams = Self::default();
        for (first, mesh) in bodies.filter(|(_, mesh)| !mesh.seams.is_empty()) {
            let Cells::Triangles(triangles) = &mesh.cells else { continue };
            let node = |v: u32| first as u32 + v;
            let mut sewn = HashSet::new();
            for seam in &mesh.seams {
                let corners = triangles[seam.cell as usize];
                sewn.insert(seam.vertex);
                sewn.extend(corners.iter().zip(seam.weights).filter(|(_, weight)| *weight > 0.0).map(|(v, _)| *v));
                seams.stitches.push((node(seam.vertex), corners.map(node), seam.weights));
            }
            let open = Mates::of(triangles).open().map(|side| side_ends(triangles, side)).collect::<Vec<_>>();
            seams.sides.extend(open.into_iter().filter(|ends| ends.iter().all(|v| sewn.contains(v))).map(|ends| ends.map(node)));
        }
        seams
    }

    /// They when nodes are at `positions` [m].
    pub fn lines(&self, positions: &[Vec3]) -> Option<LineDraw> {
        let at = |node: u32| positions[node as usize];
        let sides = self.sides.iter().map(|ends| ends.map(at));
        let across = |(vertex, corners, weights): &(u32, [u32; 3], [f64; 3])| {
            let point = corners.iter().zip(weights).map(|(node, weight)| *weight * at(*node)).sum();
            [at(*vertex), point]
        };
        let ends: Vec<[Vec3; 2]> = sides.chain(self.stitches.iter().map(across)).collect();
        (!ends.is_empty()).then(|| LineDraw { ends: ends.into(), kind: LineKind::Seam })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use aplomb_sim::mesh::Seam;

    /// Two squares side by side, of which the second hangs a little lower, sewn by two vertices of the first.
    #[test]
    fn seams_run_along_sewn_borders_and_across_gaps() {
        let squares = [0.0, 1.0].map(|x| [[x, 0.0], [x + 1.0, 0.0], [x + 1.0, 1.0], [x, 1.0]].map(|[x, y]| Vec3::new(x, y, 0.0)));
        let triangles = vec![[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]];
        let sewn = [Seam { vertex: 1, cell: 2, weights: [1.0, 0.0, 0.0] }, Seam { vertex: 2, cell: 3, weights: [0.0, 0.0, 1.0] }];
        let mesh = BodyMesh { cells: Cells::Triangles(triangles), seams: sewn.into(), ..BodyMesh::default() };
        let seams = Seams::of([(10, &mesh)].into_iter());
        let mut positions = vec![Vec3::repeat(9.0); 10];
        positions.extend(squares.concat());
        positions[14..].iter_mut().for_each(|x| x.z = -0.1);
        let lines = seams.lines(&positions).unwrap();
        let has = |a: [f64; 3], b: [f64; 3]| lines.ends.contains(&[a.into(), b.into()]) || lines.ends.contains(&[b.into(), a.into()]);
        assert_eq!((lines.ends.len(), lines.kind), (4, LineKind::Seam));
        assert!(has([1.0, 0.0, 0.0], [1.0, 1.0, 0.0]) && has([1.0, 0.0, -0.1], [1.0, 1.0, -0.1]), "along both borders");
        assert!(has([1.0, 0.0, 0.0], [1.0, 0.0, -0.1]) && has([1.0, 1.0, 0.0], [1.0, 1.0, -0.1]), "and across");
        let plain = BodyMesh { seams: Vec::new(), ..mesh };
        assert!(Seams::of([(10, &plain)].into_iter()).lines(&positions).is_none());
    }
}
