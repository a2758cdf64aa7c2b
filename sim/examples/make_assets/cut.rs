//! A slice of ground with a vertical cut.

use std::fmt::Write;

/// Half a metre of ground that stands upright on 0.25 m more, 0.1 m thick between z = 0 and 0.1: a closed surface of triangles, as OBJ.
pub fn cut() -> String {
    const OUTLINE: [[f64; 2]; 6] = [[0.0, 0.0], [1.0, 0.0], [1.0, 0.75], [0.3, 0.75], [0.3, 0.25], [0.0, 0.25]];
    // The two faces, of which the inner corner is in every triangle.
    const FACES: [[usize; 3]; 4] = [[5, 1, 2], [5, 2, 3], [5, 3, 4], [5, 6, 1]];
    let mut obj = "# Ground with a vertical cut, in metres\no cut\n".to_owned();
    for z in [0.0, 0.1] {
        for [x, y] in OUTLINE {
            // Writing into a string cannot fail.
            let _ = writeln!(obj, "v {x} {y} {z}");
        }
    }
    for [a, b, c] in FACES {
        let _ = writeln!(obj, "f {c} {b} {a}\nf {} {} {}", a + 6, b + 6, c + 6);
    }
    for a in 1..=6 {
        let b = a % 6 + 1;
        let _ = writeln!(obj, "f {a} {b} {}\nf {a} {} {}", b + 6, b + 6, a + 6);
    }
    obj
}
