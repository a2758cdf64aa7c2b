//! Some of the elements as solid pieces.

use std::sync::Arc;

use aplomb_sim::mesh::topology::Faces;

use crate::session::Model;

/// The outsides of some of the elements, of each body that has any: its place among the bodies, and triangles counted from
/// its first node.
pub fn pieces(model: &Model, elements: &[u32]) -> Vec<(usize, Arc<[[u32; 3]]>)> {
    let of_body = |(index, body): (usize, &crate::session::ModelBody)| {
        let inside = elements.iter().map(|&element| element as usize).filter(|element| body.elements.contains(element));
        let tets: Vec<[u32; 4]> = inside.filter_map(|element| body.mesh.tets.get(element - body.elements.start).copied()).collect();
        (!tets.is_empty()).then(|| (index, Faces::of(&tets).boundary(&tets).0.into()))
    };
    model.bodies.iter().enumerate().filter_map(of_body).collect()
}
