//! Second derivatives without the directions of negative curvature.

use nalgebra::allocator::Allocator;
use nalgebra::{ArrayStorage, Const, DefaultAllocator, DimDiff, DimSub, SMatrix, SVector, U1};

use crate::math::Mat3;

/// Eigenvalues that are no farther below zero are none, as a share of the trace.
const ROUNDING: f64 = 1e-14;

/// The blocks of at most five nodes with negative eigenvalues set to zero; themselves where there are none.
pub fn projected_blocks<const N: usize>(blocks: [[Mat3; N]; N]) -> [[Mat3; N]; N] {
    const { assert!(N <= 5) };
    if N <= 3 { within::<N, 9>(blocks) } else { within::<N, 15>(blocks) }
}

/// In a matrix of `D` rows, which is at least as large.
fn within<const N: usize, const D: usize>(mut blocks: [[Mat3; N]; N]) -> [[Mat3; N]; N]
where
    Const<D>: DimSub<U1>,
    DefaultAllocator: Allocator<DimDiff<Const<D>, U1>>
        + Allocator<Const<D>, Buffer<f64> = ArrayStorage<f64, D, 1>>
        + Allocator<Const<D>, Const<D>, Buffer<f64> = ArrayStorage<f64, D, D>>,
{
    let mut whole = SMatrix::<f64, D, D>::zeros();
    for (i, row) in blocks.iter().enumerate() {
        for (j, block) in row.iter().enumerate() {
            whole.fixed_view_mut::<3, 3>(3 * i, 3 * j).copy_from(block);
        }
    }
    // What is positive definite but for round-off, as where a strand is pulled, needs no eigenvalues.
    let mut beyond = whole;
    (0..3 * N).for_each(|k| beyond[(k, k)] += ROUNDING * whole.trace());
    (3 * N..D).for_each(|k| beyond[(k, k)] = 1.0);
    if beyond.cholesky().is_some() {
        return blocks;
    }
    let eigen = whole.symmetric_eigen();
    if eigen.eigenvalues.min() >= 0.0 {
        return blocks;
    }
    let clamped: SVector<f64, D> = eigen.eigenvalues.map(|value| value.max(0.0));
    let whole = eigen.eigenvectors * SMatrix::<f64, D, D>::from_diagonal(&clamped) * eigen.eigenvectors.transpose();
    for i in 0..N {
        for j in i..N {
            let block = whole.fixed_view::<3, 3>(3 * i, 3 * j).into_owned();
            let block = if i == j { 0.5 * (block + block.transpose()) } else { block };
            blocks[i][j] = block;
            blocks[j][i] = block.transpose();
        }
    }
    blocks
}
