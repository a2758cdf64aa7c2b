//! [`Ties`]: Newton steps of small systems whose nodes are tied by general linear equalities (Li et al. 2024, ch. 5 and 6.2).

use nalgebra::{DMatrix, DVector};

use crate::linear::{Equalities, EqualityError, NodeMatrix, NodeMatrixPattern};
use crate::math::{Mat3, Vec3};
use crate::system::System;

/// The equalities of a system, with what its supports hold, in dense form.
pub struct Ties {
    equalities: Equalities,
    hessian: DMatrix<f64>,
}

impl Ties {
    /// The ties of `system`; nothing where it has none.
    pub fn of(system: &System) -> Option<Result<Self, EqualityError>> {
        if system.equalities.is_empty() {
            return None;
        }
        let unknowns = 3 * system.positions.len();
        let mut rows: Vec<Vec<(usize, f64)>> = Vec::new();
        for equality in &system.equalities {
            let of_term = |(node, a): &(u32, Vec3)| [0, 1, 2].map(|k| (3 * *node as usize + k, a[k]));
            rows.push(equality.terms.iter().flat_map(of_term).collect());
        }
        let mut hold = |node: usize, held: Mat3| rows.extend((0..3).map(|r| (0..3).map(|c| (3 * node + c, held[(r, c)])).collect()));
        (0..system.positions.len()).filter(|&n| system.fixed[n]).for_each(|n| hold(n, Mat3::identity()));
        system.slides.iter().for_each(|(node, allowed)| hold(*node as usize, Mat3::identity() - allowed));
        let mut coefficients = DMatrix::zeros(rows.len(), unknowns);
        for (r, row) in rows.iter().enumerate() {
            row.iter().for_each(|&(column, value)| coefficients[(r, column)] += value);
        }
        Some(Equalities::new(&coefficients).map(|equalities| Self { equalities, hessian: DMatrix::zeros(unknowns, unknowns) }))
    }

    /// The Newton step for the right side in `direction`, put in its place.
    ///
    /// # Errors
    /// [`EqualityError`], as where the matrix is not positive definite on what the ties leave free.
    pub fn solve(&mut self, pattern: &NodeMatrixPattern, matrix: &NodeMatrix, direction: &mut [Vec3]) -> Result<(), EqualityError> {
        let (mut unit, mut column) = (vec![Vec3::zeros(); direction.len()], vec![Vec3::zeros(); direction.len()]);
        for node in 0..direction.len() {
            for k in 0..3 {
                unit[node][k] = 1.0;
                matrix.multiply(pattern, &unit, &mut column);
                unit[node][k] = 0.0;
                self.hessian.column_mut(3 * node + k).copy_from_slice(flat(&column).as_slice());
            }
        }
        let step = self.equalities.newton_step(&self.hessian, &-flat(direction))?;
        write(&step, direction);
        Ok(())
    }

    /// Takes out of nodal vectors what the ties hold.
    pub fn project(&self, vectors: &mut [Vec3]) {
        let mut column = flat(vectors);
        self.equalities.project(&mut column);
        write(&column, vectors);
    }
}

fn flat(nodes: &[Vec3]) -> DVector<f64> {
    DVector::from_iterator(3 * nodes.len(), nodes.iter().flat_map(|v| [v.x, v.y, v.z]))
}

fn write(column: &DVector<f64>, nodes: &mut [Vec3]) {
    for (node, values) in nodes.iter_mut().zip(column.as_slice().chunks_exact(3)) {
        *node = Vec3::new(values[0], values[1], values[2]);
    }
}
