//! Axes in the plane of a triangle, and what turns into them.

use nalgebra::Matrix3x2;

use super::normal;
use crate::math::{Mat3, Vec3};

/// Axes in the plane of a triangle: the first along its first edge.
pub struct TangentFrame {
    /// The two axes.
    pub axes: Matrix3x2<f64>,
    /// Area of the triangle [m^2].
    pub area: f64,
    normal: Vec3,
}

impl TangentFrame {
    /// That of a triangle with these edges from its first corner [m]; none where it has no area.
    pub fn of(edges: &Matrix3x2<f64>) -> Option<Self> {
        let normal = normal(edges)?;
        let first = edges.column(0).normalize();
        let area = 0.5 * edges.column(0).cross(&edges.column(1)).norm();
        Some(Self { axes: Matrix3x2::from_columns(&[first, normal.cross(&first)]), area, normal })
    }

    /// The two axes and the normal, one a column.
    pub fn rotation(&self) -> Mat3 {
        Mat3::from_columns(&[self.axes.column(0).into(), self.axes.column(1).into(), self.normal])
    }

    /// Area times the gradients of the second and third corners' shape functions [m].
    pub fn area_gradients(&self, edges: &Matrix3x2<f64>) -> [Vec3; 2] {
        let (first, second) = (edges.column(0).into_owned(), edges.column(1).into_owned());
        [0.5 * second.cross(&self.normal), 0.5 * self.normal.cross(&first)]
    }
}

/// The map of stresses (11, 22, 12) from axes to those in which the first of the old ones is [cosine, sine].
fn turn([c, s]: [f64; 2]) -> Mat3 {
    Mat3::new(c * c, s * s, -2.0 * c * s, s * s, c * c, 2.0 * c * s, c * s, -c * s, c * c - s * s)
}

/// A stress in axes in which the first of its own is [cosine, sine].
pub fn turned_stress(stress: &Vec3, first: [f64; 2]) -> Vec3 {
    turn(first) * stress
}

/// A stiffness in axes in which the first of its own is [cosine, sine].
pub fn turned_stiffness(stiffness: &Mat3, first: [f64; 2]) -> Mat3 {
    let turn = turn(first);
    let turned = turn * stiffness * turn.transpose();
    0.5 * (turned + turned.transpose())
}

/// A stress without the principal values that push.
pub fn pulling(stress: &Vec3) -> Vec3 {
    let [a, b, c] = (*stress).into();
    let (mean, half) = (0.5 * (a + b), 0.5 * (a - b));
    let radius = half.hypot(c);
    if mean - radius >= 0.0 {
        return *stress;
    }
    let largest = mean + radius;
    if largest <= 0.0 || radius == 0.0 {
        return Vec3::zeros();
    }
    // The larger value along its own axis alone.
    let (cosine, sine) = (half / radius, c / radius);
    0.5 * largest * Vec3::new(1.0 + cosine, 1.0 - cosine, sine)
}

/// The matrix of the squares of the principal values that push, and of how these turn: half of the second derivative of their sum by (11, 22,
/// 12). `None` where none pushes.
pub fn pushing(stress: &Vec3) -> Option<Mat3> {
    let [a, b, c] = (*stress).into();
    let (mean, half) = (0.5 * (a + b), 0.5 * (a - b));
    let radius = half.hypot(c);
    let (largest, least) = (mean + radius, mean - radius);
    if least >= 0.0 {
        return None;
    }
    if largest <= 0.0 {
        return Some(Mat3::from_diagonal(&Vec3::new(1.0, 1.0, 2.0)));
    }
    // In principal axes the least value, and its share of the turning.
    let turning = 2.0 * least / (least - largest);
    let angle = 0.5 * c.atan2(half);
    // Stresses in principal axes are the transpose's, by the inverse turn.
    let turn = turn([angle.cos(), -angle.sin()]);
    let own = turn.transpose() * Mat3::from_diagonal(&Vec3::new(0.0, 1.0, turning)) * turn;
    Some(0.5 * (own + own.transpose()))
}
