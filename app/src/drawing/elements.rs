//! Some of the elements as pieces of their own.

use std::sync::Arc;

use aplomb_sim::math::Vec3;
use aplomb_sim::mesh::topology::Faces;

use crate::session::Model;

/// Some of the elements of a body, by vertices that count from its first node.
#[derive(Debug, PartialEq, Eq)]
pub struct BodyElements {
    /// Its place among the bodies.
    pub body: usize,
    /// Outside of those that are tets.
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
        let triangles = Faces::of(&tets).boundary(&tets).0.into();
        (!tets.is_empty() || !lines.is_empty()).then_some(BodyElements { body: index, triangles, lines })
    };
    model.bodies.iter().enumerate().filter_map(of_body).collect()
}

/// The edges of closed triangles between `positions` [m], each once.
pub fn edges(triangles: &[[u32; 3]], positions: &[Vec3]) -> Arc<[[Vec3; 2]]> {
    let sides = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    // Each edge runs the other way in the triangle at its other side.
    sides.filter(|[a, b]| a < b).map(|side| side.map(|vertex| positions[vertex as usize])).collect()
}
