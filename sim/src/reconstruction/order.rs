//! One order of vertices and triangles, whatever order threads found them in.

use rayon::prelude::*;

use crate::math::Vec3;

/// Coordinates that differ by less than this, over the edge of a cube, are one.
const SAME: f64 = 1e-7;

/// Vertices by their coordinates, which on the planes between cubes differ by round-off alone, triangles by their vertices, of which the least
/// comes first. `cube`: edge of a cube [m].
pub fn put(positions: &mut Vec<Vec3>, triangles: &mut [[u32; 3]], cube: f64) {
    let key = |place: &Vec3| [place.x, place.y, place.z].map(|x| (x / (SAME * cube)).round() as i64);
    let mut order: Vec<([i64; 3], u32)> = positions.par_iter().map(key).zip(0..positions.len() as u32).collect();
    order.par_sort_unstable_by(|(a, v), (b, w)| {
        let exact = |v: &u32| positions[*v as usize];
        let (x, y) = (exact(v), exact(w));
        a.cmp(b).then_with(|| x.x.total_cmp(&y.x).then(x.y.total_cmp(&y.y)).then(x.z.total_cmp(&y.z))).then(v.cmp(w))
    });
    let mut number = vec![0; order.len()];
    (0..).zip(&order).for_each(|(new, &(_, old)): (u32, _)| number[old as usize] = new);
    *positions = order.iter().map(|&(_, vertex)| positions[vertex as usize]).collect();
    for triangle in triangles.iter_mut() {
        let [a, b, c] = triangle.map(|vertex| number[vertex as usize]);
        *triangle = if a < b && a < c {
            [a, b, c]
        } else if b < c {
            [b, c, a]
        } else {
            [c, a, b]
        };
    }
    triangles.par_sort_unstable();
}
