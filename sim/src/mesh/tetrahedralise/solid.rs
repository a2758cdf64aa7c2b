//! [`Solid`]: what a surface of triangles encloses, as a signed distance.

use rayon::prelude::*;

use super::SignedDistanceField;
use crate::math::Vec3;
use crate::mesh::closest::nearest;
use crate::mesh::triangle_tree::TriangleTree;
use crate::mesh::winding::Winding;
use crate::watch::{Cancelled, Watch};

/// What lies no deeper under a surface than this share of its size is not filled.
const SHALLOW: f64 = 1e-4;
/// Share of a ball around a point, up to the triangles, in which rounding puts nothing of them.
const BALL: f64 = 1.0 - 1e-9;
/// Sampled triangles handled by one thread at a time.
const CHUNK: usize = 128;

/// The points that a surface wraps around by more than half. Where the surface has a hole, the level set of one half
/// closes it smoothly.
pub struct Solid {
    tree: TriangleTree,
    winding: Winding,
    bounds: (Vec3, Vec3),
    closed: bool,
}

impl Solid {
    /// Prepares the surface; it has a triangle, and its corners are finite. `closed`: it has no rim.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn new(positions: &[Vec3], triangles: &[[u32; 3]], closed: bool, watch: &dyn Watch) -> Result<Self, Cancelled> {
        watch.check()?;
        let tree = TriangleTree::new(positions, triangles);
        watch.check()?;
        let winding = Winding::new(&tree);
        let bounds = tree.boxes[0];
        Ok(Self { tree, winding, bounds, closed })
    }

    /// Whether the surface has no rim.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Whether some of the surface has an inside under it: a flat sheet has none. It is looked at in about so many `pieces`.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn has_inside(&self, pieces: f64, watch: &dyn Watch) -> Result<bool, Cancelled> {
        let (low, high) = self.bounds;
        let depth = SHALLOW * (high - low).norm();
        let under =
            self.sample(self.triangles().div_ceil(1 << 12), pieces, watch, |p, normal| self.winding(&(p - depth * normal)) > 0.5)?;
        Ok((high - low).min() > 0.0 && under.iter().any(|(_, inside)| *inside))
    }

    /// Winding number of the surface around `p` [m].
    pub fn winding(&self, p: &Vec3) -> f64 {
        self.winding.around(&self.tree, p)
    }

    /// Number of triangles.
    pub fn triangles(&self) -> usize {
        self.tree.len()
    }

    /// Distance [m] of `p` from the triangles; never zero, as a point on a wall inside the solid is inside.
    fn unsigned(&self, p: &Vec3) -> f64 {
        let smallest = 1e-12 * (self.bounds.1 - self.bounds.0).norm();
        nearest(&self.tree, p, f64::INFINITY).map_or(f64::INFINITY, |hit| hit.distance).max(smallest)
    }

    /// From 1 outside to -1 inside. Without a rim there is nothing between the two: what the winding number has in excess is
    /// the error of far groups of triangles.
    fn side(&self, p: &Vec3) -> f64 {
        let winding = self.winding(p);
        match self.closed {
            true if winding > 0.5 => -1.0,
            true => 1.0,
            false => (1.0 - 2.0 * winding).clamp(-1.0, 1.0),
        }
    }

    /// The point of the triangles nearest to `p` [m].
    pub fn nearest(&self, p: &Vec3) -> Vec3 {
        nearest(&self.tree, p, f64::INFINITY).map_or(*p, |hit| hit.point)
    }

    /// Volume [m^3] inside of a surface without rim, and the area [m^2] of those triangles that part it from the outside; by the
    /// divergence theorem. The surface is cut into as many `pieces`, at least: a triangle may lie partly inside of another part.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn measure(&self, pieces: f64, watch: &dyn Watch) -> Result<(f64, f64), Cancelled> {
        let middle = 0.5 * (self.bounds.0 + self.bounds.1);
        let terms = self.sample(1, pieces, watch, |p, normal| (p - middle).dot(normal) / 3.0)?;
        Ok(terms.into_iter().fold((0.0, 0.0), |(volume, area), (piece, height)| (volume + piece * height, area + piece)))
    }

    /// `of` points on those triangles that part the inside from the outside and the outward normals there, with the area [m^2] of
    /// the triangle around each; of `every` so many triangles, neighbours in the tree, only the first. Large triangles are cut, so that
    /// there are about so many `pieces`, or more.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn sample<T: Send>(
        &self,
        every: usize,
        pieces_of_all: f64,
        watch: &dyn Watch,
        of: impl Fn(&Vec3, &Vec3) -> T + Sync,
    ) -> Result<Vec<(f64, T)>, Cancelled> {
        let off = 1e-7 * (self.bounds.1 - self.bounds.0).norm();
        let double_area = |[a, b, c]: &[Vec3; 3]| (b - a).cross(&(c - a));
        let total: f64 = self.tree.corners.iter().map(|t| double_area(t).norm()).sum();
        let sample = |corners: &[Vec3; 3]| {
            let area = double_area(corners).norm();
            let normal = double_area(corners) / area;
            let cuts = (pieces_of_all * area / total).sqrt().ceil().max(1.0);
            let parts = |p: &Vec3| area > 1e-12 * total && (-0.5..0.5).contains(&self.winding(&(p + off * normal)));
            pieces(corners, cuts).filter(parts).map(|p| (0.5 * area / (cuts * cuts), of(&p, &normal))).collect::<Vec<_>>()
        };
        let chunks = self.tree.corners.par_chunks(every * CHUNK).map(|chunk| {
            let mut samples = Vec::new();
            for corners in chunk.iter().step_by(every) {
                watch.check()?;
                samples.extend(sample(corners));
            }
            Ok(samples)
        });
        Ok(chunks.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
    }
}

/// Centroids of the triangles that `cuts` of every edge cut a triangle into.
fn pieces([a, b, c]: &[Vec3; 3], cuts: f64) -> impl Iterator<Item = Vec3> {
    let (u, v) = ((b - a) / cuts, (c - a) / cuts);
    let count = cuts as u32;
    let upright = move |i: u32, j: u32| a + (f64::from(i) + 1.0 / 3.0) * u + (f64::from(j) + 1.0 / 3.0) * v;
    let turned = move |i: u32, j: u32| a + (f64::from(i) + 2.0 / 3.0) * u + (f64::from(j) + 2.0 / 3.0) * v;
    let rows =
        move |i: u32| (0..count - i).map(move |j| upright(i, j)).chain((0..(count - i).saturating_sub(1)).map(move |j| turned(i, j)));
    (0..count).flat_map(rows)
}

impl SignedDistanceField for Solid {
    /// The distance to the triangles, times a factor that goes from 1 through 0 to -1 as the winding number goes from 0
    /// through one half to 1: so it is continuous, its zero set is that of the winding number in holes and the surface
    /// elsewhere, and where the surface is closed it is the exact distance.
    fn distance(&self, p: &Vec3) -> f64 {
        // Beyond the box of the triangles nothing is inside.
        let beyond = (self.bounds.0 - p).sup(&(p - self.bounds.1)).max();
        (self.side(p) * self.unsigned(p)).max(beyond)
    }

    /// Where the surface has no rim the winding number is the same all over a ball that the surface does not reach into.
    fn distances(&self, points: &[Vec3], values: &mut [f64]) {
        if !self.closed {
            values.iter_mut().zip(points).for_each(|(value, p)| *value = self.distance(p));
            return;
        }
        values.iter_mut().zip(points).for_each(|(value, p)| *value = self.unsigned(p));
        // The largest balls first: they tell of most points.
        let mut order: Vec<usize> = (0..points.len()).collect();
        order.sort_unstable_by(|&a, &b| values[b].total_cmp(&values[a]).then(a.cmp(&b)));
        let mut sides = vec![0.0; points.len()];
        let mut known = Vec::new();
        for first in order {
            if sides[first] != 0.0 {
                continue;
            }
            sides[first] = self.side(&points[first]);
            known.push(first);
            while let Some(i) = known.pop() {
                for j in 0..points.len() {
                    if sides[j] == 0.0 && (points[j] - points[i]).norm() < BALL * values[i] {
                        sides[j] = sides[i];
                        known.push(j);
                    }
                }
            }
        }
        for ((value, side), p) in values.iter_mut().zip(sides).zip(points) {
            let beyond = (self.bounds.0 - p).sup(&(p - self.bounds.1)).max();
            *value = (side * *value).max(beyond);
        }
    }

    fn bounds(&self) -> (Vec3, Vec3) {
        self.bounds
    }

    fn lipschitz(&self) -> f64 {
        // At a distance d from the triangles a winding number between 0 and 1 is harmonic, and such functions change by at
        // most 3/4 a distance d (Harnack); twice that, times d, and the slope of the distance itself.
        if self.closed { 1.0 } else { 2.5 }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::math::random::Random;
    use crate::mesh::TriangleMesh;
    use crate::watch::Unwatched;

    #[test]
    fn points_together_have_the_distances_that_they_have_alone() {
        let mut random = Random::new(5);
        let ring = TriangleMesh::torus(&Vec3::zeros(), &Vec3::new(1.0, 2.0, 3.0), 1.0, 0.4, 32);
        for closed in [true, false] {
            let triangles = if closed { &ring.triangles[..] } else { &ring.triangles[ring.triangles.len() / 4..] };
            let solid = Solid::new(&ring.positions, triangles, closed, &Unwatched).unwrap();
            for size in [0.05, 0.3, 1.0] {
                let mut coordinate = || random.uniform(-1.0, 1.0);
                let points: Vec<Vec3> =
                    (0..128).map(|_| ring.positions[0] + size * Vec3::new(coordinate(), coordinate(), coordinate())).collect();
                let mut values = vec![0.0; points.len()];
                solid.distances(&points, &mut values);
                let alone: Vec<f64> = points.iter().map(|p| solid.distance(p)).collect();
                assert_eq!(values, alone);
                assert!(!closed || (values.iter().any(|d| *d < 0.0) && values.iter().any(|d| *d > 0.0)));
            }
        }
    }

    /// From the middle of a cube without a lid one sees five sixths of it: the distance goes by how much of the surface is around.
    #[test]
    fn what_is_open_is_inside_as_far_as_the_surface_is_around() {
        let corners: Vec<Vec3> = (0..8).map(|i| Vec3::from_fn(|d, _| f64::from(i >> d & 1))).collect();
        let quads: [[u32; 4]; 6] = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let triangles: Vec<[u32; 3]> = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        let middle = Vec3::repeat(0.5);
        let closed = Solid::new(&corners, &triangles, true, &Unwatched).unwrap();
        assert!((closed.distance(&middle) + 0.5).abs() < 1e-12);
        let open = Solid::new(&corners, &triangles[..10], false, &Unwatched).unwrap();
        assert!((open.distance(&middle) + 0.5 * (2.0 * 5.0 / 6.0 - 1.0)).abs() < 1e-9, "{}", open.distance(&middle));
    }

    #[test]
    fn pieces_of_a_triangle_are_as_many_as_the_square_of_the_cuts_about_its_centroid() {
        let triangle = [Vec3::new(0.1, 0.2, 0.3), Vec3::new(1.1, 0.0, 0.5), Vec3::new(0.2, 1.4, -0.3)];
        let normal = (triangle[1] - triangle[0]).cross(&(triangle[2] - triangle[0]));
        for cuts in 1..7 {
            let centroids: Vec<Vec3> = pieces(&triangle, f64::from(cuts)).collect();
            assert_eq!(centroids.len(), (cuts * cuts) as usize);
            let mean = centroids.iter().sum::<Vec3>() / centroids.len() as f64;
            assert!((mean - triangle.iter().sum::<Vec3>() / 3.0).norm() < 1e-12, "{cuts}");
            for (k, p) in centroids.iter().enumerate() {
                let inside = (0..3).all(|i| (triangle[(i + 1) % 3] - triangle[i]).cross(&(p - triangle[i])).dot(&normal) > 0.0);
                assert!(inside && centroids[..k].iter().all(|q| (p - q).norm() > 0.1 / f64::from(cuts)), "{cuts}: {p}");
            }
        }
    }

    /// What lies inside of something else is no surface of the solid.
    #[test]
    fn only_what_is_outside_is_sampled() {
        let mut random = Random::new(6);
        let quads: [[u32; 4]; 6] = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let cube = |first: u32| quads.iter().flat_map(move |q| [[0, 1, 2], [0, 2, 3]].map(|t| t.map(|k| q[k] + first)));
        for _ in 0..5 {
            let corner = |i: u32| Vec3::from_fn(|d, _| f64::from(i >> d & 1));
            let (size, place) = (random.uniform(0.1, 0.4), random.vector(0.1, 0.5));
            let positions: Vec<Vec3> = (0..8).map(corner).chain((0..8).map(|i| place + size * corner(i))).collect();
            let triangles: Vec<[u32; 3]> = cube(0).chain(cube(8)).collect();
            let solid = Solid::new(&positions, &triangles, true, &Unwatched).unwrap();
            let area: f64 = solid.sample(1, 2000.0, &Unwatched, |_, _| ()).unwrap().iter().map(|(area, ())| area).sum();
            assert!((area / 6.0 - 1.0).abs() < 1e-9, "{area}");
        }
    }

    /// A lens has an inside if it is thicker in the middle than what counts as shallow.
    #[test]
    fn thin_lenses_have_no_inside() {
        let rim = [[0, 1], [1, 2], [2, 3], [3, 0]];
        let triangles: Vec<[u32; 3]> = rim.iter().flat_map(|&[a, b]| [[a, b, 4], [b, a, 5]]).collect();
        for (share, has) in [(0.9, false), (1.5, true), (1e3, true)] {
            let half = 0.5 * share * SHALLOW * 2f64.sqrt();
            let positions = [
                Vec3::new(0.0, 0.0, 0.0),
                Vec3::new(1.0, 0.0, 0.0),
                Vec3::new(1.0, 1.0, 0.0),
                Vec3::new(0.0, 1.0, 0.0),
                Vec3::new(0.5, 0.5, half),
                Vec3::new(0.5, 0.5, -half),
            ];
            let solid = Solid::new(&positions, &triangles, true, &Unwatched).unwrap();
            assert_eq!(solid.has_inside(2000.0, &Unwatched).unwrap(), has, "{share}");
        }
    }
}
