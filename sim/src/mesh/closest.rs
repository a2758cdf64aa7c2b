//! [`ClosestPoint`]: the point of a surface that is nearest to a given one.

use super::triangle_tree::TriangleTree;
use crate::math::Vec3;

/// Squared sine of the angle between two sides under which a triangle is no more than its sides.
const FLAT: f64 = 1e-14;

/// The nearest point of a surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// Number of the triangle that it lies on; the smallest of equally near ones. `u32::MAX` where there is no triangle.
    pub triangle: u32,
    /// Where [m].
    pub point: Vec3,
    /// How far away [m].
    pub distance: f64,
}

/// A surface of triangles, ready for many queries. Triangles without area count as the segments that they are.
#[derive(Debug, Clone, Default)]
pub struct ClosestPoint {
    tree: TriangleTree,
}

impl ClosestPoint {
    /// Prepares a surface with finite corners.
    pub fn new(positions: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        Self { tree: TriangleTree::new(positions, triangles) }
    }

    /// The point nearest to `p` [m]; without triangles, `p` itself at an infinite distance.
    pub fn query(&self, p: &Vec3) -> Hit {
        nearest(&self.tree, p, f64::INFINITY).unwrap_or(Hit { triangle: u32::MAX, point: *p, distance: f64::INFINITY })
    }
}

/// Barycentric coordinates of a point of a triangle; all of it to the first corner where the triangle has no area.
pub fn shares(p: &Vec3, [a, b, c]: &[Vec3; 3]) -> [f64; 3] {
    let normal = (b - a).cross(&(c - a));
    let area = normal.norm_squared();
    if area == 0.0 {
        return [1.0, 0.0, 0.0];
    }
    let v = (p - a).cross(&(c - a)).dot(&normal) / area;
    let w = (b - a).cross(&(p - a)).dot(&normal) / area;
    [1.0 - v - w, v, w]
}

/// The point of the tree's triangles nearest to `p`, if one is not farther than `reach` [m].
pub fn nearest(tree: &TriangleTree, p: &Vec3, reach: f64) -> Option<Hit> {
    let mut best = (reach * reach, u32::MAX);
    let mut point = *p;
    // Squared distance of a node's box, and the node. A path from the root leaves one sibling a level behind.
    let mut stack = [(0.0, 0usize); 64];
    let mut height = 0;
    let (mut node, mut away) = (1, squared_distance_to_box(&tree.boxes[1], p));
    loop {
        if away <= best.0 {
            if tree.is_leaf(node) {
                for t in tree.range(node) {
                    let q = nearest_on_triangle(p, &tree.corners[t]);
                    let candidate = ((p - q).norm_squared(), tree.numbers[t]);
                    if candidate <= best {
                        (best, point) = (candidate, q);
                    }
                }
            } else {
                let [left, right] = [2 * node, 2 * node + 1].map(|n| (squared_distance_to_box(&tree.boxes[n], p), n));
                let (near, far) = if right.0 < left.0 { (right, left) } else { (left, right) };
                stack[height] = far;
                height += 1;
                (away, node) = near;
                continue;
            }
        }
        if height == 0 {
            break;
        }
        height -= 1;
        (away, node) = stack[height];
    }
    (best.1 != u32::MAX).then(|| Hit { triangle: best.1, point, distance: best.0.sqrt() })
}

#[inline]
fn squared_distance_to_box((low, high): &(Vec3, Vec3), p: &Vec3) -> f64 {
    let beyond = |d: usize| (low[d] - p[d]).max(p[d] - high[d]).max(0.0);
    let [x, y, z] = [beyond(0), beyond(1), beyond(2)];
    x * x + y * y + z * z
}

/// The point of a triangle nearest to `p`, by the regions of its corners, edges and face (Ericson 2005, Sec. 5.1.5).
/// [`crate::contact::primitive::point_triangle`] also says how it slides, at several times the cost.
pub fn nearest_on_triangle(p: &Vec3, [a, b, c]: &[Vec3; 3]) -> Vec3 {
    let (ab, ac, from_a) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(&from_a), ac.dot(&from_a));
    if d1 <= 0.0 && d2 <= 0.0 {
        return *a;
    }
    let from_b = p - b;
    let (d3, d4) = (ab.dot(&from_b), ac.dot(&from_b));
    if d3 >= 0.0 && d4 <= d3 {
        return *b;
    }
    let from_c = p - c;
    let (d5, d6) = (ab.dot(&from_c), ac.dot(&from_c));
    if d6 >= 0.0 && d5 <= d6 {
        return *c;
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 && d1 > d3 {
        return a + ab * (d1 / (d1 - d3));
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 && d2 > d6 {
        return a + ac * (d2 / (d2 - d6));
    }
    let va = d3 * d6 - d5 * d4;
    let (to_c, to_b) = (d4 - d3, d5 - d6);
    if va <= 0.0 && to_c >= 0.0 && to_b >= 0.0 && to_c + to_b > 0.0 {
        return b + (c - b) * (to_c / (to_c + to_b));
    }
    // The square of twice the area.
    let sum = va + vb + vc;
    if sum > FLAT * ab.norm_squared() * ac.norm_squared() {
        return a + ab * (vb / sum) + ac * (vc / sum);
    }
    let sides = [[a, b], [b, c], [c, a]].map(|[from, to]| nearest_on_segment(p, from, to));
    let nearer = |q: Vec3, r: Vec3| if (r - p).norm_squared() < (q - p).norm_squared() { r } else { q };
    nearer(nearer(sides[0], sides[1]), sides[2])
}

fn nearest_on_segment(p: &Vec3, a: &Vec3, b: &Vec3) -> Vec3 {
    let (ab, from_a) = (b - a, p - a);
    let length = ab.norm_squared();
    if length > 0.0 { a + ab * (ab.dot(&from_a) / length).clamp(0.0, 1.0) } else { *a }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use crate::math::random::Random;

    #[test]
    fn agrees_with_trying_all_and_keeps_to_its_reach() {
        let mut random = Random::new(3);
        for count in [0, 1, 2, 3, 5, 100, 700] {
            let mut positions: Vec<Vec3> = (0..3 * count).map(|_| random.vector(-1.0, 1.0)).collect();
            // Needles, lines and points are triangles too.
            (0..count).step_by(7).for_each(|t| positions[3 * t] = 0.3 * positions[3 * t + 1] + 0.7 * positions[3 * t + 2]);
            (0..count).step_by(11).for_each(|t| positions[3 * t] = positions[3 * t + 1]);
            let triangles: Vec<[u32; 3]> = (0..count as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
            let surface = ClosestPoint::new(&positions, &triangles);
            for _ in 0..200 {
                let p = random.vector(-2.0, 2.0);
                let all = triangles.iter().map(|t| (p - nearest_on_triangle(&p, &t.map(|v| positions[v as usize]))).norm());
                let least = all.fold(f64::INFINITY, f64::min);
                let hit = surface.query(&p);
                assert!(hit.distance == least || (hit.distance - least).abs() < 1e-14, "{} {least}", hit.distance);
                if count > 0 {
                    assert!(((hit.point - p).norm() - least).abs() < 1e-14 && (hit.triangle as usize) < count);
                    assert_eq!(nearest(&surface.tree, &p, 1.01 * least), Some(hit));
                    assert_eq!(nearest(&surface.tree, &p, 0.99 * least), None);
                } else {
                    assert_eq!((hit.triangle, hit.point), (u32::MAX, p));
                }
            }
        }
    }

    #[test]
    fn nothing_of_a_triangle_is_nearer() {
        let mut random = Random::new(4);
        for k in 0..5_000 {
            let [p, a, b, mut c] = [(); 4].map(|()| random.vector(-1.0, 1.0));
            match k % 4 {
                0 => c = a + random.uniform(-1.0, 2.0) * (b - a),
                1 => c = b + random.vector(-1e-6, 1e-6),
                _ => {}
            }
            let q = nearest_on_triangle(&p, &[a, b, c]);
            // Of a convex set the nearest point is the one from which nothing lies towards p.
            let ahead = [a, b, c].map(|x| (x - q).dot(&(p - q))).into_iter().fold(f64::NEG_INFINITY, f64::max);
            assert!(ahead < 1e-9, "{ahead} for {p} {a} {b} {c}");
        }
    }
}
