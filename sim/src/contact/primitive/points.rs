//! Nearest points of a point and a point, an edge or a triangle.

use super::nearest::{Nearest, Slide};
use crate::math::Vec3;

/// Squared sine of the angle between two edges under which they count as parallel: beyond it the place of a
/// nearest point between them is known to 1e-8 of their length.
pub(super) const PARALLEL: f64 = 1e-16;

/// Nearest points of the points `p` and `a`: vertices in the order p, a.
#[inline]
pub fn point_point(p: &Vec3, a: &Vec3) -> Nearest {
    Nearest::new([1.0, -1.0, 0.0, 0.0], p - a, &[])
}

/// Nearest points of the point `p` and the edge from `a` to `b`: vertices in the order p, a, b. An edge without
/// length is its first vertex.
#[inline]
pub fn point_edge(p: &Vec3, a: &Vec3, b: &Vec3) -> Nearest {
    let (edge, from_a) = (b - a, p - a);
    let (along, length) = (from_a.dot(&edge), edge.norm_squared());
    if along >= length && length > 0.0 {
        return point_point(p, b).placed([0, 2]);
    }
    if along > 0.0 {
        let u = along / length;
        // A share that rounds to 1 is the end.
        if u < 1.0 {
            let slide = Slide { along: -edge, rates: [0.0, 1.0, -1.0, 0.0] };
            return Nearest::new([1.0, u - 1.0, -u, 0.0], from_a - u * edge, &[slide]);
        }
        return point_point(p, b).placed([0, 2]);
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
    ab.or_nearer(bc.placed([0, 2, 3])).or_nearer(ca.placed([0, 3, 1]))
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

#[cfg(test)]
mod tests {
    use super::super::sample::{CORNERS, FACE, SIDES, above_triangle, separates};
    use super::*;
    use crate::math::random::Random;

    fn spanned(nearest: &Nearest) -> usize {
        nearest.weights[1..].iter().filter(|w| **w != 0.0).count()
    }

    fn check(nearest: &Nearest, points: &[Vec3]) {
        let sum: Vec3 = points.iter().zip(&nearest.weights).map(|(p, w)| *w * p).sum();
        assert!((sum - nearest.offset).norm() < 1e-14, "the weights give the offset");
        assert!(nearest.weights[0] == 1.0 && nearest.weights[1..].iter().all(|w| (-1.0..=0.0).contains(w)), "{:?}", nearest.weights);
        assert!((nearest.weights.iter().sum::<f64>()).abs() < 1e-15);
        assert!(separates(&nearest.offset, points, 1), "{nearest:?}");
    }

    #[test]
    fn the_nearest_feature_of_a_triangle_is_found() {
        let mut random = Random::new(1);
        for _ in 0..100 {
            for (places, tilted, count) in [(FACE, false, 3), (SIDES, true, 2), (CORNERS, true, 1)] {
                for place in places {
                    let points @ [p, a, b, c] = above_triangle(&mut random, place, 1e-3, tilted);
                    let nearest = point_triangle(&p, &a, &b, &c);
                    assert_eq!(spanned(&nearest), count, "{place:?}");
                    assert!(nearest.distance() < 1.000_001e-3 && nearest.distance() > if tilted { 0.7e-3 } else { 0.999_999e-3 });
                    check(&nearest, &points);
                }
            }
        }
    }

    #[test]
    fn nothing_of_a_triangle_is_nearer() {
        let mut random = Random::new(2);
        for k in 0..20_000 {
            let [p, a, b, mut c] = [(); 4].map(|()| random.vector(-1.0, 1.0));
            match k % 5 {
                // Needles, caps, lines and points are triangles too.
                0 => c = b + random.vector(-1e-6, 1e-6),
                1 => c = a + random.uniform(0.0, 1.0) * (b - a) + random.vector(-1e-7, 1e-7),
                2 => c = a + 0.5 * (b - a),
                3 if k % 2 == 0 => c = b,
                _ => {}
            }
            check(&point_triangle(&p, &a, &b, &c), &[p, a, b, c]);
            check(&point_edge(&p, &a, &b), &[p, a, b]);
        }
        let p = Vec3::new(0.3, 0.1, 0.2);
        assert_eq!(point_triangle(&p, &Vec3::x(), &Vec3::x(), &Vec3::x()), point_point(&p, &Vec3::x()));
        assert_eq!(point_edge(&p, &Vec3::x(), &Vec3::x()), point_point(&p, &Vec3::x()));
    }

    /// To an end where the foot lies outside of the edge, otherwise the squared area over the squared length.
    #[test]
    fn the_squared_distance_of_an_edge_is_that_of_an_end_or_its_line() {
        let mut random = Random::new(3);
        for _ in 0..1000 {
            let [p, a, b] = [(); 3].map(|()| random.vector(-1.0, 1.0));
            let share = (p - a).dot(&(b - a)) / (b - a).norm_squared();
            let line = (p - a).cross(&(b - a)).norm_squared() / (b - a).norm_squared();
            let expected = if share < 0.0 {
                (p - a).norm_squared()
            } else if share > 1.0 {
                (p - b).norm_squared()
            } else {
                line
            };
            assert!((point_edge(&p, &a, &b).squared_distance() - expected).abs() < 1e-13);
        }
    }
}
