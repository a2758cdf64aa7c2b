//! Nearest points of two edges.

use super::nearest::{Nearest, Slide};
use super::points::{PARALLEL, point_edge};
use crate::math::Vec3;

/// Nearest points of the edges from `a` to `b` and from `c` to `d`: vertices in the order a, b, c, d. Of parallel
/// edges, which have many, those at an end.
pub fn edge_edge(a: &Vec3, b: &Vec3, c: &Vec3, d: &Vec3) -> Nearest {
    let (first, second, across) = (b - a, d - c, c - a);
    let normal = first.cross(&second);
    let square = normal.norm_squared();
    if square > PARALLEL * first.norm_squared() * second.norm_squared() {
        let s = across.cross(&second).dot(&normal) / square;
        let t = across.cross(&first).dot(&normal) / square;
        if s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0 {
            let slides = [Slide { along: first, rates: [-1.0, 1.0, 0.0, 0.0] }, Slide { along: -second, rates: [0.0, 0.0, 1.0, -1.0] }];
            return Nearest::new([1.0 - s, s, t - 1.0, -t], s * first - t * second - across, &slides);
        }
    }
    // Otherwise one of the nearest points is an end.
    let starts = point_edge(a, c, d).placed(&[0, 2, 3]).or_nearer(point_edge(b, c, d).placed(&[1, 2, 3]));
    let ends = point_edge(c, a, b).placed(&[2, 0, 1]).or_nearer(point_edge(d, a, b).placed(&[3, 0, 1]));
    starts.or_nearer(ends.reversed())
}
