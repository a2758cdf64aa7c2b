//! Bodies that lie on one another, or nearer than the barrier reaches, touch with points inside of their surfaces
//! ([`ContactPoints`]): so there is a gap for the barrier to keep, and touching is no different from being a little apart.

use nalgebra::{Matrix2, Vector2};

use super::Assembly;
use crate::contact::barrier::clear_reach;
use crate::contact::intersection::{intersections, touching};
use crate::contact::points::{ContactPoints, InsetPoint};
use crate::contact::stencil::NO_NODE;
use crate::contact::surface::CollisionSurface;
use crate::contact::surfaces::unit_normal;
use crate::math::{Mat3, Vec3};

/// Depth of the points over the barrier's distance: of two bodies that touch, the points are as far apart as the barrier reaches.
const DEPTH: f64 = 0.5;
/// Share of the way through the tet behind a vertex that its point may go.
const DEEPEST: f64 = 0.25;
/// Sweeps over the triangles around a vertex, and the share of the depth to which they are met.
const SWEEPS: usize = 200;
const MET: f64 = 1e-3;
/// Depths that a point may be away from its vertex.
const FARTHEST: f64 = 3.0;

impl Assembly<'_> {
    /// Gives the bodies that are near one another or a mesh obstacle from the start contact points inside of their surfaces.
    pub(super) fn inset_near_bodies(&mut self) {
        let system = &mut self.system;
        if !system.surface.is_active() {
            return;
        }
        let wanted = system.contact.barrier_distance * system.diagonal;
        let near = bodies_near_another(&system.surface, &system.positions, clear_reach(wanted), system.bodies.len());
        let mut inset = Vec::new();
        for body in system.bodies.iter().zip(&near).filter(|(_, near)| **near).map(|(body, _)| body) {
            let first = body.nodes.start as u32;
            let tets: Vec<[u32; 4]> = body.mesh.enclosed_tets().iter().map(|tet| tet.map(|v| v + first)).collect();
            inset.extend(points_of(&system.surface, body.nodes.clone(), &tets, &system.positions, DEPTH * wanted));
        }
        if inset.is_empty() {
            return;
        }
        for point in &inset {
            system.surface.movable[point.node as usize] = point.shares().any(|(node, _)| !system.fixed[node as usize]);
        }
        system.surface.count_movable();
        system.surface.points = ContactPoints::new(inset, DEPTH * wanted);
    }
}

/// For each body, whether it is nearer than `reach` [m] to another part, or passes through one.
fn bodies_near_another(surface: &CollisionSurface, x: &[Vec3], reach: f64, bodies: usize) -> Vec<bool> {
    let mut near = vec![false; bodies];
    if surface.parts.len() < 2 {
        return near;
    }
    let mut note = |a: u32, b: u32| {
        for part in [a, b].into_iter().filter(|_| a != b) {
            if let Some(near) = near.get_mut(part as usize) {
                *near = true;
            }
        }
    };
    for (edge, triangle) in intersections(surface, x) {
        note(surface.edge_parts[edge as usize], surface.triangle_parts[triangle as usize]);
    }
    for [a, b] in touching(surface, x, reach).pairs().map(|pair| pair.parts(surface)) {
        note(a, b);
    }
    near
}

/// Points that lie `depth` [m] behind all triangles around each surface vertex of a body with these nodes and tets.
fn points_of(surface: &CollisionSurface, nodes: std::ops::Range<usize>, tets: &[[u32; 4]], x: &[Vec3], depth: f64) -> Vec<InsetPoint> {
    let mut faces: Vec<Vec<Vec3>> = vec![Vec::new(); nodes.len()];
    for (t, corners) in surface.triangles.iter().enumerate().filter(|(_, corners)| nodes.contains(&(corners[0] as usize))) {
        let normal = unit_normal(surface, t as u32, x);
        corners.iter().for_each(|&node| faces[node as usize - nodes.start].push(normal));
    }
    let mut around: Vec<Vec<[u32; 4]>> = vec![Vec::new(); nodes.len()];
    for tet in tets {
        for k in 0..4 {
            let others = [tet[(k + 1) % 4], tet[(k + 2) % 4], tet[(k + 3) % 4]];
            around[tet[k] as usize - nodes.start].push([tet[k], others[0], others[1], others[2]]);
        }
    }
    let point = |(normals, tets): (&Vec<Vec3>, &Vec<[u32; 4]>)| {
        if normals.is_empty() {
            None
        } else {
            hung_on_few(tets, x, normals, depth).or_else(|| hung_on_a_tet(tets, x, &behind(normals, depth)))
        }
    };
    faces.iter().zip(&around).filter_map(point).collect()
}

/// The point `depth` [m] behind all planes through the first node of these tets, on an edge there, or else on a triangle: what touches
/// couples the nodes on which its points hang, so that few are cheap. Where planes are of one direction, as in a flat face, an edge that
/// leads inwards does; of two, as along the edges of a box, a triangle. `None` where neither meets all planes.
fn hung_on_few(tets: &[[u32; 4]], x: &[Vec3], normals: &[Vec3], depth: f64) -> Option<InsetPoint> {
    let of_one = |t: &[u32; 4]| [1, 2, 3].map(|k| [t[0], t[k], NO_NODE]);
    let of_two = |t: &[u32; 4]| [[1, 2], [1, 3], [2, 3]].map(|[a, b]| [t[0], t[a], t[b]]);
    let shortest = |carriers: &mut dyn Iterator<Item = [u32; 3]>| {
        let found = carriers.filter_map(|nodes| hung_on_an_edge_or_triangle(nodes, x, normals, depth));
        found.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, point)| point)
    };
    shortest(&mut tets.iter().flat_map(of_one)).or_else(|| shortest(&mut tets.iter().flat_map(of_two)))
}

/// Length of the way to that point from the first of these nodes, and the point itself, if it is inside and as deep as it should be.
fn hung_on_an_edge_or_triangle(nodes: [u32; 3], x: &[Vec3], normals: &[Vec3], depth: f64) -> Option<(f64, InsetPoint)> {
    let [v, a, b] = nodes;
    let leg = |node: u32| x[node as usize] - x[v as usize];
    let (first, second) = (leg(a), if b == NO_NODE { Vec3::zeros() } else { leg(b) });
    // Least squares of the depths: the normal equations of one unknown, or of two.
    let (mut square, mut side) = (Matrix2::zeros(), Vector2::zeros());
    for normal in normals {
        let slope = Vector2::new(normal.dot(&first), normal.dot(&second));
        square += slope * slope.transpose();
        side -= depth * slope;
    }
    let weights = if b == NO_NODE { Vector2::new(side.x / square.m11, 0.0) } else { square.try_inverse()? * side };
    let inward = weights.x * first + weights.y * second;
    let meets = |normal: &Vec3| (normal.dot(&inward) + depth).abs() <= MET * depth;
    let is_inside = weights.min() >= 0.0 && weights.sum() <= DEEPEST && inward.norm() <= FARTHEST * depth;
    let point = InsetPoint { node: v, nodes: [v, a, b, NO_NODE], weights: [1.0 - weights.sum(), weights.x, weights.y, 0.0] };
    (is_inside && normals.iter().all(meets)).then_some((inward.norm(), point))
}

/// The shortest vector that leads `depth` behind all planes through the origin with these unit normals, as nearly as there is one:
/// by Hildreth's method, one multiplier a plane, and never farther than [`FARTHEST`].
fn behind(normals: &[Vec3], depth: f64) -> Vec3 {
    let mut multipliers = vec![0.0; normals.len()];
    let mut inward = Vec3::zeros();
    for _ in 0..SWEEPS {
        let mut largest: f64 = 0.0;
        for (normal, multiplier) in normals.iter().zip(&mut multipliers) {
            let change = (normal.dot(&inward) + depth).max(-*multiplier);
            *multiplier += change;
            inward -= change * normal;
            largest = largest.max(change.abs());
        }
        if largest <= MET * depth {
            break;
        }
    }
    let length = inward.norm();
    if length > FARTHEST * depth { inward * (FARTHEST * depth / length) } else { inward }
}

/// The point at `inward` from the first node of these tets, hung on the one into which that leads, or else on the one in which it
/// takes the least weights; not deeper than a share of that tet.
fn hung_on_a_tet(tets: &[[u32; 4]], x: &[Vec3], inward: &Vec3) -> Option<InsetPoint> {
    let hung = |nodes: &[u32; 4]| {
        let [v, a, b, c] = nodes.map(|node| x[node as usize]);
        let weights = Mat3::from_columns(&[a - v, b - v, c - v]).try_inverse()? * inward;
        weights.iter().all(|w| w.is_finite()).then_some((*nodes, weights))
    };
    let size = |weights: &Vec3| weights.abs().sum() - 2.0 * weights.min().min(0.0);
    let (nodes, weights) = tets.iter().filter_map(hung).min_by(|a, b| size(&a.1).total_cmp(&size(&b.1)))?;
    let weights = weights * (DEEPEST / weights.abs().sum()).min(1.0);
    Some(InsetPoint { node: nodes[0], nodes, weights: [1.0 - weights.sum(), weights.x, weights.y, weights.z] })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::random::Random;

    /// Whatever the tets and faces around a vertex: a point on few nodes lies between them, as deep behind every face as it should be.
    #[test]
    fn points_on_few_nodes_lie_between_them_and_are_as_deep_everywhere() {
        let mut random = Random::new(81);
        let depth = 0.01;
        let mut found = [0; 5];
        for trial in 0..4000 {
            let x: Vec<Vec3> = std::iter::once(Vec3::zeros()).chain((0..6).map(|_| random.vector(-1.0, 1.0))).collect();
            let normals: Vec<Vec3> = (0..1 + trial % 3).map(|_| random.vector(-1.0, 1.0).normalize()).collect();
            let tets = [[0, 1, 2, 3], [0, 3, 4, 5], [0, 5, 6, 1]];
            let Some(point) = hung_on_few(&tets, &x, &normals, depth) else { continue };
            assert!(
                (point.weights.iter().sum::<f64>() - 1.0).abs() < 1e-14 && point.weights.iter().all(|weight| *weight >= 0.0),
                "{point:?}"
            );
            let at: Vec3 = point.shares().map(|(node, weight)| weight * x[node as usize]).sum();
            assert!(at.norm() <= FARTHEST * depth * (1.0 + 1e-12));
            assert!(normals.iter().all(|normal| (normal.dot(&at) + depth).abs() < 0.01 * depth), "{at} {normals:?}");
            found[point.shares().filter(|(_, weight)| *weight > 0.0).count()] += 1;
        }
        assert!(found[2] > 100 && found[3] > 100, "{found:?}");
    }

    /// A point hangs on the tet that it lies in, also where another, behind which it lies, has longer edges.
    #[test]
    fn points_hang_on_the_tets_that_they_are_in() {
        let ends = [Vec3::x(), Vec3::y(), Vec3::z(), 1.2 * Vec3::x(), 1.2 * Vec3::y(), -0.1 * Vec3::z()];
        let x: Vec<Vec3> = std::iter::once(Vec3::zeros()).chain(ends).collect();
        let inward = Vec3::new(0.03, 0.03, 6e-4);
        for tets in [[[0, 1, 2, 3], [0, 4, 5, 6]], [[0, 4, 5, 6], [0, 1, 2, 3]]] {
            let Some(point) = hung_on_a_tet(&tets, &x, &inward) else { unreachable!() };
            assert!(point.nodes == [0, 1, 2, 3] && point.weights.iter().all(|weight| *weight >= 0.0), "{point:?}");
            let at: Vec3 = point.shares().map(|(node, weight)| weight * x[node as usize]).sum();
            assert!((at - inward).norm() < 1e-15);
        }
    }
}
