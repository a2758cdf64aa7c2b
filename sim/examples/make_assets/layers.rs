//! Surfaces of boxes, in quads: to be cut into cells.

use std::fmt::Write;

/// A bar along x with its middle at the origin: 1 m long, a fifth as thick.
pub fn bar_surface() -> String {
    box_surface([1.0, 0.2, 0.2], [20, 4, 4], [0.0; 3])
}

/// A thin layer, level, with its middle at the origin.
pub fn layer() -> String {
    box_surface([1.0, 0.03, 1.0], [12, 1, 12], [0.0; 3])
}

/// A box that is filled with water, one corner at the origin.
pub fn water() -> String {
    box_surface([0.3, 0.5, 0.3], [2, 2, 2], [0.15, 0.25, 0.15])
}

/// Water behind a dam: the same, longer by a quarter.
pub fn dam() -> String {
    box_surface([0.375, 0.5, 0.3], [2, 2, 2], [0.1875, 0.25, 0.15])
}

/// The surface of a box with sides [m] in so many quads around its `middle` [m], as OBJ.
fn box_surface(size: [f64; 3], quads: [usize; 3], middle: [f64; 3]) -> String {
    let mut obj = String::from("# A box, in metres\no box\n");
    let mut number = std::collections::HashMap::new();
    let mut faces = String::new();
    for axis in 0..3 {
        let (first, second) = ((axis + 1) % 3, (axis + 2) % 3);
        for (high, i, j) in
            [0, quads[axis]].into_iter().flat_map(|h| (0..quads[first]).flat_map(move |i| (0..quads[second]).map(move |j| (h, i, j))))
        {
            let corners = [[0, 0], [1, 0], [1, 1], [0, 1]];
            let mut corner = |[a, b]: [usize; 2]| {
                let mut at = [0; 3];
                (at[axis], at[first], at[second]) = (high, i + a, j + b);
                let next = number.len() + 1;
                *number.entry(at).or_insert_with(|| {
                    let place: Vec<f64> = (0..3).map(|k| size[k] * (at[k] as f64 / quads[k] as f64 - 0.5) + middle[k]).collect();
                    // Writing into a string cannot fail.
                    let _ = writeln!(obj, "v {:.6} {:.6} {:.6}", place[0], place[1], place[2]);
                    next
                })
            };
            let mut names = corners.map(&mut corner);
            if high == 0 {
                names.reverse();
            }
            let _ = writeln!(faces, "f {} {} {} {}", names[0], names[1], names[2], names[3]);
        }
    }
    obj + &faces
}
