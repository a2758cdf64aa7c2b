//! A round balloon.

use std::collections::HashMap;

use aplomb_sim::math::Vec3;

use super::sheets::obj;

/// Radius [m]; it touches y = 0 from above.
const RADIUS: f64 = 0.3;
/// How often its triangles are cut into four.
const CUTS: usize = 3;

/// An icosahedron cut finer and rounded.
pub fn balloon() -> String {
    let golden = 0.5 * (1.0 + 5.0_f64.sqrt());
    let around = |axis: usize, [one, other]: [f64; 2]| {
        let mut corner = Vec3::zeros();
        (corner[axis], corner[(axis + 1) % 3]) = (one, other * golden);
        corner
    };
    let signs = [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]];
    let mut places: Vec<Vec3> = (0..3).flat_map(|axis| signs.map(|signs| around(axis, signs).normalize())).collect();
    let mut triangles = Vec::new();
    // The edges of an icosahedron are its shortest, and every three corners with such edges are a face.
    let is_edge = |a: usize, b: usize| places[a].dot(&places[b]) > 0.4;
    for (a, b, c) in (0..12).flat_map(|a| (a + 1..12).flat_map(move |b| (b + 1..12).map(move |c| (a, b, c)))) {
        if is_edge(a, b) && is_edge(b, c) && is_edge(c, a) {
            let looks_out = places[a].dot(&places[b].cross(&places[c])) > 0.0;
            triangles.push(if looks_out { [a, b, c] } else { [a, c, b] });
        }
    }
    for _ in 0..CUTS {
        let mut middles = HashMap::new();
        let mut cut = Vec::new();
        for corners in triangles {
            let middle = [0, 1, 2].map(|k| {
                let (a, b): (usize, usize) = (corners[k], corners[(k + 1) % 3]);
                *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
                    places.push((places[a] + places[b]).normalize());
                    places.len() - 1
                })
            });
            (0..3).for_each(|k| cut.push([corners[k], middle[k], middle[(k + 2) % 3]]));
            cut.push(middle);
        }
        triangles = cut;
    }
    let positions: Vec<Vec3> = places.iter().map(|place| RADIUS * (place + Vec3::y())).collect();
    obj("balloon", "A round balloon", &positions, &triangles)
}
