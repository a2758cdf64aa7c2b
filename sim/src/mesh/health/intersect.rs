//! Triangles that pass through one another, decided exactly: by the signs of volumes and areas in adaptive precision (Shewchuk
//! 1997, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates").

use robust::{Coord, Coord3D, orient2d, orient3d};

use crate::contact::broad_phase::BroadPhase;
use crate::math::Vec3;
use crate::watch::{Cancelled, Watch};

/// Pairs of triangles that have a point in common beside a shared corner or edge, the smaller index first; ascending. Corners are
/// shared by index, so equal vertices must have been joined. Triangles with the same three corners are a pair;
/// those with a repeated corner or a coordinate that is not finite are left out.
pub fn self_intersections(positions: &[Vec3], triangles: &[[u32; 3]], watch: &dyn Watch) -> Result<Vec<(u32, u32)>, Cancelled> {
    intersections(positions, triangles, |_, _| true, watch)
}

/// The same, of the pairs that are `wanted` only.
pub fn intersections(
    positions: &[Vec3],
    triangles: &[[u32; 3]],
    wanted: impl Fn(u32, u32) -> bool + Sync,
    watch: &dyn Watch,
) -> Result<Vec<(u32, u32)>, Cancelled> {
    let finite = |v: &u32| positions[*v as usize].iter().all(|c| c.is_finite());
    let proper = |[a, b, c]: &[u32; 3]| a != b && b != c && c != a;
    let kept: Vec<u32> =
        (0..triangles.len() as u32).filter(|&t| proper(&triangles[t as usize]) && triangles[t as usize].iter().all(finite)).collect();
    let corners: Vec<[u32; 3]> = kept.iter().map(|&t| triangles[t as usize]).collect();
    let meet = |a: u32, b: u32| {
        let is_wanted = wanted(kept[a as usize], kept[b as usize]) && watch.check().is_ok();
        is_wanted && overlap(positions, &corners[a as usize], &corners[b as usize])
    };
    let pairs = BroadPhase::find_triangle_pairs(&corners, positions, meet);
    watch.check()?;
    Ok(pairs.into_iter().map(|(a, b)| (kept[a as usize], kept[b as usize])).collect())
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
        self_intersections(points, triangles, &Unwatched).unwrap().len()
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
