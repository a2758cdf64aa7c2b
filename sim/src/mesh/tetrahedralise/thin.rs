//! Where a solid is thinner than its tets.

use super::boundary::faces;
use super::solid::Solid;
use crate::math::Vec3;
use crate::mesh::closest::nearest;
use crate::mesh::triangle_tree::TriangleTree;

/// What coarse tets make of the thin parts of a solid.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize)]
pub struct Thin {
    /// Share of the surface under which the solid is thinner than one cell: it bends more stiffly there than it should.
    pub share: f64,
    /// Share of the surface that is farther than half a cell from the tets: what was there is lost.
    pub lost: f64,
    /// The place of the surface that is farthest from the tets [m], if some of it is lost.
    pub at: Option<[f64; 3]>,
}

/// Triangles looked at, about.
const SAMPLES: usize = 8192;

/// Looks at a solid filled with tets of about the size `cell` [m].
pub fn thin(solid: &Solid, cell: f64, positions: &[Vec3], tets: &[[u32; 4]]) -> Thin {
    let tree = TriangleTree::new(positions, &faces(tets));
    let samples = solid.sample(solid.triangles().div_ceil(SAMPLES), |p, normal| {
        let is_thin = solid.winding(&(p - cell * normal)) < 0.5;
        let far = nearest(&tree, p, f64::INFINITY).map_or(0.0, |hit| hit.distance);
        (*p, is_thin, far)
    });
    let (mut thin, mut lost, mut total) = (0.0, 0.0, 0.0);
    let mut farthest = (0.5 * cell, None);
    for (area, (p, is_thin, far)) in samples {
        total += area;
        thin += if is_thin { area } else { 0.0 };
        lost += if far > 0.5 * cell { area } else { 0.0 };
        if far > farthest.0 {
            farthest = (far, Some([p.x, p.y, p.z]));
        }
    }
    Thin { share: thin / total, lost: lost / total, at: farthest.1 }
}
