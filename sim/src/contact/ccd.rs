//! Continuous collision detection: how far a pair of primitives may move along straight lines before it touches.
//!
//! Conservative advancement on true distances. As in additive CCD (Li, Kaufman, Jiang 2021, "Codimensional
//! Incremental Potential Contact", section 5), a lower bound of the time of impact is added up, and each part is so
//! short that the distance stays above the share that is to be kept. The bound here is along the unit vector n of the
//! nearest points: the primitives lie on both sides of a slab of that direction, and the distance of each vertex of
//! one from each of the other along n changes at a constant rate. The slab stays open as long as these do, so primitives
//! that slide past each other are through at once, and the bound is never shorter than that of the largest relative
//! speed.

use super::primitive::{Nearest, Vec12, edge_edge, point_triangle};
use crate::math::Vec3;

/// Most parts that are added up. What was reached then is still on the safe side.
const MAX_PARTS: usize = 1000;

/// The search ends at this multiple of the distance to keep.
const NEAR: f64 = 1.25;

/// Part of the step `step` that the point `start[0]` and the triangle of the others may take, in [0, max]; at least
/// the share `kept_share` of their distance, in (0, 1), is kept all the way. 0 if they touch at the start.
pub fn point_triangle_toi(start: &Vec12, step: &Vec12, max: f64, kept_share: f64) -> f64 {
    advance::<1>(start, step, max, kept_share, |[p, a, b, c]| point_triangle(p, a, b, c))
}

/// Part of the step `step` that the edges `start[..2]` and `start[2..]` may take; as [`point_triangle_toi`].
pub fn edge_edge_toi(start: &Vec12, step: &Vec12, max: f64, kept_share: f64) -> f64 {
    advance::<2>(start, step, max, kept_share, |[a, b, c, d]| edge_edge(a, b, c, d))
}

/// The first `FIRST` of the vertices are those of the first primitive.
fn advance<const FIRST: usize>(start: &Vec12, step: &Vec12, max: f64, kept_share: f64, nearest: impl Fn(&Vec12) -> Nearest) -> f64 {
    let (mut time, mut kept, mut points) = (0.0, 0.0, *start);
    for part in 0..MAX_PARTS {
        let offset = nearest(&points).offset;
        let distance = offset.norm();
        if part == 0 {
            kept = kept_share * distance;
        }
        if distance.is_nan() || distance <= NEAR * kept {
            return time;
        }
        time += open_for::<FIRST>(&points, step, &(offset / distance), kept);
        if time >= max {
            return max;
        }
        points = std::array::from_fn(|i| start[i] + time * step[i]);
    }
    time
}

/// How long all vertices of the first primitive stay `kept` or more ahead of those of the second along `normal`.
fn open_for<const FIRST: usize>(points: &Vec12, step: &Vec12, normal: &Vec3, kept: f64) -> f64 {
    let mut time = f64::INFINITY;
    for i in 0..FIRST {
        for j in FIRST..4 {
            let approach = normal.dot(&(step[j] - step[i]));
            if approach > 0.0 {
                let slack = normal.dot(&(points[i] - points[j])) - kept;
                time = time.min(slack.max(0.0) / approach);
            }
        }
    }
    time
}
