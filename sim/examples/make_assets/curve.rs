//! Tubes along curves that are given by where they head.

use aplomb_sim::math::Vec3;
use aplomb_sim::mesh::tetrahedralise::implicit::Tube;

/// The unit vector at an azimuth [degrees] (0 is +x, 90 the front, +z) and a rise over the horizontal [degrees].
pub fn direction(azimuth: f64, rise: f64) -> Vec3 {
    let (azimuth, rise) = (azimuth.to_radians(), rise.to_radians());
    Vec3::new(rise.cos() * azimuth.cos(), rise.sin(), rise.cos() * azimuth.sin())
}

/// Points of a curve of some length [m] that sets out from `start` [m] and heads to `heading(s)` at the share `s` of it.
pub fn points(start: Vec3, length: f64, pieces: usize, heading: impl Fn(f64) -> Vec3) -> Vec<Vec3> {
    let step = length / pieces as f64;
    let mut points = vec![start];
    for i in 0..pieces {
        points.push(points[i] + heading((i as f64 + 0.5) / pieces as f64) * step);
    }
    points
}

/// Round cones along such a curve, with the radius [m] `radius(s)`.
pub fn tube(start: Vec3, length: f64, pieces: usize, heading: impl Fn(f64) -> Vec3, radius: impl Fn(f64) -> f64) -> Tube {
    let radii: Vec<f64> = (0..=pieces).map(|i| radius(i as f64 / pieces as f64)).collect();
    Tube::new(&points(start, length, pieces, heading), &radii)
}
