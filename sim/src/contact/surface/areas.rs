//! The edges of parts, and the areas of all features.

use std::f64::consts::PI;

use super::CollisionSurface;
use crate::math::{Vec3, bounding_diagonal};

/// Width of the strip that a line stands for, over the mean length of its part's lines.
const STRIP: f64 = 0.5;

impl CollisionSurface {
    /// The edges and triangles of a part whose vertices are there, with all areas. Of `edges` those that are no side of a triangle are
    /// lines.
    pub(super) fn add_triangles(&mut self, positions: &[Vec3], edges: &[[u32; 2]], triangles: &[[u32; 3]]) {
        let (first_edge, first_triangle, first_line) = (self.edges.len(), self.triangles.len(), self.lines.features.len());
        let mut sides = Vec::with_capacity(3 * triangles.len() + edges.len());
        for (triangle, &corners) in triangles.iter().enumerate() {
            let [a, b, c] = corners.map(|node| positions[node as usize]);
            let area = 0.5 * (b - a).cross(&(c - a)).norm();
            self.triangle_areas.push(area);
            for k in 0..3 {
                let (from, to) = (corners[k], corners[(k + 1) % 3]);
                let vertex = self.vertex_of_node[from as usize] as usize;
                self.vertex_areas[vertex] += area / 3.0;
                self.is_corner[vertex] = true;
                sides.push(([from.min(to), from.max(to)], Some(first_triangle + triangle)));
            }
        }
        sides.extend(edges.iter().map(|&[a, b]| ([a.min(b), a.max(b)], None)));
        // Lines come before the sides of triangles that they are.
        sides.sort_unstable();
        for (index, &(edge, triangle)) in sides.iter().enumerate() {
            let third = triangle.map_or(0.0, |triangle| self.triangle_areas[triangle] / 3.0);
            if self.edges[first_edge..].last() == Some(&edge) {
                *self.edge_areas.last_mut().unwrap_or(&mut 0.0) += third;
                continue;
            }
            // No side of a triangle follows among those of the same ends.
            if sides[index..].iter().take_while(|(other, _)| *other == edge).all(|(_, triangle)| triangle.is_none()) {
                self.lines.push(self.edges.len(), edge, self.parts.len());
            }
            self.edges.push(edge);
            self.edge_areas.push(third);
            self.edge_lengths.push((positions[edge[0] as usize] - positions[edge[1] as usize]).norm());
        }
        self.triangles.extend_from_slice(triangles);
        self.weigh_lines(first_line);
    }

    /// The edges of a chain, with areas: what one sees of it from the side, half of an edge's share at each of its ends.
    pub(super) fn add_chain(&mut self, positions: &[Vec3], chain: &[u32], radius: f64) {
        for ends in chain.windows(2).map(|ends| [ends[0], ends[1]]) {
            let length = (positions[ends[0] as usize] - positions[ends[1] as usize]).norm();
            self.lines.push(self.edges.len(), ends, self.parts.len());
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

    /// Notes those of the nodes `points` that no edge from number `first_edge` on has.
    pub(super) fn add_lone(&mut self, points: &[u32], first_edge: usize) {
        if points.is_empty() {
            return;
        }
        let mut ends = self.edges[first_edge..].as_flattened().to_vec();
        ends.sort_unstable();
        let mut lone: Vec<u32> = points.iter().copied().filter(|node| ends.binary_search(node).is_err()).collect();
        lone.sort_unstable();
        lone.dedup();
        for node in lone {
            self.lone.push(self.vertex_of_node[node as usize] as usize, [node], self.parts.len());
        }
    }

    /// Areas of the lines of one part, which begin with number `first` of all lines, and of their ends.
    fn weigh_lines(&mut self, first: usize) {
        let lines = &self.lines.features[first..];
        let lengths = |edge: &u32| self.edge_lengths[*edge as usize];
        let width = STRIP * lines.iter().map(lengths).sum::<f64>() / lines.len().max(1) as f64;
        for (&edge, ends) in lines.iter().zip(&self.lines.nodes[first..]) {
            let area = width * self.edge_lengths[edge as usize];
            self.edge_areas[edge as usize] = area;
            for &node in ends {
                self.vertex_areas[self.vertex_of_node[node as usize] as usize] += 0.5 * area;
            }
        }
    }

    /// Areas of the points, which have no extent: each counts as much as the others' vertices do on average; where there are none, as
    /// its share of a square over all points.
    pub(super) fn weigh_lone(&mut self, positions: &[Vec3]) {
        let points: Vec<(usize, u32)> = self.lone.features.iter().map(|&v| v as usize).zip(self.lone.nodes.iter().map(|[n]| *n)).collect();
        let without: Vec<(usize, u32)> = points.into_iter().filter(|(vertex, _)| self.vertex_areas[*vertex] == 0.0).collect();
        if without.is_empty() {
            return;
        }
        let mean = self.mean_area_where(|v| self.vertex_areas[v] > 0.0 && self.movable[self.vertices[v] as usize]);
        let mean = mean.or_else(|| self.mean_area_where(|v| self.vertex_areas[v] > 0.0)).unwrap_or_else(|| {
            let side = bounding_diagonal(&without.iter().map(|&(_, node)| positions[node as usize]).collect::<Vec<_>>());
            if side > 0.0 { side * side / without.len() as f64 } else { 1.0 }
        });
        without.iter().for_each(|&(vertex, _)| self.vertex_areas[vertex] = mean);
    }

    /// Mean area of the vertices that can move [m^2]; of all where none can.
    pub(super) fn mean_area(&self) -> f64 {
        self.mean_area_where(|v| self.movable[self.vertices[v] as usize]).or_else(|| self.mean_area_where(|_| true)).unwrap_or(0.0)
    }

    /// Mean area of some vertices [m^2]; none where there are none.
    fn mean_area_where(&self, counts: impl Fn(usize) -> bool) -> Option<f64> {
        let (sum, count) = self.vertex_areas.iter().enumerate().filter(|&(v, _)| counts(v)).fold((0.0, 0), |(s, n), (_, a)| (s + a, n + 1));
        (count > 0).then(|| sum / f64::from(count))
    }
}
