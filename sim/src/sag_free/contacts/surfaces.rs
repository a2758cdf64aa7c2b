//! Contacts between surfaces: of bodies with one another, with themselves, and with obstacles that are meshes.
//!
//! ```text
//! candidates -> vertices on triangles and lines, at each local minimum of the distance; points on points
//!            -> edges across edges, where vertices are too few to carry a body, and lines everywhere
//! ```
//!
//! Feature, weights and normal of a site are those that the stepper's slot picks, so that it makes the very force.

use std::borrow::Cow;

use crate::contact::broad_phase::{BroadPhase, Candidates};
use crate::contact::primitive::{Nearest, edge_edge, point_triangle};
use crate::contact::stencil::NO_NODE;
use crate::contact::surface::{CollisionSurface, Part};
use crate::contact::surfaces::{CommonPoint, Facing, Fans, Feature, FeatureKind, Touch, same_direction, unit_normal};
use crate::math::{Mat3, Vec3};
use crate::sag_free::problem::{Between, ContactSite};
use crate::system::System;

/// Cosine up to which a direction leaves the side of a triangle on which it is: beyond, walls in line with a contact
/// would take part in it.
const GRAZING: f64 = 0.1;

/// Squared sine of the angle from which on edges cross.
const CROSSING: f64 = 1e-4;

/// Sine of the angle by which an edge is bent over which a line leads.
const LEAST_BEND: f64 = 1e-5;

/// Sine of the angle by which the edges at a corner lead away from what it stands on.
const RISING: f64 = 1e-3;

/// Distance up to which two contacts of something round with one part are one, as a share of the reach.
const SAME_PLACE: f64 = 1e-3;

/// How far out of the fan between an edge's two triangles a direction may point and still be of the edge: faces that lie on one
/// another are never quite parallel.
const CONE_TOLERANCE: f64 = 0.05;

/// The pairs of features that may touch and are near one another in the given shape.
pub struct SurfaceSearch<'a> {
    system: &'a System,
    surface: &'a CollisionSurface,
    /// Where the contact points are.
    x: Cow<'a, [Vec3]>,
    fans: Fans,
    candidates: Candidates,
    /// Parts that have a border or a thickness: both sides of their triangles are outside.
    open: Vec<bool>,
    /// Those of them that move: cloth.
    cloth: Vec<bool>,
    reach: f64,
}

impl<'a> SurfaceSearch<'a> {
    /// Looks for all pairs nearer than `reach` [m].
    pub fn new(system: &'a System, reach: f64) -> Self {
        let surface = &system.surface;
        let x = surface.points.of(&system.positions);
        let mut candidates = Candidates::default();
        if surface.is_active() {
            BroadPhase::default().find(surface, &x, reach + 2.0 * surface.points.depth, &mut candidates);
        }
        let mut open: Vec<bool> = surface.parts.iter().map(|part| part.radius > 0.0 && !part.is_round).collect();
        for part in surface.border().iter().filter_map(|[a, _]| surface.part_of_node(*a)) {
            open[part as usize] = true;
        }
        let moves = |part: &Part| surface.any_movable(&surface.vertices[part.vertices.clone()]);
        let cloth = surface.parts.iter().zip(&open).map(|(part, open)| *open && moves(part)).collect();
        Self { system, surface, x, fans: Fans::new(surface), candidates, open, cloth, reach }
    }

    /// Vertices on triangles and lines: for each vertex and part, the local minima of their distance; and points on points.
    pub fn vertices(&self) -> Vec<ContactSite> {
        let Candidates { vertex_triangle, vertex_edge, vertex_vertex, .. } = &self.candidates;
        let on = |facing: fn(u32) -> Facing| move |&(vertex, other): &(u32, u32)| (vertex, facing(other));
        let mut faced: Vec<(u32, Facing)> = vertex_triangle.iter().map(on(Facing::Triangle)).collect();
        faced.extend(vertex_edge.iter().map(on(Facing::Edge)));
        faced.extend(vertex_vertex.iter().map(on(Facing::Vertex)));
        // Stable: triangles come first.
        faced.sort_by_key(|(vertex, _)| *vertex);
        let mut sites = Vec::new();
        for faced in faced.chunk_by(|a, b| a.0 == b.0) {
            let vertex = self.surface.vertices[faced[0].0 as usize];
            let found = faced.iter().filter_map(|&(_, facing)| Some((self.part_of(facing), self.minimum(vertex, facing)?)));
            let mut minima: Vec<(u32, ContactSite)> = found.collect();
            minima.sort_by(|(_, a), (_, b)| a.distance.total_cmp(&b.distance));
            let mut kept: Vec<(u32, ContactSite)> = Vec::new();
            for (part, site) in minima {
                if kept.iter().all(|(other, nearer)| *other != part || !self.is_one_contact(vertex, nearer, &site)) {
                    kept.push((part, site));
                }
            }
            sites.extend(kept.into_iter().map(|(_, site)| site));
        }
        sites
    }

    fn part_of(&self, facing: Facing) -> u32 {
        match facing {
            Facing::Triangle(triangle) => self.surface.triangle_parts[triangle as usize],
            Facing::Edge(edge) => self.surface.edge_parts[edge as usize],
            Facing::Vertex(vertex) => self.surface.vertex_parts[vertex as usize],
        }
    }

    /// Whether two sites of a vertex and one part are the same contact: a vertex touches once on each side, something round wherever the
    /// other surface comes near. Points are each for themselves.
    fn is_one_contact(&self, vertex: u32, a: &ContactSite, b: &ContactSite) -> bool {
        let is_point = |site: &ContactSite| matches!(site.between, Between::Surfaces(Touch::VertexVertex { .. }));
        if is_point(a) || is_point(b) {
            false
        } else if self.is_round(vertex) {
            (a.point - b.point).norm() <= SAME_PLACE * self.reach
        } else {
            same_direction(&a.normal, &b.normal)
        }
    }

    /// The site to which the vertex comes downhill from what it faces, if both look at one another and are near enough.
    fn minimum(&self, vertex: u32, facing: Facing) -> Option<ContactSite> {
        let (surface, x) = (self.surface, &*self.x);
        match facing {
            Facing::Triangle(triangle) => {
                let corners = surface.triangles[triangle as usize];
                let [a, b, c] = corners.map(|node| x[node as usize]);
                let nearest = point_triangle(&x[vertex as usize], &a, &b, &c);
                if self.gap(&Touch::VertexTriangle { vertex, triangle: corners }, &nearest) > self.reach
                    || !self.faces(vertex, triangle, &nearest)
                {
                    return None;
                }
                let facing = self.fans.descend(surface, vertex, triangle, x);
                let feature = self.fans.facing(surface, vertex, facing, x);
                let corners = surface.triangles[facing as usize];
                if corners.iter().any(|&corner| self.are_neighbours(vertex, corner)) || !self.faces(vertex, facing, &feature.nearest(x)) {
                    return None;
                }
                self.site(Touch::VertexTriangle { vertex, triangle: corners }, &feature)
            }
            Facing::Edge(line) => {
                let line = self.fans.descend_lines(surface, vertex, line, x);
                let feature = self.fans.facing_line(surface, vertex, line, x);
                let edge = surface.edges[line as usize];
                // Where a line ends on triangles, these are asked.
                let is_of_triangles = feature.kind == FeatureKind::Corner && self.is_corner(feature.nodes[1]);
                let joined = edge.iter().any(|&end| self.are_neighbours(vertex, end));
                let towards = feature.nearest(x).offset.try_normalize(0.0)?;
                // Beside a line, but not under it, a flat face is nearer than its vertex.
                let is_nearest = self.is_round(vertex) || self.is_end(vertex, &towards);
                if is_of_triangles || joined || !is_nearest || !self.looks_back(vertex, &towards) {
                    return None;
                }
                self.site(Touch::VertexEdge { vertex, edge }, &feature)
            }
            Facing::Vertex(other) => {
                let touch = Touch::VertexVertex { first: vertex, second: surface.vertices[other as usize] };
                let (feature, _) = touch.feature(surface, &self.fans, x)?;
                self.site(touch, &feature)
            }
        }
    }

    /// Distance of the surfaces [m] where contact points that touch have these nearest points.
    fn gap(&self, touch: &Touch, nearest: &Nearest) -> f64 {
        let points = &self.surface.points;
        let [first, .., second] = touch.nodes();
        let inside = [first, second].into_iter().filter(|&node| points.is_inset(node)).count();
        nearest.distance() - self.radius(touch) - points.depth * inside as f64
    }

    /// How far the surfaces reach around two that touch, together [m].
    fn radius(&self, touch: &Touch) -> f64 {
        touch.parts(self.surface).map_or(0.0, |parts| touch.radius(self.surface, parts))
    }

    /// Whether the part of a node is round: it looks everywhere.
    fn is_round(&self, node: u32) -> bool {
        self.surface.is_round_at(node)
    }

    /// Whether two nodes are joined by an edge of the surface, or by one to what the other is sewn to: their elements hold them, and near a
    /// fold they always come near one another's triangles.
    fn are_neighbours(&self, a: u32, b: u32) -> bool {
        let is_edge = |a: u32, b: u32| self.fans.edge_of(self.surface, &[a, b]).is_some();
        let sewn = |a: u32, b: u32| self.surface.sewn_to(a).any(|same| same == b || is_edge(same, b));
        is_edge(a, b) || sewn(a, b) || sewn(b, a)
    }

    /// Whether a node is a corner of a triangle.
    fn is_corner(&self, node: u32) -> bool {
        self.surface.is_corner.get(self.surface.vertex_of_node[node as usize] as usize).is_some_and(|&is_corner| is_corner)
    }

    /// Whether the vertex looks at `triangle`, and that back at the vertex.
    fn faces(&self, vertex: u32, triangle: u32, nearest: &Nearest) -> bool {
        let Some(towards) = nearest.offset.try_normalize(0.0) else { return false };
        self.looks(triangle, &towards) && self.looks_back(vertex, &towards)
    }

    /// Whether `triangle` looks along the unit vector `direction`.
    fn looks(&self, triangle: u32, direction: &Vec3) -> bool {
        let cosine = unit_normal(self.surface, triangle, &self.x).dot(direction);
        let is_open = self.open[self.surface.triangle_parts[triangle as usize] as usize];
        if is_open { cosine.abs() > GRAZING } else { cosine > GRAZING }
    }

    /// Whether a vertex looks against the unit vector `towards` that leads to it: a triangle there does, or nothing there leads on.
    fn looks_back(&self, vertex: u32, towards: &Vec3) -> bool {
        let around = || self.fans.around(self.surface, vertex).iter();
        self.is_round(vertex)
            || if self.is_corner(vertex) { around().any(|&t| self.looks(t, &-towards)) } else { self.is_end(vertex, towards) }
    }

    /// Whether no edge at a vertex leads on against the unit vector `towards` that leads to it: something on that edge would be nearer.
    fn is_end(&self, vertex: u32, towards: &Vec3) -> bool {
        let leads_on = |&e: &u32| {
            let along: Vec3 = self.surface.edges[e as usize].map(|end| self.x[end as usize] - self.x[vertex as usize]).iter().sum();
            along.dot(towards) < -GRAZING * along.norm()
        };
        !self.fans.edges_around(self.surface, vertex).iter().any(leads_on)
    }

    /// Edges across edges: lines and bent ones whose nearest points lie between their ends and look at one another. On something round a
    /// corner may stand, too, between the nodes of its chain.
    pub fn edges(&self) -> Vec<ContactSite> {
        self.candidates.edge_edge.iter().filter_map(|&(first, second)| self.crossing(first, second)).collect()
    }

    fn crossing(&self, first: u32, second: u32) -> Option<ContactSite> {
        let x = &*self.x;
        let [first, second] = [first, second].map(|edge| self.surface.edges[edge as usize]);
        let [a, b, c, d] = [first[0], first[1], second[0], second[1]].map(|node| x[node as usize]);
        let nearest = edge_edge(&a, &b, &c, &d);
        let parallel = (b - a).cross(&(d - c)).norm_squared() <= CROSSING * (b - a).norm_squared() * (d - c).norm_squared();
        let joined = first.iter().any(|&a| second.iter().any(|&b| self.are_neighbours(a, b)));
        let [of_first, of_second] = [0, 2].map(|k| nearest.weights[k] == 0.0 || nearest.weights[k + 1] == 0.0);
        if parallel || joined || of_second {
            return None;
        }
        let towards = nearest.offset.try_normalize(0.0)?;
        let is_out = |edge, other, direction: &Vec3| self.is_line(edge) || self.is_out_of(edge, direction, other);
        let meets = if of_first {
            let corner = first[usize::from(nearest.weights[0] == 0.0)];
            self.is_round(second[0]) && self.is_corner(corner) && self.stands_on(corner, first, &towards)
        } else {
            is_out(second, first, &towards) && is_out(first, second, &-towards)
        };
        if !meets {
            return None;
        }
        let touch = Touch::EdgeEdge { first, second };
        let (feature, _) = touch.feature(self.surface, &self.fans, x)?;
        self.site(touch, &feature)
    }

    /// Whether no triangle has the edge: it looks everywhere across.
    fn is_line(&self, edge: [u32; 2]) -> bool {
        self.fans.at(self.surface, &edge).next().is_none()
    }

    /// Whether a site is a crossing with a line. Nothing bears in its stead: lines bend between the vertices that touch.
    pub fn is_across_a_line(&self, site: &ContactSite) -> bool {
        let Between::Surfaces(Touch::EdgeEdge { first, second }) = site.between else { return false };
        [first, second].into_iter().any(|edge| self.is_line(edge) && !self.is_round(edge[0]))
    }

    /// Whether all edges at a corner lead up along the unit vector `up`, and `edge` is the first of them: the one that stands for it.
    fn stands_on(&self, corner: u32, edge: [u32; 2], up: &Vec3) -> bool {
        let mut around = self.fans.edges_around(self.surface, corner).iter().map(|&e| self.surface.edges[e as usize]);
        let rises = |ends: [u32; 2]| {
            let other = ends[usize::from(ends[0] == corner)];
            let along = self.x[other as usize] - self.x[corner as usize];
            along.dot(up) > RISING * along.norm()
        };
        around.next() == Some(edge) && rises(edge) && around.all(rises)
    }

    /// Whether the unit vector `direction`, across the edge, points out of its convex side: between the normals of its triangles. Vertices
    /// stand for edges that are hardly bent, but none does where a line leads over them.
    fn is_out_of(&self, edge: [u32; 2], direction: &Vec3, other: [u32; 2]) -> bool {
        let (x, to_line) = (&*self.x, self.is_line(other));
        let is_cloth = |edge: [u32; 2]| self.surface.part_of_node(edge[0]).is_some_and(|part| self.cloth[part as usize]);
        let both_sides = to_line || is_cloth(edge) || is_cloth(other);
        let mut around = self.fans.at(self.surface, &edge);
        let (Some(t), other_triangle) = (around.next(), around.next()) else { return false };
        let Some(beyond) = other_triangle else { return true };
        let is_flat = self.fans.is_flat(self.surface, t, &edge, x);
        let [mut n, mut m] = [t, beyond].map(|t| unit_normal(self.surface, t, x));
        if is_flat && !(to_line && n.cross(&m).norm() > LEAST_BEND) {
            return false;
        }
        if both_sides && self.open[self.surface.triangle_parts[t as usize] as usize] && direction.dot(&(n + m)) < 0.0 {
            (n, m) = (-n, -m);
        }
        // Of direction = p n + q m, both shares are to be positive: true of no direction out of a concave edge, whose
        // third corners lie on the outer side.
        let third = |t: u32| self.surface.triangles[t as usize].into_iter().find(|node| !edge.contains(node));
        let Some(apex) = third(beyond) else { return false };
        let convex = n.dot(&(x[apex as usize] - x[edge[0] as usize])) < 0.0;
        let (cosine, along_n, along_m) = (n.dot(&m), n.dot(direction), m.dot(direction));
        let tolerance = if is_flat { 0.0 } else { CONE_TOLERANCE };
        let within = |a: f64, b: f64| a - cosine * b >= -tolerance * (1.0 - cosine * cosine);
        convex && within(along_n, along_m) && within(along_m, along_n)
    }

    /// The site of two primitives with this feature; none if it is too far, or no node is free to take part.
    fn site(&self, touch: Touch, feature: &Feature) -> Option<ContactSite> {
        let x = &*self.x;
        let nearest = feature.nearest(x);
        let [first, .., second] = touch.nodes();
        let distance = self.gap(&touch, &nearest);
        let radius = self.surface.radius_on_first([first, second], self.radius(&touch));
        let normal = nearest.offset.try_normalize(0.0)?;
        let at = feature.common_point((self.surface, &self.fans), &nearest, None, x);
        let site = ContactSite {
            between: Between::Surfaces(touch),
            shares: self.shares(feature, &nearest, &normal, &at),
            point: nearest.first_point(|k| x[feature.nodes[k] as usize]) - radius * normal,
            normal,
            friction: touch.friction(self.surface),
            distance,
        };
        (distance <= self.reach && !super::held_across(self.system, &site)).then_some(site)
    }

    /// What each node bears of a force on the first primitive: of the normal force by the nearest points, on whose line it acts, as the
    /// stepper's barrier does; of friction at one point.
    fn shares(&self, feature: &Feature, nearest: &Nearest, normal: &Vec3, at: &CommonPoint) -> Vec<(u32, Mat3)> {
        let along = normal * normal.transpose();
        let across = Mat3::identity() - along;
        let pressed = feature.nodes.iter().zip(&nearest.weights).filter(|(node, _)| **node != NO_NODE);
        let of_points =
            pressed.map(|(&node, &weight)| (node, weight * along)).chain(at.places().map(|k| (at.nodes[k], across * at.map(k))));
        let mut shares: Vec<(u32, Mat3)> = Vec::new();
        for (point, share) in of_points {
            for (node, weight) in self.surface.points.shares(point) {
                match shares.iter_mut().find(|(known, _)| *known == node) {
                    Some((_, sum)) => *sum += weight * share,
                    None => shares.push((node, weight * share)),
                }
            }
        }
        shares.retain(|(_, share)| *share != Mat3::zeros());
        shares
    }
}
