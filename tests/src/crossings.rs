//! What passes through what, by the signs of volumes alone: without the distances that contact goes by.

use std::collections::{BTreeMap, BTreeSet};

use aplomb_sim::math::Vec3;

/// Whether the segment passes through the inside of the triangle.
fn passes(segment: [Vec3; 2], triangle: [Vec3; 3]) -> bool {
    let [p, q] = segment;
    let [a, b, c] = triangle;
    let volume = |a: Vec3, b: Vec3, c: Vec3, d: Vec3| (b - a).cross(&(c - a)).dot(&(d - a));
    let (below, above) = (volume(a, b, c, p), volume(a, b, c, q));
    let around = [volume(p, q, a, b), volume(p, q, b, c), volume(p, q, c, a)];
    below * above < 0.0 && (around.iter().all(|v| *v > 0.0) || around.iter().all(|v| *v < 0.0))
}

/// The edges of these triangles that pass through one of them, of which no end of them is a corner, and through which.
pub fn crossings(x: &[Vec3], triangles: &[[u32; 3]]) -> Vec<([u32; 2], [u32; 3])> {
    let at = |v: u32| x[v as usize];
    let sides = triangles.iter().flat_map(|t| [0, 1, 2].map(|k| [t[k], t[(k + 1) % 3]]));
    let edges: BTreeSet<[u32; 2]> = sides.map(|[a, b]| [a.min(b), a.max(b)]).collect();
    // Triangles by the cells of a grid that they reach into, as wide as the longest edge.
    let width = edges.iter().map(|[a, b]| (at(*a) - at(*b)).norm()).fold(f64::MIN_POSITIVE, f64::max);
    let cells = |points: &[Vec3]| {
        let cell = |x: f64| (x / width).floor() as i64;
        let range = |axis: usize| {
            let along = || points.iter().map(|p| p[axis]);
            cell(along().fold(f64::INFINITY, f64::min))..=cell(along().fold(f64::NEG_INFINITY, f64::max))
        };
        let [i, j, k] = [range(0), range(1), range(2)];
        i.flat_map(move |i| j.clone().map(move |j| (i, j))).flat_map(move |(i, j)| k.clone().map(move |k| [i, j, k])).collect::<Vec<_>>()
    };
    let mut grid: BTreeMap<[i64; 3], Vec<usize>> = BTreeMap::new();
    for (t, corners) in triangles.iter().enumerate() {
        cells(&corners.map(at)).into_iter().for_each(|cell| grid.entry(cell).or_default().push(t));
    }
    let mut found = Vec::new();
    for edge in edges {
        let [a, b] = edge;
        let near: BTreeSet<usize> = cells(&[at(a), at(b)]).iter().filter_map(|cell| grid.get(cell)).flatten().copied().collect();
        let others = near.into_iter().map(|t| triangles[t]).filter(|t| !t.contains(&a) && !t.contains(&b));
        found.extend(others.filter(|t| passes([at(a), at(b)], t.map(at))).map(|t| (edge, t)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crossings_are_counted() {
        let square =
            [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.2, -1.0, 0.2], [0.2, 1.0, 0.2], [0.2, 1.0, 3.0]].map(Vec3::from);
        // An edge of each passes through the other.
        assert_eq!(crossings(&square, &[[0, 1, 2], [3, 4, 5]]).len(), 2);
        let beside = square.map(|x| if x.y == 0.0 { x } else { x - Vec3::x() });
        assert!(crossings(&beside, &[[0, 1, 2], [3, 4, 5]]).is_empty());
    }
}
