//! Do surfaces pass through each other, or touch? A barrier can only keep apart what is apart at the start.

use rayon::prelude::*;

use super::active::near;
use super::broad_phase::{BroadPhase, Candidates};
use super::surface::CollisionSurface;
use crate::math::Vec3;

/// Most intersections that are reported.
const MOST: usize = 100;
/// Bound of the rounding error of [`volume`], by the sum of the sizes of its terms (Shewchuk 1997, "Adaptive Precision
/// Floating-Point Arithmetic and Fast Robust Geometric Predicates", orient3d).
const ERROR: f64 = (7.0 + 56.0 * f64::EPSILON) * f64::EPSILON;

/// Pairs (edge, triangle), as indices into the lists of `surface`, of which at `x` [m] the edge passes through the triangle;
/// the first 100, ascending. Only pairs that may touch and can move are looked at.
///
/// Every pair reported does intersect. One that intersects so narrowly that rounding hides it is at distance zero within
/// rounding, and [`touching`] finds it. A body wholly inside another has no intersection.
pub fn intersections(surface: &CollisionSurface, x: &[Vec3]) -> Vec<(u32, u32)> {
    let mut pairs = Vec::new();
    BroadPhase::default().find_edge_triangle(surface, x, &mut pairs);
    let at = |node: u32| x[node as usize];
    let crosses = |&(edge, triangle): &(u32, u32)| {
        passes_through(&surface.edges[edge as usize].map(at), &surface.triangles[triangle as usize].map(at))
    };
    let mut found: Vec<(u32, u32)> = pairs.into_par_iter().filter(crosses).collect();
    found.truncate(MOST);
    found
}

/// Pairs of features of `surface` that at `x` [m] are nearer than `tolerance` [m].
pub fn touching(surface: &CollisionSurface, x: &[Vec3], tolerance: f64) -> Candidates {
    let mut candidates = Candidates::default();
    BroadPhase::default().find(surface, x, tolerance, &mut candidates);
    near(surface, &candidates, x, tolerance)
}

/// Whether an edge surely passes through the inside of a triangle.
fn passes_through(edge: &[Vec3; 2], triangle: &[Vec3; 3]) -> bool {
    let [p, q] = edge;
    let [a, b, c] = triangle;
    let sides = [sign(a, b, c, p), sign(a, b, c, q)];
    if sides[0] * sides[1] >= 0 {
        return false;
    }
    // The line passes all three sides of the triangle on the same hand.
    let around = sign(p, q, a, b);
    around != 0 && around == sign(p, q, b, c) && around == sign(p, q, c, a)
}

/// On which side of the plane a, b, c the point d lies: 1, -1, or 0 where rounding leaves it open.
fn sign(a: &Vec3, b: &Vec3, c: &Vec3, d: &Vec3) -> i32 {
    let (a, b, c) = (a - d, b - d, c - d);
    let (products, minus) = ([b.x * c.y, c.x * a.y, a.x * b.y], [c.x * b.y, a.x * c.y, b.x * a.y]);
    let heights = [a.z, b.z, c.z];
    let volume: f64 = (0..3).map(|i| heights[i] * (products[i] - minus[i])).sum();
    let size: f64 = (0..3).map(|i| heights[i].abs() * (products[i].abs() + minus[i].abs())).sum();
    if volume.abs() <= ERROR * size { 0 } else { volume.signum() as i32 }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use crate::contact::surface::{PairRules, PartInput};
    use crate::math::random::Random;

    /// A triangle (part 0) and a far thinner one (part 1) that stands for its first edge, from `from` to `to`.
    fn pierced(from: Vec3, to: Vec3) -> (CollisionSurface, Vec<Vec3>) {
        let x = vec![Vec3::zeros(), Vec3::x(), Vec3::y(), from, to, 0.7 * from + 0.3 * to + Vec3::new(0.0, 1e-3, 0.0)];
        let part = |name: &str, triangle| PartInput::triangles(name, vec![triangle]);
        let parts = vec![part("sheet", [0, 1, 2]), part("needle", [3, 4, 5])];
        (CollisionSurface::new(&x, parts, PairRules::all_touch(2, 0.0), vec![true; 6]).unwrap(), x)
    }

    #[test]
    fn an_edge_through_a_triangle_is_found_and_one_beside_it_is_not() {
        let cases = [
            (Vec3::new(0.2, 0.2, -1.0), Vec3::new(0.2, 0.2, 1.0), true),
            (Vec3::new(0.2, 0.2, 0.1), Vec3::new(0.2, 0.2, 1.0), false),
            (Vec3::new(0.6, 0.6, -1.0), Vec3::new(0.6, 0.6, 1.0), false),
            (Vec3::new(-0.5, 0.3, -1e-12), Vec3::new(1.0, 0.3, 1e-12), true),
            // Within the plane: touching, not through.
            (Vec3::new(-0.5, 0.3, 0.0), Vec3::new(1.0, 0.3, 0.0), false),
        ];
        for (from, to, expected) in cases {
            let (surface, x) = pierced(from, to);
            let edge = surface.edges.iter().position(|edge| *edge == [3, 4]).unwrap() as u32;
            let found = intersections(&surface, &x);
            assert_eq!(found.contains(&(edge, 0)), expected, "{from} {to}: {found:?}");
            let nearest = touching(&surface, &x, 1e-9);
            assert_eq!(!nearest.is_empty(), expected && from.z.abs() < 1e-9 || from.z == 0.0, "{from} {to}: {nearest:?}");
        }
    }

    /// Lines pass through triangles as their sides do, and nothing passes through a line.
    #[test]
    fn a_line_through_a_triangle_is_found() {
        let x = vec![Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::new(0.2, 0.2, -1.0), Vec3::new(0.2, 0.2, 1.0), Vec3::new(0.9, 0.9, 1.0)];
        let parts = vec![PartInput::triangles("sheet", vec![[0, 1, 2]]), PartInput::lines("strand", vec![[3, 4], [4, 5]])];
        let surface = CollisionSurface::new(&x, parts, PairRules::all_touch(2, 0.0), vec![true; 6]).unwrap();
        assert_eq!(intersections(&surface, &x), [(3, 0)]);
        assert_eq!(surface.edges[3], [3, 4]);
    }

    #[test]
    fn parts_that_may_not_touch_or_cannot_move_are_not_looked_at() {
        let (mut surface, x) = pierced(Vec3::new(0.2, 0.2, -1.0), Vec3::new(0.2, 0.2, 1.0));
        assert!(!intersections(&surface, &x).is_empty());
        surface.rules.set(0, 1, None);
        assert!(intersections(&surface, &x).is_empty());
        surface.rules.set(1, 0, Some(0.5));
        assert!(!intersections(&surface, &x).is_empty());
        surface.movable.fill(false);
        assert!(intersections(&surface, &x).is_empty());
    }

    /// Wherever two random triangles are put and however they are turned, crossing agrees with solving for the point.
    #[test]
    fn crossing_agrees_with_the_solved_point() {
        let mut random = Random::new(7);
        let mut crossings = 0;
        for _ in 0..20_000 {
            let shift = random.vector(-100.0, 100.0);
            let mut point = || shift + random.vector(-1.0, 1.0);
            let (edge, triangle) = ([point(), point()], [point(), point(), point()]);
            let [a, b, c] = triangle;
            let columns = crate::math::Mat3::from_columns(&[b - a, c - a, edge[0] - edge[1]]);
            let solved = columns.try_inverse().map(|inverse| inverse * (edge[0] - a)).unwrap();
            let (u, v, t) = (solved.x, solved.y, solved.z);
            let inside = [u, v, 1.0 - u - v, t, 1.0 - t].into_iter().fold(f64::INFINITY, f64::min);
            if inside.abs() > 1e-9 {
                assert_eq!(passes_through(&edge, &triangle), inside > 0.0);
                crossings += usize::from(inside > 0.0);
            }
        }
        assert!(crossings > 500, "{crossings}");
    }
}
