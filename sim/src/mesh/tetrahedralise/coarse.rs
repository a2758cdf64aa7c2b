//! The tets of leaves that are larger than the cubes of the lattice, and between leaves of different sizes: halves and
//! quarters of the lattice's tets, and halves of pyramids (Labelle & Shewchuk 2007, Fig. 6). All of them lie inside.

use super::grade::{Leaf, Levels};
use super::lattice::key;
use super::stencil::Node;

type Point = [usize; 3];

/// Appends the tets of a leaf of more than one cube: with equal leaves, those across the three faces of greater coordinates.
pub fn fill_leaf(levels: &Levels, leaf: Leaf, out: &mut Vec<[Node; 4]>) {
    for face in faces(leaf) {
        let (mine, other) = (levels.at(leaf.corner), levels.at(face.across));
        if other > mine {
            half_pyramids(&face, out);
        } else if other < mine {
            quarters(&face, out);
        } else if face.ahead {
            bridge(levels, &face, mine, out);
        }
    }
}

/// Appends the tets between a single cube and the larger leaves beside it.
pub fn fill_cube(levels: &Levels, centre: Point, out: &mut Vec<[Node; 4]>) {
    let leaf = Leaf { corner: centre.map(|x| x - 1), width: 2 };
    faces(leaf).filter(|face| levels.at(face.across) > 0).for_each(|face| half_pyramids(&face, out));
}

/// One of the six faces of a leaf.
struct Face {
    leaf: Leaf,
    axis: usize,
    /// Whether it is the one of greater coordinates.
    ahead: bool,
    /// Where the cube beyond, beside the leaf's least corner, has its own.
    across: Point,
}

fn faces(leaf: Leaf) -> impl Iterator<Item = Face> {
    (0..6).map(move |i| {
        let (axis, ahead) = (i / 2, i % 2 == 1);
        let mut across = leaf.corner;
        // Below the lattice this wraps to far beyond it, where cubes are single, too.
        across[axis] = if ahead { across[axis] + leaf.width } else { across[axis].wrapping_sub(2) };
        Face { leaf, axis, ahead, across }
    })
}

impl Face {
    fn centre(&self) -> Point {
        self.leaf.corner.map(|x| x + self.leaf.width / 2)
    }

    /// The corners, in order around the face.
    fn corners(&self) -> [Point; 4] {
        [[0, 0], [1, 0], [1, 1], [0, 1]].map(|[u, v]| {
            let mut at = self.leaf.corner;
            at[self.axis] += if self.ahead { self.leaf.width } else { 0 };
            at[(self.axis + 1) % 3] += u * self.leaf.width;
            at[(self.axis + 2) % 3] += v * self.leaf.width;
            at
        })
    }
}

/// Towards a leaf twice as wide: the pyramid over the face, cut along the diagonal from the middle of the larger face.
fn half_pyramids(face: &Face, out: &mut Vec<[Node; 4]>) {
    let corners = face.corners();
    let in_middle = |c: &Point| (1..3).all(|d| c[(face.axis + d) % 3] % (2 * face.leaf.width) == face.leaf.width);
    let first = corners.iter().position(in_middle).unwrap_or(0);
    let [a, b, c, d] = [0, 1, 2, 3].map(|i| corners[(first + i) % 4]);
    out.extend([oriented([face.centre(), a, b, c]), oriented([face.centre(), a, c, d])]);
}

/// Towards leaves half as wide: a fan around the middle of the face, whose edges are halved too.
fn quarters(face: &Face, out: &mut Vec<[Node; 4]>) {
    let corners = face.corners();
    let centre = middle(corners[0], corners[2]);
    for i in 0..4 {
        let (a, b) = (corners[i], corners[(i + 1) % 4]);
        let half = middle(a, b);
        out.extend([oriented([face.centre(), centre, a, half]), oriented([face.centre(), centre, half, b])]);
    }
}

/// Towards an equal leaf: four tets between the two centres, or halves of them where an edge of the face is halved.
fn bridge(levels: &Levels, face: &Face, mine: u8, out: &mut Vec<[Node; 4]>) {
    let corners = face.corners();
    let mut next = face.centre();
    next[face.axis] += face.leaf.width;
    for i in 0..4 {
        let (a, b) = (corners[i], corners[(i + 1) % 4]);
        // The two leaves beyond the edge, beside this one and beside the other.
        let beyond = |beside: Point| {
            let mut at = beside;
            for d in [(face.axis + 1) % 3, (face.axis + 2) % 3] {
                if a[d] == b[d] {
                    at[d] = if a[d] > face.leaf.corner[d] { at[d] + face.leaf.width } else { at[d] - 2 };
                }
            }
            levels.at(at) < mine
        };
        if beyond(face.leaf.corner) || beyond(face.across) {
            let half = middle(a, b);
            out.extend([oriented([face.centre(), next, a, half]), oriented([face.centre(), next, half, b])]);
        } else {
            out.push(oriented([face.centre(), next, a, b]));
        }
    }
}

fn middle(a: Point, b: Point) -> Point {
    std::array::from_fn(|d| (a[d] + b[d]) / 2)
}

/// The tet with these corners, positively oriented.
fn oriented([a, b, c, d]: [Point; 4]) -> [Node; 4] {
    let [u, v, w] = [b, c, d].map(|p| [0, 1, 2].map(|i| p[i] as i64 - a[i] as i64));
    let minor = |i: usize, j: usize| v[i] * w[j] - v[j] * w[i];
    let volume = u[0] * minor(1, 2) + u[1] * minor(2, 0) + u[2] * minor(0, 1);
    if volume > 0 { [a, b, c, d].map(key) } else { [a, b, d, c].map(key) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::random::Random;

    #[test]
    fn tets_are_turned_to_positive_volume() {
        let mut random = Random::new(8);
        for _ in 0..200 {
            let points: [Point; 4] = std::array::from_fn(|_| std::array::from_fn(|_| random.uniform(0.0, 20.0) as usize));
            let edge = |k: usize| crate::math::Vec3::from_fn(|d, _| points[k][d] as f64 - points[0][d] as f64);
            let volume = edge(1).cross(&edge(2)).dot(&edge(3));
            let [a, b, c, d] = points.map(key);
            let expected = if volume > 0.0 { [a, b, c, d] } else { [a, b, d, c] };
            assert!(volume == 0.0 || oriented(points) == expected, "{points:?}");
        }
    }
}
