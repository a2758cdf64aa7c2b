//! Steps so long that they would carry something past an obstacle.

use super::potential::SurfacePotential;
use crate::contact::pairs::{Pair, at};
use crate::contact::stencil::StencilKind;
use crate::contact::surface::{CollisionSurface, Part};
use crate::math::{Vec3, bounding_box, largest_norm};

/// How deep into something round a step may aim, as a share of its radius.
const DEEP_IN_ROUND: f64 = 0.1;
/// The same for triangles, of half the extent of the obstacle: the second largest, for past a plate no way leads but around its rim.
const DEEP_IN_TRIANGLES: f64 = 0.5;
/// Share of the distance that is left where a hit is looked at.
const HIT: f64 = 0.01;

impl SurfacePotential<'_> {
    /// A node of a feature that in a step which without contact would end at `predictor` [m] would go deep into an obstacle. The energy
    /// of such a step is least beside it or behind it, whatever is hit in front.
    pub fn led_around(&mut self, predictor: &[Vec3]) -> Option<u32> {
        let surface = self.space.surface;
        let allowed = self.contacts.depths.as_slice();
        let start = &*self.origin;
        let way: Vec<Vec3> = predictor.iter().zip(start).map(|(end, start)| end - start).collect();
        // Nothing goes deeper than the two that meet move.
        if 2.0 * largest_norm(&way) <= allowed.iter().copied().fold(f64::INFINITY, f64::min) {
            return None;
        }
        let (_, candidates) = self.contacts.near.candidates.ensure_swept(surface, start, &way, 0.0);
        let depth = |[a, b]: [u32; 2]| allowed[a as usize].min(allowed[b as usize]);
        let goes_deep = |pair: &Pair| {
            let (nodes, allowed) = (pair.nodes(surface), depth(pair.parts(surface)));
            if allowed.is_infinite() {
                return false;
            }
            let time = pair.free_share(surface, start, &way, 1.0, HIT);
            let (from, way) = (at(&nodes, start), at(&nodes, &way));
            let hit = pair.kind.nearest(&std::array::from_fn(|k| from[k] + time * way[k]));
            // What is left of the way after the hit, into the other surface.
            let left: Vec3 = (0..4).map(|k| hit.weights[k] * way[k]).sum();
            time < 1.0 && (time - 1.0) * left.dot(&hit.offset) > allowed * hit.distance()
        };
        let pair = candidates.pairs().find(goes_deep)?;
        Some(pair.nodes(surface)[usize::from(pair.kind == StencilKind::PointTriangle)])
    }
}

/// How deep into each part a step may aim [m], whose nodes are at `x` [m]; without end for what can move, and for points, which lie in
/// nobody's way for long.
pub(super) fn depths(surface: &CollisionSurface, x: &[Vec3]) -> Vec<f64> {
    let depth = |part: &Part| {
        let nodes = &surface.vertices[part.vertices.clone()];
        if surface.any_movable(nodes) || part.edges.is_empty() && !part.is_round {
            f64::INFINITY
        } else if part.is_round {
            DEEP_IN_ROUND * part.radius
        } else if part.triangles.is_empty() {
            // Lines lie beside one another: the way past one leads around its ends.
            let lengths = &surface.edge_lengths[part.edges.clone()];
            0.5 * DEEP_IN_TRIANGLES * lengths.iter().sum::<f64>() / lengths.len() as f64
        } else {
            let (low, high) = bounding_box(&nodes.iter().map(|&node| x[node as usize]).collect::<Vec<_>>());
            let mut extents = <[f64; 3]>::from(high - low);
            extents.sort_by(f64::total_cmp);
            0.5 * DEEP_IN_TRIANGLES * extents[1]
        }
    };
    surface.parts.iter().map(depth).collect()
}
