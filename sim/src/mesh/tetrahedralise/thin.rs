//! Where a solid is thinner than its tets.

use super::boundary::faces;
use super::solid::Solid;
use crate::math::Vec3;
use crate::mesh::closest::nearest;
use crate::mesh::triangle_tree::TriangleTree;
use crate::watch::{Cancelled, Watch};

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

/// Triangles of a solid looked at, about.
const SAMPLES: usize = 8192;
/// Pieces of all surfaces looked at; no more than so many of one, and no fewer.
const PIECES: (usize, usize, usize) = (20_000, 1000, 50);

/// What was seen of the surfaces of some solids.
#[derive(Debug, Clone, Copy, Default)]
pub struct Seen {
    /// Areas [m^2]: all, thin, lost.
    areas: [f64; 3],
    /// Distance of the place that is farthest from the tets [m], and the place.
    farthest: Option<(f64, Vec3)>,
}

impl Seen {
    /// Looks at a solid, one of `solids`, filled with tets of about the size `cell` [m]; or with none, so that all of it is lost.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn add(
        &mut self,
        solid: &Solid,
        solids: usize,
        cell: f64,
        positions: &[Vec3],
        tets: &[[u32; 4]],
        watch: &dyn Watch,
    ) -> Result<(), Cancelled> {
        let pieces = (PIECES.0 / solids).clamp(PIECES.2, PIECES.1) as f64;
        let tree = TriangleTree::new(positions, &faces(tets));
        let samples = solid.sample(solid.triangles().div_ceil(SAMPLES), pieces, watch, |p, normal| {
            let is_thin = solid.winding(&(p - cell * normal)) < 0.5;
            let far = nearest(&tree, p, f64::INFINITY).map_or(f64::INFINITY, |hit| hit.distance);
            (*p, is_thin, far)
        })?;
        for (area, (p, is_thin, far)) in samples {
            let is_lost = far > 0.5 * cell;
            let [all, thin, lost] = &mut self.areas;
            *all += area;
            *thin += if is_thin { area } else { 0.0 };
            *lost += if is_lost { area } else { 0.0 };
            if is_lost && self.farthest.is_none_or(|(most, _)| far > most) {
                self.farthest = Some((far, p));
            }
        }
        Ok(())
    }

    /// As shares of all that was seen.
    pub fn shares(&self) -> Thin {
        let [all, thin, lost] = self.areas;
        if all > 0.0 { Thin { share: thin / all, lost: lost / all, at: self.farthest.map(|(_, p)| p.into()) } } else { Thin::default() }
    }
}
