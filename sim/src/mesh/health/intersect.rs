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
    let finite = |v: &u32| positions[*v as usize].iter().all(|c| c.is_finite());
    let proper = |[a, b, c]: &[u32; 3]| a != b && b != c && c != a;
    let kept: Vec<u32> =
        (0..triangles.len() as u32).filter(|&t| proper(&triangles[t as usize]) && triangles[t as usize].iter().all(finite)).collect();
    let corners: Vec<[u32; 3]> = kept.iter().map(|&t| triangles[t as usize]).collect();
    let meet = |a: u32, b: u32| watch.check().is_ok() && overlap(positions, &corners[a as usize], &corners[b as usize]);
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
            // Whatever they have in common beside the corner reaches to a side opposite to it.
            pierces(&a[1], &a[2], &b) || pierces(&b[1], &b[2], &a)
        }
        2 => match (alone(a, b), alone(b, a)) {
            (Some(i), Some(j)) => {
                let ([p, u, v], [q, ..]) = (rotated(a, i), rotated(b, j));
                // Folded flat onto one another.
                volume(&u, &v, &p, &q) == 0.0 && {
                    let axis = flattest(&[p, u, v]);
                    area(&u, &v, &p, axis) * area(&u, &v, &q, axis) > 0.0
                }
            }
            _ => false,
        },
        _ => true,
    }
}

/// Whether two triangles without a shared corner have a point in common.
fn meet(a: &[Vec3; 3], b: &[Vec3; 3]) -> bool {
    let apart = |plane: &[Vec3; 3], points: &[Vec3; 3]| {
        let sides = points.map(|p| volume(&plane[0], &plane[1], &plane[2], &p));
        sides.iter().all(|&s| s > 0.0) || sides.iter().all(|&s| s < 0.0)
    };
    if apart(a, b) || apart(b, a) {
        return false;
    }
    let crosses = |from: &[Vec3; 3], into: &[Vec3; 3]| (0..3).any(|k| pierces(&from[k], &from[(k + 1) % 3], into));
    crosses(a, b) || crosses(b, a)
}

/// Whether the segment from `p` to `q` has a point in common with a triangle.
fn pierces(p: &Vec3, q: &Vec3, [a, b, c]: &[Vec3; 3]) -> bool {
    let (from, to) = (volume(a, b, c, p), volume(a, b, c, q));
    if from == 0.0 && to == 0.0 {
        return pierces_in_plane(p, q, &[*a, *b, *c]);
    }
    if from * to.signum() > 0.0 {
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
        let between = |from: f64, to: f64| from.signum() * to.signum() < 0.0 && from != 0.0 && to != 0.0;
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
    let [a, b, c, d] = [a, b, c, d].map(|p| Coord3D { x: p.x, y: p.y, z: p.z });
    orient3d(a, b, c, d)
}

/// A number with the sign of the area of a, b, c seen along an axis.
fn area(a: &Vec3, b: &Vec3, c: &Vec3, axis: usize) -> f64 {
    let [a, b, c] = [a, b, c].map(|p| Coord { x: p[(axis + 1) % 3], y: p[(axis + 2) % 3] });
    orient2d(a, b, c)
}
