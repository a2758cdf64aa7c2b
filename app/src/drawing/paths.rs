//! Paths of prescribed motions.

use std::f64::consts::TAU;

use aplomb_sim::math::Vec3;
use aplomb_sim::scene::MotionSettings;
use aplomb_sim::system::Motion;

use crate::viewport::{ArrowDraw, ArrowKind};

/// Points of a path in a full turn, and in a whole path.
const A_TURN: f64 = 32.0;
const MOST: f64 = 600.0;
/// Largest arc of a turn in place [rad].
const ARC: f64 = 0.83 * TAU;

/// The path of what moves through `points` [m]: of its middle where it only goes, of its farthest point where it turns.
/// None where it stays.
pub fn path(settings: &MotionSettings, points: &[Vec3]) -> Option<ArrowDraw> {
    if points.is_empty() {
        return None;
    }
    let motion = Motion::new(settings, points);
    let turns = motion.poses.iter().any(|pose| pose.rotation != Vec3::zeros());
    let given = if turns { farthest(&motion, points) } else { middle(points) };
    let goes = motion.poses.windows(2).any(|pair| pair[0].translation != pair[1].translation);
    // What turns in its place is drawn as an arc that shows which way, however often it goes round.
    let mut left = if goes { f64::INFINITY } else { ARC };
    let mut times = vec![motion.poses.first()?.time];
    for pair in motion.poses.windows(2) {
        let angle = (pair[1].rotation - pair[0].rotation).norm();
        let share = if angle > left { left / angle } else { 1.0 };
        let pieces = (share * angle / TAU * A_TURN).ceil().clamp(1.0, MOST);
        times.extend((1..=pieces as usize).map(|k| pair[0].time + share * (pair[1].time - pair[0].time) * k as f64 / pieces));
        left -= angle;
        if left <= 0.0 {
            break;
        }
    }
    let points: Vec<Vec3> = times.iter().map(|&time| motion.displaced(&given, time)).collect();
    let moves = points.iter().any(|point| (point - points[0]).norm() > 0.0);
    moves.then_some(ArrowDraw { points, kind: ArrowKind::Motion, head: true })
}

/// The point that turning takes farthest.
fn farthest(motion: &Motion, points: &[Vec3]) -> Vec3 {
    let axis = motion.poses.iter().map(|pose| pose.rotation).find_map(|rotation| rotation.try_normalize(0.0)).unwrap_or_else(Vec3::y);
    let reach = |point: &Vec3| (point - motion.pivot).cross(&axis).norm();
    let best = points.iter().fold((f64::NEG_INFINITY, points[0]), |best, point| {
        let reach = reach(point);
        // By a margin, so that round-off does not choose among corners.
        if reach > best.0 * (1.0 + 1e-9) { (reach, *point) } else { best }
    });
    best.1
}

fn middle(points: &[Vec3]) -> Vec3 {
    let (low, high) = aplomb_sim::math::bounding_box(points);
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use aplomb_sim::scene::{AxisAngle, Keyframe};

    const SQUARE: [Vec3; 4] = [Vec3::new(-1.0, 0.0, 0.0), Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 2.0, 0.0), Vec3::new(0.0, -2.0, 0.0)];

    fn motion(translate: [f64; 3], degrees: f64) -> MotionSettings {
        let rotate = Some(AxisAngle { axis: [0.0, 0.0, 1.0], degrees });
        MotionSettings { pivot: None, keyframes: vec![Keyframe { time: 2.0, translate, rotate }] }
    }

    #[test]
    fn a_turn_is_an_arc_and_a_shift_a_line_from_the_middle() {
        let arc = path(&motion([0.0; 3], 90.0), &SQUARE).unwrap().points;
        assert!(arc.len() >= 9 && arc.iter().all(|point| (point.norm() - 2.0).abs() < 1e-12));
        assert!((arc[0] - arc[arc.len() - 1]).norm() > 2.8, "a quarter of a turn");
        let round = path(&motion([0.0; 3], 1440.0), &SQUARE).unwrap().points;
        assert!((round[0] - round[round.len() - 1]).norm() > 1.0, "an arc stays open however often it turns");
        let line = path(&motion([0.0, 3.0, 0.0], 0.0), &SQUARE).unwrap().points;
        assert_eq!(line, [Vec3::zeros(), Vec3::new(0.0, 3.0, 0.0)]);
        assert!(path(&motion([0.0; 3], 0.0), &SQUARE).is_none());
        assert!(path(&motion([0.0, 1.0, 0.0], 0.0), &[]).is_none());
    }
}
