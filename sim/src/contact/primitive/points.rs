//! Nearest points of a point and a point, an edge or a triangle.

use super::nearest::{Nearest, Slide};
use crate::math::Vec3;

/// Squared sine of the angle between two edges under which they count as parallel: beyond it the place of a
/// nearest point between them is known to 1e-8 of their length.
pub(super) const PARALLEL: f64 = 1e-16;

/// Nearest points of the points `p` and `a`: vertices in the order p, a.
pub fn point_point(p: &Vec3, a: &Vec3) -> Nearest {
    Nearest::new([1.0, -1.0, 0.0, 0.0], p - a, &[])
}

/// Nearest points of the point `p` and the edge from `a` to `b`: vertices in the order p, a, b. An edge without
/// length is its first vertex.
pub fn point_edge(p: &Vec3, a: &Vec3, b: &Vec3) -> Nearest {
    let (edge, from_a) = (b - a, p - a);
    let (along, length) = (from_a.dot(&edge), edge.norm_squared());
    if along >= length && length > 0.0 {
        return point_point(p, b).placed(&[0, 2]);
    }
    if along > 0.0 {
        let u = along / length;
        // A share that rounds to 1 is the end.
        if u < 1.0 {
            let slide = Slide { along: -edge, rates: [0.0, 1.0, -1.0, 0.0] };
            return Nearest::new([1.0, u - 1.0, -u, 0.0], from_a - u * edge, &[slide]);
        }
        return point_point(p, b).placed(&[0, 2]);
    }
    point_point(p, a)
}

/// Nearest points of the point `p` and the triangle `a`, `b`, `c`: vertices in the order p, a, b, c. A triangle
/// without area is its edges.
pub fn point_triangle(p: &Vec3, a: &Vec3, b: &Vec3, c: &Vec3) -> Nearest {
    if let Some(inside) = point_plane(p, a, b, c).filter(|plane| plane.weights[1..].iter().all(|&weight| weight < 0.0)) {
        return inside;
    }
    // Outside of its inner region the nearest point of a triangle lies on its border.
    let (ab, bc, ca) = (point_edge(p, a, b), point_edge(p, b, c), point_edge(p, c, a));
    ab.or_nearer(bc.placed(&[0, 2, 3])).or_nearer(ca.placed(&[0, 3, 1]))
}

/// Nearest points of the point `p` and the whole plane of the triangle `a`, `b`, `c`, whose weights may then have any sign:
/// vertices in the order p, a, b, c. None where the triangle has no area.
pub fn point_plane(p: &Vec3, a: &Vec3, b: &Vec3, c: &Vec3) -> Option<Nearest> {
    let (to_b, to_c, from_a) = (b - a, c - a, p - a);
    let normal = to_b.cross(&to_c);
    let square = normal.norm_squared();
    if square > PARALLEL * to_b.norm_squared() * to_c.norm_squared() {
        let u = from_a.cross(&to_c).dot(&normal) / square;
        let v = to_b.cross(&from_a).dot(&normal) / square;
        let slides = [Slide { along: -to_b, rates: [0.0, 1.0, -1.0, 0.0] }, Slide { along: -to_c, rates: [0.0, 1.0, 0.0, -1.0] }];
        return Some(Nearest::new([1.0, u + v - 1.0, -u, -v], from_a - u * to_b - v * to_c, &slides));
    }
    None
}
