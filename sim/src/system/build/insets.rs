//! Bodies that lie on one another, or nearer than the barrier reaches, touch with points inside of their surfaces
//! ([`ContactPoints`]): so there is a gap for the barrier to keep, and touching is no different from being a little apart.

use super::Assembly;
use crate::contact::barrier::clear_reach;
use crate::contact::intersection::{intersections, touching};
use crate::contact::points::{ContactPoints, InsetPoint};
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
            let tets = &self.tets[body.elements.clone()];
            inset.extend(points_of(&system.surface, body.nodes.clone(), tets, &system.positions, DEPTH * wanted));
        }
        if inset.is_empty() {
            return;
        }
        for point in &inset {
            system.surface.movable[point.node as usize] = point.nodes.iter().any(|&node| !system.fixed[node as usize]);
        }
        system.surface.points = ContactPoints::new(inset, DEPTH * wanted);
    }
}

/// For each body, whether it is nearer than `reach` [m] to another part, or passes through one.
fn bodies_near_another(surface: &CollisionSurface, x: &[Vec3], reach: f64, bodies: usize) -> Vec<bool> {
    let mut near = vec![false; bodies];
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
    let pairs = touching(surface, x, reach);
    pairs.vertex_triangle.iter().for_each(|&(v, t)| note(surface.vertex_parts[v as usize], surface.triangle_parts[t as usize]));
    pairs.edge_edge.iter().for_each(|&(a, b)| note(surface.edge_parts[a as usize], surface.edge_parts[b as usize]));
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
        if normals.is_empty() { None } else { hung_on_a_tet(tets, x, &behind(normals, depth)) }
    };
    faces.iter().zip(&around).filter_map(point).collect()
}

/// The shortest vector that leads `depth` behind all planes through the origin with these unit normals, as nearly as there is one:
/// by Hildreth's method, one multiplier a plane, and never farther than three times the depth.
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
    if length > 3.0 * depth { inward * (3.0 * depth / length) } else { inward }
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
