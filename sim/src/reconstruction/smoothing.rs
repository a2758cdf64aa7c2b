//! Smoothing without loss of volume (Taubin 1995): a step of Laplace's equation, and a slightly larger one back, pass what varies slowly and
//! take out what differs from vertex to vertex. Drops of a few points are not smoothed, as little would be left of them (after Löschner et al. 2023,
//! who weigh by neighbours too).

use rayon::prelude::*;

use super::Carriers;
use crate::math::Vec3;

/// The step forward.
const FORWARD: f64 = 0.5;
/// The frequency, in units of that of vertices that alternate (2), below which shapes pass.
const PASS: f64 = 0.05;
/// Pairs of steps.
const PAIRS: usize = 25;

/// Points at a vertex from which on it is smoothed fully.
const MANY: f64 = 5.0;

/// Moves the vertices of a closed surface around the points of `carriers`.
pub fn smooth(positions: &mut Vec<Vec3>, triangles: &[[u32; 3]], carriers: &Carriers) {
    let around = Around::of(positions.len(), triangles);
    // 1 / forward + 1 / back = PASS.
    let back = 1.0 / (PASS - 1.0 / FORWARD);
    let weight = |vertex| ((carriers.at(vertex).len() as f64 - 1.0) / (MANY - 1.0)).clamp(0.0, 1.0);
    let weights: Vec<f64> = (0..positions.len()).map(weight).collect();
    let mut moved = vec![Vec3::zeros(); positions.len()];
    for step in [FORWARD, back].repeat(PAIRS) {
        moved.par_iter_mut().enumerate().for_each(|(vertex, moved)| {
            let (here, others) = (positions[vertex], around.of_vertex(vertex));
            let sum: Vec3 = others.iter().map(|&other| positions[other as usize] - here).sum();
            *moved = here + sum * (weights[vertex] * step / others.len().max(1) as f64);
        });
        std::mem::swap(positions, &mut moved);
    }
}

/// The vertices that share an edge with each.
struct Around {
    ends: Vec<u32>,
    others: Vec<u32>,
}

impl Around {
    /// Each edge of a closed surface is passed once either way, so that it is told at both of its ends.
    fn of(vertices: usize, triangles: &[[u32; 3]]) -> Self {
        let edges = || triangles.iter().flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]);
        let mut ends = vec![0; vertices + 1];
        edges().for_each(|(a, _)| ends[a as usize + 1] += 1);
        (0..vertices).for_each(|v| ends[v + 1] += ends[v]);
        let (mut next, mut others) = (ends.clone(), vec![0; 3 * triangles.len()]);
        for (a, b) in edges() {
            others[next[a as usize] as usize] = b;
            next[a as usize] += 1;
        }
        Self { ends, others }
    }

    fn of_vertex(&self, vertex: usize) -> &[u32] {
        &self.others[self.ends[vertex] as usize..self.ends[vertex + 1] as usize]
    }
}
