//! The cone of one contact, in coordinates (normal, mu times the tangential pair): the second-order cone in three
//! dimensions with friction, the half-line without. Both are self-dual; Nesterov-Todd scaling for each.

use crate::math::{Mat3, Vec3};

/// Cone of a contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cone {
    /// x0 >= 0; x1 and x2 are not there (kept at zero).
    HalfLine,
    /// x0 >= |(x1, x2)|.
    SecondOrder,
}

/// Nesterov-Todd scaling of a pair (s, z) inside the cone: W z = W^-1 s = lambda.
#[derive(Debug, Clone, Copy)]
pub struct Scaling {
    /// W, symmetric.
    pub scale: Mat3,
    /// W^-1, symmetric.
    pub inverse: Mat3,
    /// lambda.
    pub point: Vec3,
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
    pub fn margin(self, x: &Vec3) -> f64 {
        match self {
            Self::HalfLine => x[0],
            Self::SecondOrder => x[0] - x[1].hypot(x[2]),
        }
    }

    /// Jordan product.
    pub fn product(self, a: &Vec3, b: &Vec3) -> Vec3 {
        match self {
            Self::HalfLine => Vec3::new(a[0] * b[0], 0.0, 0.0),
            Self::SecondOrder => Vec3::new(a.dot(b), a[0] * b[1] + b[0] * a[1], a[0] * b[2] + b[0] * a[2]),
        }
    }

    /// x with `lambda` o x = `d`.
    pub fn quotient(self, lambda: &Vec3, d: &Vec3) -> Vec3 {
        match self {
            Self::HalfLine => Vec3::new(d[0] / lambda[0], 0.0, 0.0),
            Self::SecondOrder => {
                let first = (lambda[0] * d[0] - lambda[1] * d[1] - lambda[2] * d[2]) / determinant(lambda);
                Vec3::new(first, (d[1] - first * lambda[1]) / lambda[0], (d[2] - first * lambda[2]) / lambda[0])
            }
        }
    }

    /// Largest step in [0, `limit`] for which x + step dx stays in the cone.
    pub fn step_to_boundary(self, x: &Vec3, dx: &Vec3, limit: f64) -> f64 {
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
                let a = dx[0] * dx[0] - dx[1] * dx[1] - dx[2] * dx[2];
                let b = x[0] * dx[0] - x[1] * dx[1] - x[2] * dx[2];
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
    pub fn scaling(self, s: &Vec3, z: &Vec3) -> Scaling {
        match self {
            Self::HalfLine => {
                let w = (s[0] / z[0]).sqrt();
                let only = |value| Mat3::from_diagonal(&Vec3::new(value, 0.0, 0.0));
                Scaling { scale: only(w), inverse: only(1.0 / w), point: Vec3::new((s[0] * z[0]).sqrt(), 0.0, 0.0) }
            }
            Self::SecondOrder => {
                let reflect = |x: &Vec3| Vec3::new(x[0], -x[1], -x[2]);
                let reflection = Mat3::from_diagonal(&Vec3::new(1.0, -1.0, -1.0));
                let (det_s, det_z) = (determinant(s), determinant(z));
                let (s_bar, z_bar) = (s / det_s.sqrt(), z / det_z.sqrt());
                let gamma = (0.5 * (1.0 + s_bar.dot(&z_bar))).sqrt();
                let w = (s_bar + reflect(&z_bar)) / (2.0 * gamma);
                let beta = (det_s / det_z).sqrt().sqrt();
                let v = (w + Vec3::x()) / (2.0 * (w[0] + 1.0)).sqrt();
                let mirrored = reflect(&v);
                let scale = beta * (2.0 * v * v.transpose() - reflection);
                let inverse = (2.0 * mirrored * mirrored.transpose() - reflection) / beta;
                Scaling { scale, inverse, point: scale * z }
            }
        }
    }
}

/// x0^2 - |x1|^2 of the second-order cone, without cancellation.
fn determinant(x: &Vec3) -> f64 {
    let tangential = x[1].hypot(x[2]);
    (x[0] - tangential) * (x[0] + tangential)
}

#[cfg(test)]
mod tests {
    use super::*;

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
