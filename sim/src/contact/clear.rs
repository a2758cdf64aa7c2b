//! Where a body comes to touch obstacles and is not inside of them: down along a direction, or out by the shortest way.

use super::distance::SignedDistance;
use crate::math::Vec3;

/// Looks along the way at most.
const LOOKS: usize = 400;

/// How far something goes until nothing is `left` of the way, of which at least as much is left as `left` says [m]; negative for back.
/// `None` if there is no end to it.
pub fn until_nothing_is_left(left: impl Fn(f64) -> f64) -> Option<f64> {
    let mut by = 0.0;
    for _ in 0..LOOKS {
        let now = left(by);
        if !now.is_finite() {
            return None;
        }
        by += now;
        if now.abs() < 1e-9 * (1.0 + by.abs()) {
            return Some(by);
        }
    }
    None
}

/// How `points` [m] are moved until all are `gap` away from a shape that some of them are inside of; `None` if it is not found.
pub fn way_out(points: &[Vec3], shape: &dyn SignedDistance, gap: f64) -> Option<Vec3> {
    let mut by = Vec3::zeros();
    for _ in 0..LOOKS {
        let distances = points.iter().map(|point| shape.distance(&(point + by)));
        let deepest = distances.min_by(|a, b| a.value.total_cmp(&b.value))?;
        let left = gap - deepest.value;
        if left <= 1e-9 * (1.0 + by.norm()) {
            return Some(by);
        }
        by += left * deepest.normal;
    }
    None
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::contact::distance::placed;
    use crate::scene::Shape;

    #[test]
    fn a_way_ends_at_what_lies_below_and_has_no_end_beside_a_wall() {
        let along = |normal: [f64; 3]| {
            let wall = placed(&Shape::HalfSpace { point: [0.0; 3], normal });
            until_nothing_is_left(|by| wall.distance(&Vec3::new(0.5, 2.0 - by, 0.0)).value - 0.01)
        };
        assert!((along([0.0, 1.0, 0.0]).unwrap() - 1.99).abs() < 1e-8);
        // A slope of 60 degrees: looked for along a slanting line.
        let [x, y] = [0.75_f64.sqrt(), 0.5];
        assert!((along([x, y, 0.0]).unwrap() - (2.0 + (0.5 * x - 0.01) / y)).abs() < 1e-7);
        assert_eq!(along([1.0, 0.0, 0.0]), None);
    }

    #[test]
    fn the_way_out_of_every_shape_leaves_all_points_outside() {
        let shapes = [
            Shape::HalfSpace { point: [0.0, 0.1, 0.0], normal: [0.0, 0.8, 0.6] },
            Shape::Sphere { center: [0.1, -0.1, 0.0], radius: 0.4 },
            Shape::Box { center: [0.0, -0.2, 0.1], size: [1.0, 0.5, 0.7], rotate_degrees: [10.0, 20.0, 30.0] },
            Shape::Capsule { from: [-0.3, 0.0, 0.0], to: [0.3, 0.1, 0.0], radius: 0.2 },
        ];
        let points: Vec<Vec3> = (0..27).map(|k| Vec3::new(f64::from(k % 3), f64::from(k / 3 % 3), f64::from(k / 9)) * 0.1).collect();
        for shape in shapes {
            let placed = placed(&shape);
            let least = |by: &Vec3| points.iter().map(|point| placed.distance(&(point + by)).value).fold(f64::INFINITY, f64::min);
            assert!(least(&Vec3::zeros()) < 0.0, "{shape:?} holds some of them");
            let by = way_out(&points, &*placed, 1e-3).unwrap();
            assert!((1e-3 - 1e-8..0.05).contains(&least(&by)), "{shape:?}: {}", least(&by));
        }
    }
}
