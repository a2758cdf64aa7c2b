//! Orientations of internal nodes and their derivatives: modified Rodrigues parameters sigma = x / (4 arm), the unit quaternion
//! (2 sigma, 1 - s) / (1 + s) with s = sigma^2 (Schaub, Junkins 2003, 3.5), and a vector turned back by it.

use nalgebra::{Matrix4x3, Quaternion, Vector4};

use crate::math::{Mat3, Vec3};

/// An orientation at one place x of an internal node.
pub struct Orientation {
    sigma: Vec3,
    /// 1 + s.
    t: f64,
    /// sigma by x [1/m].
    per_metre: f64,
}

impl Orientation {
    /// That of an internal node at `x` [m] with this arm [m].
    pub fn of(x: &Vec3, arm: f64) -> Self {
        let per_metre = 0.25 / arm;
        let sigma = per_metre * x;
        Self { sigma, t: 1.0 + sigma.norm_squared(), per_metre }
    }

    /// The unit quaternion.
    pub fn quaternion(&self) -> Quaternion<f64> {
        Quaternion::from_parts((2.0 - self.t) / self.t, 2.0 / self.t * self.sigma)
    }

    /// Its coordinates (i, j, k, 1) by x [1/m].
    pub fn quaternion_by_x(&self) -> Matrix4x3<f64> {
        let (sigma, t) = (&self.sigma, self.t);
        let mut by = Matrix4x3::zeros();
        let imaginary = Mat3::from_diagonal_element(2.0 / t) - 4.0 / (t * t) * sigma * sigma.transpose();
        by.fixed_rows_mut::<3>(0).copy_from(&imaginary);
        by.fixed_rows_mut::<1>(3).copy_from(&(-4.0 / (t * t) * sigma.transpose()));
        self.per_metre * by
    }

    /// Second derivatives of h . quaternion by x [1/m^2].
    pub fn quaternion_curvature(&self, h: &Vector4<f64>) -> Mat3 {
        let (sigma, t) = (&self.sigma, self.t);
        let (imaginary, real) = (h.xyz(), h.w);
        let outer = sigma * sigma.transpose();
        let mixed = imaginary * sigma.transpose();
        let along = real + imaginary.dot(sigma);
        let sum =
            along * (Mat3::from_diagonal_element(-4.0 / (t * t)) + 16.0 / t.powi(3) * outer) - 4.0 / (t * t) * (mixed + mixed.transpose());
        self.per_metre * self.per_metre * sum
    }

    /// R^T e: `e` as what is turned sees it.
    pub fn turned_back(&self, e: &Vec3) -> Vec3 {
        // e itself, exactly, where nothing is turned.
        let across = self.sigma.cross(e);
        e + (8.0 * self.sigma.cross(&across) - 4.0 * (2.0 - self.t) * across) / (self.t * self.t)
    }

    /// R^T.
    pub fn inverse(&self) -> Mat3 {
        Mat3::from_columns(&[0, 1, 2].map(|axis| self.turned_back(&Vec3::ith(axis, 1.0))))
    }

    /// f . R^T e = f . e + N / t^2: N, its gradient by sigma and its second derivatives.
    fn numerator(&self, e: &Vec3, f: &Vec3) -> (f64, Vec3, Mat3) {
        let (sigma, s) = (&self.sigma, self.t - 1.0);
        let (along_e, along_f, both, across) = (sigma.dot(e), sigma.dot(f), e.dot(f), e.cross(f));
        let along = sigma.dot(&across);
        let value = 8.0 * (along_e * along_f - s * both) - 4.0 * (1.0 - s) * along;
        let gradient = 8.0 * (along_f * e + along_e * f - 2.0 * both * sigma + along * sigma) - 4.0 * (1.0 - s) * across;
        let (of_pair, of_across) = (e * f.transpose(), sigma * across.transpose());
        let pairs = of_pair + of_pair.transpose() + of_across + of_across.transpose();
        (value, gradient, 8.0 * (pairs + Mat3::from_diagonal_element(along - 2.0 * both)))
    }

    /// Gradient of f . R^T e by x [1/m].
    pub fn gradient(&self, e: &Vec3, f: &Vec3) -> Vec3 {
        let (value, gradient, _) = self.numerator(e, f);
        self.per_metre * (gradient / self.t.powi(2) - 4.0 * value / self.t.powi(3) * self.sigma)
    }

    /// Second derivatives of f . R^T e by x [1/m^2].
    pub fn curvature(&self, e: &Vec3, f: &Vec3) -> Mat3 {
        let (value, gradient, curvature) = self.numerator(e, f);
        let (sigma, t) = (&self.sigma, self.t);
        let mixed = gradient * sigma.transpose();
        let of_share = Mat3::from_diagonal_element(-4.0 / t.powi(3)) + 24.0 / t.powi(4) * sigma * sigma.transpose();
        let sum = curvature / t.powi(2) - 4.0 / t.powi(3) * (mixed + mixed.transpose()) + value * of_share;
        self.per_metre * self.per_metre * sum
    }
}
