//! A scene as a picture of one moment.

use std::sync::Arc;

use aplomb_sim::scene::Scene;

use super::{Authored, Obstacles, Tints, is_away};
use crate::session::{Model, ModelBody, Snapshot};
use crate::viewport::{BodyColor, BodyDraw, DrawList};

/// The bodies that are there, obstacles, supports and water; `color` of a body by its place in the scene, with the tints of its regions
/// if `tinted`.
pub fn still(scene: &Scene, model: &Model, snapshot: &Snapshot, tinted: bool, color: impl Fn(usize, &ModelBody) -> BodyColor) -> DrawList {
    let tints: Vec<_> = scene.bodies.iter().zip(&model.bodies).map(|(body, of)| Tints::of(body, of, false, |_| true)).collect();
    let tints = |index: usize| tints.get(index).filter(|_| tinted);
    let bodies = scene.bodies.iter().zip(&model.bodies).enumerate().filter(|(_, (body, _))| !is_away(body, scene, snapshot.time));
    let bodies = bodies.map(|(index, (_, body))| BodyDraw {
        positions: body.surface(&snapshot.positions, false),
        triangles: body.surface_triangles(false).clone(),
        lines: Arc::clone(&body.lines),
        radius: body.mesh.radius,
        face_tint: tints(index).map(|tints| Arc::clone(&tints.faces)),
        vertex_tint: tints(index).map(|tints| Arc::clone(&tints.vertices)),
        color: color(index, body),
        ..BodyDraw::default()
    });
    let authored = Authored::of(scene, model);
    DrawList {
        bodies: bodies.collect(),
        obstacles: Obstacles::of(scene, Some(model)).draw(scene, Some(model), Some(snapshot), None),
        supports: authored.supports(snapshot, |b, r| tints(b).and_then(|tints| tints.seen.get(r)).is_some_and(|seen| *seen)),
        lines: authored.water().to_vec(),
        ..DrawList::default()
    }
}
