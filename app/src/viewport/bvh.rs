//! Bounding volume hierarchy over the triangles of a surface, for rays.

use aplomb_sim::math::Vec3;

use super::camera::Ray;

/// Most triangles in a leaf.
const LEAF: usize = 4;
/// How far beyond an edge a triangle still counts as hit, as a share of it: rounding lets no ray slip between neighbours.
const EDGE: f64 = 1e-9;

/// A node; the left child of an inner one follows it.
#[derive(Debug, Clone)]
struct Node {
    low: Vec3,
    high: Vec3,
    /// Where a leaf's triangles start in `order`, or the right child of an inner node.
    first: usize,
    /// Triangles of a leaf, 0 for an inner node.
    count: usize,
}

/// The hierarchy; it outlives a motion of the vertices by [`Bvh::refit`].
#[derive(Debug, Clone, Default)]
pub struct Bvh {
    nodes: Vec<Node>,
    order: Vec<usize>,
}

impl Bvh {
    /// Of triangles that all name vertices in `positions` [m].
    pub fn new(positions: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        let mut bvh = Self { nodes: Vec::new(), order: (0..triangles.len()).collect() };
        if !triangles.is_empty() {
            let centres: Vec<_> =
                triangles.iter().map(|corners| corners.iter().map(|&v| positions[v as usize]).sum::<Vec3>() / 3.0).collect();
            bvh.split(&centres, 0, triangles.len());
            bvh.refit(positions, triangles);
        }
        bvh
    }

    /// Splits at the median along the longest axis of the centres.
    fn split(&mut self, centres: &[Vec3], start: usize, end: usize) {
        let node = self.nodes.len();
        self.nodes.push(Node { low: Vec3::zeros(), high: Vec3::zeros(), first: start, count: end - start });
        if end - start <= LEAF {
            return;
        }
        let slice = &mut self.order[start..end];
        let (mut low, mut high) = nothing();
        slice.iter().for_each(|&triangle| grow(&mut low, &mut high, &centres[triangle]));
        let axis = (high - low).imax();
        let middle = slice.len() / 2;
        slice.select_nth_unstable_by(middle, |&a, &b| centres[a][axis].total_cmp(&centres[b][axis]).then(a.cmp(&b)));
        self.split(centres, start, start + middle);
        self.nodes[node].first = self.nodes.len();
        self.nodes[node].count = 0;
        self.split(centres, start + middle, end);
    }

    /// Fits the boxes to vertices that have moved [m].
    pub fn refit(&mut self, positions: &[Vec3], triangles: &[[u32; 3]]) {
        for index in (0..self.nodes.len()).rev() {
            let node = &self.nodes[index];
            let (mut low, mut high) = nothing();
            if node.count > 0 {
                let corners = self.order[node.first..node.first + node.count].iter().flat_map(|&triangle| triangles[triangle]);
                corners.for_each(|vertex| grow(&mut low, &mut high, &positions[vertex as usize]));
            } else {
                for child in [index + 1, node.first] {
                    grow(&mut low, &mut high, &self.nodes[child].low);
                    grow(&mut low, &mut high, &self.nodes[child].high);
                }
            }
            let node = &mut self.nodes[index];
            (node.low, node.high) = (low, high);
        }
    }

    /// The nearest triangle on the ray and how far away it is [m].
    pub fn hit(&self, positions: &[Vec3], triangles: &[[u32; 3]], ray: &Ray) -> Option<(usize, f64)> {
        let mut best: Option<(usize, f64)> = None;
        let mut stack: Vec<usize> = if self.nodes.is_empty() { Vec::new() } else { vec![0] };
        while let Some(index) = stack.pop() {
            let node = &self.nodes[index];
            let limit = best.map_or(f64::INFINITY, |(_, distance)| distance);
            if !crosses(node, ray, limit) {
                continue;
            }
            if node.count == 0 {
                stack.extend([node.first, index + 1]);
                continue;
            }
            for &triangle in &self.order[node.first..node.first + node.count] {
                let corners = triangles[triangle].map(|vertex| positions[vertex as usize]);
                let limit = best.map_or(f64::INFINITY, |(_, distance)| distance);
                if let Some(distance) = meet(&corners, ray).filter(|&distance| distance < limit) {
                    best = Some((triangle, distance));
                }
            }
        }
        best
    }
}

fn nothing() -> (Vec3, Vec3) {
    (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY))
}

fn grow(low: &mut Vec3, high: &mut Vec3, point: &Vec3) {
    // `f64::min` and `f64::max` pass over what is not a number.
    *low = low.zip_map(point, f64::min);
    *high = high.zip_map(point, f64::max);
}

/// Slab test, up to a distance.
fn crosses(node: &Node, ray: &Ray, limit: f64) -> bool {
    let (mut near, mut far) = (0.0_f64, limit);
    for axis in 0..3 {
        if ray.direction[axis] == 0.0 {
            if ray.origin[axis] < node.low[axis] || ray.origin[axis] > node.high[axis] {
                return false;
            }
            continue;
        }
        let inverse = 1.0 / ray.direction[axis];
        let (a, b) = ((node.low[axis] - ray.origin[axis]) * inverse, (node.high[axis] - ray.origin[axis]) * inverse);
        near = near.max(a.min(b));
        far = far.min(a.max(b));
    }
    near <= far
}

/// Distance to a triangle from either side (Möller and Trumbore 1997).
pub fn meet(corners: &[Vec3; 3], ray: &Ray) -> Option<f64> {
    let (u_edge, v_edge) = (corners[1] - corners[0], corners[2] - corners[0]);
    let across = ray.direction.cross(&v_edge);
    let determinant = u_edge.dot(&across);
    if determinant == 0.0 {
        return None;
    }
    let from = ray.origin - corners[0];
    let u = from.dot(&across) / determinant;
    let turned = from.cross(&u_edge);
    let v = ray.direction.dot(&turned) / determinant;
    let distance = v_edge.dot(&turned) / determinant;
    (u >= -EDGE && v >= -EDGE && u + v <= 1.0 + EDGE && distance > 0.0).then_some(distance)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;

    /// A bumpy sheet of n x n squares.
    fn sheet(n: u32) -> (Vec<Vec3>, Vec<[u32; 3]>) {
        let at = |i: u32, j: u32| i * (n + 1) + j;
        let point = |i: u32, j: u32| Vec3::new(f64::from(i), (0.7 * f64::from(i)).sin() * (0.4 * f64::from(j)).cos(), f64::from(j));
        let positions = (0..=n).flat_map(|i| (0..=n).map(move |j| point(i, j))).collect();
        let square = |i: u32, j: u32| [[at(i, j), at(i, j + 1), at(i + 1, j)], [at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)]];
        let triangles = (0..n).flat_map(|i| (0..n).flat_map(move |j| square(i, j))).collect();
        (positions, triangles)
    }

    fn rays() -> impl Iterator<Item = Ray> {
        (0..200).map(|k| {
            let t = f64::from(k);
            let direction = Vec3::new((1.3 * t).sin(), -1.0, (0.7 * t).cos()).normalize();
            Ray { origin: Vec3::new(4.0 + (0.3 * t).sin(), 5.0, 4.0), direction }
        })
    }

    fn nearest(positions: &[Vec3], triangles: &[[u32; 3]], ray: &Ray) -> Option<f64> {
        triangles.iter().filter_map(|corners| meet(&corners.map(|v| positions[v as usize]), ray)).min_by(f64::total_cmp)
    }

    #[test]
    fn finds_what_a_search_through_all_triangles_finds_also_after_a_motion() {
        let (mut positions, triangles) = sheet(8);
        let mut bvh = Bvh::new(&positions, &triangles);
        for round in 0..2 {
            let mut hits = 0;
            for ray in rays() {
                let found = bvh.hit(&positions, &triangles, &ray).map(|(_, distance)| distance);
                assert_eq!(found, nearest(&positions, &triangles, &ray), "round {round}");
                hits += usize::from(found.is_some());
            }
            assert!((20..200).contains(&hits), "both hits and misses were tried: {hits}");
            positions.iter_mut().for_each(|x| *x = Vec3::new(x.x + 0.3 * x.y, x.y * 1.7, x.z));
            bvh.refit(&positions, &triangles);
        }
    }

    #[test]
    fn rays_along_edges_and_through_corners_do_not_slip_through() {
        let (positions, triangles) = sheet(8);
        let bvh = Bvh::new(&positions, &triangles);
        for &corner in &positions {
            let ray = Ray { origin: corner + Vec3::new(0.0, 5.0, 0.0), direction: -Vec3::y() };
            let (_, distance) = bvh.hit(&positions, &triangles, &ray).unwrap();
            assert!((distance - 5.0).abs() < 1e-9, "{distance} at {corner}");
        }
    }

    #[test]
    fn nothing_is_hit_where_nothing_is() {
        let ray = Ray { origin: Vec3::zeros(), direction: Vec3::x() };
        assert_eq!(Bvh::new(&[], &[]).hit(&[], &[], &ray), None);
    }
}
