//! [`Skin`]: the artist's surface, carried by the tets that fill it.

use std::iter::Sum;
use std::ops::Mul;

use rayon::prelude::*;

use super::closest::ClosestPoint;
use super::nearest::PointTree;
use super::tetrahedralise::fill::FillReport;
use crate::import::{Lists, Texture};
use crate::math::svd::svd;
use crate::math::{Mat3, Vec3, bounding_box};

/// Vertices that a thread carries at once.
const CHUNK: usize = 4096;
/// Triangles whose distances differ by less than this share of the skin's size are equally near: the tets' vertices are put on the
/// surface to a ten-millionth of a cell, so that of two faces at an edge either may be the nearer one by that much.
const NEAR: f64 = 1e-7;
/// A vertex that is farther from where its weights put it than this share of the size of the tets is far.
const FAR: f64 = 1e-10;

/// A surface embedded in tets: each of its vertices is a fixed mean of the corners of one tet, and where it lies far from all tets,
/// an arm that turns with the tet leads to it; so at the given shape it is the artist's surface, and afterwards follows the body.
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
    /// Vertices that the weights do not reach, ascending.
    pub far: Vec<Far>,
    /// For each vertex of the tets, its distance from the skin [m]; infinite for those inside.
    pub depths: Vec<f64>,
    /// How the tets were made.
    pub report: FillReport,
}

/// A vertex that lies farther from all tets than its weights reach.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Far {
    /// Which.
    pub vertex: u32,
    /// From where its weights put it to where it is, in the given shape [m].
    pub arm: Vec3,
    /// Inverse of the edges of its tet from the first corner, one a column, in the given shape [1/m].
    pub inverse_edges: Mat3,
}

impl Skin {
    /// Measures the arms of vertices that the weights do not reach, while the corners of the `tets` are at their places `nodes` [m] in
    /// the given shape, as the skin is at its `positions`.
    pub fn measure_arms(&mut self, tets: &[[u32; 4]], nodes: &[Vec3]) {
        self.far.clear();
        let mut reached = Vec::new();
        self.follow(tets, nodes, &mut reached);
        let (low, high) = bounding_box(nodes);
        let near = FAR * (high - low).norm();
        for (vertex, (x, reached)) in (0..).zip(self.positions.iter().zip(reached)) {
            let arm = x - reached;
            if arm.norm() > near {
                let corners = tets[self.tets[vertex as usize] as usize].map(|v| nodes[v as usize]);
                // That of a flat tet would not turn.
                let inverse_edges = edges(&corners).try_inverse().unwrap_or_else(Mat3::zeros);
                self.far.push(Far { vertex, arm, inverse_edges });
            }
        }
    }

    /// The skin's vertices [m] when the corners of the `tets` are at `nodes` [m], into `out`.
    pub fn follow(&self, tets: &[[u32; 4]], nodes: &[Vec3], out: &mut Vec<Vec3>) {
        self.carry(tets, nodes, out);
        for far in &self.far {
            // The rotation nearest to the deformation of the tet: however it is squeezed, the arm keeps its length.
            let corners = tets[self.tets[far.vertex as usize] as usize].map(|v| nodes[v as usize]);
            out[far.vertex as usize] += svd(&(edges(&corners) * far.inverse_edges)).rotation() * far.arm;
        }
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

    /// What the tets' vertices hold of a set of the skin's vertices that is marked in `painted`: those of which no other triangle is
    /// nearer than one with three painted corners, or, where the tets are too coarse for that to be any, those nearest to the
    /// painted vertices. `nodes`: the tets' vertices in the given shape [m].
    pub fn on_tets(&self, painted: &[bool], nodes: &[Vec3]) -> Vec<bool> {
        let is_painted = |corners: &[u32; 3]| corners.iter().all(|&v| painted[v as usize]);
        let triangles: Vec<[u32; 3]> = self.triangles.iter().copied().filter(is_painted).collect();
        let nearest = ClosestPoint::new(&self.positions, &triangles);
        let (low, high) = bounding_box(&self.positions);
        let slack = NEAR * (high - low).norm();
        let holds = |(x, &depth): (&Vec3, &f64)| depth.is_finite() && nearest.query(x).distance <= depth + slack;
        let mut held: Vec<bool> = nodes.par_iter().zip(&self.depths).with_min_len(256).map(holds).collect();
        if !held.contains(&true) && painted.contains(&true) {
            let surface = (0..).zip(&self.depths).filter(|(_, depth)| depth.is_finite());
            let tree = PointTree::new(surface.map(|(v, _): (u32, _)| (nodes[v as usize], v)).collect());
            for (x, _) in self.positions.iter().zip(painted).filter(|(_, painted)| **painted) {
                tree.nearest(x).into_iter().for_each(|v| held[v as usize] = true);
            }
        }
        held
    }
}

fn edges([a, b, c, d]: &[Vec3; 4]) -> Mat3 {
    Mat3::from_columns(&[b - a, c - a, d - a])
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use crate::math::random::Random;
    use crate::mesh::embedding::embed;
    use crate::mesh::structured::{CubeCut, box_mesh};
    use crate::watch::Unwatched;

    #[test]
    fn far_vertices_are_exact_at_rest_turn_with_the_body_and_keep_their_distance() {
        let (nodes, tets) = box_mesh(Vec3::repeat(0.1), [2, 2, 2], CubeCut::Five);
        let mut random = Random::new(9);
        let positions: Vec<Vec3> = (0..200).map(|_| random.vector(-3.0, 3.0)).collect();
        let (carriers, weights) = embed(&positions, &nodes, &tets, &Unwatched).unwrap();
        let mut skin = Skin { positions: positions.clone(), tets: carriers, weights, ..Skin::default() };
        skin.measure_arms(&tets, &nodes);
        assert!(skin.far.len() > 190 && skin.far.is_sorted_by_key(|far| far.vertex));
        let mut out = Vec::new();
        skin.follow(&tets, &nodes, &mut out);
        assert!(out.iter().zip(&positions).all(|(x, given)| (x - given).norm() < 1e-14));

        let (turn, by) = (random.rotation(), Vec3::new(3.0, -1.0, 2.0));
        let moved: Vec<Vec3> = nodes.iter().map(|x| turn * x + by).collect();
        skin.follow(&tets, &moved, &mut out);
        assert!(out.iter().zip(&positions).all(|(x, given)| (x - turn * given - by).norm() < 1e-13));

        // Squeezed flat, and beyond.
        for height in [1e-3, 0.0, -0.5] {
            let squeezed: Vec<Vec3> = nodes.iter().map(|x| Vec3::new(x.x, height * x.y, x.z)).collect();
            skin.follow(&tets, &squeezed, &mut out);
            assert!(out.iter().zip(&positions).all(|(x, given)| x.norm() < given.norm() + 1.0), "{height}");
        }
    }
}
