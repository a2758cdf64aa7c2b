//! How bodies set out: an arrow along the velocity, an arc around the axis of spin.

use std::f64::consts::TAU;

use aplomb_sim::math::{Vec3, across, bounding_box};
use aplomb_sim::scene::Scene;

use super::mean;
use crate::session::Model;
use crate::viewport::{ArrowDraw, ArrowKind};

/// Points of the arc of a spin, and the share of a turn that it takes.
const POINTS: usize = 40;
const SHARE: f64 = 0.8;

/// The arrows of all bodies; the fastest sets out with the longest.
pub fn arrows(scene: &Scene, model: &Model) -> Vec<ArrowDraw> {
    let fastest = scene.bodies.iter().map(|body| Vec3::from(body.velocity).norm()).fold(0.0, f64::max);
    let mut arrows = Vec::new();
    let draw = |points, head| ArrowDraw { points, kind: ArrowKind::Velocity, head };
    for (body, of) in scene.bodies.iter().zip(&model.bodies) {
        let points = &model.positions[of.nodes.clone()];
        let middle = mean(&model.positions, of.nodes.clone());
        let (low, high) = bounding_box(points);
        let radius = 0.5 * (high - low).norm();
        let (velocity, spin) = (Vec3::from(body.velocity), Vec3::from(body.spin));
        if let Some(direction) = velocity.try_normalize(0.0) {
            let length = radius * (0.8 + 0.8 * velocity.norm() / fastest);
            arrows.push(draw(vec![middle, middle + length * direction], true));
        }
        if let Some(axis) = spin.try_normalize(0.0) {
            let u = 0.75 * radius * across(&axis);
            let v = axis.cross(&u);
            let at = |k: usize| (SHARE * TAU * k as f64 / POINTS as f64).sin_cos();
            let arc = (0..=POINTS).map(at).map(|(sin, cos)| middle + cos * u + sin * v);
            arrows.push(draw(arc.collect(), true));
            arrows.push(draw(vec![middle - 0.9 * radius * axis, middle + 0.9 * radius * axis], false));
        }
    }
    arrows
}
