//! Symmetry: what is painted on one side of a body is painted on the other one too, mirrored in the middle of the body.

use std::sync::Arc;

use aplomb_sim::math::{Mat3, Vec3};
use aplomb_sim::mesh::closest::{ClosestPoint, shares};
use rayon::prelude::*;

use super::painted::Painted;
use crate::session::ModelBody;

/// Share of a vertex's image that must be painted for the vertex to be.
const SHARE: f32 = 0.5;

/// Where the mirror images of the vertices of a body lie on its surface, across one plane.
#[derive(Debug)]
pub struct OtherSide {
    /// For each vertex, the corners of the triangle that its image lies on and their shares; none where it lies on nothing.
    images: Vec<Option<([u32; 3], [f32; 3])>>,
    /// The vertices whose images lie between v and others: `near[start[v]..start[v + 1]]`.
    start: Vec<u32>,
    near: Vec<u32>,
}

impl OtherSide {
    /// Of the given shape of `body`, whose own axes `rotation` turned: in the plane across `axis` of them, in the middle. An image that is
    /// farther from the surface than the longest edge there lies on nothing.
    pub fn of(body: &ModelBody, rotation: &Mat3, axis: usize) -> Self {
        let painted = Painted::of(body);
        let count = painted.positions.len();
        let seen = painted.seen();
        let normal: Vec3 = rotation.column(axis).into_owned();
        let along = painted.positions.iter().zip(&seen).filter(|(_, seen)| **seen).map(|(p, _)| p.dot(&normal));
        let (low, high) = along.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), at| (low.min(at), high.max(at)));
        let middle = 0.5 * (low + high);
        // Lines and points are triangles without area.
        let flat = painted.lines.iter().map(|&[a, b]| [a, b, b]);
        let triangles: Vec<[u32; 3]> = painted.triangles.iter().copied().chain(flat).collect();
        let surface = ClosestPoint::new(painted.positions, &triangles);
        let image = |(p, seen): (&Vec3, &bool)| {
            let mirrored = p - 2.0 * (p.dot(&normal) - middle) * normal;
            let hit = surface.query(&mirrored);
            let corners = *triangles.get(hit.triangle as usize).filter(|_| *seen)?;
            let at = corners.map(|corner| painted.positions[corner as usize]);
            let longest = (0..3).map(|k| (at[(k + 1) % 3] - at[k]).norm()).fold(0.0, f64::max);
            // A point has no edges: what is there or not is told by rounding.
            let reach = longest.max(1e-6 * (high - low));
            (hit.distance <= reach).then(|| (corners, on_line(&at, &hit.point).map(|share| share as f32)))
        };
        let images: Vec<_> = painted.positions.par_iter().zip(&seen).with_min_len(256).map(image).collect();
        let mut start = vec![0; count + 1];
        let corners = || (0..).zip(&images).filter_map(|(v, image)| Some((v, image.as_ref()?.0)));
        corners().flat_map(|(_, corners)| corners).for_each(|corner| start[corner as usize + 1] += 1);
        (0..count).for_each(|v| start[v + 1] += start[v]);
        let mut next = start.clone();
        let mut near = vec![0; start[count] as usize];
        for (v, corners) in corners() {
            for corner in corners {
                near[next[corner as usize] as usize] = v;
                next[corner as usize] += 1;
            }
        }
        Self { images, start, near }
    }

    /// Carries what changed of `from` over into `to`, weights of the vertices that only grow: where an image lies. Adds what became
    /// more to `changed`; whether anything lies there.
    fn carry(&self, from: &[f32], fresh: &[u32], to: &mut [f32], changed: &mut Vec<u32>) -> bool {
        let mut take = |v: u32, weight: f32| {
            if weight > to[v as usize] {
                to[v as usize] = weight;
                changed.push(v);
            }
        };
        let mut found = false;
        for &vertex in fresh {
            let range = self.start[vertex as usize] as usize..self.start[vertex as usize + 1] as usize;
            for &v in &self.near[range] {
                let Some((corners, shares)) = &self.images[v as usize] else { continue };
                let weight: f32 = corners.iter().zip(shares).map(|(&corner, share)| share * from[corner as usize]).sum();
                let reached = corners.iter().zip(shares).filter(|(corner, _)| from[**corner as usize] > 0.0).map(|(_, share)| share);
                // What is reached in part only belongs to the vertices around.
                if reached.sum::<f32>() >= SHARE - 1e-6 {
                    found = true;
                    take(v, weight);
                }
            }
        }
        if !found {
            // Where the other side is coarser than what was painted: the nearest vertex, as under a brush smaller than a triangle.
            for &vertex in fresh {
                let Some((corners, shares)) = &self.images[vertex as usize] else { continue };
                found = true;
                let nearest = (0..3).max_by(|&a, &b| shares[a].total_cmp(&shares[b])).unwrap_or(0);
                take(corners[nearest], from[vertex as usize]);
            }
        }
        found
    }
}

/// Shares of the corners in a point of a triangle, which may be a line.
fn on_line(at: &[Vec3; 3], point: &Vec3) -> [f64; 3] {
    let [a, b, c] = at;
    let along = b - a;
    if b == c && along.norm_squared() > 0.0 {
        let share = ((point - a).dot(&along) / along.norm_squared()).clamp(0.0, 1.0);
        return [1.0 - share, share, 0.0];
    }
    shares(point, at)
}

/// How strongly a stroke has reached each vertex, itself and in its mirror images.
#[derive(Debug, Clone)]
pub struct Reached {
    sides: Vec<Arc<OtherSide>>,
    /// Before any mirror, then after each.
    weights: Vec<Vec<f32>>,
    /// Of each mirror, whether a part of the stroke had nothing there.
    missed: Vec<bool>,
}

impl Reached {
    /// Nothing yet, of so many vertices.
    pub fn new(vertices: usize, sides: Vec<Arc<OtherSide>>) -> Self {
        let sides: Vec<_> = sides.into_iter().filter(|side| side.images.len() == vertices).collect();
        Self { weights: vec![vec![0.0; vertices]; sides.len() + 1], missed: vec![false; sides.len()], sides }
    }

    /// The stroke passes over vertices, so strongly (from 0 to 1); all fully where that is not said. Gives the vertices that are reached
    /// more strongly than before, those of the images among them; some may come up twice.
    pub fn over(&mut self, vertices: &[u32], strengths: &[f32]) -> Vec<u32> {
        let mut fresh = Vec::new();
        for (i, &vertex) in vertices.iter().enumerate() {
            let strength = strengths.get(i).copied().unwrap_or(1.0);
            if let Some(weight) = self.weights[0].get_mut(vertex as usize).filter(|weight| **weight < strength) {
                *weight = strength;
                fresh.push(vertex);
            }
        }
        for (k, side) in self.sides.iter().enumerate() {
            let (before, after) = self.weights.split_at_mut(k + 1);
            let (from, to) = (&before[k], &mut after[0]);
            let mut changed = fresh.clone();
            fresh.iter().for_each(|&v| to[v as usize] = to[v as usize].max(from[v as usize]));
            if !fresh.is_empty() {
                self.missed[k] |= !side.carry(from, &fresh, to, &mut changed);
            }
            fresh = changed;
        }
        fresh
    }

    /// How strongly each vertex is reached.
    pub fn weights(&self) -> &[f32] {
        self.weights.last().map_or(&[], Vec::as_slice)
    }

    /// Whether some of what was passed over has nothing on another side.
    pub fn missed(&self) -> bool {
        self.missed.contains(&true)
    }
}

#[cfg(test)]
#[path = "symmetry_tests.rs"]
pub(super) mod tests;
