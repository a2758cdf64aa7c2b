//! Keyframes by hand: where something that moves has got to at a time.

use aplomb_sim::math::Vec3;
use aplomb_sim::scene::{AxisAngle, Keyframe, MotionSettings, RegionRole, Scene};
use aplomb_sim::system::Motion;

use super::{point, tidy};
use crate::viewport::handles::Change;

/// What follows keyframes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mover {
    /// A region of a body.
    Region(usize, usize),
    /// An obstacle.
    Obstacle(usize),
}

/// The motion of something, if it has one.
pub fn motion_of(scene: &Scene, mover: Mover) -> Option<&MotionSettings> {
    match mover {
        Mover::Obstacle(o) => scene.obstacles.get(o)?.motion.as_ref(),
        Mover::Region(b, r) => match &scene.bodies.get(b)?.regions.get(r)?.role {
            RegionRole::Dirichlet { motion, .. } => motion.as_ref(),
            _ => None,
        },
    }
}

/// The same, to be changed.
pub fn motion_mut(scene: &mut Scene, mover: Mover) -> Option<&mut MotionSettings> {
    match mover {
        Mover::Obstacle(o) => scene.obstacles.get_mut(o)?.motion.as_mut(),
        Mover::Region(b, r) => match &mut scene.bodies.get_mut(b)?.regions.get_mut(r)?.role {
            RegionRole::Dirichlet { motion, .. } => motion.as_mut(),
            _ => None,
        },
    }
}

/// Two keyframes are not nearer than this [s].
pub const APART: f64 = 1e-3;

/// The keyframe at a time, or nearer to it than two may be.
pub fn key_at(motion: &MotionSettings, time: f64) -> Option<usize> {
    motion.keyframes.iter().position(|keyframe| (keyframe.time - time).abs() < APART)
}

/// Where a motion has got to at a time, as a keyframe there.
pub fn pose_at(settings: &MotionSettings, time: f64) -> Keyframe {
    let poses = Motion::new(settings, &[]).poses;
    let after = poses.partition_point(|pose| pose.time <= time);
    let (before, next) = (after.checked_sub(1).and_then(|before| poses.get(before)), poses.get(after));
    let (translate, rotate) = match (before, next) {
        (Some(a), Some(b)) => {
            let share = (time - a.time) / (b.time - a.time);
            (a.translation.lerp(&b.translation, share), a.rotation.lerp(&b.rotation, share))
        }
        (Some(only), None) | (None, Some(only)) => (only.translation, only.rotation),
        (None, None) => (Vec3::zeros(), Vec3::zeros()),
    };
    // What does not turn there keeps the axis about which it turns otherwise.
    let angle = rotate.norm();
    let known = settings.keyframes.iter().filter_map(|keyframe| keyframe.rotate).find(|known| {
        let axis = Vec3::from(known.axis);
        angle == 0.0 || axis.cross(&rotate).norm() < 1e-9 * axis.norm() * angle
    });
    let rotate = match known {
        Some(AxisAngle { axis, .. }) => {
            let sign = if Vec3::from(axis).dot(&rotate) < 0.0 { -1.0 } else { 1.0 };
            Some(AxisAngle { axis, degrees: tidy(sign * angle.to_degrees(), 1e-9) })
        }
        None if angle > 0.0 => Some(AxisAngle { axis: point(rotate / angle, 1e-12), degrees: tidy(angle.to_degrees(), 1e-9) }),
        None => None,
    };
    Keyframe { time, translate: point(translate, 1e-12), rotate }
}

/// Adds a keyframe at a time, where the motion has got to by then; its place, or that of the one that is there.
pub fn add_key(motion: &mut MotionSettings, time: f64) -> usize {
    if let Some(known) = key_at(motion, time) {
        return known;
    }
    let keyframe = pose_at(motion, time);
    let place = motion.keyframes.partition_point(|other| other.time < time);
    motion.keyframes.insert(place, keyframe);
    place
}

/// `scene` with a keyframe of something at a time, and the keyframe's place; what does not move yet begins to, nowhere so far. `None` for what
/// cannot move.
pub fn keyed(scene: &Scene, mover: Mover, time: f64) -> Option<(Scene, usize)> {
    let mut scene = scene.clone();
    let motion = match mover {
        Mover::Obstacle(o) => &mut scene.obstacles.get_mut(o)?.motion,
        Mover::Region(b, r) => match &mut scene.bodies.get_mut(b)?.regions.get_mut(r)?.role {
            RegionRole::Dirichlet { slip: None, follows: None, motion } | RegionRole::Dirichlet { motion: motion @ Some(_), .. } => motion,
            _ => return None,
        },
    };
    let index = match motion {
        Some(motion) => add_key(motion, time),
        None => {
            *motion = Some(MotionSettings { pivot: None, keyframes: vec![Keyframe { time, translate: [0.0; 3], rotate: None }] });
            0
        }
    };
    Some((scene, index))
}

/// Changes the keyframe at a time, or makes one there. At time zero nothing has moved yet.
pub fn place(motion: &mut MotionSettings, time: f64, change: &Change) {
    if time < APART {
        return;
    }
    let index = add_key(motion, time);
    let keyframe = &mut motion.keyframes[index];
    keyframe.translate = point(Vec3::from(keyframe.translate) + change.translate, 1e-12);
    if let Some(axis) = change.rotate.try_normalize(0.0) {
        keyframe.rotate = Some(turned(keyframe.rotate, axis, change.rotate.norm()));
    }
}

/// A rotation followed by one about a unit axis by an angle [rad]: about the same axis they add up, through however many turns.
fn turned(before: Option<AxisAngle>, axis: Vec3, angle: f64) -> AxisAngle {
    let known = before.and_then(|before| Some((before, Vec3::from(before.axis).try_normalize(0.0)?)));
    match known {
        Some((before, own)) if own.cross(&axis).norm() < 1e-9 => {
            let sign = if own.dot(&axis) < 0.0 { -1.0 } else { 1.0 };
            AxisAngle { degrees: tidy(before.degrees + sign * angle.to_degrees(), 1e-9), ..before }
        }
        Some((before, own)) if before.degrees != 0.0 => {
            let both = nalgebra::Rotation3::new(angle * axis) * nalgebra::Rotation3::new(before.degrees.to_radians() * own);
            let vector = both.scaled_axis();
            let axis = vector.try_normalize(1e-12).map_or(before.axis, |axis| point(axis, 1e-12));
            AxisAngle { axis, degrees: tidy(vector.norm().to_degrees(), 1e-9) }
        }
        _ => AxisAngle { axis: point(axis, 1e-12), degrees: tidy(angle.to_degrees(), 1e-9) },
    }
}
