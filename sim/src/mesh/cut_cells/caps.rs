//! What the faces of a piece give to each of its vertices: the integral of its share phi_i over the faces, times the outward normal.
//!
//! Along triangles of the surface phi is linear. Of a cap only the border is known: any weights do whose sum is the area and whose first moments
//! are those of the cap (virtual elements of the first order: Beirao da Veiga et al. 2013), as long as both pieces beside the cap take the same.

use nalgebra::{Matrix2, Vector2};

use crate::math::Vec3;
use crate::mesh::topology::DisjointSets;

/// The share that each end of a triangle has [m^2].
pub fn of_triangle(corners: [Vec3; 3]) -> Vec3 {
    let [a, b, c] = corners;
    (b - a).cross(&(c - a)) / 6.0
}

/// Hands over each vertex of a cap with its weight [m^2], of the cap's parts that hang together one after the other. `borders` run
/// counter-clockwise where `outwards` along the axis is positive; `joined` says which parts are one, as holes are with what is around them.
pub fn weights(
    borders: &[[u32; 2]],
    (axis, outwards): (usize, f64),
    positions: &[Vec3],
    number: &impl Fn(u32) -> u32,
    joined: &mut DisjointSets,
    mut each: impl FnMut(u32, f64),
) {
    let flat = |v: u32| Vector2::new(positions[v as usize][(axis + 1) % 3], positions[v as usize][(axis + 2) % 3]);
    let mut parts: Vec<(u32, [u32; 2])> = borders.iter().map(|&border| (joined.find(number(border[0])), border)).collect();
    parts.sort_by_key(|(part, _)| *part);
    for part in parts.chunk_by(|a, b| a.0 == b.0) {
        let ends = || part.iter().map(|(_, border)| border.map(flat));
        let length: f64 = ends().map(|[a, b]| (b - a).norm()).sum();
        if length == 0.0 {
            continue;
        }
        let middle = ends().map(|[a, b]| 0.5 * (b - a).norm() * (a + b)).sum::<Vector2<f64>>() / length;
        let (mut area, mut moment, mut spread) = (0.0, Vector2::zeros(), Matrix2::zeros());
        for [a, b] in ends().map(|border| border.map(|end| end - middle)) {
            let swept = 0.5 * outwards * a.perp(&b);
            area += swept;
            moment += swept * (a + b) / 3.0;
            spread += 0.5 * (b - a).norm() * (a * a.transpose() + b * b.transpose());
        }
        // Along a border that is as good as straight there is no moment across it either.
        let slope = spread.try_inverse().map_or(Vector2::zeros(), |inverse| inverse * moment);
        let slope = if slope.iter().all(|c| c.is_finite()) { slope } else { Vector2::zeros() };
        for (_, border) in part {
            let [a, b] = border.map(flat);
            border.iter().for_each(|&v| each(v, 0.5 * (b - a).norm() * (area / length + slope.dot(&(flat(v) - middle)))));
        }
    }
}
