//! Triangles that pass through one another, decided exactly: by the signs of volumes and areas in adaptive precision (Shewchuk
//! 1997, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates").

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use robust::{Coord, Coord3D, orient2d, orient3d};

use super::faces::first_with_corners;
use crate::geometry::see_triangle_pairs;
use crate::math::Vec3;
use crate::watch::{Cancelled, Watch};

/// Pairs of triangles with overlapping boxes that are looked at: a surface has about ten a triangle.
const MOST_PAIRS: usize = 4_000_000;
const MOST_PAIRS_EACH: usize = 40;

/// Triangles that pass through others or lie on them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Intersecting {
    /// The triangles, ascending.
    pub triangles: Vec<u32>,
    /// Whether these are all: where boxes overlap too thickly, only every second triangle is looked at, or every fourth, and so on.
    pub complete: bool,
}

/// Triangles that have a point in common with another one beside a shared corner or edge. Corners are shared by index, so equal
/// vertices must have been joined. Triangles with the same three corners lie on one another; those with a repeated corner or a
/// coordinate that is not finite are left out.
///
/// # Errors
/// If the watch cancels.
pub fn self_intersections(positions: &[Vec3], triangles: &[[u32; 3]], watch: &dyn Watch) -> Result<Intersecting, Cancelled> {
    let finite = |v: &u32| positions[*v as usize].iter().all(|c| c.is_finite());
    let proper = |t: &u32| {
        let [a, b, c] = triangles[*t as usize];
        a != b && b != c && c != a && [a, b, c].iter().all(finite)
    };
    let found: Vec<AtomicBool> = triangles.iter().map(|_| AtomicBool::new(false)).collect();
    let is_found = |t: u32| found[t as usize].load(Ordering::Relaxed);
    let mark = |t: u32| found[t as usize].store(true, Ordering::Relaxed);
    // Any number of triangles with the same corners is looked at as one.
    let first = first_with_corners(triangles);
    let mut kept: Vec<u32> = Vec::with_capacity(triangles.len());
    for t in (0..triangles.len() as u32).filter(proper) {
        match first[t as usize] {
            same if same == t => kept.push(t),
            before => [before, t].into_iter().for_each(mark),
        }
    }
    let repeated: Vec<u32> = kept.iter().copied().filter(|&t| is_found(t)).collect();
    let most = MOST_PAIRS.max(MOST_PAIRS_EACH * triangles.len());
    let mut step = 1;
    let complete = loop {
        let some: Vec<u32> = kept.iter().copied().step_by(step).collect();
        let corners: Vec<[u32; 3]> = some.iter().map(|&t| triangles[t as usize]).collect();
        let see = |a: u32, b: u32| {
            let (first, second) = (some[a as usize], some[b as usize]);
            let known = is_found(first) && is_found(second);
            if !known && overlap(positions, &corners[a as usize], &corners[b as usize]) {
                [first, second].into_iter().for_each(mark);
            }
        };
        if see_triangle_pairs(&corners, positions, most, watch, see)? {
            break step == 1;
        }
        // Which pairs were seen before it was noticed is chance.
        some.into_iter().for_each(|t| found[t as usize].store(false, Ordering::Relaxed));
        repeated.iter().copied().for_each(mark);
        step *= 2;
    };
    Ok(Intersecting { triangles: (0..triangles.len() as u32).filter(|&t| is_found(t)).collect(), complete })
}

/// Pairs of groups of clean triangles, the smaller first, of which some triangles have a point in common; `group_of`: that of each.
///
/// # Errors
/// If the watch cancels.
pub fn intersecting_groups(
    positions: &[Vec3],
    triangles: &[[u32; 3]],
    group_of: &[u32],
    watch: &dyn Watch,
) -> Result<BTreeSet<(u32, u32)>, Cancelled> {
    let found = Mutex::new(BTreeSet::new());
    let known = |pair: &(u32, u32)| found.lock().unwrap_or_else(PoisonError::into_inner).contains(pair);
    let see = |a: u32, b: u32| {
        let groups = [group_of[a as usize], group_of[b as usize]];
        let pair = (groups[0].min(groups[1]), groups[0].max(groups[1]));
        if pair.0 != pair.1 && !known(&pair) && overlap(positions, &triangles[a as usize], &triangles[b as usize]) {
            found.lock().unwrap_or_else(PoisonError::into_inner).insert(pair);
        }
    };
    see_triangle_pairs(triangles, positions, usize::MAX, watch, see)?;
    Ok(found.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// Whether two triangles have a point in common that is on no shared corner or edge.
fn overlap(positions: &[Vec3], a: &[u32; 3], b: &[u32; 3]) -> bool {
    let rotated =
        |triangle: &[u32; 3], k: usize| [triangle[k], triangle[(k + 1) % 3], triangle[(k + 2) % 3]].map(|v| positions[v as usize]);
    let shared = |k: &usize| b.contains(&a[*k]);
    let alone = |triangle: &[u32; 3], other: &[u32; 3]| (0..3).find(|&k| !other.contains(&triangle[k]));
    match (0..3).filter(shared).count() {
        0 => meet(&rotated(a, 0), &rotated(b, 0)),
        1 => {
            let (Some(i), Some(j)) = ((0..3).find(shared), b.iter().position(|v| a.contains(v))) else { return false };
            let (a, b) = (rotated(a, i), rotated(b, j));
            // Whatever they have in common beside the corner reaches to a side opposite to it, and lies in both planes.
            !apart(&a, &b[1..]) && !apart(&b, &a[1..]) && (pierces(&b[1], &b[2], &a) || pierces(&a[1], &a[2], &b))
        }
        2 => match (alone(a, b), alone(b, a)) {
            (Some(i), Some(j)) => {
                let ([p, u, v], [q, ..]) = (rotated(a, i), rotated(b, j));
                // Folded flat onto one another.
                volume(&u, &v, &p, &q) == 0.0 && {
                    let axis = flattest(&[p, u, v]);
                    let side = area(&u, &v, &p, axis);
                    side != 0.0 && side.signum() * area(&u, &v, &q, axis) > 0.0
                }
            }
            _ => false,
        },
        _ => true,
    }
}

/// Whether two triangles without a shared corner have a point in common.
fn meet(a: &[Vec3; 3], b: &[Vec3; 3]) -> bool {
    if apart(a, b) || apart(b, a) {
        return false;
    }
    let crosses = |from: &[Vec3; 3], into: &[Vec3; 3]| (0..3).any(|k| pierces(&from[k], &from[(k + 1) % 3], into));
    crosses(a, b) || crosses(b, a)
}

/// Whether points are all on one side of a plane.
fn apart([a, b, c]: &[Vec3; 3], points: &[Vec3]) -> bool {
    let mut sides = points.iter().map(|p| volume(a, b, c, p));
    let first = sides.next().unwrap_or(0.0);
    first != 0.0 && sides.all(|side| side * first.signum() > 0.0)
}

/// Whether the segment from `p` to `q` has a point in common with a triangle.
fn pierces(p: &Vec3, q: &Vec3, [a, b, c]: &[Vec3; 3]) -> bool {
    let (from, to) = (volume(a, b, c, p), volume(a, b, c, q));
    if from == 0.0 && to == 0.0 {
        return pierces_in_plane(p, q, &[*a, *b, *c]);
    }
    if from != 0.0 && from.signum() * to > 0.0 {
        return false;
    }
    // The line passes all sides on the same hand.
    let hands = [volume(p, q, a, b), volume(p, q, b, c), volume(p, q, c, a)];
    hands.iter().all(|&h| h >= 0.0) || hands.iter().all(|&h| h <= 0.0)
}

/// The same in the plane of the triangle.
fn pierces_in_plane(p: &Vec3, q: &Vec3, triangle: &[Vec3; 3]) -> bool {
    let axis = flattest(triangle);
    let inside = |x: &Vec3| {
        let hands = [0, 1, 2].map(|k| area(&triangle[k], &triangle[(k + 1) % 3], x, axis));
        hands.iter().all(|&h| h >= 0.0) || hands.iter().all(|&h| h <= 0.0)
    };
    let crosses = |a: &Vec3, b: &Vec3| {
        let (p_side, q_side) = (area(a, b, p, axis), area(a, b, q, axis));
        let (a_side, b_side) = (area(p, q, a, axis), area(p, q, b, axis));
        let between = |from: f64, to: f64| from != 0.0 && from.signum() * to < 0.0;
        between(p_side, q_side) && between(a_side, b_side)
    };
    // Segments that touch at an end have that end in the triangle, or a corner on the segment: then one that pierces has an end
    // inside, or crosses a side, or passes a corner.
    let passes = |corner: &Vec3| area(p, q, corner, axis) == 0.0 && (p - corner).dot(&(q - corner)) <= 0.0;
    inside(p) || inside(q) || (0..3).any(|k| crosses(&triangle[k], &triangle[(k + 1) % 3])) || triangle.iter().any(passes)
}

/// The axis along which the triangle is seen largest.
fn flattest([a, b, c]: &[Vec3; 3]) -> usize {
    (b - a).cross(&(c - a)).iamax()
}

/// A number with the sign of the volume of the tet a, b, c, d, and zero only if it is flat.
fn volume(a: &Vec3, b: &Vec3, c: &Vec3, d: &Vec3) -> f64 {
    // Exact arithmetic is slow, and sheets lie in planes.
    if (0..3).any(|i| a[i] == b[i] && b[i] == c[i] && c[i] == d[i]) {
        return 0.0;
    }
    let [a, b, c, d] = [a, b, c, d].map(|p| Coord3D { x: p.x, y: p.y, z: p.z });
    orient3d(a, b, c, d)
}

/// A number with the sign of the area of a, b, c seen along an axis.
fn area(a: &Vec3, b: &Vec3, c: &Vec3, axis: usize) -> f64 {
    let [a, b, c] = [a, b, c].map(|p| Coord { x: p[(axis + 1) % 3], y: p[(axis + 2) % 3] });
    orient2d(a, b, c)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;
    use crate::math::{Mat3, random::Random};
    use crate::watch::Unwatched;

    fn at(points: &[[f64; 3]]) -> Vec<Vec3> {
        points.iter().map(|p| Vec3::from(*p)).collect()
    }

    fn pairs(points: &[Vec3], triangles: &[[u32; 3]]) -> usize {
        let found = self_intersections(points, triangles, &Unwatched).unwrap();
        assert!(found.complete);
        found.triangles.len() / 2
    }

    #[test]
    fn touching_where_they_are_joined_is_no_intersection_and_all_else_is() {
        let points = at(&[
            [0.; 3],
            [4., 0., 0.],
            [0., 4., 0.],
            [4., 4., 0.],
            [1., 1., -1.],
            [1., 1., 1.],
            [3., 3., 1.],
            [1., 1., 0.],
            [4., 4., 1.],
            [0., 0., 4.],
            [2., 2., 0.],
        ]);
        let first = [0, 1, 2];
        let table = [
            ([2, 1, 3], 0, "neighbours in a plane"),
            ([2, 1, 8], 0, "neighbours that fold"),
            ([1, 2, 7], 1, "neighbours folded flat onto one another"),
            ([4, 5, 6], 1, "an edge through the inside"),
            ([0, 5, 6], 0, "a common corner"),
            ([0, 9, 8], 0, "a common corner, above"),
            ([0, 7, 9], 1, "a common corner and a side on the face"),
            ([0, 3, 9], 1, "a common corner and a side across the face"),
            ([7, 5, 6], 1, "a corner on the face"),
            ([10, 3, 8], 1, "a corner on an edge"),
            ([0, 2, 1], 1, "the same once more"),
            ([8, 6, 5], 0, "elsewhere"),
            ([1, 1, 2], 0, "no triangle"),
        ];
        for (second, expected, what) in table {
            assert_eq!(pairs(&points, &[first, second]), expected, "{what}");
            assert_eq!(pairs(&points, &[second, first]), expected, "{what}, the other way round");
        }
    }

    #[test]
    fn triangles_given_many_times_are_looked_at_once() {
        let points = at(&[[0.; 3], [4., 0., 0.], [0., 4., 0.], [1., 1., -1.], [1., 1., 1.], [3., 3., 1.], [9., 0., 0.], [9., 1., 0.]]);
        let mut triangles = vec![[0, 1, 2]; 20_000];
        assert_eq!(self_intersections(&points, &triangles, &Unwatched).unwrap().triangles.len(), 20_000);
        triangles.extend([[3, 4, 5], [1, 6, 7], [6, 7, 6]]);
        let found = self_intersections(&points, &triangles, &Unwatched).unwrap();
        assert_eq!(found, Intersecting { triangles: (0..20_001).collect(), complete: true });
    }

    #[test]
    fn a_crowd_is_looked_at_in_part_and_the_same_way_each_time() {
        // Fans of large triangles through one another: each meets each.
        let mut random = Random::new(11);
        let points: Vec<Vec3> = (0..30_000).map(|_| random.vector(-1.0, 1.0)).collect();
        let triangles: Vec<[u32; 3]> = (0..10_000).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        let found = self_intersections(&points, &triangles, &Unwatched).unwrap();
        assert!(!found.complete && found.triangles.len() > 1_000, "{}", found.triangles.len());
        assert_eq!(self_intersections(&points, &triangles, &Unwatched).unwrap(), found);
    }

    /// Whether segment p q meets the triangle, in integers.
    fn meets(p: [i64; 3], q: [i64; 3], t: [[i64; 3]; 3]) -> bool {
        let sub = |a: [i64; 3], b: [i64; 3]| [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
        let cross = |a: [i64; 3], b: [i64; 3]| [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
        let dot = |a: [i64; 3], b: [i64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        let normal = cross(sub(t[1], t[0]), sub(t[2], t[0]));
        let (from, to) = (dot(normal, sub(p, t[0])), dot(normal, sub(q, t[0])));
        assert!(from != 0 || to != 0, "the oracle leaves planes out");
        if from.signum() * to.signum() > 0 {
            return false;
        }
        // The point from * q - to * p over from - to, against each side.
        let (point, scale) = ([0, 1, 2].map(|i| from * q[i] - to * p[i]), from - to);
        let inside = |k: usize| dot(normal, cross(sub(t[(k + 1) % 3], t[k]), sub(point, t[k].map(|c| c * scale)))) * scale.signum();
        (0..3).all(|k| inside(k) >= 0)
    }

    proptest! {
        /// On a small grid, where touching is common; far from the origin, where differences are still exact.
        #[test]
        fn agrees_with_integers(corners in prop::array::uniform6(prop::array::uniform3(-3..4_i64)), shift in -1_000_000..1_000_000_i64) {
            let [a, b] = [[corners[0], corners[1], corners[2]], [corners[3], corners[4], corners[5]]];
            let distinct = (0..6).all(|i| (0..i).all(|j| corners[i] != corners[j]));
            let points: Vec<Vec3> = corners.iter().map(|c| Vec3::from(c.map(|c| (c + shift) as f64 / 1024.0))).collect();
            let real = |c: &[i64; 3]| Vec3::from(c.map(|c| c as f64));
            let flat = |t: &[[i64; 3]; 3], other: &[[i64; 3]; 3]| {
                let normal = (real(&t[1]) - real(&t[0])).cross(&(real(&t[2]) - real(&t[0])));
                let heights: Vec<f64> = other.iter().map(|c| normal.dot(&(real(c) - real(&t[0])))).collect();
                normal.norm() == 0.0 || (0..3).any(|k| heights[k] == 0.0 && heights[(k + 1) % 3] == 0.0)
            };
            prop_assume!(distinct && !flat(&a, &b) && !flat(&b, &a));
            let crosses = |a: [[i64; 3]; 3], b: [[i64; 3]; 3]| (0..3).any(|k| meets(a[k], a[(k + 1) % 3], b));
            let expected = crosses(a, b) || crosses(b, a);
            prop_assert_eq!(pairs(&points, &[[0, 1, 2], [3, 4, 5]]), usize::from(expected));
        }
    }

    #[test]
    fn planes_at_any_angle_agree_with_the_flat_case() {
        let mut random = Random::new(3);
        for _ in 0..300 {
            let flat: Vec<Vec3> = (0..6).map(|_| Vec3::new(random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), 0.0)).collect();
            let expected = pairs(&flat, &[[0, 1, 2], [3, 4, 5]]);
            // Exchanging axes keeps the points in a plane exactly.
            for axes in [Mat3::new(0., 0., 1., 1., 0., 0., 0., 1., 0.), Mat3::new(1., 0., 0., 0., 0., 1., 0., 1., 0.)] {
                let turned: Vec<Vec3> = flat.iter().map(|p| axes * p).collect();
                assert_eq!(pairs(&turned, &[[0, 1, 2], [3, 4, 5]]), expected);
            }
            let inside = |p: &Vec3, t: &[Vec3]| {
                let hands = [0, 1, 2].map(|k| (t[(k + 1) % 3] - t[k]).cross(&(p - t[k])).z);
                hands.iter().all(|&h| h > 0.0) || hands.iter().all(|&h| h < 0.0)
            };
            let any_inside = (0..3).any(|k| inside(&flat[k], &flat[3..]) || inside(&flat[3 + k], &flat[..3]));
            assert!(expected == 1 || !any_inside);
        }
    }
}
