//! Candidates that are found anew only when the nodes have moved too far.

use rayon::prelude::*;

use super::{BroadPhase, Candidates};
use crate::contact::active::Distances;
use crate::contact::surface::CollisionSurface;
use crate::math::Vec3;

/// A list is made to outlast this many motions like the last ones.
const MOTIONS: f64 = 4.0;
/// Least margin, by the reach.
const LEAST_MARGIN: f64 = 0.25;
/// Largest margin, by the side of a mean vertex area: lists grow with its square.
const LARGEST_MARGIN: f64 = 0.5;
/// Vertices that are measured together.
const CHUNK: usize = 4096;

/// Candidates that hold for all positions near those, or near the path, for which they were found.
///
/// A list found with `radius` on a path p(t) has every pair that is nearer than that at some t. Where every node is within u of
/// p(t) + c, with one shift c for all of them, the distance of two points of the surface differs by 2 u at most from theirs at t,
/// so that the list has every pair nearer than `radius` - 2 u.
#[derive(Debug, Clone, Default)]
pub struct CandidateCache {
    broad_phase: BroadPhase,
    candidates: Candidates,
    /// Distance of each pair of the list where its path began [m].
    distances: Distances,
    /// The pairs of the list that were near enough when it was asked for last.
    near: Candidates,
    /// Where the list's path began, for each vertex of the surface [m].
    start: Vec<Vec3>,
    /// How far the path went [m]; empty for a list of one instant.
    step: Vec<Vec3>,
    /// The list has every pair that comes nearer than this on its path [m].
    radius: f64,
    /// How often the list was asked for.
    uses: usize,
    /// How often a list was made.
    rebuilds: usize,
}

impl CandidateCache {
    /// Candidates with every pair that is nearer than `reach` [m] at `x` [m].
    pub fn ensure(&mut self, surface: &CollisionSurface, x: &[Vec3], reach: f64) -> &Candidates {
        self.uses += 1;
        let motion = 2.0 * self.deviation(surface, true, |node| x[node]);
        if self.radius - motion < reach {
            let radius = reach + self.margin(surface, reach, motion);
            self.broad_phase.find(surface, x, radius, &mut self.candidates);
            self.remember(surface, x, None, radius);
        }
        self.pick(reach + 2.0 * self.deviation(surface, false, |node| x[node]))
    }

    /// Candidates with every pair that comes nearer than `reach` [m] on the straight way from `x` to `x + share dx` [m], and the
    /// share: 1, unless the way is so long that nearly everything comes near everything.
    pub fn ensure_swept(&mut self, surface: &CollisionSurface, x: &[Vec3], dx: &[Vec3], reach: f64) -> (f64, &Candidates) {
        self.uses += 1;
        // Linear paths deviate most at an end.
        let of_way = |cache: &Self, along: bool| {
            2.0 * cache.deviation(surface, along, |node| x[node]).max(cache.deviation(surface, along, |node| x[node] + dx[node]))
        };
        let motion = of_way(self, true);
        let mut share = 1.0;
        if self.radius - motion < reach {
            let radius = reach + self.margin(surface, reach, motion);
            share = self.broad_phase.find_swept(surface, x, dx, radius, &mut self.candidates);
            self.remember(surface, x, Some((dx, share)), radius);
        }
        let near = reach + of_way(self, false);
        (share, self.pick(near))
    }

    /// The pairs of the list whose distance where its path began was below `distance` [m].
    fn pick(&mut self, distance: f64) -> &Candidates {
        for (kind, distances) in self.distances.kinds() {
            let near = self.near.of_mut(kind);
            near.clear();
            let pairs = self.candidates.of(kind).iter().zip(distances);
            near.extend(pairs.filter(|(_, known)| **known < distance || distance.is_nan()).map(|(pair, _)| *pair));
        }
        &self.near
    }

    /// The present list.
    pub fn candidates(&self) -> &Candidates {
        &self.candidates
    }

    /// How often a list was made so far.
    pub fn rebuilds(&self) -> usize {
        self.rebuilds
    }

    /// Margin beyond the reach with which a list is made [m], after a motion of `motion` [m] used up the last one.
    fn margin(&self, surface: &CollisionSurface, reach: f64, motion: f64) -> f64 {
        let least = LEAST_MARGIN * reach;
        let largest = (LARGEST_MARGIN * surface.mean_vertex_area.sqrt()).max(least);
        let recent = if motion.is_finite() { motion / self.uses as f64 } else { 0.0 };
        (MOTIONS * recent).clamp(least, largest)
    }

    fn remember(&mut self, surface: &CollisionSurface, x: &[Vec3], way: Option<(&[Vec3], f64)>, radius: f64) {
        self.distances.measure(surface, &self.candidates, x);
        self.start.clear();
        self.start.extend(surface.vertices.iter().map(|&node| x[node as usize]));
        self.step.clear();
        if let Some((dx, share)) = way {
            self.step.extend(surface.vertices.iter().map(|&node| share * dx[node as usize]));
        }
        self.radius = radius;
        self.uses = 0;
        self.rebuilds += 1;
    }

    /// How far the vertices are from where the list's path began, or `along` it from its nearest instant, but for a common shift
    /// [m]; infinite without a list.
    fn deviation(&self, surface: &CollisionSurface, along: bool, position: impl Fn(usize) -> Vec3 + Sync) -> f64 {
        if self.start.len() != surface.vertices.len() || self.radius == 0.0 {
            return f64::INFINITY;
        }
        let moved = |v: usize| position(surface.vertices[v] as usize) - self.start[v];
        let along = along && !self.step.is_empty();
        let time = if along { self.nearest_time(moved) } else { 0.0 };
        let deviation = |v: usize| if along { moved(v) - time * self.step[v] } else { moved(v) };
        let all = || (0..self.start.len()).into_par_iter().with_min_len(CHUNK);
        let nothing = || (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
        let (low, high) = all()
            .map(deviation)
            .fold(nothing, |(low, high), d| (low.inf(&d), high.sup(&d)))
            .reduce(nothing, |a, b| (a.0.inf(&b.0), a.1.sup(&b.1)));
        let shift = 0.5 * (low + high);
        let larger = |a: f64, b: f64| if b > a || b.is_nan() { b } else { a };
        let square = all().map(|v| (deviation(v) - shift).norm_squared()).reduce(|| 0.0, larger);
        if square.is_nan() { f64::INFINITY } else { square.sqrt() }
    }

    /// The instant of the list's path, from 0 to 1, to which the vertices are nearest on average.
    fn nearest_time(&self, moved: impl Fn(usize) -> Vec3 + Sync) -> f64 {
        let sums = |(chunk, steps): (usize, &[Vec3])| {
            let terms = steps.iter().enumerate().map(|(i, step)| (moved(CHUNK * chunk + i).dot(step), step.norm_squared()));
            terms.fold((0.0, 0.0), |sum, term| (sum.0 + term.0, sum.1 + term.1))
        };
        let chunks: Vec<(f64, f64)> = self.step.par_chunks(CHUNK).enumerate().map(sums).collect();
        let (along, square) = chunks.into_iter().fold((0.0, 0.0), |sum, term| (sum.0 + term.0, sum.1 + term.1));
        if square > 0.0 { (along / square).clamp(0.0, 1.0) } else { 0.0 }
    }
}
