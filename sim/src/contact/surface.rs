//! The surfaces that may touch: triangles, edges and vertices of all parts, with areas, and the rules of touching.

use std::f64::consts::PI;
use std::ops::Range;

use thiserror::Error;

use super::points::ContactPoints;
use crate::math::Vec3;

/// Stands for "none" in [`CollisionSurface::vertex_of_node`].
pub const NO_VERTEX: u32 = u32::MAX;

/// One surface that is given to [`CollisionSurface::new`]: that of a body, or an obstacle.
#[derive(Debug, Clone)]
pub struct PartInput {
    /// Name in the scene.
    pub name: String,
    /// What of it touches.
    pub form: PartForm,
}

/// What of a part touches.
#[derive(Debug, Clone)]
pub enum PartForm {
    /// Triangles; indices of nodes.
    Triangles(Vec<[u32; 3]>),
    /// Everything within a radius [m] of a chain of straight pieces: a ball around one node, or a capsule around several. It is round
    /// without end: where another surface is as near as the radius, the two touch.
    Round {
        /// Nodes of the chain, ascending.
        chain: Vec<u32>,
        /// The radius [m].
        radius: f64,
    },
}

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
    /// How far it reaches around its features [m]: none for triangles.
    pub radius: f64,
}

/// Which parts may touch, themselves included, and with which friction: a symmetric table.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PairRules {
    parts: usize,
    /// Friction coefficient of each ordered pair; none where the two never touch.
    friction: Vec<Option<f64>>,
    /// Parts that are not there, and touch nothing until they are.
    away: Vec<bool>,
}

/// Everything that may touch, over one node space. Parts lie one after the other in each list.
///
/// Areas are those of the positions at construction and stay (Li et al. 2020 measure contact on the rest surface): they
/// weigh the barrier, and a weight that moved would add forces of its own.
#[derive(Debug, Clone, Default)]
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
    /// A third of the area of the triangles around each vertex [m^2].
    pub vertex_areas: Vec<f64>,
    /// A third of the area of the triangles at each edge [m^2].
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
    /// Mean area of the vertices that can move [m^2], to which contact weights are relative; of all where none can.
    pub mean_vertex_area: f64,
    /// Number of vertices that can move.
    pub movable_vertices: usize,
}

/// Why surfaces cannot be used for contact.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SurfaceError {
    /// A triangle points outside the node space.
    #[error("surface `{part}`: feature {feature} uses node {node}, but there are only {nodes} nodes")]
    NoSuchNode {
        /// Name of the part.
        part: String,
        /// Index of the triangle in the part, or of the node in its chain.
        feature: usize,
        /// The node.
        node: u32,
        /// Length of the node space.
        nodes: usize,
    },
    /// A triangle has fewer than three different corners.
    #[error("surface `{part}`: feature {feature} uses node {node} twice; repair the mesh")]
    RepeatedNode {
        /// Name of the part.
        part: String,
        /// Index of the triangle in the part, or of the node in its chain.
        feature: usize,
        /// The node.
        node: u32,
    },
    /// Two parts use one node.
    #[error("surfaces `{first}` and `{second}` both use node {node}; give each its own nodes, or make them one part")]
    SharedNode {
        /// Name of the first part.
        first: String,
        /// Name of the second part.
        second: String,
        /// The node.
        node: u32,
    },
    /// A list or table has the wrong length.
    #[error("{what}: {given} given for {wanted}")]
    Length {
        /// Which list.
        what: &'static str,
        /// Its length.
        given: usize,
        /// The length that fits.
        wanted: usize,
    },
}

impl PartInput {
    /// A surface of triangles, by nodes.
    pub fn triangles(name: impl Into<String>, triangles: Vec<[u32; 3]>) -> Self {
        Self { name: name.into(), form: PartForm::Triangles(triangles) }
    }

    /// Everything within `radius` [m] of a chain of nodes, ascending.
    pub fn round(name: impl Into<String>, chain: Vec<u32>, radius: f64) -> Self {
        Self { name: name.into(), form: PartForm::Round { chain, radius } }
    }

    fn nodes(&self) -> &[u32] {
        match &self.form {
            PartForm::Triangles(triangles) => triangles.as_flattened(),
            PartForm::Round { chain, .. } => chain,
        }
    }
}

impl PairRules {
    /// Rules for so many parts: every part may touch every part and itself, with the friction coefficient `friction`.
    pub fn all_touch(parts: usize, friction: f64) -> Self {
        Self { parts, friction: vec![Some(friction); parts * parts], away: vec![false; parts] }
    }

    /// Rules for so many parts: none touches any.
    pub fn none_touch(parts: usize) -> Self {
        Self { parts, friction: vec![None; parts * parts], away: vec![false; parts] }
    }

    /// Lets two parts (or one with itself) touch with a friction coefficient; or never, with `None`.
    pub fn set(&mut self, a: u32, b: u32, friction: Option<f64>) {
        let (a, b) = (a as usize, b as usize);
        self.friction[a * self.parts + b] = friction;
        self.friction[b * self.parts + a] = friction;
    }

    /// Takes a part away, or brings it back: what it may touch is the same as before.
    pub fn set_away(&mut self, part: u32, away: bool) {
        self.away[part as usize] = away;
    }

    /// Whether a part is taken away.
    pub fn is_away(&self, part: u32) -> bool {
        self.away[part as usize]
    }

    /// Friction coefficient of two parts; none where they never touch, or one of them is not there.
    #[inline]
    pub fn friction(&self, a: u32, b: u32) -> Option<f64> {
        let (a, b) = (a as usize, b as usize);
        if self.away[a] || self.away[b] { None } else { self.friction[a * self.parts + b] }
    }
}

impl CollisionSurface {
    /// The surface of all `parts` over the node space of `positions` [m] (the rest shape), where `movable` says of each
    /// node whether it has a balance row. Parts share no node.
    pub fn new(positions: &[Vec3], parts: Vec<PartInput>, rules: PairRules, movable: Vec<bool>) -> Result<Self, SurfaceError> {
        let length = |what, given, wanted| if given == wanted { Ok(()) } else { Err(SurfaceError::Length { what, given, wanted }) };
        length("movable nodes", movable.len(), positions.len())?;
        length("rules of touching", rules.parts, parts.len())?;
        let vertex_of_node = vec![NO_VERTEX; positions.len()];
        let mut surface = Self { movable, rules, vertex_of_node, ..Self::default() };
        for part in parts {
            surface.add(positions, part)?;
        }
        surface.mean_vertex_area = surface.mean_area();
        surface.count_movable();
        Ok(surface)
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

    /// How far a part reaches around its features [m].
    #[inline]
    pub fn radius(&self, part: u32) -> f64 {
        self.parts.get(part as usize).map_or(0.0, |part| part.radius)
    }

    /// How far the part of a node reaches around its features [m].
    pub fn radius_at(&self, node: u32) -> f64 {
        self.part_of_node(node).map_or(0.0, |part| self.radius(part))
    }

    /// Part of a node; none for a node that is on no surface.
    pub fn part_of_node(&self, node: u32) -> Option<u32> {
        self.vertex_parts.get(self.vertex_of_node[node as usize] as usize).copied()
    }

    /// Whether one of `nodes` can move.
    #[inline]
    pub fn any_movable(&self, nodes: &[u32]) -> bool {
        nodes.iter().any(|&node| self.movable[node as usize])
    }

    /// Whether any two features may touch at all.
    pub fn is_active(&self) -> bool {
        self.rules.friction.iter().any(Option::is_some) && self.vertices.iter().any(|&node| self.movable[node as usize])
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
        self.check(&input, positions.len())?;
        let (part, radius) = (self.parts.len() as u32, if let PartForm::Round { radius, .. } = input.form { radius } else { 0.0 });
        let first = (self.vertices.len(), self.edges.len(), self.triangles.len());
        let mut nodes = input.nodes().to_vec();
        nodes.sort_unstable();
        nodes.dedup();
        for (&node, vertex) in nodes.iter().zip(first.0 as u32..) {
            self.vertex_of_node[node as usize] = vertex;
        }
        self.vertices.extend_from_slice(&nodes);
        self.vertex_areas.resize(self.vertices.len(), 0.0);
        match &input.form {
            PartForm::Triangles(triangles) => self.add_triangles(positions, triangles),
            PartForm::Round { chain, .. } => self.add_chain(positions, chain, radius),
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
        });
        Ok(())
    }

    /// The edges and triangles of a part whose vertices are there, with all areas.
    fn add_triangles(&mut self, positions: &[Vec3], triangles: &[[u32; 3]]) {
        let (first_edge, first_triangle) = (self.edges.len(), self.triangles.len());
        let mut sides = Vec::with_capacity(3 * triangles.len());
        for (triangle, &corners) in triangles.iter().enumerate() {
            let [a, b, c] = corners.map(|node| positions[node as usize]);
            let area = 0.5 * (b - a).cross(&(c - a)).norm();
            self.triangle_areas.push(area);
            for k in 0..3 {
                let (from, to) = (corners[k], corners[(k + 1) % 3]);
                self.vertex_areas[self.vertex_of_node[from as usize] as usize] += area / 3.0;
                sides.push(([from.min(to), from.max(to)], triangle));
            }
        }
        sides.sort_unstable();
        for (edge, triangle) in sides {
            let third = self.triangle_areas[first_triangle + triangle] / 3.0;
            if self.edges[first_edge..].last() == Some(&edge) {
                *self.edge_areas.last_mut().unwrap_or(&mut 0.0) += third;
            } else {
                self.edges.push(edge);
                self.edge_areas.push(third);
                self.edge_lengths.push((positions[edge[0] as usize] - positions[edge[1] as usize]).norm());
            }
        }
        self.triangles.extend_from_slice(triangles);
    }

    /// The edges of a chain, with areas: what one sees of it from the side, half of an edge's share at each of its ends.
    fn add_chain(&mut self, positions: &[Vec3], chain: &[u32], radius: f64) {
        for ends in chain.windows(2).map(|ends| [ends[0], ends[1]]) {
            let length = (positions[ends[0] as usize] - positions[ends[1] as usize]).norm();
            self.edges.push(ends);
            self.edge_areas.push(2.0 * radius * length);
            self.edge_lengths.push(length);
            ends.iter().for_each(|&node| self.vertex_areas[self.vertex_of_node[node as usize] as usize] += radius * length);
        }
        for &node in chain.iter().take(1).chain(chain.iter().skip(1).next_back()) {
            let caps = if chain.len() > 1 { 0.5 } else { 1.0 };
            self.vertex_areas[self.vertex_of_node[node as usize] as usize] += caps * PI * radius * radius;
        }
    }

    fn check(&self, input: &PartInput, nodes: usize) -> Result<(), SurfaceError> {
        let (part, of_feature) = (|| input.name.clone(), if let PartForm::Triangles(_) = input.form { 3 } else { 1 });
        if let Some((index, &node)) = input.nodes().iter().enumerate().find(|&(_, &node)| node as usize >= nodes) {
            return Err(SurfaceError::NoSuchNode { part: part(), feature: index / of_feature, node, nodes });
        }
        let repeated = |nodes: &[u32]| nodes.iter().enumerate().find(|&(k, node)| nodes[..k].contains(node)).map(|(_, &node)| node);
        let found = match &input.form {
            PartForm::Triangles(triangles) => triangles.iter().enumerate().find_map(|(t, corners)| Some((t, repeated(corners)?))),
            PartForm::Round { chain, .. } => repeated(chain).map(|node| (0, node)),
        };
        if let Some((feature, node)) = found {
            return Err(SurfaceError::RepeatedNode { part: part(), feature, node });
        }
        match input.nodes().iter().find_map(|&node| Some((node, self.part_of_node(node)?))) {
            Some((node, other)) => Err(SurfaceError::SharedNode { first: self.parts[other as usize].name.clone(), second: part(), node }),
            None => Ok(()),
        }
    }

    fn mean_area(&self) -> f64 {
        let mean = |counts: &dyn Fn(usize) -> bool| {
            let (sum, count) =
                self.vertex_areas.iter().enumerate().filter(|&(v, _)| counts(v)).fold((0.0, 0), |(s, n), (_, a)| (s + a, n + 1));
            (count > 0).then(|| sum / f64::from(count))
        };
        mean(&|v| self.movable[self.vertices[v] as usize]).or_else(|| mean(&|_| true)).unwrap_or(0.0)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
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
        assert!(refused(vec![part("a", &[[0, 1, 2], [3, 4, 6]])], 6).contains("`a`: feature 1 uses node 6"));
        assert!(refused(vec![part("a", &[[0, 1, 1]])], 6).contains("node 1 twice"));
        assert!(refused(vec![part("a", &[[0, 1, 2]]), part("b", &[[5, 4, 2]])], 6).contains("`a` and `b` both use node 2"));
        assert!(refused(vec![], 5).contains("5 given for 6"));
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
