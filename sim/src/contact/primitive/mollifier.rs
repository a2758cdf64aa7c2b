//! [`Mollifier`]: fades out the contact of edges as they become parallel, where their nearest points jump and the
//! distance has kinks (Li et al. 2020, section 4.2 and eq. 24).

use super::matrix::{Mat12, Vec12, add_square};
use crate::math::{Mat3, Vec3};

/// The width over the squared lengths of both edges.
const WIDTH: f64 = 1e-3;

/// The squared area of the parallelogram of both edges under which contact fades [m^4]. `a`, `b` and `c`, `d` are
/// the ends of the edges at rest, so that the width is constant.
pub fn mollifier_width(a: &Vec3, b: &Vec3, c: &Vec3, d: &Vec3) -> f64 {
    WIDTH * (b - a).norm_squared() * (d - c).norm_squared()
}

/// The mollifier m(y) = y (2 - y) of y = |e x f|^2 / width below 1, and 1 from there on; once continuously
/// differentiable. It is 0 with zero gradient for parallel edges.
#[derive(Debug, Clone, Copy)]
pub struct Mollifier {
    first: Vec3,
    second: Vec3,
    width: f64,
    /// Squared area over the width, at most 1.
    share: f64,
}

impl Mollifier {
    /// The mollifier of the edges between the first two and the last two of the `points` with this width [m^4];
    /// a width of 0 is no mollifier.
    pub fn new(points: &Vec12, width: f64) -> Self {
        let [a, b, c, d] = points;
        let (first, second) = (b - a, d - c);
        let area = first.cross(&second).norm_squared();
        Self { first, second, width, share: if area < width { area / width } else { 1.0 } }
    }

    /// Whether it is below 1.
    pub fn fades(&self) -> bool {
        self.share < 1.0
    }

    /// Its value in [0, 1].
    pub fn value(&self) -> f64 {
        self.share * (2.0 - self.share)
    }

    /// Its gradient [1/m].
    pub fn gradient(&self) -> Vec12 {
        let slope = self.slope();
        self.area_gradient().map(|g| slope * g)
    }

    /// Adds `scale` times its second derivatives [1/m^2].
    pub fn add_hessian(&self, scale: f64, hessian: &mut Mat12) {
        if !self.fades() {
            return;
        }
        add_square(scale * -2.0 / (self.width * self.width), &self.area_gradient(), hessian);
        let (e, f) = (&self.first, &self.second);
        let factor = scale * self.slope();
        let plane = |axis: &Vec3| (Mat3::identity() * axis.norm_squared() - axis * axis.transpose()) * (2.0 * factor);
        let mixed = (4.0 * e * f.transpose() - 2.0 * f * e.transpose() - Mat3::identity() * (2.0 * e.dot(f))) * factor;
        let blocks = [[plane(f), mixed], [mixed.transpose(), plane(e)]];
        for (i, row) in hessian.iter_mut().enumerate() {
            for (j, block) in row.iter_mut().enumerate() {
                // Each edge is its second vertex minus its first.
                let sign = if (i + j) % 2 == 0 { 1.0 } else { -1.0 };
                *block += sign * blocks[i / 2][j / 2];
            }
        }
    }

    /// Derivative by the squared area [1/m^4].
    fn slope(&self) -> f64 {
        if self.fades() { 2.0 * (1.0 - self.share) / self.width } else { 0.0 }
    }

    /// Gradient of the squared area |e x f|^2 [m^3].
    fn area_gradient(&self) -> Vec12 {
        let normal = self.first.cross(&self.second);
        let by_first = 2.0 * self.second.cross(&normal);
        let by_second = 2.0 * normal.cross(&self.first);
        [-by_first, by_first, -by_second, by_second]
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::{self, INSIDE, crossing_edges};
    use super::*;
    use crate::math::random::Random;

    #[test]
    fn derivatives_match_differences() {
        let mut random = Random::new(6);
        for angle in [0.0, 1e-4, 0.01, 0.02, 0.03, 0.04, 1.0, 3.13] {
            for place in INSIDE {
                let points @ [a, b, c, d] = crossing_edges(&mut random, place, angle, 0.01, false);
                let width = mollifier_width(&a, &b, &c, &d);
                let mollifier = Mollifier::new(&points, width);
                let h = 1e-6;
                let slope = sample::slope(&points, h, |p| Mollifier::new(p, width).value());
                assert!(sample::difference(&mollifier.gradient(), &slope) < 1e-4, "{angle}");
                let mut hessian = Mat12::default();
                mollifier.add_hessian(1.0, &mut hessian);
                for (vertex, axis) in (0..12).map(|k| (k / 3, k % 3)) {
                    let at = |by| Mollifier::new(&sample::shifted(&points, vertex, axis, by), width).gradient();
                    let (after, before) = (at(h), at(-h));
                    for (row, block) in hessian.iter().enumerate() {
                        let change = (after[row] - before[row]) / (2.0 * h);
                        assert!((change - block[vertex].column(axis)).norm() < 1e-2, "{angle}: {change} {}", block[vertex]);
                    }
                }
            }
        }
    }

    #[test]
    fn it_is_zero_for_parallel_edges_and_one_from_its_width_on() {
        let edges = |angle: f64| [Vec3::zeros(), 2.0 * Vec3::x(), Vec3::z(), Vec3::z() + 3.0 * Vec3::new(angle.cos(), angle.sin(), 0.0)];
        let [a, b, c, d] = edges(0.0);
        let width = mollifier_width(&a, &b, &c, &d);
        assert!((width - 0.036).abs() < 1e-16);
        let parallel = Mollifier::new(&edges(0.0), width);
        assert_eq!((parallel.value(), parallel.gradient()), (0.0, [Vec3::zeros(); 4]));
        let half = Mollifier::new(&edges((0.5e-3f64).sqrt().asin()), width);
        assert!((half.value() - 0.75).abs() < 1e-12 && half.fades());
        let (below, above) = (Mollifier::new(&edges(1e-3f64.sqrt().asin() - 1e-9), width), Mollifier::new(&edges(0.04), width));
        assert!((below.value() - 1.0).abs() < 1e-12 && sample::norm(&below.gradient()) < 1e-5);
        assert_eq!((above.value(), above.gradient(), above.fades()), (1.0, [Vec3::zeros(); 4], false));
    }
}
