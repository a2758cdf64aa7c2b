//! Bodies that overlap more than contact can mend: how deep, which way out, and moving them apart where the scene asks for it.

use super::Assembly;
use crate::math::Vec3;
use crate::mesh::inside::Inside;
use crate::system::PlacedBody;

/// Rounds in which bodies are moved apart: each pair may push one into the next.
const ROUNDS: usize = 50;
/// Points looked at along each edge, its ends among them: bars may cross with no vertex inside.
const ALONG: usize = 5;
/// Overlap over the diagonal that is left to contact.
const LEFT: f64 = 1e-6;

/// Ways out that are compared at most.
const MOST_WAYS: usize = 300;
/// Depths of the deepest point beyond which a way out is too far.
const FAR: f64 = 3.0;

/// How two bodies overlap.
pub(super) struct Overlap {
    /// How far the second body is to be moved to leave the first [m].
    pub depth: f64,
    /// Where it is [m].
    pub place: Vec3,
    /// Unit vector along which the second body leaves the first.
    pub way: Vec3,
}

/// A body's surface, ready to be asked what is inside.
struct Solid<'a> {
    body: &'a PlacedBody,
    /// None without triangles: then nothing is inside.
    closed: Option<Inside>,
    low: Vec3,
    high: Vec3,
}

impl<'a> Solid<'a> {
    fn new(body: &'a PlacedBody) -> Self {
        let triangles = body.mesh.enclosure();
        let of_triangles = || Inside::new(&body.mesh.positions, triangles);
        let (low, high) = crate::math::bounding_box(&body.mesh.positions);
        Self { closed: (!triangles.is_empty()).then(of_triangles), body, low, high }
    }

    /// For each point of `other` inside: the point, and the shortest way out.
    fn ways_out(&self, other: &Self) -> Vec<(Vec3, Vec3)> {
        let Some(closed) = &self.closed else { return Vec::new() };
        let x = &other.body.mesh.positions;
        let edges = other.body.mesh.enclosure().iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).filter(|[a, b]| a < b);
        let points = edges.flat_map(|[a, b]| (0..ALONG).map(move |k| x[a as usize].lerp(&x[b as usize], k as f64 / (ALONG - 1) as f64)));
        // Without triangles it is looked at where its nodes are.
        let nodes = if other.closed.is_none() { &x[..] } else { &[] };
        let is_near = |p: &Vec3| (0..3).all(|k| self.low[k] <= p[k] && p[k] <= self.high[k]);
        let near = points.chain(nodes.iter().copied()).filter(is_near);
        let way = |p: Vec3| closed.distance(&p, 0.0).filter(|(value, _)| *value < 0.0).map(|(value, normal)| (p, -value * normal));
        near.filter_map(way).collect()
    }
}

/// How two bodies overlap, if points of one on its edges are inside of the other.
pub(super) fn overlap(first: &PlacedBody, second: &PlacedBody) -> Option<Overlap> {
    let (a, b) = (Solid::new(first), Solid::new(second));
    if (0..3).any(|k| a.low[k] > b.high[k] || b.low[k] > a.high[k]) {
        return None;
    }
    let ways: Vec<(Vec3, Vec3)> = a.ways_out(&b).into_iter().chain(b.ways_out(&a).into_iter().map(|(p, way)| (p, -way))).collect();
    let (place, deepest) = *ways.iter().max_by(|a, b| a.1.norm_squared().total_cmp(&b.1.norm_squared()))?;
    // Of the ways out of single points, the one on which the second body as a whole is out soonest; where that is far, as from within
    // a ring, the deepest point's.
    let out = |way: &Vec3| {
        let end = |body: &PlacedBody, sign: f64| body.mesh.positions.iter().map(|x| sign * way.dot(x)).fold(f64::NEG_INFINITY, f64::max);
        (end(first, 1.0) + end(second, -1.0), *way)
    };
    let spaced = ways.iter().step_by(ways.len().div_ceil(MOST_WAYS));
    let soonest = spaced.filter_map(|(_, way)| Some(out(&way.try_normalize(0.0)?))).min_by(|a, b| a.0.total_cmp(&b.0))?;
    let (depth, way) = if soonest.0 <= FAR * deepest.norm() { soonest } else { (deepest.norm(), deepest.try_normalize(0.0)?) };
    Some(Overlap { depth, place, way })
}

impl Assembly<'_> {
    /// Moves bodies that overlap apart until they touch: of two the later one, unless only the earlier one is free to move.
    pub(super) fn separate_bodies(&mut self) {
        if !self.scene.contact.separate || !self.scene.contact.between_bodies {
            return;
        }
        let enough = LEFT * self.system.diagonal;
        for _ in 0..ROUNDS {
            let mut any = false;
            for second in 1..self.system.bodies.len() {
                for first in 0..second {
                    let Some(found) = overlap(&self.system.bodies[first], &self.system.bodies[second]) else { continue };
                    let is_free = |body: usize| !self.system.bodies[body].nodes.clone().any(|node| self.system.fixed[node]);
                    if found.depth <= enough || !(is_free(first) || is_free(second)) {
                        continue;
                    }
                    let way = found.depth * found.way;
                    if is_free(second) {
                        self.move_body(second, &way)
                    } else {
                        self.move_body(first, &-way)
                    }
                    any = true;
                }
            }
            if !any {
                return;
            }
        }
    }

    fn move_body(&mut self, body: usize, way: &Vec3) {
        let system = &mut self.system;
        let placed = &mut system.bodies[body];
        placed.mesh.positions.iter_mut().for_each(|x| *x += way);
        if let Some(skin) = &mut placed.mesh.skin {
            skin.positions.iter_mut().for_each(|x| *x += way);
        }
        system.positions[placed.nodes.clone()].iter_mut().for_each(|x| *x += way);
        if let Some(rest) = system.rest.get_mut(placed.nodes.clone()) {
            rest.iter_mut().for_each(|x| *x += way);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use std::sync::Arc;

    use super::*;
    use crate::bodies::solid::Solid;
    use crate::mesh::TetMesh;
    use crate::mesh::structured::{CubeCut, box_mesh};

    fn body(mesh: TetMesh) -> PlacedBody {
        let nodes = 0..mesh.positions.len();
        PlacedBody { name: "body".into(), nodes, internal: 0..0, spans: Vec::new(), mesh: mesh.into(), matter: Arc::new(Solid::default()) }
    }

    /// What has no triangles has no inside, but nodes that may be inside of another.
    #[test]
    fn nodes_without_triangles_are_found_inside_and_hold_nothing() {
        let solid = || {
            let (x, tets) = box_mesh(Vec3::new(1.0, 0.4, 1.0), [2, 1, 2], CubeCut::Five);
            TetMesh::from_tets(x, tets).unwrap()
        };
        let without = |y: f64| {
            let positions = [0.2, 0.5, 0.8, 1.3].map(|x| Vec3::new(x, y, 0.5)).to_vec();
            body(TetMesh { positions, tets: Vec::new(), surface: Vec::new(), ..solid() })
        };
        let found = overlap(&body(solid()), &without(0.3)).unwrap();
        assert!((found.depth - 0.1).abs() < 1e-12 && (found.way - Vec3::y()).norm() < 1e-12, "{} {}", found.depth, found.way);
        let turned = overlap(&without(0.3), &body(solid())).unwrap();
        assert!((turned.depth - 0.1).abs() < 1e-12 && (turned.way + Vec3::y()).norm() < 1e-12);
        assert!(overlap(&body(solid()), &without(0.5)).is_none() && overlap(&without(0.0), &without(0.0)).is_none());
    }
}
