//! Points embedded in tets: which tet carries each, and with which weights.

use rayon::prelude::*;

use super::closest::nearest;
use super::topology::Faces;
use super::triangle_tree::TriangleTree;
use crate::math::{Mat3, Vec3, bounding_box};
use crate::watch::{Cancelled, Watch};

/// Weights of a point outside are at least minus this: it then lies about so many tets away. What is farther is drawn in: a
/// small change of the tet's shape would fling it about.
const BEYOND: f64 = 2.0;
/// A point whose weights are above minus this is inside.
const INSIDE: f64 = 1e-9;

/// The tet that carries each point and the point's barycentric coordinates there, which sum to 1. A point outside of all
/// tets hangs on the one behind the nearest point of their surface, extrapolated by no more than about
/// `BEYOND` times the size of that tet.
/// `tets` are positively oriented; without tets there is nothing to hang on, and both lists are empty.
///
/// # Errors
/// [`Cancelled`].
pub fn embed(points: &[Vec3], positions: &[Vec3], tets: &[[u32; 4]], watch: &dyn Watch) -> Result<(Vec<u32>, Vec<[f64; 4]>), Cancelled> {
    watch.check()?;
    if tets.is_empty() {
        return Ok((Vec::new(), Vec::new()));
    }
    let grid = BoxGrid::new(positions, tets);
    watch.check()?;
    let (surface, behind) = Faces::of(tets).boundary(tets);
    watch.check()?;
    let tree = TriangleTree::new(positions, &surface);
    let carried = |p: &Vec3| {
        watch.check()?;
        if let Some(found) = grid.containing(p, positions, tets) {
            return Ok(found);
        }
        let Some(hit) = nearest(&tree, p, f64::INFINITY) else { return Ok((0, [0.25; 4])) };
        let tet = behind[hit.triangle as usize];
        Ok((tet, bounded(&corners(positions, &tets[tet as usize]), p, &hit.point)))
    };
    let carried = points.par_iter().with_min_len(256).map(carried).collect::<Result<Vec<_>, _>>()?;
    Ok(carried.into_iter().unzip())
}

fn corners(positions: &[Vec3], tet: &[u32; 4]) -> [Vec3; 4] {
    tet.map(|v| positions[v as usize])
}

/// Barycentric coordinates of `p` in a tet; `None` where the tet is flat.
fn barycentric([a, b, c, d]: &[Vec3; 4], p: &Vec3) -> Option<[f64; 4]> {
    let inverse = Mat3::from_columns(&[b - a, c - a, d - a]).try_inverse()?;
    let w = inverse * (p - a);
    Some([1.0 - w.x - w.y - w.z, w.x, w.y, w.z])
}

/// Weights of `p`, or of the point nearest to it on the way to `hit`, a point of the tet, that are not below -[`BEYOND`].
fn bounded(corners: &[Vec3; 4], p: &Vec3, hit: &Vec3) -> [f64; 4] {
    let (Some(from), Some(to)) = (barycentric(corners, hit), barycentric(corners, p)) else { return [0.25; 4] };
    let share = |k: usize| if to[k] < -BEYOND { (from[k] + BEYOND) / (from[k] - to[k]) } else { 1.0 };
    let share = (0..4).map(share).fold(1.0, f64::min);
    std::array::from_fn(|k| from[k] + share * (to[k] - from[k]))
}

/// Boxes in rows, each with the tets whose bounding boxes meet it.
struct BoxGrid {
    low: Vec3,
    /// Boxes a metre along each axis.
    scale: Vec3,
    size: [usize; 3],
    /// Where the tets of each box begin in `tets`.
    starts: Vec<u32>,
    /// Ascending for each box.
    tets: Vec<u32>,
}

impl BoxGrid {
    fn new(positions: &[Vec3], tets: &[[u32; 4]]) -> Self {
        let (low, high) = bounding_box(positions);
        let extent = high - low;
        // About as many boxes as tets would take if they filled the bounding box.
        let side = (extent.product() / tets.len() as f64).cbrt();
        let count = |d: usize| if side > 0.0 && side.is_finite() { ((extent[d] / side).ceil() as usize).clamp(1, 1 << 10) } else { 1 };
        let size = [count(0), count(1), count(2)];
        let scale = Vec3::from_fn(|d, _| if extent[d] > 0.0 { size[d] as f64 / extent[d] } else { 0.0 });
        let mut grid = Self { low, scale, size, starts: vec![0; size.iter().product::<usize>() + 1], tets: Vec::new() };
        let mut entries: Vec<(u32, u32)> = Vec::new();
        for (tet, t) in tets.iter().zip(0..) {
            let (low, high) = bounding_box(&corners(positions, tet));
            let (from, to) = (grid.place(&low), grid.place(&high));
            for (z, y) in (from[2]..=to[2]).flat_map(|z| (from[1]..=to[1]).map(move |y| (z, y))) {
                entries.extend((from[0]..=to[0]).map(|x| (grid.index([x, y, z]) as u32, t)));
            }
        }
        entries.iter().for_each(|(at, _)| grid.starts[*at as usize + 1] += 1);
        for k in 1..grid.starts.len() {
            grid.starts[k] += grid.starts[k - 1];
        }
        let mut next = grid.starts.clone();
        grid.tets = vec![0; entries.len()];
        for (at, t) in entries {
            grid.tets[next[at as usize] as usize] = t;
            next[at as usize] += 1;
        }
        grid
    }

    fn place(&self, p: &Vec3) -> [usize; 3] {
        // A negative number becomes 0.
        std::array::from_fn(|d| (((p[d] - self.low[d]) * self.scale[d]) as usize).min(self.size[d] - 1))
    }

    fn index(&self, [x, y, z]: [usize; 3]) -> usize {
        x + self.size[0] * (y + self.size[1] * z)
    }

    /// The first tet that holds `p`, and its weights.
    fn containing(&self, p: &Vec3, positions: &[Vec3], tets: &[[u32; 4]]) -> Option<(u32, [f64; 4])> {
        let at = self.index(self.place(p));
        self.tets[self.starts[at] as usize..self.starts[at + 1] as usize].iter().find_map(|&t| {
            let weights = barycentric(&corners(positions, &tets[t as usize]), p)?;
            weights.iter().all(|w| *w >= -INSIDE).then_some((t, weights))
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use crate::math::random::Random;
    use crate::mesh::structured::{CubeCut, box_mesh};
    use crate::watch::Unwatched;

    #[test]
    fn points_come_back_from_their_weights() {
        let (positions, tets) = box_mesh(Vec3::new(1.0, 2.0, 0.5), [4, 9, 2], CubeCut::Five);
        let mut random = Random::new(1);
        // Some inside, some up to a tet outside.
        let points: Vec<Vec3> = (0..500).map(|_| random.vector(-0.2, 0.9).component_mul(&Vec3::new(1.0, 2.0, 0.5))).collect();
        let (carriers, weights) = embed(&points, &positions, &tets, &Unwatched).unwrap();
        let mut outside = 0;
        for ((p, t), w) in points.iter().zip(&carriers).zip(&weights) {
            assert!((w.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            let q: Vec3 = corners(&positions, &tets[*t as usize]).iter().zip(w).map(|(x, w)| *w * x).sum();
            assert!((p - q).norm() < 1e-12, "{p} {q}");
            let is_out = p.iter().any(|x| *x < 0.0);
            assert_eq!(is_out, w.iter().any(|w| *w < -INSIDE));
            outside += usize::from(is_out);
        }
        assert!(outside > 100 && outside < 400, "{outside}");
    }

    #[test]
    fn far_points_are_drawn_in_and_no_tets_carry_nothing() {
        let (positions, tets) = box_mesh(Vec3::repeat(1.0), [2, 2, 2], CubeCut::Kuhn);
        let far = [Vec3::new(1e6, 0.3, 0.4), Vec3::new(-30.0, -1e3, 0.0)];
        let (carriers, weights) = embed(&far, &positions, &tets, &Unwatched).unwrap();
        for ((p, t), w) in far.iter().zip(carriers).zip(weights) {
            assert!(w.iter().all(|w| *w >= -BEYOND - 1e-6) && (w.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{w:?}");
            let q: Vec3 = corners(&positions, &tets[t as usize]).iter().zip(&w).map(|(x, w)| *w * x).sum();
            assert!(q.dot(p) > 0.9 * q.norm() * p.norm(), "{q} is not on the way to {p}");
        }
        assert!(embed(&far, &positions, &[], &Unwatched).unwrap().0.is_empty());
    }
}
