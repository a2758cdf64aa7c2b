//! What passes through what, by the signs of volumes alone: without the distances that contact goes by.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use aplomb_sim::geometry::see_triangle_pairs;
use aplomb_sim::math::Vec3;
use aplomb_sim::watch::Unwatched;

/// Whether the segment passes through the inside of the triangle.
fn passes(segment: [Vec3; 2], triangle: [Vec3; 3]) -> bool {
    let [p, q] = segment;
    let [a, b, c] = triangle;
    let volume = |a: Vec3, b: Vec3, c: Vec3, d: Vec3| (b - a).cross(&(c - a)).dot(&(d - a));
    let (below, above) = (volume(a, b, c, p), volume(a, b, c, q));
    let around = [volume(p, q, a, b), volume(p, q, b, c), volume(p, q, c, a)];
    below * above < 0.0 && (around.iter().all(|v| *v > 0.0) || around.iter().all(|v| *v < 0.0))
}

/// The edges of these triangles that pass through one of them, of which no end of them is a corner, and through which.
pub fn crossings(x: &[Vec3], triangles: &[[u32; 3]]) -> Vec<([u32; 2], [u32; 3])> {
    let at = |v: u32| x[v as usize];
    let found = Mutex::new(BTreeSet::new());
    let see = |s: u32, t: u32| {
        for [of, through] in [[s, t], [t, s]].map(|pair| pair.map(|k| triangles[k as usize])) {
            for (a, b) in (0..3).map(|k| (of[k], of[(k + 1) % 3])) {
                if !through.contains(&a) && !through.contains(&b) && passes([at(a), at(b)], through.map(at)) {
                    found.lock().unwrap_or_else(PoisonError::into_inner).insert(([a.min(b), a.max(b)], through));
                }
            }
        }
    };
    // Boxes that do not meet hold nothing that passes through the other: those are not the distances that contact goes by.
    let seen = see_triangle_pairs(triangles, x, usize::MAX, &Unwatched, see);
    assert_eq!(seen, Ok(true));
    found.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use aplomb_sim::math::random::Random;

    use super::*;

    /// Against every edge with every triangle.
    #[test]
    fn none_is_missed_among_random_triangles() {
        let mut random = Random::new(7);
        let x: Vec<Vec3> = (0..60).map(|_| random.vector(-1.0, 1.0)).collect();
        let triangles: Vec<[u32; 3]> = (0..40).map(|k| [k, (k * 7 + 11) % 60, (k * 13 + 29) % 60]).collect();
        let at = |v: u32| x[v as usize];
        let mut expected = BTreeSet::new();
        for of in &triangles {
            for (a, b) in (0..3).map(|k| (of[k], of[(k + 1) % 3])) {
                let others = triangles.iter().filter(|t| !t.contains(&a) && !t.contains(&b));
                expected.extend(others.filter(|t| passes([at(a), at(b)], t.map(at))).map(|t| ([a.min(b), a.max(b)], *t)));
            }
        }
        assert!(expected.len() > 20, "{}", expected.len());
        assert_eq!(crossings(&x, &triangles), expected.into_iter().collect::<Vec<_>>());
    }

    #[test]
    fn crossings_are_counted() {
        let square =
            [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.2, -1.0, 0.2], [0.2, 1.0, 0.2], [0.2, 1.0, 3.0]].map(Vec3::from);
        // An edge of each passes through the other.
        assert_eq!(crossings(&square, &[[0, 1, 2], [3, 4, 5]]).len(), 2);
        let beside = square.map(|x| if x.y == 0.0 { x } else { x - Vec3::x() });
        assert!(crossings(&beside, &[[0, 1, 2], [3, 4, 5]]).is_empty());
    }
}
