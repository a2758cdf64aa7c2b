//! Some of the elements as solid pieces.

use std::sync::Arc;

use aplomb_sim::math::Vec3;
use aplomb_sim::mesh::topology::Faces;

use crate::session::Model;

/// The outsides of some of the elements, of each body that has any: its place among the bodies, and triangles counted from
/// its first node.
pub fn pieces(model: &Model, elements: &[u32]) -> Vec<(usize, Arc<[[u32; 3]]>)> {
    let of_body = |(index, body): (usize, &crate::session::ModelBody)| {
        let inside = elements.iter().map(|&element| element as usize).filter(|element| body.elements.contains(element));
        let tets: Vec<[u32; 4]> = inside.filter_map(|element| body.mesh.tets().get(element - body.elements.start).copied()).collect();
        (!tets.is_empty()).then(|| (index, Faces::of(&tets).boundary(&tets).0.into()))
    };
    model.bodies.iter().enumerate().filter_map(of_body).collect()
}

/// The edges of closed triangles between `positions` [m], each once.
pub fn edges(triangles: &[[u32; 3]], positions: &[Vec3]) -> Arc<[[Vec3; 2]]> {
    let sides = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    // Each edge runs the other way in the triangle at its other side.
    sides.filter(|[a, b]| a < b).map(|side| side.map(|vertex| positions[vertex as usize])).collect()
}
