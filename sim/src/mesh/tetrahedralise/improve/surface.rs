//! The boundary as a place to slide on.

use rayon::prelude::*;

use super::super::boundary;
use crate::math::{Vec3, across};

/// A vertex farther from the surface than this share of its edges was never put on it, and stays.
const NEAR: f64 = 0.02;
/// Least cosine between the normals of a triangle of the boundary before and after one move.
const TURN: f64 = 0.9;

/// The boundary of the mesh, and what it approximates.
pub struct Surface<'a> {
    /// Where the triangles around vertex v begin: `starts[v]..starts[v + 1]`; none for a vertex inside.
    starts: Vec<u32>,
    /// The edge opposite to the vertex, in the triangle's direction.
    rims: Vec<[u32; 2]>,
    /// Whether a vertex lies on the surface.
    on: Vec<bool>,
    project: &'a (dyn Fn(&Vec3) -> Vec3 + Sync),
}

impl<'a> Surface<'a> {
    /// The boundary of `tets`.
    pub fn new(positions: &[Vec3], tets: &[[u32; 4]], project: &'a (dyn Fn(&Vec3) -> Vec3 + Sync)) -> Self {
        let faces = boundary::faces(tets);
        let mut starts = vec![0_u32; positions.len() + 1];
        faces.iter().flatten().for_each(|&v| starts[v as usize + 1] += 1);
        for v in 0..positions.len() {
            starts[v + 1] += starts[v];
        }
        let mut next = starts.clone();
        let mut rims = vec![[0; 2]; 3 * faces.len()];
        for &[a, b, c] in &faces {
            for (v, rim) in [(a, [b, c]), (b, [c, a]), (c, [a, b])] {
                rims[next[v as usize] as usize] = rim;
                next[v as usize] += 1;
            }
        }
        let mut surface = Self { starts, rims, on: Vec::new(), project };
        surface.on = (0..positions.len())
            .into_par_iter()
            .with_min_len(64)
            .map(|v| {
                let x = positions[v];
                let rim = surface.rim(v as u32);
                let edge = rim.iter().map(|r| (positions[r[0] as usize] - x).norm_squared()).sum::<f64>() / rim.len().max(1) as f64;
                !rim.is_empty() && ((surface.project)(&x) - x).norm_squared() <= NEAR * NEAR * edge
            })
            .collect();
        surface
    }

    /// The triangles around `v`, each by its edge opposite to `v`.
    fn rim(&self, v: u32) -> &[[u32; 2]] {
        &self.rims[self.starts[v as usize] as usize..self.starts[v as usize + 1] as usize]
    }

    /// Whether `v` lies inside and moves freely.
    pub fn is_inside(&self, v: u32) -> bool {
        self.rim(v).is_empty()
    }

    /// Two unit vectors along the surface at `v`, if it lies there.
    pub fn tangents(&self, positions: &[Vec3], v: u32) -> Option<[Vec3; 2]> {
        if !self.on[v as usize] {
            return None;
        }
        let x = positions[v as usize];
        let normal: Vec3 = self.rim(v).iter().map(|r| triangle(positions, x, r)).sum();
        let normal = normal.try_normalize(0.0)?;
        let first = across(&normal);
        Some([first, normal.cross(&first)])
    }

    /// Where `v` comes to lie when it moves by `step` along the surface; `None` where the projection leaps or a triangle
    /// of the boundary would turn too far.
    pub fn slide(&self, positions: &[Vec3], v: u32, step: &Vec3) -> Option<Vec3> {
        let x = positions[v as usize];
        let to = (self.project)(&(x + step));
        let leap = (to - x - step).norm_squared() > 0.25 * step.norm_squared();
        // NaN, too, is no place to go.
        if leap || !to.iter().all(|c| c.is_finite()) {
            return None;
        }
        let turns = self.rim(v).iter().any(|r| {
            let (old, new) = (triangle(positions, x, r), triangle(positions, to, r));
            old.dot(&new) < TURN * old.norm() * new.norm()
        });
        (!turns).then_some(to)
    }
}

/// Twice the area of a triangle times its normal.
fn triangle(positions: &[Vec3], x: Vec3, &[a, b]: &[u32; 2]) -> Vec3 {
    (positions[a as usize] - x).cross(&(positions[b as usize] - x))
}
