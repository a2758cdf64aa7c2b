//! The geometry of a drag: from where the mouse was and is to how far a handle has been taken.

use std::f64::consts::{FRAC_PI_2, LN_2, PI, TAU};

use aplomb_sim::math::{Mat3, Vec3};

use super::{Change, Frame, HandleTool, Part};
use crate::viewport::camera::{Camera, Ray};

/// Cosine of the angle to the view under which a plane is too flat to be dragged in.
const FLAT: f64 = 0.12;
/// Smallest factor of a drag that scales.
const SMALLEST: f64 = 1e-3;
/// Steps of a turn with Ctrl, and with Shift as well [radians].
const TURNS: [f64; 2] = [PI / 12.0, PI / 180.0];
/// Steps of a factor.
const FACTORS: [f64; 2] = [0.1, 0.01];

/// How far a handle has been taken.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Amount {
    /// Along the three axes of the frame [m].
    Along([f64; 3]),
    /// About the axis of the part [radians].
    About(f64),
    /// Factors along the three axes of the frame.
    Times([f64; 3]),
}

/// What a drag is measured by: the view, and where in it.
#[derive(Debug, Clone, Copy)]
pub struct Gaze<'a> {
    /// The camera.
    pub camera: &'a Camera,
    /// Width over height of the view.
    pub aspect: f64,
    /// Length in the scene of the reach of the handles [m].
    pub size: f64,
}

impl Gaze<'_> {
    fn ray(&self, ndc: [f64; 2]) -> Ray {
        self.camera.ray(ndc, self.aspect)
    }

    /// The point under `ndc` in the plane through `at` that faces the eye.
    fn facing(&self, at: Vec3, ndc: [f64; 2]) -> Vec3 {
        let back = self.camera.axes()[2];
        on_plane(&self.ray(ndc), at, back).unwrap_or(at)
    }

    /// Unit vector from a point to the eye.
    pub fn to_eye(&self, at: Vec3) -> Vec3 {
        let back = self.camera.axes()[2];
        if self.camera.orthographic { back } else { (self.camera.eye() - at).try_normalize(0.0).unwrap_or(back) }
    }

    /// How far a handle of `tool` has been taken by a motion of the mouse. `turned`: how far it had turned the frame before, so that
    /// turns add up.
    pub fn amount(&self, tool: HandleTool, part: Part, frame: &Frame, from: [f64; 2], to: [f64; 2], turned: f64) -> Amount {
        match tool {
            HandleTool::Move => Amount::Along(self.moved(part, frame, from, to)),
            HandleTool::Rotate => Amount::About(self.turned(part, frame, from, to, turned)),
            HandleTool::Scale => Amount::Times(self.scaled(part, frame, from, to)),
        }
    }

    fn moved(&self, part: Part, frame: &Frame, from: [f64; 2], to: [f64; 2]) -> [f64; 3] {
        let Frame { pivot, axes } = *frame;
        let by = match part {
            Part::Axis(k) => {
                let along = |ndc| self.along(frame, k, ndc);
                (along(to) - along(from)) * axes.column(k)
            }
            Part::Plane(k) => {
                let normal: Vec3 = axes.column(k).into();
                let at = |ndc| on_plane(&self.ray(ndc), pivot, normal);
                at(to).zip(at(from)).map_or(Vec3::zeros(), |(to, from)| to - from)
            }
            Part::View => self.facing(pivot, to) - self.facing(pivot, from),
        };
        let mut coordinates: [f64; 3] = axes.tr_mul(&by).into();
        // What the part does not move stays, to the digit.
        (0..3).filter(|&axis| !part.has(axis)).for_each(|axis| coordinates[axis] = 0.0);
        coordinates
    }

    /// Where on the axis `k` the line is nearest to the ray [m from the pivot].
    fn along(&self, frame: &Frame, k: usize, ndc: [f64; 2]) -> f64 {
        let axis: Vec3 = frame.axes.column(k).into();
        let ray = self.ray(ndc);
        // In the plane through the axis that faces the eye most.
        let across = axis.cross(&self.to_eye(frame.pivot));
        let Some(normal) = axis.cross(&across).try_normalize(1e-9) else { return 0.0 };
        on_plane(&ray, frame.pivot, normal).map_or(0.0, |at| (at - frame.pivot).dot(&axis))
    }

    fn turned(&self, part: Part, frame: &Frame, from: [f64; 2], to: [f64; 2], before: f64) -> f64 {
        let axis = self.axis(part, frame);
        let pivot = frame.pivot;
        let facing = axis.dot(&self.to_eye(pivot));
        if facing.abs() < FLAT {
            // A ring seen from its edge turns like a wheel under the hand.
            let Some(way) = axis.cross(&self.to_eye(pivot)).try_normalize(0.0) else { return before };
            return (self.facing(pivot, to) - self.facing(pivot, from)).dot(&way) / self.size;
        }
        let u = aplomb_sim::math::across(&axis);
        let v = axis.cross(&u);
        let angle = |ndc| {
            let at = on_plane(&self.ray(ndc), pivot, axis)? - pivot;
            Some(at.dot(&v).atan2(at.dot(&u)))
        };
        let Some((from, to)) = angle(from).zip(angle(to)) else { return before };
        before + wrap(to - from - before)
    }

    /// The unit axis that a part turns about.
    pub fn axis(&self, part: Part, frame: &Frame) -> Vec3 {
        match part {
            Part::Axis(k) | Part::Plane(k) => frame.axes.column(k).into(),
            // As the whole picture turns: seen from in front, it is the axis that points out of it.
            Part::View => self.camera.axes()[2],
        }
    }

    fn scaled(&self, part: Part, frame: &Frame, from: [f64; 2], to: [f64; 2]) -> [f64; 3] {
        let factor = match part {
            Part::Axis(k) => {
                let (from, to) = (self.along(frame, k, from), self.along(frame, k, to));
                if from.abs() > 1e-9 * self.size { to / from } else { 1.0 }
            }
            Part::Plane(_) | Part::View => {
                // Up and to the right doubles it over the reach of the handles.
                let [right, up, _] = self.camera.axes();
                let by = (self.facing(frame.pivot, to) - self.facing(frame.pivot, from)).dot(&(right + up)) / self.size;
                (LN_2 * by).exp()
            }
        };
        let factor = factor.max(SMALLEST);
        std::array::from_fn(|axis| if part.has(axis) { factor } else { 1.0 })
    }
}

impl Amount {
    /// Rounded to steps: of `length` [m], of 15 degrees, of a tenth; a tenth of that, or a degree, where `fine`.
    pub fn stepped(self, length: f64, fine: bool) -> Self {
        let length = if fine { 0.1 * length } else { length };
        // By whole numbers, so that steps of 0.1 are at 0.3 and not at 0.30000000000000004.
        let to_step = |value: f64, step: f64| {
            let per_unit = (1.0 / step).round();
            if (per_unit * step - 1.0).abs() < 1e-9 { (value / step).round() / per_unit } else { (value / step).round() * step }
        };
        match self {
            Self::Along(by) => Self::Along(by.map(|by| to_step(by, length))),
            Self::About(angle) => Self::About(to_step(angle, TURNS[usize::from(fine)])),
            Self::Times(by) => {
                let step = FACTORS[usize::from(fine)];
                Self::Times(by.map(|by| if by == 1.0 { 1.0 } else { to_step(by, step).max(step) }))
            }
        }
    }

    /// The change of what stands in `frame`.
    pub fn change(self, part: Part, frame: &Frame, axis: Vec3) -> Change {
        let still = Change::still(*frame);
        match self {
            Self::Along(by) => Change { translate: frame.axes * Vec3::from(by), ..still },
            Self::About(angle) => Change { rotate: angle * axis, ..still },
            Self::Times(by) => Change { scale: by.into(), ..still },
        }
        .limited(part)
    }
}

impl Change {
    /// A part that has nothing to say about an axis leaves it as it is.
    fn limited(mut self, part: Part) -> Self {
        (0..3).filter(|&axis| !part.has(axis)).for_each(|axis| self.scale[axis] = 1.0);
        self
    }
}

/// Where a ray meets a plane, before or behind its origin; none where it runs along it.
fn on_plane(ray: &Ray, at: Vec3, normal: Vec3) -> Option<Vec3> {
    let towards = ray.direction.dot(&normal);
    let distance = (at - ray.origin).dot(&normal) / towards;
    (towards.abs() > 1e-9 && distance > 0.0).then(|| ray.origin + distance * ray.direction)
}

/// The angle within [-pi, pi).
fn wrap(angle: f64) -> f64 {
    (angle + PI).rem_euclid(TAU) - PI
}

/// Whether a handle along `axis` is seen from its end, so that it cannot be dragged: from the point of view of somebody who sees it from `to_eye`.
pub fn is_end_on(axis: &Vec3, to_eye: &Vec3) -> bool {
    axis.dot(to_eye).abs() > (FRAC_PI_2 - FLAT).sin()
}

/// Whether a plane is seen from its edge.
pub fn is_edge_on(normal: &Vec3, to_eye: &Vec3) -> bool {
    normal.dot(to_eye).abs() < FLAT
}

/// A right-handed frame whose second axis is `axis`.
pub fn about(axis: Vec3) -> Mat3 {
    let axis = axis.try_normalize(1e-12).unwrap_or_else(Vec3::y);
    let first = aplomb_sim::math::across(&axis);
    Mat3::from_columns(&[first, axis, first.cross(&axis)])
}

#[cfg(test)]
#[path = "drag_tests.rs"]
mod tests;
