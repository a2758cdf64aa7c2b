//! Prescribed motions: keyframed translation and rotation about a pivot.

use std::f64::consts::TAU;

use crate::math::{Mat3, Vec3, bounding_box};
use crate::scene::{Keyframe, MotionSettings};

/// A node whose motion is prescribed; it has no balance row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DrivenNode {
    /// The node.
    pub node: u32,
    /// Index into [`super::System::motions`].
    pub motion: u32,
}

/// A rigid motion that is known for all times: held before the first keyframe and after the last, interpolated between.
#[derive(Debug, Clone, PartialEq)]
pub struct Motion {
    /// Point about which it turns, in the given shape [m]; it moves along with the translation.
    pub pivot: Vec3,
    /// Poses, ascending in time.
    pub poses: Vec<Pose>,
}

/// Where a motion has brought its nodes at an instant, seen from the given shape.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// The instant [s].
    pub time: f64,
    /// Translation [m].
    pub translation: Vec3,
    /// Unit axis of rotation times angle [rad]. Angles may go past a turn: the vector is what is interpolated, so
    /// that poses about one axis are joined at constant angular speed, through as many turns as they say.
    pub rotation: Vec3,
}

impl Motion {
    /// The motion of `points` [m] that a scene asks for.
    pub fn new(settings: &MotionSettings, points: &[Vec3]) -> Self {
        let pose = |keyframe: &Keyframe| Pose {
            time: keyframe.time,
            translation: Vec3::from(keyframe.translate),
            rotation: keyframe
                .rotate
                .and_then(|r| Some(r.degrees.to_radians() * Vec3::from(r.axis).try_normalize(0.0)?))
                .unwrap_or_default(),
        };
        let start = Pose { time: 0.0, translation: Vec3::zeros(), rotation: Vec3::zeros() };
        let starts_later = settings.keyframes.first().is_some_and(|first| first.time > 0.0);
        let poses = starts_later.then_some(start).into_iter().chain(settings.keyframes.iter().map(pose)).collect();
        let (low, high) = bounding_box(points);
        let center = if points.is_empty() { Vec3::zeros() } else { 0.5 * (low + high) };
        Self { pivot: settings.pivot.map_or(center, Vec3::from), poses }
    }

    /// Where the motion has brought the point that starts at `given` [m], at `time` [s].
    pub fn displaced(&self, given: &Vec3, time: f64) -> Vec3 {
        self.placement(time).place(given)
    }

    /// How the motion has turned everything by `time` [s], as modified Rodrigues parameters: tan(angle / 4) along the axis, with whole turns
    /// taken off.
    pub fn turn(&self, time: f64) -> Vec3 {
        let (_, rotation) = self.interpolated(time);
        let angle = rotation.norm();
        rotation.try_normalize(0.0).map_or_else(Vec3::zeros, |axis| (0.25 * (angle % TAU)).tan() * axis)
    }

    /// The motion at `time` [s], ready for many points.
    pub fn placement(&self, time: f64) -> Placement {
        let (translation, rotation) = self.interpolated(time);
        Placement { pivot: self.pivot, target: self.pivot + translation, rotation: rotation_matrix(&rotation) }
    }

    /// The first keyframe [s] that steps of `step_size` [s] would not see: it lies within a step, and farther from the way between the
    /// step's ends than that is long.
    pub fn unseen_keyframe(&self, step_size: f64) -> Option<f64> {
        let is_unseen = |pose: &&Pose| {
            let steps = pose.time / step_size;
            let within = steps - steps.floor();
            if pose.time <= 0.0 || within.min(1.0 - within) < 1e-6 {
                return false;
            }
            let [start, end] = [steps.floor(), steps.floor() + 1.0].map(|k| self.interpolated(k * step_size));
            let beside = |at: Vec3, a: Vec3, b: Vec3| ((at - a.lerp(&b, within)).norm(), (b - a).norm());
            let (moved, way) = beside(pose.translation, start.0, end.0);
            let (turned, angle) = beside(pose.rotation, start.1, end.1);
            moved > way + 1e-12 || turned > angle + 1e-12
        };
        self.poses.iter().find(is_unseen).map(|pose| pose.time)
    }

    /// Translation and rotation vector at `time`.
    fn interpolated(&self, time: f64) -> (Vec3, Vec3) {
        let after = self.poses.partition_point(|pose| pose.time <= time);
        match (after.checked_sub(1).map(|before| &self.poses[before]), self.poses.get(after)) {
            (Some(a), Some(b)) => {
                let share = (time - a.time) / (b.time - a.time);
                (a.translation.lerp(&b.translation, share), a.rotation.lerp(&b.rotation, share))
            }
            (Some(only), None) | (None, Some(only)) => (only.translation, only.rotation),
            (None, None) => (Vec3::zeros(), Vec3::zeros()),
        }
    }
}

/// A motion at one instant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placement {
    pivot: Vec3,
    /// Where the pivot is.
    target: Vec3,
    rotation: Mat3,
}

impl Placement {
    /// Where the point is that starts at `given` [m].
    pub fn place(&self, given: &Vec3) -> Vec3 {
        self.rotation * (given - self.pivot) + self.target
    }

    /// Where the point started [m] that is at `placed` now.
    pub fn given(&self, placed: &Vec3) -> Vec3 {
        self.rotation.transpose() * (placed - self.target) + self.pivot
    }

    /// The direction that `given` has turned into.
    pub fn turned(&self, given: &Vec3) -> Vec3 {
        self.rotation * given
    }
}

/// Rotation by |v| radians about v; the identity, exactly, for zero.
fn rotation_matrix(v: &Vec3) -> Mat3 {
    nalgebra::Rotation3::new(*v).into_inner()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    fn turning(turns: f64) -> Motion {
        let pose = |time, turns| Pose { time, translation: Vec3::new(0.0, 0.0, time), rotation: Vec3::new(0.0, 0.0, TAU * turns) };
        Motion { pivot: Vec3::new(1.0, 2.0, 0.0), poses: vec![pose(1.0, 0.0), pose(3.0, turns)] }
    }

    #[test]
    fn several_turns_are_turned_and_not_cut_short() {
        let motion = turning(4.0);
        let given = Vec3::new(2.0, 2.0, 5.0);
        // Four turns in two seconds: after an eighth of a second, a quarter of a turn about z.
        let moved = motion.displaced(&given, 1.125);
        assert!((moved - Vec3::new(1.0, 3.0, 6.125)).norm() < 1e-12, "{moved}");
        let moved = motion.displaced(&given, 2.125);
        assert!((moved - Vec3::new(1.0, 3.0, 7.125)).norm() < 1e-12, "{moved}");
    }

    #[test]
    fn a_keyframe_that_no_step_sees_is_found() {
        let motion = |frames: &[(f64, f64)]| {
            let pose = |&(time, x): &(f64, f64)| Pose { time, translation: x * Vec3::x(), rotation: Vec3::zeros() };
            Motion { pivot: Vec3::zeros(), poses: frames.iter().map(pose).collect() }
        };
        let back_and_forth = [(0.0, 0.0), (0.102, 0.0), (0.105, 0.3), (0.108, 0.0)];
        assert_eq!(motion(&back_and_forth).unseen_keyframe(0.01), Some(0.105));
        assert_eq!(motion(&back_and_forth).unseen_keyframe(0.001), None);
        assert_eq!(motion(&back_and_forth).unseen_keyframe(0.005), None, "it lies between two steps");
        // A change of speed within a step is seen well enough.
        assert_eq!(motion(&[(0.0, 0.0), (0.105, 0.3), (0.2, 0.35)]).unseen_keyframe(0.01), None);
    }

    #[test]
    fn before_the_first_and_after_the_last_keyframe_it_holds() {
        let motion = turning(0.25);
        let given = Vec3::new(2.0, 2.0, 5.0);
        for (time, expected) in [(-1.0, [2.0, 2.0, 6.0]), (1.0, [2.0, 2.0, 6.0]), (3.0, [1.0, 3.0, 8.0]), (1e9, [1.0, 3.0, 8.0])] {
            let moved = motion.displaced(&given, time);
            assert!((moved - Vec3::from(expected)).norm() < 1e-12, "{time}: {moved}");
        }
    }

    #[test]
    fn the_pivot_only_translates_and_distances_stay() {
        let mut motion = turning(2.7);
        motion.poses[1].rotation = Vec3::new(3.0, -20.0, 7.0);
        for step in 0..50 {
            let place = motion.placement(0.08 * f64::from(step));
            let pivot = place.place(&motion.pivot);
            assert!((pivot - motion.pivot).xy().norm() < 1e-12);
            let (a, b) = (Vec3::new(0.3, 0.1, -2.0), Vec3::new(-1.0, 4.0, 0.5));
            assert!(((place.place(&a) - place.place(&b)).norm() - (a - b).norm()).abs() < 1e-12);
        }
    }
}
