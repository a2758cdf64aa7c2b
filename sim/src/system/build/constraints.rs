//! Fixed regions -> nodes that are held, driven along a motion, or slide along planes.

use std::collections::BTreeMap;

use super::Assembly;
use crate::bodies::select::region_vertices;
use crate::math::{Mat3, Vec3};
use crate::mesh::BodyMesh;
use crate::scene::{Body, RegionRole};
use crate::system::{DrivenNode, Motion};

/// Planes count as one where the sine of the angle between them is below this.
const PARALLEL: f64 = 1e-6;

impl Assembly<'_> {
    /// Adds what the fixed regions of `body` ask of its nodes, of which the first is `first`. Holding and moving go before
    /// sliding; of those two, the later region wins.
    pub(super) fn add_constraints(&mut self, body: &Body, mesh: &BodyMesh, first: usize) {
        // The motion of each vertex that has no equation of balance; `None` inside for one that is held.
        let mut held: BTreeMap<u32, Option<u32>> = BTreeMap::new();
        let mut planes: BTreeMap<u32, Vec<Vec3>> = BTreeMap::new();
        for region in &body.regions {
            let RegionRole::Dirichlet { slip, motion } = &region.role else { continue };
            let vertices = region_vertices(mesh, region);
            if let Some(motion) = motion {
                let points: Vec<Vec3> = vertices.iter().map(|&v| mesh.positions[v as usize]).collect();
                let number = self.system.motions.len() as u32;
                self.system.motions.push(Motion::new(motion, &points));
                held.extend(vertices.iter().map(|&v| (v, Some(number))));
            } else if let Some(normal) = slip {
                vertices.iter().for_each(|&v| planes.entry(v).or_default().push(Vec3::from(*normal)));
            } else {
                held.extend(vertices.iter().map(|&v| (v, None)));
            }
        }
        for (vertex, normals) in planes.iter().filter(|(vertex, _)| !held.contains_key(vertex)) {
            match directions_left(normals) {
                Some(projector) => self.system.slides.push((first as u32 + vertex, projector)),
                None => self.system.fixed[first + *vertex as usize] = true,
            }
        }
        for (vertex, motion) in held {
            self.system.fixed[first + vertex as usize] = true;
            self.system.driven.extend(motion.map(|motion| DrivenNode { node: first as u32 + vertex, motion }));
        }
    }
}

/// Projector onto the directions that lie in all planes with these normals; none where nothing is left.
fn directions_left(normals: &[Vec3]) -> Option<Mat3> {
    let mut orthonormal: Vec<Vec3> = Vec::new();
    for normal in normals {
        let normal = normal.normalize();
        let rest = orthonormal.iter().fold(normal, |rest, q| rest - q.dot(&rest) * q);
        if rest.norm() > PARALLEL {
            orthonormal.push(rest.normalize());
        }
    }
    match orthonormal.as_slice() {
        [_, _, _] => None,
        [a, b] => {
            let line = a.cross(b).normalize();
            Some(line * line.transpose())
        }
        normals => Some(normals.iter().fold(Mat3::identity(), |projector, n| projector - n * n.transpose())),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn planes_leave_a_plane_a_line_or_nothing() {
        let (x, oblique) = (Vec3::new(2.0, 0.0, 0.0), Vec3::new(3.0, 4.0, 0.0));
        let plane = directions_left(&[oblique, -2.0 * oblique]).unwrap();
        assert!((plane * oblique).norm() < 1e-14);
        assert!((plane * Vec3::new(-4.0, 3.0, 7.0) - Vec3::new(-4.0, 3.0, 7.0)).norm() < 1e-14);
        let line = directions_left(&[x, oblique]).unwrap();
        assert!((line - Mat3::from_diagonal(&Vec3::z())).norm() < 1e-14);
        assert_eq!(directions_left(&[x, oblique, Vec3::new(1.0, 1.0, 1.0)]), None);
        assert_eq!(directions_left(&[x, Vec3::new(5.0, 0.0, 0.0)]), directions_left(&[x]));
    }
}
