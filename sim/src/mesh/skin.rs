//! [`Skin`]: the artist's surface, carried by the tets that fill it.

use crate::math::Vec3;

/// A surface embedded in tets: each of its vertices is a fixed mean of the corners of one tet, so that at the given shape it is the
/// artist's surface, and afterwards follows the body.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Skin {
    /// Vertices of the surface's file in the given shape [m]: all of them, in its order.
    pub positions: Vec<Vec3>,
    /// Triangles, as vertices of the skin.
    pub triangles: Vec<[u32; 3]>,
    /// The tet that carries each vertex.
    pub tets: Vec<u32>,
    /// Its barycentric coordinates there: they sum to 1; some are negative where the vertex lies outside of all tets.
    pub weights: Vec<[f64; 4]>,
}

impl Skin {
    /// The skin's vertices [m] when the corners of the `tets` are at `nodes` [m], into `out`.
    pub fn follow(&self, tets: &[[u32; 4]], nodes: &[Vec3], out: &mut Vec<Vec3>) {
        out.clear();
        out.extend(self.tets.iter().zip(&self.weights).map(|(&tet, weights)| {
            let corners = tets[tet as usize].map(|v| nodes[v as usize]);
            corners.iter().zip(weights).map(|(x, w)| *w * x).sum::<Vec3>()
        }));
    }
}
