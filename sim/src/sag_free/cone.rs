//! The cone of a row, in coordinates (first, the others): of a contact the normal, then mu times the tangential pair. The second-order cone with
//! friction, the half-line without. Both are self-dual; Nesterov-Todd scaling for each.

use nalgebra::{SMatrix, SVector};

/// Cone of a row of D coordinates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cone {
    /// x0 >= 0; the others are not there (kept at zero).
    HalfLine,
    /// x0 >= |(x1, x2, ...)|.
    SecondOrder,
}

/// Nesterov-Todd scaling of a pair (s, z) inside the cone: W z = W^-1 s = lambda.
#[derive(Debug, Clone, Copy)]
pub struct Scaling<const D: usize = 3> {
    /// W, symmetric.
    pub scale: SMatrix<f64, D, D>,
    /// W^-1, symmetric.
    pub inverse: SMatrix<f64, D, D>,
    /// lambda.
    pub point: SVector<f64, D>,
}

impl Cone {
    /// Degree of the cone's barrier.
    pub fn degree(self) -> f64 {
        match self {
            Self::HalfLine => 1.0,
            Self::SecondOrder => 2.0,
        }
    }

    /// Distance to the boundary, negative outside.
    pub fn margin<const D: usize>(self, x: &SVector<f64, D>) -> f64 {
        match self {
            Self::HalfLine => x[0],
            Self::SecondOrder => x[0] - across(x),
        }
    }

    /// Jordan product.
    pub fn product<const D: usize>(self, a: &SVector<f64, D>, b: &SVector<f64, D>) -> SVector<f64, D> {
        match self {
            Self::HalfLine => only(a[0] * b[0]),
            Self::SecondOrder => {
                let mut product = a[0] * b + b[0] * a;
                product[0] = a.dot(b);
                product
            }
        }
    }

    /// x with `lambda` o x = `d`.
    pub fn quotient<const D: usize>(self, lambda: &SVector<f64, D>, d: &SVector<f64, D>) -> SVector<f64, D> {
        match self {
            Self::HalfLine => only(d[0] / lambda[0]),
            Self::SecondOrder => {
                let first = lambda.dot(&mirrored(d)) / determinant(lambda);
                let mut quotient = (d - first * lambda) / lambda[0];
                quotient[0] = first;
                quotient
            }
        }
    }

    /// Largest step in [0, `limit`] for which x + step dx stays in the cone.
    pub fn step_to_boundary<const D: usize>(self, x: &SVector<f64, D>, dx: &SVector<f64, D>, limit: f64) -> f64 {
        match self {
            Self::HalfLine => {
                if dx[0] < 0.0 {
                    limit.min(-x[0] / dx[0])
                } else {
                    limit
                }
            }
            Self::SecondOrder => {
                // Roots of det(x + t dx) = c + 2 b t + a t^2.
                let a = dx.dot(&mirrored(dx));
                let b = x.dot(&mirrored(dx));
                let c = determinant(x);
                let mut step = limit;
                if dx[0] < 0.0 {
                    step = step.min(-x[0] / dx[0]);
                }
                let discriminant = b * b - a * c;
                if discriminant >= 0.0 {
                    let q = -(b + discriminant.sqrt().copysign(b));
                    for root in [q / a, c / q] {
                        if root.is_finite() && root > 0.0 {
                            step = step.min(root);
                        }
                    }
                }
                step
            }
        }
    }

    /// Nesterov-Todd scaling at (s, z), both inside the cone (Vandenberghe 2010, sec. 4.2).
    pub fn scaling<const D: usize>(self, s: &SVector<f64, D>, z: &SVector<f64, D>) -> Scaling<D> {
        match self {
            Self::HalfLine => {
                let w = (s[0] / z[0]).sqrt();
                let only_first = |value| SMatrix::from_diagonal(&only(value));
                Scaling { scale: only_first(w), inverse: only_first(1.0 / w), point: only((s[0] * z[0]).sqrt()) }
            }
            Self::SecondOrder => {
                let reflection = SMatrix::from_diagonal(&mirrored(&SVector::repeat(1.0)));
                let (det_s, det_z) = (determinant(s), determinant(z));
                let (s_bar, z_bar) = (s / det_s.sqrt(), z / det_z.sqrt());
                let gamma = (0.5 * (1.0 + s_bar.dot(&z_bar))).sqrt();
                let w = (s_bar + mirrored(&z_bar)) / (2.0 * gamma);
                let beta = (det_s / det_z).sqrt().sqrt();
                let v = (w + only(1.0)) / (2.0 * (w[0] + 1.0)).sqrt();
                let mirrored = mirrored(&v);
                let scale = beta * (2.0 * v * v.transpose() - reflection);
                let inverse = (2.0 * mirrored * mirrored.transpose() - reflection) / beta;
                Scaling { scale, inverse, point: scale * z }
            }
        }
    }
}

/// The first coordinate alone.
pub fn only<const D: usize>(first: f64) -> SVector<f64, D> {
    SVector::from_fn(|i, _| if i == 0 { first } else { 0.0 })
}

/// (x0, -x1, -x2, ...).
fn mirrored<const D: usize>(x: &SVector<f64, D>) -> SVector<f64, D> {
    SVector::from_fn(|i, _| if i == 0 { x[0] } else { -x[i] })
}

/// |(x1, x2, ...)|.
fn across<const D: usize>(x: &SVector<f64, D>) -> f64 {
    x.iter().skip(1).fold(0.0, |size, part| part.hypot(size))
}

/// x0^2 - |(x1, x2, ...)|^2 of the second-order cone, without cancellation.
fn determinant<const D: usize>(x: &SVector<f64, D>) -> f64 {
    let across = across(x);
    (x[0] - across) * (x[0] + across)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec3;

    const INSIDE: [(Cone, [f64; 3], [f64; 3]); 3] = [
        (Cone::HalfLine, [0.3, 0.0, 0.0], [7.0, 0.0, 0.0]),
        (Cone::SecondOrder, [1.0, 0.2, -0.5], [3.0, 2.0, 1.9]),
        (Cone::SecondOrder, [1.0, 0.6, 0.79], [1e-6, 1e-7, 0.0]),
    ];

    #[test]
    fn scaling_sends_both_points_to_the_same_one() {
        for (cone, s, z) in INSIDE {
            let (s, z) = (Vec3::from(s), Vec3::from(z));
            let scaling = cone.scaling(&s, &z);
            assert!((scaling.scale * z - scaling.point).norm() < 1e-12 * scaling.point.norm());
            assert!((scaling.inverse * s - scaling.point).norm() < 1e-11 * scaling.point.norm(), "{cone:?}");
        }
    }

    #[test]
    fn quotient_undoes_product() {
        for (cone, a, b) in INSIDE {
            let (a, b) = (Vec3::from(a), Vec3::from(b));
            assert!((cone.quotient(&a, &cone.product(&a, &b)) - b).norm() < 1e-10 * b.norm());
        }
    }

    #[test]
    fn step_ends_on_the_boundary() {
        for (cone, x, _) in INSIDE {
            for direction in [[-1.0, 0.0, 0.0], [-0.3, 0.9, 0.1], [0.1, -2.0, 1.0], [1.0, 0.1, 0.1]] {
                let (x, dx) = (Vec3::from(x), Vec3::from(direction));
                let step = cone.step_to_boundary(&x, &dx, 1e6);
                if step < 1e6 {
                    assert!(cone.margin(&(x + step * dx)).abs() < 1e-9 * (1.0 + step), "{cone:?} {direction:?}");
                } else {
                    assert!(cone.margin(&(x + 1e5 * dx)) >= 0.0);
                }
            }
        }
    }
}
