//! [`Sheet`]: the two sides of a surface that encloses nothing, as cloth.
//!
//! Which side a point is on is told by the normal of what it is nearest to: of a face, of an edge as the mean of its faces', of a vertex as the mean by
//! their angles, which is right for any angles between them (Baerentzen, Aanaes 2005, "Signed Distance Computation Using the Angle Weighted Pseudonormal").

use std::collections::BTreeMap;

use super::closest::{Hit, nearest, shares};
use super::triangle_tree::TriangleTree;
use crate::math::Vec3;

/// Distance from the triangles, over the diagonal of the surface, under which the way to the nearest point says nothing about the normal.
const ON: f64 = 1e-9;
/// A share of a corner below which the nearest point lies on the side across from it.
const NO_SHARE: f64 = 1e-9;

/// A surface of triangles with a border.
#[derive(Debug, Clone)]
pub struct Sheet {
    tree: TriangleTree,
    positions: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    /// The edges of each triangle: that across from its first corner, its second, its third.
    edges: Vec<[u32; 3]>,
    /// Whether edges and vertices are at the border.
    border: [Vec<bool>; 2],
    /// Normals of faces, edges and vertices.
    normals: [Vec<Vec3>; 3],
    /// What is nearer than this to the triangles is on them [m].
    on: f64,
}

/// A point above or below a sheet.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Beside {
    /// Distance [m], positive on the side to which the triangles face.
    pub distance: f64,
    /// Unit vector that leads to that side.
    pub normal: Vec3,
    /// The nearest point of the sheet.
    pub hit: Hit,
}

impl Sheet {
    /// Of `triangles` between `positions` [m], which face the same way.
    pub fn new(positions: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        let mut numbers: BTreeMap<[u32; 2], (u32, u32)> = BTreeMap::new();
        let mut edges = Vec::with_capacity(triangles.len());
        for t in triangles {
            edges.push([0, 1, 2].map(|corner| {
                let (a, b) = (t[(corner + 1) % 3], t[(corner + 2) % 3]);
                let next = numbers.len() as u32;
                let (number, count) = numbers.entry([a.min(b), a.max(b)]).or_insert((next, 0));
                *count += 1;
                *number
            }));
        }
        let mut border = [vec![false; numbers.len()], vec![false; positions.len()]];
        for (ends, (number, _)) in numbers.iter().filter(|(_, (_, count))| *count == 1) {
            border[0][*number as usize] = true;
            ends.iter().for_each(|&v| border[1][v as usize] = true);
        }
        let tree = TriangleTree::new(positions, triangles);
        let mut sheet =
            Self { tree, positions: Vec::new(), triangles: triangles.to_vec(), edges, border, normals: Default::default(), on: 0.0 };
        sheet.face(positions);
        sheet
    }

    /// Goes along with its triangles, whose vertices are at `positions` now [m].
    pub fn follow(&mut self, positions: &[Vec3]) {
        self.tree.follow(positions, &self.triangles);
        self.face(positions);
    }

    fn face(&mut self, positions: &[Vec3]) {
        let (low, high) = self.tree.boxes[0];
        self.on = ON * (high - low).norm();
        self.positions.clear();
        self.positions.extend_from_slice(positions);
        let [faces, edges, vertices] = &mut self.normals;
        faces.clear();
        for (normals, border) in [&mut *edges, &mut *vertices].into_iter().zip(&self.border) {
            normals.clear();
            normals.resize(border.len(), Vec3::zeros());
        }
        for (t, of_triangle) in self.triangles.iter().zip(&self.edges) {
            let x = t.map(|v| positions[v as usize]);
            let normal = (x[1] - x[0]).cross(&(x[2] - x[0])).try_normalize(0.0).unwrap_or_default();
            faces.push(normal);
            of_triangle.iter().for_each(|&edge| edges[edge as usize] += normal);
            for corner in 0..3 {
                let [along, other] = [1, 2].map(|k| x[(corner + k) % 3] - x[corner]);
                vertices[t[corner] as usize] += along.cross(&other).norm().atan2(along.dot(&other)) * normal;
            }
        }
        [edges, vertices].into_iter().flatten().for_each(|normal| *normal = normal.try_normalize(0.0).unwrap_or_default());
    }

    /// Where `x` [m] is, if that is above or below the sheet, and no farther from it than `reach` [m]: not beside its border.
    pub fn beside(&self, x: &Vec3, reach: f64) -> Option<Beside> {
        let hit = nearest(&self.tree, x, reach)?;
        let (normal, is_border) = self.normal_at(&hit);
        let away = x - hit.point;
        if hit.distance <= self.on {
            return Some(Beside { distance: 0.0, normal, hit });
        }
        let along = normal.dot(&away);
        let side = if along < 0.0 { -1.0 } else { 1.0 };
        let is_over = !is_border || (away - along * normal).norm() <= self.on;
        is_over.then(|| Beside { distance: side * hit.distance, normal: side / hit.distance * away, hit })
    }

    /// The normal of the face, edge or vertex that a nearest point lies on, and whether that is at the border.
    fn normal_at(&self, hit: &Hit) -> (Vec3, bool) {
        let t = hit.triangle as usize;
        let has = shares(&hit.point, &self.triangles[t].map(|v| self.positions[v as usize])).map(|share| share > NO_SHARE);
        match has.iter().filter(|has| **has).count() {
            3 => (self.normals[0][t], false),
            2 => {
                let edge = self.edges[t][has.iter().position(|has| !has).unwrap_or(0)] as usize;
                (self.normals[1][edge], self.border[0][edge])
            }
            _ => {
                let vertex = self.triangles[t][has.iter().position(|has| *has).unwrap_or(0)] as usize;
                (self.normals[2][vertex], self.border[1][vertex])
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::math::random::Random;

    /// A sheet of n x n squares over the unit square, as high as a function of the place says.
    fn sheet(n: u32, height: impl Fn(f64, f64) -> f64) -> (Vec<Vec3>, Vec<[u32; 3]>) {
        let at = |k: u32| f64::from(k) / f64::from(n);
        let x = (0..=n).flat_map(|i| (0..=n).map(move |j| (i, j))).map(|(i, j)| Vec3::new(at(i), height(at(i), at(j)), at(j))).collect();
        let squares = (0..n).flat_map(|i| (0..n).map(move |j| i * (n + 1) + j));
        (x, squares.flat_map(|q| [[q, q + 1, q + n + 1], [q + 1, q + n + 2, q + n + 1]]).collect())
    }

    /// Above and below a plane sheet the distance is the height; beside its border there is neither.
    #[test]
    fn a_plane_sheet_has_two_sides_up_to_its_border() {
        let (positions, triangles) = sheet(7, |_, _| 0.0);
        let sheet = Sheet::new(&positions, &triangles);
        let mut random = Random::new(1);
        let mut seen = [0; 3];
        for _ in 0..3000 {
            let x = random.vector(-0.3, 1.3);
            let x = Vec3::new(x.x, 0.5 * (x.y - 0.5), x.z);
            let is_over = [x.x, x.z].iter().all(|c| (0.0..=1.0).contains(c));
            let found = sheet.beside(&x, 0.3);
            assert_eq!(found.is_some(), is_over && x.y.abs() <= 0.3, "{x}");
            if let Some(found) = found {
                assert!((found.distance - x.y).abs() < 1e-14 && (found.normal - Vec3::y()).norm() < 1e-9, "{found:?}");
            }
            seen[if is_over { usize::from(x.y > 0.0) } else { 2 }] += 1;
        }
        assert!(seen.iter().all(|count| *count > 100), "{seen:?}");
        // Right above border, edge and vertex, and on the sheet itself.
        for x in
            [Vec3::new(0.0, 0.1, 0.4), Vec3::new(1.0, -0.1, 1.0), Vec3::new(2.0 / 7.0, 0.1, 0.4), Vec3::new(3.0 / 7.0, -0.1, 3.0 / 7.0)]
        {
            assert!((sheet.beside(&x, 0.3).unwrap().distance - x.y).abs() < 1e-15);
        }
        assert_eq!(sheet.beside(&Vec3::new(0.31, 0.0, 0.32), 0.3).unwrap().normal, Vec3::y());
    }

    /// In sharp folds what is nearest to an edge or a vertex is on the side that it is on, also after the sheet has moved.
    #[test]
    fn folds_have_two_sides() {
        let (flat, triangles) = sheet(2, |_, _| 0.0);
        let mut sheet_of = Sheet::new(&flat, &triangles);
        for (up, height) in [(1.0, 1.5), (-1.0, 3.0)] {
            let roof = |x: f64, z: f64| up * height * (0.5 - (x - 0.5).abs()).min(0.5 - (z - 0.5).abs());
            let (positions, _) = sheet(2, roof);
            sheet_of.follow(&positions);
            let mut random = Random::new(2);
            let mut seen = [0; 2];
            for _ in 0..3000 {
                let x = random.vector(0.2, 0.8);
                let x = Vec3::new(x.x, up * height * (x.y - 0.1), x.z);
                // What one sees from far above is the upper side: no triangle of a roof hides another.
                let triangle = |t: &[u32; 3]| t.map(|v| positions[v as usize]);
                let below = |t: &[u32; 3]| {
                    let corners = triangle(t);
                    let flat = corners.map(|c| Vec3::new(c.x, 0.0, c.z));
                    let share = shares(&Vec3::new(x.x, 0.0, x.z), &flat);
                    share.iter().all(|s| *s >= 0.0).then(|| (0..3).map(|k| share[k] * corners[k].y).sum::<f64>())
                };
                let surface = triangles.iter().find_map(below).unwrap();
                let found = sheet_of.beside(&x, 0.4);
                if let Some(found) = found.filter(|found| found.distance.abs() > 1e-9) {
                    assert_eq!(found.distance > 0.0, x.y > surface, "{x} {surface} {found:?}");
                    seen[usize::from(x.y > surface)] += 1;
                }
            }
            assert!(seen.iter().all(|count| *count > 100), "{seen:?}");
        }
    }
}
