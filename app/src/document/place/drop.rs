//! Down to what lies below, and not into it.

use aplomb_sim::contact::clear::until_nothing_is_left;
use aplomb_sim::contact::distance::placed as distance;
use aplomb_sim::math::Vec3;
use aplomb_sim::scene::{Scene, Shape};

use super::{Target, placed};
use crate::viewport::handles::{Change, Frame};

/// `scene` with `targets` moved along gravity until the first of `points` [m] is `gap` above an obstacle that is not one of them, or above
/// the height 0 where there is none below. What is in the ground comes out of it. `None` where gravity has no direction, nothing lies below, or there is nothing to move.
pub fn dropped(scene: &Scene, targets: &[Target], points: &[Vec3], gap: f64) -> Option<Scene> {
    let down = Vec3::from(scene.gravity).try_normalize(1e-9)?;
    let solid: Vec<_> = scene
        .obstacles
        .iter()
        .enumerate()
        .filter(|(o, obstacle)| !targets.contains(&Target::Obstacle(*o)) && !obstacle.is_surface())
        .map(|(_, obstacle)| distance(&obstacle.shape))
        .collect();
    let away = |by: f64| {
        let at = |point: &Vec3| point + by * down;
        let least = |point: &Vec3| solid.iter().map(|shape| shape.distance(&at(point)).value).fold(f64::INFINITY, f64::min);
        points.iter().map(least).fold(f64::INFINITY, f64::min)
    };
    let floor = scene.obstacles.iter().any(|obstacle| matches!(obstacle.shape, Shape::HalfSpace { .. }));
    // Without a floor, the height 0 is one.
    let to_zero = points.iter().map(|point| -point.dot(&down)).fold(f64::INFINITY, f64::min);
    let rest = |by: f64| if floor { away(by) } else { away(by).min(to_zero - by) } - gap;
    let by = until_nothing_is_left(rest)?;
    let frame = Frame { pivot: Vec3::zeros(), axes: aplomb_sim::math::Mat3::identity() };
    (!points.is_empty()).then(|| placed(scene, targets, &Change { translate: by * down, ..Change::still(frame) }, None))
}
