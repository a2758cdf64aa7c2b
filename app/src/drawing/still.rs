//! A scene as a picture of one moment.

use std::sync::Arc;

use aplomb_sim::scene::Scene;

use super::{Authored, Obstacles, Tints, attachments, is_away};
use crate::session::{Model, ModelBody, Snapshot};
use crate::viewport::{BodyColor, BodyDraw, DrawList};

/// The bodies that are there, obstacles, supports, water, seams and springs between bodies; `color` of a body by its place in the scene, with the tints of its regions
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
        hairs: body.mesh.hairs.clone(),
        face_tint: tints(index).map(|tints| Arc::clone(&tints.faces)),
        vertex_tint: tints(index).map(|tints| Arc::clone(&tints.vertices)),
        color: color(index, body),
        ..BodyDraw::default()
    });
    let authored = Authored::of(scene, model);
    let mut lines = authored.water().to_vec();
    lines.extend(attachments(model, &snapshot.positions));
    lines.extend(authored.seams(&snapshot.positions));
    DrawList {
        bodies: bodies.collect(),
        obstacles: Obstacles::of(scene, Some(model)).draw(scene, Some(model), Some(snapshot), None),
        supports: authored.supports(snapshot, |b, r| tints(b).and_then(|tints| tints.seen.get(r)).is_some_and(|seen| *seen)),
        lines,
        ..DrawList::default()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use aplomb_sim::scene_file::{self, gallery};
    use aplomb_sim::simulation::Simulation;
    use aplomb_sim::watch::Unwatched;

    use super::*;
    use crate::session::RunId;
    use crate::viewport::LineKind;

    #[test]
    fn what_is_sewn_and_what_is_tied_is_in_the_picture() {
        for (name, kind) in [("garment", LineKind::Seam), ("spring_and_jelly", LineKind::Attachment), ("hanging_beam", LineKind::Wire)] {
            let path = gallery::find(name).unwrap().path();
            let scene = scene_file::load(&path).unwrap();
            let mut simulation = Simulation::build(&scene, path.parent().unwrap(), &Unwatched).unwrap();
            let model = Model::of(&simulation.system, &scene.obstacles, RunId::default());
            let snapshot = model.snapshot(&mut simulation, 0);
            let list = still(&scene, &model, &snapshot, true, |index, _| BodyColor::Clay(index));
            let kinds: Vec<LineKind> = list.lines.iter().map(|lines| lines.kind).collect();
            assert_eq!(kinds, if name == "hanging_beam" { vec![] } else { vec![kind] }, "{name}");
        }
    }
}
