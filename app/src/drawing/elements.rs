//! Some of the elements as pieces of their own.

use std::sync::Arc;

use aplomb_sim::math::Vec3;
use aplomb_sim::mesh::Cells;
use aplomb_sim::mesh::topology::Faces;

use crate::session::Model;

/// Some of the elements of a body, by vertices that count from its first node.
#[derive(Debug, PartialEq, Eq)]
pub struct BodyElements {
    /// Its place among the bodies.
    pub body: usize,
    /// Outside of those that are tets, and those that are triangles.
    pub triangles: Arc<[[u32; 3]]>,
    /// Those that are lines, or points.
    pub lines: Arc<[[u32; 2]]>,
}

/// Some of the elements, of each body that has any.
pub fn pieces(model: &Model, elements: &[u32]) -> Vec<BodyElements> {
    let of_body = |(index, body): (usize, &crate::session::ModelBody)| {
        let inside = || elements.iter().map(|&element| element as usize).filter(|element| body.elements.contains(element));
        let tets: Vec<[u32; 4]> = inside().filter_map(|element| body.mesh.tets().get(element - body.elements.start).copied()).collect();
        let lines: Arc<[[u32; 2]]> = inside().filter_map(|element| body.lines.get(element - body.elements.start).copied()).collect();
        let triangles: Arc<[[u32; 3]]> = match &body.mesh.cells {
            Cells::Triangles(cells) => inside().filter_map(|element| cells.get(element - body.elements.start).copied()).collect(),
            Cells::Tets(_) | Cells::Lines(_) | Cells::Points(_) => Faces::of(&tets).boundary(&tets).0.into(),
        };
        (!triangles.is_empty() || !lines.is_empty()).then_some(BodyElements { body: index, triangles, lines })
    };
    model.bodies.iter().enumerate().filter_map(of_body).collect()
}

/// The edges of closed triangles between `positions` [m], each once.
pub fn edges(triangles: &[[u32; 3]], positions: &[Vec3]) -> Arc<[[Vec3; 2]]> {
    let sides = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    // Each edge runs the other way in the triangle at its other side.
    sides.filter(|[a, b]| a < b).map(|side| side.map(|vertex| positions[vertex as usize])).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use aplomb_sim::scene_file::{self, gallery};
    use aplomb_sim::simulation::Simulation;
    use aplomb_sim::watch::Unwatched;

    use super::*;
    use crate::session::RunId;

    #[test]
    fn elements_of_cloth_are_pointed_out_by_their_triangles() {
        let path = gallery::find("fig10_book").unwrap().path();
        let scene = scene_file::load(&path).unwrap();
        let simulation = Simulation::build(&scene, path.parent().unwrap(), &Unwatched).unwrap();
        let model = Model::of(&simulation.system, &scene.obstacles, RunId::default());
        let found = pieces(&model, &[2, 3]);
        assert_eq!((found.len(), &found[0].triangles[..], found[0].lines.len()), (1, &model.bodies[0].triangles[2..4], 0));
    }
}
