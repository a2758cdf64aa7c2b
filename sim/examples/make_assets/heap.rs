//! A heap of sand.

use std::fmt::Write;

/// A quarter of a round heap in the corner of a pit: a closed surface of triangles over the square from 0 to 0.42 m along x and z, on y = 0, as OBJ. On a bed
/// of 35 mm stands a slope of 30 degrees, 0.18 m high, with a level top; its foot runs out into the bed without an edge.
pub fn heap() -> String {
    const EDGE: f64 = 0.42;
    const CELLS: usize = 48;
    const BED: f64 = 0.035;
    // Where the slope would end, where it begins, and how round the foot is [m].
    const RADIUS: f64 = 0.36;
    const TOP: f64 = 0.0525;
    const FOOT: f64 = 0.015;
    let height = |x: f64, z: f64| {
        let cone = (RADIUS - x.hypot(z).max(TOP)) / 3.0_f64.sqrt();
        BED + 0.5 * (cone + cone.hypot(FOOT))
    };
    let at = |cell: usize| EDGE * cell as f64 / CELLS as f64;
    let mut obj = String::from("# A quarter of a heap on a bed, in metres\no heap\n");
    // The bed's underside, then its face: rows of nodes along z.
    for is_face in [false, true] {
        for (i, k) in (0..=CELLS).flat_map(|i| (0..=CELLS).map(move |k| (i, k))) {
            let y = if is_face { height(at(i), at(k)) } else { 0.0 };
            // Writing into a string cannot fail.
            let _ = writeln!(obj, "v {:.6} {y:.6} {:.6}", at(i), at(k));
        }
    }
    let node = |is_face: bool, i: usize, k: usize| 1 + i * (CELLS + 1) + k + usize::from(is_face) * (CELLS + 1).pow(2);
    let mut quad = |[a, b, c, d]: [usize; 4]| {
        let _ = writeln!(obj, "f {a} {b} {c}\nf {a} {c} {d}");
    };
    for (i, k) in (0..CELLS).flat_map(|i| (0..CELLS).map(move |k| (i, k))) {
        quad([node(true, i, k), node(true, i, k + 1), node(true, i + 1, k + 1), node(true, i + 1, k)]);
        quad([node(false, i, k), node(false, i + 1, k), node(false, i + 1, k + 1), node(false, i, k + 1)]);
    }
    for n in 0..CELLS {
        let low = |i, k| node(false, i, k);
        let high = |i, k| node(true, i, k);
        quad([low(0, n), low(0, n + 1), high(0, n + 1), high(0, n)]);
        quad([low(CELLS, n + 1), low(CELLS, n), high(CELLS, n), high(CELLS, n + 1)]);
        quad([low(n + 1, 0), low(n, 0), high(n, 0), high(n + 1, 0)]);
        quad([low(n, CELLS), low(n + 1, CELLS), high(n + 1, CELLS), high(n, CELLS)]);
    }
    obj
}
