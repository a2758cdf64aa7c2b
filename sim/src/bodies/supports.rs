//! Which of the regions that fix vertices of a body has a vertex, and what is left to it.

use std::collections::BTreeMap;

use super::select::region_vertices;
use crate::math::{Mat3, Vec3};
use crate::mesh::BodyMesh;
use crate::scene::{Body, RegionRole};

/// Planes count as one where the sine of the angle between them is below this.
const PARALLEL: f64 = 1e-6;

/// What a vertex that is not free may do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Support {
    /// Stay.
    Held,
    /// Follow the motion of a region, an index into those of its body, or of the obstacle that the region names.
    Moved(usize),
    /// Slide: the projector onto the directions that lie in all of its planes.
    Sliding(Mat3),
}

/// What the fixed regions of `body` leave to the vertices of its `mesh`; those that are free are not in it. Holding and moving go before
/// sliding, and of those two the later region wins. Planes that leave no direction hold.
pub fn supports(body: &Body, mesh: &BodyMesh) -> BTreeMap<u32, Support> {
    let mut supports = BTreeMap::new();
    let mut planes: BTreeMap<u32, Vec<Vec3>> = BTreeMap::new();
    for (index, region) in body.regions.iter().enumerate() {
        let RegionRole::Dirichlet { slip, motion, follows } = &region.role else { continue };
        let vertices = region_vertices(mesh, region);
        let is_moved = motion.is_some() || follows.is_some();
        match (is_moved, slip) {
            (true, _) => supports.extend(vertices.iter().map(|&vertex| (vertex, Support::Moved(index)))),
            (false, Some(normal)) => vertices.iter().for_each(|&vertex| planes.entry(vertex).or_default().push(Vec3::from(*normal))),
            (false, None) => supports.extend(vertices.iter().map(|&vertex| (vertex, Support::Held))),
        }
    }
    for (vertex, normals) in planes {
        supports.entry(vertex).or_insert_with(|| directions_left(&normals).map_or(Support::Held, Support::Sliding));
    }
    supports
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
    use crate::mesh::Cells;
    use serde_json::{Value, json};

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

    /// Vertices in a row, of which each region has those up to a number.
    #[test]
    fn holding_and_moving_go_before_sliding_and_the_later_of_them_wins() {
        let of = |regions: &[(u32, Value)]| {
            let region = |(last, role): &(u32, Value)| {
                let vertices: Vec<u32> = (0..=*last).collect();
                json!({ "name": format!("up to {last}"), "role": { "dirichlet": role }, "select": [{ "vertices": vertices }] })
            };
            let regions: Vec<Value> = regions.iter().map(region).collect();
            let body: Body = serde_json::from_value(json!({ "name": "row", "mesh": "row.obj", "regions": regions })).unwrap();
            let positions = (0..6).map(|k| f64::from(k) * Vec3::x()).collect();
            let mesh = BodyMesh { positions, cells: Cells::Lines((0..5).map(|k| [k, k + 1]).collect()), ..BodyMesh::default() };
            supports(&body, &mesh)
        };
        let (hold, slide) = (json!({}), |normal: [f64; 3]| json!({ "slip": normal }));
        let turn = json!({ "motion": { "keyframes": [{ "time": 1.0, "translate": [1.0, 0.0, 0.0] }] } });
        let plane = |normal: Vec3| Support::Sliding(Mat3::identity() - normal * normal.transpose());
        // Whether sliding comes first or last.
        for order in [[0, 1, 2], [2, 0, 1], [0, 2, 1]] {
            let all = [(2, turn.clone()), (1, hold.clone()), (4, slide([0.0, 3.0, 0.0]))];
            let found = of(&order.map(|k| all[k].clone()));
            let moved = order.iter().position(|k| *k == 0).unwrap();
            let expected = [Support::Held, Support::Held, Support::Moved(moved), plane(Vec3::y()), plane(Vec3::y())];
            assert_eq!(found.into_iter().collect::<Vec<_>>(), (0..).zip(expected).collect::<Vec<_>>(), "{order:?}");
        }
        let found = of(&[(1, hold), (2, turn)]);
        assert!(found.len() == 3 && found.values().all(|support| *support == Support::Moved(1)), "{found:?}");
        let axes = [slide([1.0, 0.0, 0.0]), slide([0.0, 1.0, 0.0]), slide([1.0, 1.0, 1.0])];
        let found = of(&[(2, axes[0].clone()), (1, axes[1].clone()), (0, axes[2].clone())]);
        assert_eq!(found[&0], Support::Held);
        let Support::Sliding(line) = found[&1] else { panic!("{found:?}") };
        assert!((line - Mat3::from_diagonal(&Vec3::z())).norm() < 1e-14 && found[&2] == plane(Vec3::x()));
    }
}
