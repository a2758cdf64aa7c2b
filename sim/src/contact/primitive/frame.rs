//! [`DistanceFrame`]: gradient and second derivatives of a distance in closed form.
//!
//! Let w be the weights of the nearest points, v = sum w_i x_i their offset, d = |v| and n = v / d. Where the
//! points may slide, the distance is the smallest over all slides u: d(x) = min |v(x, u)|. The envelope theorem
//! gives the gradient w (x) n, and eliminating u from the second derivatives of |v|^2 / 2 gives, with orthonormal
//! tangents t_m of the slides and the rates y_m at which the weights change along them,
//!
//! ```text
//! H = w w^T (x) (I - n n^T - sum t_m t_m^T) / d
//!     - sum_m [(w (x) t_m) (y_m (x) n)^T + transposed + d (y_m (x) n) (y_m (x) n)^T]
//! ```
//!
//! The first term is positive semidefinite. The tangents are turned so that the y_m are orthogonal: then the
//! brackets act on orthogonal planes, and the eigenvectors of H are known.

use super::matrix::{Mat12, Vec12, add_product, add_square};
use super::nearest::Nearest;
use crate::math::{Mat3, Vec3};

/// Derivatives of the distance of two primitives, at a distance above zero.
#[derive(Debug, Clone, Copy)]
pub struct DistanceFrame {
    /// Distance d [m].
    pub distance: f64,
    /// Unit normal n, from the second primitive to the first.
    pub normal: Vec3,
    /// Weights w of the nearest points.
    pub weights: [f64; 4],
    tangents: [Tangent; 2],
    tangent_count: usize,
}

/// A direction t in which the nearest points slide, with the change y of the weights [1/m].
#[derive(Debug, Clone, Copy)]
struct Tangent {
    direction: Vec3,
    rates: [f64; 4],
}

impl DistanceFrame {
    /// The frame at the nearest points `nearest`, which must not coincide.
    pub fn new(nearest: &Nearest) -> Self {
        let distance = nearest.distance();
        let normal = nearest.offset / distance;
        let mut tangents = [Tangent { direction: Vec3::zeros(), rates: [0.0; 4] }; 2];
        let slides = nearest.slides();
        if let Some(slide) = slides.first() {
            let length = slide.along.norm();
            tangents[0] = Tangent { direction: slide.along / length, rates: slide.rates.map(|rate| rate / length) };
        }
        if let Some(slide) = slides.get(1) {
            let first = tangents[0];
            let direction = normal.cross(&first.direction);
            let (along, length) = (slide.along.dot(&first.direction), slide.along.dot(&direction));
            let rates = combined(1.0 / length, &slide.rates, -along / length, &first.rates);
            tangents = orthogonal(first, Tangent { direction, rates });
        }
        Self { distance, normal, weights: nearest.weights, tangents, tangent_count: slides.len() }
    }

    /// Gradient of the distance.
    pub fn gradient(&self) -> Vec12 {
        self.weights.map(|weight| weight * self.normal)
    }

    /// Adds `slope` times the second derivatives of the distance and `curvature` times the square of its gradient:
    /// the second derivatives of a function of the distance [1/m for a slope of 1].
    pub fn add_hessian(&self, slope: f64, curvature: f64, hessian: &mut Mat12) {
        add_square(curvature, &self.gradient(), hessian);
        let mut across = Mat3::identity() - self.normal * self.normal.transpose();
        for tangent in self.tangents() {
            across -= tangent.direction * tangent.direction.transpose();
            let turn = tangent.rates.map(|rate| rate * self.normal);
            let shift = self.weights.map(|weight| weight * tangent.direction);
            add_product(-slope, &shift, &turn, hessian);
            add_square(-slope * self.distance, &turn, hessian);
        }
        if self.tangent_count < 2 {
            let across = across * (slope / self.distance);
            for (row, wi) in hessian.iter_mut().zip(&self.weights) {
                for (block, wj) in row.iter_mut().zip(&self.weights) {
                    *block += across * (wi * wj);
                }
            }
        }
    }

    /// As [`DistanceFrame::add_hessian`] for a function that falls and is convex (`slope` <= 0, `curvature` >= 0), with
    /// the negative eigenvalues of the first part clamped to zero; the second part has none. The sum is positive
    /// semidefinite and nowhere below the exact one.
    pub fn add_projected_hessian(&self, slope: f64, curvature: f64, hessian: &mut Mat12) {
        add_square(curvature, &self.gradient(), hessian);
        let size = norm(&self.weights);
        for tangent in self.tangents() {
            // In the orthonormal basis w (x) t / |w|, y (x) n / |y| the bracket is -slope ((0, c), (c, s)).
            let rate = norm(&tangent.rates);
            let (c, s) = (-slope * size * rate, -slope * self.distance * rate * rate);
            let eigenvalue = 0.5 * (s + (s * s + 4.0 * c * c).sqrt());
            let scale = eigenvalue / (c * c + eigenvalue * eigenvalue);
            if scale.is_finite() {
                let (shift, turn) = (c / size, eigenvalue / rate);
                let vector = std::array::from_fn(|i| shift * self.weights[i] * tangent.direction + turn * tangent.rates[i] * self.normal);
                add_square(scale, &vector, hessian);
            }
        }
    }

    fn tangents(&self) -> &[Tangent] {
        &self.tangents[..self.tangent_count]
    }
}

/// Turns two tangents in their plane until their rates are orthogonal: one rotation of Jacobi.
fn orthogonal(first: Tangent, second: Tangent) -> [Tangent; 2] {
    let product = dot(&first.rates, &second.rates);
    if product == 0.0 {
        return [first, second];
    }
    let ratio = (dot(&second.rates, &second.rates) - dot(&first.rates, &first.rates)) / (2.0 * product);
    let tangent = ratio.signum() / (ratio.abs() + (1.0 + ratio * ratio).sqrt());
    let cosine = 1.0 / (1.0 + tangent * tangent).sqrt();
    let sine = tangent * cosine;
    let turned = |c: f64, s: f64| Tangent {
        direction: c * first.direction + s * second.direction,
        rates: combined(c, &first.rates, s, &second.rates),
    };
    [turned(cosine, -sine), turned(sine, cosine)]
}

fn combined(p: f64, a: &[f64; 4], q: f64, b: &[f64; 4]) -> [f64; 4] {
    std::array::from_fn(|i| p * a[i] + q * b[i])
}

fn dot(a: &[f64; 4], b: &[f64; 4]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn norm(a: &[f64; 4]) -> f64 {
    dot(a, a).sqrt()
}

#[cfg(test)]
mod tests {
    use super::super::sample::{self, CORNERS, ENDS, FACE, INSIDE, SIDES, above_triangle, crossing_edges};
    use super::super::{edge_edge, point_triangle};
    use super::*;
    use crate::math::random::Random;
    use nalgebra::SMatrix;

    type Dense = SMatrix<f64, 12, 12>;
    type Pair = (Vec12, fn(&Vec12) -> Nearest);

    fn triangle([p, a, b, c]: &Vec12) -> Nearest {
        point_triangle(p, a, b, c)
    }

    fn edges([a, b, c, d]: &Vec12) -> Nearest {
        edge_edge(a, b, c, d)
    }

    /// Pairs of all kinds of features away from the borders between them.
    fn pairs(distance: f64) -> Vec<Pair> {
        let mut random = Random::new(4);
        let mut pairs: Vec<Pair> = Vec::new();
        for _ in 0..10 {
            for (places, tilted) in [(FACE, false), (SIDES, true), (CORNERS, true)] {
                pairs.extend(places.map(|place| (above_triangle(&mut random, place, distance, tilted), triangle as _)));
            }
            for angle in [0.1, 1.0, 2.0] {
                pairs.extend(INSIDE.map(|place| (crossing_edges(&mut random, place, angle, distance, false), edges as _)));
            }
            pairs.extend(ENDS.map(|place| (crossing_edges(&mut random, place, 1.2, distance, true), edges as _)));
        }
        pairs
    }

    fn dense(fill: impl FnOnce(&mut Mat12)) -> Dense {
        let mut blocks = Mat12::default();
        fill(&mut blocks);
        Dense::from_fn(|i, j| blocks[i / 3][j / 3][(i % 3, j % 3)])
    }

    fn without_negative(matrix: &Dense) -> Dense {
        let eigen = matrix.symmetric_eigen();
        eigen.eigenvectors * Dense::from_diagonal(&eigen.eigenvalues.map(|v| v.max(0.0))) * eigen.eigenvectors.transpose()
    }

    #[test]
    fn derivatives_of_the_distance_match_differences() {
        for (points, nearest) in pairs(0.02) {
            let frame = DistanceFrame::new(&nearest(&points));
            let slope = sample::slope(&points, 1e-6, |p| nearest(p).distance());
            let error = sample::difference(&frame.gradient(), &slope);
            assert!(error < 1e-8, "{error}: {:?}", frame.weights);
            let hessian = dense(|h| frame.add_hessian(1.0, 0.0, h));
            let h = 1e-6;
            for column in 0..12 {
                let at = |by| DistanceFrame::new(&nearest(&sample::shifted(&points, column / 3, column % 3, by))).gradient();
                let (after, before) = (at(h), at(-h));
                let change = Dense::from_fn(|i, _| (after[i / 3][i % 3] - before[i / 3][i % 3]) / (2.0 * h));
                assert!((change.column(0) - hessian.column(column)).norm() < 1e-6 * hessian.norm(), "{column}: {:?}", frame.weights);
            }
        }
    }

    #[test]
    fn the_closed_forms_are_those_of_planes_and_lines() {
        let mut random = Random::new(5);
        for (u, v) in FACE {
            let points @ [p, a, b, c] = above_triangle(&mut random, (u, v), 0.1, false);
            let normal = (b - a).cross(&(c - a));
            assert!((triangle(&points).squared_distance() - (p - a).dot(&normal).powi(2) / normal.norm_squared()).abs() < 1e-15);
        }
        for place in INSIDE {
            let points @ [a, b, c, d] = crossing_edges(&mut random, place, 0.7, 0.1, false);
            let normal = (b - a).cross(&(d - c));
            assert!((edges(&points).squared_distance() - (c - a).dot(&normal).powi(2) / normal.norm_squared()).abs() < 1e-15);
        }
    }

    #[test]
    fn the_projection_clamps_the_curvature_of_the_distance() {
        for distance in [1e-5, 1e-3, 0.1] {
            for (points, nearest) in pairs(distance) {
                let frame = DistanceFrame::new(&nearest(&points));
                let (slope, curvature) = (-3.0, 3.0 / distance);
                let curved = dense(|h| frame.add_hessian(slope, 0.0, h));
                let steep = dense(|h| frame.add_hessian(0.0, curvature, h));
                let projected = dense(|h| frame.add_projected_hessian(slope, curvature, h));
                // The normal is known to the rounding of the points over the distance.
                let rounding = (curved + steep).norm() * (1e-12 + 1e-15 / distance);
                let error = (projected - steep - without_negative(&curved)).norm();
                assert!(error < rounding, "clamped by numbers: {error} of {rounding} at {distance} {:?}", frame.weights);
                assert!(projected.symmetric_eigenvalues().min() > -rounding, "positive semidefinite");
                let above = (projected - curved - steep).symmetric_eigenvalues().min();
                assert!(above > -rounding, "nowhere below the exact one: {above} of {rounding} at {distance} {:?}", frame.weights);
            }
        }
    }

    /// Clamping the sum instead would take away no more than a little.
    #[test]
    fn the_projection_is_nearly_the_nearest_one() {
        let mut worst: f64 = 0.0;
        for (points, nearest) in pairs(1e-3) {
            let frame = DistanceFrame::new(&nearest(&points));
            let exact = dense(|h| frame.add_hessian(-3.0, 3e3, h));
            let projected = dense(|h| frame.add_projected_hessian(-3.0, 3e3, h));
            worst = worst.max((projected - exact).norm() / (without_negative(&exact) - exact).norm().max(1e-9 * exact.norm()));
        }
        println!("change by the projection over that of the nearest one: at most {worst:.2}");
        assert!(worst < 3.0, "{worst}");
    }
}
