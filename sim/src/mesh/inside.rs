//! [`Inside`]: what a closed surface of triangles encloses.

use rayon::prelude::*;

use super::closest::{Hit, nearest};
use super::tetrahedralise::soup::{Soup, is_closed};
use super::triangle_tree::TriangleTree;
use super::winding::Winding;
use crate::math::Vec3;
use crate::watch::{Cancelled, Watch};

/// Distance from the triangles, over the diagonal of the surface, under which the way to the nearest point says nothing about the normal.
const ON: f64 = 1e-9;
/// Cosine from which on a way out is that of a face, and not of an edge or a vertex.
const OF_FACE: f64 = 1.0 - 1e-6;
/// Height over a face, by the distance from it, from which on it is met: what lies right above an edge meets the other face by round-off alone.
const MET: f64 = 1e-3;
/// Triangles behind which the thickness is looked for, at most.
const SAMPLES: usize = 1000;
/// Depth, over the diagonal, that is less than half of the first that is looked at, and halvings from where it is no more inside.
const SHALLOW: f64 = 1e-4;
const HALVINGS: u32 = 20;

/// The points that a closed surface wraps around, by its winding number.
#[derive(Debug, Clone, PartialEq)]
pub struct Inside {
    tree: TriangleTree,
    winding: Winding,
    /// Unit normal of each triangle; zero of one without area.
    normals: Vec<Vec3>,
    /// What is nearer than this to the triangles is on them [m].
    on: f64,
}

/// A surface that encloses nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotClosed {
    /// Somebody cancelled.
    Cancelled,
    /// It has no triangles, or so many edges have one triangle only.
    Open(usize),
}

impl Inside {
    /// Of `triangles` between `positions` [m], which may face either way; and those of them that count, facing outward.
    ///
    /// # Errors
    /// [`NotClosed`].
    pub fn of_soup(positions: &[Vec3], triangles: &[[u32; 3]], watch: &dyn Watch) -> Result<(Self, Vec<[u32; 3]>), NotClosed> {
        let soup = Soup::new(positions, triangles, watch).map_err(|Cancelled| NotClosed::Cancelled)?;
        if soup.triangles.is_empty() || !is_closed(&soup.triangles) {
            return Err(NotClosed::Open(soup.repairs.open_edges));
        }
        Ok((Self::new(positions, &soup.triangles), soup.triangles))
    }

    /// Of `triangles` between `positions` [m] that are closed and face outward.
    pub fn new(positions: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        let tree = TriangleTree::new(positions, triangles);
        let mut inside = Self { winding: Winding::new(&tree), tree, normals: Vec::new(), on: 0.0 };
        inside.face(positions, triangles);
        inside
    }

    /// Goes along with its triangles, whose vertices are at `positions` now [m].
    pub fn follow(&mut self, positions: &[Vec3], triangles: &[[u32; 3]]) {
        self.tree.follow(positions, triangles);
        self.winding = Winding::new(&self.tree);
        self.face(positions, triangles);
    }

    fn face(&mut self, positions: &[Vec3], triangles: &[[u32; 3]]) {
        let (low, high) = self.tree.boxes[0];
        let normal = |[a, b, c]: [Vec3; 3]| (b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or_default();
        self.normals.clear();
        self.normals.extend(triangles.iter().map(|t| normal(t.map(|v| positions[v as usize]))));
        self.on = ON * (high - low).norm();
    }

    /// Whether `x` [m] is inside.
    pub fn has(&self, x: &Vec3) -> bool {
        self.winding.around(&self.tree, x) > 0.5
    }

    /// Signed distance of `x` [m], negative inside, with the unit vector that leads out most directly; none for what is farther than `reach`
    /// [m] outside.
    pub fn distance(&self, x: &Vec3, reach: f64) -> Option<(f64, Vec3)> {
        self.nearest(x, reach).map(|(value, normal, _)| (value, normal))
    }

    /// [`Inside::distance`], with the nearest point of the surface.
    pub fn nearest(&self, x: &Vec3, reach: f64) -> Option<(f64, Vec3, Hit)> {
        let (low, high) = self.tree.boxes[1];
        if (0..3).any(|k| x[k] < low[k] - reach || x[k] > high[k] + reach) {
            return None;
        }
        let inside = self.has(x);
        let hit = nearest(&self.tree, x, if inside { f64::INFINITY } else { reach })?;
        let sign = if inside { -1.0 } else { 1.0 };
        let out = sign * (x - hit.point);
        let normal = if hit.distance > self.on { out / hit.distance } else { self.normals[hit.triangle as usize] };
        Some((sign * hit.distance, normal, hit))
    }

    /// The way out at `x` [m] for what is at `seen` [m], with the nearest point of the surface: of an edge that sticks out the face that is met from there, and in
    /// a corner that goes in, where all faces are met, the one next to `x`.
    pub fn facing(&self, x: &Vec3, seen: &Vec3) -> Option<(Vec3, Hit)> {
        let (_, own, hit) = self.nearest(x, f64::INFINITY)?;
        let (_, other, toward) = self.nearest(seen, f64::INFINITY)?;
        let away = seen - hit.point;
        let is_met = own.dot(&away) > MET * away.norm();
        let is_of_face = self.normals[toward.triangle as usize].dot(&other) > OF_FACE;
        Some(if is_met && is_of_face { (own, hit) } else { (other, toward) })
    }

    /// How thick what is enclosed is [m]: straight in from half of the surface it is no farther to the other side.
    pub fn thickness(&self) -> f64 {
        let (low, high) = self.tree.boxes[1];
        let across = (high - low).norm();
        let every = self.tree.len().div_ceil(SAMPLES).max(1);
        let behind = |t: usize| {
            let ([a, b, c], normal) = (self.tree.corners[t], self.normals[self.tree.numbers[t] as usize]);
            let (area, middle) = (0.5 * (b - a).cross(&(c - a)).norm(), (a + b + c) / 3.0);
            let is_in = |depth: f64| self.has(&(middle - depth * normal));
            let out = (1..).map(|k| across * SHALLOW * f64::powi(2.0, k)).find(|depth| *depth > across || !is_in(*depth));
            let (mut low, mut high) = (0.0, out.unwrap_or(across));
            for _ in 0..HALVINGS {
                let depth = 0.5 * (low + high);
                if is_in(depth) { low = depth } else { high = depth }
            }
            (high, area)
        };
        let samples: Vec<usize> = (0..self.tree.len()).step_by(every).collect();
        let mut depths: Vec<(f64, f64)> = samples.into_par_iter().map(behind).collect();
        depths.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut left = 0.5 * depths.iter().map(|(_, area)| area).sum::<f64>();
        let reaches = |(_, area): &&(f64, f64)| {
            left -= area;
            left <= 0.0
        };
        depths.iter().find(reaches).map_or(0.0, |(depth, _)| *depth)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use crate::contact::distance::placed;
    use crate::math::random::Random;
    use crate::mesh::TriangleMesh;
    use crate::scene::Shape;
    use crate::watch::Unwatched;

    /// A box of triangles is as far away as a box is, wherever one stands, and says the same way out.
    #[test]
    fn a_box_of_triangles_is_a_box() {
        let (center, size, rotate_degrees) = ([0.2, -0.1, 0.3], [1.0, 0.5, 0.7], [20.0, 50.0, -30.0]);
        let mesh = TriangleMesh::cuboid(&Vec3::from(center), &Vec3::from(size), rotate_degrees);
        // Whichever way its triangles face.
        let turned: Vec<[u32; 3]> =
            mesh.triangles.iter().zip(0..).map(|(&[a, b, c], t)| if t % 3 == 0 { [a, c, b] } else { [a, b, c] }).collect();
        let (inside, triangles) = Inside::of_soup(&mesh.positions, &turned, &Unwatched).unwrap();
        assert_eq!(triangles.len(), mesh.triangles.len());
        let exact = placed(&Shape::Box { center, size, rotate_degrees });
        let mut random = Random::new(3);
        let mut seen = [0; 2];
        for _ in 0..2000 {
            let x = random.vector(-1.0, 1.0);
            let expected = exact.distance(&x);
            match inside.distance(&x, 0.3) {
                Some((value, normal)) => {
                    assert!((value - expected.value).abs() < 1e-12 && inside.has(&x) == (value < 0.0));
                    assert!((normal - expected.normal).norm() < 1e-6, "{normal} {}", expected.normal);
                    seen[usize::from(value < 0.0)] += 1;
                }
                None => assert!(expected.value > 0.3 - 1e-12),
            }
        }
        assert!(seen.iter().all(|count| *count > 50), "{seen:?}");
        // On a face it is the face that says where out is.
        let middle = mesh.triangles[0].map(|v| mesh.positions[v as usize]).iter().sum::<Vec3>() / 3.0;
        let (value, normal) = inside.distance(&middle, 0.0).unwrap();
        assert!(value.abs() < 1e-12 && (normal - exact.distance(&(middle + 1e-3 * normal)).normal).norm() < 1e-9);
    }

    /// Near an edge the face counts that is met, from above the top and from beside the side, wherever inside the place is; around a ball it is the nearest.
    #[test]
    fn edges_are_met_from_where_one_is() {
        let mesh = TriangleMesh::cuboid(&Vec3::zeros(), &Vec3::new(2.0, 1.0, 2.0), [0.0; 3]);
        let inside = Inside::new(&mesh.positions, &mesh.triangles);
        let mut random = Random::new(8);
        let mut differ = 0;
        for _ in 0..500 {
            let [depth, under] = [random.uniform(0.0, 0.3), random.uniform(0.0, 0.3)];
            let x = Vec3::new(1.0 - depth, 0.5 - under, random.uniform(-0.5, 0.5));
            let above = x + Vec3::new(-0.1, under + random.uniform(0.01, 0.2), 0.0);
            let beside = x + Vec3::new(depth + random.uniform(0.01, 0.2), -0.1, 0.0);
            for (seen, expected) in [(above, Vec3::y()), (beside, Vec3::x())] {
                let (normal, hit) = inside.facing(&x, &seen).unwrap();
                assert!((normal - expected).norm() < 1e-9, "{x} {seen} {normal}");
                assert!(((hit.point - x).dot(&expected) - if expected.y == 1.0 { under } else { depth }).abs() < 1e-9);
                differ += usize::from((inside.distance(&x, 0.0).unwrap().1 - expected).norm() > 0.5);
            }
        }
        assert!(differ > 200, "{differ}");
        let middle = Vec3::zeros();
        let ball = TriangleMesh::capsule(&middle, &middle, 0.5, 32);
        let ball = Inside::new(&ball.positions, &ball.triangles);
        for _ in 0..100 {
            let way = random.vector(-1.0, 1.0).normalize();
            let x = 0.4 * way + random.vector(-0.02, 0.02);
            let (normal, _) = ball.facing(&x, &(0.6 * way)).unwrap();
            assert!((normal - x.normalize()).norm() < 0.3, "{x} {normal}");
        }
    }

    /// In a corner that goes in, whose faces are both met, it is the one next to the place, wherever it is met from; beyond an edge that sticks out it is the way
    /// from the edge.
    #[test]
    fn corners_are_met_by_the_face_beside_one_and_edges_by_neither() {
        let outline = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
        let at = |z: f64| outline.map(|[x, y]| Vec3::new(x, y, z));
        let positions: Vec<Vec3> = at(0.0).into_iter().chain(at(1.0)).collect();
        let fans = (1..5_u32).flat_map(|k| [[0, k + 1, k], [6, 6 + k, 7 + k]]);
        let sides = (0..6_u32).flat_map(|k| {
            let next = (k + 1) % 6;
            [[k, next, 6 + next], [k, 6 + next, 6 + k]]
        });
        let triangles: Vec<[u32; 3]> = fans.chain(sides).collect();
        let inside = Inside::new(&positions, &triangles);
        let mut random = Random::new(12);
        for _ in 0..200 {
            let mut length = || random.uniform(0.02, 0.2);
            let (x, seen) = (Vec3::new(1.0 + length(), 1.0 - length(), 0.5), Vec3::new(1.0 + length(), 1.0 + length(), 0.5));
            assert!(inside.has(&x) && !inside.has(&seen));
            assert!((inside.facing(&x, &seen).unwrap().0 - Vec3::y()).norm() < 1e-9, "{x} {seen}");
            let (x, way) = (Vec3::new(2.0 - length(), 1.0 - length(), 0.5), Vec3::new(length(), length(), 0.0));
            let seen = Vec3::new(2.0, 1.0, 0.5) + way;
            assert!((inside.facing(&x, &seen).unwrap().0 - way.normalize()).norm() < 1e-9, "{x} {seen}");
        }
    }

    /// Plates are as thick as they are, wherever they lie and whichever way; a ball nearly as its diameter.
    #[test]
    fn thickness_is_that_of_walls() {
        let of = |mesh: &TriangleMesh| Inside::new(&mesh.positions, &mesh.triangles).thickness();
        let mut random = Random::new(5);
        for _ in 0..50 {
            let size = Vec3::new(random.uniform(0.5, 2.0), random.uniform(0.01, 0.3), random.uniform(0.5, 2.0));
            let turned = [random.uniform(-180.0, 180.0), random.uniform(-180.0, 180.0), random.uniform(-180.0, 180.0)];
            let thickness = of(&TriangleMesh::cuboid(&random.vector(-1.0, 1.0), &size, turned));
            assert!((thickness - size.y).abs() < 1e-5 * size.norm(), "{thickness} of {size}");
        }
        let middle = Vec3::new(0.3, -0.2, 0.1);
        let ball = of(&TriangleMesh::capsule(&middle, &middle, 0.25, 32));
        assert!((0.48..0.5).contains(&ball), "{ball}");
    }

    /// What follows its triangles is what is made of them anew.
    #[test]
    fn what_follows_its_triangles_encloses_what_they_do() {
        let mesh = TriangleMesh::torus(&Vec3::zeros(), &Vec3::new(0.2, 1.0, 0.1), 0.6, 0.2, 32);
        let mut inside = Inside::new(&mesh.positions, &mesh.triangles);
        let moved: Vec<Vec3> = mesh.positions.iter().map(|x| Vec3::new(1.5 * x.y, x.z + 0.3 * x.x * x.x, x.x)).collect();
        inside.follow(&moved, &mesh.triangles);
        let anew = Inside::new(&moved, &mesh.triangles);
        let (mut random, mut seen) = (Random::new(4), 0);
        for _ in 0..2000 {
            let x = random.vector(-1.0, 1.0);
            let (ours, other) = (inside.distance(&x, 0.1), anew.distance(&x, 0.1));
            assert_eq!(inside.has(&x), anew.has(&x));
            seen += usize::from(ours.is_some_and(|(value, _)| value < 0.0));
            match (ours, other) {
                (Some((a, n)), Some((b, m))) => assert!((a - b).abs() < 1e-15 && (n - m).norm() < 1e-12),
                (a, b) => assert!(a.is_none() && b.is_none()),
            }
        }
        assert!(seen > 50, "{seen}");
    }

    #[test]
    fn what_is_open_encloses_nothing() {
        let mut mesh = TriangleMesh::cuboid(&Vec3::zeros(), &Vec3::repeat(1.0), [0.0; 3]);
        mesh.triangles.pop();
        let of = |triangles: &[[u32; 3]]| Inside::of_soup(&mesh.positions, triangles, &Unwatched).map(|_| ());
        assert_eq!(of(&mesh.triangles), Err(NotClosed::Open(3)));
        assert_eq!(of(&[]), Err(NotClosed::Open(0)));
    }
}
