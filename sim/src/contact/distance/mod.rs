//! Signed distances of the obstacles' shapes, one file a shape.

mod capsule;
mod cuboid;
mod half_space;
mod sphere;

pub use capsule::Capsule;
pub use cuboid::Cuboid;
pub use half_space::HalfSpace;
pub use sphere::Sphere;

use super::obstacle::Distance;
use crate::math::{Mat3, Vec3};
use crate::scene::Shape;

/// A convex shape with an exact signed distance: a convex function with gradient of length one. The step limit
/// of [`super::ContactPotential::limit_steps`] relies on the convexity.
pub trait SignedDistance: Send + Sync + std::fmt::Debug {
    /// Signed distance of `point` [m] with its derivatives.
    fn distance(&self, point: &Vec3) -> Distance;

    /// Unit vectors out of the faces that come nearer than `reach` [m] to `point` along its axes: of what has edges each of its own, of all else the one of
    /// [`Self::distance`].
    fn faces(&self, point: &Vec3, reach: f64) -> [Option<Vec3>; 3] {
        let Distance { value, normal, .. } = self.distance(point);
        [(value <= reach).then_some(normal), None, None]
    }
}

/// The shape of a scene made ready for many distances: the one place that knows every shape. A shape of triangles has no
/// signed distance and is infinitely far from everything here; it touches as a surface ([`crate::contact::surface`]).
pub fn placed(shape: &Shape) -> Box<dyn SignedDistance> {
    match *shape {
        Shape::HalfSpace { point, normal } => Box::new(HalfSpace::new(point.into(), normal.into())),
        Shape::Sphere { center, radius } => Box::new(Sphere { center: center.into(), radius }),
        Shape::Box { center, size, rotate_degrees } => Box::new(Cuboid::new(center.into(), size.into(), rotate_degrees)),
        Shape::Capsule { from, to, radius } => Box::new(Capsule { from: from.into(), to: to.into(), radius }),
        Shape::Torus { .. } | Shape::Revolution { .. } | Shape::Mesh { .. } => Box::new(Nowhere),
    }
}

/// Whether a shape has a signed distance.
pub fn has_distance(shape: &Shape) -> bool {
    !matches!(shape, Shape::Torus { .. } | Shape::Revolution { .. } | Shape::Mesh { .. })
}

/// How thick a shape with a signed distance is [m]: twice as far as it is from anywhere inside to its surface. Infinite of others.
pub fn thickness(shape: &Shape) -> f64 {
    match *shape {
        Shape::Sphere { radius, .. } | Shape::Capsule { radius, .. } => 2.0 * radius,
        Shape::Box { size, .. } => Vec3::from(size).min(),
        Shape::HalfSpace { .. } | Shape::Torus { .. } | Shape::Revolution { .. } | Shape::Mesh { .. } => f64::INFINITY,
    }
}

/// Nothing, infinitely far away.
#[derive(Debug)]
struct Nowhere;

impl SignedDistance for Nowhere {
    fn distance(&self, _point: &Vec3) -> Distance {
        Distance { value: f64::INFINITY, normal: Vec3::y(), curvature: Mat3::zeros() }
    }
}

/// Distance to the points within `radius` of a core, where `offset` leads from the nearest point of the core to
/// the point. The core is locally flat along the directions that `curved` projects out: none at a point, one on
/// a line, two on a plane.
fn around_core(offset: Vec3, radius: f64, curved: Mat3) -> Distance {
    let length = offset.norm();
    if length == 0.0 {
        // On the core itself every direction across it is as near; any of them is a subgradient.
        let across = (0..3).map(|k| curved.column(k).into_owned()).max_by(|a, b| a.norm_squared().total_cmp(&b.norm_squared()));
        let normal = across.and_then(|v| v.try_normalize(0.0)).unwrap_or_else(Vec3::y);
        return Distance { value: -radius, normal, curvature: Mat3::zeros() };
    }
    let normal = offset / length;
    Distance { value: length - radius, normal, curvature: (curved - normal * normal.transpose()) / length }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use crate::math::random::Random;
    use crate::math::rotation;
    use proptest::prelude::*;

    fn shapes() -> Vec<Shape> {
        vec![
            Shape::HalfSpace { point: [0.1, -0.2, 0.3], normal: [0.2, 2.0, -0.4] },
            Shape::Sphere { center: [0.2, 0.1, -0.1], radius: 0.6 },
            Shape::Box { center: [0.1, 0.0, -0.2], size: [1.0, 0.6, 0.8], rotate_degrees: [20.0, -35.0, 50.0] },
            Shape::Capsule { from: [-0.5, 0.1, 0.0], to: [0.4, 0.3, 0.2], radius: 0.3 },
        ]
    }

    /// Largest error of the gradient and of the second derivatives against central differences.
    fn derivative_errors(shape: &dyn SignedDistance, p: &Vec3) -> (f64, f64) {
        let h = 1e-6;
        let exact = shape.distance(p);
        let (mut first, mut second) = (0.0f64, 0.0f64);
        for k in 0..3 {
            let step = h * Vec3::ith(k, 1.0);
            let (plus, minus) = (shape.distance(&(p + step)), shape.distance(&(p - step)));
            first = first.max(((plus.value - minus.value) / (2.0 * h) - exact.normal[k]).abs());
            second = second.max(((plus.normal - minus.normal) / (2.0 * h) - exact.curvature.column(k)).norm());
        }
        (first, second)
    }

    proptest! {
        #[test]
        fn derivatives_match_differences(x in -1.5..1.5f64, y in -1.5..1.5f64, z in -1.5..1.5f64) {
            let p = Vec3::new(x, y, z);
            for shape in shapes() {
                let shape = placed(&shape);
                let d = shape.distance(&p);
                prop_assert!((d.normal.norm() - 1.0).abs() < 1e-12);
                prop_assert!((d.curvature * d.normal).norm() < 1e-9 * (1.0 + d.curvature.norm()));
                // A difference across a border between two regions of a box or capsule sees both of them.
                let near_border = (0..3).flat_map(|k| [-1.0, 1.0].map(|s| s * 1e-5 * Vec3::ith(k, 1.0)))
                    .any(|o| (shape.distance(&(p + o)).curvature - d.curvature).norm() > 1e-2 * (1.0 + d.curvature.norm())
                        || (shape.distance(&(p + o)).normal - d.normal).norm() > 1e-2);
                if !near_border {
                    let (first, second) = derivative_errors(shape.as_ref(), &p);
                    // A difference is off by a sixth of the step's square times the third derivative, which is that of 1 / r.
                    let rough = d.curvature.norm_squared();
                    prop_assert!(first < 1e-8 + 1e-12 * rough, "gradient off by {first} at {p:?} of {shape:?}");
                    prop_assert!(second < 1e-5 * (1.0 + rough), "curvature off by {second} at {p:?} of {shape:?}");
                }
            }
        }

        #[test]
        fn distances_are_convex(a in prop::array::uniform3(-1.5..1.5f64), b in prop::array::uniform3(-1.5..1.5f64)) {
            let (a, b) = (Vec3::from(a), Vec3::from(b));
            for shape in shapes() {
                let shape = placed(&shape);
                let at = shape.distance(&a);
                prop_assert!(shape.distance(&b).value >= at.value + at.normal.dot(&(b - a)) - 1e-12);
            }
        }
    }

    #[test]
    fn box_knows_its_faces_edges_corners_and_inside() {
        let cube = placed(&Shape::Box { center: [0.0; 3], size: [2.0, 4.0, 6.0], rotate_degrees: [0.0; 3] });
        let value = |x: f64, y: f64, z: f64| cube.distance(&Vec3::new(x, y, z)).value;
        assert_eq!(value(1.5, 0.0, 0.0), 0.5);
        assert_eq!(value(1.0 + 3.0, 2.0 + 4.0, 0.0), 5.0);
        assert_eq!(value(1.0 + 2.0, -2.0 - 3.0, 3.0 + 6.0), 7.0);
        assert_eq!(value(0.5, 0.0, 0.0), -0.5);
        assert_eq!(cube.distance(&Vec3::new(0.0, -1.9, 0.0)).normal, -Vec3::y());
        let edge = cube.distance(&Vec3::new(4.0, 6.0, 0.0));
        assert!((edge.curvature.trace() - 1.0 / 5.0).abs() < 1e-15, "an edge is curved across only");
    }

    /// A box tells each face that a cube around a point meets, and no other; where it meets none from within, the way out.
    #[test]
    fn faces_are_told_where_a_cube_meets_them() {
        let (mut random, half, reach) = (Random::new(12), Vec3::new(0.5, 1.0, 1.5), 0.3);
        let rotate_degrees = [20.0, -35.0, 50.0];
        let [still, turned] = [[0.0; 3], rotate_degrees]
            .map(|rotate_degrees| placed(&Shape::Box { center: [0.0; 3], size: (2.0 * half).into(), rotate_degrees }));
        let mut told = [0; 4];
        for _ in 0..2000 {
            let x = 1.3 * half.component_mul(&random.vector(-1.0, 1.0));
            let beyond = x.abs() - half;
            let is_met = |k: usize| (0..3).all(|j| if j == k { beyond[j].abs() <= reach } else { beyond[j] <= reach });
            let expected = [0, 1, 2].map(|k| is_met(k).then(|| Vec3::ith(k, x[k].signum())));
            let found = still.faces(&x, reach);
            let count = found.iter().flatten().count();
            told[count] += 1;
            match expected.iter().flatten().next() {
                None if beyond.max() < 0.0 => assert!(count == 1 && found.iter().flatten().any(|n| *n == still.distance(&x).normal)),
                _ => assert_eq!(found, expected, "{x}"),
            }
            let turn = rotation(rotate_degrees);
            let back = turned.faces(&(turn * x), reach).map(|normal| normal.map(|normal| turn.tr_mul(&normal)));
            let apart =
                |(a, b): (&Option<Vec3>, &Option<Vec3>)| a.zip(*b).map_or(a.is_some() == b.is_some(), |(a, b)| (a - b).amax() < 1e-12);
            assert!(found.iter().zip(&back).all(apart), "{found:?} {back:?}");
        }
        assert!(told.iter().all(|count| *count > 50), "{told:?}");
        let ball = placed(&Shape::Sphere { center: [0.0; 3], radius: 1.0 });
        assert_eq!(ball.faces(&Vec3::new(1.2, 0.0, 0.0), 0.3), [Some(Vec3::x()), None, None]);
        assert_eq!(ball.faces(&Vec3::new(1.4, 0.0, 0.0), 0.3), [None; 3]);
    }

    #[test]
    fn a_rotation_turns_about_x_first_and_z_last() {
        // 90 degrees about x takes the long y axis to z; 90 about z then leaves z alone.
        let plank = placed(&Shape::Box { center: [0.0; 3], size: [2.0, 8.0, 2.0], rotate_degrees: [90.0, 0.0, 90.0] });
        assert!((plank.distance(&Vec3::new(0.0, 0.0, 5.0)).value - 1.0).abs() < 1e-12);
        assert!((plank.distance(&Vec3::new(5.0, 0.0, 0.0)).value - 4.0).abs() < 1e-12);
    }

    #[test]
    fn middles_of_shapes_have_a_finite_normal() {
        for shape in [
            Shape::Sphere { center: [1.0, 2.0, 3.0], radius: 0.5 },
            Shape::Capsule { from: [1.0, 2.0, 3.0], to: [1.0, 3.0, 3.0], radius: 0.5 },
            Shape::Capsule { from: [1.0, 2.0, 3.0], to: [1.0, 2.0, 3.0], radius: 0.5 },
        ] {
            let d = placed(&shape).distance(&Vec3::new(1.0, 2.0, 3.0));
            assert_eq!(d.value, -0.5);
            assert!((d.normal.norm() - 1.0).abs() < 1e-15);
        }
    }
}
