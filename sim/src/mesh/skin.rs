//! [`Skin`]: the artist's surface, carried by the tets that fill it.

use std::iter::Sum;
use std::ops::Mul;

use rayon::prelude::*;

use super::nearest::PointTree;
use super::tetrahedralise::fill::FillReport;
use crate::import::{Lists, Texture};
use crate::math::Vec3;

/// Vertices that a thread carries at once.
const CHUNK: usize = 4096;

/// A surface embedded in tets: each of its vertices is a fixed mean of the corners of one tet, so that at the given shape it is the
/// artist's surface, and afterwards follows the body.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Skin {
    /// Vertices of the surface's file in the given shape [m]: all of them, in its order.
    pub positions: Vec<Vec3>,
    /// Triangles, as vertices of the skin.
    pub triangles: Vec<[u32; 3]>,
    /// The file's faces that the triangles were cut from, where any has more than three corners; none otherwise.
    pub polygons: Lists,
    /// Texture points of the corners of the triangles; empty where the file has none.
    pub texture: Texture,
    /// The tet that carries each vertex.
    pub tets: Vec<u32>,
    /// Its barycentric coordinates there: they sum to 1; some are negative where the vertex lies outside of all tets.
    pub weights: Vec<[f64; 4]>,
    /// For each vertex of the tets, the nearest triangle of the skin; `u32::MAX` for those inside.
    pub under: Vec<u32>,
    /// How the tets were made.
    pub report: FillReport,
}

impl Skin {
    /// The skin's vertices [m] when the corners of the `tets` are at `nodes` [m], into `out`.
    pub fn follow(&self, tets: &[[u32; 4]], nodes: &[Vec3], out: &mut Vec<Vec3>) {
        self.carry(tets, nodes, out);
    }

    /// What the skin's vertices have of `values` at the corners of the `tets`, into `out`.
    pub fn carry<T>(&self, tets: &[[u32; 4]], values: &[T], out: &mut Vec<T>)
    where
        T: Copy + Send + Sync + Sum + Mul<f64, Output = T>,
    {
        let mean = |(&tet, weights): (&u32, &[f64; 4])| {
            let corners = tets[tet as usize].map(|v| values[v as usize]);
            corners.into_iter().zip(weights).map(|(value, weight)| value * *weight).sum()
        };
        self.tets.par_iter().zip(&self.weights).with_min_len(CHUNK).map(mean).collect_into_vec(out);
    }

    /// What the tets' vertices hold of a set of the skin's vertices that is marked in `painted`: those under a triangle with
    /// three painted corners, or, where the tets are too coarse for that to be any, those nearest to the painted vertices.
    /// `nodes`: the tets' vertices in the given shape [m].
    pub fn on_tets(&self, painted: &[bool], nodes: &[Vec3]) -> Vec<bool> {
        let is_painted = |t: &u32| self.triangles.get(*t as usize).is_some_and(|corners| corners.iter().all(|&v| painted[v as usize]));
        let mut held: Vec<bool> = self.under.iter().map(is_painted).collect();
        if !held.contains(&true) && painted.contains(&true) {
            let surface = (0..).zip(&self.under).filter(|(_, t)| **t != u32::MAX);
            let tree = PointTree::new(surface.map(|(v, _): (u32, _)| (nodes[v as usize], v)).collect());
            for (x, _) in self.positions.iter().zip(painted).filter(|(_, painted)| **painted) {
                tree.nearest(x).into_iter().for_each(|v| held[v as usize] = true);
            }
        }
        held
    }
}
