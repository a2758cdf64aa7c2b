//! Vectors and matrices of four vertices' coordinates.

use crate::math::{Mat3, Vec3};
use nalgebra::SMatrix;

/// A vector for each vertex.
pub type Vec12 = [Vec3; 4];

/// A matrix by blocks of two vertices.
pub type Mat12 = [[Mat3; 4]; 4];

/// Adds `scale` a a^T.
pub fn add_square(scale: f64, a: &Vec12, matrix: &mut Mat12) {
    for (row, ai) in matrix.iter_mut().zip(a) {
        let scaled = scale * ai;
        for (block, aj) in row.iter_mut().zip(a) {
            *block += scaled * aj.transpose();
        }
    }
}

/// Adds `scale` (a b^T + b a^T).
pub fn add_product(scale: f64, a: &Vec12, b: &Vec12, matrix: &mut Mat12) {
    for i in 0..4 {
        for j in 0..4 {
            matrix[i][j] += scale * (a[i] * b[j].transpose() + b[i] * a[j].transpose());
        }
    }
}

/// Orthonormal differences of four vertices: a matrix that no common translation changes acts on these alone.
const DIFFERENCES: [[f64; 4]; 3] = {
    let s = std::f64::consts::FRAC_1_SQRT_2;
    [[s, -s, 0.0, 0.0], [0.0, 0.0, s, -s], [0.5, 0.5, -0.5, -0.5]]
};

/// A symmetric matrix that no common translation changes, with its negative eigenvalues clamped to zero.
pub fn clamped(matrix: &Mat12) -> Mat12 {
    let mut reduced = SMatrix::<f64, 9, 9>::zeros();
    for (i, row) in DIFFERENCES.iter().enumerate() {
        for (j, column) in DIFFERENCES.iter().enumerate() {
            let mut block = Mat3::zeros();
            for (a, wa) in row.iter().enumerate() {
                for (b, wb) in column.iter().enumerate() {
                    block += matrix[a][b] * (wa * wb);
                }
            }
            reduced.fixed_view_mut::<3, 3>(3 * i, 3 * j).copy_from(&block);
        }
    }
    let eigen = reduced.symmetric_eigen();
    let mut clamped = Mat12::default();
    for (value, vector) in eigen.eigenvalues.iter().zip(eigen.eigenvectors.column_iter()) {
        if *value > 0.0 {
            let full: Vec12 = std::array::from_fn(|a| (0..3).map(|i| DIFFERENCES[i][a] * vector.fixed_rows::<3>(3 * i)).sum());
            add_square(*value, &full, &mut clamped);
        }
    }
    clamped
}
