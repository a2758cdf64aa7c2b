//! Placing by hand: what a drag, a typed number or a drop to the ground makes of a scene.

mod body;
mod drop;
mod motion;
mod obstacle;

use aplomb_sim::math::{Mat3, Vec3};
use aplomb_sim::scene::{RegionRole, Scene};

use crate::session::Model;
use crate::viewport::handles::{Change, about};
pub use drop::dropped;
pub use motion::{Mover, add_key, key_at, keyed, motion_mut, motion_of, pose_at};
pub use obstacle::{axes_of, middle_of};

/// What is placed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Target {
    /// A body.
    Body(usize),
    /// An obstacle.
    Obstacle(usize),
    /// Where something that moves has got to at a time [s]: the keyframe there, or a new one.
    Key(Mover, f64),
    /// The direction of the wind.
    Wind,
    /// The direction of the traction of a region of a body.
    Force(usize, usize),
    /// The plane that a region of a body slides along.
    Slide(usize, usize),
}

impl Target {
    /// Whether it only has a direction.
    pub fn is_direction(self) -> bool {
        matches!(self, Self::Wind | Self::Force(..) | Self::Slide(..))
    }
}

/// `scene` with all targets changed. `model`: what was made of the scene, by which regions that are places become vertices where a
/// place cannot be turned.
pub fn placed(scene: &Scene, targets: &[Target], change: &Change, model: Option<&Model>) -> Scene {
    let mut scene = scene.clone();
    for target in targets {
        place(&mut scene, *target, change, model);
    }
    scene
}

fn place(scene: &mut Scene, target: Target, change: &Change, model: Option<&Model>) {
    match target {
        Target::Body(b) => {
            if let Some(body) = scene.bodies.get_mut(b) {
                body::place(body, change, model.and_then(|model| model.bodies.get(b)));
            }
        }
        Target::Obstacle(o) => {
            if let Some(obstacle) = scene.obstacles.get_mut(o) {
                obstacle::place(obstacle, change);
            }
        }
        Target::Key(mover, time) => {
            if let Some(motion) = motion_mut(scene, mover) {
                motion::place(motion, time, change);
            }
        }
        Target::Wind => {
            if let Some(wind) = &mut scene.wind {
                wind.velocity = turned(wind.velocity, change);
            }
        }
        Target::Force(b, r) => {
            if let Some(RegionRole::Traction { force, .. }) = role(scene, b, r) {
                *force = turned(*force, change);
            }
        }
        Target::Slide(b, r) => {
            if let Some(RegionRole::Dirichlet { slip: Some(normal), .. }) = role(scene, b, r) {
                *normal = turned(*normal, change);
            }
        }
    }
}

fn role(scene: &mut Scene, body: usize, region: usize) -> Option<&mut RegionRole> {
    Some(&mut scene.bodies.get_mut(body)?.regions.get_mut(region)?.role)
}

/// A direction, turned; its length stays.
fn turned(direction: [f64; 3], change: &Change) -> [f64; 3] {
    let length = Vec3::from(direction).norm();
    point(change.rotation() * Vec3::from(direction), 1e-12 * length)
}

/// The rotation after another as angles about x, then y, then z [degrees].
fn angles(rotation: &Mat3) -> [f64; 3] {
    let (x, y, z) = nalgebra::Rotation3::from_matrix_unchecked(*rotation).euler_angles();
    [x, y, z].map(|angle| tidy(angle.to_degrees(), 1e-9))
}

/// A place in the scene's limits, without the digits that only round-off has put there, which are below `grain`.
fn point(at: Vec3, grain: f64) -> [f64; 3] {
    <[f64; 3]>::from(at).map(|x| tidy(x.clamp(-1e6, 1e6), grain))
}

/// `value` to the power of ten below `grain`.
fn tidy(value: f64, grain: f64) -> f64 {
    let steps = 10.0_f64.powf(-grain.max(1e-15).log10().floor());
    let rounded = (value * steps).round() / steps;
    // No minus before nothing.
    if rounded.is_finite() { rounded + 0.0 } else { value }
}

/// A length of a scene of this size: larger than nothing, and without the digits of round-off.
fn length(value: f64) -> f64 {
    let value = value.clamp(1e-9, 1e6);
    let steps = 10.0_f64.powf(12.0 - value.log10().floor());
    (value * steps).round() / steps
}

/// Axes with a body's own: by its rotation.
pub fn axes_of_body(scene: &Scene, body: usize) -> Mat3 {
    scene.bodies.get(body).map_or_else(Mat3::identity, |body| aplomb_sim::math::rotation(body.transform.rotate_degrees))
}

/// Axes of a direction of the scene: the second is along it.
pub fn axes_along(direction: [f64; 3]) -> Mat3 {
    about(direction.into())
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
