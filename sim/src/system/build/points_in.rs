//! Material points that start in a body which they meet as a wall.

use super::Assembly;
use crate::math::Vec3;
use crate::mesh::body_mesh::Cells;
use crate::mesh::inside::Inside;
use crate::scene::{GridBodies, SceneProblem};
use crate::system::PlacedBody;
use crate::system::beside::is_of_points;

impl Assembly<'_> {
    /// Tells of bodies of tets with material points in them, deeper than where things that touch are found, where the two are to meet.
    pub(super) fn check_points_in_bodies(&mut self) {
        if self.scene.simulate.grid.bodies != GridBodies::OneWay {
            return;
        }
        let system = &self.system;
        let of_points = system.bodies.iter().filter(|body| is_of_points(body)).flat_map(|body| &system.positions[body.nodes.clone()]);
        let points: Vec<&Vec3> = of_points.collect();
        let allowed = system.diagonal * self.scene.contact.detection_distance;
        let is_solid = |body: &PlacedBody| matches!(body.mesh.cells, Cells::Tets(_)) && !points.is_empty();
        for (number, body) in system.beside_points().filter(|(_, body)| is_solid(body)) {
            let inside = Inside::new(&body.mesh.positions, &body.mesh.surface);
            let depth = |x: &&&Vec3| inside.distance(x, 0.0).map_or(0.0, |(value, _)| -value);
            let deep = points.iter().filter(|x| depth(x) > allowed);
            let (count, deepest) = deep.fold((0, 0.0_f64), |(count, deepest), x| (count + 1, deepest.max(depth(&x))));
            if count > 0 {
                let message =
                    format!("{count} material points start inside of it, up to {deepest:.3e} m deep; move the body or the points");
                self.problems.push(SceneProblem::at(format!("bodies[{number}].transform"), message));
            }
        }
    }
}
