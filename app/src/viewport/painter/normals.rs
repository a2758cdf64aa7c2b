//! Smooth normals of a moving surface, made anew for each frame.

use aplomb_sim::math::Vec3;
use rayon::prelude::*;
use three_d::{InnerSpace, vec3};

/// Which corners of triangles meet at each vertex: made once a mesh, so that normals can be gathered in parallel and in
/// a fixed order.
pub(super) struct Fans {
    starts: Vec<u32>,
    triangles: Vec<u32>,
}

impl Fans {
    /// Of `vertices` vertices.
    pub fn new(triangles: &[[u32; 3]], vertices: usize) -> Self {
        let mut starts = vec![0; vertices + 1];
        for &vertex in triangles.as_flattened() {
            starts[vertex as usize + 1] += 1;
        }
        for v in 0..vertices {
            starts[v + 1] += starts[v];
        }
        let mut next = starts.clone();
        let mut around = vec![0; 3 * triangles.len()];
        for (corner, &vertex) in triangles.as_flattened().iter().enumerate() {
            around[next[vertex as usize] as usize] = (corner / 3) as u32;
            next[vertex as usize] += 1;
        }
        Self { starts, triangles: around }
    }

    /// Unit normals: the mean over the triangles around a vertex, weighted by area. Zero where no triangle is.
    pub fn normals(&self, positions: &[three_d::Vec3], triangles: &[[u32; 3]]) -> Vec<three_d::Vec3> {
        let area = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|v| positions[v as usize]);
            (b - a).cross(c - a)
        };
        let areas: Vec<_> = triangles.par_iter().with_min_len(1024).map(area).collect();
        let normal = |v: usize| {
            let around = &self.triangles[self.starts[v] as usize..self.starts[v + 1] as usize];
            let sum = around.iter().fold(vec3(0.0, 0.0, 0.0), |sum, &t| sum + areas[t as usize]);
            let length = sum.magnitude();
            if length > 0.0 { sum / length } else { sum }
        };
        (0..positions.len()).into_par_iter().with_min_len(1024).map(normal).collect()
    }
}

/// Positions relative to `origin`, rounded only then.
pub(super) fn relative(positions: &[Vec3], origin: &Vec3) -> Vec<three_d::Vec3> {
    positions.par_iter().with_min_len(1024).map(|p| to_f32(&(p - origin))).collect()
}

/// Rounds to what the graphics card reads.
pub(super) fn to_f32(v: &Vec3) -> three_d::Vec3 {
    vec3(v.x as f32, v.y as f32, v.z as f32)
}
