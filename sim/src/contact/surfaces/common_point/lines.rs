//! Two lines that carry the point of a contact together.
//!
//! With the gap d, the unit normal n from the second nearest point to the first, and lines that lead along
//! the unit vectors e_1, e_2 across n, of which l_1, l_2 are the lengths, the relative displacement is
//!
//! ```text
//! u_p - u_q + d sum_i e^i (n . (u_end - u_start)_i) / l_i,      e^i . e_j = delta_ij:
//! ```
//!
//! a rigid rotation w moves the nearest points apart by d w x n and each line out of its direction by e_i . (n x w), and these add up to
//! nothing. A line feels no turning about itself: where both lead the same way, or one side has none, a couple is left of friction across
//! it, of the gap times the force.

use super::super::anchors::in_plane;
use super::super::feature::Fans;
use super::{Carrier, CommonPoint};
use crate::contact::surface::CollisionSurface;
use crate::math::Vec3;

/// Sine of the angle between two lines from which on they carry in both directions; a line that was chosen is kept down to half of it.
const CROSSING: f64 = 0.1;

/// Sine of the angle between a line and the normal from which on it carries.
const LYING: f64 = 0.1;

/// One side of a contact: the nodes of its primitive, and their weights in the vector between the nearest points.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    /// The nodes.
    pub nodes: &'a [u32],
    /// Their weights.
    pub weights: &'a [f64],
}

impl Side<'_> {
    /// Its nearest point [m].
    pub fn point(&self, x: &[Vec3]) -> Vec3 {
        self.nodes.iter().zip(self.weights).map(|(&node, weight)| weight.abs() * x[node as usize]).sum()
    }

    /// Its nodes, with their weights and no tilt.
    pub fn pushed(&self) -> impl Iterator<Item = (u32, f64, Vec3)> {
        self.nodes.iter().zip(self.weights).map(|(&node, &weight)| (node, weight, Vec3::zeros()))
    }

    /// Its nodes and those of a line, with the tilt `by` of that.
    fn tilted(&self, line: Option<[u32; 2]>, by: &Vec3) -> Vec<(u32, f64, Vec3)> {
        let mut nodes: Vec<_> = self.pushed().filter(|(_, weight, _)| line.is_none() || *weight != 0.0).collect();
        for (node, tilt) in line.into_iter().flat_map(|[start, end]| [(start, -by), (end, *by)]) {
            match nodes.iter_mut().find(|(known, ..)| *known == node) {
                Some((.., sum)) => *sum += tilt,
                None => nodes.push((node, 0.0, tilt)),
            }
        }
        nodes
    }

    /// The lines that may carry: the primitive itself, or those around the vertex that is nearest.
    fn lines(&self, (surface, fans): (&CollisionSurface, &Fans)) -> Vec<Option<[u32; 2]>> {
        let nearest: Vec<u32> = self.nodes.iter().zip(self.weights).filter(|(_, weight)| **weight != 0.0).map(|(&node, _)| node).collect();
        let lines: Vec<Option<[u32; 2]>> = match *nearest {
            [node] => fans.edges_around(surface, node).iter().map(|&e| Some(surface.edges[e as usize])).collect(),
            [a, b] => vec![Some([a, b])],
            _ => Vec::new(),
        };
        if lines.is_empty() { vec![None] } else { lines }
    }
}

/// Two lines that carry the point, of those on both sides the two that lead the most different ways; none where no line lies across the
/// normal.
pub fn lines(on: (&CollisionSurface, &Fans), sides: [Side; 2], kept: Option<Carrier>, x: &[Vec3]) -> Option<CommonPoint> {
    let between = sides[0].point(x) - sides[1].point(x);
    let (gap, normal) = (between.norm(), between.try_normalize(0.0)?);
    // The line across the normal: its direction, and the length of that part of it.
    let across = |line: Option<[u32; 2]>| {
        let [start, end] = line?.map(|node| x[node as usize]);
        let lying = in_plane(&(end - start), &normal);
        let length = lying.norm();
        (length > LYING * (end - start).norm()).then(|| (lying / length, length))
    };
    let sine = |[first, second]: [Option<[u32; 2]>; 2]| match (across(first), across(second)) {
        (Some((a, _)), Some((b, _))) => a.cross(&b).norm(),
        // One is better than none, and less than two.
        (Some(_), None) | (None, Some(_)) => 0.0,
        (None, None) => f64::NEG_INFINITY,
    };
    let [firsts, seconds] = sides.map(|side| side.lines(on));
    let pairs = || firsts.iter().flat_map(|&first| seconds.iter().map(move |&second| [first, second]));
    let best = pairs().reduce(|best, pair| if sine(pair) > sine(best) { pair } else { best })?;
    // Of lines that all lead the same way none is better than another.
    let enough = if sine(best) > CROSSING { 0.5 * CROSSING } else { 0.0 };
    let is_kept = |pair: &[Option<[u32; 2]>; 2]| kept == Some(Carrier::Lines(*pair)) && sine(*pair) >= enough;
    let [first, second] = pairs().find(is_kept).unwrap_or(best);
    // The dual basis of the two directions, over the lengths; of directions that are the same each line takes half.
    let tilts = match (across(first), across(second)) {
        (Some((a, l)), Some((b, m))) => {
            let cosine = a.dot(&b);
            let square = 1.0 - cosine * cosine;
            if square.sqrt() > 0.5 * CROSSING {
                [(a - cosine * b) * (gap / (square * l)), (b - cosine * a) * (gap / (square * m))]
            } else {
                [a * (0.5 * gap / l), b * (0.5 * gap / m)]
            }
        }
        (Some((a, l)), None) => [a * (gap / l), Vec3::zeros()],
        (None, Some((b, m))) => [Vec3::zeros(), b * (gap / m)],
        (None, None) => return None,
    };
    let of = |k: usize, line: Option<[u32; 2]>| sides[k].tilted(line.filter(|_| across(line).is_some()), &tilts[k]);
    let common = CommonPoint::carried(of(0, first), of(1, second), normal);
    Some(CommonPoint { carrier: Some(Carrier::Lines([first, second])), ..common })
}
