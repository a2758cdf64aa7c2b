//! The surfaces that may touch: triangles, edges and vertices of all parts, with areas, and the rules of touching.
//!
//! A part has triangles, lines and points in any mixture. A line is an edge that is no side of a triangle, a point a vertex without
//! an edge: they have neither an inside nor an outside, and touch from all sides.

mod areas;
mod input;
mod neighbours;
mod rules;
mod thickness;

use std::ops::Range;

pub use self::input::{FeatureName, PartForm, PartInput, SurfaceError};
use self::neighbours::Neighbours;
pub use self::rules::PairRules;
pub use self::thickness::{Thinness, TightPlaces, UNTOLD};
use super::points::ContactPoints;
use crate::math::Vec3;

/// Stands for "none" in [`CollisionSurface::vertex_of_node`].
pub const NO_VERTEX: u32 = u32::MAX;

/// One surface, and where its features lie in the lists of a [`CollisionSurface`].
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// Name in the scene.
    pub name: String,
    /// Its vertices.
    pub vertices: Range<usize>,
    /// Its edges.
    pub edges: Range<usize>,
    /// Its triangles.
    pub triangles: Range<usize>,
    /// How far it reaches around its features [m]: that of a round part, or half the thickness of a cloth.
    pub radius: f64,
    /// Whether it is round, and its radius no thickness.
    pub is_round: bool,
}

/// Some of the features of a surface, of `N` nodes each.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Chosen<const N: usize> {
    /// Their numbers in the list of all, ascending.
    pub features: Vec<u32>,
    /// Nodes of each.
    pub nodes: Vec<[u32; N]>,
    /// Part of each.
    pub parts: Vec<u32>,
}

/// Two nodes that a stitch holds together: a vertex, and a corner of what it is sewn to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sewn {
    /// Both.
    pub nodes: [u32; 2],
    /// Way between them on the surface where the seam is closed [m].
    pub apart: f64,
}

/// Everything that may touch, over one node space. Parts lie one after the other in each list.
///
/// Areas are those of the positions at construction and stay (Li et al. 2020 measure contact on the rest surface): they
/// weigh the barrier, and a weight that moved would add forces of its own.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CollisionSurface {
    /// Node of each vertex, ascending within a part.
    pub vertices: Vec<u32>,
    /// Nodes of each edge, the smaller first; ascending within a part, each once.
    pub edges: Vec<[u32; 2]>,
    /// Nodes of each triangle, as given.
    pub triangles: Vec<[u32; 3]>,
    /// Part of each vertex.
    pub vertex_parts: Vec<u32>,
    /// Part of each edge.
    pub edge_parts: Vec<u32>,
    /// Part of each triangle.
    pub triangle_parts: Vec<u32>,
    /// Lines: edges that are no side of a triangle. Empty where only round parts have any, which vertices meet as they meet triangles'
    /// edges.
    pub lines: Chosen<2>,
    /// Points: vertices without an edge; empty where only round parts have any.
    pub lone: Chosen<1>,
    /// Whether each vertex is a corner of a triangle.
    pub is_corner: Vec<bool>,
    /// A third of the area of the triangles around each vertex [m^2]; of lines, see [`CollisionSurface::edge_areas`], a half at each end.
    pub vertex_areas: Vec<f64>,
    /// A third of the area of the triangles at each edge [m^2]; of a line that of a strip half as wide as the lines of its part are long
    /// on average: a net of squares counts as much as it covers.
    pub edge_areas: Vec<f64>,
    /// Area of each triangle [m^2].
    pub triangle_areas: Vec<f64>,
    /// Length of each edge [m].
    pub edge_lengths: Vec<f64>,
    /// The parts.
    pub parts: Vec<Part>,
    /// Which nodes of the node space have a balance row: a pair of features without such a node never touches.
    pub movable: Vec<bool>,
    /// Index in `vertices` of each node of the node space; [`NO_VERTEX`] for a node that is on no surface.
    pub vertex_of_node: Vec<u32>,
    /// Which parts may touch, and with which friction.
    pub rules: PairRules,
    /// Where the vertices touch: distances, areas and forces are those of these points.
    pub points: ContactPoints,
    /// How much of their thickness parts have where they are nearer to one another than that from the start.
    pub thinness: Thinness,
    /// Vertices of one thick part so near one another on its surface that no thickness keeps them apart.
    neighbours: Neighbours,
    /// What is sewn together.
    seams: Vec<Sewn>,
    /// For each vertex those that it is sewn to: features at them do not touch, as if they had a node in common.
    sewn: Neighbours,
    /// Mean area of the vertices that can move [m^2], to which contact weights are relative; of all where none can.
    pub mean_vertex_area: f64,
    /// Number of vertices that can move.
    pub movable_vertices: usize,
}

impl CollisionSurface {
    /// The surface of all `parts` over the node space of `positions` [m] (the rest shape), where `movable` says of each
    /// node whether it has a balance row. Parts share no node.
    pub fn new(positions: &[Vec3], parts: Vec<PartInput>, rules: PairRules, movable: Vec<bool>) -> Result<Self, SurfaceError> {
        let length = |what, given, wanted| if given == wanted { Ok(()) } else { Err(SurfaceError::Length { what, given, wanted }) };
        length("movable nodes", movable.len(), positions.len())?;
        length("rules of touching", rules.parts(), parts.len())?;
        let vertex_of_node = vec![NO_VERTEX; positions.len()];
        let mut surface = Self { movable, rules, vertex_of_node, ..Self::default() };
        for part in parts {
            surface.add(positions, part)?;
        }
        surface.forget_round();
        surface.neighbours = Neighbours::new(&surface, positions);
        surface.weigh_lone(positions);
        surface.mean_vertex_area = surface.mean_area();
        surface.count_movable();
        Ok(surface)
    }

    /// The same surface, sewn together; `positions` [m] are those that it was made at.
    #[must_use]
    pub fn sewn(mut self, seams: Vec<Sewn>, positions: &[Vec3]) -> Self {
        if !seams.is_empty() {
            self.sewn = Neighbours::sewn(&self, &seams);
            self.seams = seams;
            self.neighbours = Neighbours::new(&self, positions);
        }
        self
    }

    /// Whether the features with these nodes have one in common, or are sewn together: they do not touch.
    #[inline]
    pub fn are_joined(&self, first: &[u32], second: &[u32]) -> bool {
        first.iter().any(|node| second.contains(node)) || self.sewn.any(self, first, second)
    }

    /// The nodes that a node is sewn to.
    pub fn sewn_to(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let vertex = self.vertex_of_node.get(node as usize).copied().filter(|&v| v != NO_VERTEX);
        vertex.into_iter().flat_map(|v| self.sewn.of(v)).map(|&v| self.vertices[v as usize])
    }

    /// Whether features of two parts may touch (of one part, where the two are the same).
    #[inline]
    pub fn may_touch(&self, a: u32, b: u32) -> bool {
        self.rules.friction(a, b).is_some()
    }

    /// Friction coefficient between two parts; 0 where they never touch.
    pub fn friction(&self, a: u32, b: u32) -> f64 {
        self.rules.friction(a, b).unwrap_or(0.0)
    }

    /// Part of a node; none for a node that is on no surface.
    pub fn part_of_node(&self, node: u32) -> Option<u32> {
        self.vertex_parts.get(*self.vertex_of_node.get(node as usize)? as usize).copied()
    }

    /// Whether one of `nodes` can move.
    #[inline]
    pub fn any_movable(&self, nodes: &[u32]) -> bool {
        nodes.iter().any(|&node| self.movable[node as usize])
    }

    /// Whether any two features may touch at all.
    pub fn is_active(&self) -> bool {
        self.rules.any_touch() && self.vertices.iter().any(|&node| self.movable[node as usize])
    }

    /// Edges with one triangle only, directed as that triangle runs through them (half-edges without a twin): the border
    /// of open surfaces, none on closed ones.
    pub fn border(&self) -> Vec<[u32; 2]> {
        let mut directed: Vec<[u32; 2]> = self.triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).collect();
        directed.sort_unstable();
        directed.iter().filter(|&&[a, b]| directed.binary_search(&[b, a]).is_err()).copied().collect()
    }

    /// Counts the vertices that can move, after `movable` was changed.
    pub fn count_movable(&mut self) {
        self.movable_vertices = self.vertices.iter().filter(|&&node| self.movable[node as usize]).count();
    }

    fn add(&mut self, positions: &[Vec3], input: PartInput) -> Result<(), SurfaceError> {
        input.check(positions.len())?;
        let mut nodes: Vec<u32> = input.features().flat_map(|(_, nodes)| nodes).copied().collect();
        nodes.sort_unstable();
        nodes.dedup();
        if let Some((node, other)) = nodes.iter().find_map(|&node| Some((node, self.part_of_node(node)?))) {
            return Err(SurfaceError::SharedNode { first: self.parts[other as usize].name.clone(), second: input.name, node });
        }
        let (part, radius, is_round) = (self.parts.len() as u32, input.radius(), input.is_round());
        let first = (self.vertices.len(), self.edges.len(), self.triangles.len());
        for (&node, vertex) in nodes.iter().zip(first.0 as u32..) {
            self.vertex_of_node[node as usize] = vertex;
        }
        self.vertices.extend_from_slice(&nodes);
        self.vertex_areas.resize(self.vertices.len(), 0.0);
        self.is_corner.resize(self.vertices.len(), false);
        match &input.form {
            PartForm::Features { points, edges, triangles, .. } => {
                self.add_triangles(positions, edges, triangles);
                self.add_lone(points, first.1);
            }
            PartForm::Round { chain, .. } => {
                self.add_chain(positions, chain, radius);
                self.add_lone(chain, first.1);
            }
        }
        self.vertex_parts.resize(self.vertices.len(), part);
        self.edge_parts.resize(self.edges.len(), part);
        self.triangle_parts.resize(self.triangles.len(), part);
        self.parts.push(Part {
            name: input.name,
            vertices: first.0..self.vertices.len(),
            edges: first.1..self.edges.len(),
            triangles: first.2..self.triangles.len(),
            radius,
            is_round,
        });
        Ok(())
    }

    /// Forgets the lines and points of round parts where no other part has any: nothing looks for them then.
    fn forget_round(&mut self) {
        let is_flat = |part: &u32| !self.parts[*part as usize].is_round;
        if !self.lines.parts.iter().chain(&self.lone.parts).any(is_flat) {
            (self.lines, self.lone) = Default::default();
        }
    }
}

impl<const N: usize> Chosen<N> {
    fn push(&mut self, feature: usize, nodes: [u32; N], part: usize) {
        self.features.push(feature as u32);
        self.nodes.push(nodes);
        self.parts.push(part as u32);
    }

    /// Whether the feature with this number is among them.
    pub fn contains(&self, feature: u32) -> bool {
        self.features.binary_search(&feature).is_ok()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use std::f64::consts::PI;

    use super::*;

    fn part(name: &str, triangles: &[[u32; 3]]) -> PartInput {
        PartInput::triangles(name, triangles.to_vec())
    }

    /// An octahedron and, after it in the node space, a sheet of n x n squares of side 1 / n.
    fn octahedron_and_sheet(n: u32) -> (Vec<Vec3>, Vec<PartInput>) {
        let mut x = vec![Vec3::x(), -Vec3::x(), Vec3::y(), -Vec3::y(), Vec3::z(), -Vec3::z()];
        let octahedron = [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
        let side = 1.0 / f64::from(n);
        x.extend((0..=n).flat_map(|i| (0..=n).map(move |j| Vec3::new(f64::from(i) * side, f64::from(j) * side, 9.0))));
        let squares = (0..n).flat_map(|i| (0..n).map(move |j| 6 + i * (n + 1) + j));
        let sheet: Vec<_> = squares.flat_map(|q| [[q, q + n + 1, q + 1], [q + 1, q + n + 1, q + n + 2]]).collect();
        (x, vec![part("octahedron", &octahedron), part("sheet", &sheet)])
    }

    fn surface() -> CollisionSurface {
        let (x, parts) = octahedron_and_sheet(4);
        CollisionSurface::new(&x, parts, PairRules::all_touch(2, 0.3), vec![true; x.len()]).unwrap()
    }

    #[test]
    fn areas_of_vertices_and_of_edges_add_up_to_the_area() {
        let surface = surface();
        for (part, area) in surface.parts.iter().zip([4.0 * 3.0_f64.sqrt(), 1.0]) {
            assert!((surface.vertex_areas[part.vertices.clone()].iter().sum::<f64>() - area).abs() < 1e-14, "{}", part.name);
            assert!((surface.edge_areas[part.edges.clone()].iter().sum::<f64>() - area).abs() < 1e-14, "{}", part.name);
            assert!((surface.triangle_areas[part.triangles.clone()].iter().sum::<f64>() - area).abs() < 1e-14, "{}", part.name);
        }
        assert!(surface.edges.iter().zip(&surface.edge_lengths).all(|(edge, &length)| edge[0] < edge[1] && length > 0.0));
    }

    #[test]
    fn every_edge_of_a_closed_surface_has_two_triangles() {
        let surface = surface();
        let closed = &surface.parts[0];
        assert_eq!((closed.vertices.len(), closed.edges.len(), closed.triangles.len()), (6, 12, 8));
        let sides = |edge: &[u32; 2]| surface.triangles.iter().filter(|t| edge.iter().all(|node| t.contains(node))).count();
        assert!(surface.edges[closed.edges.clone()].iter().all(|edge| sides(edge) == 2));
        assert!(surface.border().iter().all(|&[a, _]| surface.part_of_node(a) == Some(1)));
    }

    /// Half-edges without a twin form closed loops; the lengths around the nodes, half of each neighbour, add up to the
    /// perimeter.
    #[test]
    fn the_border_of_a_sheet_is_a_closed_loop_as_long_as_its_perimeter() {
        let (surface, (x, _)) = (surface(), octahedron_and_sheet(4));
        let border = surface.border();
        let (mut node, mut length) = (border[0][0], 0.0);
        for _ in 0..border.len() {
            let next: Vec<_> = border.iter().filter(|edge| edge[0] == node).collect();
            assert_eq!(next.len(), 1, "node {node}");
            let previous = border.iter().find(|edge| edge[1] == node).unwrap();
            let side = |edge: &[u32; 2]| (x[edge[1] as usize] - x[edge[0] as usize]).norm();
            length += 0.5 * (side(next[0]) + side(previous));
            node = next[0][1];
        }
        assert_eq!((node, border.len()), (border[0][0], 16));
        assert!((length - 4.0).abs() < 1e-14, "{length}");
    }

    #[test]
    fn rules_are_symmetric_and_parts_are_found_by_node() {
        let mut surface = surface();
        surface.rules.set(0, 1, None);
        assert!(surface.may_touch(0, 0) && !surface.may_touch(0, 1) && !surface.may_touch(1, 0));
        assert_eq!((surface.friction(1, 1), surface.friction(1, 0)), (0.3, 0.0));
        assert_eq!((surface.part_of_node(5), surface.part_of_node(6)), (Some(0), Some(1)));
        assert!(surface.is_active());
        surface.movable.fill(false);
        assert!(!surface.is_active());
    }

    #[test]
    fn what_cannot_be_a_surface_is_refused_with_the_place() {
        let x = vec![Vec3::zeros(); 6];
        let refused = |parts: Vec<PartInput>, movable: usize| {
            let rules = PairRules::none_touch(parts.len());
            CollisionSurface::new(&x, parts, rules, vec![true; movable]).unwrap_err().to_string()
        };
        assert!(refused(vec![part("a", &[[0, 1, 2], [3, 4, 6]])], 6).contains("`a`: triangle 1 uses node 6"));
        assert!(refused(vec![part("a", &[[0, 1, 1]])], 6).contains("node 1 twice"));
        assert!(refused(vec![part("a", &[[0, 1, 2]]), part("b", &[[5, 4, 2]])], 6).contains("`a` and `b` both use node 2"));
        assert!(refused(vec![PartInput::lines("a", vec![[0, 1], [2, 2]])], 6).contains("edge 1 uses node 2 twice"));
        assert!(refused(vec![PartInput::new("a", vec![3, 7], vec![], vec![])], 6).contains("point 1 uses node 7"));
        assert!(refused(vec![], 5).contains("5 given for 6"));
    }

    /// A net of squares counts as much as it covers, whatever else there is; what is given twice counts once.
    #[test]
    fn lines_are_edges_without_triangles_and_points_vertices_without_edges() {
        let n = 6;
        let node = |i: u32, j: u32| i * (n + 1) + j;
        let mut x: Vec<Vec3> = (0..=n).flat_map(|i| (0..=n).map(move |j| Vec3::new(f64::from(i), f64::from(j), 0.0) * 0.5)).collect();
        let places = || (0..=n).flat_map(|i| (0..=n).map(move |j| (i, j)));
        let mut lines: Vec<[u32; 2]> = places().filter(|(i, _)| *i < n).map(|(i, j)| [node(i + 1, j), node(i, j)]).collect();
        lines.extend(places().filter(|(_, j)| *j < n).map(|(i, j)| [node(i, j), node(i, j + 1)]));
        let net = PartInput::lines("net", lines.clone());
        let new = |x: &[Vec3], parts: Vec<PartInput>| {
            let rules = PairRules::all_touch(parts.len(), 0.0);
            CollisionSurface::new(x, parts, rules, vec![true; x.len()]).unwrap()
        };
        let surface = new(&x, vec![net]);
        assert!((surface.vertex_areas[node(2, 3) as usize] - 0.25).abs() < 1e-15);
        let covered = f64::from(n * n) * 0.25;
        let sums = [&surface.vertex_areas, &surface.edge_areas].map(|areas| areas.iter().sum::<f64>());
        assert!((sums[0] / covered - 7.0 / 6.0).abs() < 1e-12 && (sums[1] - sums[0]).abs() < 1e-12, "{sums:?}");
        assert!(surface.lines.nodes == surface.edges && surface.lone.features.is_empty() && surface.border().is_empty());
        // With triangles of which some lines are sides, and points of which some are theirs.
        x.extend([Vec3::new(9.0, 9.0, 9.0), Vec3::new(8.0, 9.0, 9.0)]);
        let triangles = vec![[node(0, 0), node(1, 0), node(0, 1)], [node(1, 0), node(1, 1), node(0, 1)]];
        lines.extend([[node(0, 1), node(1, 0)], [node(3, 3), node(3, 4)]]);
        let lone = x.len() as u32 - 2;
        let mixed = PartInput::new("mixed", vec![lone + 1, node(0, 0), node(3, 3), lone, lone], lines, triangles);
        let surface = new(&x, vec![mixed]);
        assert_eq!((surface.edges.len(), surface.lines.nodes.len()), (84 + 1, 84 - 4));
        assert!(surface.edges.is_sorted() && surface.lone.nodes == [[lone], [lone + 1]]);
        assert!((0..surface.edges.len() as u32).all(|e| {
            let is_side = |t: &[u32; 3]| surface.edges[e as usize].iter().all(|node| t.contains(node));
            surface.lines.contains(e) != surface.triangles.iter().any(is_side)
        }));
        let side = surface.edges.iter().position(|ends| *ends == [node(0, 1), node(1, 0)]).unwrap();
        assert!((surface.edge_areas[side] - 2.0 * 0.125 / 3.0).abs() < 1e-15);
        let corners = |v: usize| surface.triangles.as_flattened().contains(&surface.vertices[v]);
        assert!((0..surface.vertices.len()).all(|v| surface.is_corner[v] == corners(v)));
        // Points count as much as the others do on average.
        let others: f64 = surface.vertex_areas[..lone as usize].iter().sum::<f64>() / f64::from(lone);
        assert!(
            (surface.vertex_areas[lone as usize] / others - 1.0).abs() < 1e-12 && (surface.mean_vertex_area / others - 1.0).abs() < 1e-12
        );
        // By themselves they are as good as any others.
        let alone = PartInput::new("points", vec![lone, lone + 1], Vec::new(), Vec::new());
        let surface = new(&x, vec![alone]);
        assert!(surface.vertex_areas == [0.5, 0.5] && surface.mean_vertex_area == 0.5);
        // Nothing looks for the lines of what is round only.
        let ball = PartInput::round("ball", vec![0], 0.2);
        let surface = new(&x, vec![PartInput::round("capsule", vec![1, 2], 0.2), ball, part("triangle", &[[3, 4, 5]])]);
        assert!(surface.lines.features.is_empty() && surface.lone.features.is_empty() && surface.edges.len() == 4);
    }

    /// From the side a ball is a disc, and a capsule a rectangle between the halves of one.
    #[test]
    fn areas_of_round_parts_are_what_one_sees_of_them() {
        let x: Vec<Vec3> = (0..4).map(|k| Vec3::new(0.3 * f64::from(k), 0.4 * f64::from(k), 0.0)).collect();
        for count in 1..4 {
            let round = PartInput { name: "round".into(), form: PartForm::Round { chain: (0..count).collect(), radius: 0.2 } };
            let surface = CollisionSurface::new(&x, vec![round], PairRules::all_touch(1, 0.0), vec![true; 4]).unwrap();
            let (length, disc) = (0.5 * f64::from(count - 1), PI * 0.04);
            assert!((surface.vertex_areas.iter().sum::<f64>() - (0.4 * length + disc)).abs() < 1e-14, "{count}");
            assert!((surface.edge_areas.iter().sum::<f64>() - 0.4 * length).abs() < 1e-14, "{count}");
            let ends = [surface.vertex_areas[0], surface.vertex_areas[count as usize - 1]];
            assert!((ends[0] - ends[1]).abs() < 1e-15, "{count}");
        }
    }
}
