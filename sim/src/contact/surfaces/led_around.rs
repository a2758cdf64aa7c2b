//! Steps so long that they would carry something past an obstacle.

use super::potential::SurfacePotential;
use crate::contact::active::{radius_of_edges, radius_of_vertex};
use crate::contact::ccd::{edge_edge_toi, point_triangle_toi};
use crate::contact::primitive::{Nearest, edge_edge, point_triangle};
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
        let points = |nodes: [u32; 4]| (nodes.map(|node| start[node as usize]), nodes.map(|node| way[node as usize]));
        let depth = |a: u32, b: u32| allowed[a as usize].min(allowed[b as usize]);
        // What is left of the way after the hit, into the other surface.
        let goes_deep = |(from, way): &([Vec3; 4], [Vec3; 4]), time: f64, allowed: f64, nearest: &dyn Fn(&[Vec3; 4]) -> Nearest| {
            let hit = nearest(&std::array::from_fn(|k| from[k] + time * way[k]));
            let left: Vec3 = (0..4).map(|k| hit.weights[k] * way[k]).sum();
            time < 1.0 && (time - 1.0) * left.dot(&hit.offset) > allowed * hit.distance()
        };
        let of_triangles = candidates.vertex_triangle.iter().find_map(|&pair| {
            let allowed = depth(surface.vertex_parts[pair.0 as usize], surface.triangle_parts[pair.1 as usize]);
            let [a, b, c] = surface.triangles[pair.1 as usize];
            let motion = points([surface.vertices[pair.0 as usize], a, b, c]);
            let is_deep = || {
                let time = point_triangle_toi(&motion.0, &motion.1, 1.0, HIT, radius_of_vertex(surface, pair));
                goes_deep(&motion, time, allowed, &|[p, a, b, c]| point_triangle(p, a, b, c))
            };
            (allowed.is_finite() && is_deep()).then_some(a)
        });
        of_triangles.or_else(|| {
            candidates.edge_edge.iter().find_map(|&pair| {
                let allowed = depth(surface.edge_parts[pair.0 as usize], surface.edge_parts[pair.1 as usize]);
                let ([a, b], [c, d]) = (surface.edges[pair.0 as usize], surface.edges[pair.1 as usize]);
                let motion = points([a, b, c, d]);
                let is_deep = || {
                    let time = edge_edge_toi(&motion.0, &motion.1, 1.0, HIT, radius_of_edges(surface, pair));
                    goes_deep(&motion, time, allowed, &|[a, b, c, d]| edge_edge(a, b, c, d))
                };
                (allowed.is_finite() && is_deep()).then_some(a)
            })
        })
    }
}

/// How deep into each part a step may aim [m], whose nodes are at `x` [m]; without end for what can move.
pub(super) fn depths(surface: &super::CollisionSurface, x: &[Vec3]) -> Vec<f64> {
    let depth = |part: &crate::contact::surface::Part| {
        let nodes = &surface.vertices[part.vertices.clone()];
        if surface.any_movable(nodes) {
            f64::INFINITY
        } else if part.radius > 0.0 {
            DEEP_IN_ROUND * part.radius
        } else {
            let (low, high) = bounding_box(&nodes.iter().map(|&node| x[node as usize]).collect::<Vec<_>>());
            let mut extents = <[f64; 3]>::from(high - low);
            extents.sort_by(f64::total_cmp);
            0.5 * DEEP_IN_TRIANGLES * extents[1]
        }
    };
    surface.parts.iter().map(depth).collect()
}
