//! An obstacle elsewhere, turned or of another size: what a shape has no number for stays.

use aplomb_sim::math::{Mat3, Vec3};
use aplomb_sim::scene::{Obstacle, Shape};

use super::{angles, body, length, point};
use crate::viewport::handles::{Change, about};

/// Grain of places of obstacles [m], and of directions.
const GRAIN: f64 = 1e-12;

/// Places an obstacle, with the pivot of its motion.
pub fn place(obstacle: &mut Obstacle, change: &Change) {
    let scales = change.scale != Vec3::repeat(1.0);
    let at = |x: &mut [f64; 3]| *x = point(change.place(&(*x).into()), GRAIN);
    let turn = |x: &mut [f64; 3]| {
        if change.rotate != Vec3::zeros() {
            *x = point(change.rotation() * Vec3::from(*x), GRAIN * Vec3::from(*x).norm());
        }
    };
    let sized = |x: &mut f64, factor: f64| {
        if scales {
            *x = length(factor * *x);
        }
    };
    // Across the second axis of the frame, which round shapes have along their own.
    let all = change.scale.x;
    let across = if change.scale == Vec3::repeat(all) { all } else { change.scale.x * change.scale.z };
    match &mut obstacle.shape {
        Shape::HalfSpace { point, normal } => {
            at(point);
            turn(normal);
        }
        Shape::Sphere { center, radius } => {
            at(center);
            sized(radius, all);
        }
        Shape::Box { center, size, rotate_degrees } => {
            at(center);
            size.iter_mut().zip(change.scale.iter()).for_each(|(size, factor)| sized(size, *factor));
            if change.rotate != Vec3::zeros() {
                *rotate_degrees = angles(&(change.rotation() * aplomb_sim::math::rotation(*rotate_degrees)));
            }
        }
        Shape::Capsule { from, to, radius } => {
            at(from);
            at(to);
            sized(radius, across);
        }
        Shape::Torus { center, axis, ring_radius, tube_radius, .. } => {
            at(center);
            turn(axis);
            sized(ring_radius, all);
            sized(tube_radius, all);
        }
        Shape::Revolution { center, axis, profile, .. } => {
            at(center);
            turn(axis);
            for [radius, height] in profile {
                // A pole stays on the axis.
                if *radius > 0.0 {
                    sized(radius, across);
                }
                if scales && *height != 0.0 {
                    *height = height.signum() * length(change.scale.y * height.abs());
                }
            }
        }
        Shape::Mesh { transform, .. } => body::transform(transform, change),
    }
    if let Some(pivot) = obstacle.motion.as_mut().and_then(|motion| motion.pivot.as_mut()) {
        at(pivot);
    }
}

/// The axes along which a shape has sizes of its own, and whether it has only one size; `None` for one without a size.
pub fn axes_of(shape: &Shape) -> Option<(Mat3, bool)> {
    match shape {
        Shape::HalfSpace { .. } => None,
        Shape::Sphere { .. } => Some((Mat3::identity(), true)),
        Shape::Box { rotate_degrees, .. } => Some((aplomb_sim::math::rotation(*rotate_degrees), false)),
        Shape::Capsule { from, to, .. } => Some((about(Vec3::from(*to) - Vec3::from(*from)), false)),
        Shape::Torus { axis, .. } => Some((about((*axis).into()), true)),
        Shape::Revolution { axis, .. } => Some((about((*axis).into()), false)),
        Shape::Mesh { transform, .. } => Some((aplomb_sim::math::rotation(transform.rotate_degrees), true)),
    }
}

/// The middle of a shape [m], and of a plane its point; `None` where that is in a file.
pub fn middle_of(shape: &Shape) -> Option<Vec3> {
    match shape {
        Shape::HalfSpace { point, .. } => Some((*point).into()),
        Shape::Sphere { center, .. } | Shape::Box { center, .. } | Shape::Torus { center, .. } => Some((*center).into()),
        Shape::Capsule { from, to, .. } => Some(0.5 * (Vec3::from(*from) + Vec3::from(*to))),
        Shape::Revolution { center, axis, profile, .. } => {
            let heights = profile.iter().map(|point| point[1]);
            let (low, high) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), h| (low.min(h), high.max(h)));
            let up = Vec3::from(*axis).try_normalize(1e-12).unwrap_or_else(Vec3::y);
            Some(Vec3::from(*center) + if low.is_finite() { 0.5 * (low + high) * up } else { Vec3::zeros() })
        }
        Shape::Mesh { .. } => None,
    }
}
