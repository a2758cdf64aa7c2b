//! Where the surface cuts the lattice, and which lattice vertices are moved onto it.

use rayon::prelude::*;

use super::SignedDistanceField;
use super::lattice::{FORWARD, Frame, Key, coordinates, is_long, key, offset};
use super::sample::Samples;
use crate::math::Vec3;
use crate::watch::{Cancelled, Watch};

/// A cut nearer to a vertex than this share of its edge violates the vertex: the bounds that Labelle & Shewchuk (2007,
/// Sec. 4) give for uniform meshes. Three vertices of a tet warped as far as they allow leave it an angle of 9.3 degrees.
const ALPHA_LONG: f64 = 0.24999;
const ALPHA_SHORT: f64 = 0.41189;

/// Steps of regula falsi before bisection takes over: smooth fields need half as many.
const REGULA_FALSI: usize = 12;
/// Halvings of the bracket then: to a millionth of an edge at least.
const BISECTIONS: usize = 20;

/// A point of the surface on the edge (`low`, `high`) of the lattice.
#[derive(Debug, Clone, Copy)]
pub struct Cut {
    /// End with the smaller key.
    pub low: Key,
    /// End with the greater key.
    pub high: Key,
    /// Where the surface is [m].
    pub position: Vec3,
}

/// The lattice after warping: vertices on the surface, and the cuts that remain. Both are sorted by key.
pub struct Warped {
    /// Vertices that now lie on the surface, with their positions [m].
    pub snapped: Vec<(Key, Vec3)>,
    /// Cuts of edges that join a vertex inside to one outside.
    pub cuts: Vec<Cut>,
}

impl Warped {
    /// Finds all cuts and warps every violated vertex to the nearest of the cuts that violate it.
    pub fn new(field: &impl SignedDistanceField, samples: &Samples, watch: &impl Watch) -> Result<Self, Cancelled> {
        let mut cuts = (0..samples.len())
            .into_par_iter()
            .map(|b| watch.check().map(|()| cuts_from(field, samples, b)))
            .collect::<Result<Vec<_>, _>>()?
            .concat();
        cuts.par_sort_unstable_by_key(|c| (c.low, c.high));

        let mut violations: Vec<(Key, f64, Vec3)> = Vec::new();
        for cut in &cuts {
            let alpha = if is_long(cut.low, cut.high) { ALPHA_LONG } else { ALPHA_SHORT };
            let [low, high] = [cut.low, cut.high].map(|k| samples.frame.position(coordinates(k)));
            let length = (high - low).norm();
            for (end, position) in [(cut.low, low), (cut.high, high)] {
                let distance = (cut.position - position).norm();
                if distance < alpha * length {
                    violations.push((end, distance, cut.position));
                }
            }
        }
        // Stable: of equally near cuts the first in key order wins.
        violations.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        violations.dedup_by_key(|v| v.0);
        let snapped: Vec<(Key, Vec3)> = violations.into_iter().map(|(key, _, position)| (key, position)).collect();

        let is_snapped = |k: Key| snapped.binary_search_by_key(&k, |s| s.0).is_ok();
        cuts.retain(|c| !is_snapped(c.low) && !is_snapped(c.high));
        Ok(Self { snapped, cuts })
    }

    /// Position [m] of a lattice vertex after warping.
    pub fn position(&self, frame: &Frame, key: Key) -> Vec3 {
        self.snapped.binary_search_by_key(&key, |s| s.0).map_or_else(|_| frame.position(coordinates(key)), |i| self.snapped[i].1)
    }

    /// +1 inside, 0 on the surface, -1 outside.
    pub fn sign(&self, samples: &Samples, key: Key) -> i8 {
        let value = samples.at(key);
        if value == 0.0 || (value.is_finite() && self.snapped.binary_search_by_key(&key, |s| s.0).is_ok()) {
            0
        } else if value < 0.0 {
            1
        } else {
            -1
        }
    }

    /// Number of the cut on the edge between `a` and `b`, of which one lies inside and the other outside.
    pub fn cut(&self, a: Key, b: Key) -> usize {
        let edge = (a.min(b), a.max(b));
        self.cuts.partition_point(|c| (c.low, c.high) < edge)
    }
}

/// Cuts of the edges that lead from the vertices of block `b` to neighbours with greater keys.
fn cuts_from(field: &impl SignedDistanceField, samples: &Samples, b: usize) -> Vec<Cut> {
    let mut cuts = Vec::new();
    if !samples.is_near(b) {
        return cuts;
    }
    for from in samples.vertices(b) {
        let value = samples.value(from);
        // A neighbour below the lattice does not exist, and the rim is outside anyway.
        for step in FORWARD.into_iter().filter(|s| (0..3).all(|d| from[d] as i64 + s[d] >= 0)) {
            let to = offset(from, step);
            let other = samples.value(to);
            if value.min(other) < 0.0 && value.max(other) > 0.0 && value.is_finite() && other.is_finite() {
                let ends = [samples.frame.position(from), samples.frame.position(to)];
                let position = zero_between(field, ends, [value, other], 1e-7 * samples.frame.cell);
                cuts.push(Cut { low: key(from), high: key(to), position });
            }
        }
    }
    cuts
}

/// The zero of the field on a segment at whose ends it has values of opposite signs: regula falsi, with the kept end's
/// value halved (Dowell & Jarratt 1971, the Illinois rule) so that it converges superlinearly; by bisection where that does
/// not, which also finds the place where the field jumps over zero.
fn zero_between(field: &impl SignedDistanceField, ends: [Vec3; 2], values: [f64; 2], tolerance: f64) -> Vec3 {
    let ([mut s, mut t], [mut at_s, mut at_t]) = ([0.0, 1.0], values);
    let mut root = 0.5;
    let mut side = 0;
    for attempt in 0..REGULA_FALSI + BISECTIONS {
        root = (s * at_t - t * at_s) / (at_t - at_s);
        // Huge values overflow to NaN.
        if attempt >= REGULA_FALSI || !(root >= s.min(t) && root <= s.max(t)) {
            root = 0.5 * (s + t);
        }
        let value = field.distance(&(ends[0] + (ends[1] - ends[0]) * root));
        // The field was a number at both ends; should it not be one between them, the best estimate so far stands.
        if value.abs() <= tolerance || value.is_nan() {
            break;
        }
        if (value > 0.0) == (at_t > 0.0) {
            (t, at_t) = (root, value);
            if side == -1 {
                at_s *= 0.5;
            }
            side = -1;
        } else {
            (s, at_s) = (root, value);
            if side == 1 {
                at_t *= 0.5;
            }
            side = 1;
        }
    }
    ends[0] + (ends[1] - ends[0]) * root
}
