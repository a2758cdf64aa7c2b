//! Pairs of primitives for tests.

use super::matrix::Vec12;
use crate::math::Vec3;
use crate::math::random::Random;

/// Barycentric coordinates (u, v) of points of a triangle by feature: the face, its edges, its vertices.
pub const FACE: [(f64, f64); 3] = [(1.0 / 3.0, 1.0 / 3.0), (0.1, 0.2), (0.05, 0.9)];
pub const SIDES: [(f64, f64); 3] = [(0.4, 0.0), (0.0, 0.7), (0.5, 0.5)];
pub const CORNERS: [(f64, f64); 3] = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)];

/// Places (s, t) along two edges: inside, at ends.
pub const INSIDE: [(f64, f64); 3] = [(0.5, 0.5), (0.2, 0.7), (0.9, 0.03)];
pub const ENDS: [(f64, f64); 6] = [(0.0, 0.4), (1.0, 0.6), (0.3, 0.0), (0.8, 1.0), (0.0, 1.0), (1.0, 1.0)];

/// A point at the distance `distance` of the point (u, v) of a random triangle with edges of about 1 m: straight above
/// it, or `tilted` outwards by 45 degrees, so that the feature of (u, v) is nearest.
pub fn above_triangle(random: &mut Random, (u, v): (f64, f64), distance: f64, tilted: bool) -> Vec12 {
    let turn = random.rotation();
    let [a, b, c] = [(0.0, 0.0), (1.0, 0.0), (0.4, 0.9)].map(|(x, y)| turn * (Vec3::new(x, y, 0.0) + random.vector(-0.1, 0.1)));
    let place = a + u * (b - a) + v * (c - a);
    let normal = (b - a).cross(&(c - a)).normalize();
    let outwards = (place - (a + b + c) / 3.0).try_normalize(1e-9).unwrap_or_else(Vec3::zeros);
    let direction = if tilted { (normal + outwards).normalize() } else { normal };
    [place + distance * direction, a, b, c].map(|point| point + random_shift(&turn))
}

/// Two edges of about 1 m at an angle [rad], the point s of the first straight above the point t of the second. `beyond`
/// pushes an edge of which an end is named further out by half the distance, so that this end is nearest.
pub fn crossing_edges(random: &mut Random, (s, t): (f64, f64), angle: f64, distance: f64, beyond: bool) -> Vec12 {
    let turn = random.rotation();
    let (first, second) = (random.uniform(0.8, 1.2) * Vec3::x(), random.uniform(0.8, 1.2) * Vec3::new(angle.cos(), angle.sin(), 0.0));
    let push = |place: f64| if beyond && (place == 0.0 || place == 1.0) { (2.0 * place - 1.0) * 0.5 * distance } else { 0.0 };
    let above = distance * Vec3::z();
    let (a, c) = (above - (s + push(s)) * first, -(t + push(t)) * second);
    [a, a + first, c, c + second].map(|point| turn * point + random_shift(&turn))
}

/// The same for all points of a pair: its place must not matter.
fn random_shift(turn: &crate::math::Mat3) -> Vec3 {
    turn * Vec3::new(0.3, -0.2, 0.5)
}

/// Central differences of a function of the points.
pub fn slope(points: &Vec12, h: f64, value: impl Fn(&Vec12) -> f64) -> Vec12 {
    std::array::from_fn(|i| Vec3::from_fn(|k, _| (value(&shifted(points, i, k, h)) - value(&shifted(points, i, k, -h))) / (2.0 * h)))
}

/// The points with one coordinate moved.
pub fn shifted(points: &Vec12, vertex: usize, axis: usize, by: f64) -> Vec12 {
    let mut moved = *points;
    moved[vertex][axis] += by;
    moved
}

/// Norm of the difference of two vectors of the vertices.
pub fn difference(a: &Vec12, b: &Vec12) -> f64 {
    norm(&std::array::from_fn(|i| a[i] - b[i]))
}

/// Norm of a vector of the vertices.
pub fn norm(a: &Vec12) -> f64 {
    a.iter().map(Vec3::norm_squared).sum::<f64>().sqrt()
}

/// Whether `offset` leads from the nearest point of the second primitive to that of the first: the plane across it
/// separates all vertices of the first (the first `count` of `points`) from those of the second by its length. The rounding
/// of the points turns it by 1e-16 of their size over its length.
pub fn separates(offset: &Vec3, points: &[Vec3], count: usize) -> bool {
    let (square, size) = (offset.norm_squared(), points.iter().map(|p| (p - points[0]).norm()).fold(0.0, f64::max));
    points[..count].iter().all(|p| points[count..].iter().all(|q| offset.dot(&(p - q)) >= square - 1e-15 * size * size))
}
