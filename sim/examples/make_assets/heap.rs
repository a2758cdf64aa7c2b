//! A heap of sand.

use std::fmt::Write;

/// A round heap with a slope of 30 degrees, 0.2 m high, on y = 0: a closed surface of triangles, as OBJ.
pub fn heap() -> String {
    const SIDES: usize = 64;
    const HEIGHT: f64 = 0.2;
    let radius = HEIGHT * 3.0_f64.sqrt();
    let mut obj = format!("# A heap, in metres\no heap\nv 0 {HEIGHT} 0\nv 0 0 0\n");
    for k in 0..SIDES {
        let (sine, cosine) = (k as f64 / SIDES as f64 * std::f64::consts::TAU).sin_cos();
        // Writing into a string cannot fail.
        let _ = writeln!(obj, "v {:.6} 0 {:.6}", radius * cosine, radius * sine);
    }
    for k in 0..SIDES {
        let (first, second) = (k + 3, (k + 1) % SIDES + 3);
        let _ = writeln!(obj, "f 1 {second} {first}\nf 2 {first} {second}");
    }
    obj
}
