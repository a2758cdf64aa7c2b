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
    // Otherwise one of the nearest points is an end; of equals the first.
    let [of_a, of_b] = [a, b].map(|end| point_edge(end, c, d).squared_distance());
    let [of_c, of_d] = [c, d].map(|end| point_edge(end, a, b).squared_distance());
    match (of_c.min(of_d) < of_a.min(of_b), of_b < of_a, of_d < of_c) {
        (false, false, _) => point_edge(a, c, d).placed([0, 2, 3]),
        (false, true, _) => point_edge(b, c, d).placed([1, 2, 3]),
        (true, _, false) => point_edge(c, a, b).placed([2, 0, 1]).reversed(),
        (true, _, true) => point_edge(d, a, b).placed([3, 0, 1]).reversed(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::{ENDS, INSIDE, crossing_edges, separates};
    use super::*;
    use crate::math::random::Random;

    fn check(points: &[Vec3; 4]) -> Nearest {
        let [a, b, c, d] = points;
        let nearest = edge_edge(a, b, c, d);
        let w = nearest.weights;
        let sum: Vec3 = points.iter().zip(&w).map(|(p, w)| *w * p).sum();
        assert!((sum - nearest.offset).norm() < 1e-14, "the weights give the offset");
        assert!(w[..2].iter().all(|w| (0.0..=1.0).contains(w)) && w[2..].iter().all(|w| (-1.0..=0.0).contains(w)), "{w:?}");
        assert!((w[0] + w[1] - 1.0).abs() < 1e-15 && (w[2] + w[3] + 1.0).abs() < 1e-15);
        assert!(separates(&nearest.offset, points, 2), "{nearest:?} {points:?}");
        nearest
    }

    #[test]
    fn the_nearest_features_of_edges_are_found() {
        let mut random = Random::new(1);
        for _ in 0..100 {
            for (place, beyond) in INSIDE.map(|p| (p, false)).into_iter().chain(ENDS.map(|p| (p, true))) {
                let points = crossing_edges(&mut random, place, 1.2, 1e-3, beyond);
                let nearest = check(&points);
                let inner = |place: f64| 1 + usize::from(place > 0.0 && place < 1.0);
                let spanned = nearest.weights.map(|w| usize::from(w != 0.0));
                assert_eq!((spanned[0] + spanned[1], spanned[2] + spanned[3]), (inner(place.0), inner(place.1)), "{place:?}");
            }
        }
    }

    #[test]
    fn nothing_of_parallel_or_short_edges_is_nearer() {
        let mut random = Random::new(2);
        for k in 0..30_000 {
            let [a, mut b, c, mut d] = [(); 4].map(|()| random.vector(-1.0, 1.0));
            let tilt = 10f64.powf(random.uniform(-17.0, -1.0));
            match k % 6 {
                0 => d = c + (b - a) + tilt * random.vector(-1.0, 1.0),
                1 => d = c - 0.3 * (b - a) + tilt * random.vector(-1.0, 1.0),
                2 => d = c + tilt * random.vector(-1.0, 1.0),
                3 => (b, d) = (a, c),
                _ => {}
            }
            check(&[a, b, c, d]);
        }
    }

    #[test]
    fn parallel_edges_on_a_grid_are_nearest_at_an_end() {
        let at = |x: f64, y: f64| Vec3::new(x, y, 0.0);
        for (first, second, distance) in [
            ([0.0, 1.0], [0.5, 1.5], 0.25),
            ([0.0, 1.0], [1.0, 0.0], 0.25),
            ([0.0, 3.0], [1.0, 2.0], 0.25),
            ([0.0, 1.0], [1.0, 2.0], 0.25),
            ([0.0, 1.0], [2.0, 3.0], f64::hypot(1.0, 0.25)),
        ] {
            let nearest = check(&[at(first[0], 0.0), at(first[1], 0.0), at(second[0], 0.25), at(second[1], 0.25)]);
            assert!((nearest.distance() - distance).abs() < 1e-15 && nearest.weights.contains(&0.0));
        }
    }
}
