//! [`Motions`]: the rigid motions that supports and hinges leave to the pieces of one part.

use nalgebra::{DMatrix, DMatrixView, Matrix3xX};

use super::pieces::Pieces;
use crate::math::rigid::RigidFrame;
use crate::math::{Mat3, Vec3};
use crate::sag_free::problem::BalanceProblem;

/// Motions that supports resist less than this, over what they resist most, are free: the square of a share of the size.
const RESISTED: f64 = 1e-12;

/// A basis of motions, orthonormal in translations [m] and turns times the size of each piece [m].
pub(super) struct Motions {
    /// Pieces, ascending.
    pieces: Vec<u32>,
    /// Six rows a piece, a column for each motion.
    basis: DMatrix<f64>,
}

impl Motions {
    /// Those of `pieces`, ascending, whose nodes are `nodes`.
    pub fn of(problem: &BalanceProblem, all: &Pieces, pieces: Vec<u32>, nodes: &[u32]) -> Self {
        let size = 6 * pieces.len();
        let identity = Self { basis: DMatrix::identity(size, size), pieces };
        let mut resisted = DMatrix::zeros(size, size);
        let mut resist = |held: Matrix3xX<f64>| resisted += held.transpose() * held;
        for &node in nodes {
            let moved = || identity.moved(all, node, &problem.positions[node as usize]);
            if !problem.free[node as usize] {
                moved().into_iter().for_each(&mut resist);
            } else if let Some(projector) = problem.projector(node) {
                moved().into_iter().for_each(|moved| resist((Mat3::identity() - projector) * moved));
            }
        }
        for (node, [a, b]) in all.hinges.iter().filter(|(_, [a, _])| identity.pieces.binary_search(a).is_ok()) {
            let x = &problem.positions[*node as usize];
            if let (Some(a), Some(b)) = (identity.moved_with(all, *a, x), identity.moved_with(all, *b, x)) {
                resist(a - b);
            }
        }
        let largest = resisted.amax();
        if largest == 0.0 {
            return identity;
        }
        let eigen = resisted.symmetric_eigen();
        let free: Vec<usize> = (0..size).filter(|&k| eigen.eigenvalues[k] <= RESISTED * largest).collect();
        Self { basis: eigen.eigenvectors.select_columns(&free), ..identity }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.basis.ncols()
    }

    /// Displacement of a node at `x` by each of them, or how far the farthest point of its piece is turned if it is internal [m]; `None` if it
    /// belongs to no piece of theirs.
    pub fn moved(&self, all: &Pieces, node: u32, x: &Vec3) -> Option<Matrix3xX<f64>> {
        let piece = all.of_node(node)?;
        if all.is_internal(node) {
            return Some(RigidFrame::turns() * self.of_piece(piece)?);
        }
        self.moved_with(all, piece, x)
    }

    fn moved_with(&self, all: &Pieces, piece: u32, x: &Vec3) -> Option<Matrix3xX<f64>> {
        Some(all.all[piece as usize].motions(x) * self.of_piece(piece)?)
    }

    fn of_piece(&self, piece: u32) -> Option<DMatrixView<'_, f64>> {
        let row = 6 * self.pieces.binary_search(&piece).ok()?;
        Some(self.basis.rows(row, 6))
    }
}
